"""Letters that one glyph joins, in scripts from right to left: lam and alef of Arabic.

A font tells several letters for such a glyph in the order in which they are read. pdfium turns
every run from right to left round, these letters too.
"""

import unicodedata
from collections.abc import Callable

from core.rulebook.pdf.page_content import PdfBox

_FIRST, _LAST = 0x590, 0x8FF  # Hebrew, Arabic and scripts like them
_FORMS = (*range(0xFB1D, 0xFDFC), *range(0xFE70, 0xFEFD))
_IN_ORDER = {unicodedata.normalize("NFKC", chr(code)) for code in _FORMS}
"""The letters of Unicode's own ligatures: pdfium spells these out in the right order."""


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
