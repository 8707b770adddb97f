"""The loop: classify, plan, iterate, decide. An iteration's inside, the next plan and the endings stand beside it."""

import logging
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from core.agent import events as ev
from core.agent.budget import find_exceeded_limit
from core.agent.endings import accept_draft, conclude_run, end_at_limit, end_run
from core.agent.iteration import RunContext, run_iteration, to_scope_view
from core.agent.models.base import Assessment, Classification, ClassifyRequest, Model
from core.agent.plans import make_first_plan, plan_from_decision, plan_next_step, refine_plan
from core.agent.run import Run, ScoredDraft
from core.agent.tools.toolbox import Toolbox
from core.agent.types import Decision, Outcome, Plan, RunLimits, Turn, Usage
from core.agent.verification.draft_checks import failure_messages, has_grounding, normalize_text
from core.errors import ModelError, ScrutineerError
from core.library import (
    Document,
    Library,
    Scope,
    ScopeChoice,
    parse_query_filters,
    resolve_question_scope,
    resolve_scope,
    restrict_to_series,
)

log = logging.getLogger("scrutineer.agent")

MAX_QUESTION_LENGTH = 10_000
"""Characters of a question."""
RESUMABLE_OUTCOMES = (
    None,
    "cancelled",
    "limit_reached",
    "clarification_needed",
    "not_found",
    "failed",
)
"""Outcomes a run can be gone on from; None: it was cut off."""
MAX_MODEL_FAILURES = 2
"""Iterations in a row without a reply of the model, after which it is taken to be down."""
MAX_CLARIFICATIONS = 3
"""Questions back to the person, in one run."""
MAX_SUGGESTIONS = 3
"""Questions offered after an answer, at the most."""

RunEvents = Generator[ev.Event, None, ev.Ended]


@dataclass(frozen=True, slots=True)
class Request:
    """A question with what the person set beside it."""

    question: str
    choice: ScopeChoice = field(default_factory=ScopeChoice)
    limits: RunLimits = field(default_factory=RunLimits)
    history: tuple[Turn, ...] = ()


class Agent:
    """Answers questions from a library with a model. `results` is how many clauses a search brings."""

    def __init__(self, library: Library, model: Model, results: int = 8) -> None:
        self._library = library
        self._model = model
        self._toolbox = Toolbox(library, results)

    def ask(self, request: Request) -> Iterator[ev.Event]:
        """Work on a question; yields events as they happen, `Ended` last.

        Raises ScrutineerError at once for a question that is empty or longer than QUESTION_LIMIT.
        """
        question = _checked(request.question)
        documents = self._library.documents()
        scope = resolve_question_scope(documents, request.choice, question)
        desk = self._desk(Run(question, scope, request.limits, request.history))
        rescope = partial(_rescoped, documents, request)
        return _told(desk, self._asked(desk), _start(desk, rescope))

    def resume(
        self, events: Sequence[ev.Event], request: Request, decision: Decision | None = None
    ) -> Iterator[ev.Event]:
        """Go on with a run that waits or was cut off, as a person decides; `request.limits` are for what follows.

        What the run has found, drafted and tried is kept, and its iterations count on; the question is the run's own
        (`request.question` is not read; `request.history` is what was said before it). Raises ScrutineerError where the
        run does not wait, or none of its documents is in the library any more.
        """
        decision = decision or Decision()
        run = Run.from_events(events, self._scope(events, decision), request.history)
        if run.outcome not in RESUMABLE_OUTCOMES:
            raise ScrutineerError(
                "This run has ended with its answer. Ask anew.", code="not_waiting"
            )
        if decision.tool is not None and decision.tool not in {
            spec.name for spec in self._toolbox.specs
        }:
            raise ScrutineerError(f"There is no tool called {decision.tool}.", code="unknown_tool")
        run.limits = _granted(run, request.limits)
        desk = self._desk(run)
        return _told(desk, self._asked(desk, decision), _go_on(desk, decision))

    def _desk(self, run: Run) -> RunContext:
        return RunContext(run, self._model, self._toolbox)

    def _scope(self, events: Sequence[ev.Event], decision: Decision) -> Scope:
        """The scope of what follows: the person's new choice, what their guidance names, or that of before."""
        held = self._library.documents()
        if decision.scope is not None:
            scope = resolve_scope(held, decision.scope)
        elif parse_query_filters(decision.guidance, held).choices:
            scope = resolve_question_scope(held, ScopeChoice(), decision.guidance)
        else:
            last = latest_scope(events)
            documents = tuple(
                document for document in held if document.document_id in last.documents
            )
            scope = Scope(
                documents,
                last.why if documents else "the documents of this run are no longer in the library",
            )
        if not scope.documents and decision.kind == "go_on":
            raise ScrutineerError(
                f"There is nothing to look at: {scope.why}.", code="nothing_in_scope"
            )
        return scope

    def _asked(self, desk: RunContext, decision: Decision | None = None) -> ev.Asked:
        return ev.Asked(
            question=desk.run.question,
            scope=to_scope_view(desk.run.scope),
            limits=desk.run.limits,
            answer_model=self._model.answer_model,
            decision_model=self._model.decision_model,
            offline=self._model.offline,
            resumed=decision is not None,
            decision=decision.kind if decision else None,
            guidance=decision.guidance if decision else "",
        )


