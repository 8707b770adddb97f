"""The values of a rulebook: clauses, marks, identity, and the report of its reading."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date as day
from typing import Any, ClassVar, Final, Literal, Self

from core.errors import SettingsError
from core.rulebook.references import find_unresolved_references

READING_VERSION: Final = 23
"""Raised with every change of what is read from the same bytes, so that libraries read again."""
PREAMBLE: Final = "Preamble"
"""The article of what comes before the first number."""
MAX_WARNINGS: Final = 40
"""Warnings of one code that a reading lists."""

ClauseStatus = Literal["in_force", "deleted", "future", "no_rule"]
TextKind = Literal[
    "", "cover", "contents", "changelog", "footnote", "index", "comment", "text_box", "ruling"
]
"""What a text of a document is that is no rule; "" for a rule."""
PutAwayPlace = Literal[TextKind, "legend", "lettering", "turned", "furniture"]
"""Where print is that is in no clause; "turned" runs in another direction than its page."""
MarkKind = Literal["deleted", "inserted", "hidden", "differs", "note"]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom in PDF points, measured from the page's top left corner."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work is: `done` of `total` pages (reading, scans), clauses (embedding), files."""

    stage: Literal["reading", "storing", "scans", "embedding", "files"]
    done: int
    total: int


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class TextLocation:
    """Where a text is printed: a page (from 1) and one box a line."""

    page: int
    boxes: tuple[Box, ...]
    words: str = ""
    """The words in force on this page, if the text runs over several."""


@dataclass(frozen=True, slots=True)
class TrackedChange:
    """A tracked change of a Word file: whose it is, and its ISO time as the file says."""

    by: str
    at: str
    moved: bool = False


@dataclass(frozen=True, slots=True)
class ClauseMark:
    """A span that is not plainly in force; one that differs names what is shown."""

    kind: MarkKind
    text: str
    page: int | None
    boxes: tuple[Box, ...]
    change: "TrackedChange | None" = None
    """Who deleted or inserted it in a Word file, and when."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture, or an equation that text cannot hold: its box on the page, and any caption."""

    kind: Literal["figure", "equation"]
    caption: str
    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class RulingDetails:
    """What a ruling says of itself, beside its words.

    `subjects` are the articles that a field of its own names ("Infringement", "Articles"): what it
    is about. What it names elsewhere it may only cite. `ranges` are first and last articles.
    """

    day: str | None = None  # ISO date
    source: str = ""
    subjects: tuple[str, ...] = ()
    ranges: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Clause:
    """A numbered rule and its own words: the unit that is indexed and cited.

    `text` is what is in force, with lettered items, without the title and without numbered
    sub-clauses. `breadcrumb` runs from the outermost heading to the parent ("34 Pit entry road").
    """

    clause_id: str
    document_id: str
    source_id: str
    article: str
    title: str
    breadcrumb: tuple[str, ...]
    text: str
    status: ClauseStatus
    deleted: tuple[str, ...]
    inserted: tuple[str, ...]
    marks: tuple[ClauseMark, ...]
    season: int | None
    issue: int | None
    family: str | None
    future: int | None
    """The season that it is about, if that is a later one."""
    page_first: int | None
    """None where the document has no pages."""
    page_last: int | None
    references: tuple[str, ...]
    places: tuple[TextLocation, ...] = ()
    language: str | None = None
    """ISO 639 code, if the document prints its text in several languages."""
    lead_in: tuple[str, ...] = ()
    """What its parents say before their sub-clauses ("The following must be met:")."""
    notes: tuple[str, ...] = ()
    """Words that the legend of the document calls not binding."""
    figures: tuple[Figure, ...] = ()
    defines: tuple[str, ...] = ()
    """Terms that it defines."""
    ocr: bool = False
    """True if text recognition read some of its words: errors and deleted words go unnoticed."""
    sanctions: tuple[str, ...] = ()
    """Kinds of sanction that it names ("time penalty", "drive-through" ...)."""
    footnotes: tuple[str, ...] = ()
    """The notes at the foot of its pages whose marks it bears."""
    kind: TextKind = ""
    """Not empty for a text that is no rule: its status is `no_rule`, its article is empty."""
    part: str = ""
    """The term or the unnumbered heading that names it, if it is one part of a long article."""
    ruling: RulingDetails | None = None
    """Of a text of the kind `ruling` alone."""

    def boxes_on(self, page: int) -> tuple[Box, ...]:
        """Where its words are on a page."""
        return tuple(box for one in self.places if one.page == page for box in one.boxes)

    @property
    def is_preamble(self) -> bool:
        """True of what comes before the first number."""
        return self.article == PREAMBLE

    @property
    def whole_article(self) -> str:
        """The article that it is a part of, else its own."""
        return self.article.removesuffix(f"“{self.part}”").rstrip() if self.part else self.article


