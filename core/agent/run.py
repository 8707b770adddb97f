"""The state of a run, folded from its events: whatever a run knows, its events say.

`Run` is the one mutable type of the project. `RunContext.record_event` applies events to it.
"""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from core.agent import events as ev
from core.agent.question import asks_the_same
from core.agent.tools.interpretation import INTERPRETATION_TOOL
from core.agent.types import CitedReference, Draft, Intent, Outcome, Plan, RunBudget, Score, Turn
from core.copied_fields import copy_fields
from core.grammar import detect_language
from core.library import Scope, find_missing_editions
from core.model_calls import Usage, UsageMeter
from core.verification import ComplianceRow, DraftCheck, Evidence, StatementVerdict, list_doubts


@dataclass(frozen=True, slots=True)
class ScoredDraft:
    """A draft with its checks, its plan, and its score (None where it was not scored)."""

    draft: Draft
    score: Score | None
    plan: Plan | None
    checks: tuple[DraftCheck, ...] = ()
    references: tuple[CitedReference, ...] = ()
    requirements: tuple[ComplianceRow, ...] = ()
    statements: tuple[StatementVerdict, ...] = ()

    @property
    def failures(self) -> tuple[str, ...]:
        """A sentence for each fatal check that failed and each statement that must not stand."""
        failed = (check for check in self.checks if not check.passed and check.level == "fatal")
        ruled = (verdict.failure for verdict in self.statements)
        return (*(check.message for check in failed), *filter(None, ruled))

    @property
    def doubts(self) -> tuple[str, ...]:
        """A sentence for each doubt of the checks that no judge overruled."""
        doubts = list_doubts(self.checks, self.statements)
        return tuple(dict.fromkeys(doubt.message for doubt in doubts))

    @property
    def is_trusted(self) -> bool:
        """True where nothing failed: any other draft may not pass, whatever its score."""
        return not self.failures

    @property
    def is_whole(self) -> bool:
        """True unless it was cut off at a limit of the server."""
        return all(check.passed for check in self.checks if check.kind == "whole")

    @property
    def mean(self) -> float:
        return self.score.mean if self.score else 0.0

    def reaches(self, threshold: float) -> bool:
        """True where nothing failed, and accuracy, completeness and mean reach a threshold."""
        score = self.score
        if score is None or self.failures:
            return False
        return min(score.accuracy, score.completeness, score.mean) >= threshold


