"""How the documents of a library stand to one another, and what of each is law because of that."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

from core.errors import LibraryError
from core.library.storage.library import Library
from core.library.types import Document, Relation
from core.rulebook import is_day


def relate(library: Library, document_id: str, relation: Relation) -> Document:
    """Store how a document stands to another one, in place of an equal statement of before.

    Both ids may be beginnings. Raises LibraryError `relation` for what cannot be: a document that
    stands to itself, or two of which each changes the other; and as the library does.
    """
    with library.lock_for_writing():
        document = library.document(document_id)
        other = library.document(relation.document_id)
        if relation.from_day is not None and not is_day(relation.from_day):
            message = f"{relation.from_day[:40]!r} is no day: give it as 2025-04-30."
            raise LibraryError(message, code="relation")
        if _is_below(library.documents(), document, other):
            message = (
                f"{document.label} cannot stand so to {other.label}, which is the same document or"
                " already stands to it: remove that first."
            )
            raise LibraryError(message, code="relation")
        at = relation.at or datetime.now(UTC).isoformat(timespec="seconds")
        said = replace(relation, document_id=other.document_id, at=at)
        kept = (one for one in document.relations if one.key != said.key)
        related = replace(document, relations=(*kept, said))
        library.update_document(related)
        return related


def unrelate(library: Library, document_id: str, other_id: str) -> Document:
    """Remove what was said of how a document stands to another one.

    `other_id` may be a beginning, also of a document that is gone. Raises LibraryError `relation`
    where nothing was said, and as the library does.
    """
    with library.lock_for_writing():
        document = library.document(document_id)
        kept = [one for one in document.relations if not one.document_id.startswith(other_id)]
        if len(kept) == len(document.relations):
            message = f"Nothing is said of how {document.label} stands to {other_id[:80]}."
            raise LibraryError(message, code="relation")
        related = replace(document, relations=tuple(kept))
        library.update_document(related)
        return related


def _is_below(documents: Iterable[Document], document: Document, other: Document) -> bool:
    """True where another document is the same, or stands to it, maybe by way of others."""
    by_id = {one.document_id: one for one in documents}
    waiting, seen = [other], set[str]()
    while waiting:
        one = waiting.pop()
        if one.document_id == document.document_id:
            return True
        if one.document_id not in seen:
            seen.add(one.document_id)
            waiting += [by_id[r.document_id] for r in one.relations if r.document_id in by_id]
    return False
