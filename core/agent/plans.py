"""What is tried next: the first plan from the classification, further ones from a score.

None is made twice; one that was not carried out to its end is carried out again when a person goes on.
"""

from collections.abc import Generator
from dataclasses import replace

from core.agent import events as ev
from core.agent.iteration import RunContext
from core.agent.models.base import Assessment, Classification
from core.agent.run import Run, attempt_key
from core.agent.types import Decision, Plan


def make_first_plan(run: Run, classification: Classification) -> Plan:
    """The plan of a classification, with its further steps."""
    documents = (
        tuple(key for key in classification.documents if key in run.scope.ids) or run.scope.ids
    )
    return Plan(
        1,
        classification.tool,
        classification.query,
        documents,
        None,
        classification.reason,
        further=classification.further,
    )


def plan_next_step(run: Run, assessment: Assessment | None) -> Plan | None:
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


def refine_plan(
    context: RunContext, assessment: Assessment | None
) -> Generator[ev.Event, None, Plan | None]:
    """The next plan version: the one an assessment asks for, unless it was tried; else the next that was not.

    None when nothing is left to try.
    """
    run = context.run
    plan = _asked_for(run, assessment)
    if plan is not None and attempt_key(plan) in run.attempt_keys:
        message = f"Already tried: {plan.tool} “{plan.query}”. Another way is chosen."
        yield context.record_event(
            ev.Warned(iteration=run.iterations, code="already_tried", message=message)
        )
        plan = None
    return plan or _untried(context)


def plan_from_decision(context: RunContext, decision: Decision) -> Plan | None:
    """The plan that a person's decision makes: with their words, their tool, in the scope that is now the run's.

    Where they decide nothing but to go on, a plan that was stopped or failed on the way is carried out again.
    """
    run = context.run
    last = run.plans[-1]
    if run.unfinished_plan and decision == Decision():
        return replace(run.unfinished_plan, reason="It was not carried out to its end.")
    query = " ".join(filter(None, (run.question, decision.guidance)))
    plan = Plan(
        last.version + 1,
        decision.tool or last.tool,
        query,
        run.scope.ids,
        "SWITCH_TOOL" if decision.tool else "REFINE_QUERY",
        "A person has decided how to go on.",
    )
    return plan if attempt_key(plan) not in run.attempt_keys else _untried(context)


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


def _untried(desk: RunContext) -> Plan | None:
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
    return next((plan for plan in plans if attempt_key(plan) not in run.attempt_keys), None)
