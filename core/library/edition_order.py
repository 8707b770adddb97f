"""The editions of rulebooks by their age: the newest, those before and after one, by rulebook."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import groupby
from operator import attrgetter

from core.library.types import Document, Scope

_EDITION = attrgetter("edition")


def without_samples(held: Sequence[Document], documents: Sequence[Document]) -> Sequence[Document]:
    """Return documents of a library, those of invented series only if it holds no others."""
    if all(document.is_sample for document in held):
        return documents
    return [document for document in documents if not document.is_sample]


class Editions:
    """Documents, which may be editions of the same rulebooks: those of one family are."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents = tuple(documents)

    @cached_property
    def families(self) -> dict[str, list[Document]]:
        found: dict[str, list[Document]] = defaultdict(list)
        for document in self.documents:
            if document.family:
                found[document.family].append(document)
        return dict(found)

    @property
    def seasons(self) -> list[int]:
        """The seasons of documents, the newest first."""
        return sorted({one.season for one in self.documents if one.season}, reverse=True)

    def _list_others(self, document: Document) -> list[Document]:
        family = self.families.get(document.family or "", ())
        return [other for other in family if other.document_id != document.document_id]

    def find_earlier(self, document: Document) -> Document | None:
        """Return the newest edition before a document, None without one."""
        others = self._list_others(document)
        return max((one for one in others if one.is_before(document)), key=_EDITION, default=None)

    def find_later(self, document: Document) -> Document | None:
        """Return the newest edition after a document, None without one."""
        others = self._list_others(document)
        return max((one for one in others if document.is_before(one)), key=_EDITION, default=None)

    def find_twin(self, document: Document) -> Document | None:
        """Return another file of the same season and issue, None without one."""
        known = document.edition[:2]
        others = self._list_others(document) if all(known) else ()
        return next((other for other in others if other.edition[:2] == known), None)

    def list_newest(self) -> tuple[Document, ...]:
        """Return the documents without those that are before another one of their family.

        All of a family stay where each is before another: by a date one, by a version the next.
        """
        last = {
            one
            for one in self.documents
            if not any(map(one.is_before, self.families.get(one.family or "", ())))
        }
        known = {one.family for one in last}
        return tuple(one for one in self.documents if one in last or one.family not in known)

    def list_ambiguous(self) -> list[list[Document]]:
        """Return the documents of each family that has several, none of them before another."""
        several = (editions for editions in self.families.values() if len(editions) > 1)
        return [ones for ones in several if Editions(ones).list_newest() == tuple(ones)]

    def find_last(self) -> Document:
        """Return the document that was published last; a sample only without another."""
        return max(self.documents, key=lambda d: (not d.is_sample, d.date or "", *d.edition))

    def find_last_two(self) -> tuple[Document, Document] | None:
        """Return the two newest issues of the family published last; None where none has two.

        Samples count where nothing else is held.
        """
        real = without_samples(self.documents, self.documents)
        families = Editions(sorted(real, key=_EDITION)).families.values()
        issues = ([*{one.edition: one for one in editions}.values()] for editions in families)
        pairs = [editions[-2:] for editions in issues if len(editions) > 1]
        if not pairs:
            return None
        before, after = max(pairs, key=lambda p: (p[1].date or "", p[1].edition, p[1].added_at))
        return before, after

    def group_by_rulebook(self) -> list[list[Document]]:
        """Return the documents of each rulebook, the newest edition first."""

        def name(document: Document) -> str:
            return (document.family or document.rulebook).casefold()

        newest_first = sorted(self.documents, key=_EDITION, reverse=True)
        return [list(group) for _, group in groupby(sorted(newest_first, key=name), name)]

    def select(self, rulebooks: Sequence[str], seasons: Sequence[int], all_issues: bool) -> Scope:
        """Return the documents of some rulebooks and seasons; no rulebooks or seasons mean all.

        Unless all issues are wanted: the newest of each season that is named, else of all. Samples
        are searched beside other documents only if their rulebook is named.
        """
        every = self.documents if rulebooks else without_samples(self.documents, self.documents)
        held = [
            document
            for document in every
            if (not rulebooks or document.rulebook in rulebooks)
            and (not seasons or document.season in seasons)
        ]
        if all_issues:
            return Scope(tuple(held), "all issues")
        groups = [[one for one in held if one.season == year] for year in seasons] or [held]
        newest = (Editions(without_samples(group, group)).list_newest() for group in groups)
        return Scope(tuple(one for group in newest for one in group), "newest")