def latest_scope(events: Iterable[ev.Event]) -> ev.ScopeView:
    """The scope a run has come to: the last that its events tell. Raises ValueError where they tell none."""
    told = [
        e.scope for e in events if isinstance(e, ev.Asked | ev.Classified) and e.scope is not None
    ]
    if not told:
        raise ValueError("a run begins with Asked")
    return told[-1]


def _granted(run: Run, limits: RunLimits) -> RunLimits:
    """The limits of a further part, which come on top of what the run has used."""
    budget = None if limits.budget is None else limits.budget + (run.cost or 0.0)
    return replace(limits, max_iterations=run.iterations + limits.max_iterations, budget=budget)


def _checked(question: str) -> str:
    question = question.strip()
    if not any(character.isalnum() for character in question):
        raise ScrutineerError(
            "The question is empty. Type what you want to know.", code="empty_question"
        )
    if len(question) > MAX_QUESTION_LENGTH:
        raise ScrutineerError(
            f"The question has {len(question)} characters, more than {MAX_QUESTION_LENGTH}. Shorten it.",
            code="long_question",
        )
    return question


def _told(desk: RunContext, asked: ev.Asked, work: RunEvents) -> Iterator[ev.Event]:
    """The events of a piece of work between `Asked` and `Ended`, whatever becomes of it."""
    yield desk.record_event(asked)
    try:
        end = yield from work
    except ModelError as error:
        end = end_run(desk, "failed", message=error.message)
    yield desk.record_event(end)
    log.info("run %s ended: %s", desk.run.run_id[:8], end.outcome)


def _rescoped(
    documents: Sequence[Document], request: Request, scope: Scope, question: str
) -> Scope:
    """The scope of a follow-up: what the person named in an earlier question holds on, what a model adds does not.

    Where they named no rulebook, it is of the series that the answer before was from.
    """
    own = [request.question, *(past.question for past in request.history)]
    said = {choice for words in own for choice in parse_query_filters(words, documents).choices}
    named = parse_query_filters(question, documents).choices
    named = named if set(named) <= said else ()
    if named:
        scope = resolve_question_scope(documents, request.choice, question)
    chosen = (request.choice, *named, *parse_query_filters(request.question, documents).choices)
    if _same(question, request.question) or any(
        choice.family or choice.document for choice in chosen
    ):
        return scope
    answer = next((past.citations for past in reversed(request.history) if past.citations), ())
    return restrict_to_series(scope, documents, {citation.document_id for citation in answer})


def _same(one: str, other: str) -> bool:
    """True of a question that was only written otherwise: a model is asked to give it unchanged, and rarely does."""
    first, second = (question.casefold().rstrip(" ?.\n").split() for question in (one, other))
    return first == second


