"""Words and numbers that are not what their glyphs say.

Dashes, slashes and combining strokes over words delete them; they are stored as text of their own
and would be read among the words that they strike. A file may also give words in place of its
glyphs (ActualText): ligatures and bullets are spelled out this way, which is right. Other words are
not what is seen. Digits may be placed backwards, squeezed, or over other print: what is left of a
number without one of them would be another number, so it is doubted as a whole.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, pairwise
from operator import attrgetter
from typing import Any, TypeAlias

import pypdfium2.raw as pdfium

from core.rulebook.pdf.addresses import quick, read_utf16
from core.rulebook.pdf.glyph_shapes import INKED, UNKNOWN
from core.rulebook.pdf.page_content import Flaw
from core.rulebook.pdf.shapes import bounds_of, remove_replacements
from core.rulebook.pdf.strokes import lines_in
from core.rulebook.pdf.unread_words import add_unread
from core.rulebook.pdf.visibility import PagePrint, PrintedRun, runs_that_overlap, shared_part

_COMBINING_STROKES = frozenset(map(chr, (*range(0x334, 0x339), 0x20D2, 0x20D3, 0x20E5, 0x20EB)))
"""Strokes, slashes and the tilde among Unicode's overlays (combining class 1)."""
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

_SQUEEZED = 0.12
"""Ems a letter on average: nobody can read narrower print. The i of Helvetica has 0.22."""
_FEWEST_SQUEEZED = 3  # letters: a single one may be narrow, but no digit is
_LEVEL = 0.1  # ems between the baselines, and the edges, of two glyphs of one number
_IN_NUMBERS = (".", ",", UNKNOWN)
_Glyph: TypeAlias = tuple[str, float, float]
"""A character and its edges."""
_NUMBER = re.compile(r"\d[\d.,]*\d")
_STEP = 0.4  # of the width of a digit, from one to the next
_OVER = 0.5  # of the narrower of two glyphs in one place
_UNREADABLE = 0.5  # of the letters of a run, that others are printed over
_LARGER = 1.6  # times as large is a word behind print
_OVERLAP = 0.25  # ems that two runs of a line share


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


def mark_squeezed_runs(runs: Iterable[PrintedRun]) -> None:
    """Add flaws to runs whose letters are too narrow for anybody to read."""
    for printed in runs:
        narrowest = printed.width / (_SQUEEZED * printed.size)
        if narrowest >= len(printed.text):
            continue
        letters = sum(map(str.isalnum, printed.text))
        if narrowest < letters and (letters >= _FEWEST_SQUEEZED or printed.text.strip().isdigit()):
            printed.run.flaws.append(Flaw(printed.box[0], printed.box[2], "hidden"))


def mark_broken_numbers(page: PagePrint) -> None:
    """Add flaws to the other digits of a number with one that is not seen as it is stored.

    What is left of "600" without its first digit would be another number.
    """
    flawed = [printed for printed in page.runs if any(map(_is_unread, printed.run.flaws))]
    for baseline, size in {(printed.baseline, printed.size) for printed in flawed}:
        near = _LEVEL * size
        line = page.runs_between(baseline - near, baseline + near)
        alike = (printed for printed in line if size / 2 <= printed.size <= size * 2)
        for number in _numbers_of(alike):
            flaws = [printed.run.flaw_at((left + right) / 2) for printed, left, right in number]
            kind = next((flaw.kind for flaw in flaws if flaw and _is_unread(flaw)), None)
            for flaw, (printed, left, right) in zip(flaws, number, strict=True):
                if kind and not flaw:
                    printed.doubt(left, right, kind)


def _is_unread(flaw: Flaw) -> bool:
    return flaw.kind != "deleted"


