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
from functools import cached_property, lru_cache
from itertools import accumulate
from operator import attrgetter

import numpy as np

from core.grammar import fold_accents

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[%€$£±<>=≤≥+]")
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
_SLACK = 4
"""Words beyond the length of a quote in which its altered form is looked for."""
_WINDOWS = 4
"""Places of a text that may be compared with a quote word by word."""
_OPENING = 8
"""Letters by which the places are known where a quote may begin."""
_EDGE = 20
"""Runs of equal words at each end of an altered quote among which its beginning and end are.
tests/benchmarks/quotes.py counts the altered quotes that are found with these bounds."""
_Numbers = np.ndarray[tuple[int], np.dtype[np.uint64]]


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


def _number_openings(letters: str) -> _Numbers:
    """Return a number for the _OPENING letters from each place on, equal for equal letters."""
    points = np.frombuffer(letters.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    size = max(len(points) - _OPENING + 1, 0)
    numbers = np.zeros(size, dtype=np.uint64)
    for n in range(_OPENING):
        numbers = numbers * np.uint64(1_000_003) + points[n : n + size]
    return numbers


@lru_cache(maxsize=256)
def _number_opening(letters: str) -> np.uint64:
    return np.uint64(_number_openings(letters)[0])


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

    @cached_property
    def _openings(self) -> tuple[_Numbers, _Numbers]:
        """The openings of all words as numbers, sorted, and the offset of each."""
        numbers = _number_openings(self.letters)
        offsets = np.array(self.offsets[:-1], dtype=np.uint64)
        offsets = offsets[offsets < len(numbers)]
        order = np.argsort(numbers[offsets], kind="stable")
        return numbers[offsets][order], offsets[order]

    def find(self, letters: str) -> Iterator[int]:
        """Yield the words at which whole words with these letters begin."""
        if len(letters) < _OPENING:
            found = (match.start() for match in re.finditer(re.escape(letters), self.letters))
            places = found if letters else iter(())
        else:
            numbers, offsets = self._openings
            number = _number_opening(letters[:_OPENING])
            first, last = (np.searchsorted(numbers, number, side) for side in ("left", "right"))
            places = map(int, offsets[first:last])
        for at in places:
            if self.letters.startswith(letters, at) and self._is_whole(at, letters):
                yield bisect_right(self.offsets, at) - 1

    def find_next(self, letters: str, start: int, end: int) -> int | None:
        """Return the first word, between two offsets, at which whole words of letters begin."""
        at = self.letters.find(letters, start, end)
        while at >= 0 and not self._is_whole(at, letters):
            at = self.letters.find(letters, at + 1, end)
        return bisect_right(self.offsets, at) - 1 if at >= 0 else None

    def _is_whole(self, at: int, letters: str) -> bool:
        return at in self._boundaries and at + len(letters) in self._boundaries

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

    def list_windows(
        self, quote: Sequence[str], span: tuple[int, int] | None = None
    ) -> Iterator[NearestWords]:
        """Yield the places that hold most of a quote's words, rare ones counting more.

        They are within a span of words where one is given. How alike is the share of that count.
        """
        first, last = span or (0, len(self.words))
        known = [self._vocabulary[word] for word in set(quote) if word in self._vocabulary]
        if first >= last or not known:
            return
        codes = self._codes[first:last]
        hits = np.where(np.isin(codes, known), self._weights[codes], 0.0)
        size = len(quote) + _SLACK
        sums = np.concatenate(([0.0], np.cumsum(hits)))
        windows = sums[size:] - sums[:-size] if len(hits) > size else sums[-1:]
        windows = windows.copy()
        rarest = float(self._weights.max())
        codes_of = (self._vocabulary.get(word) for word in quote)
        whole = sum(rarest if code is None else float(self._weights[code]) for code in codes_of)
        for _ in range(_WINDOWS):
            at = int(windows.argmax())
            if windows[at] <= 0:
                return
            ends = first + max(at - _SLACK, 0), min(first + at + size, last)
            yield NearestWords(float(windows[at]) / whole, *ends)
            windows[max(at - size // 2, 0) : at + size // 2 + 1] = 0

    def align(self, quote: Sequence[str], first: int, last: int) -> NearestWords:
        """Return those of some words that are most like a quote, from its equal words on."""
        window = [word.word for word in self.words[first:last]]
        blocks = SequenceMatcher(None, quote, window, autojunk=False).get_matching_blocks()[:-1]
        sizes = [0, *accumulate(block.size for block in blocks)]
        best = NearestWords(0.0, first, first)
        for low in range(min(len(blocks), _EDGE)):
            for high in range(max(low, len(blocks) - _EDGE), len(blocks)):
                head, tail = blocks[low], blocks[high]
                # Words of the quote before and after the equal ones take as many words of the rule.
                start = max(head.b - head.a, 0, head.b - 2)
                end = min(tail.b + len(quote) - tail.a, len(window), tail.b + tail.size + 2)
                equal = sizes[high + 1] - sizes[low]
                likeness = 2 * equal / (len(quote) + end - start)
                if likeness > best.likeness:
                    best = NearestWords(likeness, first + start, first + end)
        return best
