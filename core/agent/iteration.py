"""One iteration: run the planned tool, let the model call more, take its draft, verify it, have it scored.

What follows from the score is the loop's to decide, not this module's.
"""

import json
import logging
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal

from core.agent import events as ev
from core.agent.budget import find_exceeded_limit
from core.agent.context_window import (
    CONTEXT_WARNING_SHARE,
    add_recent_sources,
    build_first_request,
    build_next_request,
    fit_request,
    fit_score_request,
)
from core.agent.evidence import relevant_text
from core.agent.markdown import format_tables
from core.agent.models.base import (
    Assessment,
    Model,
    Reply,
    ReplyDelta,
    ReplyRequest,
    ScoreRequest,
    ToolRound,
)
from core.agent.run import Run
from core.agent.tools.interpretation import INTERPRETATION_TOOL as INTERPRETATION
from core.agent.tools.toolbox import Toolbox
from core.agent.types import (
    CitedReference,
    ComplianceRow,
    Draft,
    Plan,
    Source,
    ToolCall,
    ToolOutcome,
    ToolResult,
    Usage,
)
from core.agent.verification.compliance import check_compliance
from core.agent.verification.draft_checks import cap_score, failure_messages, quote_matches, verify
from core.errors import ModelError, ToolError
from core.library import Hit, ResolvedReference, Scope
from core.rulebook import find_references

log = logging.getLogger("scrutineer.agent")

MAX_REPROMPTS = 2
"""Times a reply without tool calls and without the marker is asked to go on, in one iteration."""
MAX_REFERENCES_READ = 8
"""Articles that a draft's clauses refer to and that are read after it, at the most."""
MAX_IDLE_ROUNDS = 2
"""Rounds in a row that brought nothing new (the same calls, or failing ones) before the answer must come."""
RETRY_BACKOFF = 0.2
"""Seconds before a failed tool is tried again; doubled with each further try."""
NO_ANSWER_TEXT = (
    "The model gave no answer in words. The clauses that were found stand in the evidence."
)


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass
class RunContext:
    """What the work on one run needs at hand. `note` is the only way an event comes to be.

    `now` dates events; `clock` measures time in seconds, as the date may be put right in the middle of a run.
    """

    run: Run
    model: Model
    toolbox: Toolbox
    now: Callable[[], datetime] = _now
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    cached_results: dict[str, ToolResult] = field(default_factory=dict)
    """Results of this run's calls, so that the same call is made once."""
    interpretation_searched: bool = False
    """The clauses of interpretation have been looked for."""

    def __post_init__(self) -> None:
        self._started = self.clock()

    @property
    def seconds(self) -> float:
        """Time since the work began."""
        return self.clock() - self._started

    def record_event(self, event: ev.Event) -> ev.Event:
        """Number and date an event and let the run take it in."""
        stamp = {"run_id": self.run.run_id, "seq": self.run.seq + 1, "at": self.now().isoformat()}
        event = event.model_copy(update=stamp)
        self.run.apply_event(event)
        return event


def run_iteration(context: RunContext, plan: Plan) -> Generator[ev.Event, None, Assessment | None]:
    """Carry a plan out. Returns the assessment of its draft, None where nobody could or should score it.

    Raises ModelError where no draft could be had.
    """
    number = context.run.iterations + 1
    log.info("run %s iteration %d: %s", context.run.run_id[:8], number, plan.tool)
    log.debug("run %s looks for “%s”", context.run.run_id[:8], plan.query)
    yield context.record_event(
        ev.PlanMade(
            iteration=number,
            version=plan.version,
            step=plan.step,
            further=plan.further,
            intent=plan.intent,
            tool=plan.tool,
            query=plan.query,
            scope=to_scope_view(restrict_scope(context.run.scope, plan)),
            strategy=plan.strategy,
            reason=plan.reason,
        )
    )
    planned = ToolCall("plan", plan.tool, {"query": plan.query})
    outcome = yield from _call(context, restrict_scope(context.run.scope, plan), 0, planned)
    yield from _stand(context, outcome.sources)
    reply = yield from _reflect(context, _first_turn(context, plan, outcome))
    draft = Draft(number, reply.draft.strip() or NO_ANSWER_TEXT, reply.thinking, reply.citations)
    yield context.record_event(
        ev.Drafted(
            iteration=number, text=draft.text, thinking=draft.thinking, citations=draft.citations
        )
    )
    return (yield from _assess(context, plan, draft))