def _start(desk: RunContext, rescope: Callable[[Scope, str], Scope]) -> RunEvents:
    """Classify; answer, decline or ask back at once where that will do; else go into the iterations."""
    found = yield from _classify(desk, rescope)
    replied: dict[str, Outcome] = {
        "answer": "answered",
        "decline": "declined",
        "clarify": "clarification_needed",
    }
    if found.kind == "answer" and not _said_before(desk.run, found):
        message = "An answer without a tool held words or numbers that nobody had quoted; the rulebook is searched."
        yield desk.record_event(ev.Warned(iteration=0, code="unsupported", message=message))
    elif outcome := replied.get(found.kind):
        return _replied(desk, outcome, found.reply)
    if not desk.run.scope.documents:
        return end_run(desk, "not_found", answer=f"I did not look: {desk.run.scope.why}.")
    return (yield from _iterations(desk, make_first_plan(desk.run, found)))


def _said_before(run: Run, found: Classification) -> bool:
    """Without a tool only what the conversation already holds may be said of a rule."""
    about_rules = found.intent != "GENERAL"
    said = [run.question, *(past.answer for past in run.history)]
    return has_grounding(found.reply, said) and (bool(run.history) or not about_rules)


def _replied(desk: RunContext, outcome: Outcome, reply: str) -> ev.Ended:
    """The end without a tool; what it repeats of an earlier answer keeps its citations."""
    told = normalize_text(reply)
    earlier = (citation for past in desk.run.history for citation in past.citations)
    citations = tuple(
        dict.fromkeys(citation for citation in earlier if normalize_text(citation.quote) in told)
    )
    return end_run(desk, outcome, answer=reply).model_copy(update={"citations": citations})


def _go_on(desk: RunContext, decision: Decision) -> RunEvents:
    """The way back in for a resumed run."""
    match decision.kind:
        case "conclude":
            return conclude_run(desk, "person", "A person concluded with the best draft.")
        case "stop":
            return end_run(desk, "cancelled", message="A person stopped the run.")
    if not desk.run.plans:
        return (yield from _start(desk, lambda scope, _: scope))
    plan = plan_from_decision(desk, decision)
    if plan is None:
        return end_at_limit(desk, "Every tool has been tried with this question.")
    return (yield from _iterations(desk, plan))


def _classify(
    desk: RunContext, rescope: Callable[[Scope, str], Scope]
) -> Generator[ev.Event, None, Classification]:
    run = desk.run
    documents = tuple((document.document_id, document.label) for document in run.scope.documents)
    asked = "\n".join((run.question, *run.guidance))
    try:
        request = ClassifyRequest(asked, run.history, desk.toolbox.specs, documents)
        found, usage = desk.model.classify(request)
    except ModelError as error:
        if isinstance(error.usage, Usage):
            yield desk.record_event(
                ev.ModelCalled(iteration=0, purpose="classify", usage=error.usage)
            )
        if error.fatal:
            raise
        yield desk.record_event(
            ev.Warned(iteration=0, code=error.code, message=f"Not classified: {error.message}")
        )
        found = _unclassified(desk)
    else:
        yield desk.record_event(ev.ModelCalled(iteration=0, purpose="classify", usage=usage))
    if found.kind == "clarify" and run.clarifications >= MAX_CLARIFICATIONS:
        found = _unclassified(desk)
    question = found.question or run.question
    run.scope = rescope(run.scope, question)
    yield desk.record_event(
        ev.Classified(
            intent=found.intent,
            reason=found.reason,
            question=question,
            scope=to_scope_view(run.scope),
            reply=found.reply if found.kind != "tool" else None,
            clarify=found.kind == "clarify",
        )
    )
    return found


def _unclassified(desk: RunContext) -> Classification:
    question, tool = desk.run.question, desk.toolbox.specs[0].name
    return Classification(
        "SEARCH", "tool", question, tool, question, "No classification: a plain search."
    )


