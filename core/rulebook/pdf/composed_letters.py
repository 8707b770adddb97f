"""Letters that several glyphs make, and glyphs that are several letters.

TeX draws accents apart from their letters. In scripts from right to left one glyph may join lam and
alef: a font tells its letters in the order in which they are read, and pdfium turns every run from
right to left round, these letters too."""

import unicodedata
from collections.abc import Callable

from core.rulebook.pdf.page_content import PdfBox

DROPPED = -1
"""The code of an accent that has become part of its letter."""
_NEAR = 40  # glyphs in the order of the file: capitals may be drawn words before their accents
_RAISED = 0.5  # of a letter's height: an accent on a capital is drawn higher by less
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
_FIRST, _LAST = 0x590, 0x8FF  # Hebrew, Arabic and scripts like them
_FORMS = (*range(0xFB1D, 0xFDFC), *range(0xFE70, 0xFEFD))
_IN_ORDER = {unicodedata.normalize("NFKC", chr(code)) for code in _FORMS}
"""The letters of Unicode's own ligatures: pdfium spells these out in the right order."""


def compose_accents(codes: list[int], box_of: Callable[[int], PdfBox]) -> None:
    """Write letters with their accents into `codes`; the accents become `DROPPED`.

    `codes` are the UTF-16 codes of a page's glyphs, and `box_of` returns the box of one. A letter
    gets the accent that is drawn above or below it, not one beside it.
    """
    if _MARKS.keys().isdisjoint(codes):
        return
    for index, code in enumerate(codes):
        if mark := _MARKS.get(code):
            letter = _letter_under(index, mark, codes, box_of)
            if letter is not None:
                codes[letter] = ord(_compose(codes[letter], mark))
                codes[index] = DROPPED


def _letter_under(
    accent: int, mark: str, codes: list[int], box_of: Callable[[int], PdfBox]
) -> int | None:
    """The index of the letter whose middle is nearest to that of an accent over it."""
    left, bottom, right, _ = box_of(accent)
    if right <= left:  # a combining character without width follows its letter
        return accent - 1 if accent and _compose(codes[accent - 1], mark) else None
    nearest = None
    least = float("inf")
    for index in range(max(0, accent - _NEAR), min(len(codes), accent + _NEAR)):
        if not _compose(codes[index], mark):
            continue
        box = box_of(index)
        distance = abs(left + right - box[0] - box[2]) / 2
        level = abs(bottom - box[1]) < _RAISED * (box[3] - box[1])
        if level and distance < min(least, (box[2] - box[0]) / 2):
            nearest, least = index, distance
    return nearest


def _compose(code: int, mark: str) -> str:
    """The one character for a letter with a mark, an empty string if there is none."""
    if code <= 32:
        return ""
    whole = unicodedata.normalize("NFC", _DOTLESS.get(code, chr(code)) + mark)
    return whole if len(whole) == 1 else ""


def order_joined_letters(codes: list[int], box_of: Callable[[int], PdfBox]) -> None:
    """Turn letters that share one box round in `codes`, the UTF-16 codes of a page's glyphs."""
    if max(codes, default=0) < _FIRST:
        return
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
