"""How a run ends, by what it has when it does; every ending keeps the best draft so far."""

from core.agent import events as ev
from core.agent.evidence import list_sources
from core.agent.iteration import RunContext
from core.agent.run import Run, ScoredDraft
from core.agent.types import Outcome
from core.agent.verification.draft_checks import failure_messages
from core.rulebook import article_label


def end_run(
    context: RunContext,
    outcome: Outcome,
    best: ScoredDraft | None = None,
    answer: str = "",
    message: str = "",
) -> ev.Ended:
    """The last event, with the best draft (or `answer` in its place) and the four counters."""
    told = build_ended_event(
        context.run,
        outcome,
        None if answer else best or context.run.best_draft,
        context.run.seconds + context.seconds,
    )
    return told.model_copy(update={"answer": answer or told.answer, "message": message})


def build_ended_event(
    run: Run, outcome: Outcome, best: ScoredDraft | None, seconds: float
) -> ev.Ended:
    """The end of a run on a draft, or on none, after so many seconds at work."""
    return ev.Ended(
        outcome=outcome,
        answer=best.draft.text if best else "",
        citations=best.draft.citations if best else (),
        requirements=best.requirements if best else (),
        unsettled=_unsettled(best) if best else (),
        score=best.mean if best and best.score else None,
        best_iteration=best.draft.iteration if best else None,
        iterations=run.iterations,
        tool_rounds=run.tool_rounds,
        tool_calls=run.tool_calls,
        model_calls=run.model_calls,
        seconds=seconds,
        cost=run.cost,
    )


def accept_draft(context: RunContext, draft: ScoredDraft) -> ev.Ended:
    """A draft that passed. One that cites nothing says that nothing was found, however well it says so."""
    event = end_run(context, "answered" if draft.draft.citations else "not_found", draft)
    return event.model_copy(update={"decided_by": "score"})


def conclude_run(context: RunContext, decided_by: str, message: str) -> ev.Ended:
    """The end on the best draft because a person or the model said so; where the model gives up, a person may go on."""
    best = context.run.best_draft
    if best is None or not best.draft.citations:
        return end_run(
            context,
            "not_found",
            best,
            answer="" if best else describe_failed_search(context.run),
            message=message,
        )
    outcome: Outcome = "answered" if decided_by == "person" else "limit_reached"
    return end_run(context, outcome, best, message=message).model_copy(
        update={"decided_by": decided_by}
    )


def end_at_limit(context: RunContext, reason: str) -> ev.Ended:
    """The end at a limit: the person decides on the best draft, unless there is none to decide on."""
    run = context.run
    best = run.best_draft
    if best is None and run.evidence.sources:
        return end_run(context, "failed", answer=_found_so_far(run), message=reason)
    if best is None:
        return end_run(context, "not_found", answer=describe_failed_search(run), message=reason)
    outcome: Outcome = "limit_reached" if best.draft.citations else "not_found"
    return end_run(context, outcome, best, message=reason).model_copy(
        update={"decided_by": "limit"}
    )


def _unsettled(draft: ScoredDraft) -> tuple[str, ...]:
    """What was found wrong with the draft, and what its clauses refer to and it did not use, a sentence each."""
    told = {
        "unread": "{0} refers to {1}, which this answer does not take into account.",
        "missing": "{0} refers to {1}, which its document does not hold.",
        "not_held": "{0} refers to {1}, which is in no document of the scope.",
    }
    named: dict[tuple[str, str], list[str]] = {}
    for referred in draft.references:
        if referred.state != "read":
            named.setdefault((referred.article, referred.state), []).append(referred.reference)
    return failure_messages(draft.checks) + tuple(
        told[state].format(article_label(article), ", ".join(dict.fromkeys(named[article, state])))
        for article, state in named
    )


def _found_so_far(run: Run) -> str:
    """What can be shown where no answer could be had: the clauses that were found."""
    return f"These clauses were found, but no answer was written:\n\n{list_sources(run.evidence.sources[:8])}"


def describe_failed_search(run: Run) -> str:
    """An honest answer where nothing was found."""
    looked = "; ".join(dict.fromkeys(f"{plan.tool} “{plan.query}”" for plan in run.plans))
    return f"I did not find it. I looked in {run.scope.label}: {looked}."