def to_scope_view(scope: Scope) -> ev.ScopeView:
    """A scope as events show it."""
    return ev.ScopeView(documents={d.document_id: d.label for d in scope.documents}, why=scope.why)


def restrict_scope(scope: Scope, plan: Plan) -> Scope:
    """The part of the run's scope that a plan looks at: a plan narrows, it never widens."""
    documents = tuple(d for d in scope.documents if d.document_id in plan.documents)
    return Scope(documents, scope.why) if documents else scope


def _stand(desk: RunContext, found: Sequence[Source]) -> Generator[ev.Event, None, None]:
    """Once a run: how the documents that the first evidence is of say they are to be read."""
    run = desk.run
    if desk.interpretation_searched or run.interpretation_ids or not found:
        return
    desk.interpretation_searched = True
    ids = list(dict.fromkeys(source.document_id for source in found))
    documents = sorted(
        (d for d in run.scope.documents if d.document_id in ids),
        key=lambda d: ids.index(d.document_id),
    )
    known = {source.clause_id for source in run.evidence.sources}
    hits = [
        hit
        for hit in desk.toolbox.find_interpretation_clauses(documents)
        if hit.clause.clause_id not in known
    ]
    if hits:
        sources = run.evidence.add_hits(hits, {d.document_id: d.label for d in run.scope.documents})
        yield desk.record_event(
            ev.EvidenceFound(iteration=run.iterations, tool=INTERPRETATION, sources=sources)
        )


def _first_turn(desk: RunContext, plan: Plan, planned: ToolOutcome) -> ReplyRequest:
    run = desk.run
    turn = ReplyRequest(
        question=run.question,
        intent=run.intent,
        plan=plan,
        iteration=run.iterations,
        max_iterations=run.limits.max_iterations,
        notes=(),
        evidence=(),
        tables=planned.tables or (planned.error or ""),
        tools=desk.toolbox.specs,
        documents=tuple(document.label for document in run.scope.documents),
        pairs=planned.pairs,
        struck=planned.struck,
        standing=run.evidence.only_clauses(run.interpretation_ids),
    )
    return build_first_request(run, planned, turn)


def _reflect(desk: RunContext, turn: ReplyRequest) -> Generator[ev.Event, None, Reply]:
    """Replies and tool rounds until the model answers; when they are spent, one reply with tools withheld."""
    run = desk.run
    allowed = run.limits.tool_rounds_for(run.intent)
    turn, cut = fit_request(run, turn, desk.model.count_tokens)
    yield from _told_of(desk, cut, "the context")
    rounds = asked = idle = 0
    while True:
        full = yield from _watch(desk, desk.model.count_tokens(turn))
        spoken = (
            asked >= MAX_REPROMPTS
            or idle >= MAX_IDLE_ROUNDS
            or (allowed is not None and rounds >= allowed)
        )
        final = full or spoken or find_exceeded_limit(run, desk.seconds) is not None
        turn = replace(turn, final=final)
        reply = yield from _respond(desk, turn)
        if final or (reply.complete and not reply.calls):
            return reply
        outcomes: list[ToolOutcome] = []
        made = len(desk.cached_results)
        if reply.calls:
            rounds += 1
            log.info("run %s tool round %d: %d calls", run.run_id[:8], rounds, len(reply.calls))
            for call in reply.calls:
                outcomes.append((yield from _call(desk, run.scope, rounds, call)))
            idle = idle + 1 if len(desk.cached_results) == made else 0
        else:
            asked += 1
        turn = build_next_request(run, turn, ToolRound(reply, tuple(outcomes)))


def _told_of(desk: RunContext, cut: Sequence[int], where: str) -> Generator[ev.Event, None, None]:
    if cut:
        told = ", ".join(f"[{marker}]" for marker in cut)
        yield _warned(
            desk, "cut", f"Cut to their citations so that {where} holds the rest: {told}."
        )


def _watch(desk: RunContext, tokens: int) -> Generator[ev.Event, None, bool]:
    """True when the context is full, so that the answer must come now; warned of when it is nearly so."""
    limit = desk.run.limits.max_context_tokens
    if tokens > CONTEXT_WARNING_SHARE * limit:
        told = "The answer must come now." if tokens >= limit else "It is nearly full."
        yield _warned(desk, "context", f"{tokens} of {limit} tokens of context are taken. {told}")
    return tokens >= limit


def _warned(desk: RunContext, code: str, message: str) -> ev.Event:
    return desk.record_event(ev.Warned(iteration=desk.run.iterations, code=code, message=message))


