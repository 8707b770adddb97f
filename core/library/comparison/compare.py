"""What changed between two documents: pairs of clauses, with their differences and what the publisher marked of them.

A comparison says what is different, not what it means; the words themselves are in the pairs.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel

from core.library.article_path import article_key
from core.library.comparison.alignment import (
    align_clauses,
    map_parents,
    parent_article,
    title_and_text,
)
from core.library.comparison.moved_text import link_moved_words
from core.library.comparison.word_diff import (
    MIN_MARKED_SHARE,
    PublisherMarks,
    diff_texts,
    diff_words,
    marked_share,
)
from core.library.types import ClausePair, DiffSegment, Document, MarkStatus, PairKind
from core.rulebook import ArticleCitation, Clause, MarkKind

NEIGHBOUR_CLAUSES = 3
"""Clauses before and after one, in the later document, where what was taken out of it may stand struck through."""
MIN_STRUCK_LETTERS = 12
"""Letters of such words from which they are not there by chance."""
_SINCE = re.compile(
    r"(?:(?P<before>20\d\d)[^;]{0,90}?)?\bIss(?:ue)?\.?\s*0*(?P<issue>\d{1,3})\b(?:\s+of\s+(?P<after>20\d\d))?",
    re.I,
)
"""An issue that a legend names: "2026 ... Iss 06", "Issue 2 of 2023"."""


def compare(
    before: Sequence[Clause], after: Sequence[Clause], about: Iterable[str] = ()
) -> tuple[ClausePair, ...]:
    """Align the clauses in force of two documents, the earlier one first.

    `about` names clause ids; pairs without one of them are left out (none: all pairs). Pairs come in the order of
    the later document, clauses that it no longer has at the end. Its marks are read as the publisher's word on the
    changes where it is a later issue or season of the same rulebook and has any. Raises LibraryError `limit` for
    documents too large to be compared.
    """
    old, new, wanted = _in_force(before), _in_force(after), set(about)
    partners = align_clauses(old, new)
    view = _View(
        map_parents(old, new, partners),
        {article_key(old[i].article): article_key(new[j].article) for j, i in partners.items()},
        _Marking(after) if _marks_speak(before, after) else None,
    )
    sides: list[tuple[Clause | None, Clause | None]] = [
        (old[partners[j]] if j in partners else None, clause) for j, clause in enumerate(new)
    ]
    taken = set(partners.values())
    sides += [(clause, None) for i, clause in enumerate(old) if i not in taken]
    return tuple(
        pair
        for pair in link_moved_words([view.build_pair(a, b) for a, b in sides])
        if not wanted or pair.clause_a in wanted or pair.clause_b in wanted
    )


def describe_marks(before: Document, after: Document) -> str | None:
    """A sentence on the changes that the later document marks, and on those it does not; None without a legend."""
    if not after.legend or before.family != after.family:
        return None
    since = [
        (int(named["before"] or named["after"] or after.season or 0), int(named["issue"]))
        for named in _SINCE.finditer(after.legend)
    ]
    told = f"The later document marks: “{after.legend}”."
    if since and min(since) > (before.season or 0, before.issue or 0):
        season, issue = min(since)
        return f"{told} What had changed before, up to Issue {issue} of {season}, stands in it without a mark."
    return told


def text_similarity(a: str, b: str) -> float:
    """How alike two texts are, 0 to 1: twice the words they have in common in the same order, of all words of both."""
    return float(Indel.normalized_similarity(diff_words(a), diff_words(b)))


class _Marking:
    """The marks of a document, by clause."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self._clauses = clauses
        self._at = {clause.clause_id: number for number, clause in enumerate(clauses)}

    def marks_for(self, clause: Clause) -> PublisherMarks:
        """What is marked in a clause, and what is struck out beside it."""
        at = self._at[clause.clause_id]
        beside = [
            *self._clauses[max(at - NEIGHBOUR_CLAUSES, 0) : at],
            *self._clauses[at + 1 : at + 1 + NEIGHBOUR_CLAUSES],
        ]
        struck = (
            text
            for other in beside
            for text in _marked(other, "deleted")
            if len(text) >= MIN_STRUCK_LETTERS
        )
        return PublisherMarks(
            tuple(_marked(clause, "inserted")), (*_marked(clause, "deleted"), *struck)
        )

    def struck_texts(self) -> list[str]:
        """All words that the document strikes out, but for shreds of clauses that stay."""
        return [
            text
            for clause in self._clauses
            for text in _marked(clause, "deleted")
            if clause.status == "deleted" or len(text) >= MIN_STRUCK_LETTERS
        ]


