"""Which clause of one document is which of another: by words, headings, numbers and neighbours, also renumbered.

It says nothing of what changed in them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist
from scipy.optimize import linear_sum_assignment

from core.library.comparison.differences import words
from core.library.tree import steps
from core.rulebook.types import Clause

SAME, LEAST = 0.46, 0.3
"""Likeness from which two clauses are one rule, and that of their words alone below which nothing makes them one.
Found by reading the pairs of two seasons with all numbers new."""
NUMBER, TITLE, HEADINGS, PARENTS, NEIGHBOURS = 0.15, 0.2, 0.15, 0.1, 0.05
"""What the same number, the same title, like headings, parents that are a pair and each neighbour in a pair add to
like words."""

Matrix = NDArray[np.float32]
Partners = Mapping[int, int]
"""For places in the later document, the places of their partners in the earlier one."""

_FIRST_CODE = 0x10000  # beyond the surrogates, which no string may hold


def aligned(old: Sequence[Clause], new: Sequence[Clause]) -> Partners:
    """The assignment with the greatest likeness in all, made again with what the first has shown of the context."""
    if not old or not new:
        return {}
    alike = _likeness(*[[words(said(clause)) for clause in clauses] for clauses in (old, new)])
    likeness: Matrix = (alike + _bearings(old, new)) * (alike >= LEAST)
    return _assigned(likeness + _context(old, new, _assigned(likeness)))


def _assigned(likeness: Matrix) -> Partners:
    # What is no pair has no worth, else it would push real pairs aside for the sake of the sum.
    worth = likeness * (likeness >= SAME)
    rows, columns = linear_sum_assignment(worth, maximize=True)
    return {int(j): int(i) for i, j in zip(rows, columns, strict=True) if worth[i, j]}


def _likeness(old: list[list[str]], new: list[list[str]]) -> Matrix:
    """Half for the same words in the same order, half for the same rare words in any order."""
    in_order = cdist(*coded(old, new), scorer=Indel.normalized_similarity, dtype=np.float32, workers=-1)
    alike: Matrix = ((in_order + _cosine(old, new)) / 2).astype(np.float32)
    return alike


def _bearings(old: Sequence[Clause], new: Sequence[Clause]) -> Matrix:
    """What the same number, the same title and like headings add."""
    numbers = [np.array([clause.article for clause in clauses]) for clauses in (old, new)]
    same_number = numbers[0][:, None] == numbers[1][None, :]
    titles = [np.array([" ".join(words(clause.title)) for clause in clauses]) for clauses in (old, new)]
    same_title = (titles[0][:, None] == titles[1][None, :]) & (titles[1] != "")[None, :]
    headings = [[words(_headings(clause)) for clause in clauses] for clauses in (old, new)]
    added: Matrix = (NUMBER * same_number + TITLE * same_title + HEADINGS * _cosine(*headings)).astype(np.float32)
    return added


def _context(old: Sequence[Clause], new: Sequence[Clause], partners: Partners) -> Matrix:
    """What parents and neighbours that are pairs add."""
    added: Matrix = np.zeros((len(old), len(new)), dtype=np.float32)
    for j, i in partners.items():
        for step in (-1, 1):
            if 0 <= i + step < len(old) and 0 <= j + step < len(new):
                added[i + step, j + step] += NEIGHBOURS
    homes = homes_of(old, new, partners)
    mapped = np.array([homes.get(parent_of(clause), "") for clause in old])
    parents = np.array([parent_of(clause) for clause in new])
    at_home = (mapped[:, None] == parents[None, :]) & (parents != "")[None, :]
    added[at_home] += PARENTS
    return added


def homes_of(old: Sequence[Clause], new: Sequence[Clause], partners: Partners) -> dict[str, str]:
    """For articles of the earlier document, the article of the later under which most of their sub-clauses stand."""
    votes: dict[str, Counter[str]] = {}
    for j, i in partners.items():
        votes.setdefault(parent_of(old[i]), Counter())[parent_of(new[j])] += 1
    return {parent: counted.most_common(1)[0][0] for parent, counted in votes.items()}


def parent_of(clause: Clause) -> str:
    return ".".join(steps(clause.article)[:-1])


def coded(*sides: list[list[str]]) -> list[list[str]]:
    """Texts with a character for each word, so that likeness counts words and not letters."""
    codes: dict[str, str] = {}
    return [
        ["".join(codes.setdefault(word, chr(_FIRST_CODE + len(codes))) for word in words) for words in texts]
        for texts in sides
    ]


def _cosine(old: list[list[str]], new: list[list[str]]) -> Matrix:
    """Likeness of the words whatever their order, rare ones counting for more (TF-IDF)."""
    places = {word: place for place, word in enumerate({word for text in [*old, *new] for word in text})}
    counts = np.zeros((len(old) + len(new), max(len(places), 1)), dtype=np.float32)
    for row, text in enumerate([*old, *new]):
        for word, count in Counter(text).items():
            counts[row, places[word]] = 1 + np.log(count)
    weighted = counts * np.log((1 + len(counts)) / (1 + (counts > 0).sum(axis=0)))
    weighted /= np.maximum(np.linalg.norm(weighted, axis=1, keepdims=True), 1e-9)
    cosine: Matrix = weighted[: len(old)] @ weighted[len(old) :].T
    return cosine


def said(clause: Clause) -> str:
    """A clause's title and words."""
    return f"{clause.title}\n{clause.text}".strip()


def _headings(clause: Clause) -> str:
    return " ".join((*clause.breadcrumb, clause.title))
