"""What a model sees of earlier iterations, by history mode, cut to its context. It calls nothing.

Within an iteration a message list only grows, because a model's thinking is valid only behind an
unchanged prefix. Each iteration begins a new list, and this module decides what goes into it.
"""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from core.agent.models.base import (
    ClassifyRequest,
    Model,
    Reply,
    ReplyRequest,
    ScoreRequest,
    ToolRound,
)
from core.agent.run import Run, ScoredDraft
from core.agent.types import ToolOutcome
from core.errors import ModelError
from core.verification import Source

MAX_SOURCES_IN_REQUEST = 32
"""Sources in the first request of an iteration: all of the planned tool, then the newest others."""

_LEFT_OUT: tuple[dict[str, Any], ...] = ({"standing": ()}, {"notes": ()}, {"tables": ""})
"""What a request can do without, in this order."""

AnyRequest = TypeVar("AnyRequest", ReplyRequest, ScoreRequest)


def build_first_request(run: Run, planned: ToolOutcome, request: ReplyRequest) -> ReplyRequest:
    """Return an iteration's first request with what the history mode shows of the run.

    `minimal`: the latest results only, and in a later step of a plan those of the steps before.
    `progressive`: all results and the reasoning so far.
    `kitchen_sink`: these, and every draft and score.
    """
    mode = run.budget.history_mode
    if mode == "minimal" and request.plan.step == 1:
        return replace(request, evidence=planned.sources)
    drafts = (_describe_iteration(scored, mode == "kitchen_sink") for scored in run.drafts)
    known = run.evidence.without_clauses(run.interpretation_ids)
    evidence = add_recent_sources(planned.sources, known)
    notes = () if mode == "minimal" else tuple(drafts)
    return replace(request, evidence=evidence, notes=notes)


def build_next_request(run: Run, request: ReplyRequest, tool_round: ToolRound) -> ReplyRequest:
    """Add a tool round to a request; in minimal mode, begin again with all results so far."""
    longer = replace(request, exchanges=(*request.exchanges, tool_round))
    if run.budget.history_mode != "minimal" or not tool_round.outcomes:
        return longer
    return join_rounds(longer)


def join_rounds(request: ReplyRequest) -> ReplyRequest:
    """Return a request that begins again, with what its rounds found as evidence."""
    outcomes = [outcome for one in request.exchanges for outcome in one.outcomes]
    found = (source for outcome in outcomes for source in outcome.sources)
    sources = {source.clause_id: source for source in (*request.evidence, *found)}
    tables = (outcome.tables or outcome.error for outcome in outcomes)
    said = "\n\n".join(filter(None, (request.tables, *tables)))
    return replace(request, evidence=tuple(sources.values()), tables=said, exchanges=())


def build_repair_request(
    request: ReplyRequest, reply: Reply, failures: tuple[str, ...]
) -> ReplyRequest:
    """Add a reply whose draft failed to a request, to be mended without further tool calls."""
    failed = ToolRound(reply, (), failures, request.final)
    return replace(request, exchanges=(*request.exchanges, failed), final=True)


def add_recent_sources(first: tuple[Source, ...], known: tuple[Source, ...]) -> tuple[Source, ...]:
    """Return the first sources, then the newest others up to MAX_SOURCES_IN_REQUEST."""
    ids = {source.clause_id for source in first}
    others = [source for source in reversed(known) if source.clause_id not in ids]
    return (*first, *others[: max(0, MAX_SOURCES_IN_REQUEST - len(first))])


def fit_request(run: Run, request: AnyRequest, model: Model) -> tuple[AnyRequest, tuple[int, ...]]:
    """Cut sources to what drafts quoted of them, the last first, until the request fits.

    Where that is not enough, how documents are read, notes, and tables are left out in turn.
    Returns the request and the markers of the sources that were cut.
    """
    quotes = {c.clause_id: c.quote for scored in run.drafts for c in scored.draft.citations}

    def fits(request: AnyRequest) -> bool:
        return model.count_tokens(request) <= run.budget.max_context_tokens

    numbers = range(len(request.evidence) + 1)
    number = bisect_left(numbers, True, key=lambda count: fits(_cut_last(request, count, quotes)))
    cut = tuple(source.marker for source in request.evidence[::-1][:number])
    fitted = _cut_last(request, min(number, len(request.evidence)), quotes)
    for left_out in _LEFT_OUT if number else ():
        if fits(fitted):
            break
        fitted = replace(fitted, **{k: v for k, v in left_out.items() if hasattr(fitted, k)})
    return fitted, cut


def _cut_last(request: AnyRequest, number: int, quotes: Mapping[str, str]) -> AnyRequest:
    """Cut so many sources, the last ones, to their quotes."""
    place = len(request.evidence) - number
    evidence = list(request.evidence)
    evidence[place:] = (
        replace(one, text=quotes.get(one.clause_id, "")) for one in evidence[place:]
    )
    return replace(request, evidence=tuple(evidence))


def fit_classification(run: Run, request: ClassifyRequest, model: Model) -> ClassifyRequest:
    """Leave out earlier questions, the first of them first, then the documents, until it fits."""
    limit = run.budget.max_context_tokens
    while model.count_tokens(request) > limit and (request.history or request.documents):
        documents = request.documents if request.history else ()
        request = replace(request, history=request.history[1:], documents=documents)
    return request


def check_context(run: Run, tokens: int) -> None:
    """Raise ModelError where a call has more tokens than the context."""
    if tokens > run.budget.max_context_tokens:
        message = (
            f"The call would have {tokens} tokens, more than {run.budget.max_context_tokens}."
            " Raise SCRUTINEER_MAX_CONTEXT_TOKENS, or ask a shorter question."
        )
        raise ModelError(message, code="context")


def _describe_iteration(scored: ScoredDraft, with_draft: bool) -> str:
    """Return a paragraph on an earlier iteration."""
    draft, plan = scored.draft, scored.plan
    attempt = f'{plan.tool} "{plan.query}"' if plan else "no plan"
    failures = [f"- {message}" for message in scored.failures]
    reasons = scored.score.reasons.items() if scored.score else ()
    parts = [
        f"Iteration {draft.iteration}, {attempt}.",
        f"Thinking: {draft.thinking}" if draft.thinking else "",
        f"Draft: {draft.text}" if with_draft else "",
        *(["Found wrong in its draft by checks without a model:", *failures] if failures else ()),
        f"Scored {scored.mean:.1f} of 10." if scored.score else "",
        *(f"- {name}: {reason}" for name, reason in reasons if reason),
        f"Missing: {scored.score.missing}" if scored.score and scored.score.missing else "",
    ]
    return "\n".join(filter(None, parts))
