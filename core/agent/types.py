"""The values of a run: plain data, and what follows from it without a library or a model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.library import ClausePair, Hit, HitReason, ScopeChoice
from core.limits import Verdict
from core.model_calls import ToolCall
from core.penalties import PenaltyRow
from core.rulebook import article_label

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
Mode = Literal["quick", "standard", "deep"]
DecisionKind = Literal["go_on", "conclude", "stop"]
CheckKind = Literal[
    "quote", "number", "marker", "sum", "duty", "verdict", "uncited", "place", "force", "whole"
]
OCR_CAUTION = " (read by text recognition)"
DIFFERS_CAUTION = " (words beside it are not as the page shows them)"
PARTLY_READ_CAUTION = " (read in part: rules may be missing)"


@dataclass(frozen=True, slots=True)
class RunLimits:
    """The limits of a run. `quality_threshold` is a mean score from 1 to 10."""

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

    def tool_rounds_for(self, intent: Intent) -> int | None:
        """Return the tool rounds of an iteration for an intent; None: unlimited."""
        return self.rounds_by_intent.get(intent, self.max_tool_rounds)


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
    citations: tuple["Citation", ...] = ()


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
class Source:
    """A clause as evidence of a run, complete: its document may leave the library.

    `document` is a label. `lead_in` is text of its parents that introduces it. `pages` are
    (page, its words) for a clause on several pages. `footnotes` can be quoted too.
    """

    marker: int
    clause_id: str
    document_id: str
    document: str
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
    ocr: bool = False
    differs: bool = False
    pages: tuple[tuple[int, str], ...] = ()
    partly_read: bool = False
    footnotes: tuple[str, ...] = ()
    words: float = 0.0
    nearness: float = 0.0
    near_words: str = ""
    """How well words and meaning match the search that found it, as of a `Hit`."""
    part: str = ""
    """The term or heading that names it, if it is one part of a long article."""

    @property
    def whole_article(self) -> str:
        """The article that it is a part of, else its own."""
        return self.article.removesuffix(f"“{self.part}”").rstrip() if self.part else self.article


@dataclass(frozen=True, slots=True)
class Citation:
    """A quote from the clause with this marker; `part` is an item of its article that the quote is
    from: a letter ("d)"), or the term or heading that names it ("“Circuit”").

    `ocr`: from a page read by text recognition, so the quote may have errors. `partly_read`: from a
    document whose numbering was hardly understood, so other rules of it may be missing. `differs`:
    words of its clause are unseen on the page, or others there, and so not in force.
    """

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
    partly_read: bool = False
    differs: bool = False

    @property
    def full_article(self) -> str:
        """Its article with its item: "34.7 d)"."""
        return f"{self.article} {self.part}" if self.part else self.article

    def describe_place(self, in_part: bool) -> str:
        """Return the line below its quote: "Article 34.7 d), page 41, 2025 Regulations"."""
        cut = " (in part)" if in_part else ""
        place = f"{article_label(self.full_article)}{cut}, page {self.page}"
        return f"{place}, {self.document}{self.caution}"

    @property
    def caution(self) -> str:
        """A note to show behind the place of the quote; empty for most."""
        read = (OCR_CAUTION if self.ocr else "") + (DIFFERS_CAUTION if self.differs else "")
        return read + (PARTLY_READ_CAUTION if self.partly_read else "")


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
class DraftCheck:
    """The check of a `subject` (quote, number, marker) of a draft, made without a model."""

    kind: CheckKind
    passed: bool
    subject: str
    message: str


@dataclass(frozen=True, slots=True)
class ComplianceRow:
    """A value of the question compared with a limit on the `subject` of a quoted clause.

    `limit`, `yours` and `margin` are amounts with units. A margin is the distance to the limit,
    negative beyond it. The first of `citations` contains the limit, the others what leads to it.
    """

    subject: str
    limit: str
    yours: str
    margin: str
    verdict: Verdict
    note: str = ""
    """How a value was computed, a condition of the rule, or why there is no verdict."""
    alternative: bool = False
    """One of several limits that the question can mean ("at the front", "at the rear")."""
    citations: tuple[Citation, ...] = ()


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
class Draft:
    """The result of an iteration: visible thinking, the text after TASK_COMPLETE:, citations."""

    iteration: int
    text: str
    thinking: str
    citations: tuple[Citation, ...]


def source_from_hit(hit: Hit, marker: int, document: str, *, partly_read: bool = False) -> Source:
    """Build the evidence form of a hit; `document` is the label of its document."""
    clause = hit.clause
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
        differs=any(mark.kind in ("hidden", "differs") for mark in clause.marks),
        pages=tuple((place.page, place.words) for place in clause.places if place.words),
        partly_read=partly_read,
        footnotes=clause.footnotes,
        words=hit.words,
        nearness=hit.nearness,
        near_words=hit.near_words,
        part=clause.part,
    )
