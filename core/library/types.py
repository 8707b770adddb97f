"""The values of the library: documents, the scope of a search, and what a search finds."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.rulebook import Clause, ReadingWarning

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
AddStatus = Literal["added", "unchanged", "failed"]
SearchMode = Literal["lexical", "dense", "hybrid"]
PairKind = Literal["unchanged", "changed", "added", "removed", "renumbered", "moved"]
HitReason = Literal["exact", "words", "vector", "reference", "definition", "topic"]
SegmentKind = Literal["same", "deleted", "inserted"]
MarkStatus = Literal["marked", "partly", "unmarked"]
UnmarkedReason = Literal["reference", "punctuation", "elsewhere"]
ID_PREFIX_LENGTH = 8
"""Characters of a document's id that may stand for the whole."""


@dataclass(frozen=True, slots=True)
class Document:
    """One document as the library knows it. `file` is the sender's name for it, for showing only, never a path."""

    document_id: str
    file: str
    title: str
    family: str | None
    season: int | None
    issue: int | None
    date: str | None
    pages: int
    clauses: int
    size: int
    """Bytes of the stored file."""
    added_at: str
    """ISO time, UTC."""
    language: str | None = None
    """ISO 639 code of the text, of its main text where it is printed in several."""
    sources: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[ReadingWarning, ...] = ()
    terms: Mapping[str, str] = field(default_factory=dict)
    """Words for which the document mostly says others, in lower case: "virtual safety car" where it says "vsc"."""
    legend: str = ""
    """What it says of the changes it marks, in its own words ("Changes relative to ... Issue 4, approved ...")."""

    def matches_id(self, document_id: str) -> bool:
        """True where this is its id, or PREFIX_LENGTH characters and more of its beginning, in any case of letters,
        as tables print them ("a2e0968c8…")."""
        wanted = document_id.strip().rstrip("…").lower()
        return self.document_id == wanted or (
            len(wanted) >= ID_PREFIX_LENGTH and self.document_id.startswith(wanted)
        )

    @property
    def label(self) -> str:
        """How a person tells it from others: "2025 Formula One Sporting Regulations, Issue 5"."""
        title, years = self.title, _YEAR.findall(self.title)
        if self.season and years and str(self.season) not in years:
            title = _YEAR.sub("", title).strip()  # the season was corrected by a person
        season = f"{self.season} " if self.season and str(self.season) not in title else ""
        issue = f", Issue {self.issue}" if self.issue is not None else ""
        return f"{season}{title}{issue}"


@dataclass(frozen=True, slots=True)
class IngestResult:
    """What came of adding one document. `document` is None and `code`, `message` are set where it failed."""

    file: str
    status: AddStatus
    seconds: float
    document: Document | None = None
    code: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class ScopeChoice:
    """What a person has chosen to look at; everything unset means the default (newest issue of each family)."""

    season: int | None = None
    document: str | None = None
    family: str | None = None
    issue: int | None = None
    on: str | None = None
    """An ISO date: only what was published by that day, so the issues that were in force then."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The documents a run may see, a filter below the tools. `why` says in a few words how it came about."""

    documents: tuple[Document, ...]
    why: str

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(document.document_id for document in self.documents)

    @property
    def label(self) -> str:
        """The documents in words, "2025 Sporting Regulations, Issue 5 · ..."."""
        return " · ".join(document.label for document in self.documents) or "no document"


@dataclass(frozen=True, slots=True)
class Hit:
    """A clause that was found: its search `score` (for ordering only), and why it was found."""

    clause: Clause
    score: float
    why: HitReason


@dataclass(frozen=True, slots=True)
class ArticleLookup:
    """An article looked up by number: the clause (its `text` cut to `part` where one was named), or the candidates.

    `children` are the numbers of its separately numbered sub-clauses. `clause` is None when nothing was found or the
    number is ambiguous within the scope; then `candidates` are the clauses that bear it.
    """

    clause: Clause | None
    part: str | None = None
    children: tuple[str, ...] = ()
    candidates: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class DiffSegment:
    """A stretch of two wordings: the same in both, or words that the earlier one had or the later one has.

    `marked` is None where nothing differs and where the later document's marks do not speak of the earlier one.
    """

    kind: SegmentKind
    text: str
    marked: bool | None = None
    """The publisher's own marks hold most of its letters."""
    reason: UnmarkedReason | None = None
    """Why a difference may bear no mark: a reference that only follows a new number, punctuation alone, or words that
    stand in another clause (`Pair.elsewhere`)."""


@dataclass(frozen=True, slots=True)
class ClausePair:
    """Two clauses that a comparison has aligned; a side is None where the clause stands in one document only."""

    kind: PairKind
    article_a: str | None
    article_b: str | None
    title: str
    before: str
    after: str
    similarity: float
    """0 to 1, of the words of both texts."""
    clause_a: str | None = None
    clause_b: str | None = None
    """Clause ids of both sides."""
    marked: MarkStatus | None = None
    """What of its differences the publisher has marked; None where no words differ or no marks speak of it."""
    pieces: tuple[DiffSegment, ...] = ()
    """Both wordings word by word, where they differ and both are there."""
    elsewhere: str | None = None
    """The article of the other document in which words stand that went from here, or came, as a whole."""
