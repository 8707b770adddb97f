"""Which clause of one document is which of another: by words, headings, numbers and neighbours, also renumbered.

It says nothing of what changed in them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from core.errors import LibraryError
from core.library.article_path import article_steps
from core.library.comparison.word_diff import diff_words
from core.rulebook import Clause

if TYPE_CHECKING:  # scipy takes half a second to import; only a comparison needs it
    from scipy import sparse

MIN_PAIR_LIKENESS, MIN_WORD_LIKENESS = 0.46, 0.3
"""Likeness from which two clauses are one rule, and that of their words alone below which nothing makes them one.
Found by reading the pairs of two seasons with all numbers new."""
NUMBER_WEIGHT, TITLE_WEIGHT, HEADINGS_WEIGHT, PARENTS_WEIGHT, NEIGHBOUR_WEIGHT = (
    0.15,
    0.2,
    0.15,
    0.1,
    0.05,
)
"""What the same number, the same title, like headings, parents that are a pair and each neighbour in a pair add to
like words."""

MAX_CLAUSE_PAIRS = 36_000_000
"""Pairs of clauses, 6,000 with 6,000: about half a gigabyte while they are held against each other."""
BATCH_ROWS = 250
"""Clauses of the earlier document that are held against the later one at a time."""

Matrix = NDArray[np.float32]
Partners = Mapping[int, int]
"""For places in the later document, the places of their partners in the earlier one."""

_FIRST_CODE = 0x10000  # beyond the surrogates, which no string may hold


def align_clauses(old: Sequence[Clause], new: Sequence[Clause]) -> Partners:
    """The assignment with the greatest likeness in all, made again with what the first has shown of the context.

    Raises LibraryError `limit` for documents too large to be held against each other.
    """
    if not old or not new:
        return {}
    if len(old) * len(new) > MAX_CLAUSE_PAIRS:
        raise LibraryError(
            f"{len(old):,} clauses are too many to be compared with {len(new):,}: compare parts of these documents,"
            " each added as a file of its own.",
            code="limit",
        )
    likeness = _likeness(*_sides(old, new))
    partners = _assigned(likeness)
    _add_context(likeness, old, new, partners)
    return _assigned(likeness)


@dataclass(frozen=True, slots=True)
class _Side:
    """What is compared of the clauses of one document, a row a clause."""

    encoded_words: Sequence[str]
    word_weights: "sparse.csr_array"
    heading_weights: "sparse.csr_array"
    numbers: NDArray[np.str_]
    titles: NDArray[np.str_]

    def slice_batch(self, start: int) -> "_Side":
        """AT_ONCE of them."""
        part = slice(start, start + BATCH_ROWS)
        return _Side(
            self.encoded_words[part],
            self.word_weights[part],
            self.heading_weights[part],
            self.numbers[part],
            self.titles[part],
        )


def _sides(*documents: Sequence[Clause]) -> Iterator[_Side]:
    texts = [[diff_words(title_and_text(clause)) for clause in clauses] for clauses in documents]
    headings = [[diff_words(_headings(clause)) for clause in clauses] for clauses in documents]
    weighted = zip(encode_words(*texts), _weighted(*texts), _weighted(*headings), strict=True)
    for clauses, of_each in zip(documents, weighted, strict=True):
        numbers = np.array([clause.article for clause in clauses])
        titles = np.array([" ".join(diff_words(clause.title)) for clause in clauses])
        yield _Side(*of_each, numbers, titles)


def _likeness(old: _Side, new: _Side) -> Matrix:
    """How alike the clauses are, each with each; 0 where their words are not. Made in parts, for the memory's sake."""
    likeness: Matrix = np.empty((len(old.encoded_words), len(new.encoded_words)), dtype=np.float32)
    for start in range(0, len(likeness), BATCH_ROWS):
        part = old.slice_batch(start)
        alike = _alike(part, new)
        likeness[start : start + BATCH_ROWS] = (alike + _bearings(part, new)) * (
            alike >= MIN_WORD_LIKENESS
        )
    return likeness


