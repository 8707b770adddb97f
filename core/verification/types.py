"""What a draft rests on and what is found of it: plain data."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from core.choices import HitReason
from core.grammar import article_label
from core.registers import LayerNote
from core.sheets import CheckedLimit

CheckKind = Literal[
    "quote", "number", "marker", "sum", "duty", "verdict", "uncited", "place", "force", "whole"
]
_OCR_CAUTION = " (read by text recognition)"
DIFFERS_CAUTION = " (words beside it are not as the page shows them)"
PARTLY_READ_CAUTION = " (read in part: rules may be missing)"


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
    page_first: int | None
    page_last: int | None
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
    address: str = ""
    """On any server, as of `core.library.RuleAddress`; empty in what earlier versions kept."""
    layers: tuple[LayerNote, ...] = ()
    """What rules of other layers mean for it."""

    @property
    def place(self) -> str:
        """Its page, "" in a document without pages."""
        return f"page {self.page_first}" if self.page_first else ""

    @property
    def reading_caution(self) -> str:
        """A note to show behind its page; empty for most."""
        read = _OCR_CAUTION if self.ocr else ""
        return read + "".join(f" ({note.caution})" for note in self.layers)

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
    page: int | None
    season: int | None
    issue: int | None
    ocr: bool = False
    partly_read: bool = False
    differs: bool = False
    address: str = ""
    """Of its clause, on any server; empty in what earlier versions kept."""
    layers: tuple[LayerNote, ...] = ()
    """What rules of other layers mean for the quoted words."""
    paragraph: int | None = None
    """The paragraph of its clause, from 1, in which the quote begins: for one without a page."""

    @property
    def full_article(self) -> str:
        """Its article with its item: "34.7 d)"."""
        return f"{self.article} {self.part}" if self.part else self.article

    @property
    def lettered_part(self) -> str:
        """Its lettered item, without the term or heading before that; empty for none."""
        return re.sub(r"^“[^”]*”\s?", "", self.part or "")

    def describe_place(self, in_part: bool) -> str:
        """Return the line below its quote: "Article 34.7 d), page 41, 2025 Regulations"."""
        cut = " (in part)" if in_part else ""
        place = f"{article_label(self.full_article)}{cut}, {self.place}"
        return f"{place}, {self.document}{self.caution}"

    @property
    def place(self) -> str:
        """The page, or the paragraph of the article where the document has no pages."""
        return f"page {self.page}" if self.page else f"paragraph {self.paragraph or 1}"

    @property
    def caution(self) -> str:
        """A note to show behind the place of the quote; empty for most."""
        read = (_OCR_CAUTION if self.ocr else "") + (DIFFERS_CAUTION if self.differs else "")
        read += PARTLY_READ_CAUTION if self.partly_read else ""
        return read + "".join(f" ({note.caution})" for note in self.layers)


CheckLevel = Literal["fatal", "doubt", "noted"]
"""How grave a failed check is: no draft passes with it, the judge decides on it, or it is told."""
LEVELS: Mapping[str, CheckLevel] = {
    "place": "fatal",
    "other edition": "fatal",
    "no clause": "fatal",
    "unlike its clause": "doubt",
    "unknown number": "doubt",
    "other number": "doubt",
    "other amount": "fatal",
    "contradicts": "fatal",  # proved to say otherwise than its clauses
    "differs": "doubt",
}
"""How grave the reasons are for which a check of own words fails. Only what is proved is fatal: all
else is the judge's to decide."""


@dataclass(frozen=True, slots=True)
class DraftCheck:
    """The check of a `subject` (quote, number, marker) of a draft, made without a model."""

    kind: CheckKind
    passed: bool
    subject: str
    message: str
    level: CheckLevel = "fatal"
    statement: int = 0
    """The statement that it doubts, by its place in the draft from 1; 0 for none."""

    @property
    def is_doubt(self) -> bool:
        return not self.passed and self.level == "doubt"


def doubt_or_fail(kind: CheckKind, subject: str, message: str, reason: str) -> DraftCheck:
    """Return a check that failed for a reason, with the level of that reason."""
    return DraftCheck(kind, False, subject, message, LEVELS[reason])


Ruling = Literal["supported", "contradicted", "not in the evidence"]


@dataclass(frozen=True, slots=True)
class StatedRule:
    """A statement of a draft that a judge rules on, with the words and clauses that it cites.

    `number` is its place in the draft, from 1. `doubts` are those of checks without a model.
    """

    number: int
    text: str
    quotes: tuple[str, ...]
    sources: tuple[Source, ...]
    doubts: tuple[str, ...]
    tells_rule: bool
    """It says a duty or an amount."""


@dataclass(frozen=True, slots=True)
class StatementVerdict:
    """What a judge ruled on a statement, the words that decide, and the doubts that it had.

    `counts` is False for a statement without a rule that the evidence lacks: no draft is refused
    for one.
    """

    number: int
    statement: str
    ruling: Ruling
    words: str
    doubts: tuple[str, ...] = ()
    counts: bool = True

    @property
    def failure(self) -> str:
        """The sentence on a statement that must not stand; empty for one that may."""
        if self.ruling == "supported" or not self.counts:
            return ""
        if self.ruling == "contradicted":
            return f"“{self.statement}” is contradicted by “{self.words}”."
        return f"“{self.statement}” is not in the evidence."


def list_doubts(
    checks: Sequence[DraftCheck], verdicts: Sequence[StatementVerdict]
) -> tuple[DraftCheck, ...]:
    """Return the doubts of checks, without those on statements that a judge found supported."""
    supported = (verdict for verdict in verdicts if verdict.ruling == "supported")
    overruled = {(verdict.number, doubt) for verdict in supported for doubt in verdict.doubts}
    doubts = (check for check in checks if check.is_doubt)
    return tuple(one for one in doubts if (one.statement, one.message) not in overruled)


@dataclass(frozen=True, slots=True)
class ComplianceRow(CheckedLimit):
    """A checked limit; the first of `citations` contains it, the others what leads to it."""

    citations: tuple[Citation, ...] = ()
