"""The values of the library: documents, the scope of a search, and search results."""

import re
from collections.abc import Container, Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import takewhile
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field

from core.choices import (
    ID_PREFIX_LENGTH,
    Declaration,
    HitReason,
    PairKind,
    PairPlace,
    PairWording,
    Prevailing,
    RelationKind,
)
from core.errors import ScrutineerError, SettingsError
from core.grammar import stem_words
from core.library.article_path import is_at_or_below
from core.library.samples import sample_ids
from core.rulebook import (
    Clause,
    Figure,
    Identity,
    LineCorrection,
    MetadataOverride,
    PageLine,
    ReadingAccount,
    ReadingWarning,
    is_day,
)

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_VERSION_PARTS = re.compile(r"\d+|(?<![^\W\d_])[A-Za-z](?![^\W_])")
"""Numbers and single letters: 1, 2 of "v1.2", C of "Rev. C"."""
_SINCE = re.compile(
    r"(?:(?P<before>20\d\d)[^;]{0,90}?)?\bIss(?:ue)?\.?\s*0*(?P<issue>\d{1,3})\b"
    r"(?:\s+of\s+(?P<after>20\d\d))?",
    re.I,
)
"""An issue in a legend: "2026 ... Iss 06", "Issue 2 of 2023"."""
SegmentKind = Literal["same", "deleted", "inserted"]
MarkStatus = Literal["marked", "partly", "unmarked"]
UnmarkedReason = Literal["reference", "punctuation", "elsewhere"]
ScopePreset = str | int
"""A rule that chooses many documents at once: "newest", "day", "ticks", the season, or of a
competition the id of the document below all its layers."""

_SUBDIVISIONS = frozenset(
    "sporting technical financial operational general appendix annex annexe anhang schedule "
    "supplement section part".split()
)
_ORGANISATIONS = {"fia", "sae", "fim"}


def series_of(family: str) -> frozenset[str]:
    """Return what the rulebooks of a series share in their slugs: "f1" of "f1-sporting"."""
    return frozenset(series_tokens(family))


def series_tokens(family: str) -> list[str]:
    """The words of a slug before the kind, and before the letter of an appendix or a section."""
    named = [token for token in family.split("-") if token not in _ORGANISATIONS]
    return list(takewhile(lambda token: token not in _SUBDIVISIONS, named))


def version_parts(version: str, year: int = 0) -> tuple[int, ...]:
    """Return the numbers and letters of a version, without its year: (1, 2), (3,) for "Rev. C"."""
    parts = _VERSION_PARTS.findall(version)
    numbers = [int(part) if part.isdecimal() else ord(part.lower()) - 96 for part in parts]
    if year and numbers[:1] == [year]:
        del numbers[0]
    while numbers[-1:] == [0]:  # "1.0" and "1" are one version
        numbers.pop()
    return tuple(numbers)


def matches_id(document_id: str, wanted: str) -> bool:
    """True for an id, or at least ID_PREFIX_LENGTH characters of its beginning, in any case.

    An ellipsis at the end is ignored, as tables print ids ("a2e0968c8…").
    """
    wanted = wanted.strip().rstrip("…").lower()
    return document_id == wanted or (
        len(wanted) >= ID_PREFIX_LENGTH and document_id.startswith(wanted)
    )


