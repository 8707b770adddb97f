"""The loop: classify, plan, iterate, decide; and how a run ends. One iteration's inside is `iteration`'s business."""

import logging
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace

from core.agent import events as ev
from core.agent.iteration import Desk, iterate, view
from core.agent.llm import Assessment, Classification, ClassifyRequest, Model
from core.agent.run import Run, ScoredDraft, attempt
from core.agent.tools import Toolbox
from core.agent.types import Exchange, Limits, Outcome, Plan
from core.errors import ModelError, ScrutineerError
from core.library.scope import with_question
from core.library.store import Library
from core.library.types import Scope, ScopeChoice

log = logging.getLogger("scrutineer.agent")

QUESTION_LIMIT = 10_000
"""Characters of a question."""


@dataclass(frozen=True, slots=True)
class Request:
    """A question with what the person set beside it."""

    question: str
    choice: ScopeChoice = field(default_factory=ScopeChoice)
    limits: Limits = field(default_factory=Limits)
    history: tuple[Exchange, ...] = ()


class Agent:
    """Answers questions from a library with a model."""

    def __init__(self, library: Library, model: Model, results: int = 8) -> None:
        self._library = library
        self._model = model
        self._toolbox = Toolbox(library, results)

    def ask(self, request: Request) -> Iterator[ev.Event]:
        """Work on a question; yields events as they happen, `Ended` last.

        Raises ScrutineerError at once for a question that is empty or longer than QUESTION_LIMIT.
        """
        question = request.question.strip()
        if not any(character.isalnum() for character in question):
            raise ScrutineerError("The question is empty. Type what you want to know.", code="empty_question")
        if len(question) > QUESTION_LIMIT:
            raise ScrutineerError(
                f"The question has {len(question)} characters, more than {QUESTION_LIMIT}. Shorten it.",
                code="long_question",
            )
        scope = with_question(self._library.documents(), request.choice, question)
        return self._begin(Run(question, scope, request.limits, request.history))

    def resume(self, events: Sequence[ev.Event], request: Request) -> Iterator[ev.Event]:
        """Go on with a run that was cut off or has reached its limit, with `request.limits` for the further part.

        What the run has found, drafted and tried is kept; the question is the run's own, `request.question` is not
        read. Raises ScrutineerError when none of the run's documents is in the library any more.
        """
        asked = next(event for event in events if isinstance(event, ev.Asked))
        held = {document.document_id: document for document in self._library.documents()}
        documents = tuple(held[key] for key in asked.scope.documents if key in held)
        if not documents:
            raise ScrutineerError(
                "None of the documents of this run is in the library any more. Add them again, or ask anew.",
                code="nothing_in_scope",
            )
        run = Run.restored(events, Scope(documents, asked.scope.why), request.history)
        done = run.iterations
        run.limits = replace(request.limits, max_iterations=done + request.limits.max_iterations)
        return self._begin(run, resumed=True)

    def _begin(self, run: Run, resumed: bool = False) -> Iterator[ev.Event]:
        desk = Desk(run, self._model, self._toolbox)
        asked = desk.note(
            ev.Asked(
                question=run.question,
                scope=view(run.scope),
                limits=run.limits,
                answer_model=self._model.answer_model,
                decision_model=self._model.decision_model,
                offline=self._model.offline,
                resumed=resumed,
            )
        )
        started = desk.now()
        yield asked
        try:
            ended = yield from (_go_on(desk) if run.plans else _start(desk))
        except ModelError as error:
            ended = _ended(desk, "failed", message=error.message)
        yield desk.note(ended.model_copy(update={"seconds": (desk.now() - started).total_seconds()}))
        log.info("run %s ended: %s", run.run_id[:8], ended.outcome)


Ending = Generator[ev.Event, None, ev.Ended]


def _start(desk: Desk) -> Ending:
    """Classify; answer, decline or ask back at once where that will do; else go into the iterations."""
    run = desk.run
    found = yield from _classify(desk)
    replied: dict[str, Outcome] = {
        "answer": "answered",
        "decline": "declined",
        "clarify": "clarification_needed",
    }
    if outcome := replied.get(found.kind):
        return _ended(desk, outcome, answer=found.reply)
    if not run.scope.documents:
        return _ended(desk, "not_found", answer=f"I did not look: {run.scope.why}.")
    documents = tuple(key for key in found.documents if key in run.scope.ids) or run.scope.ids
    return (yield from _iterations(desk, Plan(1, found.tool, found.query, documents, None, found.reason)))


def _go_on(desk: Desk) -> Ending:
    """The way back in for a resumed run: on with another plan, as if its last draft had not sufficed."""
    plan = yield from _next_plan(desk, None)
    if plan is None:
        return _limit_reached(desk, "Every tool has been tried with this question.")
    return (yield from _iterations(desk, plan))


def _classify(desk: Desk) -> Generator[ev.Event, None, Classification]:
    run = desk.run
    documents = tuple((document.document_id, document.label) for document in run.scope.documents)
    request = ClassifyRequest(run.question, run.history, desk.toolbox.specs, documents)
    try:
        found, usage = desk.model.classify(request)
    except ModelError as error:
        if error.fatal:
            raise
        yield desk.note(ev.Warned(iteration=0, code=error.code, message=f"Not classified: {error.message}"))
        found = _unclassified(desk)
    else:
        yield desk.note(ev.ModelCalled(iteration=0, purpose="classify", usage=usage))
    yield desk.note(
        ev.Classified(
            intent=found.intent,
            reason=found.reason,
            question=found.question or run.question,
            reply=found.reply if found.kind != "tool" else None,
            clarify=found.kind == "clarify",
        )
    )
    return found


