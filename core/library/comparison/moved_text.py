"""Words that went from one clause to another between two documents, where rules were split, merged or gathered.

It looks only at words that a comparison has left over.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

from core.library.comparison.alignment import encode_words
from core.library.comparison.word_diff import diff_words
from core.library.types import ClausePair, DiffSegment

MIN_MOVED_WORDS = 15
"""Words of a stretch that is long enough to be known again."""
MIN_SHARED_RATIO = 0.75
"""Share of them that another clause has to have alone, in the same order; half is had by chance."""
MAX_LENGTH_RATIO = 15
"""Times the length of a stretch up to which words are looked through for it: in more it is found by chance."""

ChangeSide = Literal["deleted", "inserted"]
_WAYS: tuple[tuple[ChangeSide, ChangeSide], ...] = (
    ("deleted", "inserted"),
    ("inserted", "deleted"),
)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Words that one document has alone, and the number of their pair."""

    pair: int
    text: str
    words: list[str]


def link_moved_words(pairs: Sequence[ClausePair]) -> list[ClausePair]:
    """The pairs, each that lost or won words told where they went to or came from (`elsewhere`)."""
    told = list(pairs)
    for side, other in _WAYS:
        stretches = list(_stretches(pairs, side))
        if not stretches:
            continue
        theirs = [
            [word for piece in _alone(pair, other) for word in diff_words(piece.text)]
            for pair in pairs
        ]
        lengths = np.array([len(text) for text in theirs])
        shared = cdist(
            *encode_words([stretch.words for stretch in stretches], theirs),
            scorer=LCSseq.similarity,
            workers=-1,
        )
        for stretch, row in zip(stretches, shared, strict=True):
            row[stretch.pair] = 0
            row[lengths > MAX_LENGTH_RATIO * len(stretch.words)] = 0
            there = int(np.argmax(row))
            if row[there] >= MIN_SHARED_RATIO * len(stretch.words):
                article = pairs[there].article_b if side == "deleted" else pairs[there].article_a
                told[stretch.pair] = _told(told[stretch.pair], side, stretch.text, article)
    return told


def _alone(pair: ClausePair, side: ChangeSide) -> list[DiffSegment]:
    """What one side of a pair has alone."""
    text = pair.before if side == "deleted" else pair.after
    if pair.kind in ("added", "removed"):
        return [DiffSegment(side, text)] if text else []
    return [piece for piece in pair.pieces if piece.kind == side]


def _stretches(pairs: Sequence[ClausePair], side: ChangeSide) -> Iterator[_Stretch]:
    for number, pair in enumerate(pairs):
        for piece in _alone(pair, side):
            found = diff_words(piece.text) if piece.reason is None else []
            if len(found) >= MIN_MOVED_WORDS:
                yield _Stretch(number, piece.text, found)


def _told(pair: ClausePair, side: ChangeSide, text: str, article: str | None) -> ClausePair:
    pieces = (
        replace(piece, reason="elsewhere") if (piece.kind, piece.text) == (side, text) else piece
        for piece in pair.pieces
    )
    return replace(pair, pieces=tuple(pieces), elsewhere=article)
