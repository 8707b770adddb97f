"""The state of one question's work, as a fold over its events: what a run knows is what its events say.

`Run` is the one mutable type of the project; only `Run.apply` changes it, and only the loop calls that.
"""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from core.agent import events as ev
from core.agent.evidence import Evidence
from core.agent.tools.interpretation import INTERPRETATION_TOOL as INTERPRETATION
from core.agent.types import (
    CitedReference,
    ComplianceRow,
    Draft,
    DraftCheck,
    Intent,
    Outcome,
    Plan,
    PlanStep,
    RunLimits,
    Score,
    Turn,
)
from core.agent.verification.draft_checks import has_valid_citations
from core.library import Scope


@dataclass(frozen=True, slots=True)
class ScoredDraft:
    """A draft with its score (None where nobody could or should score it) and the plan it came of."""

    draft: Draft
    score: Score | None
    plan: Plan | None
    checks: tuple[DraftCheck, ...] = ()
    references: tuple[CitedReference, ...] = ()
    requirements: tuple[ComplianceRow, ...] = ()

    @property
    def is_trusted(self) -> bool:
        return has_valid_citations(self.checks)

    @property
    def mean(self) -> float:
        return self.score.mean if self.score else 0.0


@dataclass
class Run:
    """What is known of a question so far."""

    question: str
    scope: Scope
    limits: RunLimits
    history: tuple[Turn, ...] = ()
    run_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    seq: int = 0
    intent: Intent = "SEARCH"
    evidence: Evidence = field(default_factory=Evidence)
    plans: list[Plan] = field(default_factory=list)
    drafts: list[ScoredDraft] = field(default_factory=list)
    iterations: int = 0
    rounds: set[tuple[int, int]] = field(default_factory=set)
    """(iteration, round) of the model's own tool calls."""
    tool_calls: int = 0
    model_calls: int = 0
    """Also the run's interaction count; `last_interaction_at` is the time of the last."""
    last_interaction_at: str = ""
    clarifications: int = 0
    guidance: list[str] = field(default_factory=list)
    interpretation_ids: set[str] = field(default_factory=set)
    """Ids of the clauses of interpretation among the evidence."""
    steps: tuple[PlanStep, ...] = ()
    """Steps of the present plan that are still to come."""
    seconds: float = 0.0
    """At work, when it last ended."""
    cost: float | None = None
    outcome: Outcome | None = None

    @classmethod
    def from_events(
        cls, events: Iterable[ev.Event], scope: Scope, history: tuple[Turn, ...] = ()
    ) -> "Run":
        """The run that these events tell of. Raises ValueError when they do not begin with `Asked`."""
        first, *rest = events
        if not isinstance(first, ev.Asked):
            raise ValueError("a run begins with Asked")
        run = cls(first.question, scope, first.limits, history, run_id=first.run_id)
        for event in (first, *rest):
            run.apply_event(event)
        return run

    @property
    def best_draft(self) -> ScoredDraft | None:
        """The best draft so far: one to be trusted before any other, then the highest mean, of equal ones the later."""
        return max(
            reversed(self.drafts), key=lambda scored: (scored.is_trusted, scored.mean), default=None
        )

    @property
    def unfinished_plan(self) -> Plan | None:
        """The first plan that came to no draft, or to none with a score where one is asked for; None where all did."""
        finished = {
            attempt_key(d.plan)
            for d in self.drafts
            if d.plan and (d.score or not self.limits.scoring)
        }
        return next((plan for plan in self.plans if attempt_key(plan) not in finished), None)

    @property
    def tool_rounds(self) -> int:
        return len(self.rounds)

    @property
    def attempt_keys(self) -> set[tuple[str, str, tuple[str, ...]]]:
        """Tool, query and documents of every plan so far, queries compared by their words."""
        return {attempt_key(plan) for plan in self.plans}

    def apply_event(self, event: ev.Event) -> None:
        """Take an event in."""
        self.seq = event.seq
        match event:
            case ev.Asked() if event.guidance:
                self.guidance.append(event.guidance)
            case ev.Classified():
                self.intent = event.intent
                self.question = event.question
            case ev.PlanMade():
                self.iterations = event.iteration
                self.intent = event.intent or self.intent
                self.steps = event.further
                self.plans.append(plan_from_event(event))
            case ev.ToolCalled():
                self.tool_calls += 1
                if event.round:
                    self.rounds.add((event.iteration, event.round))
            case ev.EvidenceFound():
                self.evidence.restore_sources(event.sources)
                if event.tool == INTERPRETATION:
                    self.interpretation_ids |= {source.clause_id for source in event.sources}
            case ev.Drafted():
                draft = Draft(event.iteration, event.text, event.thinking, event.citations)
                self.drafts.append(ScoredDraft(draft, None, self.plans[-1] if self.plans else None))
            case ev.Verified():
                self.drafts[-1] = replace(
                    self.drafts[-1],
                    checks=event.checks,
                    references=event.references,
                    requirements=event.requirements,
                )
            case ev.Scored():
                self.drafts[-1] = replace(self.drafts[-1], score=event.score)
            case ev.ModelCalled():
                self.model_calls += 1
                self.last_interaction_at = event.at
                if event.usage.cost is not None:
                    self.cost = (self.cost or 0.0) + event.usage.cost
            case ev.Ended():
                self.outcome = event.outcome
                self.seconds = event.seconds
                self.clarifications += event.outcome == "clarification_needed"
            case _:
                pass


def plan_from_event(event: ev.PlanMade) -> Plan:
    """The plan as the loop uses it."""
    documents = tuple(event.scope.documents)
    return Plan(
        version=event.version,
        tool=event.tool,
        query=event.query,
        documents=documents,
        strategy=event.strategy,
        reason=event.reason,
        intent=event.intent,
        step=event.step,
        further=event.further,
    )


def attempt_key(plan: Plan) -> tuple[str, str, tuple[str, ...]]:
    """What makes two plans the same attempt."""
    return plan.tool, " ".join(plan.query.casefold().split()), plan.documents
