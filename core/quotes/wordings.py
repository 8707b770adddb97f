"""The words of rules as quotes are compared with them: folded, in reading order, with places.

Case, accents, typography, spaces, hyphens and line breaks do not count; letters, digits, decimal
points and the signs of amounts do.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property
from itertools import accumulate
from operator import attrgetter

import numpy as np

from core.grammar import fold_accents

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[%€$£±<>=≤≥+]")
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
_SLACK = 4
"""Words beyond the length of a quote in which its altered form is looked for."""
_WINDOWS = 4
"""Places of a text that are compared with a quote word by word."""


@dataclass(frozen=True, slots=True)
class WordSpan:
    """A folded word and its place in a text."""

    word: str
    start: int
    end: int


def normalize_typography(text: str) -> str:
    """Return a text with ligatures and other compatible characters spelled out."""
    return unicodedata.normalize("NFKC", text.replace("\xad", ""))


def fold_words(text: str) -> list[WordSpan]:
    """Return the words of a text (see `normalize_typography`) as they are compared."""
    return [
        WordSpan(fold_accents(_THOUSANDS.sub("", match[0])), *match.span())
        for match in _WORD.finditer(text)
    ]


@dataclass(frozen=True, slots=True)
class NearestWords:
    """The words of a wording that are most like a quote: their span, and how alike, 0 to 1."""

    likeness: float
    first: int
    last: int


@dataclass(frozen=True)
class Wording:
    """Texts of clauses in a row. `owners` are the clauses' positions, one for each text."""

    texts: Sequence[str]
    owners: Sequence[int]
    text: str = field(init=False, default="")

    def __post_init__(self) -> None:
        normalized = list(map(normalize_typography, self.texts))
        object.__setattr__(self, "text", "\n".join(normalized))
        object.__setattr__(self, "texts", normalized)

    @cached_property
    def words(self) -> list[WordSpan]:
        return fold_words(self.text)

    @cached_property
    def letters(self) -> str:
        return "".join(word.word for word in self.words)

    @cached_property
    def offsets(self) -> list[int]:
        """Where each word begins in the letters, and where the last one ends."""
        return [0, *accumulate(len(word.word) for word in self.words)]

    @cached_property
    def _text_starts(self) -> list[int]:
        return [0, *accumulate(len(text) + 1 for text in self.texts)]

    @cached_property
    def _boundaries(self) -> frozenset[int]:
        return frozenset(self.offsets)

    def owner_of(self, word: int) -> int:
        """Return the position of the clause to which a word belongs."""
        return self.owners[bisect_right(self._text_starts, self.words[word].start) - 1]

    def words_of(self, owners: Iterable[int]) -> tuple[int, int]:
        """Return the first and the last word of some clauses that follow each other."""
        wanted = set(owners)
        places = [n for n, owner in enumerate(self.owners) if owner in wanted]
        if not places:
            return 0, 0
        start, end = self._text_starts[places[0]], self._text_starts[places[-1] + 1]
        first, last = (
            bisect_right(self.words, at - 1, key=attrgetter("start")) for at in (start, end)
        )
        return first, last

    def find(self, letters: str, start: int = 0, end: int | None = None) -> Iterator[int]:
        """Yield the word at which whole words with these letters begin, from and to an offset."""
        end = len(self.letters) if end is None else end
        at = self.letters.find(letters, start, end) if letters else -1
        while at >= 0:
            if at in self._boundaries and at + len(letters) in self._boundaries:
                yield bisect_right(self.offsets, at) - 1
            at = self.letters.find(letters, at + 1, end)

    def excerpt(self, first: int, last: int) -> str:
        """Return the text from a word up to another, which is not part of it."""
        last = min(last, len(self.words))
        return self.text[self.words[first].start : self.words[last - 1].end] if first < last else ""

    @cached_property
    def _vocabulary(self) -> dict[str, int]:
        return {word: n for n, word in enumerate(dict.fromkeys(w.word for w in self.words))}

    @cached_property
    def _codes(self) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
        return np.array([self._vocabulary[word.word] for word in self.words], dtype=np.int64)

    @cached_property
    def _weights(self) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        """What each word of the vocabulary tells: rare ones more."""
        counts = np.bincount(self._codes, minlength=len(self._vocabulary))
        return np.asarray(np.log1p(len(self.words) / counts), dtype=np.float64)

    def nearest(self, quote: Sequence[str], span: tuple[int, int] | None = None) -> NearestWords:
        """Return the words most like those of a quote, within a span of words where one is given.

        Looked at are the windows that hold most of its words, rare ones counting more.
        """
        first, last = span or (0, len(self.words))
        best = NearestWords(0.0, first, first)
        known = [self._vocabulary[word] for word in set(quote) if word in self._vocabulary]
        if first >= last or not known:
            return best
        codes = self._codes[first:last]
        hits = np.where(np.isin(codes, known), self._weights[codes], 0.0)
        size = len(quote) + _SLACK
        sums = np.concatenate(([0.0], np.cumsum(hits)))
        windows = sums[size:] - sums[:-size] if len(hits) > size else sums[-1:]
        windows = windows.copy()
        for _ in range(_WINDOWS):
            at = int(windows.argmax())
            if windows[at] <= 0:
                break
            found = self._align(quote, first + max(at - _SLACK, 0), min(first + at + size, last))
            best = max(best, found, key=lambda one: one.likeness)
            windows[max(at - size // 2, 0) : at + size // 2 + 1] = 0
        return best

    def _align(self, quote: Sequence[str], first: int, last: int) -> NearestWords:
        window = [word.word for word in self.words[first:last]]
        blocks = SequenceMatcher(None, quote, window, autojunk=False).get_matching_blocks()[:-1]
        best = NearestWords(0.0, first, first)
        for low in range(len(blocks)):
            for high in range(low, len(blocks)):
                part = blocks[low : high + 1]
                # What of the quote is before and behind its equal words has a place in the rule.
                start = max(part[0].b - part[0].a, 0)
                end = min(part[-1].b + len(quote) - part[-1].a, len(window))
                start, end = max(start, part[0].b - 2), min(end, part[-1].b + part[-1].size + 2)
                likeness = 2 * sum(block.size for block in part) / (len(quote) + end - start)
                if likeness > best.likeness:
                    best = NearestWords(likeness, first + start, first + end)
        return best
