"""The other issues of a document's family by age. `scope` decides what a search makes of them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
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


def newest_document(documents: Iterable[Document]) -> Document:
    """The document that was published last; a sample only where nothing else is held."""
    return max(documents, key=lambda d: (not d.is_sample, d.date or "", *d.edition))


def group_editions(documents: Iterable[Document]) -> list[list[Document]]:
    """Return documents by rulebook, the newest edition of each first."""
    newest_first = sorted(documents, key=lambda one: one.edition, reverse=True)
    by_rulebook = sorted(newest_first, key=_family)
    return [list(editions) for _, editions in groupby(by_rulebook, _family)]


def _family(document: Document) -> str:
    return (document.family or document.rulebook).casefold()


def newest_two(documents: Sequence[Document]) -> tuple[Document, Document] | None:
    """The two newest issues of the family that was published last; None where no family has two.

    Samples count where nothing else is held.
    """
    by_family: dict[str, dict[object, Document]] = defaultdict(dict)
    real = [document for document in documents if not document.is_sample]
    for document in sorted(real or documents, key=_age):
        if document.family:
            by_family[document.family][_age(document)] = document
    pairs = [list(issues.values())[-2:] for issues in by_family.values() if len(issues) > 1]
    if not pairs:
        return None
    before, after = max(pairs, key=lambda p: (p[1].date or "", p[1].edition, p[1].added_at))
    return before, after


def _age(document: Document) -> tuple[int, int, str]:
    return *document.edition, document.date or ""
