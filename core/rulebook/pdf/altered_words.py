"""Words that are not what their glyphs say: signs printed over them, other words stored for them.

Dashes, slashes and combining strokes over words delete them; they are stored as text of their own
and would be read among the words that they strike. A file may also give words in place of its
glyphs (ActualText): ligatures and bullets are spelled out this way, which is right. Other words are
not what is seen."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

import pypdfium2.raw as pdfium

from core.rulebook.pdf.addresses import quick, read_utf16
from core.rulebook.pdf.glyph_shapes import INKED
from core.rulebook.pdf.plain_text import remove_replacements
from core.rulebook.pdf.shapes import bounds_of
from core.rulebook.pdf.strokes import lines_in
from core.rulebook.pdf.unread_words import add_unread
from core.rulebook.pdf.visibility import PagePrint, PrintedRun, shared_part

_COMBINING_STROKES = frozenset(map(chr, (*range(0x334, 0x339), 0x20D2, 0x20D3, 0x20E5, 0x20EB)))
_STROKES = _COMBINING_STROKES | {"_", "\u00af", "\u2212", "=", "~", INKED}
_CROSSES = frozenset("Xx\u00d7\u2715\u2716\u2573/\\")
_reading_order = attrgetter("raw.start")
_LOWEST, _HIGHEST = 0.12, 0.62  # ems above the baseline: a sign lower is an underline
_FEWEST_SIGNS = 3  # "xxx" deletes, "x" is a letter
_COVERED = 0.5  # of a sign's width that lies on other print

_DECIDING = re.compile(
    r"[^\W_]|[%\u2030\u00b0$\u20ac\u00a3<>=\u2264\u2265\u2260\u00b1+\u00d7\u00f7]"
    r"|(?<=\d)[ .,:/\-\u2010-\u2014\u2212](?=\d)|[\-\u2010-\u2014\u2212](?=\d)"
)


def mark_overprints(page: PagePrint) -> None:
    """Add flaws to print that signs or combining strokes are printed over; drop these signs."""
    dropped = set()
    for printed in page.runs:
        if not _COMBINING_STROKES.isdisjoint(printed.run.chars):
            _apply_combining_strokes(printed)
            continue
        text = printed.text.strip()
        if printed.run.flaws or (text[0].isalnum() and text[0] != text[-1]):
            continue
        struck: list[tuple[PrintedRun, float, float]] = []
        if is_sign(text):
            struck = list(_print_below(printed, page))
        elif text in _CROSSES:
            lines = lines_in(printed.places.ink(printed.raw), page)
            struck = [(line, line.box[0], line.box[2]) for line in lines]
        for other, left, right in struck:
            other.doubt(left, right, "deleted")
            dropped.add(id(printed.run))
    page.content.runs = [run for run in page.content.runs if id(run) not in dropped]


def is_sign(text: str) -> bool:
    """True for dashes, or one sign many times, apart or together, that is no word."""
    text = "".join(text.split())
    if text and all(unicodedata.category(char) == "Pd" or char in _STROKES for char in text):
        return True
    if len(set(text)) != 1 or len(text) < _FEWEST_SIGNS:
        return False
    kind = unicodedata.category(text[0])
    return kind[0] in ("P", "S") or kind in ("Ll", "Lu")


def _apply_combining_strokes(printed: PrintedRun) -> None:
    """Strike the glyphs that a stroke combines with, and leave the strokes out."""
    base = None
    for index, (char, left, right) in enumerate(list(printed.glyphs)):
        if char in _COMBINING_STROKES:
            if base is not None:
                printed.doubt(*base, "deleted")
            printed.run.chars[index] = ""
        elif char:
            base = left, right


def _print_below(sign: PrintedRun, page: PagePrint) -> Iterator[tuple[PrintedRun, float, float]]:
    """The runs that a sign is printed over, each with the part that it strikes."""
    near = [
        other
        for other in page.runs_between(sign.box[1], sign.box[3] + sign.size)
        if other.shared_width(sign.box) > 0
        and shared_part(other, sign) >= _COVERED
        and not is_sign(other.text.strip())
    ]
    left, top, right, bottom = sign.places.ink(sign.raw) if near else sign.box
    for other in near:
        above = (other.baseline - (top + bottom) / 2) / other.size
        shared = sum(
            max(0.0, min(right, end) - max(left, start))
            for char, start, end in other.glyphs
            if not char.isspace()
        )
        if _LOWEST <= above <= _HIGHEST and shared >= _COVERED * (right - left):
            yield other, left, right


def mark_replacements(page: PagePrint, loaded: Any, replaced: Iterable[Sequence[int]]) -> None:
    """Add flaws to words that replace the page's own by a mark, and to lines whose words it hides.

    `replaced` are the addresses of the text objects under each mark ("ActualText"). The marks are
    removed from the `loaded` page, so that pdfium returns the words of the glyphs.
    """
    groups = [group for group in replaced if group]
    if not groups:
        return
    stored: dict[int, list[PrintedRun]] = defaultdict(list)
    for printed in page.runs:
        stored[printed.raw.address].append(printed)
    for address in chain.from_iterable(groups):
        remove_replacements(address)
    text_page = pdfium.FPDFText_LoadPage(loaded)
    for group in groups:
        there = sorted(chain.from_iterable(map(stored.__getitem__, group)), key=_reading_order)
        texts = (read_utf16(quick.FPDFTextObj_GetText, one, text_page) for one in group)
        shown, words = "".join(texts).strip(), "".join(printed.text for printed in there)
        # The font of some glyphs names no letters for them.
        is_private = any(unicodedata.category(char) in ("Co", "Cn", "Cc") for char in shown)
        if not shown or is_private or _keep_decisive_signs(shown) == _keep_decisive_signs(words):
            continue
        for printed in there:
            printed.doubt_whole("differs", " ".join(shown.split()))
        if not there:
            add_unread(page, page.places.transform.map_box(*bounds_of(group[0])), shown)
    pdfium.FPDFText_ClosePage(text_page)


def _keep_decisive_signs(text: str) -> str:
    """What decides of a text: letters, digits, signs of numbers; ligatures spelled out."""
    return "".join(_DECIDING.findall(unicodedata.normalize("NFKC", text)))
