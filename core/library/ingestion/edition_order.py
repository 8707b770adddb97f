"""The other issues of a document's family by age. `scope` decides what a search makes of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter

from core.library.types import Document


@dataclass(frozen=True, slots=True)
class EditionStatus:
    """Other issues of a document's family: the one right before it, and the newest later one."""

    earlier: Document | None = None
    same: Document | None = None
    """Another file of the same season and issue."""
    later: Document | None = None


def edition_status(document: Document, documents: Iterable[Document]) -> EditionStatus:
    """Compare a document with others; all None where it lacks family, season or issue."""
    if not document.family or document.season is None or document.issue is None:
        return EditionStatus()
    others = [
        other
        for other in documents
        if other.family == document.family
        and other.document_id != document.document_id
        and None not in (other.season, other.issue)
    ]
    own, age = document.edition, attrgetter("edition")
    return EditionStatus(
        max((other for other in others if other.edition < own), key=age, default=None),
        next((other for other in others if other.edition == own), None),
        max((other for other in others if other.edition > own), key=age, default=None),
    )


def newest_two(documents: Sequence[Document]) -> tuple[Document, Document]:
    """The two newest documents of the latest family that has two; else the two newest."""
    dated = sorted(documents, key=lambda d: (d.date or "", d.season or 0, d.issue or 0))
    families = [[d for d in dated if d.family == last.family] for last in dated if last.family]
    chosen = next((family for family in reversed(families) if len(family) > 1), dated)
    return list(pairwise(chosen))[-1]
