"""What a model sees of earlier iterations, by history mode, and how that is kept within its context. It calls nothing.

Within an iteration a message list only grows (a model's thinking is valid only behind an unchanged prefix); between
iterations a fresh list begins, and here is decided what goes into it.
"""

from collections.abc import Callable
from dataclasses import replace

from core.agent.models.base import ReplyRequest, ScoreRequest, ToolRound, estimate_score_tokens
from core.agent.run import Run, ScoredDraft
from core.agent.types import Source, ToolOutcome
from core.agent.verification.draft_checks import failure_messages

MAX_SOURCES_IN_REQUEST = 32
"""Sources that enter an iteration's first turn: those of the planned tool, all of them, then the newest others."""
CONTEXT_WARNING_SHARE = 0.8
"""Share of the context above which the trace warns."""


def build_first_request(run: Run, planned: ToolOutcome, request: ReplyRequest) -> ReplyRequest:
    """Give an iteration's first turn what its history mode lets it see.

    `minimal`: the latest results only. `progressive`: all results of the run and the reasoning so far.
    `kitchen_sink`: those, and every draft and score.
    """
    if run.limits.history_mode == "minimal":
        return replace(request, evidence=planned.sources, notes=tuple(run.guidance))
    drafts = tuple(
        _told(scored, run.limits.history_mode == "kitchen_sink") for scored in run.drafts
    )
    return replace(
        request,
        evidence=add_recent_sources(
            planned.sources, run.evidence.without_clauses(run.interpretation_ids)
        ),
        notes=(*drafts, *run.guidance),
    )


def build_next_request(run: Run, request: ReplyRequest, tool_round: ToolRound) -> ReplyRequest:
    """The turn after a round of tool calls: the list grows, but in minimal mode begins anew with the latest results."""
    if run.limits.history_mode != "minimal" or not tool_round.outcomes:
        return replace(request, exchanges=(*request.exchanges, tool_round))
    sources = {
        source.clause_id: source for outcome in tool_round.outcomes for source in outcome.sources
    }
    told = [outcome.tables or outcome.error or "" for outcome in tool_round.outcomes]
    return replace(
        request,
        evidence=tuple(sources.values()),
        tables="\n\n".join(filter(None, told)),
        exchanges=(),
    )


def add_recent_sources(first: tuple[Source, ...], known: tuple[Source, ...]) -> tuple[Source, ...]:
    """The first sources, and then the newest others as far as a turn has room for them."""
    ids = {source.clause_id for source in first}
    others = [source for source in reversed(known) if source.clause_id not in ids]
    return (*first, *others[: max(0, MAX_SOURCES_IN_REQUEST - len(first))])


def fit_request(
    run: Run, request: ReplyRequest, measure: Callable[[ReplyRequest], int]
) -> tuple[ReplyRequest, tuple[int, ...]]:
    """A first turn whose oldest results are cut to their citations until it fits, the newest last; their markers."""
    cut: list[int] = []
    for source in reversed(request.evidence):
        if measure(request) <= run.limits.max_context_tokens:
            break
        request = replace(request, evidence=_cut(run, request.evidence, source))
        cut.append(source.marker)
    return request, tuple(cut)


def fit_score_request(run: Run, request: ScoreRequest) -> tuple[ScoreRequest, tuple[int, ...]]:
    """A request for a score made to fit in the same way, clauses that the draft does not cite first."""
    cut: list[int] = []
    for source in reversed(request.evidence):
        if estimate_score_tokens(request) <= run.limits.max_context_tokens:
            break
        request = replace(request, evidence=_cut(run, request.evidence, source))
        cut.append(source.marker)
    return request, tuple(cut)


def _cut(run: Run, evidence: tuple[Source, ...], source: Source) -> tuple[Source, ...]:
    """The evidence with one of its sources cut to what drafts have quoted of it."""
    quotes = {c.clause_id: c.quote for scored in run.drafts for c in scored.draft.citations}
    short = replace(source, text=quotes.get(source.clause_id, ""))
    return tuple(short if known is source else known for known in evidence)


def _told(scored: ScoredDraft, whole: bool) -> str:
    """A paragraph on an earlier iteration."""
    draft, plan = scored.draft, scored.plan
    way = f'{plan.tool} "{plan.query}"' if plan else "no plan"
    parts = [f"Iteration {draft.iteration}, {way}.", f"Thinking: {draft.thinking}"]
    if whole:
        parts.append(f"Draft: {draft.text}")
    if wrong := failure_messages(scored.checks):
        parts.append(
            "Found wrong in its draft by checks without a model:\n"
            + "\n".join(f"- {one}" for one in wrong)
        )
    if scored.score:
        parts.append(f"Scored {scored.mean:.1f} of 10.")
        parts.append(f"Missing: {scored.score.missing}" if scored.score.missing else "")
    return "\n".join(part for part in parts if part and part != "Thinking: ")