def _respond(desk: RunContext, turn: ReplyRequest) -> Generator[ev.Event, None, Reply]:
    replies = desk.model.stream_reply(turn)
    try:
        while True:
            try:
                delta = next(replies)
            except StopIteration as stop:
                reply: Reply = stop.value
                break
            yield desk.record_event(_grown(turn.iteration, delta))
    except ModelError as error:
        if isinstance(error.usage, Usage):
            yield desk.record_event(_model_called(turn, error.usage))
        raise
    finally:
        replies.close()
    yield desk.record_event(_model_called(turn, reply.usage))
    return reply


def _grown(iteration: int, delta: ReplyDelta) -> ev.Event:
    if delta.kind == "thought":
        return ev.ThoughtGrew(iteration=iteration, text=delta.text)
    return ev.DraftGrew(iteration=iteration, text=delta.text, anew=delta.anew)


def _model_called(turn: ReplyRequest, usage: Usage) -> ev.ModelCalled:
    found = [
        source for exchange in turn.exchanges for o in exchange.outcomes for source in o.sources
    ]
    sent = dict.fromkeys(source.clause_id for source in (*turn.standing, *turn.evidence, *found))
    tools = "withheld" if turn.final else "offered"
    return ev.ModelCalled(
        iteration=turn.iteration, purpose="answer", usage=usage, clauses=tuple(sent), tools=tools
    )


def _call(
    desk: RunContext, scope: Scope, number: int, call: ToolCall
) -> Generator[ev.Event, None, ToolOutcome]:
    """Run one tool call; a ToolError becomes an outcome that the model can act on."""
    started = time.perf_counter()
    key = json.dumps([call.tool, _plain(call.arguments), scope.ids], sort_keys=True, default=str)
    cached = desk.cached_results.get(key)
    try:
        result = cached or (yield from _tried(desk, call, scope))
    except ToolError as error:
        yield desk.record_event(
            _tool_called(desk, number, call, time.perf_counter() - started, error=error.message)
        )
        return ToolOutcome(call, error=error.message)
    if cached is None:
        query = str(call.arguments.get("query", ""))
        result = replace(
            result,
            struck=desk.toolbox.describe_not_in_force(
                query, scope, [hit.clause for hit in result.clauses]
            ),
        )
    desk.cached_results[key] = result
    note = " ".join(filter(None, (result.note, *result.struck))) or None
    found: dict[str, Any] = {
        "found": len(result.clauses),
        "note": note,
        "cached": cached is not None,
    }
    yield desk.record_event(
        _tool_called(desk, number, call, time.perf_counter() - started, **found)
    )
    labels = {d.document_id: d.label for d in desk.run.scope.documents}
    sources = desk.run.evidence.add_hits(result.clauses, labels)
    yield desk.record_event(_evidence_found(desk, call, sources, result))
    return ToolOutcome(call, sources, format_tables(result), result.pairs, struck=result.struck)


def _tried(desk: RunContext, call: ToolCall, scope: Scope) -> Generator[ev.Event, None, ToolResult]:
    """The result of a call; one that fails for a passing cause is made again, with back-off."""
    for attempt in range(1, desk.run.limits.tool_retries + 1):
        try:
            return desk.toolbox.call(call.tool, call.arguments, scope)
        except ToolError as error:
            if not error.passing:
                raise
            yield desk.record_event(
                ev.ToolRetried(
                    iteration=desk.run.iterations,
                    tool=call.tool,
                    attempt=attempt,
                    error=error.message,
                )
            )
            desk.sleep(RETRY_BACKOFF * 2 ** (attempt - 1))
    return desk.toolbox.call(call.tool, call.arguments, scope)


def _tool_called(
    desk: RunContext, number: int, call: ToolCall, seconds: float, **found: Any
) -> ev.ToolCalled:
    run, error = desk.run.run_id[:8], found.get("error")
    # What a model calls and is told may be words of a document, which only the lowest level may hold.
    log.info("run %s tool call: %s", run, "failed" if error else f"{found['found']} clauses")
    log.debug("run %s called %s: %s", run, call.tool, error or "as planned")
    return ev.ToolCalled(
        iteration=desk.run.iterations,
        round=number,
        tool=call.tool,
        arguments=_plain(call.arguments),
        seconds=seconds,
        **found,
    )


