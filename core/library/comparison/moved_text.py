"""Words that went from one clause to another between two documents, where rules were split, merged or gathered.

It looks only at words that a comparison has left over.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

from core.library.comparison.alignment import coded
from core.library.comparison.word_diff import words
from core.library.types import Pair, Piece

LONG = 15
"""Words of a stretch that is long enough to be known again."""
HELD = 0.75
"""Share of them that another clause has to have alone, in the same order; half is had by chance."""
REACH = 15
"""Times the length of a stretch up to which words are looked through for it: in more it is found by chance."""

Side = Literal["deleted", "inserted"]
_WAYS: tuple[tuple[Side, Side], ...] = (("deleted", "inserted"), ("inserted", "deleted"))


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Words that one document has alone, and the number of their pair."""

    pair: int
    text: str
    words: list[str]


def with_moved_words(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs, each that lost or won words told where they went to or came from (`elsewhere`)."""
    told = list(pairs)
    for side, other in _WAYS:
        stretches = list(_stretches(pairs, side))
        if not stretches:
            continue
        theirs = [
            [word for piece in _alone(pair, other) for word in words(piece.text)] for pair in pairs
        ]
        lengths = np.array([len(text) for text in theirs])
        shared = cdist(
            *coded([stretch.words for stretch in stretches], theirs),
            scorer=LCSseq.similarity,
            workers=-1,
        )
        for stretch, row in zip(stretches, shared, strict=True):
            row[stretch.pair] = 0
            row[lengths > REACH * len(stretch.words)] = 0
            there = int(np.argmax(row))
            if row[there] >= HELD * len(stretch.words):
                article = pairs[there].article_b if side == "deleted" else pairs[there].article_a
                told[stretch.pair] = _told(told[stretch.pair], side, stretch.text, article)
    return told


def _alone(pair: Pair, side: Side) -> list[Piece]:
    """What one side of a pair has alone."""
    text = pair.before if side == "deleted" else pair.after
    if pair.kind in ("added", "removed"):
        return [Piece(side, text)] if text else []
    return [piece for piece in pair.pieces if piece.kind == side]


def _stretches(pairs: Sequence[Pair], side: Side) -> Iterator[_Stretch]:
    for number, pair in enumerate(pairs):
        for piece in _alone(pair, side):
            found = words(piece.text) if piece.reason is None else []
            if len(found) >= LONG:
                yield _Stretch(number, piece.text, found)


def _told(pair: Pair, side: Side, text: str, article: str | None) -> Pair:
    pieces = (
        replace(piece, reason="elsewhere") if (piece.kind, piece.text) == (side, text) else piece
        for piece in pair.pieces
    )
    return replace(pair, pieces=tuple(pieces), elsewhere=article)
