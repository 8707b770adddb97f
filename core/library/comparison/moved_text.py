"""Link words that moved from one clause to another, where rules were split, merged or gathered.

Only words that a comparison reports as deleted or inserted are considered.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

from core.library.comparison.alignment import encode_words
from core.library.comparison.word_diff import diff_words
from core.library.types import ClausePair, DiffSegment

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
