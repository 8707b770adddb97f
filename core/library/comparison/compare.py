"""Compare two documents: pairs of clauses, their differences and the publisher's marks on them.

A comparison says what is different, not what it means.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rapidfuzz.distance import Indel

from core.choices import PairKind
from core.grammar import ArticleCitation
from core.library.article_path import article_key
from core.library.comparison.alignment import (
    align_clauses,
    drop_shared_captions,
    join_parts,
    map_parents,
    parent_article,
    title_and_text,
)
from core.library.comparison.declarations import (
    add_declarations,
    link_moved_words,
    locate_gaps,
    mark_headings,
)
from core.library.comparison.drawings import add_redrawn_figures
from core.library.comparison.word_diff import (
    MIN_MARKED_SHARE,
    PublisherMarks,
    diff_texts,
    diff_words,
    marked_share,
)
from core.library.storage.library import Library
from core.library.types import ClausePair, DiffSegment, MarkStatus, find_mark_base
from core.rulebook import Clause, MarkKind

NEIGHBOUR_CLAUSES = 3
"""Clauses before and after one in the later document that may show its deleted words."""
MIN_STRUCK_LETTERS = 12
"""Fewest letters of such words; fewer occur by chance. tests/benchmarks/changes.py counts the marks
without a change, and the changes without a mark."""


def compare_documents(
    library: Library,
    before: str,
    after: str,
    about: Iterable[str] = (),
    article: str | None = None,
    is_drawn: bool = False,
) -> tuple[ClausePair, ...]:
    """Compare two documents by id, the earlier one first, as `compare` does their clauses.

    With an `article`, return the pairs about that alone. With `is_drawn` figures that are drawn
    differently are looked for too, which takes some seconds.
    """
    changelog = [text for text in library.other_texts(after) if text.kind == "changelog"]
    old, new = library.clauses(before), library.clauses(after)
    pairs = compare(old, new, about, changelog, library.document(after).legend)
    pairs = tuple(pair for pair in pairs if not article or pair.is_about(article))
    if not is_drawn:
        return pairs
    old_file, new_file = library.stored_file(before), library.stored_file(after)
    return add_redrawn_figures(pairs, (old_file, old), (new_file, new))


def compare(
    before: Sequence[Clause],
    after: Sequence[Clause],
    about: Iterable[str] = (),
    changelog: Iterable[Clause] = (),
    legend: str = "",
) -> tuple[ClausePair, ...]:
    """Compare the clauses in force of two documents, the earlier one first.

    `about` restricts the result to pairs with one of these clause ids (default: all pairs). Pairs
    are in the order of the later document, followed by removed clauses. Its marks count if it is
    a later issue or season of the same rulebook, as its `changelog` does: its texts of that kind.
    No change is called undeclared where its `legend` says that it marks later ones alone. Raises
    LibraryError `limit` for documents too large to compare.
    """
    before, old_wholes = join_parts(before)
    after, new_wholes = join_parts(after)
    before, after = drop_shared_captions(before, after)
    wholes = old_wholes | new_wholes
    old, new = _in_force(before), _in_force(after)
    wanted = {wholes.get(clause_id, clause_id) for clause_id in about}
    partners = align_clauses(old, new)
    marks = _DocumentMarks(after) if _has_usable_marks(before, after) else None
    builder = _PairBuilder(
        map_parents(old, new, partners),
        {article_key(old[i].article): article_key(new[j].article) for j, i in partners.items()},
        marks,
    )
    pairs = [
        builder.build_pair(old[partners[j]], clause)
        if j in partners
        else builder.build_single(clause, "added")
        for j, clause in enumerate(new)
    ]
    paired = set(partners.values())
    pairs += [
        builder.build_single(clause, "removed") for i, clause in enumerate(old) if i not in paired
    ]
    located = locate_gaps(link_moved_words(pairs), (clause.article for clause in old))
    told = add_declarations(
        tuple(mark_headings(tuple(located))),
        changelog,
        {clause.clause_id: marks.marks_for(clause).inserted for clause in new} if marks else {},
        has_earlier=bool(before and after and find_mark_base(before[0], after[0], legend)),
    )
    return tuple(p for p in told if not wanted or wanted & {p.clause_a, p.clause_b})


def text_similarity(a: str, b: str) -> float:
    """Return twice the number of words common in order, divided by all words of both, 0 to 1."""
    return float(Indel.normalized_similarity(diff_words(a), diff_words(b)))


class _DocumentMarks:
    """The publisher's marks in the later document, by clause."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self._clauses = clauses
        self._positions = {clause.clause_id: number for number, clause in enumerate(clauses)}

    def marks_for(self, clause: Clause) -> PublisherMarks:
        """Return the marks of a clause, including words struck through next to it."""
        position = self._positions[clause.clause_id]
        first, end = max(position - NEIGHBOUR_CLAUSES, 0), position + 1 + NEIGHBOUR_CLAUSES
        neighbours = (*self._clauses[first:position], *self._clauses[position + 1 : end])
        struck = [text for other in neighbours for text in _mark_texts(other, "deleted")]
        near = (text for text in struck if len(text) >= MIN_STRUCK_LETTERS)
        deleted = (*_mark_texts(clause, "deleted"), *near)
        return PublisherMarks(tuple(_mark_texts(clause, "inserted")), deleted)

    def struck_texts(self) -> list[str]:
        """Return all deleted words, except a few letters in clauses that remain."""
        return [
            text
            for clause in self._clauses
            for text in _mark_texts(clause, "deleted")
            if clause.status == "deleted" or len(text) >= MIN_STRUCK_LETTERS
        ]