@dataclass
class Run:
    """What is known about a question so far."""

    question: str
    scope: Scope
    budget: RunBudget
    history: tuple[Turn, ...] = ()
    run_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    seq: int = 0
    is_free: bool = False
    """The person has chosen no documents, and so meant none of those that are searched."""
    intent: Intent = "SEARCH"
    evidence: Evidence = field(default_factory=Evidence)
    plans: list[Plan] = field(default_factory=list)
    drafts: list[ScoredDraft] = field(default_factory=list)
    iterations: int = 0
    calls: dict[tuple[str, str], str] = field(default_factory=dict)
    """What each tool call found, by tool and query."""
    notes: list[str] = field(default_factory=list)
    """What the tools said beside their clauses."""
    rounds: set[tuple[int, int]] = field(default_factory=set)
    """(iteration, round) of the tool calls that the model asked for."""
    tool_calls: int = 0
    clarifications: int = 0
    guidance: list[str] = field(default_factory=list)
    is_follow_up: bool = False
    """The question was rewritten from what the person asked, or is in a language in which no
    follow-up is known."""
    interpretation_ids: set[str] = field(default_factory=set)
    """Clauses of the evidence that say how documents are to be read."""
    seconds: float = 0.0
    """Working time until it last ended."""
    ended_calls: list[Usage] = field(default_factory=list)
    open_call: Usage | None = None
    """The usage of a call that streams, as far as it is known: it may be stopped."""
    outcome: Outcome | None = None

    @classmethod
    def from_events(
        cls, events: Iterable[ev.Event], scope: Scope, history: tuple[Turn, ...] = ()
    ) -> "Run":
        """Rebuild a run from its events. Raises ValueError when the first is not `Asked`."""
        first, *rest = events
        if not isinstance(first, ev.Asked):
            raise ValueError("a run begins with Asked")
        run = cls(first.question, scope, first.limits, history, run_id=first.run_id)
        for event in (first, *rest):
            run.apply_event(event)
        return run

    @property
    def missing(self) -> str:
        """A sentence on the series and seasons of the question that no document is of, or ""."""
        return self.describe_missing(find_missing_editions(self.question, self.scope.documents))

    def describe_missing(self, names: Iterable[str]) -> str:
        """Return the sentence on series and seasons that no document in scope is of, or ""."""
        named = ", ".join(names)
        return f"No rulebook in scope is of {named}. It holds {self.scope.label}." if named else ""

    @property
    def best_draft(self) -> ScoredDraft | None:
        """A trusted draft before any other, then the first one with the highest mean.

        One that was cut off is none.
        """
        whole = (draft for draft in self.drafts if draft.is_whole)
        return max(whole, key=lambda scored: (scored.is_trusted, scored.mean), default=None)

    @property
    def unfinished_plan(self) -> Plan | None:
        """The first plan without a draft, or without a scored one where drafts are scored."""
        drafts = (draft for draft in self.drafts if draft.score or not self.budget.scoring)
        finished = {attempt_key(draft.plan) for draft in drafts if draft.plan}
        return next((plan for plan in self.plans if attempt_key(plan) not in finished), None)

    @property
    def tool_rounds(self) -> int:
        return len(self.rounds)

    @property
    def calls_made(self) -> list[Usage]:
        """What the calls of models used, a stopped one included."""
        return [*self.ended_calls, *([self.open_call] if self.open_call else [])]

    @property
    def cost(self) -> float | None:
        """US dollars so far; None where no price is known."""
        known = [usage.cost for usage in self.calls_made if usage.cost is not None]
        return sum(known) if known else None

    def knows_call(self, tool: str, query: str) -> bool:
        """True where a plan or the model called a tool with these words."""
        plans = {(plan.tool, _squeeze(plan.query)) for plan in self.plans}
        return (tool, _squeeze(query)) in plans | self.calls.keys()

    def is_repeat(self, plan: Plan) -> bool:
        return attempt_key(plan) in map(attempt_key, self.plans)

    def apply_event(self, event: ev.Event) -> None:
        self.seq = event.seq
        match event:
            case ev.Asked():
                self.is_free = event.is_free
                self.guidance += filter(None, [event.guidance])
            case ev.Classified():
                self._apply_classification(event)
            case ev.PlanMade():
                self.iterations = event.iteration
                self.intent = event.intent or self.intent
                self.plans.append(copy_fields(Plan, event, documents=tuple(event.scope.documents)))
            case ev.ToolCalled():
                self._apply_tool_call(event)
            case ev.EvidenceFound():
                self.evidence.restore_sources(event.sources)
                if event.tool == INTERPRETATION_TOOL:
                    self.interpretation_ids |= {source.clause_id for source in event.sources}
            case ev.Drafted() | ev.Verified() | ev.Scored():
                self._apply_to_drafts(event)
            case ev.ModelCalled():
                self.ended_calls.append(event.usage)
                self.open_call = None
            case ev.UsageGrew():
                self.open_call = event.usage
            case ev.ThoughtGrew() | ev.DraftGrew() if self.open_call:
                self.open_call = UsageMeter.estimate(self.open_call, len(event.text))
            case ev.Ended():
                self.ended_calls, self.open_call = self.calls_made, None
                self.outcome = event.outcome
                self.seconds = event.seconds
                self.clarifications += event.outcome == "clarification_needed"

    def _apply_classification(self, event: ev.Classified) -> None:
        """Take the question as it was understood.

        It is no follow-up where it asks the same as an earlier question, but for the season or
        issue. In another language than English it counts as one wherever it may be one.
        """
        is_english = detect_language(event.question) in (None, "en")
        stands_alone = event.question == self.question or any(
            asks_the_same(event.question, turn.question) for turn in self.history
        )
        self.is_follow_up = bool(self.history) and not (is_english and stands_alone)
        self.intent, self.question = event.intent, event.question

    def _apply_tool_call(self, event: ev.ToolCalled) -> None:
        self.tool_calls += 1
        query = words_of_call(event.arguments)
        result = f"failed: {event.error}" if event.error else f"{event.found} clauses"
        self.calls[event.tool, _squeeze(query)] = f"{event.tool} “{query}”: {result}"
        if event.note:
            self.notes.append(event.note)
        if event.round:
            self.rounds.add((event.iteration, event.round))

    def _apply_to_drafts(self, event: ev.Drafted | ev.Verified | ev.Scored) -> None:
        match event:
            case ev.Drafted():
                draft = Draft(event.iteration, event.text, event.thinking, event.citations)
                last = self.drafts[-1] if self.drafts else None
                if last and last.draft.iteration == event.iteration and not last.score:
                    self.drafts.pop()  # it was mended
                self.drafts.append(ScoredDraft(draft, None, next(reversed(self.plans), None)))
            case ev.Verified(checks=checks, references=references, requirements=rows):
                self.drafts[-1] = replace(
                    self.drafts[-1], checks=checks, references=references, requirements=rows
                )
            case ev.Scored():
                self.drafts[-1] = replace(
                    self.drafts[-1], score=event.score, statements=event.statements
                )


def words_of_call(arguments: Mapping[str, Any]) -> str:
    """Return what a tool call looks for: its query, or the number of an article."""
    return str(arguments.get("query") or arguments.get("number") or "")


def attempt_key(plan: Plan) -> tuple[str, str, tuple[str, ...]]:
    """Return what makes two plans the same attempt; queries are compared by their words."""
    return plan.tool, _squeeze(plan.query), plan.documents


def _squeeze(query: str) -> str:
    return " ".join(query.casefold().split())
