"""The events of a run, in order; pages, the command line and the database see nothing else of it.

`model_dump_json` and `from_json` are inverses.
"""

from collections.abc import Generator
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from core.agent.types import (
    CitedReference,
    DecisionKind,
    Intent,
    Outcome,
    PlanStep,
    Purpose,
    ResultCoverage,
    RunBudget,
    Score,
    Strategy,
)
from core.library import ClausePair, Editions, Scope
from core.model_calls import Usage
from core.registers import PenaltyRow
from core.verification import Citation, ComplianceRow, DraftCheck, Source, StatementVerdict


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    grows: ClassVar[bool] = False
    """True for fragments of a text that a later event holds in full."""

    run_id: str = ""
    seq: int = 0
    """Position within the run, from 1."""
    at: str = ""
    """ISO time, UTC."""


class ScopeView(BaseModel):
    """The scope of a run as it is shown: labels of documents by id, and why it is this scope."""

    model_config = ConfigDict(frozen=True)

    documents: dict[str, str]
    why: str
    left_out: dict[str, str] = Field(default_factory=dict)
    """Labels of the documents that would fit, and are not searched."""
    day: str | None = None
    """The ISO date whose rules are asked; None for today's."""
    unordered: tuple[tuple[str, ...], ...] = ()
    """The ids of the editions of each rulebook of which nothing printed says the newest."""

    @classmethod
    def from_scope(cls, scope: Scope) -> "ScopeView":
        seen, left_out = (
            {document.document_id: document.citation_label for document in documents}
            for documents in (scope.documents, scope.left_out)
        )
        unordered = tuple(
            tuple(one.document_id for one in editions)
            for editions in Editions(scope.documents).list_ambiguous()
        )
        known = {"documents": seen, "left_out": left_out, "unordered": unordered}
        return cls(why=scope.why, day=scope.day, **known)


class Asked(_Event):
    """The question. Always first; each resumption adds another one, with `decision`."""

    type: Literal["Asked"] = "Asked"
    question: str
    scope: ScopeView
    limits: RunBudget
    """The budget of the run, under its name in the runs of version 0.1."""
    answer_model: str
    decision_model: str
    offline: bool
    is_free: bool = False
    """The person has chosen no documents."""
    resumed: bool = False
    decision: DecisionKind | None = None
    guidance: str = ""
    """What the person wrote when they resumed the run."""


class Classified(_Event):
    """What kind of question it is and why.

    `reply` answers or declines the question without a tool; with `clarify` it asks one back.
    """

    type: Literal["Classified"] = "Classified"
    intent: Intent
    reason: str
    question: str
    """The question on its own, without references to earlier ones."""
    scope: ScopeView | None = None
    """The scope from here on: that of `Asked`, or of an earlier question."""
    reply: str | None = None
    clarify: bool = False


class PlanMade(_Event):
    """The plan of the next iteration."""

    type: Literal["PlanMade"] = "PlanMade"
    iteration: int
    version: int
    step: int = 1
    further: tuple[PlanStep, ...] = ()
    """The steps after this one (`step`)."""

    @property
    def steps(self) -> int:
        return self.step + len(self.further)

    intent: Intent | None = None
    """The revised intent; None where it is the same."""
    tool: str
    query: str
    scope: ScopeView
    strategy: Strategy | None
    reason: str


class ToolCalled(_Event):
    """A tool call. `round` 0 is the planned call, later ones are the model's."""

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
    """The result comes from the same call earlier in the run."""


class ToolRetried(_Event):
    """A tool failed for a passing cause and is called again."""

    type: Literal["ToolRetried"] = "ToolRetried"
    iteration: int
    tool: str
    attempt: int
    error: str


class EvidenceFound(_Event):
    """Clauses that a tool found, in its order; each keeps its marker for the whole run."""

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
    """More of the draft as it streams; `Drafted` holds all of it."""

    grows: ClassVar[bool] = True
    type: Literal["DraftGrew"] = "DraftGrew"
    iteration: int
    text: str
    anew: bool = False
    """A new draft begins here; discard fragments of an earlier or failed reply."""


class UsageGrew(_Event):
    """A call that streams has begun, with this usage so far; `ModelCalled` holds all of it."""

    grows: ClassVar[bool] = True
    type: Literal["UsageGrew"] = "UsageGrew"
    iteration: int
    usage: Usage


class Drafted(_Event):
    """The draft of an iteration."""

    type: Literal["Drafted"] = "Drafted"
    iteration: int
    text: str
    thinking: str
    citations: tuple[Citation, ...]


