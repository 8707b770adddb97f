"""Which documents are editions of one rulebook: by their titles and by the words they share.

It is decided when a document is added and kept with its reason in `sources["family"]`. Where the
proof is weak, a warning proposes it, and a person gives the family.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from math import sqrt
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from core.errors import LibraryError
from core.library.storage.derived import DerivedKind
from core.library.storage.library import Library
from core.library.types import Document
from core.rulebook import NAMELESS_WORDS, MetadataOverride, ReadingWarning, family_from_title

_WORD = re.compile(r"[^\W_]+")
_RUN_WORDS = 4  # that are compared as one
_MAX_RUNS = 1024  # of a document that are kept: an error of 2 % of what two share
_MIN_RUNS = 12  # of two or three short rules; less say nothing
# Of 1,035 pairs of 46 rulebooks, a third of them held back: one edition and the next share 0.45
# and more, books of other publishers 0.28 at most, two books of one publisher and year up to 0.80.
_NEAR, _RELATED, _SAME = 0.2, 0.35, 0.85
_READ_FROM = {"title page", "running header", "metadata", "file name"}
_UNREAD, _WEAK = _OPEN = ("family_unread", "family_proposed")
"""The warnings of a document whose family is not decided."""

Runs = NDArray[np.uint32]
"""The hashes of a document's runs of words, sorted; of many those that a power of two divides."""


def _make_runs(library: Library, document: Document) -> Runs:
    hashes: set[int] = set()
    for clause in library.clauses(document.document_id):
        if clause.status == "in_force":
            words = _WORD.findall(f"{clause.title} {clause.text}".casefold())
            runs = (words[at : at + _RUN_WORDS] for at in range(len(words) - _RUN_WORDS + 1))
            hashes.update(crc32(" ".join(run).encode()) for run in runs)
    step = 1
    while len(hashes) > _MAX_RUNS:
        step *= 2
        hashes = {one for one in hashes if one % step == 0}
    return np.array(sorted(hashes), np.uint32)


WORD_RUNS: DerivedKind[Runs] = DerivedKind(
    "word_runs", 1, _make_runs, lambda runs: runs.tobytes(), lambda data: np.frombuffer(data, "u4")
)


def measure_shared_words(one: Runs, other: Runs) -> float:
    """Return the cosine of two documents' runs of words, 0 to 1; 0 for too few of them."""
    every = (int(np.bitwise_or.reduce(runs)) for runs in (one, other))
    step = max(bits & -bits for bits in every) or 1  # the power of two that divides all
    one, other = one[one % step == 0], other[other % step == 0]
    if min(len(one), len(other)) < _MIN_RUNS:
        return 0.0
    return len(np.intersect1d(one, other, assume_unique=True)) / sqrt(len(one) * len(other))


class _Kinship:
    """Two documents that share words, of which one may be an edition of the other's rulebook."""

    def __init__(self, document: Document, other: Document, shared: float) -> None:
        self.document, self.other, self.shared = document, other, shared
        own, its = _title_words(document), _title_words(other)
        self._is_grown = own - NAMELESS_WORDS <= its or its - NAMELESS_WORDS <= own
        self.has_same_title = bool(own) and own == its and shared >= _RELATED
        self.is_worth_asking = shared >= (_NEAR if self._is_grown else _RELATED)

    def is_proven(self, documents: Sequence[Document]) -> bool:
        """True where both titles are the same, or one grew or nearly all words stayed.

        Not where both rulebooks have an edition of one year: they are books on two subjects.
        """
        if self.has_same_title:
            return True
        years, its_years = (
            {one.edition[0] for one in _list_family(which, documents)}
            for which in (self.document, self.other)
        )
        is_same, is_related = self.shared >= _SAME, self.shared >= _RELATED
        if self.document.edition[0] and self.other.edition[0]:
            return years.isdisjoint(its_years) and (is_same or (self._is_grown and is_related))
        is_ordered = self.document.is_before(self.other) or self.other.is_before(self.document)
        return self._is_grown and is_same and is_ordered

    def describe(self) -> str:
        return (
            f"{self.shared:.0%} of the words of {self.document.label} are those of"
            f" {self.other.label}"
        )


def _title_words(document: Document) -> frozenset[str]:
    """The words that part a document's title from those of other books."""
    is_read = document.sources.get("family") in _READ_FROM
    family = document.title_family or (document.family if is_read else None)
    slug = family or family_from_title(document.title, any_title=True) or ""
    return frozenset(slug.split("-")) - {""}


def _list_family(document: Document, documents: Iterable[Document]) -> list[Document]:
    """Return a document, and those of its family."""
    others = (one for one in documents if one.document_id != document.document_id)
    return [document, *(one for one in others if one.family and one.family == document.family)]