@dataclass(frozen=True, slots=True)
class Relation:
    """How a document stands to another one, as a person said it.

    "supplements" adds to the other's rules, "amends" changes some of them, "replaces" is in force
    in its place from a day on, "interprets" says how they are meant and is no rule itself.
    """

    kind: RelationKind
    document_id: str  # of the other document
    prevails: Prevailing = ""
    """Whose rule holds where both speak of one thing: this document's or the other's; empty where
    nothing says so. What amends or replaces prevails whatever it is."""
    from_day: str | None = None
    """ISO date: the first day on which it holds; None for always."""
    clause_id: str = ""
    quote: str = ""
    """The words that say so, of the clause above; both are empty where a person alone says it."""
    by: str = ""
    """Who said it; empty for somebody on this machine."""
    at: str = ""  # ISO time, UTC
    is_carried: bool = False
    """True where it was said of an earlier issue of the other document, which is removed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document(Identity):
    """A document of the library: its identity, and what was counted and found when it was added.

    `file` is the sender's name for it, for display only, never a path.
    """

    LAST_ISSUE: ClassVar = 999
    document_id: str
    file: str
    pages: int
    clauses: int
    size: int  # bytes of the stored file
    added_at: str  # ISO time, UTC
    counts: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[ReadingWarning, ...] = ()
    account: ReadingAccount = field(default_factory=ReadingAccount)
    """What its reading left over."""
    corrections: tuple[LineCorrection, ...] = ()
    """What a person said of its lines: used whenever it is read again."""
    terms: Mapping[str, str] = field(default_factory=dict)
    """Lower-case terms with the form this document prefers: "virtual safety car": "vsc"."""

    title_family: str | None = None
    """Its family by its title, where the words that it shares with others gave it another."""
    relations: tuple[Relation, ...] = ()
    """How it stands to other documents. `core.library.layers` decides what that means."""
    valid_from: str | None = None
    valid_to: str | None = None
    """ISO dates: the first and the last day on which it is in force, where they are known."""

    def __hash__(self) -> int:
        return hash(self.document_id)

    def overlay(self, corrections: Mapping[str, Any]) -> "Document":
        """Return the document with a person's corrections, without the warnings they settle.

        Raises SettingsError `given` where it would end before it begins.
        """
        settled = {f"{name}_{why}" for name in corrections for why in ("unread", "proposed")}
        warnings = tuple(one for one in self.warnings if one.code not in settled)
        corrected = replace(Identity.overlay(self, corrections), warnings=warnings)
        first, last = corrected.validity
        if first and last and last < first:
            message = (
                f"{self.label} cannot end on {last}, before it begins on {first}: please correct"
                " one of the days."
            )
            raise SettingsError(message, code="given")
        return corrected

    @property
    def validity(self) -> tuple[str | None, str | None]:
        """The first and the last day on which it is in force, None for what is not known."""
        return self.valid_from, self.valid_to

    def is_in_force(self, day: str) -> bool:
        """True where it is in force on an ISO date, or may be.

        Where its first day is not known, that is the first on which it stands to another one, else
        the day of its publication. One that stands to others and names no day is.
        """
        if self.valid_to and self.valid_to < day:
            return False
        said = min((one.from_day for one in self.relations if one.from_day), default=None)
        is_undated = self.edition[0] and not self.relations
        first = self.valid_from or said or self.date or ("~" if is_undated else "")
        return first <= day

    @property
    def interprets(self) -> tuple[str, ...]:
        """The ids of the rulebooks that it interprets: a document of rulings, and of no rules."""
        return tuple(one.document_id for one in self.relations if one.kind == "interprets")

    def matches_id(self, document_id: str) -> bool:
        """True for its id or a beginning of it (`matches_id`)."""
        return matches_id(self.document_id, document_id)

    @property
    def edition(self) -> tuple[int, tuple[int, ...], str]:
        """Year, parts of the version and date to sort by, empty where they are unknown."""
        year = self.season or int((self.date or "0")[:4])
        return year, version_parts(self.version or str(self.issue or 0), year), self.date or ""

    def is_before(self, other: "Document") -> bool:
        """True where it is an earlier edition by all that both print of year, version and date.

        A year and a version count from the first that differs, and a version in one year only.
        """
        (year, version, day), (other_year, other_version, other_day) = self.edition, other.edition
        has_days = self.season is None or other.season is None
        if has_days and day and other_day and day != other_day:
            return day < other_day
        if year != other_year:
            return bool(year and other_year) and year < other_year
        if version and other_version and version != other_version:
            return version < other_version
        return bool(day and other_day) and day < other_day

    def find_mark_base(self, before: "Document") -> tuple[int, int] | None:
        """Return season and issue from which on it marks changes; None where it marks all.

        All are those since an earlier document.
        """
        return find_mark_base(before, self, self.legend)

    def describe_marks(self, before: "Document") -> str | None:
        """Describe which changes since an earlier one it marks; None without a legend."""
        if not self.legend or before.family != self.family:
            return None
        description = f"The later document marks: “{self.legend}”."
        if base := self.find_mark_base(before):
            season, issue = base
            description += f" What had changed before, up to Issue {issue} of {season},"
            description += " stands in it without a mark."
        return description

    @property
    def open_details(self) -> list[str]:
        """Return "family" and "season" as far as they are not known, or only proposed."""
        doubted = {warning.code for warning in self.warnings}
        return [
            name
            for name in ("family", "season")
            if getattr(self, name) is None or f"{name}_proposed" in doubted
        ]

    def list_details(self, families: Container[str]) -> dict[str, str | int | None]:
        """Return family, season, issue and days; None for what a form cannot hold.

        Clauses imported as JSON Lines may name any season.
        """
        season, issue = self.season or 0, self.issue or 0
        return {
            "family": self.family if self.family in families else None,
            "season": self.season if season in MetadataOverride.SEASONS else None,
            "issue": self.issue if 0 <= issue <= self.LAST_ISSUE else None,
            "date": self.date,
            "valid_from": self.valid_from,
            "valid_to": self.valid_to,
        }

    @property
    def rows(self) -> int:
        """The number of its rows in the index: its clauses, and its texts that are no rules."""
        return self.clauses + self.counts.get("other_texts", 0)

    @property
    def reading(self) -> Literal["whole", "partly"]:
        """Return "partly" if so little was placed under numbers that rules may be missing."""
        partly = any(warning.code == "partly_read" for warning in self.warnings)
        return "partly" if partly else "whole"

    @property
    def leftover_lines(self) -> list[PageLine]:
        """The lines that its reading left over, from the top of each page down."""
        lines = (*self.account.unplaced, *self.account.untaken)
        return sorted(lines, key=lambda line: (line.page, line.box[1]))

    @property
    def series(self) -> frozenset[str]:
        name = self.family or self.document_id
        return series_of(name) or frozenset((name,))

    @property
    def is_sample(self) -> bool:
        """True for a sample rulebook of the project: its series is invented."""
        return self.document_id in sample_ids()

    @property
    def rulebook(self) -> str:
        """What all its editions are called: its title without a year."""
        return " ".join(_YEAR.sub("", self.title).split()) or self.title

    @property
    def citation_label(self) -> str:
        """The label as it is cited: with the date where it has no version, or "invented"."""
        is_dated = self.date and self.issue is None and self.version is None
        label = f"{self.label} ({self.date})" if is_dated else self.label
        return f"{label} (invented)" if self.is_sample else label

    @property
    def label(self) -> str:
        """The document for people: "2025 Formula One Sporting Regulations, Issue 5"."""
        title, years = self.title, _YEAR.findall(self.title)
        if self.season and years and str(self.season) not in years:
            title = _YEAR.sub("", title).strip()  # a person corrected the season
        season = f"{self.season} " if self.season and str(self.season) not in title else ""
        version = self.version or ("" if self.issue is None else f"Issue {self.issue}")
        is_told = title.endswith(version)  # as some titles print it
        return f"{season}{title}" if is_told else f"{season}{title}, {version}"


def find_mark_base(
    before: Document | Clause, after: Document | Clause, legend: str
) -> tuple[int, int] | None:
    """Return season and issue from which on the later document marks changes, by its legend.

    One that names no issue marks what is new in its own. None where that is no later than the
    earlier document: then it marks all changes.
    """
    issues = (
        (int(match["before"] or match["after"] or after.season or 0), int(match["issue"]))
        for match in _SINCE.finditer(legend)
    )
    issue = (after.issue or 0) - 1
    own = (after.season or 0, issue) if legend and issue > 0 else (0, 0)
    base = min(issues, default=own)
    return base if base > (before.season or 0, before.issue or 0) else None


@dataclass(frozen=True, slots=True)
class IngestResult:
    """The result for one document; without `document`, but with `code` and `message` on failure."""

    file: str
    status: Literal["added", "unchanged", "failed"]
    seconds: float
    document: Document | None = None
    code: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class ScopeChoice:
    """What a person chose to search; unset means the newest issue of each family."""

    season: int | None = None
    document: str | None = None
    family: str | None = None
    issue: int | None = None
    on: str | None = None
    """An ISO date: only what was published by that day, hence the issues then in force."""
    documents: tuple[str, ...] | None = None
    """The ids of exactly these documents, whatever a question names."""
    competition: str | None = None
    """The id of a document, or the beginning of it: that one and all that lies above it."""

    def __post_init__(self) -> None:
        """Raises ScrutineerError `bad_request` for a day that is none."""
        if self.on is not None and not is_day(self.on):
            message = f"{self.on[:40]!r} is no day as YYYY-MM-DD, like 2025-04-30."
            raise ScrutineerError(message, code="bad_request")

    @property
    def is_set(self) -> bool:
        return self != ScopeChoice()

    @classmethod
    def by_preset(cls, preset: ScopePreset, ticked: tuple[str, ...]) -> "ScopeChoice":
        """Return the choice by a rule: of ticks the ticked documents, of a day today."""
        match preset:
            case "newest":
                return cls()
            case "ticks":
                return cls(documents=ticked)
            case "day":
                return cls(on=date.today().isoformat())
            case str():
                return cls(competition=preset)
        return cls(season=preset)

    @property
    def preset(self) -> ScopePreset:
        """The rule that it follows."""
        if self.documents is not None:
            return "ticks"
        return self.competition or ("day" if self.on else self.season or "newest")

    @property
    def ticks(self) -> str:
        """The chosen documents as an address names them, which has no room for whole ids."""
        return ",".join(one[:ID_PREFIX_LENGTH] for one in self.documents or ())

    def admits(self, season: int | None, issue: int | None) -> bool:
        """True of the season and the issue that are chosen, where they are."""
        return self.season in (None, season) and self.issue in (None, issue)


@dataclass(frozen=True, slots=True)
class Scope:
    """The documents a run may see, a filter below the tools. `why` gives the reason briefly."""

    documents: tuple[Document, ...]
    why: str
    left_out: tuple[Document, ...] = ()
    """Documents that the choice allows and that were left out: earlier issues, and samples."""
    day: str | None = None
    """The ISO date whose rules are asked; None for today's."""

    def require_documents(self) -> Self:
        """Return the scope. Raises ScrutineerError `nothing_in_scope` where it has no document."""
        if not self.documents:
            message = f"Nothing to search: {self.why}."
            raise ScrutineerError(message, code="nothing_in_scope")
        return self

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(document.document_id for document in self.documents)

    @property
    def by_id(self) -> dict[str, Document]:
        return {document.document_id: document for document in self.documents}

    @property
    def labels(self) -> dict[str, str]:
        """The labels of the documents, by id."""
        return {document.document_id: document.label for document in self.documents}

    @property
    def label(self) -> str:
        """The labels of the documents: "2025 Sporting Regulations, Issue 5 · ..."."""
        return " · ".join(self.labels.values()) or "no document"

    def with_compared_editions(self, documents: Iterable[Document]) -> "Scope":
        """Return the scope with a second edition of each rulebook that has one dated one in it.

        "What changed since Issue 5?" names one and means another: the newest, or, where the newest
        is named, the one before it.
        """
        dated = sorted((d for d in documents if d.family and d.edition[0]), key=lambda d: d.edition)
        found = list(self.documents)
        for document in self.documents:
            editions = [other for other in dated if other.family == document.family]
            if [other for other in found if other in editions] == [document] and len(editions) > 1:
                found.append(editions[-2] if editions[-1] == document else editions[-1])
        if len(found) == len(self.documents):
            return self
        left_out = tuple(document for document in self.left_out if document not in found)
        return Scope(tuple(found), f"{self.why}; with the edition to compare", left_out)

    def restrict_to_series(
        self, documents: Iterable[Document], answer_document_ids: Container[str]
    ) -> "Scope":
        """Restrict the scope to the series of the documents that an answer quotes.

        If it holds no such document, the result is empty and its `why` says so.
        """
        cited = [one for one in documents if one.document_id in answer_document_ids]
        series = {one.series for one in cited}
        kept = tuple(one for one in self.documents if one.series in series)
        if not series or len(kept) == len(self.documents):
            return self
        if kept:
            why = f"{self.why}; of the same series as the answer before"
            return replace(self, documents=kept, why=why)
        related = [one for one in documents if one.series in series]
        names = ", ".join(sorted({one.family or one.title for one in related}))
        why = (
            f"{self.why}, and the answer before was from {names}, of which the library holds"
            f" {join_seasons(related) or 'no season'}; name a rulebook to ask another"
        )
        return Scope((), why)

    def restrict_to(self, document_id: str) -> "Scope":
        """The scope of one of its documents."""
        documents = tuple(d for d in self.documents if d.document_id == document_id)
        return Scope(documents, "its document")