def _iterations(desk: RunContext, plan: Plan | None) -> RunEvents:
    run, reason, failed = desk.run, "", 0
    while plan is not None:
        assessment = None
        try:
            assessment = yield from run_iteration(desk, plan)
        except ModelError as error:
            if error.fatal:
                raise
            reason, failed = error.message, failed + 1
            yield desk.record_event(
                ev.Warned(iteration=run.iterations, code=error.code, message=reason)
            )
            if failed == MAX_MODEL_FAILURES:
                break
        else:
            failed = 0
            if settled := _settled(desk, assessment):
                decided, end = settled
                yield desk.record_event(decided)
                return end
            reason = _short_of(run.drafts[-1], run.limits)
        if limit := _limit(desk):
            reason = f"{reason} {limit}"
            break
        plan = yield from _next_plan(desk, assessment, reason)
    else:
        reason = f"{reason} Nothing is left to try."
    yield desk.record_event(ev.Decided(iteration=run.iterations, decision="limit", reason=reason))
    return end_at_limit(desk, reason)


def _settled(desk: RunContext, assessment: Assessment | None) -> tuple[ev.Decided, ev.Ended] | None:
    """The decision that ends the run on its latest draft, if it is one."""
    run = desk.run
    latest, number = run.drafts[-1], run.iterations
    if not run.limits.scoring and latest.is_trusted:
        return ev.Decided(
            iteration=number, decision="accept", reason="Scoring is off."
        ), accept_draft(desk, latest)
    if latest.score and latest.is_trusted and latest.mean >= run.limits.quality_threshold:
        reason = (
            f"{latest.mean:.1f} of 10 reaches the threshold of {run.limits.quality_threshold:g}."
        )
        return ev.Decided(iteration=number, decision="accept", reason=reason), _suggesting(
            desk, assessment, latest
        )
    if assessment is None:
        return None
    decided = ev.Decided(iteration=number, decision=assessment.strategy, reason=assessment.reason)
    match assessment.strategy:
        case "CONCLUDE" if not (assessment.step_met and run.steps):
            return decided, conclude_run(desk, "model", assessment.reason)
        case "CLARIFY" if run.clarifications < MAX_CLARIFICATIONS:
            return decided, end_run(
                desk, "clarification_needed", answer=assessment.query or assessment.reason
            )
    return None


def _suggesting(desk: RunContext, assessment: Assessment | None, draft: ScoredDraft) -> ev.Ended:
    """The accepted draft with the suggested questions that the library can answer."""
    asked = assessment.suggestions if assessment else ()
    answerable = [
        question for question in asked if desk.toolbox.is_answerable(question, desk.run.scope)
    ]
    return accept_draft(desk, draft).model_copy(
        update={"suggestions": tuple(answerable[:MAX_SUGGESTIONS])}
    )


def _limit(desk: RunContext) -> str | None:
    """Why there may be no further iteration, in a sentence."""
    run = desk.run
    if run.iterations >= run.limits.max_iterations:
        return "The limit of iterations is reached."
    return find_exceeded_limit(run, desk.seconds)


def _short_of(latest: ScoredDraft, limits: RunLimits) -> str:
    if not latest.is_trusted:
        return (
            f"A draft whose quotes do not stand cannot pass. {failure_messages(latest.checks)[0]}"
        )
    if latest.score is None:
        return "The draft has no score, and without one it cannot pass."
    missing = f" Missing: {latest.score.missing.rstrip(' .')}." if latest.score.missing else ""
    return (
        f"{latest.mean:.1f} of 10 is below the threshold of {limits.quality_threshold:g}.{missing}"
    )


def _next_plan(
    desk: RunContext, assessment: Assessment | None, reason: str
) -> Generator[ev.Event, None, Plan | None]:
    """The next step of the plan or its next version, told as a decision; None when nothing is left to try."""
    run = desk.run
    plan = plan_next_step(run, assessment)
    if plan is not None:
        yield desk.record_event(
            ev.Decided(iteration=run.iterations, decision="next_step", reason=plan.reason)
        )
        return plan
    plan = yield from refine_plan(desk, assessment)
    if plan is not None:
        decision = "REFINE_QUERY" if plan.strategy == "REFINE_QUERY" else "SWITCH_TOOL"
        yield desk.record_event(
            ev.Decided(
                iteration=run.iterations, decision=decision, reason=f"{reason} {plan.reason}"
            )
        )
    return plan
