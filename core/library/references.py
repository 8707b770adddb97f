"""What the references of a clause mean: clauses of its own document, or of another in scope that they name."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.library.named import families_named
from core.library.search import article
from core.library.store import Library
from core.library.types import Document, Scope
from core.rulebook.references import readings, split_reference
from core.rulebook.types import Clause

State = Literal["found", "missing", "not_held"]


@dataclass(frozen=True, slots=True)
class Resolved:
    """A reference and the clause it means; `not_held` where it names a document that is not in scope."""

    reference: str
    state: State
    clause: Clause | None = None


def resolve_references(library: Library, clause: Clause, scope: Scope) -> tuple[Resolved, ...]:
    """Every reference of a clause, in order, looked up within the scope. Raises LibraryError as `search.article`."""
    return tuple(_resolved(library, clause, reference, scope.documents) for reference in clause.references)


def _resolved(library: Library, clause: Clause, reference: str, documents: Sequence[Document]) -> Resolved:
    number, name = split_reference(reference)
    meant = _documents(clause, name, documents)
    if not meant:
        return Resolved(reference, "not_held")
    for document in meant:
        within = clause.article if document.document_id == clause.document_id else ""
        for reading in readings(number, within):
            found = article(library, reading, Scope((document,), "named")).clause
            if found is not None:
                return Resolved(reference, "found", found)
    return Resolved(reference, "missing")


def _documents(clause: Clause, name: str | None, documents: Sequence[Document]) -> list[Document]:
    """The documents that a reference may mean: the clause's own, or those of its season that bear the name."""
    own = [document for document in documents if document.document_id == clause.document_id]
    if name is None or name.casefold().startswith(("these ", "this ", "the present ")):
        return own
    families = families_named(name, documents)
    alike = [d for d in documents if d.family in families and d.season in (None, clause.season)]
    series = (clause.family or "").split("-")[0]
    return sorted(alike, key=lambda d: not (d.family or "").startswith(series))
