"""What links a pair to others: rules below it, the gap that it left, words that moved.

Only words that a comparison reports as deleted or inserted are linked: where rules were split,
merged or gathered."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

from core.library.article_path import article_steps
from core.library.comparison.alignment import encode_words
from core.library.comparison.word_diff import diff_words
from core.library.types import ClausePair, DiffSegment, PairKind

Steps = tuple[str, ...]


def mark_headings(pairs: Sequence[ClausePair]) -> Iterator[ClausePair]:
    """Yield the pairs; a heading without text says what came and left right below it."""
    old: dict[Steps, list[ClausePair]] = defaultdict(list)
    new: dict[Steps, list[ClausePair]] = defaultdict(list)
    for pair in pairs:
        before, after = _places_above(pair)
        old[before].append(pair)
        new[after].append(pair)
    for pair in pairs:
        if not (pair.article_a and pair.article_b and pair.before == pair.after == pair.title):
            yield pair
            continue
        own = article_steps(pair.article_a), article_steps(pair.article_b)
        left = [p.article_a for p in old[own[0]] if p.article_a and _places_above(p) != own]
        came = [p.article_b for p in new[own[1]] if p.article_b and _places_above(p) != own]
        if left or came:
            kind: PairKind = "changed" if pair.place == "same" else pair.kind
            pair = replace(
                pair, kind=kind, wording="changed", removed_below=(*left,), added_below=(*came,)
            )
        yield pair


def _places_above(pair: ClausePair) -> tuple[Steps, Steps]:
    """Return what is right above a pair in each document, () above none."""
    return article_steps(pair.article_a or "")[:-1], article_steps(pair.article_b or "")[:-1]


def locate_gaps(pairs: Iterable[ClausePair], old_articles: Iterable[str]) -> Iterator[ClausePair]:
    """Yield the pairs; removed ones with the later article that stands before their gap.

    `old_articles` are those of the earlier document, in reading order.
    """
    listed = tuple(pairs)
    partners = {pair.article_a: pair.article_b for pair in listed if pair.article_b}
    gaps: dict[str | None, str | None] = {}
    last: str | None = None
    for article in old_articles:
        last = partners.get(article) or last
        gaps[article] = last
    for pair in listed:
        removed = pair.place == "removed"
        yield replace(pair, gap_after=gaps[pair.article_a]) if removed else pair


MIN_MOVED_WORDS = 15
"""Fewest words that can be recognised elsewhere."""
MIN_SHARED_RATIO = 0.75
"""Share of them that another clause must have, in the same order; half occurs by chance."""
MAX_LENGTH_RATIO = 15
"""Longest text to search, in lengths of the moved words: in longer ones a match is by chance."""

ChangeSide = Literal["deleted", "inserted"]
_DIRECTIONS: tuple[tuple[ChangeSide, ChangeSide], ...] = (
    ("deleted", "inserted"),
    ("inserted", "deleted"),
)


def link_moved_words(pairs: Sequence[ClausePair]) -> list[ClausePair]:
    """Return the pairs with `elsewhere` set where words came from or went to another clause."""
    linked = list(pairs)
    for side, other in _DIRECTIONS:
        for number, text, best in _find_moved_words(pairs, side, other):
            article = best.article_b if side == "deleted" else best.article_a
            linked[number] = _link(linked[number], DiffSegment(side, text), article)
    return linked


def _find_moved_words(
    pairs: Sequence[ClausePair], side: ChangeSide, other: ChangeSide
) -> Iterator[tuple[int, str, ClausePair]]:
    """Yield changed words on one side: of which pair, which, and the pair that has them too."""
    candidates = list(_find_long_changes(pairs, side))
    if not candidates:
        return
    others = [
        [word for piece in _changed_pieces(pair, other) for word in diff_words(piece.text)]
        for pair in pairs
    ]
    lengths = np.array(list(map(len, others)))
    encoded = encode_words([words for _, _, words in candidates], others)
    shared = cdist(*encoded, scorer=LCSseq.similarity, workers=-1)
    for (number, text, words), row in zip(candidates, shared, strict=True):
        row[number] = 0
        row[lengths > MAX_LENGTH_RATIO * len(words)] = 0
        best = int(np.argmax(row))
        if row[best] >= MIN_SHARED_RATIO * len(words):
            yield number, text, pairs[best]


def _find_long_changes(
    pairs: Sequence[ClausePair], side: ChangeSide
) -> Iterator[tuple[int, str, list[str]]]:
    """Yield changes without a reason that can be recognised: of which pair, text and words."""
    for number, pair in enumerate(pairs):
        for piece in _changed_pieces(pair, side):
            words = diff_words(piece.text)
            if piece.reason is None and len(words) >= MIN_MOVED_WORDS:
                yield number, piece.text, words


def _link(pair: ClausePair, moved: DiffSegment, article: str | None) -> ClausePair:
    pieces = [
        replace(piece, reason="elsewhere")
        if (piece.kind, piece.text) == (moved.kind, moved.text)
        else piece
        for piece in pair.pieces
    ]
    return replace(pair, pieces=tuple(pieces), elsewhere=article)


def _changed_pieces(pair: ClausePair, side: ChangeSide) -> list[DiffSegment]:
    text = pair.before if side == "deleted" else pair.after
    if pair.kind in ("added", "removed"):
        return [DiffSegment(side, text)] if text else []
    return [piece for piece in pair.pieces if piece.kind == side]
