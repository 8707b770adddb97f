"""Cut a clause into pieces that a sentence model can tell apart. Computes no vector.

A vector of a long text is a blur of its subjects, so each piece of a clause gets its own, and the
nearest piece speaks for the clause.
"""

import re
from functools import lru_cache

PIECE_WORDS = 60
"""Words of the longest piece: of 40, 60 and 100 the best on questions to 12 rulebooks, and far
below the 256 tokens that MiniLM reads."""
_BREAK = re.compile(r"(?<=[.;:!?])\s+|\n+")


@lru_cache(maxsize=4_000)
def split_into_pieces(title: str, text: str) -> tuple[str, ...]:
    """Return the text in pieces of up to PIECE_WORDS, cut between sentences, each with the title.

    A longer sentence is cut between words.
    """
    pieces: list[list[str]] = [[]]
    for sentence in filter(None, _BREAK.split(text)):
        words = sentence.split()
        if len(pieces[-1]) + len(words) > PIECE_WORDS and pieces[-1]:
            pieces.append([])
        pieces[-1] += words
        while len(pieces[-1]) > PIECE_WORDS:
            pieces.append(pieces[-1][PIECE_WORDS:])
            del pieces[-2][PIECE_WORDS:]
    texts = (" ".join(words) for words in pieces if words or title)
    return tuple("\n".join(filter(None, (title, words))) for words in texts)
