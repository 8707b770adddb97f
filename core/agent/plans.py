"""What is tried next: the first plan from the classification, further ones from a score.

None is made twice; one that was not carried out to its end is carried out again when a person goes on.
"""

from collections.abc import Generator
from dataclasses import replace

from core.agent import events as ev
from core.agent.iteration import Desk
from core.agent.models.base import Assessment, Classification
from core.agent.run import Run, attempt
from core.agent.types import Decision, Plan


def first_plan(run: Run, found: Classification) -> Plan:
    """The plan of a classification, with its further steps."""
    documents = tuple(key for key in found.documents if key in run.scope.ids) or run.scope.ids
    return Plan(1, found.tool, found.query, documents, None, found.reason, further=found.further)


def next_step(run: Run, assessment: Assessment | None) -> Plan | None:
    """The next step of the present plan, where the last did its part and one is left."""
    if assessment is None or not assessment.step_met or not run.steps:
        return None
    step, *rest = run.steps
    last = run.plans[-1]
    reason = "The step before did its part; its evidence is kept."
    return replace(
        last,
        tool=step.tool,
        query=step.query,
        reason=reason,
        intent=None,
        step=last.step + 1,
        further=tuple(rest),
    )


def refined(desk: Desk, assessment: Assessment | None) -> Generator[ev.Event, None, Plan | None]:
    """The next plan version: the one an assessment asks for, unless it was tried; else the next that was not.

    None when nothing is left to try.
    """
    run = desk.run
    plan = _asked_for(run, assessment)
    if plan is not None and attempt(plan) in run.tried:
        message = f"Already tried: {plan.tool} “{plan.query}”. Another way is chosen."
        yield desk.note(ev.Warned(iteration=run.iterations, code="already_tried", message=message))
        plan = None
    return plan or _untried(desk)


def guided(desk: Desk, decision: Decision) -> Plan | None:
    """The plan that a person's decision makes: with their words, their tool, in the scope that is now the run's.

    Where they decide nothing but to go on, a plan that was stopped or failed on the way is carried out again.
    """
    run = desk.run
    last = run.plans[-1]
    if run.unfinished and decision == Decision():
        return replace(run.unfinished, reason="It was not carried out to its end.")
    query = " ".join(filter(None, (run.question, decision.guidance)))
    plan = Plan(
        last.version + 1,
        decision.tool or last.tool,
        query,
        run.scope.ids,
        "SWITCH_TOOL" if decision.tool else "REFINE_QUERY",
        "A person has decided how to go on.",
    )
    return plan if attempt(plan) not in run.tried else _untried(desk)


def _asked_for(run: Run, assessment: Assessment | None) -> Plan | None:
    if assessment is None or assessment.strategy not in ("REFINE_QUERY", "SWITCH_TOOL"):
        return None
    last = run.plans[-1]
    tool = assessment.tool or last.tool
    query = assessment.query.strip() or last.query
    intent = assessment.intent if assessment.intent != run.intent else None
    return Plan(
        last.version + 1,
        tool,
        query,
        last.documents,
        assessment.strategy,
        assessment.reason,
        intent,
    )


def _untried(desk: Desk) -> Plan | None:
    """The first tool that has not been tried with the question as it stands."""
    run = desk.run
    documents, version = run.scope.ids, run.plans[-1].version + 1
    plans = (
        Plan(
            version,
            spec.name,
            run.question,
            documents,
            "SWITCH_TOOL",
            f"{spec.name} has not been tried.",
        )
        for spec in desk.toolbox.specs
    )
    return next((plan for plan in plans if attempt(plan) not in run.tried), None)