def _plain(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {str(name): value for name, value in arguments.items()}


def _evidence_found(
    desk: RunContext, call: ToolCall, sources: tuple[Source, ...], result: ToolResult
) -> ev.EvidenceFound:
    return ev.EvidenceFound(
        iteration=desk.run.iterations,
        tool=call.tool,
        sources=sources,
        pairs=result.pairs,
        rows=result.rows,
        coverage=result.coverage,
    )


def _close(desk: RunContext, draft: Draft) -> Generator[ev.Event, None, tuple[CitedReference, ...]]:
    """What the cited words of clauses refer to, and those that lead in to them; held articles that the draft did not
    see are read now, for what comes after."""
    run = desk.run
    naming: dict[str, set[str]] = {}
    for citation in draft.citations:
        if source := run.evidence.find_by_clause(citation.clause_id):
            naming.setdefault(citation.clause_id, set()).update(
                find_references(relevant_text(source, citation))
            )
    known = {source.clause_id for source in run.evidence.sources}
    named: list[CitedReference] = []
    news: dict[str, Hit] = {}
    for clause_id, article in {
        citation.clause_id: citation.article for citation in draft.citations
    }.items():
        for found in desk.toolbox.resolve_clause_references(clause_id, run.scope):
            if clause_id in naming and found.reference not in naming[clause_id]:
                continue
            unread = found.clause is not None and found.clause.clause_id not in known
            named.append(CitedReference(article, found.reference, _state(found, unread)))
            if found.clause is not None and unread and len(news) < MAX_REFERENCES_READ:
                news[found.clause.clause_id] = Hit(found.clause, 0.0, "reference")
    if news:
        labels = {d.document_id: d.label for d in run.scope.documents}
        sources = run.evidence.add_hits(news.values(), labels)
        yield desk.record_event(
            ev.EvidenceFound(iteration=draft.iteration, tool="references", sources=sources)
        )
    return tuple(named)


def _state(
    found: ResolvedReference, unread: bool
) -> Literal["read", "unread", "missing", "not_held"]:
    if found.state == "found":
        return "unread" if unread else "read"
    return found.state


def _cited(run: Run, draft: Draft) -> tuple[Source, ...]:
    """The sources a draft rests on, each once."""
    ids = dict.fromkeys(citation.clause_id for citation in draft.citations)
    return tuple(source for clause_id in ids if (source := run.evidence.find_by_clause(clause_id)))


def _held(run: Run, draft: Draft) -> tuple[ComplianceRow, ...]:
    """The question's values held against the limits that the draft quotes rightly."""
    standing = (citation for citation in draft.citations if quote_matches(citation, run.evidence))
    quoted = (
        (run.evidence.find_by_clause(citation.clause_id), citation.quote) for citation in standing
    )
    return check_compliance(
        run.question, [(source, quote) for source, quote in quoted if source is not None]
    )


def _assess(
    desk: RunContext, plan: Plan, draft: Draft
) -> Generator[ev.Event, None, Assessment | None]:
    run = desk.run
    references = yield from _close(desk, draft)
    rows = _held(run, draft)
    checks = verify(draft.text, draft.citations, run.evidence, run.question, rows)
    yield desk.record_event(
        ev.Verified(
            iteration=draft.iteration, checks=checks, references=references, requirements=rows
        )
    )
    if not run.limits.scoring:
        return None
    request = ScoreRequest(
        question=run.question,
        intent=run.intent,
        plan=plan,
        draft=draft.text,
        citations=draft.citations,
        evidence=add_recent_sources(
            _cited(run, draft), run.evidence.without_clauses(run.interpretation_ids)
        ),
        failures=failure_messages(checks),
        tools=desk.toolbox.specs,
        tried=tuple(dict.fromkeys((plan.tool, plan.query) for plan in run.plans)),
        requirements=rows,
    )
    request, cut = fit_score_request(run, request)
    yield from _told_of(desk, cut, "the scoring call")
    sent = tuple(source.clause_id for source in request.evidence)
    try:
        assessment, usage = desk.model.score(request)
    except ModelError as error:
        if isinstance(error.usage, Usage):
            yield desk.record_event(
                ev.ModelCalled(
                    iteration=draft.iteration, purpose="score", usage=error.usage, clauses=sent
                )
            )
        if error.fatal:
            raise
        message = f"The draft could not be scored: {error.message}"
        yield desk.record_event(
            ev.Warned(iteration=draft.iteration, code=error.code, message=message)
        )
        return None
    yield desk.record_event(
        ev.ModelCalled(iteration=draft.iteration, purpose="score", usage=usage, clauses=sent)
    )
    score = cap_score(assessment.score, checks)
    yield desk.record_event(
        ev.Scored(
            iteration=draft.iteration, score=score, mean=score.mean, by=desk.model.decision_model
        )
    )
    return assessment