def _unclassified(desk: Desk) -> Classification:
    question, tool = desk.run.question, desk.toolbox.specs[0].name
    return Classification("SEARCH", "tool", question, tool, question, "No classification: a plain search.")


def _iterations(desk: Desk, plan: Plan | None) -> Ending:
    run = desk.run
    reason = "Nothing is left to try."
    while plan is not None:
        number = run.iterations + 1
        try:
            assessment = yield from iterate(desk, plan)
        except ModelError as error:
            if error.fatal:
                raise
            yield desk.note(ev.Warned(iteration=number, code=error.code, message=error.message))
            assessment, reason = None, error.message
        else:
            latest = run.drafts[-1]
            if latest.score and latest.mean >= run.limits.quality_threshold:
                why = f"{latest.mean:.1f} of 10 reaches the threshold of {run.limits.quality_threshold:g}."
                yield desk.note(ev.Decided(iteration=number, decision="accept", reason=why))
                return _accepted(desk, latest)
            reason = _short_of(latest, run.limits)
        if number >= run.limits.max_iterations:
            yield desk.note(ev.Decided(iteration=number, decision="limit", reason=reason))
            break
        plan = yield from _next_plan(desk, assessment, reason)
    return _limit_reached(desk, reason)


def _short_of(latest: ScoredDraft, limits: Limits) -> str:
    if latest.score is None:
        return "The draft has no score, and without one it cannot pass."
    missing = f" Missing: {latest.score.missing}" if latest.score.missing else ""
    return f"{latest.mean:.1f} of 10 is below the threshold of {limits.quality_threshold:g}.{missing}"


def _next_plan(
    desk: Desk, assessment: Assessment | None, reason: str = "The run goes on."
) -> Generator[ev.Event, None, Plan | None]:
    """The next plan version: the one the assessment asks for, unless it was tried; then the next that was not."""
    run = desk.run
    plan = _asked_for(run, assessment)
    if plan is not None and attempt(plan) in run.tried:
        message = f"Already tried: {plan.tool} “{plan.query}”. Another way is chosen."
        yield desk.note(ev.Warned(iteration=run.iterations, code="already_tried", message=message))
        plan = None
    plan = plan or _untried(desk)
    if run.iterations:
        yield desk.note(_decided(run.iterations, plan, reason))
    return plan


def _decided(iteration: int, plan: Plan | None, reason: str) -> ev.Decided:
    if plan is None:
        return ev.Decided(iteration=iteration, decision="limit", reason=f"{reason} Nothing is left to try.")
    decision = "REFINE_QUERY" if plan.strategy == "REFINE_QUERY" else "SWITCH_TOOL"
    return ev.Decided(iteration=iteration, decision=decision, reason=f"{reason} {plan.reason}".strip())


def _asked_for(run: Run, assessment: Assessment | None) -> Plan | None:
    if assessment is None or assessment.strategy not in ("REFINE_QUERY", "SWITCH_TOOL"):
        return None
    last = run.plans[-1]
    tool = assessment.tool or last.tool
    query = assessment.query.strip() or last.query
    return Plan(last.version + 1, tool, query, last.documents, assessment.strategy, assessment.reason)


def _untried(desk: Desk) -> Plan | None:
    """The first tool that has not been tried with the question as it stands."""
    run = desk.run
    documents, version = run.plans[-1].documents, run.plans[-1].version + 1
    plans = (
        Plan(version, spec.name, run.question, documents, "SWITCH_TOOL", f"{spec.name} has not been tried.")
        for spec in desk.toolbox.specs
    )
    return next((plan for plan in plans if attempt(plan) not in run.tried), None)


def _accepted(desk: Desk, accepted: ScoredDraft) -> ev.Ended:
    """A draft that cites nothing says that nothing was found, however well it says so."""
    return _ended(desk, "answered" if accepted.draft.citations else "not_found", accepted)


def _limit_reached(desk: Desk, reason: str) -> ev.Ended:
    run = desk.run
    best = run.best
    if best is None and not run.evidence.sources:
        return _ended(desk, "not_found", answer=_where_i_looked(run), message=reason)
    if best is None:
        return _ended(desk, "failed", message=reason)
    if not best.draft.citations:
        return _ended(desk, "not_found", best, message=reason)
    return _ended(desk, "limit_reached", best, message=reason)


def _where_i_looked(run: Run) -> str:
    looked = "; ".join(f"{plan.tool} “{plan.query}”" for plan in run.plans)
    return f"I did not find it. I looked in {run.scope.label}: {looked}."


def _ended(
    desk: Desk, outcome: Outcome, best: ScoredDraft | None = None, answer: str = "", message: str = ""
) -> ev.Ended:
    run = desk.run
    best = best or run.best
    return ev.Ended(
        outcome=outcome,
        answer=answer or (best.draft.text if best else ""),
        citations=best.draft.citations if best and not answer else (),
        message=message,
        score=best.mean if best and best.score else None,
        best_iteration=best.draft.iteration if best else None,
        iterations=run.iterations,
        tool_rounds=run.tool_rounds,
        tool_calls=run.tool_calls,
        model_calls=run.model_calls,
        cost=run.cost,
    )
