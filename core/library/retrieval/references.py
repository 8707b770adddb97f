"""What the references of a clause mean: clauses of its own document, or of another in scope that they name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.library.retrieval.query_filters import find_families
from core.library.retrieval.search import find_clause
from core.library.storage.library import Library
from core.library.types import Document, Scope
from core.rulebook import Clause, candidate_numbers, canonical_number, split_reference

ReferenceState = Literal["found", "missing", "not_held"]


@dataclass(frozen=True, slots=True)
class ResolvedReference:
    """A reference and the clause it means; `not_held` where it names a document that is not in scope."""

    reference: str
    state: ReferenceState
    clause: Clause | None = None


def resolve_references(
    library: Library, clause: Clause, scope: Scope
) -> tuple[ResolvedReference, ...]:
    """Every reference of a clause, in order, looked up within the scope. Raises LibraryError as `search.article`."""
    return tuple(
        _resolved(library, clause, reference, scope.documents) for reference in clause.references
    )


def _resolved(
    library: Library, clause: Clause, reference: str, documents: Sequence[Document]
) -> ResolvedReference:
    number, name = split_reference(reference)
    elsewhere = name is None and _letters(number) not in ("", _letters(clause.article))
    meant = _beside(clause, documents) if elsewhere else _documents(clause, name, documents)
    for document in meant:
        within = clause.article if document.document_id == clause.document_id else ""
        for reading in candidate_numbers(number, within):
            found = find_clause(library, reading, Scope((document,), "named"))
            if found is not None:
                return ResolvedReference(reference, "found", found)
    return ResolvedReference(reference, "missing" if meant and not elsewhere else "not_held")


def _letters(number: str) -> str:
    """The letters a number begins with: another section's, where they are not the clause's own ("C3.5" in B1.4)."""
    return re.match(r"[A-Z]{0,3}(?=\.?\d)|", canonical_number(number))[0]  # type: ignore[index]  # it matches nothing too


def _beside(clause: Clause, documents: Sequence[Document]) -> list[Document]:
    """The documents of a clause's season, its own first."""
    own = clause.document_id
    return sorted(
        (d for d in documents if d.season == clause.season), key=lambda d: d.document_id != own
    )


def _documents(clause: Clause, name: str | None, documents: Sequence[Document]) -> list[Document]:
    """The documents that a reference may mean: the clause's own, or those of its season that bear the name."""
    own = [document for document in documents if document.document_id == clause.document_id]
    if name is None or name.casefold().startswith(("these ", "this ", "the present ")):
        return own
    families = find_families(name, documents)
    return [document for document in _beside(clause, documents) if document.family in families]
