"""Clauses as they are found, compared and exported."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, Field
from pydantic.dataclasses import dataclass

from core.choices import HitReason, LinkState
from core.copied_fields import copy_fields
from core.library import (
    ClauseHistory,
    ClausePair,
    Document,
    HistoryEntry,
    Hit,
    Library,
    RuleAddress,
    Rulings,
    Scope,
)
from core.registers import LayerNote, LayerNotes
from core.rulebook import Clause
from core.shapes.documents import NamedDocument, NamedEdition


@dataclass(frozen=True, kw_only=True)
class ClauseShape(Clause):
    """A clause without the boxes of its words, with its address on any server."""

    places: Annotated[Any, Field(exclude=True)] = ()
    ruling: Annotated[Any, Field(exclude=True)] = None
    address: str
    layers: tuple[LayerNote, ...] = ()
    """What rules of other layers mean for it; one that is overridden is no law alone."""

    @classmethod
    def of(cls, clause: Clause, document: Document, *sources: object, **given: Any) -> Self:
        """Return a clause with more fields; of a part the article is the whole's."""
        address = RuleAddress.of(document, clause.article).path
        own = {"article": clause.whole_article, "places": (), "ruling": None, "address": address}
        return copy_fields(cls, clause, *sources, **own | given)


@dataclass(frozen=True, kw_only=True)
class ExportedPart(ClauseShape):
    """A part of a long article, which bears no number of its own."""

    kind: Literal["part"]  # type: ignore[assignment]
    part_of: str


@dataclass(frozen=True, kw_only=True)
class FoundClause(ClauseShape):
    """A clause and how it was found: `rank` from 1, `score` for ordering alone."""

    rank: int
    score: float
    why: HitReason


class SearchReply(BaseModel):
    clauses: tuple[FoundClause, ...]

    @classmethod
    def of(cls, hits: Iterable[Hit], scope: Scope, notes: LayerNotes) -> Self:
        documents = scope.by_id
        found = (
            FoundClause.of(
                hit.clause,
                documents[hit.clause.document_id],
                hit,
                rank=rank,
                layers=notes.get(hit.clause.clause_id, ()),
            )
            for rank, hit in enumerate(hits, 1)
        )
        return cls(clauses=tuple(found))


class MentionsReply(BaseModel):
    clauses: tuple[ClauseShape, ...]

    @classmethod
    def of(cls, clauses: Iterable[Clause], scope: Scope, notes: LayerNotes) -> Self:
        documents = scope.by_id
        found = (
            ClauseShape.of(one, documents[one.document_id], layers=notes.get(one.clause_id, ()))
            for one in clauses
        )
        return cls(clauses=tuple(found))


@dataclass(frozen=True, kw_only=True)
class CandidateClause(ClauseShape):
    """One of the clauses that a number may mean, with the label of its document."""

    label: str


@dataclass(frozen=True, kw_only=True)
class _Found:
    """What an article begins with: of two bases the fields of the last come first."""

    found: Literal[True] = True


@dataclass(frozen=True, kw_only=True)
class ArticleClause(ClauseShape, _Found):
    """A clause, cut to `part` where an item was named."""

    part: str | None  # type: ignore[assignment]
    children: tuple[str, ...]


class RulingText(BaseModel):
    """A question with its answer, a decision or a clarification: no law."""

    clause_id: str
    document_id: str
    document: str
    title: str
    day: str | None
    source: str
    page: int | None
    text: str


class RulingOnClause(RulingText):
    """A ruling on a clause, with the articles by which it names that.

    `edition` is the one in which they were looked up. `has_changed` is true where the clause had
    other words there, and null where it is not known which edition was in force.
    """

    articles: tuple[str, ...]
    is_subject: bool
    edition: str
    has_changed: bool | None

    @classmethod
    def list_of(cls, library: Library, clause: Clause) -> tuple[Self, ...]:
        """Return the rulings on a clause, the newest first. Raises LibraryError."""
        return tuple(
            copy_fields(
                cls,
                one,
                one.ruling,
                document=one.document.label,
                page=one.ruling.page_first,
                edition=one.edition.label,
            )
            for one in Rulings(library).find_on(clause)
        )


class NamedArticle(BaseModel):
    """An article that a ruling names: where it is, or why it is tied to none."""

    reference: str
    state: LinkState
    is_subject: bool
    edition: str | None
    clause_ids: tuple[str, ...]