@dataclass(frozen=True, slots=True)
class Identity:
    """What a document is. `sources` names where each field was read: `title page`, `given` ..."""

    title: str
    family: str | None = None
    season: int | None = None
    issue: int | None = None
    date: str | None = None
    """ISO date of publication, `YYYY-MM-DD`."""
    language: str | None = None
    """ISO 639 code of the text, of its main text where there are several."""
    sources: Mapping[str, str] = field(default_factory=dict)
    legend: str = ""
    """Its own words on the changes it marks ("Changes relative to ... Issue 4 ...")."""
    version: str | None = None
    """Its version as printed where that is more than an issue: "Rev. C", "Version 2025.3"."""

    def overlay(self, corrections: Mapping[str, Any]) -> Self:
        """Return the identity with a person's corrections; None marks a field as unknown."""
        sources = {**self.sources, **dict.fromkeys(corrections, "given")}
        version = None if "issue" in corrections else self.version
        return replace(self, **{**corrections, "sources": sources, "version": version})


def is_day(text: str) -> bool:
    """True for a day as YYYY-MM-DD alone: not 20250430."""
    try:
        return day.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class MetadataOverride:
    """What a person corrects of an identity. None leaves a field as it was read.

    Raises SettingsError `given` for a value that no rulebook can have.
    """

    FIELDS: ClassVar = ("family", "season", "issue", "date")
    VALIDITY: ClassVar = ("valid_from", "valid_to")
    LONGEST_FAMILY: ClassVar = 80  # characters
    SEASONS: ClassVar = range(1950, 2101)

    family: str | None = None
    season: int | None = None
    issue: int | None = None
    """0 or more."""
    date: str | None = None
    """ISO date, `YYYY-MM-DD`."""
    valid_from: str | None = None
    """ISO date: the first day on which the document is in force."""
    valid_to: str | None = None
    """ISO date: the last day on which the document is in force."""

    def __post_init__(self) -> None:
        if fault := next(self._find_faults(), None):
            raise SettingsError(fault, code="given")

    def _find_faults(self) -> Iterator[str]:
        family, season, issue = self.family, self.season, self.issue
        if family is not None and not (
            family.strip() and family.isprintable() and len(family) <= self.LONGEST_FAMILY
        ):
            form = f"one line of 1 to {self.LONGEST_FAMILY} characters, for example f1-sporting"
            yield f"A family is {form}: please correct it."
        if season is not None and season not in self.SEASONS:
            years = f"from {self.SEASONS[0]} to {self.SEASONS[-1]}"
            yield f"The season {season} cannot be: give a year {years}."
        if issue is not None and issue < 0:
            yield f"The issue {issue} cannot be: give 0 or a higher number."
        for date in (self.date, self.valid_from, self.valid_to):
            if date is not None and not is_day(date):
                yield f"The date {date[:40]!r} is no day as YYYY-MM-DD, for example 2025-04-30."

    @property
    def corrections(self) -> dict[str, str | int]:
        """The fields that are set, for `Identity.overlay`."""
        values = {name: getattr(self, name) for name in (*self.FIELDS, *self.VALIDITY)}
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class ReadingWarning:
    """What a person should know about a reading; `page` counts from 1, None for no single page."""

    code: str
    page: int | None
    message: str

    @classmethod
    def list_unresolved(
        cls, clauses: Sequence[Clause], related: Iterable[Clause] = ()
    ) -> tuple[int, list[Self]]:
        """Return how many references lead nowhere, also not into `related` clauses, and warnings.

        `clauses` are those of the whole document.
        """
        cited = [(clause.article, clause.references) for clause in clauses]
        unresolved = find_unresolved_references(cited, (one.article for one in related))
        pages = {clause.article: clause.page_first for clause in reversed(clauses)}
        said = "{} refers to {}, which is not in this document."
        warnings = [
            cls("unresolved_reference", pages.get(article), said.format(article, target))
            for article, target in unresolved[:MAX_WARNINGS]
        ]
        return len(unresolved), warnings

    @property
    def is_on_correction(self) -> bool:
        """True if what a person said of a line changed nothing."""
        return self.code in ("line_not_found", "line_not_used")


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line of a page: its first words, and the number that they begin with if it has one."""

    page: int | None
    words: str
    box: Box
    number: str = ""


@dataclass(frozen=True, slots=True)
class LongClause:
    """A clause with more letters than a rule has: others may be lost in it."""

    article: str
    page: int | None
    letters: int


@dataclass(frozen=True, slots=True)
class PutAway:
    """Print that is in no clause; nothing proves that `unproved` of its letters are no rules."""

    place: PutAwayPlace
    pages: tuple[int, ...]
    words: str
    letters: int
    unproved: int = 0


@dataclass(frozen=True, slots=True)
class ReadingAccount:
    """What a reading left over, for a person to look at. Lists are cut, `counts` are not."""

    unplaced: tuple[PageLine, ...] = ()
    """Lines below no number, apart from the cover and the contents."""
    untaken: tuple[PageLine, ...] = ()
    """Lines whose number goes on from one of the document's own and began no clause."""
    long_clauses: tuple[LongClause, ...] = ()
    put_away: tuple[PutAway, ...] = ()


