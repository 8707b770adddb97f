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
from core.agent.budget import spent
from core.agent.context_window import (
    NEARLY_FULL,
    first_turn,
    fitted,
    fitted_score,
    next_turn,
    shown,
)
from core.agent.evidence import bearing
from core.agent.markdown import tables
from core.agent.models.base import Assessment, Delta, Model, Reply, ScoreRequest, ToolExchange, Turn
from core.agent.run import Run
from core.agent.tools.interpretation import TOOL as INTERPRETATION
from core.agent.tools.toolbox import Toolbox
from core.agent.types import (
    Draft,
    Plan,
    Referred,
    Requirement,
    Source,
    ToolCall,
    ToolOutcome,
    ToolResult,
    Usage,
)
from core.agent.verification.compliance import requirements
from core.agent.verification.draft_checks import capped, failures, stands, verify
from core.errors import ModelError, ToolError
from core.library.retrieval.references import Resolved
from core.library.types import Hit, Scope
from core.rulebook.structure.references import references_in

log = logging.getLogger("scrutineer.agent")

GOES_ON = 2
"""Times a reply without tool calls and without the marker is asked to go on, in one iteration."""
REFERENCES_READ = 8
"""Articles that a draft's clauses refer to and that are read after it, at the most."""
IDLE_ROUNDS = 2
"""Rounds in a row that brought nothing new (the same calls, or failing ones) before the answer must come."""
BACK_OFF = 0.2
"""Seconds before a failed tool is tried again; doubled with each further try."""
NO_TEXT = "The model gave no answer in words. The clauses that were found stand in the evidence."


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass
class Desk:
    """What the work on one run needs at hand. `note` is the only way an event comes to be.

    `now` dates events; `clock` measures time in seconds, as the date may be put right in the middle of a run.
    """

    run: Run
    model: Model
    toolbox: Toolbox
    now: Callable[[], datetime] = _now
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    results: dict[str, ToolResult] = field(default_factory=dict)
    """Results of this run's calls, so that the same call is made once."""
    stood: bool = False
    """The clauses of interpretation have been looked for."""

    def __post_init__(self) -> None:
        self._started = self.clock()

    @property
    def seconds(self) -> float:
        """Time since the work began."""
        return self.clock() - self._started

    def note(self, event: ev.Event) -> ev.Event:
        """Number and date an event and let the run take it in."""
        stamp = {"run_id": self.run.run_id, "seq": self.run.seq + 1, "at": self.now().isoformat()}
        event = event.model_copy(update=stamp)
        self.run.apply(event)
        return event


def iterate(desk: Desk, plan: Plan) -> Generator[ev.Event, None, Assessment | None]:
    """Carry a plan out. Returns the assessment of its draft, None where nobody could or should score it.

    Raises ModelError where no draft could be had.
    """
    number = desk.run.iterations + 1
    log.info("run %s iteration %d: %s", desk.run.run_id[:8], number, plan.tool)
    log.debug("run %s looks for “%s”", desk.run.run_id[:8], plan.query)
    yield desk.note(
        ev.PlanMade(
            iteration=number,
            version=plan.version,
            step=plan.step,
            further=plan.further,
            intent=plan.intent,
            tool=plan.tool,
            query=plan.query,
            scope=view(narrowed(desk.run.scope, plan)),
            strategy=plan.strategy,
            reason=plan.reason,
        )
    )
    planned = ToolCall("plan", plan.tool, {"query": plan.query})
    outcome = yield from _call(desk, narrowed(desk.run.scope, plan), 0, planned)
    yield from _stand(desk, outcome.sources)
    reply = yield from _reflect(desk, _first_turn(desk, plan, outcome))
    draft = Draft(number, reply.draft.strip() or NO_TEXT, reply.thinking, reply.citations)
    yield desk.note(
        ev.Drafted(
            iteration=number, text=draft.text, thinking=draft.thinking, citations=draft.citations
        )
    )
    return (yield from _assess(desk, plan, draft))


