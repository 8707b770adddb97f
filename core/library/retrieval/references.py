"""Resolve the references of a clause, in its own document or in another in scope."""

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
    """A reference and its clause; `not_held` if it names a document outside the scope."""

    reference: str
    state: ReferenceState
    clause: Clause | None = None


def resolve_references(
    library: Library, clause: Clause, scope: Scope
) -> tuple[ResolvedReference, ...]:
    """Resolve every reference of a clause, in order. Raises LibraryError as `search.article`."""
    return tuple(
        _resolve(library, clause, reference, scope.documents) for reference in clause.references
    )


def _resolve(
    library: Library, clause: Clause, reference: str, documents: Sequence[Document]
) -> ResolvedReference:
    number, name = split_reference(reference)
    own_section = ("", _section_letters(clause.article))
    elsewhere = name is None and _section_letters(number) not in own_section
    candidates = _documents_meant(clause, name, elsewhere, documents)
    for document in candidates:
        within = clause.article if document.document_id == clause.document_id else ""
        for spelling in candidate_numbers(number, within):
            found = find_clause(library, spelling, Scope((document,), "named"))
            if found is not None:
                return ResolvedReference(reference, "found", found)
    return ResolvedReference(reference, "missing" if candidates and not elsewhere else "not_held")


def _documents_meant(
    clause: Clause, name: str | None, elsewhere: bool, documents: Sequence[Document]
) -> list[Document]:
    """Return the documents of the season that a reference can mean, that of the clause first."""
    this_one = name is None or name.casefold().startswith(("these ", "this ", "the present "))
    if this_one and not elsewhere:
        return [document for document in documents if document.document_id == clause.document_id]
    season = [document for document in documents if document.season == clause.season]
    season.sort(key=lambda document: document.document_id != clause.document_id)
    if name is None:
        return season
    families = find_families(name, documents)
    return [document for document in season if document.family in families]


def _section_letters(number: str) -> str:
    """Return the letters before a number: in B1.4, "C3.5" refers to another section."""
    return "".join(re.findall(r"^[A-Z]{0,3}(?=\.?\d)", canonical_number(number)))
