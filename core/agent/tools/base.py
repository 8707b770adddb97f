"""What every tool takes and works with: arguments, the reach of a call, and what hits bring along. No tool is here."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from core.errors import ToolError
from core.library import Document, Hit, Library, Scope, article_steps, resolve_references
from core.rulebook import Clause

MAX_QUERY_LENGTH = 20_000
"""Characters of a query: a question's and a person's guidance together."""
EXPANDED_HITS = 2
"""Hits whose references and terms come along."""


class ToolArguments(BaseModel):
    """What every tool takes."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(
        min_length=1,
        max_length=MAX_QUERY_LENGTH,
        description="What to look for, in the rulebook's own words.",
    )
    document: str | None = Field(
        None,
        description="Look in this one of the documents in scope only, named as in the list of documents.",
    )


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a tool may use: a library, the scope of the run or a part of it, and how many clauses to bring."""

    library: Library
    scope: Scope
    results: int


def restrict_to_document(scope: Scope, name: str | None) -> Scope:
    return scope if name is None else single_document_scope(find_document(scope, name))


def find_document(scope: Scope, name: str) -> Document:
    """The one document in scope that a model means. Raises ToolError where there is none or more than one."""
    words = name.casefold()
    exact = [d for d in scope.documents if words in (d.label.casefold(), d.document_id)]
    alike = exact or [d for d in scope.documents if words in d.label.casefold()]
    if len(alike) == 1:
        return alike[0]
    raise ToolError(
        f"“{name}” names no single document in scope. In scope: {scope.label}.",
        code="unknown_document",
    )


def single_document_scope(document: Document) -> Scope:
    return Scope((document,), "one document")


def restrict_to_clause_document(scope: Scope, clause: Clause) -> Scope:
    """Of a scope the document of a clause alone."""
    return Scope(
        tuple(d for d in scope.documents if d.document_id == clause.document_id), "its document"
    )


def follow_references(context: ToolContext, hits: Iterable[Hit]) -> list[Hit]:
    """The clauses that hits refer to, in their documents or in others of the scope."""
    return [
        Hit(found.clause, hit.score, "reference")
        for hit in hits
        for found in resolve_references(context.library, hit.clause, context.scope)
        if found.clause
    ]


def unique_hits(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    first: dict[str, Hit] = {}
    for hit in hits:
        first.setdefault(hit.clause.clause_id, hit)
    return tuple(first.values())


def fit_hits(hits: Iterable[Hit], words: int) -> tuple[Hit, ...]:
    """The hits for which there is room, in order; a clause that is too long is passed over."""
    kept: list[Hit] = []
    for hit in hits:
        length = len(hit.clause.text.split())
        if length <= words:
            kept.append(hit)
            words -= length
    return tuple(kept)


def below_headings(clauses: Sequence[Clause], headings: Iterable[Hit]) -> list[Clause]:
    """Those of the clauses that are heads, or stand below one."""
    numbers = {(head.clause.document_id, article_steps(head.clause.article)) for head in headings}
    return [
        clause
        for clause in clauses
        for path in [article_steps(clause.article)]
        if any((clause.document_id, path[:length]) in numbers for length in range(1, len(path) + 1))
    ]
