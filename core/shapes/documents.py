"""Documents: what they are, and what their reading left over."""

from collections.abc import Iterable, Mapping
from typing import Literal, Self, get_args

from pydantic import BaseModel
from pydantic.dataclasses import dataclass

from core.choices import Prevailing, RelationKind
from core.copied_fields import copy_fields
from core.library import Document, IngestResult, LayerProposal, Relation
from core.rulebook import Identity, LineCorrection, LongClause, PutAway, ReadingWarning, TextKind

Reading = Literal["whole", "partly"]


@dataclass(frozen=True, kw_only=True)
class ListedDocument(Identity):
    """A document: its identity, and what was counted and found when it was added."""

    document_id: str
    file: str
    label: str
    reading: Reading
    pages: int
    clauses: int
    size: int
    added_at: str
    counts: Mapping[str, int]
    warnings: tuple[ReadingWarning, ...]
    corrections: tuple[LineCorrection, ...]
    terms: Mapping[str, str]
    title_family: str | None
    relations: tuple[Relation, ...]
    valid_from: str | None
    valid_to: str | None


class ProposedRelation(BaseModel):
    """What a clause proposes: how a document stands to another one, or when it is in force."""

    document_id: str
    kind: RelationKind | None
    other_id: str | None
    prevails: Prevailing
    days: dict[str, str | None]
    article: str
    clause_id: str
    quote: str
    number: int

    @classmethod
    def of(cls, one: LayerProposal) -> Self:
        said = one.relation
        return copy_fields(
            cls,
            one,
            document_id=one.document.document_id,
            kind=said.kind if said else None,
            other_id=said.document_id if said else None,
            prevails=said.prevails if said else "",
            days={
                "from": said.from_day if said else one.valid_from,
                "to": one.valid_to,
            },
        )


class RelatedDocument(BaseModel):
    """How a document stands to others, and what its own text proposes."""

    document_id: str
    label: str
    valid_from: str | None
    valid_to: str | None
    relations: tuple[Relation, ...]
    proposals: tuple[ProposedRelation, ...]

    @classmethod
    def of(cls, document: Document, proposals: Iterable[LayerProposal]) -> Self:
        return copy_fields(cls, document, proposals=tuple(map(ProposedRelation.of, proposals)))


class DocumentsReply(BaseModel):
    documents: tuple[ListedDocument, ...]

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Self:
        return cls(documents=tuple(copy_fields(ListedDocument, one) for one in documents))


@dataclass(frozen=True, kw_only=True)
class NamedDocument:
    document_id: str
    label: str


@dataclass(frozen=True, kw_only=True)
class NamedEdition(NamedDocument):
    season: int | None
    issue: int | None
    date: str | None


@dataclass(frozen=True, kw_only=True)
class NamedIssue(NamedEdition):
    family: str | None


class LeftLine(BaseModel):
    """A line below no number."""

    page: int | None
    words: str


class LeftNumber(BaseModel):
    """A line whose number began no clause."""

    page: int | None
    number: str
    words: str


class Leftovers(BaseModel):
    """What the reading of a document left over; None of one that could not be read."""

    unplaced: tuple[LeftLine, ...] | None = None
    untaken_numbers: tuple[LeftNumber, ...] | None = None
    long_clauses: tuple[LongClause, ...] | None = None
    put_away: tuple[PutAway, ...] | None = None

    @classmethod
    def of_document(cls, document: Document, **given: object) -> Self:
        """Return what is left over of a document, with the fields of it that a shape has more."""
        account = document.account
        lines = [copy_fields(LeftLine, line) for line in account.unplaced]
        numbers = [copy_fields(LeftNumber, line) for line in account.untaken]
        own = {"unplaced": lines, "untaken_numbers": numbers}
        return copy_fields(cls, account, document, **own | given)


class CorrectedDocument(Leftovers):
    """What a person said of the lines of a document, and what its reading left over."""

    document_id: str
    label: str
    clauses: int
    reading: Reading
    corrections: tuple[LineCorrection, ...]
    warnings: tuple[ReadingWarning, ...]

    @classmethod
    def of(cls, document: Document) -> Self:
        warnings = tuple(one for one in document.warnings if one.is_on_correction)
        return cls.of_document(document, warnings=warnings)


class ErrorDetail(BaseModel):
    """A stable code, and a sentence for a person."""

    code: str
    message: str


class ErrorReply(BaseModel):
    error: ErrorDetail


class IngestedFile(Leftovers):
    """The result of an ingestion; what is read of the document is None if it failed."""

    file: str
    status: str
    document_id: str | None = None
    title: str | None = None
    family: str | None = None
    season: int | None = None
    issue: int | None = None
    date: str | None = None
    pages: int | None = None
    clauses: int | None = None
    corrected: Mapping[str, object] = {}
    """What was given of a document that was there, and is other now."""
    rulings: int = 0
    unresolved: tuple[str, ...] = ()
    """The articles that rulings name, and that none could be tied to."""
    reading: Reading | None = None
    letters: int | None = None
    placed: float | None = None
    """Share of the letters under a number; None without any letters."""
    not_in_force: float | None = None
    """Share of the clauses; None without any letters."""
    other_letters: Mapping[str, int] = {}
    """Letters of texts that are no rules, by kind."""
    warnings: tuple[ReadingWarning, ...] = ()
    error: ErrorDetail | None
    seconds: float

    @classmethod
    def of(cls, result: IngestResult, **told: object) -> Self:
        """Return the result of a file, with fields that are `told` beside it."""
        document, seconds = result.document, round(result.seconds, 3)
        if document is None:
            error = copy_fields(ErrorDetail, result)
            return copy_fields(cls, result, error=error, seconds=seconds)
        counts = document.counts
        letters = counts.get("letters", 0)
        idle = sum(counts.get(f"{status}_clauses", 0) for status in ("deleted", "future"))
        others = {kind: counts.get(f"letters_{kind}", 0) for kind in get_args(TextKind)}
        return cls.of_document(
            document,
            file=result.file,
            status=result.status,
            rulings=counts.get("rulings", 0),
            letters=letters,
            placed=round(counts.get("letters_placed", 0) / letters, 4) if letters else None,
            not_in_force=round(idle / document.clauses, 4) if letters else None,
            other_letters={kind: count for kind, count in others.items() if count},
            error=None,
            seconds=seconds,
            **told,
        )
