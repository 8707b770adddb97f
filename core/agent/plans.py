"""The next plan: the first from the classification, later ones from a score or a person.

No attempt is planned twice, except that a person can resume a plan that was not completed.
"""

from dataclasses import replace

from core.agent import events as ev
from core.agent.models.base import Assessment, Classification
from core.agent.run import Run
from core.agent.run_context import RunContext
from core.agent.types import Decision, Plan, Strategy


def make_first_plan(run: Run, result: Classification) -> Plan:
    """Make the plan of a classification, with its later steps."""
    ids = run.scope.ids
    documents = tuple(key for key in result.documents if key in ids) or ids
    return Plan(
        1, result.tool, result.query, documents, None, result.reason, further=result.further
    )


def plan_next_step(run: Run, assessment: Assessment | None) -> Plan | None:
    """Make the plan of the next step; None unless the last step is done and another follows.

    A step is done too where the model would search no more for it.
    """
    last = run.plans[-1]
    if assessment is None or not last.further:
        return None
    is_done = assessment.step_met or assessment.strategy == "CONCLUDE"
    if not (is_done or run.drafts[-1].reaches(run.budget.quality_threshold)):
        return None
    step, *further = last.further
    return replace(
        last,
        tool=step.tool,
        query=step.query,
        reason="The previous step is done; its evidence is kept.",
        intent=None,
        step=last.step + 1,
        further=tuple(further),
    )


def refine_plan(context: RunContext, assessment: Assessment | None) -> ev.EventStream[Plan | None]:
    """Return the plan that an assessment asks for, else that of the first tool not yet tried.

    Returns None when nothing is left to try.
    """
    run, plan = context.run, None
    if assessment is not None and assessment.strategy in ("REFINE_QUERY", "SWITCH_TOOL"):
        last = run.plans[-1]
        tool, query = assessment.tool or last.tool, assessment.query.strip() or last.query
        plan = _revise(last, tool, query, assessment.strategy, assessment.reason)
        if assessment.intent != run.intent:
            plan = replace(plan, intent=assessment.intent)
        if run.is_repeat(plan):
            message = f"Already tried: {plan.tool} “{plan.query}”. Another tool is used instead."
            yield context.record_warning("already_tried", message)
            plan = None
    return plan or _plan_untried_tool(context)


def plan_from_decision(context: RunContext, decision: Decision) -> Plan | None:
    """Make the plan of a person's decision, in the present scope; None if nothing is left to try.

    A decision that changes nothing resumes a plan that was stopped or failed.
    """
    run = context.run
    if run.unfinished_plan and decision == Decision():
        return replace(run.unfinished_plan, reason="The plan was not completed.")
    last = run.plans[-1]
    query = " ".join(filter(None, (run.question, decision.guidance)))
    strategy: Strategy = "SWITCH_TOOL" if decision.tool else "REFINE_QUERY"
    reason = "A person decided how to continue."
    plan = _revise(last, decision.tool or last.tool, query, strategy, reason)
    plan = replace(plan, documents=run.scope.ids)
    return plan if not run.is_repeat(plan) else _plan_untried_tool(context)


def _plan_untried_tool(context: RunContext) -> Plan | None:
    """Make a plan with the first tool that was not yet called with the question itself."""
    run, last = context.run, context.run.plans[-1]
    for tool in (spec.name for spec in context.toolbox.specs):
        if not run.knows_call(tool, run.question):
            reason = f"{tool} has not been tried with the question as it stands."
            plan = _revise(last, tool, run.question, "SWITCH_TOOL", reason)
            return replace(plan, documents=run.scope.ids)
    return None


def _revise(last: Plan, tool: str, query: str, strategy: Strategy, reason: str) -> Plan:
    """Return the next version of a plan, with the steps after it."""
    named = replace(last, tool=tool, query=query, strategy=strategy, reason=reason)
    return replace(named, version=last.version + 1, intent=None)