def _alike(old: _Side, new: _Side) -> Matrix:
    """Half for the same words in the same order, half for the same rare words in any order."""
    in_order = cdist(
        old.encoded_words,
        new.encoded_words,
        scorer=Indel.normalized_similarity,
        dtype=np.float32,
        workers=-1,
    )
    alike: Matrix = ((in_order + (old.word_weights @ new.word_weights.T).toarray()) / 2).astype(
        np.float32
    )
    return alike


def _bearings(old: _Side, new: _Side) -> Matrix:
    """What the same number, the same title and like headings add."""
    same_number = old.numbers[:, None] == new.numbers
    same_title = (old.titles[:, None] == new.titles) & (new.titles != "")
    like_headings = (old.heading_weights @ new.heading_weights.T).toarray()
    added: Matrix = (
        NUMBER_WEIGHT * same_number + TITLE_WEIGHT * same_title + HEADINGS_WEIGHT * like_headings
    ).astype(np.float32)
    return added


def _assigned(likeness: Matrix) -> Partners:
    from scipy.optimize import linear_sum_assignment

    # What is no pair has no worth, else it would push real pairs aside for the sake of the sum.
    cost = np.negative(
        likeness, dtype=np.float64
    )  # as scipy wants it, which else makes two copies more
    cost[likeness < MIN_PAIR_LIKENESS] = 0
    rows, columns = linear_sum_assignment(cost)
    return {int(j): int(i) for i, j in zip(rows, columns, strict=True) if cost[i, j]}


def _add_context(
    likeness: Matrix, old: Sequence[Clause], new: Sequence[Clause], partners: Partners
) -> None:
    """What parents and neighbours that are pairs add."""
    for j, i in partners.items():
        for step in (-1, 1):
            if 0 <= i + step < len(old) and 0 <= j + step < len(new):
                likeness[i + step, j + step] += NEIGHBOUR_WEIGHT
    homes = map_parents(old, new, partners)
    children: dict[str, list[int]] = {}
    for j, clause in enumerate(new):
        children.setdefault(parent_article(clause), []).append(j)
    for i, clause in enumerate(old):
        if home := homes.get(parent_article(clause)):
            likeness[i, children[home]] += PARENTS_WEIGHT


def map_parents(old: Sequence[Clause], new: Sequence[Clause], partners: Partners) -> dict[str, str]:
    """For articles of the earlier document, the article of the later under which most of their sub-clauses stand."""
    votes: dict[str, Counter[str]] = {}
    for j, i in partners.items():
        votes.setdefault(parent_article(old[i]), Counter())[parent_article(new[j])] += 1
    return {parent: counted.most_common(1)[0][0] for parent, counted in votes.items()}


def parent_article(clause: Clause) -> str:
    return ".".join(article_steps(clause.article)[:-1])


def encode_words(*sides: list[list[str]]) -> list[list[str]]:
    """Texts with a character for each word, so that likeness counts words and not letters."""
    codes: dict[str, str] = {}
    return [
        [
            "".join(codes.setdefault(word, chr(_FIRST_CODE + len(codes))) for word in words)
            for words in texts
        ]
        for texts in sides
    ]


def _weighted(*sides: list[list[str]]) -> "Iterator[sparse.csr_array]":
    """For each text the weight of its words whatever their order, rare ones counting for more (TF-IDF), of length 1."""
    from scipy import sparse

    counted = [Counter(text) for texts in sides for text in texts]
    places: dict[str, int] = {}
    columns = np.array(
        [places.setdefault(word, len(places)) for words in counted for word in words],
        dtype=np.int64,
    )
    rows = np.repeat(np.arange(len(counted)), [len(words) for words in counted])
    times = np.array([count for words in counted for count in words.values()])
    weights = (1 + np.log(times)) * np.log((1 + len(counted)) / (1 + np.bincount(columns)))[columns]
    weights /= np.maximum(np.sqrt(np.bincount(rows, weights**2, len(counted))), 1e-9)[rows]
    weighted = sparse.csr_array(
        (weights, (rows, columns)), shape=(len(counted), max(len(places), 1))
    )
    start = 0
    for texts in sides:
        yield weighted[start : start + len(texts)]
        start += len(texts)


def title_and_text(clause: Clause) -> str:
    """A clause's title and words."""
    return f"{clause.title}\n{clause.text}".strip()


def _headings(clause: Clause) -> str:
    return " ".join((*clause.breadcrumb, clause.title))
