"""The values of a run: plain data, and what follows from it without a library or a model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.choices import Mode
from core.library import ClausePair, Hit, ScopeChoice
from core.model_calls import ToolCall
from core.registers import PenaltyRow
from core.verification import Citation, Source

Intent = Literal["SEARCH", "SUMMARY", "COMPARISON", "PENALTY", "GENERAL", "OUT_OF_SCOPE"]
Strategy = Literal["REFINE_QUERY", "SWITCH_TOOL", "CONCLUDE", "CLARIFY"]
Outcome = Literal[
    "answered",
    "found",
    "declined",
    "not_found",
    "limit_reached",
    "clarification_needed",
    "cancelled",
    "failed",
]
Purpose = Literal["classify", "answer", "score"]
HistoryMode = Literal["minimal", "progressive", "kitchen_sink"]
DecisionKind = Literal["go_on", "conclude", "stop"]


@dataclass(frozen=True, slots=True)
class RunBudget:
    """What a run may use, and the score that its draft has to reach.

    `quality_threshold` is a mean score from 1 to 10.
    """

    max_iterations: int = 3
    quality_threshold: float = 7.0
    max_tool_rounds: int | None = 2
    """None: as many as the model asks for, within the context and the budget (deep mode)."""
    rounds_by_intent: Mapping[Intent, int] = field(default_factory=dict)
    """Tool rounds of single intents, instead of `max_tool_rounds`."""
    scoring: bool = True
    """False: the first draft is the answer."""
    history_mode: HistoryMode = "progressive"
    max_context_tokens: int = 100_000
    """Tokens in one call of a model."""
    budget: float | None = None
    seconds: float | None = None
    """US dollars and working time; reaching either acts like the iteration limit."""
    tool_retries: int = 3
    """How often a tool that failed for a passing cause is called again."""

    @property
    def mode(self) -> Mode:
        """The mode that has such a budget."""
        if not self.scoring:
            return "quick"
        return "deep" if self.max_tool_rounds is None else "standard"

    def tool_rounds_for(self, intent: Intent) -> int | None:
        """Return the tool rounds of an iteration for an intent; None: unlimited."""
        return self.rounds_by_intent.get(intent, self.max_tool_rounds)


@dataclass(frozen=True, slots=True)
class Score:
    """Four criteria from 1 to 10 with their reasons, and what is missing."""

    completeness: int
    accuracy: int
    clarity: int
    specificity: int
    reasons: Mapping[str, str] = field(default_factory=dict)
    missing: str = ""

    @property
    def mean(self) -> float:
        return (self.completeness + self.accuracy + self.clarity + self.specificity) / 4


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decides on a run that waits or was interrupted.

    `guidance`, `tool` and `scope` apply to `go_on` only; None and "" leave things as they were.
    """

    kind: DecisionKind = "go_on"
    guidance: str = ""
    tool: str | None = None
    scope: ScopeChoice | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of the conversation and its answer."""

    question: str
    answer: str
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """Tool, query and documents of an iteration; each refinement is the next version."""

    version: int
    tool: str
    query: str
    documents: tuple[str, ...]
    """Document ids within the scope of the run."""
    strategy: Strategy | None
    """None for the first plan."""
    reason: str
    intent: Intent | None = None
    """The revised intent of the question; None: unchanged."""
    step: int = 1
    further: tuple["PlanStep", ...] = ()
    """The steps after this one (`step`)."""

    @property
    def steps(self) -> int:
        return self.step + len(self.further)


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step of a plan: a tool and its query."""

    tool: str
    query: str


@dataclass(frozen=True, slots=True)
class ResultCoverage:
    """How many of the relevant clauses a tool returned."""

    returned: int
    relevant: int


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool found, as values. `note` is one sentence that a reader must know."""

    clauses: tuple[Hit, ...] = ()
    pairs: tuple[ClausePair, ...] = ()
    rows: tuple[PenaltyRow, ...] = ()
    coverage: ResultCoverage | None = None
    note: str | None = None
    struck: tuple[str, ...] = ()
    """A sentence for each match that was deleted or is not yet in force."""


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What a call returns to the model: evidence, or an error that it can act on.

    `tables` are the pairs, rows and `struck` sentences as Markdown.
    """

    call: ToolCall
    sources: tuple[Source, ...] = ()
    tables: str = ""
    pairs: tuple[ClausePair, ...] = ()
    error: str | None = None
    struck: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedReference:
    """An article that a cited clause refers to.

    `read` before the draft, `unread` (read only after it), `missing` from its document, or
    `not_held`: of a document outside the scope.
    """

    article: str
    reference: str
    state: Literal["read", "unread", "missing", "not_held"]


@dataclass(frozen=True, slots=True)
class Draft:
    """The result of an iteration: visible thinking, the text after TASK_COMPLETE:, citations."""

    iteration: int
    text: str
    thinking: str
    citations: tuple[Citation, ...]
