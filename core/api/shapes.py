"""The shapes of the replies, for their description; `json_api` makes what is sent."""

from dataclasses import dataclass
from typing import Literal

from core.library import ClausePair, HistoryEntry, HitReason
from core.quotes import Finding
from core.rulebook import Clause, Identity


@dataclass(frozen=True, kw_only=True)
class ListedDocument(Identity):
    """A document: its identity, and what was counted and found when it was added."""

    document_id: str
    file: str
    label: str
    reading: Literal["whole", "partly"]
    pages: int
    clauses: int
    size: int
    added_at: str


@dataclass(frozen=True, kw_only=True)
class DocumentsReply:
    documents: tuple[ListedDocument, ...]


@dataclass(frozen=True, kw_only=True)
class FoundClause(Clause):
    """A clause and how it was found: `rank` from 1, `score` for ordering alone."""

    rank: int
    score: float
    why: HitReason


@dataclass(frozen=True, kw_only=True)
class SearchReply:
    clauses: tuple[FoundClause, ...]


@dataclass(frozen=True, kw_only=True)
class CandidateClause(Clause):
    """One of the clauses that a number may mean, with the label of its document."""

    label: str


@dataclass(frozen=True, kw_only=True)
class OtherDocument:
    """A document outside the scope that has the article."""

    document_id: str
    label: str


@dataclass(frozen=True, kw_only=True)
class Edition:
    document_id: str
    label: str
    season: int | None
    issue: int | None
    date: str | None


@dataclass(frozen=True, kw_only=True)
class FoundArticle(Clause):
    """A clause, cut to `part` where an item was named, and its history through the editions."""

    found: Literal[True]
    part: str | None  # type: ignore[assignment]
    children: tuple[str, ...]
    stable_id: str | None
    history: tuple[HistoryEntry, ...]
    since: Edition | None


@dataclass(frozen=True, kw_only=True)
class MissingArticle:
    """The clauses that a number may mean; without any, the documents elsewhere that have it."""

    found: Literal[False]
    candidates: tuple[CandidateClause, ...]
    elsewhere: tuple[OtherDocument, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CompareReply:
    pairs: tuple[ClausePair, ...]


@dataclass(frozen=True, kw_only=True)
class LimitRow:
    """A limit: `unit` is None for a count, `upper` is set for a relation of "between" alone."""

    document: str
    article: str
    page: int
    subject: str
    relation: str
    value: float | None
    upper: float | None
    unit: str | None
    proved: bool
    condition: str | None
    modality: str
    source: str
    quote: str
    in_force: bool


@dataclass(frozen=True, kw_only=True)
class LimitsReply:
    limits: tuple[LimitRow, ...]
    summary: str


@dataclass(frozen=True, kw_only=True)
class PassageRow:
    """A quote or a citation of a text, from `start` to `end`, and what was found of it."""

    kind: Literal["quote", "citation"]
    text: str
    start: int
    end: int
    finding: Finding
    article: str | None
    page: int | None
    document: str | None
    season: int | None
    issue: int | None
    difference: str | None
    clause_id: str | None


@dataclass(frozen=True, kw_only=True)
class VerifyReply:
    stands: bool
    passages: tuple[PassageRow, ...]


@dataclass(frozen=True, kw_only=True)
class ErrorDetail:
    """A stable code, and a sentence for a person."""

    code: str
    message: str


@dataclass(frozen=True, kw_only=True)
class ErrorReply:
    error: ErrorDetail