def view(scope: Scope) -> ev.ScopeView:
    """A scope as events show it."""
    return ev.ScopeView(documents={d.document_id: d.label for d in scope.documents}, why=scope.why)


def narrowed(scope: Scope, plan: Plan) -> Scope:
    """The part of the run's scope that a plan looks at: a plan narrows, it never widens."""
    documents = tuple(d for d in scope.documents if d.document_id in plan.documents)
    return Scope(documents, scope.why) if documents else scope


def _stand(desk: Desk, found: Sequence[Source]) -> Generator[ev.Event, None, None]:
    """Once a run: how the documents that the first evidence is of say they are to be read."""
    run = desk.run
    if desk.stood or run.standing or not found:
        return
    desk.stood = True
    ids = list(dict.fromkeys(source.document_id for source in found))
    documents = sorted(
        (d for d in run.scope.documents if d.document_id in ids),
        key=lambda d: ids.index(d.document_id),
    )
    known = {source.clause_id for source in run.evidence.sources}
    hits = [
        hit for hit in desk.toolbox.interpretation(documents) if hit.clause.clause_id not in known
    ]
    if hits:
        sources = run.evidence.add(hits, {d.document_id: d.label for d in run.scope.documents})
        yield desk.note(
            ev.EvidenceFound(iteration=run.iterations, tool=INTERPRETATION, sources=sources)
        )


def _first_turn(desk: Desk, plan: Plan, planned: ToolOutcome) -> Turn:
    run = desk.run
    turn = Turn(
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
        standing=run.evidence.among(run.standing),
    )
    return first_turn(run, planned, turn)


def _reflect(desk: Desk, turn: Turn) -> Generator[ev.Event, None, Reply]:
    """Replies and tool rounds until the model answers; when they are spent, one reply with tools withheld."""
    run = desk.run
    allowed = run.limits.tool_rounds(run.intent)
    turn, cut = fitted(run, turn, desk.model.measure)
    yield from _told_of(desk, cut, "the context")
    rounds = asked = idle = 0
    while True:
        full = yield from _watch(desk, desk.model.measure(turn))
        spoken = (
            asked >= GOES_ON or idle >= IDLE_ROUNDS or (allowed is not None and rounds >= allowed)
        )
        final = full or spoken or spent(run, desk.seconds) is not None
        turn = replace(turn, final=final)
        reply = yield from _respond(desk, turn)
        if final or (reply.complete and not reply.calls):
            return reply
        outcomes: list[ToolOutcome] = []
        made = len(desk.results)
        if reply.calls:
            rounds += 1
            log.info("run %s tool round %d: %d calls", run.run_id[:8], rounds, len(reply.calls))
            for call in reply.calls:
                outcomes.append((yield from _call(desk, run.scope, rounds, call)))
            idle = idle + 1 if len(desk.results) == made else 0
        else:
            asked += 1
        turn = next_turn(run, turn, ToolExchange(reply, tuple(outcomes)))


def _told_of(desk: Desk, cut: Sequence[int], where: str) -> Generator[ev.Event, None, None]:
    if cut:
        told = ", ".join(f"[{marker}]" for marker in cut)
        yield _warned(
            desk, "cut", f"Cut to their citations so that {where} holds the rest: {told}."
        )


def _watch(desk: Desk, tokens: int) -> Generator[ev.Event, None, bool]:
    """True when the context is full, so that the answer must come now; warned of when it is nearly so."""
    limit = desk.run.limits.max_context_tokens
    if tokens > NEARLY_FULL * limit:
        told = "The answer must come now." if tokens >= limit else "It is nearly full."
        yield _warned(desk, "context", f"{tokens} of {limit} tokens of context are taken. {told}")
    return tokens >= limit


def _warned(desk: Desk, code: str, message: str) -> ev.Event:
    return desk.note(ev.Warned(iteration=desk.run.iterations, code=code, message=message))