@dataclass(frozen=True, slots=True)
class _View:
    """What making a pair needs to know of both documents: where articles have gone, and what is marked."""

    homes: Mapping[str, str]
    articles: Mapping[str, str]
    marking: _Marking | None

    def build_pair(self, a: Clause | None, b: Clause | None) -> ClausePair:
        one = b or a
        before, after = (title_and_text(clause) if clause else "" for clause in (a, b))
        marks = self.marking.marks_for(b) if self.marking and b else None
        pieces = diff_texts(before, after, marks, self._same_rule) if a and b else ()
        return ClausePair(
            kind=self._kind(a, b, pieces),
            article_a=a.article if a else None,
            article_b=b.article if b else None,
            title=one.title if one else "",
            before=before,
            after=after,
            similarity=(text_similarity(before, after) if pieces else 1.0) if a and b else 0.0,
            clause_a=a.clause_id if a else None,
            clause_b=b.clause_id if b else None,
            marked=_marked_in_all(pieces) if a and b else self._marked_alone(before, marks, after),
            pieces=pieces,
        )

    def _kind(self, a: Clause | None, b: Clause | None, pieces: Sequence[DiffSegment]) -> PairKind:
        if a is None:
            return "added"
        if b is None:
            return "removed"
        if a.article == b.article:
            return "changed" if pieces else "unchanged"
        return "renumbered" if self.homes.get(parent_article(a)) == parent_article(b) else "moved"

    def _same_rule(self, one: ArticleCitation, other: ArticleCitation) -> bool:
        gone_to = self.articles.get(article_key(one.number))
        return one.part == other.part and gone_to == article_key(other.number)

    def _marked_alone(
        self, before: str, marks: PublisherMarks | None, after: str
    ) -> MarkStatus | None:
        """Whether a clause that one document has alone is marked as such."""
        if self.marking is None:
            return None
        text, marked = (after, marks.inserted) if marks else (before, self.marking.struck_texts())
        return "marked" if marked_share(text, marked) >= MIN_MARKED_SHARE else "unmarked"


def _marked_in_all(pieces: Sequence[DiffSegment]) -> MarkStatus | None:
    changes = [piece for piece in pieces if piece.marked is not None]
    told = {piece.marked for piece in changes if piece.reason is None} or {
        piece.marked for piece in changes
    }
    if not told:
        return None
    return "partly" if len(told) > 1 else "marked" if told == {True} else "unmarked"


def _marked(clause: Clause, kind: MarkKind) -> list[str]:
    """The words of one kind of mark, without the clause's own number, which is none of its words."""
    return [
        mark.text.removeprefix(f"{clause.article} ") for mark in clause.marks if mark.kind == kind
    ]


def _marks_speak(before: Sequence[Clause], after: Sequence[Clause]) -> bool:
    """True where the later document is a later one of the same rulebook, and marks anything."""
    if not (
        before and after and before[0].family is not None and before[0].family == after[0].family
    ):
        return False
    ages = [(clauses[0].season or 0, clauses[0].issue or 0) for clauses in (before, after)]
    return ages[0] < ages[1] and any(
        mark.kind in ("deleted", "inserted") for c in after for mark in c.marks
    )


def _in_force(clauses: Iterable[Clause]) -> list[Clause]:
    return [clause for clause in clauses if clause.status == "in_force"]
