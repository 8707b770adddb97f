"""A clause as it is in other editions of its family, whatever number and words it has there."""

from collections.abc import Iterable, Iterator

from core.library.lineage.records import recall_lineage
from core.library.storage.library import Library
from core.library.types import Document
from core.rulebook import Clause


def find_counterparts(
    library: Library, clause: Clause, documents: Iterable[Document]
) -> Iterator[Clause]:
    """Yield a clause as it is in those documents of its family that have it, in their order.

    Of an article that is parted there it is the part of the same name, else the first. A question
    does not wait for a lineage to be built again: it is followed as it was.
    """
    own = library.document(clause.document_id)
    others = [d for d in documents if d.family == own.family and d.document_id != own.document_id]
    if own.family is None or not others:
        return
    lineage = recall_lineage(library, own)
    steps = {step.document_id: step.clause_id for step in lineage.history(clause.clause_id)}
    for document_id in (d.document_id for d in others if d.document_id in steps):
        whole = steps[document_id]
        parts_of = (part for part, article in lineage.parts.items() if article == whole)
        parts = library.select_clauses(dict.fromkeys((whole, *parts_of)))
        yield from sorted(parts, key=lambda part: part.part != clause.part)[:1]