@dataclass(frozen=True, slots=True)
class _PairBuilder:
    """Build pairs; knows the new places of parents and articles, and the marks if they count."""

    new_parents: Mapping[str, str]
    new_articles: Mapping[str, str]
    marks: _DocumentMarks | None

    def build_pair(self, a: Clause, b: Clause) -> ClausePair:
        before, after = title_and_text(a), title_and_text(b)
        marks = self.marks.marks_for(b) if self.marks else None
        pieces = diff_texts(before, after, marks, self.is_same_rule)
        place: Literal["same", "renumbered", "moved"] = "moved"
        if article_key(a.article) == article_key(b.article):  # "D7" may be printed "D 7"
            place = "same"
        elif self.new_parents.get(parent_article(a)) == parent_article(b):
            place = "renumbered"
        kind: PairKind = "changed" if pieces else "unchanged"
        return ClausePair(
            kind=kind if place == "same" else place,
            article_a=a.article,
            article_b=b.article,
            title=b.title,
            before=before,
            after=after,
            similarity=text_similarity(before, after) if pieces else 1.0,
            clause_a=a.clause_id,
            clause_b=b.clause_id,
            marked=_summarize_marks(pieces),
            pieces=pieces,
            place=place,
            wording="changed" if pieces else "same",
        )

    def build_single(self, clause: Clause, place: Literal["added", "removed"]) -> ClausePair:
        """Build the pair of a clause that only one document has."""
        text = title_and_text(clause)
        marked: MarkStatus | None = None
        if self.marks:
            is_new = place == "added"
            words = self.marks.marks_for(clause).inserted if is_new else self.marks.struck_texts()
            share = marked_share(text, words)
            marked = "partly" if is_new and share else "unmarked"
            marked = "marked" if share >= MIN_MARKED_SHARE else marked
        pair = ClausePair(place, title=clause.title, marked=marked, place=place, wording="changed")
        article, clause_id = clause.article, clause.clause_id
        if place == "added":
            return replace(pair, article_b=article, after=text, clause_b=clause_id)
        return replace(pair, article_a=article, before=text, clause_a=clause_id)

    def is_same_rule(self, one: ArticleCitation, other: ArticleCitation) -> bool:
        new_article = self.new_articles.get(article_key(one.number))
        return one.part == other.part and new_article == article_key(other.number)


def _summarize_marks(pieces: Sequence[DiffSegment]) -> MarkStatus | None:
    """Summarize the changes without a reason, or all changes if each has one."""
    changes = [piece for piece in pieces if piece.marked is not None]
    unexplained = [piece for piece in changes if piece.reason is None]
    marked = {piece.marked for piece in unexplained or changes}
    if not marked:
        return None
    return "partly" if len(marked) > 1 else "marked" if marked == {True} else "unmarked"


def _mark_texts(clause: Clause, kind: MarkKind) -> list[str]:
    """Return the words of one kind of mark, without the clause's own number."""
    prefix = f"{clause.article} "
    return [mark.text.removeprefix(prefix) for mark in clause.marks if mark.kind == kind]


def _has_usable_marks(before: Sequence[Clause], after: Sequence[Clause]) -> bool:
    """True if the later document is a later edition of the same rulebook and marks anything."""
    if not before or not after or before[0].family is None or before[0].family != after[0].family:
        return False
    old, new = ((first.season or 0, first.issue or 0) for first in (before[0], after[0]))
    kinds = {mark.kind for clause in after for mark in clause.marks}
    return old < new and not kinds.isdisjoint(("deleted", "inserted"))


def _in_force(clauses: Iterable[Clause]) -> list[Clause]:
    return [clause for clause in clauses if clause.status == "in_force"]
