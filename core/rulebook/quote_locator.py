"""Find the words of a quote on a page of a PDF. No clauses are read, only glyphs.

A quote that is missing or ambiguous has no boxes: better nothing than a wrong place.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from core.errors import ReadError
from core.rulebook.layout.lines import build_text_rows
from core.rulebook.layout.text import normalize_characters
from core.rulebook.pdf.page_content import PageContent, box_around
from core.rulebook.pdf.pages import PdfFile
from core.rulebook.types import Box

_MIN_LETTERS = 3  # letters and digits: shorter quotes occur too often
_SURE = 20  # letters besides ligatures that identify a quote whose ligatures were lost
_LIGATURE = re.compile(r"f(?:f(i|l)?|[ilt])|t[tih]")
_SHARED_HEIGHT = 0.3  # of the lower of two glyphs on one line, at least
_WIDEST_GAP = 2.0  # heights of a glyph: a wider gap leads to another column or cell

_Range = tuple[int, int]
"""Positions in the letters of a page: the first, and the one after the last."""


class _PageLetters(NamedTuple):
    """The letters and digits in force on a page, folded, in the order of the file."""

    text: str
    boxes: Sequence[Box]
    """The glyph of each letter, as displayed."""
    breaks: set[int]
    """Positions that follow words not in force."""
    word_starts: set[int]
    """Positions that follow a space or a sign."""
    upright: bool


def find_quote_boxes(
    data: bytes, page: int, quote: str, near: Sequence[Box] = ()
) -> tuple[Box, ...]:
    """Return the boxes of a quote on page `page` (from 1), one a line, in points as displayed.

    Only letters and digits in force are compared, without case, accents and ligatures. `near` are
    the boxes of the quote's clause on this page: the words must be there, their first occurrence
    counts, and the quote may begin on the page before or end on the next. Without `near` the
    whole quote must be on the page exactly once. The result is empty if it is not.

    Raises ReadError for a PDF or a page that cannot be read.
    """
    words = list(filter(None, map(_fold, quote.split())))
    wanted = "".join(words)
    if len(wanted) < _MIN_LETTERS:
        return ()
    with PdfFile(data) as document:
        pages = len(document)
        if not 1 <= page <= pages:
            raise ReadError(f"This PDF has no page {page}: it has {pages}.", code="damaged")
        letters = _read_letters(document, page)
        found = _occurrences(wanted, letters.text)
        if not found and _LIGATURE.search(wanted) and len(_LIGATURE.sub("", wanted)) >= _SURE:
            # A font may extract its ligatures as other letters, or not at all.
            pattern = _LIGATURE.sub(lambda got: f"(?:{got[0]}|.?{got[1] or ''}|.?)", wanted)
            found = [match.span() for match in re.finditer(pattern, letters.text)]
        if near and not found:
            around = (
                _read_letters(document, other).text if 1 <= other <= pages else ""
                for other in (page - 1, page + 1)
            )
            found = _find_part(words, letters.text, *around)
    if near:
        found = _select_near(found, letters, near)
    return tuple(_line_boxes(letters, *found[0])) if len(found) == 1 else ()


def _fold(text: str) -> str:
    """Letters and digits only, without case and accents; "²" becomes "2", "ﬁ" becomes "fi"."""
    folded = unicodedata.normalize("NFKD", normalize_characters(text)).casefold()
    return "".join(filter(str.isalnum, folded))


def _occurrences(wanted: str, text: str) -> list[_Range]:
    starts = (start for start in range(len(text)) if text.startswith(wanted, start))
    return [(start, start + len(wanted)) for start in starts]


def _select_near(
    found: Sequence[_Range], letters: _PageLetters, near: Sequence[Box]
) -> list[_Range]:
    """The first occurrence with both ends in the areas `near`, best at the start of a word."""
    within = [
        (start, end)
        for start, end in found
        if all(_is_inside_any(letters.boxes[i], near) for i in (start, end - 1))
    ]
    return ([span for span in within if span[0] in letters.word_starts] or within)[:1]


def _find_part(words: Sequence[str], text: str, before: str, after: str) -> list[_Range]:
    """Occurrences of the words on a page whose quote goes over from or to a neighbouring page."""
    wanted = "".join(words)
    if wanted in after or wanted in before:
        return []
    if cut := _words_before_break(words, text, after):
        return _occurrences("".join(words[:cut]), text)[::-1]
    if cut := _words_before_break(words, before, text):
        return _occurrences("".join(words[cut:]), text)
    return []


def _words_before_break(words: Sequence[str], first: str, second: str) -> int:
    """How many words of a quote are on the first of two pages; 0 if it does not go over."""
    counts = range(1, len(words) + 1)
    begun = bisect_left(counts, True, key=lambda count: "".join(words[:count]) not in first)
    ended = bisect_left(counts, True, key=lambda count: "".join(words[-count:]) not in second)
    # A word that is on both pages is on the first by chance: footer and header come between.
    return len(words) - ended if begun and ended and begun + ended >= len(words) else 0


def _line_boxes(letters: _PageLetters, start: int, end: int) -> Iterator[Box]:
    """One box a line, cut at words that are not part of the quote."""
    line = letters.boxes[start]
    along, across = (0, 1) if letters.upright else (1, 0)
    for position in range(start + 1, end):
        box = letters.boxes[position]
        shared = min(line[across + 2], box[across + 2]) - max(line[across], box[across])
        height = min(line[across + 2] - line[across], box[across + 2] - box[across])
        gap = max(box[along] - line[along + 2], line[along] - box[along + 2])
        is_on_line = shared >= _SHARED_HEIGHT * height and gap <= _WIDEST_GAP * height
        if position in letters.breaks or not is_on_line:
            yield line
            line = box
        else:
            line = box_around((line, box))
    yield line


def _find_dead_words(content: PageContent) -> Iterator[Box]:
    """Yield the places of words that are not in force, as displayed."""
    for piece in chain.from_iterable(build_text_rows(content)):
        top, bottom = piece.baseline - 0.7 * piece.size, piece.baseline + 0.1 * piece.size
        for span in piece.spans:
            if span.state != "live":
                yield content.to_display((span.left, top, span.right, bottom))


def _read_letters(document: PdfFile, page: int) -> _PageLetters:
    content = document.read_page(page)
    dead = list(_find_dead_words(content))
    text: list[str] = []
    boxes: list[Box] = []
    breaks: set[int] = set()
    word_starts: set[int] = {0}
    for character, box in document.iter_glyphs(page):
        folded = _fold(character)
        if not folded:
            word_starts.add(len(boxes))
        elif _is_inside_any(box, dead):
            breaks.add(len(boxes))
        else:
            text.append(folded)
            boxes += [box] * len(folded)
    return _PageLetters("".join(text), boxes, breaks, word_starts, content.turn % 2 == 0)


def _is_inside_any(box: Box, areas: Sequence[Box]) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(left <= x <= right and top <= y <= bottom for left, top, right, bottom in areas)