@dataclass(frozen=True, slots=True)
class LineCorrection:
    """What a person says of a line, and so of all lines like it in the document.

    The line is the first on `page` that begins with `words`, apart from blanks and case.
    Raises SettingsError `correction` for what no page can have.
    """

    DEEPEST: ClassVar = 9  # level of a heading
    LONGEST: ClassVar = 200  # characters of the words

    kind: Literal["heading", "furniture"]
    page: int
    words: str
    level: int = 1
    """Of a heading, 1 for the outermost."""

    def __post_init__(self) -> None:
        known = self.key and len(self.words) <= self.LONGEST
        if self.page < 1 or not known or not 1 <= self.level <= self.DEEPEST:
            message = (
                f"Give a page from 1, the first words of a line there and a level from 1 to"
                f" {self.DEEPEST}, not page {self.page}, {self.words[:40]!r}, level {self.level}."
            )
            raise SettingsError(message, code="correction")

    @property
    def key(self) -> str:
        """The words in small letters without blanks, to compare them with a line."""
        return fold_line(self.words)

    @property
    def line(self) -> tuple[int, str]:
        return self.page, self.key


def fold_line(text: str) -> str:
    """The text of a line in small letters without blanks."""
    return "".join(text.split()).casefold()


@dataclass(frozen=True, slots=True)
class ReadingReport:
    """What a reading met: counts by name (`clauses`, `deleted_spans` ...) and warnings."""

    counts: Mapping[str, int]
    warnings: tuple[ReadingWarning, ...]
    account: ReadingAccount = ReadingAccount()


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a file brings beside its pages, as numbers of each."""

    signatures: int = 0
    signed_bytes: int = 0
    """What the last signature covers, from the beginning of the file."""
    scripts: int = 0
    layers: int = 0
    attachments: int = 0
    form_fields: int = 0


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One document. `document_id` is the SHA-256 of its bytes, in hexadecimal."""

    document_id: str
    identity: Identity
    pages: int
    """0 for a document that has none."""
    clauses: tuple[Clause, ...]
    report: ReadingReport
    other_texts: tuple[Clause, ...] = ()
    """What is printed and is no rule (see `Clause.kind`), in reading order."""


def make_clause_id(document_id: str, article: str, counts: Counter[str]) -> str:
    """Count an article, and return the id of its clause: "~2" at the end of the second one's."""
    counts[article] += 1
    repeated = f"~{counts[article]}" if counts[article] > 1 else ""
    return f"{document_id}:{article}{repeated}"


def plain_clause(document_id: str, clause_id: str, **given: Any) -> Clause:
    """Return a clause without marks and above all others, on the first page unless it is given."""
    plain: dict[str, Any] = {
        "source_id": clause_id,
        "article": "",
        "title": "",
        "text": "",
        "breadcrumb": (),
        "status": "in_force",
        "deleted": (),
        "inserted": (),
        "marks": (),
        "season": None,
        "issue": None,
        "family": None,
        "future": None,
        "page_first": 1,
        "page_last": 1,
        "references": (),
    }
    return Clause(clause_id=clause_id, document_id=document_id, **plain | given)