def _respond(desk: Desk, turn: Turn) -> Generator[ev.Event, None, Reply]:
    replies = desk.model.respond(turn)
    try:
        while True:
            try:
                delta = next(replies)
            except StopIteration as stop:
                reply: Reply = stop.value
                break
            yield desk.note(_grown(turn.iteration, delta))
    except ModelError as error:
        if isinstance(error.usage, Usage):
            yield desk.note(_model_called(turn, error.usage))
        raise
    finally:
        replies.close()
    yield desk.note(_model_called(turn, reply.usage))
    return reply


def _grown(iteration: int, delta: Delta) -> ev.Event:
    if delta.kind == "thought":
        return ev.ThoughtGrew(iteration=iteration, text=delta.text)
    return ev.DraftGrew(iteration=iteration, text=delta.text, anew=delta.anew)


def _model_called(turn: Turn, usage: Usage) -> ev.ModelCalled:
    found = [
        source for exchange in turn.exchanges for o in exchange.outcomes for source in o.sources
    ]
    sent = dict.fromkeys(source.clause_id for source in (*turn.standing, *turn.evidence, *found))
    tools = "withheld" if turn.final else "offered"
    return ev.ModelCalled(
        iteration=turn.iteration, purpose="answer", usage=usage, clauses=tuple(sent), tools=tools
    )


def _call(
    desk: Desk, scope: Scope, number: int, call: ToolCall
) -> Generator[ev.Event, None, ToolOutcome]:
    """Run one tool call; a ToolError becomes an outcome that the model can act on."""
    started = time.perf_counter()
    key = json.dumps([call.tool, _plain(call.arguments), scope.ids], sort_keys=True, default=str)
    cached = desk.results.get(key)
    try:
        result = cached or (yield from _tried(desk, call, scope))
    except ToolError as error:
        yield desk.note(
            _tool_called(desk, number, call, time.perf_counter() - started, error=error.message)
        )
        return ToolOutcome(call, error=error.message)
    if cached is None:
        query = str(call.arguments.get("query", ""))
        result = replace(
            result, struck=desk.toolbox.struck(query, scope, [hit.clause for hit in result.clauses])
        )
    desk.results[key] = result
    note = " ".join(filter(None, (result.note, *result.struck))) or None
    found: dict[str, Any] = {
        "found": len(result.clauses),
        "note": note,
        "cached": cached is not None,
    }
    yield desk.note(_tool_called(desk, number, call, time.perf_counter() - started, **found))
    labels = {d.document_id: d.label for d in desk.run.scope.documents}
    sources = desk.run.evidence.add(result.clauses, labels)
    yield desk.note(_evidence_found(desk, call, sources, result))
    return ToolOutcome(call, sources, tables(result), result.pairs, struck=result.struck)


def _tried(desk: Desk, call: ToolCall, scope: Scope) -> Generator[ev.Event, None, ToolResult]:
    """The result of a call; one that fails for a passing cause is made again, with back-off."""
    for attempt in range(1, desk.run.limits.tool_retries + 1):
        try:
            return desk.toolbox.call(call.tool, call.arguments, scope)
        except ToolError as error:
            if not error.passing:
                raise
            yield desk.note(
                ev.ToolRetried(
                    iteration=desk.run.iterations,
                    tool=call.tool,
                    attempt=attempt,
                    error=error.message,
                )
            )
            desk.sleep(BACK_OFF * 2 ** (attempt - 1))
    return desk.toolbox.call(call.tool, call.arguments, scope)


def _tool_called(
    desk: Desk, number: int, call: ToolCall, seconds: float, **found: Any
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
    desk: Desk, call: ToolCall, sources: tuple[Source, ...], result: ToolResult
) -> ev.EvidenceFound:
    return ev.EvidenceFound(
        iteration=desk.run.iterations,
        tool=call.tool,
        sources=sources,
        pairs=result.pairs,
        rows=result.rows,
        coverage=result.coverage,
    )