def join_seasons(documents: Iterable[Document]) -> str:
    return ", ".join(map(str, sorted({d.season for d in documents if d.season is not None})))


@dataclass(frozen=True, slots=True)
class Hit:
    """A clause found by a search, its `score` (for ordering only), and how it was found."""

    clause: Clause
    score: float
    why: HitReason
    words: float = 0.0
    """How well the query's words match it (BM25), relative to the clause they match best."""
    nearness: float = 0.0
    """The cosine of its meaning and the query's; 0 where it is not near, or without vectors."""
    near_words: str = ""
    """The words of its text whose meaning is nearest to the query's."""

    def has_own_words(self, stems: Set[str]) -> bool:
        """True unless only its neighbours, which count a little, have words that were searched."""
        clause = self.clause
        own = " ".join((*clause.breadcrumb, clause.title, clause.text or " ".join(clause.deleted)))
        return self.why == "exact" or not stems.isdisjoint(stem_words(own))


@dataclass(frozen=True, slots=True)
class ArticleLookup:
    """An article looked up by number: its clause, or `candidates` where the number is ambiguous.

    The `text` of the clause is cut to `part` where one was named. `children` are the numbers of its
    separately numbered sub-clauses. Without a match, `clause` is None and `candidates` is empty.
    """

    clause: Clause | None
    part: str | None = None
    children: tuple[str, ...] = ()
    candidates: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class DiffSegment:
    """A span of two wordings: in both, only in the earlier one, or only in the later one.

    `marked` is None for equal text, and where the later document's marks do not refer to the
    earlier one.
    """

    kind: SegmentKind
    text: str
    marked: bool | None = None
    """True where the publisher's marks cover most of its letters."""
    reason: UnmarkedReason | None = None
    """Why a difference may lack a mark: a reference that follows a new number, punctuation or
    capital letters alone, or words that occur in another clause (`ClausePair.elsewhere`)."""
    before: Annotated[str | None, Field(exclude=True)] = None
    """What the earlier wording has for equal text, where its spaces or typography differ."""