class RulingReply(RulingText):
    """A ruling with the articles that it names."""

    articles: tuple[NamedArticle, ...]

    @classmethod
    def list_of(cls, library: Library, document: Document) -> list[Self]:
        """Return the rulings of a document, in order. Raises LibraryError."""
        named: dict[str, list[NamedArticle]] = {}
        for link in Rulings(library).list_links(document):
            edition = link.edition.label if link.edition else None
            ids = tuple(clause.clause_id for clause in link.clauses)
            article = copy_fields(NamedArticle, link, edition=edition, clause_ids=ids)
            named.setdefault(link.ruling.clause_id, []).append(article)
        return [
            copy_fields(
                cls,
                text,
                text.ruling,
                document=document.label,
                page=text.page_first,
                articles=tuple(named.get(text.clause_id, ())),
            )
            for text in library.other_texts(document.document_id)
            if text.ruling
        ]


@dataclass(frozen=True, kw_only=True)
class FoundArticle(ArticleClause):
    """A clause, cut to `part` where an item was named, its history and the rulings on it."""

    stable_id: str | None
    history: tuple[HistoryEntry, ...]
    since: NamedEdition | None
    rulings: tuple[RulingOnClause, ...]
    """They say how the rule is meant, and are no law."""

    @classmethod
    def trace(cls, library: Library, found: ArticleClause) -> Self:
        """Return an article with its history, and the edition since which its words stand.

        With a `part`, that since which the words of this item stand. Of a clause that is not in
        force they are empty.
        """
        clause = library.clause(found.clause_id)
        if clause is None:
            return copy_fields(cls, found, stable_id=None, history=(), since=None, rulings=())
        history = ClauseHistory(library, clause)
        since = history.find_wording_since(found.part)
        return copy_fields(
            cls,
            found,
            stable_id=history.stable_id,
            history=history.entries,
            since=copy_fields(NamedEdition, since) if since else None,
            rulings=RulingOnClause.list_of(library, clause),
        )


class AmbiguousArticle(BaseModel):
    """The clauses that a number may mean."""

    found: Literal[False] = False
    candidates: tuple[CandidateClause, ...]

    @classmethod
    def of(cls, candidates: Iterable[Clause], scope: Scope, notes: LayerNotes) -> Self:
        held = scope.by_id
        named = (
            CandidateClause.of(
                one,
                held[one.document_id],
                label=held[one.document_id].label,
                layers=notes.get(one.clause_id, ()),
            )
            for one in candidates
        )
        return cls(candidates=tuple(named))


class MissingArticle(BaseModel):
    """The documents outside the scope that have an article, which none in it has in force.

    `not_in_force` are the clauses in scope that bear its number and are deleted or of the future.
    """

    found: Literal[False] = False
    candidates: tuple[()] = ()
    elsewhere: tuple[NamedDocument, ...]
    not_in_force: tuple[CandidateClause, ...] = ()

    @classmethod
    def of(
        cls, documents: Iterable[Document], not_in_force: Iterable[Clause], scope: Scope
    ) -> Self:
        return cls(
            elsewhere=tuple(copy_fields(NamedDocument, one) for one in documents),
            not_in_force=AmbiguousArticle.of(not_in_force, scope, {}).candidates,
        )


@dataclass(frozen=True, kw_only=True)
class ComparedPair(ClausePair):
    """A pair with the addresses of its rules on any server; None where a document has none."""

    address_a: str | None
    address_b: str | None

    @classmethod
    def of(cls, pair: ClausePair, before: Document, after: Document, *sources: object) -> Self:
        sides = ((before, pair.article_a), (after, pair.article_b))
        address_a, address_b = (
            RuleAddress.of(document, article).path if article else None
            for document, article in sides
        )
        return copy_fields(cls, pair, *sources, address_a=address_a, address_b=address_b)


class CompareReply(BaseModel):
    pairs: tuple[ComparedPair, ...]

    @classmethod
    def of(cls, pairs: Iterable[ClausePair], before: Document, after: Document) -> Self:
        return cls(pairs=tuple(ComparedPair.of(one, before, after) for one in pairs))


def export_row(
    clause: Clause, document: Document, layers: tuple[LayerNote, ...] = ()
) -> ClauseShape:
    """Return a clause for export: what bears no number of its own has a `kind` and no `article`.

    A part of a long article names that article under `part_of`.
    """
    if not clause.part:
        return ClauseShape.of(clause, document, layers=layers)
    own = {"kind": "part", "article": "", "part_of": clause.whole_article}
    return ExportedPart.of(clause, document, layers=layers, **own)