def _close(desk: Desk, draft: Draft) -> Generator[ev.Event, None, tuple[Referred, ...]]:
    """What the cited words of clauses refer to, and those that lead in to them; held articles that the draft did not
    see are read now, for what comes after."""
    run = desk.run
    naming: dict[str, set[str]] = {}
    for citation in draft.citations:
        if source := run.evidence.of(citation.clause_id):
            naming.setdefault(citation.clause_id, set()).update(
                references_in(bearing(source, citation))
            )
    known = {source.clause_id for source in run.evidence.sources}
    named: list[Referred] = []
    news: dict[str, Hit] = {}
    for clause_id, article in {
        citation.clause_id: citation.article for citation in draft.citations
    }.items():
        for found in desk.toolbox.references(clause_id, run.scope):
            if clause_id in naming and found.reference not in naming[clause_id]:
                continue
            unread = found.clause is not None and found.clause.clause_id not in known
            named.append(Referred(article, found.reference, _state(found, unread)))
            if found.clause is not None and unread and len(news) < REFERENCES_READ:
                news[found.clause.clause_id] = Hit(found.clause, 0.0, "reference")
    if news:
        labels = {d.document_id: d.label for d in run.scope.documents}
        sources = run.evidence.add(news.values(), labels)
        yield desk.note(
            ev.EvidenceFound(iteration=draft.iteration, tool="references", sources=sources)
        )
    return tuple(named)


def _state(found: Resolved, unread: bool) -> Literal["read", "unread", "missing", "not_held"]:
    if found.state == "found":
        return "unread" if unread else "read"
    return found.state


def _cited(run: Run, draft: Draft) -> tuple[Source, ...]:
    """The sources a draft rests on, each once."""
    ids = dict.fromkeys(citation.clause_id for citation in draft.citations)
    return tuple(source for clause_id in ids if (source := run.evidence.of(clause_id)))


def _held(run: Run, draft: Draft) -> tuple[Requirement, ...]:
    """The question's values held against the limits that the draft quotes rightly."""
    standing = (citation for citation in draft.citations if stands(citation, run.evidence))
    quoted = ((run.evidence.of(citation.clause_id), citation.quote) for citation in standing)
    return requirements(
        run.question, [(source, quote) for source, quote in quoted if source is not None]
    )


def _assess(desk: Desk, plan: Plan, draft: Draft) -> Generator[ev.Event, None, Assessment | None]:
    run = desk.run
    references = yield from _close(desk, draft)
    rows = _held(run, draft)
    checks = verify(draft.text, draft.citations, run.evidence, run.question, rows)
    yield desk.note(
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
        evidence=shown(_cited(run, draft), run.evidence.without(run.standing)),
        failures=failures(checks),
        tools=desk.toolbox.specs,
        tried=tuple(dict.fromkeys((plan.tool, plan.query) for plan in run.plans)),
        requirements=rows,
    )
    request, cut = fitted_score(run, request)
    yield from _told_of(desk, cut, "the scoring call")
    sent = tuple(source.clause_id for source in request.evidence)
    try:
        assessment, usage = desk.model.score(request)
    except ModelError as error:
        if isinstance(error.usage, Usage):
            yield desk.note(
                ev.ModelCalled(
                    iteration=draft.iteration, purpose="score", usage=error.usage, clauses=sent
                )
            )
        if error.fatal:
            raise
        message = f"The draft could not be scored: {error.message}"
        yield desk.note(ev.Warned(iteration=draft.iteration, code=error.code, message=message))
        return None
    yield desk.note(
        ev.ModelCalled(iteration=draft.iteration, purpose="score", usage=usage, clauses=sent)
    )
    score = capped(assessment.score, checks)
    yield desk.note(
        ev.Scored(
            iteration=draft.iteration, score=score, mean=score.mean, by=desk.model.decision_model
        )
    )
    return assessment
