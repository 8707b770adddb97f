"""The values that the loop passes around; plain data, no behaviour beyond what can be derived from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from core.library import ClausePair, Hit, HitReason, ScopeChoice
from core.rulebook import Clause

Intent = Literal["SEARCH", "SUMMARY", "COMPARISON", "PENALTY", "GENERAL", "OUT_OF_SCOPE"]
Strategy = Literal["REFINE_QUERY", "SWITCH_TOOL", "CONCLUDE", "CLARIFY"]
Outcome = Literal[
    "answered",
    "declined",
    "not_found",
    "limit_reached",
    "clarification_needed",
    "cancelled",
    "failed",
]
Purpose = Literal["classify", "answer", "score"]
HistoryMode = Literal["minimal", "progressive", "kitchen_sink"]
Mode = Literal["quick", "standard", "deep"]
DecisionKind = Literal["go_on", "conclude", "stop"]
CheckKind = Literal["quote", "number", "marker", "sum", "duty", "verdict"]
Verdict = Literal["legal", "not legal", "cannot tell"]
OCR_CAUTION = " (read by text recognition)"


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What a person allows a run. `quality_threshold` is a mean score from 1 to 10."""

    max_iterations: int = 3
    quality_threshold: float = 7.0
    max_tool_rounds: int | None = 2
    """None: as many as the model asks for, within the context and the budget (the deep mode)."""
    rounds_by_intent: Mapping[Intent, int] = field(default_factory=dict)
    """Tool rounds for some intents, in place of `max_tool_rounds`."""
    scoring: bool = True
    """Off: the first draft is the answer."""
    history_mode: HistoryMode = "progressive"
    max_context_tokens: int = 100_000
    """Tokens a model may be sent in one call."""
    budget: float | None = None
    """US dollars a run may cost; reaching it acts like the iteration limit."""
    seconds: float | None = None
    """Time a run may take; reaching it acts like the iteration limit."""
    tool_retries: int = 3
    """Further tries of a tool that failed for a passing cause."""

    def tool_rounds_for(self, intent: Intent) -> int | None:
        """The tool rounds of an iteration for an intent; None: unlimited."""
        return self.rounds_by_intent.get(intent, self.max_tool_rounds)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decides on a run that waits, or was cut off.

    Going on may come with guidance in words and with another tool; `scope` is the person's wider (or narrower) choice.
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
    citations: tuple["Citation", ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """Tool, query and documents of an iteration; each refinement makes the next version."""

    version: int
    tool: str
    query: str
    documents: tuple[str, ...]
    """Document ids; always within the scope of the run."""
    strategy: Strategy | None
    """None for the first plan."""
    reason: str
    intent: Intent | None = None
    """What the question turned out to be, where a refinement has revised it."""
    step: int = 1
    further: tuple["PlanStep", ...] = ()
    """Which step of the plan this is, and the steps still to come."""

    @property
    def steps(self) -> int:
        return self.step + len(self.further)


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step of a plan: a tool and what to look for with it."""

    tool: str
    query: str


@dataclass(frozen=True, slots=True)
class Source:
    """A clause as evidence of a run: its marker, where it stands, its words, and why it was found.

    Self-contained, so that a saved run can be shown after its document has left the library.
    """

    marker: int
    clause_id: str
    document_id: str
    document: str
    """The document's label."""
    article: str
    title: str
    breadcrumb: tuple[str, ...]
    text: str
    season: int | None
    issue: int | None
    page_first: int
    page_last: int
    score: float
    why: HitReason
    lead_in: tuple[str, ...] = ()
    """What its parents say that holds for it ("The following must be met:")."""
    ocr: bool = False
    """Read by text recognition."""
    pages: tuple[tuple[int, str], ...] = ()
    """Page and words on it, where the clause goes over several."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A marker of the run's evidence and a quote found in that clause (`part` is a lettered item, "d)")."""

    marker: int
    clause_id: str
    document_id: str
    document: str
    article: str
    part: str | None
    title: str
    quote: str
    page: int
    season: int | None
    issue: int | None
    ocr: bool = False
    """From a page read by text recognition: the words may hold its errors."""

    @property
    def caution(self) -> str:
        """What a reader is to know of the words, to be put behind where they stand; mostly empty."""
        return OCR_CAUTION if self.ocr else ""


@dataclass(frozen=True, slots=True)
class PenaltyRow:
    """A breach and its sanction, in the words of the clause."""

    breach: str
    sanction: str
    """What follows; a penalty that is named by its article comes with that article's own words behind an arrow."""
    decided_by: str
    article: str
    """With the lettered item, where it says it ("34.14d)")."""
    page: int
    clause_id: str
    conditions: str = ""
    """What it hangs on ("unless ...", "where ..."), literally."""
    kinds: tuple[str, ...] = ()
    """Kinds of sanction, as `Clause.sanctions` names them."""
    document: str = ""
    """The document's label."""


@dataclass(frozen=True, slots=True)
class ResultCoverage:
    """How much of what is relevant a tool gave: clauses returned, of clauses relevant."""

    returned: int
    relevant: int


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool found, as values, never prose. `note` is one sentence on anything a reader must know."""

    clauses: tuple[Hit, ...] = ()
    pairs: tuple[ClausePair, ...] = ()
    rows: tuple[PenaltyRow, ...] = ()
    coverage: ResultCoverage | None = None
    note: str | None = None
    struck: tuple[str, ...] = ()
    """What was asked for and is no rule any more, or not yet, a sentence each."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model is offered it: `schema` is the JSON schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's wish to call a tool. `call_id` is the model's own name for the call."""

    call_id: str
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What goes back to the model for a call: the evidence it brought, or an error it can act on."""

    call: ToolCall
    sources: tuple[Source, ...] = ()
    tables: str = ""
    """Pairs and rows as a Markdown table; empty where the tool gave none."""
    pairs: tuple[ClausePair, ...] = ()
    error: str | None = None
    struck: tuple[str, ...] = ()
    """What was asked for and is no rule any more, or not yet; `tables` says it too."""


@dataclass(frozen=True, slots=True)
class DraftCheck:
    """One thing verified in a draft without a model: a quote, a number, a marker."""

    kind: CheckKind
    passed: bool
    subject: str
    """The quote, number or marker itself."""
    message: str


@dataclass(frozen=True, slots=True)
class ComplianceRow:
    """A value that the question brings, held against a limit that a quoted clause sets: one row of a check.

    `limit`, `yours` and `margin` are amounts as people write them; a margin is what is left to the limit, negative
    where it is passed. The first of `citations` holds the limit, further ones what leads to it.
    """

    subject: str
    """What is limited, in the rule's words."""
    limit: str
    yours: str
    margin: str
    verdict: Verdict
    note: str = ""
    """How a value was computed, a condition the rule makes, or why nothing can be told."""
    alternative: bool = False
    """One of several of which the question does not say which is meant ("at the front", "at the rear")."""
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedReference:
    """An article that a cited clause names: `read` before the draft, `unread` (found for it only afterwards), `missing`
    from its document, or of a document that is `not_held` in scope."""

    article: str
    reference: str
    state: Literal["read", "unread", "missing", "not_held"]


@dataclass(frozen=True, slots=True)
class Score:
    """Four criteria from 1 to 10 with a reason each, and what is missing."""

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
class Draft:
    """What an iteration wrote: visible thinking, the text after TASK_COMPLETE:, and its citations."""

    iteration: int
    text: str
    thinking: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Usage:
    """What a model call cost. Tokens, seconds, US dollars; `cost` is None where no price is known."""

    model: str
    server: str
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    thinking_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = None
    stop_reason: str | None = None


def source_from_hit(hit: Hit, marker: int, document: str) -> Source:
    """The evidence form of a hit; `document` is the label of its document."""
    clause: Clause = hit.clause
    return Source(
        marker=marker,
        clause_id=clause.clause_id,
        document_id=clause.document_id,
        document=document,
        article=clause.article,
        title=clause.title,
        breadcrumb=clause.breadcrumb,
        text=clause.text,
        season=clause.season,
        issue=clause.issue,
        page_first=clause.page_first,
        page_last=clause.page_last,
        score=hit.score,
        why=hit.why,
        lead_in=clause.lead_in,
        ocr=clause.ocr,
        pages=tuple((place.page, place.words) for place in clause.places if place.words),
    )