@dataclass(frozen=True, slots=True)
class ClausePair:
    """Two aligned clauses of a comparison; a side is None if only one document has the clause.

    `place` and `wording` say apart where the rule stands and what it says. `kind` is one word for
    both, which for a renumbered or moved rule leaves open whether its words changed.
    """

    kind: PairKind
    article_a: str | None = None
    article_b: str | None = None
    title: str = ""
    before: str = ""
    after: str = ""
    similarity: float = 0.0  # of the words of both texts, 0 to 1
    clause_a: str | None = None  # ids of both clauses
    clause_b: str | None = None
    marked: MarkStatus | None = None
    """How much the publisher marked; None where no words differ or no marks refer to them."""
    pieces: tuple[DiffSegment, ...] = ()  # word by word, where both wordings exist and differ
    elsewhere: str | None = None
    """The article of the other document that holds words which left or entered this clause."""
    place: PairPlace = "same"
    wording: PairWording = "same"
    """The words of one document alone count as changed."""
    removed_below: tuple[str, ...] = ()
    """Of a heading without text: the rules that left it. Its wording counts as changed."""
    added_below: tuple[str, ...] = ()
    """Of a heading without text: the rules that came below it. Its wording counts as changed."""
    gap_after: str | None = None
    """Of a removed clause: the article of the later document after which it would stand."""
    declaration: Declaration | None = None
    """Whether the publisher declared a change that was found, or that was not; None for neither,
    and where the later document has neither marks nor a record of changes."""
    said: tuple[str, ...] = ()
    """What the record of changes says of the rule."""
    redrawn: tuple[Figure, ...] = ()
    """The figures of the later document that the earlier one draws differently."""

    @property
    def articles(self) -> tuple[str, ...]:
        """Its numbers in both documents, as far as it has them."""
        return tuple(filter(None, (self.article_a, self.article_b)))

    @property
    def remarks(self) -> dict[str, str]:
        """What is worth saying of it, by kind: place, wording, declaration, mark."""
        is_alone = self.place in ("added", "removed")
        is_heading = self.added_below or self.removed_below  # whose own words are the same
        is_moved = self.declaration == "found" and self.marked == "unmarked"  # marked elsewhere
        values = {
            "place": None if self.place == "same" else self.place,
            "wording": None if is_alone or is_heading else self.wording,
            "declaration": self.declaration if self.said or is_moved or not self.marked else None,
            "mark": None if is_moved else self.marked,
        }
        return {kind: value for kind, value in values.items() if value}

    @property
    def has_difference(self) -> bool:
        """True unless number, words and figures are the same, whatever is below a heading."""
        return self.place != "same" or bool(self.pieces or self.redrawn)

    def is_about(self, article: str) -> bool:
        """True if one of its numbers is that of the article, or of one below it."""
        return any(is_at_or_below(number, article) for number in self.articles)

    @property
    def change(self) -> str:
        """Place and wording in words: "unchanged", "changed", "renumbered, changed" ..."""
        if self.place in ("same", "added", "removed"):
            return self.kind
        return f"{self.place}, changed" if self.wording == "changed" else self.place
