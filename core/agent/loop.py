"""The loop that answers a question: classify, plan, iterate, decide."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, get_args

from core.agent import events as ev
from core.agent.context_window import check_context, fit_classification
from core.agent.endings import (
    DISCARDED_MESSAGE,
    FOUND_MESSAGE,
    MAX_CLARIFICATIONS,
    OPEN_MESSAGE,
    conclude_run,
    describe_shortfall,
    end_at_limit,
    end_run,
    fail_run,
    find_end,
    find_meanings,
    has_only_quotes,
    name_definition,
    offer_choices,
    open_again,
)
from core.agent.iteration import run_iteration
from core.agent.models.base import Assessment, Classification, ClassifyRequest, Model
from core.agent.plans import make_first_plan, plan_from_decision, plan_next_step, refine_plan
from core.agent.run import Run
from core.agent.run_context import RunContext
from core.agent.tools.toolbox import Toolbox
from core.agent.types import Decision, Outcome, Plan, RunBudget, Turn
from core.errors import LibraryError, ModelError, ScrutineerError, ToolError
from core.library import (
    Document,
    Library,
    Scope,
    ScopeChoice,
    find_missing_series,
    parse_query_filters,
    resolve_scope,
)
from core.verification import has_grounding, normalize_text

log = logging.getLogger("scrutineer.agent")

MAX_QUESTION_LENGTH = 10_000
"""Characters of a question."""
RESUMABLE_OUTCOMES = {None, *get_args(Outcome)} - {"answered", "declined"}
"""Outcomes of runs that can be resumed; None: the run was interrupted."""
MAX_MODEL_FAILURES = 2
"""Iterations in a row without a reply, after which the model counts as down."""

REPLY_OUTCOMES: dict[str, Outcome] = {
    "answer": "answered",
    "decline": "declined",
    "clarify": "clarification_needed",
}
"""Outcomes by kind of classification, where its reply ends the run."""

Rescope = Callable[[Scope, Classification], Scope]
"""Returns the scope of a classified question, from the scope of the question as asked."""


@dataclass(frozen=True, slots=True)
class Request:
    """A question, and what the person set for it."""

    question: str
    choice: ScopeChoice = field(default_factory=ScopeChoice)
    budget: RunBudget = field(default_factory=RunBudget)
    history: tuple[Turn, ...] = ()
    settle: Callable[[], "Request"] | None = None
    """Called after `Asked`: the request once the files and answers that it waits for are there."""


class Agent:
    """Answers questions from a library with a model. A search brings `results` clauses."""

    def __init__(self, library: Library, model: Model, results: int = 8) -> None:
        self._library = library
        self._model = model
        self._toolbox = Toolbox(library, results)

    def ask(self, request: Request) -> Iterator[ev.Event]:
        """Answer a question; yields events as they happen, `Ended` last.

        Raises ScrutineerError at once for a question that is empty or longer than
        MAX_QUESTION_LENGTH.
        """
        question = request.question.strip()
        if not any(map(str.isalnum, question)):
            message = "The question is empty. Type what you want to know."
            raise ScrutineerError(message, code="empty_question")
        if len(question) > MAX_QUESTION_LENGTH:
            message = (
                f"The question has {len(question)} characters, more than {MAX_QUESTION_LENGTH}."
                " Shorten it."
            )
            raise ScrutineerError(message, code="long_question")
        scope = resolve_scope(self._library.documents(), request.choice, question, is_firm=True)
        run = Run(question, scope, request.budget, request.history)
        run.is_free = request.choice == ScopeChoice()
        context = RunContext(run, self._model, self._toolbox)
        return _record_run(context, self._begin(context, request))

    def _begin(self, context: RunContext, request: Request) -> ev.EventStream[ev.Ended]:
        documents, run = self._library.documents(), context.run
        if request.settle:
            request = request.settle()
            documents, run.history = self._library.documents(), request.history
            run.scope = resolve_scope(documents, request.choice, run.question, is_firm=True)
        return (yield from _start_run(context, partial(_rescope, documents, request, run.is_free)))

    def resume(
        self, events: Sequence[ev.Event], request: Request, decision: Decision | None = None
    ) -> Iterator[ev.Event]:
        """Continue a run that waits or was interrupted, as a person decides.

        The run keeps its question, what it found, drafted and tried, and its iteration count.
        `request.budget` is for what follows, `request.history` is what came before the question.
        Raises ScrutineerError where the run has its answer, or none of its documents is left.
        """
        decision = decision or Decision()
        run = Run.from_events(events, self._resolve_scope(events, decision), request.history)
        if run.outcome not in RESUMABLE_OUTCOMES:
            message = "This run has ended with its answer. Ask a new question."
            raise ScrutineerError(message, code="not_waiting")
        if decision.tool not in (None, *(spec.name for spec in self._toolbox.specs)):
            raise ScrutineerError(f"There is no tool called {decision.tool}.", code="unknown_tool")
        budget = request.budget
        dollars = None if budget.budget is None else budget.budget + (run.cost or 0.0)
        iterations = run.iterations + budget.max_iterations
        run.budget = replace(budget, max_iterations=iterations, budget=dollars)
        run.is_free = run.is_free and decision.scope is None
        context = RunContext(run, self._model, self._toolbox)
        return _record_run(context, _continue(context, decision), decision)

    def _resolve_scope(self, events: Sequence[ev.Event], decision: Decision) -> Scope:
        """Return the scope a person chose or named in their guidance, else the previous one."""
        documents = self._library.documents()
        if decision.scope is not None:
            scope = resolve_scope(documents, decision.scope)
        elif parse_query_filters(decision.guidance, documents).choices:
            scope = resolve_scope(documents, ScopeChoice(), decision.guidance)
        else:
            last = latest_scope(events)
            left = tuple(d for d in documents if d.document_id in last.documents)
            gone = "the documents of this run are no longer in the library"
            scope = Scope(left, last.why if left else gone, day=last.day)
        return scope.require_documents() if decision.kind == "go_on" else scope


def latest_scope(events: Iterable[ev.Event]) -> ev.ScopeView:
    """Return the last scope in the events of a run. Raises ValueError where there is none."""
    scopes = [event.scope for event in events if isinstance(event, ev.Asked | ev.Classified)]
    for scope in reversed(scopes):
        if scope is not None:
            return scope
    raise ValueError("a run begins with Asked")


def _record_run(
    context: RunContext, work: ev.EventStream[ev.Ended], decision: Decision | None = None
) -> Iterator[ev.Event]:
    """Yield `Asked`, the events of the work, and `Ended`, even if the model fails."""
    run, model = context.run, context.model
    yield context.record_event(
        ev.Asked(
            question=run.question,
            scope=ev.ScopeView.from_scope(run.scope),
            limits=run.budget,
            answer_model=model.answer_model,
            decision_model=model.decision_model,
            offline=model.offline,
            is_free=run.is_free,
            resumed=decision is not None,
            decision=decision.kind if decision else None,
            guidance=decision.guidance if decision else "",
        )
    )
    try:
        end = name_definition(context, (yield from work))
        end = offer_choices(context, _name_missing(context, end))
    except (ModelError, ToolError, LibraryError) as error:
        end = fail_run(context, error.message)
    yield context.record_event(end)
    log.info("run %s ended: %s", run.run_id[:8], end.outcome)


def _name_missing(context: RunContext, ended: ev.Ended) -> ev.Ended:
    """Return the end with what the question names and no document in scope is of.

    It is said after a search, where the person has chosen no documents. Quotes alone answer nothing
    of a series that no document is of, nor the closest ones of a season.
    """
    run = context.run
    if not run.plans:
        return ended
    strange = run.describe_missing(context.read_question().strange_series)
    missing = strange or (run.missing if run.is_free else "")
    if not missing:
        return ended
    if ended.outcome == "not_found":
        return ended.model_copy(update={"answer": f"{ended.answer} {missing}"})
    series = strange or find_missing_series(run.question, run.scope.documents)
    is_of_other = series or ended.outcome == "found"
    if context.model.offline and is_of_other:
        return ended.model_copy(
            update={
                "outcome": "not_found",
                "answer": missing,
                "message": "",
                "citations": (),
                "unsettled": (),
                "score": None,  # of quotes that are not shown
                "best_iteration": None,
            }
        )
    if context.model.offline and ended.decided_by == "score":
        ended = open_again(ended, "found", FOUND_MESSAGE)
    return ended.model_copy(update={"unsettled": (missing, *ended.unsettled)})


def _rescope(
    documents: Sequence[Document],
    request: Request,
    is_free: bool,
    scope: Scope,
    result: Classification,
) -> Scope:
    """Return the scope of a classified question; `is_free` where the person has chosen none.

    Where their question names an edition to compare, another edition belongs to it.
    """
    named = parse_query_filters(request.question, documents).choices
    scope = _scope_follow_up(documents, request, named, scope, result.question or request.question)
    has_edition = any(choice.season or choice.issue for choice in named)
    if is_free and has_edition and result.intent == "COMPARISON":
        return scope.with_compared_editions(documents)
    return scope


def _scope_follow_up(
    documents: Sequence[Document],
    request: Request,
    asked: Sequence[ScopeChoice],
    scope: Scope,
    question: str,
) -> Scope:
    """Return the scope of a follow-up question, rewritten to be understood on its own.

    `asked` is what the question names as it was put. Rulebooks that the person named in earlier
    questions count, those that a model added do not. Where the person named none, the scope is the
    series that the previous answer was from.
    """

    def split_words(text: str) -> list[str]:
        return text.casefold().rstrip(" ?.\n").split()

    earlier = (parse_query_filters(turn.question, documents) for turn in request.history)
    own = {*asked, *(choice for filters in earlier for choice in filters.choices)}
    is_as_put = question == request.question
    named = asked if is_as_put else parse_query_filters(question, documents).choices
    if not own.issuperset(named):
        named = ()
    if named:
        scope = resolve_scope(documents, request.choice, question)
    choices = (request.choice, *named, *asked)
    # A model often changes a question in signs and spaces only; then it is no follow-up.
    is_follow_up = split_words(question) != split_words(request.question)
    if not is_follow_up or any(one.family or one.document or one.documents for one in choices):
        return scope
    cited = next((turn.citations for turn in reversed(request.history) if turn.citations), ())
    return scope.restrict_to_series(documents, {citation.document_id for citation in cited})


def _start_run(context: RunContext, rescope: Rescope) -> ev.EventStream[ev.Ended]:
    """Classify; end with the reply of the classification, or begin to iterate."""
    run = context.run
    result = yield from _classify_question(context, rescope)
    known = [run.question, *(turn.answer for turn in run.history)]
    may_be_known = result.intent == "GENERAL" or bool(run.history)
    if result.kind == "answer" and not (may_be_known and has_grounding(result.reply, known)):
        message = (
            "The reply without a tool contained words or numbers that no source contains;"
            " the rulebook is searched instead."
        )
        yield context.record_warning("unsupported", message)
    elif outcome := REPLY_OUTCOMES.get(result.kind):
        text = normalize_text(result.reply)
        earlier = [citation for turn in run.history for citation in turn.citations]
        repeated = [citation for citation in earlier if normalize_text(citation.quote) in text]
        citations = tuple(dict.fromkeys(repeated))
        return end_run(context, outcome, answer=result.reply, citations=citations)
    if not run.scope.documents:
        return end_run(context, "not_found", answer=f"I did not look: {run.scope.why}.")
    if run.clarifications < MAX_CLARIFICATIONS and (choices := find_meanings(context)):
        return end_run(context, "clarification_needed", message=OPEN_MESSAGE, choices=choices)
    return (yield from _iterate(context, make_first_plan(run, result)))


def _classify_question(context: RunContext, rescope: Rescope) -> ev.EventStream[Classification]:
    run = context.run
    tools = context.toolbox.specs
    reason = "Not classified; a plain search is made."
    # A question that was classified before already holds what the person said then.
    asked = " ".join((run.question, *run.guidance[-1:]))
    plain_search = Classification("SEARCH", "tool", run.question, tools[0].name, asked, reason)
    documents = tuple((document.document_id, document.label) for document in run.scope.documents)
    try:
        request = ClassifyRequest(asked, run.history, tools, documents)
        request = fit_classification(run, request, context.model)
        check_context(run, context.model.count_tokens(request))
        result, usage = context.model.classify(request)
    except ModelError as error:
        yield from context.record_usage("classify", error.usage)
        if error.fatal:
            raise
        message = f"The question was not classified: {error.message}"
        yield context.record_warning(error.code, message)
        result = plain_search
    else:
        yield from context.record_usage("classify", usage)
    if result.kind == "clarify" and run.clarifications >= MAX_CLARIFICATIONS:
        result = plain_search
    question = result.question or run.question
    run.scope = rescope(run.scope, result)
    yield context.record_event(
        ev.Classified(
            intent=result.intent,
            reason=result.reason,
            question=question,
            scope=ev.ScopeView.from_scope(run.scope),
            reply=result.reply if result.kind != "tool" else None,
            clarify=result.kind == "clarify",
        )
    )
    return result


def _continue(context: RunContext, decision: Decision) -> ev.EventStream[ev.Ended]:
    """Go on as a person decided."""
    match decision.kind:
        case "conclude":
            return conclude_run(context, "person", "A person accepted the best draft.")
        case "stop":
            return end_run(context, "cancelled", message=DISCARDED_MESSAGE)
    if not context.run.plans:
        return (yield from _start_run(context, lambda scope, _: scope))
    plan = plan_from_decision(context, decision)
    if plan is None:
        return end_at_limit(context, "Every tool has been tried with this question.")
    return (yield from _iterate(context, plan))


def _iterate(context: RunContext, plan: Plan | None) -> ev.EventStream[ev.Ended]:
    """Run iterations until a draft ends the run, a limit is reached, or nothing is left to try."""
    run, reason, failures = context.run, "", 0
    while plan is not None:
        assessment = None
        try:
            assessment = yield from run_iteration(context, plan)
        except ModelError as error:
            if error.fatal:
                raise
            reason, failures = error.message, failures + 1
            yield context.record_warning(error.code, reason)
            if failures == MAX_MODEL_FAILURES:
                break
        else:
            failures = 0
            if final := find_end(context, assessment):
                decided, end = final
                yield context.record_event(decided)
                return end
            reason = describe_shortfall(run.drafts[-1], run.budget)
            if run.budget.scoring and assessment is None:  # another draft would fare no better
                break
        limit = context.exceeded_limit
        if run.iterations >= run.budget.max_iterations:
            limit = "The iteration limit is reached."
        if limit:
            reason = f"{reason} {limit}"
            break
        plan = yield from _choose_next_plan(context, assessment, reason)
    else:
        reason = f"{reason} Nothing is left to try."
    decision: Literal["found", "limit"] = "found" if has_only_quotes(context) else "limit"
    yield context.record_event(
        ev.Decided(iteration=run.iterations, decision=decision, reason=reason)
    )
    return end_at_limit(context, reason)


def _choose_next_plan(
    context: RunContext, assessment: Assessment | None, reason: str
) -> ev.EventStream[Plan | None]:
    """Return the next step of the plan, else a refined plan; None when nothing is left to try."""
    decision: Literal["next_step", "REFINE_QUERY", "SWITCH_TOOL"] = "next_step"
    if plan := plan_next_step(context.run, assessment):
        reason = plan.reason
    elif plan := (yield from refine_plan(context, assessment)):
        decision = "REFINE_QUERY" if plan.strategy == "REFINE_QUERY" else "SWITCH_TOOL"
        reason = f"{reason} {plan.reason}"
    else:
        return None
    yield context.record_event(
        ev.Decided(iteration=context.run.iterations, decision=decision, reason=reason)
    )
    return plan
