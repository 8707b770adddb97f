"""The events of a run, in the order they can come; a page, the command line and the database know nothing else of it.

Each leaves the program as JSON (`to_json`) and comes back the same (`from_json`).
"""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from core.agent.types import (
    Citation,
    CitedReference,
    ComplianceRow,
    DecisionKind,
    DraftCheck,
    Intent,
    Outcome,
    PenaltyRow,
    PlanStep,
    Purpose,
    ResultCoverage,
    RunLimits,
    Score,
    Source,
    Strategy,
    Usage,
)
from core.library import ClausePair


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    grows: ClassVar[bool] = False
    """True for the fragments of a text that a later event holds whole."""

    run_id: str = ""
    seq: int = 0
    """Position within the run, from 1."""
    at: str = ""
    """ISO time, UTC."""


class ScopeView(BaseModel):
    """The scope of a run as it is shown: documents by id and label, and how the scope came about."""

    model_config = ConfigDict(frozen=True)

    documents: dict[str, str]
    why: str


class Asked(_Event):
    """A question was put. Always first; a resumed run has a second one, with `guidance`."""

    type: Literal["Asked"] = "Asked"
    question: str
    scope: ScopeView
    limits: RunLimits
    answer_model: str
    decision_model: str
    offline: bool
    resumed: bool = False
    decision: DecisionKind | None = None
    """What the person decided when a run was resumed."""
    guidance: str = ""
    """The person's words for the further part."""


class Classified(_Event):
    """What kind of question it is and why; `reply` answers or declines it at once, or asks back (`clarify`)."""

    type: Literal["Classified"] = "Classified"
    intent: Intent
    reason: str
    question: str
    """The question as it stands alone, follow-ups resolved."""
    scope: ScopeView | None = None
    """The scope from here on: that of `Asked`, or of an earlier question that this one follows."""
    reply: str | None = None
    clarify: bool = False


class PlanMade(_Event):
    """The plan of the next iteration."""

    type: Literal["PlanMade"] = "PlanMade"
    iteration: int
    version: int
    step: int = 1
    further: tuple[PlanStep, ...] = ()
    """Which step of the plan this is, and the steps still to come."""

    @property
    def steps(self) -> int:
        return self.step + len(self.further)

    intent: Intent | None = None
    """Where the way back to classification has changed it."""
    tool: str
    query: str
    scope: ScopeView
    strategy: Strategy | None
    reason: str


class ToolCalled(_Event):
    """A tool has run. `round` 0 is the planned call, 1.. are the model's; `error` says why it failed."""

    type: Literal["ToolCalled"] = "ToolCalled"
    iteration: int
    round: int
    tool: str
    arguments: dict[str, Any]
    seconds: float
    found: int = 0
    note: str | None = None
    error: str | None = None
    cached: bool = False
    """The same call was made before in this run; its result was at hand."""


class ToolRetried(_Event):
    """A tool failed for a passing cause and is tried again."""

    type: Literal["ToolRetried"] = "ToolRetried"
    iteration: int
    tool: str
    attempt: int
    error: str


class EvidenceFound(_Event):
    """Clauses a tool brought, in its order, each under the marker it keeps for the whole run."""

    type: Literal["EvidenceFound"] = "EvidenceFound"
    iteration: int
    tool: str
    sources: tuple[Source, ...]
    pairs: tuple[ClausePair, ...] = ()
    rows: tuple[PenaltyRow, ...] = ()
    coverage: ResultCoverage | None = None


class ThoughtGrew(_Event):
    """More visible thinking."""

    grows: ClassVar[bool] = True
    type: Literal["ThoughtGrew"] = "ThoughtGrew"
    iteration: int
    text: str


class DraftGrew(_Event):
    """More of the draft as it streams; `Drafted` holds it whole."""

    grows: ClassVar[bool] = True
    type: Literal["DraftGrew"] = "DraftGrew"
    iteration: int
    text: str
    anew: bool = False
    """The draft begins here; what an earlier reply, or one that broke off, had of it no longer counts."""


class Drafted(_Event):
    """The draft of an iteration, whole."""

    type: Literal["Drafted"] = "Drafted"
    iteration: int
    text: str
    thinking: str
    citations: tuple[Citation, ...]


class Verified(_Event):
    """What was checked in the draft without a model, and what the clauses it cites refer to."""

    type: Literal["Verified"] = "Verified"
    iteration: int
    checks: tuple[DraftCheck, ...]
    references: tuple[CitedReference, ...] = ()
    requirements: tuple[ComplianceRow, ...] = ()
    """The question's values against the limits of the quoted clauses, where it brings any."""


class Scored(_Event):
    """The four scores of a draft; `by` names who scored (a model, or measures when offline)."""

    type: Literal["Scored"] = "Scored"
    iteration: int
    score: Score
    mean: float
    by: str


class Decided(_Event):
    """What follows from the score: accepted, a strategy for the next iteration, or the limit."""

    type: Literal["Decided"] = "Decided"
    iteration: int
    decision: Literal[
        "accept", "limit", "next_step", "REFINE_QUERY", "SWITCH_TOOL", "CONCLUDE", "CLARIFY"
    ]
    reason: str


class ModelCalled(_Event):
    """One call of a model: what for, what it cost, and which clauses went to which server."""

    type: Literal["ModelCalled"] = "ModelCalled"
    iteration: int
    """0 before the first iteration."""
    purpose: Purpose
    usage: Usage
    clauses: tuple[str, ...] = ()
    """Ids of the clauses whose words were sent."""
    tools: Literal["offered", "withheld", "none"] = "none"


class Warned(_Event):
    """Something a person should know; the run goes on."""

    type: Literal["Warned"] = "Warned"
    iteration: int
    code: str
    message: str


class Ended(_Event):
    """Always last. Four counters: iterations, tool rounds, tool calls, model calls."""

    type: Literal["Ended"] = "Ended"
    outcome: Outcome
    answer: str
    citations: tuple[Citation, ...]
    message: str = ""
    """For a person, where there is more to say than the answer: what failed, what is missing, what can be done."""
    decided_by: Literal["score", "limit", "model", "person"] | None = None
    """Who or what ended the run where it ended with a draft."""
    requirements: tuple[ComplianceRow, ...] = ()
    """The check of the values that the question brings, a row a requirement."""
    unsettled: tuple[str, ...] = ()
    """What the answer does not settle, a sentence each: checks that failed, articles it refers to and did not use."""
    suggestions: tuple[str, ...] = ()
    """Questions that can be asked next; the library has clauses on each."""
    score: float | None = None
    best_iteration: int | None = None
    iterations: int = 0
    tool_rounds: int = 0
    tool_calls: int = 0
    model_calls: int = 0
    seconds: float = 0.0
    cost: float | None = None


Event = Annotated[
    Asked
    | Classified
    | PlanMade
    | ToolCalled
    | ToolRetried
    | EvidenceFound
    | ThoughtGrew
    | DraftGrew
    | Drafted
    | Verified
    | Scored
    | Decided
    | ModelCalled
    | Warned
    | Ended,
    Field(discriminator="type"),
]

_ADAPTER: TypeAdapter[Event] = TypeAdapter(Event)


def to_json(event: Event) -> str:
    """One line of JSON."""
    return event.model_dump_json()


def from_json(line: str) -> Event:
    """The event of a line made by `to_json`. Raises pydantic.ValidationError."""
    return _ADAPTER.validate_json(line)
