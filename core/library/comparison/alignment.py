"""Align the clauses of two documents by words, headings, numbers and neighbours.

Renumbered clauses are matched too. What changed in them is found by `word_diff`. Before, parts of
articles are joined and shared captions left out: how long an article is decides whether it is
parted, and a picture is printed where the page has room.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from core.errors import LibraryError
from core.library.article_path import article_steps
from core.library.comparison.word_diff import diff_words
from core.rulebook import Clause

if TYPE_CHECKING:
    from scipy import sparse

MIN_PAIR_SIMILARITY, MIN_WORD_SIMILARITY = 0.46, 0.3
"""Lowest similarity of a pair, and lowest similarity of its words alone. Chosen by reading the
pairs of two seasons between which every number changed."""
NUMBER_WEIGHT, TITLE_WEIGHT, HEADINGS_WEIGHT = 0.15, 0.2, 0.15
PARENTS_WEIGHT, NEIGHBOUR_WEIGHT = 0.1, 0.05
"""Added to the words' similarity for the same number, the same title, similar headings, parents
that are a pair and for each neighbour in a pair. tests/benchmarks/declared_changes.py counts the
changes that are found of those which publishers declared."""
MAX_CLAUSE_PAIRS = 36_000_000
"""6,000 times 6,000 clauses: about half a gigabyte during a comparison."""
MIN_WITNESS_WORDS, MIN_WITNESSES, MAX_MOVED_SHARE = 5, 10, 0.01
"""Numbers stay if at most this share moved of the wordings that each document has once, unchanged.
At least so many of them, with so many words each, are asked for."""
SURE_SIMILARITY = 1.0
"""Lowest similarity of a pair with two numbers where numbers stay: 0.85 of its words, and the same
headings. In 18 edited samples no rule is renumbered wrongly with it, and 42 were before."""
BATCH_ROWS = 250
"""Clauses of the earlier document that are compared with the later one at a time, in a third of the
memory of all at once."""
Matrix = NDArray[np.float32]
Partners = Mapping[int, int]
"""From positions in the later document to positions in the earlier one."""
_FIRST_CODE = 0x10000  # after the surrogates, which no string may contain


def join_parts(clauses: Iterable[Clause]) -> tuple[list[Clause], dict[str, str]]:
    """Return the clauses without parts, and the clause id of the whole by that of each part."""
    joined: list[Clause] = []
    wholes: dict[str, str] = {}
    for clause in clauses:
        article = (clause.whole_article, clause.language, clause.status)
        whole = joined[-1] if joined else None
        if whole and clause.part and article == (whole.article, whole.language, whole.status):
            wholes[clause.clause_id] = whole.clause_id
            joined[-1] = _append(whole, clause)
        else:
            joined.append(clause)
    return joined, wholes


def _append(whole: Clause, part: Clause) -> Clause:
    heading = "" if part.text.startswith(part.title) else part.title
    return replace(
        whole,
        text="\n".join(filter(None, (whole.text, heading, part.text))),
        deleted=(*whole.deleted, *part.deleted),
        inserted=(*whole.inserted, *part.inserted),
        marks=(*whole.marks, *part.marks),
        page_last=part.page_last,
    )


def drop_shared_captions(*documents: Sequence[Clause]) -> list[list[Clause]]:
    """Return the clauses of each document without the captions that all documents have."""
    keys = [
        {_caption_letters(caption) for clause in d for caption in _captions(clause)}
        for d in documents
    ]
    shared = set.intersection(*keys)
    return [[_drop_captions(clause, shared) for clause in clauses] for clauses in documents]


def _captions(clause: Clause) -> list[str]:
    return [figure.caption for figure in clause.figures if _caption_letters(figure.caption)]


def _drop_captions(clause: Clause, dropped: set[str]) -> Clause:
    text = clause.text
    for caption in _captions(clause):
        if _caption_letters(caption) in dropped:
            text = text.replace(caption, "", 1).strip()
    return clause if text == clause.text else replace(clause, text=text)


def _caption_letters(caption: str) -> str:
    """Return the letters of a caption, without its number, which other pictures change."""
    return "".join(character for character in caption.casefold() if character.isalpha())


def align_clauses(old: Sequence[Clause], new: Sequence[Clause]) -> Partners:
    """Return the assignment with the greatest total similarity.

    A first assignment shows which parents and neighbours are pairs; a second one uses that.
    Raises LibraryError `limit` for documents too large to compare.
    """
    if not old or not new:
        return {}
    if len(old) * len(new) > MAX_CLAUSE_PAIRS:
        raise LibraryError(
            f"{len(old):,} clauses are too many to be compared with {len(new):,}: compare parts of"
            " these documents, each added as a file of its own.",
            code="limit",
        )
    features = tuple(_build_features(old, new))
    similarity = _measure_similarity(*features)
    _trust_numbers(similarity, old, new, _find_witnesses(*features))
    _add_context(similarity, old, new, _assign(similarity))
    return _drop_chance_headings(old, new, _assign(similarity))


@dataclass(frozen=True, slots=True)
class _Features:
    """What is compared of the clauses of one document, a row for each clause."""

    encoded_words: Sequence[str]
    word_weights: "sparse.csr_array"
    heading_weights: "sparse.csr_array"
    numbers: NDArray[np.str_]
    titles: NDArray[np.str_]


def _build_features(*documents: Sequence[Clause]) -> Iterator[_Features]:
    texts = [[diff_words(title_and_text(clause)) for clause in clauses] for clauses in documents]
    headings = [
        [diff_words(" ".join((*clause.breadcrumb, clause.title))) for clause in clauses]
        for clauses in documents
    ]
    rows = zip(encode_words(*texts), _weigh_words(*texts), _weigh_words(*headings), strict=True)
    for clauses, features in zip(documents, rows, strict=True):
        numbers = np.array([clause.article for clause in clauses])
        titles = np.array([" ".join(diff_words(clause.title)) for clause in clauses])
        yield _Features(*features, numbers, titles)


def _measure_similarity(old: _Features, new: _Features) -> Matrix:
    """Compare each clause with each; 0 if their words differ. Works in batches to save memory."""
    similarity: Matrix = np.empty((len(old.encoded_words), len(new.encoded_words)), np.float32)
    for start in range(0, len(similarity), BATCH_ROWS):
        batch = slice(start, start + BATCH_ROWS)
        # Half for the same words in the same order, half for the same rare words in any order.
        in_order = cdist(
            old.encoded_words[batch],
            new.encoded_words,
            scorer=Indel.normalized_similarity,
            dtype=np.float32,
            workers=-1,
        )
        any_order = (old.word_weights[batch] @ new.word_weights.T).toarray()
        words = ((in_order + any_order) / 2).astype(np.float32)
        same_number = old.numbers[batch, None] == new.numbers
        same_title = (old.titles[batch, None] == new.titles) & (new.titles != "")
        headings = (old.heading_weights[batch] @ new.heading_weights.T).toarray()
        added = (
            NUMBER_WEIGHT * same_number + TITLE_WEIGHT * same_title + HEADINGS_WEIGHT * headings
        ).astype(np.float32)
        similarity[batch] = (words + added) * (words >= MIN_WORD_SIMILARITY)
    return similarity


def _find_witnesses(old: _Features, new: _Features) -> dict[int, int]:
    """Map positions in the later document to those of the same words, where both are unique."""
    sides = []
    for words in (old.encoded_words, new.encoded_words):
        counts = Counter(words)
        sides.append({text: n for n, text in enumerate(words) if counts[text] == 1})
    return {
        j: sides[0][text]
        for text, j in sides[1].items()
        if text in sides[0] and len(text) >= MIN_WITNESS_WORDS
    }


def _trust_numbers(
    similarity: Matrix, old: Sequence[Clause], new: Sequence[Clause], witnesses: Partners
) -> None:
    """Where numbers stay, prefer the same number, and take another only with almost all its words.

    Clauses below an article from which, or to which, a witness or a sure pair moved are left as
    they are: where one rule was put in or taken out, its neighbours took other numbers.
    """
    moved = {j: i for j, i in witnesses.items() if old[i].article != new[j].article}
    if len(witnesses) < MIN_WITNESSES or len(moved) > MAX_MOVED_SHARE * len(witnesses):
        return
    moved |= _find_sure_moves(similarity, old, new)
    old_moving = {parent_article(old[i]) for i in moved.values()}
    new_moving = {parent_article(new[j]) for j in moved}
    stays = np.array([parent_article(clause) not in new_moving for clause in new])
    numbers = np.array([clause.article for clause in new])
    for i, clause in enumerate(old):
        if parent_article(clause) not in old_moving:
            row, same = similarity[i], numbers == clause.article
            row[same & (row > 0)] += 1
            row[~same & stays & (row < SURE_SIMILARITY)] = 0


def _find_sure_moves(
    similarity: Matrix, old: Sequence[Clause], new: Sequence[Clause]
) -> dict[int, int]:
    """Map later to earlier positions of sure pairs with two numbers within one article.

    Each is the other's best. One in another article proves nothing of its neighbours.
    """
    best_old, best_new = similarity.argmax(axis=0), similarity.argmax(axis=1)
    return {
        j: int(i)
        for j, i in enumerate(best_old)
        if best_new[i] == j
        and similarity[i, j] >= SURE_SIMILARITY
        and old[i].article != new[j].article
        and parent_article(old[i]) == parent_article(new[j])
    }


def _assign(similarity: Matrix) -> Partners:
    from scipy.optimize import linear_sum_assignment

    cost = np.negative(similarity, dtype=np.float64)  # scipy copies any other type twice
    # Clauses too different to be a pair cost nothing, or they would displace real pairs.
    cost[similarity < MIN_PAIR_SIMILARITY] = 0
    rows, columns = linear_sum_assignment(cost)
    return {int(j): int(i) for i, j in zip(rows, columns, strict=True) if cost[i, j]}


def _add_context(
    similarity: Matrix, old: Sequence[Clause], new: Sequence[Clause], partners: Partners
) -> None:
    """Add what parents and neighbours contribute that are pairs."""
    for j, i in partners.items():
        for step in (-1, 1):
            if 0 <= i + step < len(old) and 0 <= j + step < len(new):
                similarity[i + step, j + step] += NEIGHBOUR_WEIGHT
    new_parents = map_parents(old, new, partners)
    children: dict[str, list[int]] = {}
    for j, clause in enumerate(new):
        children.setdefault(parent_article(clause), []).append(j)
    for i, clause in enumerate(old):
        if parent := new_parents.get(parent_article(clause)):
            similarity[i, children[parent]] += PARENTS_WEIGHT


def _drop_chance_headings(
    old: Sequence[Clause], new: Sequence[Clause], partners: Partners
) -> Partners:
    """Return the pairs without headings that share a few words and no rule below them.

    Headings of the same words, or of the same number, are pairs without that.
    """
    below: set[tuple[tuple[str, ...], ...]] = set()
    for j, i in partners.items():
        paths = (article_steps(old[i].article), article_steps(new[j].article))
        above = ([path[:depth] for depth in range(1, len(path))] for path in paths)
        below.update(product(*above))

    def is_pair(one: Clause, other: Clause) -> bool:
        if one.text or other.text or one.article == other.article:
            return True
        is_same = diff_words(one.title) == diff_words(other.title)
        return is_same or (article_steps(one.article), article_steps(other.article)) in below

    return {j: i for j, i in partners.items() if is_pair(old[i], new[j])}


def map_parents(old: Sequence[Clause], new: Sequence[Clause], partners: Partners) -> dict[str, str]:
    """Map articles of the earlier document to the one that now has most of their sub-clauses."""
    votes: dict[str, Counter[str]] = {}
    for j, i in partners.items():
        votes.setdefault(parent_article(old[i]), Counter())[parent_article(new[j])] += 1
    return {parent: counts.most_common(1)[0][0] for parent, counts in votes.items()}


def parent_article(clause: Clause) -> str:
    return ".".join(article_steps(clause.article)[:-1])


def encode_words(*documents: list[list[str]]) -> list[list[str]]:
    """Encode each word of the texts as one character, so that similarity counts words."""
    codes: dict[str, str] = {}
    return [
        [
            "".join(codes.setdefault(word, chr(_FIRST_CODE + len(codes))) for word in words)
            for words in texts
        ]
        for texts in documents
    ]


def _weigh_words(*documents: list[list[str]]) -> "Iterator[sparse.csr_array]":
    """Yield for each document the TF-IDF vectors of its texts, scaled to length 1."""
    from scipy import sparse

    counts = [Counter(text) for texts in documents for text in texts]
    vocabulary: dict[str, int] = {}
    columns = np.array(
        [vocabulary.setdefault(word, len(vocabulary)) for words in counts for word in words],
        dtype=np.int64,
    )
    rows = np.repeat(np.arange(len(counts)), list(map(len, counts)))
    times = np.array([count for words in counts for count in words.values()])
    weights = (1 + np.log(times)) * np.log((1 + len(counts)) / (1 + np.bincount(columns)))[columns]
    weights /= np.maximum(np.sqrt(np.bincount(rows, weights**2, len(counts))), 1e-9)[rows]
    shape = (len(counts), max(len(vocabulary), 1))
    vectors = sparse.csr_array((weights, (rows, columns)), shape=shape)
    start = 0
    for texts in documents:
        yield vectors[start : start + len(texts)]
        start += len(texts)


def title_and_text(clause: Clause) -> str:
    return f"{clause.title}\n{clause.text}".strip()
