"""Letters that several glyphs make, and glyphs that are several letters.

TeX draws accents apart from their letters. In scripts from right to left one glyph may join lam and
alef: a font tells its letters in the order in which they are read, and pdfium turns every run from
right to left round, these letters too.
"""

import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from core.rulebook.pdf.page_content import PdfBox

DROPPED = -1
"""The code of an accent that has become part of its letter."""
_OVERLAP, _APART = 0.25, 0.5  # of a letter's height: accents touch the letter or are near it
_WIDEST = 6  # accents: a letter is no wider
_ABOVE = 230  # Unicode's class of marks above their letter
# These signs are used as accents, but Unicode does not decompose them.
_SIGNS = {**dict.fromkeys("^\u02c6", "\u0302"), **dict.fromkeys("`\u02cb", "\u0300")}
_SIGNS |= {"~": "\u0303", "\u02c7": "\u030c", "\u02ca": "\u0301"}
_COMBINED = {chr(code): chr(code) for code in range(0x300, 0x370)}
_SPACED = {
    accent: parts[1]
    for accent in map(chr, (0xA8, 0xAF, 0xB4, 0xB8, *range(0x2D8, 0x2DE)))
    if len(parts := unicodedata.normalize("NFKD", accent)) == 2
}
_MARKS = {ord(accent): mark for accent, mark in {**_SIGNS, **_SPACED, **_COMBINED}.items()}
_DOTLESS = {0x131: "i", 0x237: "j"}
_FIRST, _LAST = 0x590, 0x8FF  # Unicode's blocks from Hebrew to Arabic Extended-A
_FORMS = (*range(0xFB1D, 0xFDFC), *range(0xFE70, 0xFEFD))  # their presentation forms
_FROM_RIGHT = frozenset((*range(_FIRST, _LAST + 1), *_FORMS, 0xD802, 0xD803, 0xD83A, 0xD83B))
"""All that is written from right to left: at the end the first halves of U+10800 to U+10FFF and
U+1E800 to U+1EFFF."""
_IN_ORDER = {unicodedata.normalize("NFKC", chr(code)) for code in _FORMS}
"""The letters of Unicode's own ligatures: pdfium spells these out in the right order."""


def compose_accents(
    codes: list[int],
    box_of: Callable[[int], PdfBox],
    inks_of: Callable[[Sequence[int]], list[PdfBox]],
) -> None:
    """Write letters with their accents into `codes`; the accents become `DROPPED`.

    `codes` are the UTF-16 codes of a page's glyphs, `box_of` returns the box of one, and `inks_of`
    those of the print of some. A letter gets the accent that is drawn above or below it, not one
    beside it, wherever the file has it.
    """
    if _MARKS.keys().isdisjoint(set(codes)):
        return
    placed = [n for n, code in enumerate(codes) if code > 0 and chr(code).isalpha()]
    letters = sorted(zip(inks_of(placed), placed, strict=True))
    for index in [index for index, code in enumerate(codes) if code in _MARKS]:
        box, mark, before = box_of(index), _MARKS[codes[index]], max(index - 1, 0)
        letter = None
        in_one = index > 0 and box_of(before) == box
        if in_one and codes[before] in (0x20, 0xA0):  # a font names its accent a blank with a mark
            codes[before] = DROPPED
        elif (in_one or box[2] <= box[0]) and _compose(codes[before], mark):
            letter = before
        if letter is None:
            near = _list_letters_at(inks_of([index])[0], mark, letters)
            letter = next((each for _, each in near if _compose(codes[each], mark)), None)
        if letter is not None:
            codes[letter] = ord(_compose(codes[letter], mark))
            codes[index] = DROPPED


def _list_letters_at(
    accent: PdfBox, mark: str, letters: Sequence[tuple[PdfBox, int]]
) -> list[tuple[float, int]]:
    """The indices of letters that an accent is drawn at, the nearest middle first.

    `letters` are the print and the index of each, from left to right.
    """
    middle, width = (accent[0] + accent[2]) / 2, accent[2] - accent[0]
    start = bisect_left(letters, middle - _WIDEST * width, key=lambda letter: letter[0][0])
    found = []
    for box, index in islice(letters, start, None):
        if box[0] > middle + width:
            break
        distance = abs(middle - (box[0] + box[2]) / 2)
        if distance < max(box[2] - box[0], width) / 2 and _is_at(accent, box, mark):
            found.append((distance, index))
    return sorted(found)


def _is_at(accent: PdfBox, letter: PdfBox, mark: str) -> bool:
    """True for the print of an accent above a letter, or below it, as Unicode has its mark."""
    _, bottom, _, top = letter
    high = top - bottom
    if unicodedata.combining(mark) == _ABOVE:
        return -_OVERLAP * high < accent[1] - top < _APART * high
    return accent[1] < bottom and -_OVERLAP * high < bottom - accent[3] < _APART * high


def _compose(code: int, mark: str) -> str:
    """The one character for a letter with a mark, an empty string if there is none."""
    if code <= 32:
        return ""
    whole = unicodedata.normalize("NFC", _DOTLESS.get(code, chr(code)) + mark)
    return whole if len(whole) == 1 else ""


def has_right_to_left(codes: Iterable[int]) -> bool:
    """Return True if any of these UTF-16 codes is written from right to left."""
    return not _FROM_RIGHT.isdisjoint(set(codes))


def order_joined_letters(codes: list[int], box_of: Callable[[int], PdfBox]) -> None:
    """Turn letters that share one box round in `codes`, the UTF-16 codes of a page's glyphs."""
    start = 0
    while start < len(codes) - 1:
        end = start + 1
        if _FIRST <= codes[start] <= _LAST:
            while (
                end < len(codes) and _FIRST <= codes[end] <= _LAST and box_of(end) == box_of(start)
            ):
                end += 1
            letters = "".join(map(chr, codes[start:end]))
            if letters not in _IN_ORDER or letters[::-1] in _IN_ORDER:
                codes[start:end] = codes[start:end][::-1]
        start = end