def _numbers_of(line: Iterable[PrintedRun]) -> list[list[tuple[PrintedRun, float, float]]]:
    """The numbers of a line, each glyph with its run and its edges.

    One may go on in the run that begins where its own ends.
    """
    numbers: list[list[tuple[PrintedRun, float, float]]] = []
    for printed in sorted(line, key=lambda printed: printed.box[0]):
        for is_number, group in groupby(
            printed.glyphs, lambda glyph: glyph[0].isdigit() or glyph[0] in _IN_NUMBERS
        ):
            found = [(printed, left, right) for _, left, right in group]
            if not is_number:
                continue
            near = _LEVEL * printed.size
            ends = (number for number in numbers if abs(number[-1][2] - found[0][1]) < near)
            if number := next(ends, None):
                number += found
            else:
                numbers.append(found)
    return numbers


def mark_displaced_digits(runs: Iterable[PrintedRun]) -> None:
    """Add flaws to numbers whose digits are not one after the other from left to right."""
    for printed in runs:
        for number in _NUMBER.finditer(printed.spelled):
            parts = printed.places.edges(printed.raw, *number.span())
            glyphs = list(zip(number[0], *parts, strict=True))
            if any(
                after[1] - before[1] < _STEP * min(before[2] - before[1], after[2] - after[1])
                for before, after in pairwise(glyphs)
            ):
                ends = min(left for _, left, _ in glyphs), max(right for *_, right in glyphs)
                shown = "".join(char for char, *_ in sorted(glyphs, key=lambda glyph: glyph[1]))
                printed.doubt(*ends, "differs", shown if shown != number[0] else UNKNOWN)


def mark_mirrored_runs(runs: Iterable[PrintedRun]) -> None:
    """Add flaws to runs that are seen as in a mirror."""
    for printed in runs:
        if printed.raw.is_mirrored:
            printed.doubt_whole("differs", UNKNOWN)


def mark_printed_over(runs: Sequence[PrintedRun]) -> None:
    """Add flaws to digits that other print lies on, and to words that mostly do."""
    twice: dict[PrintedRun, set[_Glyph]] = defaultdict(set)
    found = []
    for one, other in runs_that_overlap(runs, _OVERLAP):
        if pairs := list(_glyphs_over(one, other)):
            found.append((one, other, pairs))
            twice[one].update(a for a, b in pairs if a[0] == b[0])
            twice[other].update(b for a, b in pairs if a[0] == b[0])
    for one, other, pairs in found:
        if not one.run.flaws and not other.run.flaws:
            _doubt_pairs(one, other, pairs, twice)


def _doubt_pairs(
    one: PrintedRun,
    other: PrintedRun,
    pairs: list[tuple[_Glyph, _Glyph]],
    twice: dict[PrintedRun, set[_Glyph]],
) -> None:
    """Add flaws to glyphs that lie on each other; not to print of which all is drawn `twice`."""
    letters = {each: sum(map(str.isalnum, each.text)) for each in (one, other)}
    is_bold = any(len(twice[each]) == count for each, count in letters.items())
    over = [(a, b) for a, b in pairs if a[0] != b[0]]
    if not over and not is_bold:  # a digit on itself
        over = pairs
    if len(over) >= max(_UNREADABLE * min(letters.values()), _FEWEST_SQUEEZED):
        one.doubt_whole("differs", UNKNOWN)
        other.doubt_whole("differs", UNKNOWN)
        return
    for a, b in over:
        if a[0].isdigit() or b[0].isdigit():
            one.doubt(*a[1:], "differs", UNKNOWN)
            other.doubt(*b[1:], "differs", UNKNOWN)


def _glyphs_over(one: PrintedRun, other: PrintedRun) -> Iterator[tuple[_Glyph, _Glyph]]:
    """Yield letters and digits of two runs about as large that lie on each other."""
    larger, smaller = max(one.size, other.size), min(one.size, other.size)
    if one.run.flaws or other.run.flaws or larger > _LARGER * smaller:
        return
    second = [glyph for glyph in other.glyphs if glyph[0].isalnum()]
    for a in one.glyphs:
        for b in second if a[0].isalnum() else ():
            shared = min(a[2], b[2]) - max(a[1], b[1])
            if shared > _OVER * min(a[2] - a[1], b[2] - b[1]):
                yield a, b
                break
