"""What changed between two documents: their clauses aligned by words, headings and numbers, also across renumbering.

A comparison says what is different, not what it means; the words themselves are in the pairs.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist
from scipy.optimize import linear_sum_assignment

from core.library.tree import steps
from core.library.types import Pair, PairKind
from core.rulebook.types import Clause

SAME, LEAST = 0.46, 0.3
"""Likeness from which two clauses are one rule, and that of their words alone below which nothing makes them one.
Found by reading the pairs of two seasons with all numbers new."""
NUMBER, HEADINGS, PARENTS, NEIGHBOURS = 0.15, 0.15, 0.1, 0.05
"""What the same number, like headings, parents that are a pair and each neighbour in a pair add to like words."""

Matrix = NDArray[np.float32]
Partners = Mapping[int, int]
"""For places in the later document, the places of their partners in the earlier one."""

_WORD = re.compile(r"\w+|[^\w\s]")
_ALIKE = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\xad": None})
_FIRST_CODE = 0x10000  # beyond the surrogates, which no string may hold


def compare(before: Sequence[Clause], after: Sequence[Clause], about: Iterable[str] = ()) -> tuple[Pair, ...]:
    """Align the clauses in force of two documents.

    `about` names clause ids; pairs without one of them are left out (none: all pairs). Pairs come in the order of
    the later document, clauses that it no longer has at the end.
    """
    old, new, wanted = _in_force(before), _in_force(after), set(about)
    partners = _aligned(old, new)
    homes = _homes(old, new, partners)
    sides: list[tuple[Clause | None, Clause | None]] = [
        (old[partners[j]] if j in partners else None, clause) for j, clause in enumerate(new)
    ]
    taken = set(partners.values())
    sides += [(clause, None) for i, clause in enumerate(old) if i not in taken]
    return tuple(
        _pair(a, b, homes)
        for a, b in sides
        if not wanted or any(side is not None and side.clause_id in wanted for side in (a, b))
    )


def similarity(a: str, b: str) -> float:
    """How alike two texts are, 0 to 1: twice the words they have in common in the same order, of all words of both."""
    return float(Indel.normalized_similarity(_words(a), _words(b)))


def _in_force(clauses: Iterable[Clause]) -> list[Clause]:
    return [clause for clause in clauses if clause.status == "in_force"]


def _aligned(old: Sequence[Clause], new: Sequence[Clause]) -> Partners:
    """The assignment with the greatest likeness in all, made again with what the first has shown of the context."""
    if not old or not new:
        return {}
    words = _likeness(*([_words(_said(clause)) for clause in clauses] for clauses in (old, new)))
    likeness: Matrix = (words + _bearings(old, new)) * (words >= LEAST)
    return _assigned(likeness + _context(old, new, _assigned(likeness)))


def _assigned(likeness: Matrix) -> Partners:
    # What is no pair has no worth, else it would push real pairs aside for the sake of the sum.
    worth = likeness * (likeness >= SAME)
    rows, columns = linear_sum_assignment(worth, maximize=True)
    return {int(j): int(i) for i, j in zip(rows, columns, strict=True) if worth[i, j]}


def _likeness(old: list[list[str]], new: list[list[str]]) -> Matrix:
    """Half for the same words in the same order, half for the same rare words in any order."""
    in_order = cdist(*_coded(old, new), scorer=Indel.normalized_similarity, dtype=np.float32, workers=-1)
    alike: Matrix = ((in_order + _cosine(old, new)) / 2).astype(np.float32)
    return alike


def _bearings(old: Sequence[Clause], new: Sequence[Clause]) -> Matrix:
    """What the same number and like headings add."""
    numbers = [np.array([clause.article for clause in clauses]) for clauses in (old, new)]
    same_number = numbers[0][:, None] == numbers[1][None, :]
    headings = [[_words(_headings(clause)) for clause in clauses] for clauses in (old, new)]
    added: Matrix = (NUMBER * same_number + HEADINGS * _cosine(*headings)).astype(np.float32)
    return added


def _context(old: Sequence[Clause], new: Sequence[Clause], partners: Partners) -> Matrix:
    """What parents and neighbours that are pairs add."""
    added: Matrix = np.zeros((len(old), len(new)), dtype=np.float32)
    for j, i in partners.items():
        for step in (-1, 1):
            if 0 <= i + step < len(old) and 0 <= j + step < len(new):
                added[i + step, j + step] += NEIGHBOURS
    homes = _homes(old, new, partners)
    mapped = np.array([homes.get(_parent(clause), "") for clause in old])
    parents = np.array([_parent(clause) for clause in new])
    at_home = (mapped[:, None] == parents[None, :]) & (parents != "")[None, :]
    added[at_home] += PARENTS
    return added


def _homes(old: Sequence[Clause], new: Sequence[Clause], partners: Partners) -> dict[str, str]:
    """For articles of the earlier document, the article of the later under which most of their sub-clauses stand."""
    votes: dict[str, Counter[str]] = {}
    for j, i in partners.items():
        votes.setdefault(_parent(old[i]), Counter())[_parent(new[j])] += 1
    return {parent: counted.most_common(1)[0][0] for parent, counted in votes.items()}


def _parent(clause: Clause) -> str:
    return ".".join(steps(clause.article)[:-1])


def _coded(*sides: list[list[str]]) -> list[list[str]]:
    """Texts with a character for each word, so that likeness counts words and not letters."""
    codes: dict[str, str] = {}
    return [
        ["".join(codes.setdefault(word, chr(_FIRST_CODE + len(codes))) for word in words) for words in texts]
        for texts in sides
    ]


def _cosine(old: list[list[str]], new: list[list[str]]) -> Matrix:
    """Likeness of the words whatever their order, rare ones counting for more (TF-IDF)."""
    places = {word: place for place, word in enumerate({word for words in [*old, *new] for word in words})}
    counts = np.zeros((len(old) + len(new), max(len(places), 1)), dtype=np.float32)
    for row, words in enumerate([*old, *new]):
        for word, count in Counter(words).items():
            counts[row, places[word]] = 1 + np.log(count)
    weighted = counts * np.log((1 + len(counts)) / (1 + (counts > 0).sum(axis=0)))
    weighted /= np.maximum(np.linalg.norm(weighted, axis=1, keepdims=True), 1e-9)
    cosine: Matrix = weighted[: len(old)] @ weighted[len(old) :].T
    return cosine


def _pair(a: Clause | None, b: Clause | None, homes: Mapping[str, str]) -> Pair:
    one = b or a
    before, after = (_said(clause) if clause else "" for clause in (a, b))
    return Pair(
        kind=_kind(a, b, homes),
        article_a=a.article if a else None,
        article_b=b.article if b else None,
        title=one.title if one else "",
        before=before,
        after=after,
        similarity=similarity(before, after) if a and b else 0.0,
        clause_a=a.clause_id if a else None,
        clause_b=b.clause_id if b else None,
    )


def _kind(a: Clause | None, b: Clause | None, homes: Mapping[str, str]) -> PairKind:
    if a is None:
        return "added"
    if b is None:
        return "removed"
    if a.article == b.article:
        return "unchanged" if _words(_said(a)) == _words(_said(b)) else "changed"
    return "renumbered" if homes.get(_parent(a)) == _parent(b) else "moved"


def _said(clause: Clause) -> str:
    return f"{clause.title}\n{clause.text}".strip()


def _headings(clause: Clause) -> str:
    return " ".join((*clause.breadcrumb, clause.title))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.translate(_ALIKE).casefold())
