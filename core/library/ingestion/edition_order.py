"""How a document stands among the other issues of its family; what a search makes of that, `scope` decides."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.library.types import Document


@dataclass(frozen=True, slots=True)
class EditionStatus:
    """Other issues of a document's family, None where the library has none: the nearest `earlier` one, and of the
    later ones the newest, which is the one that a search is in."""

    earlier: Document | None = None
    same: Document | None = None
    """Another file of the same season and issue."""
    later: Document | None = None


def edition_status(document: Document, documents: Iterable[Document]) -> EditionStatus:
    """Where a document stands among others by season and issue; nowhere where it lacks family, season or issue."""
    if not document.family or document.season is None or document.issue is None:
        return EditionStatus()
    others = [other for other in documents if _comparable(other, document)]
    place = _place(document)
    return EditionStatus(
        max((other for other in others if _place(other) < place), key=_place, default=None),
        next((other for other in others if _place(other) == place), None),
        max((other for other in others if _place(other) > place), key=_place, default=None),
    )


def _comparable(other: Document, document: Document) -> bool:
    known = other.season is not None and other.issue is not None
    return known and other.family == document.family and other.document_id != document.document_id


def _place(document: Document) -> tuple[int, int]:
    return document.season or 0, document.issue or 0