class Verified(_Event):
    """Checks of the draft without a model, and the references of the clauses that it cites."""

    type: Literal["Verified"] = "Verified"
    iteration: int
    checks: tuple[DraftCheck, ...]
    references: tuple[CitedReference, ...] = ()
    requirements: tuple[ComplianceRow, ...] = ()
    """The values in the question compared with the limits in the quoted clauses."""


class Scored(_Event):
    """The four scores of a draft, and what was ruled on its statements, by the model `by`."""

    type: Literal["Scored"] = "Scored"
    iteration: int
    score: Score
    mean: float
    by: str
    statements: tuple[StatementVerdict, ...] = ()


class Decided(_Event):
    """What follows from the score: accept, a strategy for the next iteration, or the limit."""

    type: Literal["Decided"] = "Decided"
    iteration: int
    decision: Literal[
        "accept",
        "found",
        "limit",
        "next_step",
        "REFINE_QUERY",
        "SWITCH_TOOL",
        "CONCLUDE",
        "CLARIFY",
    ]
    reason: str


class ModelCalled(_Event):
    """One call of a model: its purpose, its cost, and the clauses sent to the server."""

    type: Literal["ModelCalled"] = "ModelCalled"
    iteration: int
    """0 before the first iteration."""
    purpose: Purpose
    usage: Usage
    clauses: tuple[str, ...] = ()
    """Ids of the clauses whose text was sent."""
    tools: Literal["offered", "withheld", "none"] = "none"


class Warned(_Event):
    """A problem that a person should know of; the run continues."""

    type: Literal["Warned"] = "Warned"
    iteration: int
    code: str
    message: str


class Choice(BaseModel):
    """What a question may mean: one that needs no more to be said, asked of a document or of all.

    `document` is the label of the one with `document_id`.
    """

    model_config = ConfigDict(frozen=True)

    question: str
    document_id: str = ""
    document: str = ""


class Ended(_Event):
    """Always last. Four counters: iterations, tool rounds, tool calls, model calls."""

    type: Literal["Ended"] = "Ended"
    outcome: Outcome
    answer: str
    citations: tuple[Citation, ...]
    message: str = ""
    """For a person, beside the answer: what failed, what is missing, what can be done."""
    decided_by: Literal["score", "limit", "model", "person"] | None = None
    """Who or what chose the draft with which the run ended."""
    requirements: tuple[ComplianceRow, ...] = ()
    """The values in the question compared with the quoted limits."""
    unsettled: tuple[str, ...] = ()
    """A sentence for each check that failed and each reference that was not read."""
    definition: str = ""
    """The term asked for, where the first quote defines it."""
    undefined: str = ""
    """The term asked for, where no document in scope defines it."""
    choices: tuple[Choice, ...] = ()
    """What may be meant, or where else it can be asked."""
    suggestions: tuple[str, ...] = ()
    """Questions to ask next; the library has clauses on each."""
    score: float | None = None
    best_iteration: int | None = None
    iterations: int = 0
    tool_rounds: int = 0
    tool_calls: int = 0
    model_calls: int = 0
    seconds: float = 0.0
    cost: float | None = None
    sent_tokens: int = 0
    """Tokens that models were sent, and how many of them their servers had in the cache."""
    cached_tokens: int = 0

    @property
    def has_draft(self) -> bool:
        """True where a draft is left that a person may accept."""
        return self.outcome in ("limit_reached", "found")

    @property
    def partial_reading(self) -> str:
        """A sentence that names the cited documents read in part; empty where none was."""
        documents = dict.fromkeys(c.document for c in self.citations if c.partly_read)
        names = " · ".join(documents)
        return f"Read in part, so rules may be missing: {names}." if names else ""


_SearchEvent = Asked | Classified | PlanMade | ToolCalled | ToolRetried | EvidenceFound
_DraftEvent = ThoughtGrew | DraftGrew | UsageGrew | Drafted | Verified | Scored
_RunEvent = Decided | ModelCalled | Warned | Ended
Event = Annotated[_SearchEvent | _DraftEvent | _RunEvent, Field(discriminator="type")]

T = TypeVar("T")
EventStream = Generator[Event, None, T]
"""Yields the events of a part of a run, and returns its result."""

_ADAPTER: TypeAdapter[Event] = TypeAdapter(Event)


def from_json(line: str) -> Event:
    """Parse a line made by `model_dump_json`. Raises pydantic.ValidationError."""
    return _ADAPTER.validate_json(line)