def assign_families(library: Library, document_ids: Iterable[str]) -> None:
    """Give new documents the family of the rulebook that they are an edition of.

    A family that a person gave stays. Raises LibraryError as the library.
    """
    runs: dict[str, Runs] = {}
    for document_id in document_ids:
        while _joins_family(library, library.document(document_id), runs):
            pass


def find_unassigned(library: Library, document_ids: Iterable[str]) -> set[str]:
    """Return which of some documents `assign_families` is still to join to another rulebook.

    Documents can be seen some time before it has. What is damaged is joined to nothing.
    """
    documents, runs = library.documents(), dict[str, Runs]()
    wanted = set(document_ids)
    found = set()
    with suppress(LibraryError):
        for document in documents:
            if document.document_id in wanted:
                closest = _find_closest(library, document, documents, runs)
                if closest and closest[1]:
                    found.add(document.document_id)
    return found


def _joins_family(library: Library, document: Document, runs: dict[str, Runs]) -> bool:
    """Join a document's rulebook and another one if they are one, else propose it."""
    documents = library.documents()
    found = _find_closest(library, document, documents, runs)
    if found is None:
        return False
    first, families = found
    if families:
        _join(library, *families, first)
        return True
    if len(_list_family(document, documents)) == 1 and not _is_given(document):
        _propose(library, first)
    return False


def _find_closest(
    library: Library, document: Document, documents: Sequence[Document], runs: dict[str, Runs]
) -> tuple[_Kinship, tuple[list[Document], list[Document]] | tuple[()]] | None:
    """Return what is closest to a document, and if both are surely one rulebook their families.

    The second family is the one whose name is kept.
    """
    related = _find_kin(library, document, documents, runs)
    if not related:
        return None
    first = max(related, key=lambda one: (one.has_same_title, one.shared))
    changed, kept = (_list_family(one, documents) for one in (document, first.other))
    if any(map(_is_given, changed)):
        changed, kept = kept, changed
    is_sure = first.is_proven(documents) and not any(map(_is_given, changed))
    return first, (changed, kept) if is_sure else ()


def _is_given(document: Document) -> bool:
    return document.sources.get("family") == "given"


def _find_kin(
    library: Library, document: Document, documents: Iterable[Document], runs: dict[str, Runs]
) -> list[_Kinship]:
    """Return the documents of other families that share words with one; `runs` are kept."""
    others = [
        other
        for other in documents
        if other.document_id != document.document_id
        and (not _is_given(other) if other.family is None else other.family != document.family)
        and other.is_sample == document.is_sample
        and (None in (other.language, document.language) or other.language == document.language)
    ]
    if not others:
        return []
    for one in (document, *others):
        if one.document_id not in runs:
            runs[one.document_id] = WORD_RUNS.obtain(library, one)
    own = runs[document.document_id]
    shares = (measure_shared_words(own, runs[other.document_id]) for other in others)
    kin = (_Kinship(document, other, shared) for other, shared in zip(others, shares, strict=True))
    return [one for one in kin if one.is_worth_asking]


def _join(
    library: Library, changed: Iterable[Document], kept: Sequence[Document], kinship: _Kinship
) -> None:
    """Give documents the family of others; one by a title and an id where neither has any."""
    oldest = min(kept, key=lambda one: one.edition)
    words = "-".join([*_WORD.findall(oldest.rulebook.casefold()), oldest.document_id[:8]])
    family = kept[0].family or kinship.document.family or words[-MetadataOverride.LONGEST_FAMILY :]
    for one in (*changed, *kept):
        if one.family != family:
            known = replace(
                one,
                family=family,
                title_family=one.title_family or one.family,
                sources={**one.sources, "family": kinship.describe()},
                warnings=tuple(note for note in one.warnings if note.code not in _OPEN),
            )
            library.update_document(known)


def _propose(library: Library, kinship: _Kinship) -> None:
    document, family = kinship.document, kinship.other.family
    message = (
        f"{kinship.describe()}. If it is an edition of that rulebook, give it the same family on"
        f" the library page{f': {family}' if family else ''}."
    )
    warnings = (*document.warnings, ReadingWarning(_WEAK, None, message))
    library.update_document(replace(document, warnings=warnings))


def keep_family(stored: Document, document: Document) -> Document:
    """Return a document that was read again with the family that was decided before."""
    proposals = tuple(one for one in stored.warnings if one.code == _WEAK)
    document = replace(document, warnings=(*document.warnings, *proposals))
    if stored.family is None:
        return document
    sources = {**document.sources, "family": stored.sources.get("family", "")}
    warnings = tuple(one for one in document.warnings if one.code != _UNREAD)
    return replace(
        document,
        family=stored.family,
        title_family=stored.title_family,
        sources=sources,
        warnings=warnings,
    )
