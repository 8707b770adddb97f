"""Words that a file gives in place of its glyphs (ActualText), compared with the glyphs' own.

Ligatures and bullets are spelled out this way, which is right. Other words are not what is seen.
"""

import ctypes
import unicodedata
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

import pypdfium2.raw as pdfium

from core.rulebook.pdf.page_content import Flaw
from core.rulebook.pdf.plain_text import remove_replacements
from core.rulebook.pdf.visibility import GlyphEdges, PrintedRun


def mark_replaced(
    page: Any, replaced: Iterable[Sequence[int]], runs: Iterable[PrintedRun], edges_of: GlyphEdges
) -> None:
    """Add flaws to words that a mark gives in place of others.

    `replaced` are the addresses of the text objects under each mark. The marks are removed from
    the loaded page, so that pdfium tells the words of the glyphs.
    """
    stored: dict[int, list[PrintedRun]] = {}
    for printed in runs:
        stored.setdefault(printed.address, []).append(printed)
    groups = [group for group in replaced if any(address in stored for address in group)]
    if not groups:
        return
    for group in groups:
        for address in group:
            remove_replacements(address)
    text_page = pdfium.FPDFText_LoadPage(page)
    for group in groups:
        printed_there = [printed for address in group for printed in stored.get(address, ())]
        shown = "".join(_object_text(address, text_page) for address in group).strip()
        words = "".join(printed.text for printed in sorted(printed_there, key=attrgetter("index")))
        if _letters(shown) and _letters(shown) != _letters(words):
            for printed in printed_there:
                lefts, rights = edges_of(printed.index)
                flaw = Flaw(min(lefts), max(rights), "differs", " ".join(shown.split()))
                printed.run.add_flaws([flaw], (lefts, rights))
    pdfium.FPDFText_ClosePage(text_page)


def _object_text(address: int, text_page: Any) -> str:
    text_object = ctypes.cast(address, pdfium.FPDF_PAGEOBJECT)
    size = pdfium.FPDFTextObj_GetText(text_object, text_page, None, 0)
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    pdfium.FPDFTextObj_GetText(text_object, text_page, buffer, size)
    return bytes(buffer)[:size].decode("utf-16-le", "replace").rstrip("\0")


def _letters(text: str) -> str:
    """The letters and digits of a text, ligatures spelled out."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text)))
