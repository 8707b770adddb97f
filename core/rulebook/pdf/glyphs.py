"""Runs of glyphs from pdfium's C interface. Most of the time of a reading is spent here."""

import ctypes
import math
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

import pypdfium2.raw as pdfium

from core.rulebook.pdf.addresses import ADDRESS, address_of, by_address
from core.rulebook.pdf.composed_letters import DROPPED, compose_accents, order_joined_letters
from core.rulebook.pdf.page_content import (
    AffineTransform,
    GlyphRun,
    PdfBox,
    Point,
    RuledLine,
    Style,
)
from core.rulebook.pdf.shapes import color_and_opacity
from core.rulebook.types import Box

_BLANK_CODES = frozenset((9, 10, 13, 32, 0xA0))
_GAP_CHARACTERS = " \u00a0\t"
_MIN_SIZE, _MAX_SIZE = 0.01, 10_000.0  # points: distances are divided by sizes, so none may be 0
_RUN_GAP = 0.25  # ems: a gap after a blank that ends a run, twice that with the blank
_BOLD_NAMES = ("bold", "black", "heavy", "demi")

_text_object_address = by_address(pdfium.FPDFText_GetTextObject, ADDRESS, ADDRESS, ctypes.c_int)
_read_box = by_address(
    pdfium.FPDFText_GetLooseCharBox, ctypes.c_int, ADDRESS, ctypes.c_int, ADDRESS
)
_read_ink = by_address(
    pdfium.FPDFText_GetCharBox, ctypes.c_int, ADDRESS, ctypes.c_int, *(ADDRESS,) * 4
)
Matrix: TypeAlias = tuple[float, ...]
_unpack_box = struct.Struct("4f").unpack_from
_unpack_matrix = struct.Struct("6f").unpack_from
_read_matrix = by_address(pdfium.FPDFText_GetMatrix, ctypes.c_int, ADDRESS, ctypes.c_int, ADDRESS)
_read_font_size = by_address(pdfium.FPDFTextObj_GetFontSize, ctypes.c_int, ADDRESS, ADDRESS)
_font_of = by_address(pdfium.FPDFTextObj_GetFont, ADDRESS, ADDRESS)
_render_mode = by_address(pdfium.FPDFTextObj_GetTextRenderMode, ctypes.c_int, ADDRESS)


@dataclass(slots=True)
class RawGlyphRun:
    """A run in user space from glyph `start` on; `boxes` are those of its first and last glyph."""

    style: Style
    direction: Point
    origin: Point
    space_before: bool
    start: int
    chars: list[str]
    boxes: tuple[PdfBox, PdfBox]
    address: int = 0
    """Of the text object, by which pdfium knows it; `font` likewise."""
    font: int = 0
    skew: tuple[float, float] = (0.0, 1.0)
    """By how much of its height its matrix slants it to the right, and how much it widens it."""


@dataclass(slots=True)
class StyleCache:
    """The fonts of a document by pdfium's address (name, bold, italic), and its styles."""

    fonts: dict[int, tuple[str, bool, bool]] = field(default_factory=dict)
    styles: dict[Style, Style] = field(default_factory=dict)


def extract_raw_runs(text_page: Any, style_cache: StyleCache) -> Iterator[RawGlyphRun]:
    """Yield runs of glyphs of one text object, cut at gaps and at blanks that pdfium inserted.

    This is the hottest loop of a reading, so it makes few calls: one for the text of the page,
    then the object and the boxes at the ends of words. `place_runs` reads more boxes if needed.
    """
    codes, glyphs = _glyph_codes(text_page), _Glyphs(text_page)
    compose_accents(codes, glyphs.box, glyphs.ink)
    order_joined_letters(codes, glyphs.box)
    styles: dict[int, tuple[Style, Point, int, tuple[float, float]]] = {}
    space_before = False
    for start, end, address in _object_ranges(glyphs, codes):
        if not address:
            space_before = True
            continue
        if address not in styles:
            styles[address] = _read_style(glyphs.matrix(start), address, style_cache)
        style, direction, font, skew = styles[address]
        for run in _cut_runs(glyphs, codes, range(start, end), style, direction):
            if not any(run.chars):
                continue
            run.space_before |= space_before
            run.address, run.font, run.skew = address, font, skew
            space_before = False
            yield run


def place_runs(
    text_page: Any, raw: list[RawGlyphRun], transform: AffineTransform, rules: Sequence[RuledLine]
) -> Iterator[GlyphRun]:
    """Yield the runs in reading coordinates.

    The position of each glyph is read only where a rule crosses the run or blanks in it make a
    gap; elsewhere the positions of the first and the last glyph are enough.
    """
    horizontal = sorted(
        (top, left, right) for left, top, right, bottom, _ in rules if right - left > bottom - top
    )
    heights = [top for top, _, _ in horizontal]
    upright = sorted(rule for rule in rules if rule.right - rule.left < rule.bottom - rule.top)
    sides = [rule.left for rule in upright]
    box_of = _Glyphs(text_page).box

    def placed_box(index: int) -> Box:
        return transform.map_box(*box_of(index))

    for run in raw:
        first, last = transform.map_box(*run.boxes[0]), transform.map_box(*run.boxes[1])
        baseline = transform.map_point(*run.origin)[1]
        low = bisect_left(heights, baseline - run.style.size)
        high = bisect_left(heights, baseline + run.style.size)
        crossed = any(
            left < last[2] and right > first[0] for _, left, right in horizontal[low:high]
        )
        low, high = bisect_right(sides, first[0]), bisect_left(sides, last[2])
        crossed |= any(rule.top < baseline < rule.bottom for rule in upright[low:high])
        in_one_box = not crossed and "  " not in "".join(run.chars).strip()
        if not in_one_box:
            boxes = map(placed_box, range(run.start, run.start + len(run.chars)))
            lefts, _, rights, _ = map(list, zip(*boxes, strict=True))
        elif last[0] < first[0]:  # from right to left
            lefts, rights = [last[0]] * len(run.chars), [first[2]] * len(run.chars)
        else:
            lefts, rights = _glyph_edges(run, first[0], last[2], placed_box)
        is_upright = transform.map_direction(*run.direction)[0] > 0.98
        top, bottom = min(first[1], last[1]), max(first[3], last[3])
        yield GlyphRun(
            run.chars,
            lefts,
            rights,
            top,
            bottom,
            baseline,
            run.style,
            run.space_before,
            is_upright,
            in_one_box,
        )


def _read_style(
    matrix: Matrix, text_object: int, cache: StyleCache
) -> tuple[Style, Point, int, tuple[float, float]]:
    """Return the style of a text object, the direction of its line, its font and its skew."""
    a, b, c, d, _, _ = matrix
    size = ctypes.c_float()
    _read_font_size(text_object, ctypes.addressof(size))
    address = _font_of(text_object) or 0
    if address not in cache.fonts:
        cache.fonts[address] = _read_font(ctypes.cast(address, pdfium.FPDF_FONT))
    font, bold, italic = cache.fonts[address]
    mode = _render_mode(text_object)
    color, opacity = color_and_opacity(text_object, stroke=mode in (1, 5))
    printed_size = round(abs(size.value) * math.hypot(c, d), 2)
    printed_size = min(_MAX_SIZE, max(_MIN_SIZE, printed_size))
    visible = mode not in (3, 7) and opacity > 8
    style = Style(font, printed_size, bold, italic, color, visible)
    # A negative size draws print the other way round than its matrix.
    length = math.copysign(math.hypot(a, b) or 1.0, size.value)
    area = a * d - b * c
    height = math.hypot(c, d)
    skew = ((a * c + b * d) / area if area else 0.0, abs(length) / height if height else 1.0)
    return cache.styles.setdefault(style, style), (a / length, b / length), address, skew


def _read_font(font: Any) -> tuple[str, bool, bool]:
    buffer = ctypes.create_string_buffer(128)
    pdfium.FPDFFont_GetBaseFontName(font, buffer, 128)
    name = buffer.value.decode("utf-8", "replace").split("+")[-1]
    lower = name.lower()
    bold = any(word in lower for word in _BOLD_NAMES) or pdfium.FPDFFont_GetWeight(font) >= 600
    return name, bold, "italic" in lower or "oblique" in lower


def glyph_edges(
    text_page: Any,
    raw: RawGlyphRun,
    transform: AffineTransform,
    start: int = 0,
    end: int | None = None,
) -> tuple[list[float], list[float]]:
    """Return the left and the right edge of each glyph of a run in reading coordinates.

    `start` and `end` are those of a part of it.
    """
    box_of, count = _Glyphs(text_page).box, len(raw.chars)
    indexes = range(raw.start + start, raw.start + (count if end is None else end))
    boxes = [transform.map_box(*box_of(index)) for index in indexes]
    return [box[0] for box in boxes], [box[2] for box in boxes]


def ink_box(
    text_page: Any, raw: RawGlyphRun, transform: AffineTransform, glyph: int | None = None
) -> Box:
    """Return the box around the outlines of the glyphs of a run, or of one, as it is read."""
    page = address_of(text_page)
    if glyph is not None:
        return transform.map_box(*_ink_of(page, raw.start + glyph))
    inked = (_ink_of(page, index) for index in range(raw.start, raw.start + len(raw.chars)))
    boxes = [transform.map_box(*box) for box in inked if box[2] > box[0]]
    lefts, tops, rights, bottoms = zip(*boxes or [(0.0, 0.0, 0.0, 0.0)], strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


_edges = (ctypes.c_double * 4)()
_edge_addresses = tuple(ctypes.addressof(_edges) + 8 * number for number in range(4))


def _ink_of(text_page: int, index: int) -> PdfBox:
    """Return the box around the outline of a glyph, in user space."""
    _read_ink(text_page, index, *_edge_addresses)
    left, right, bottom, top = _edges
    return left, bottom, right, top


class _Glyphs:
    """The glyphs of a page by index, in user space."""

    def __init__(self, text_page: Any) -> None:
        self._text_page = address_of(text_page)
        self._numbers = (ctypes.c_float * 6)()
        self._address = ctypes.addressof(self._numbers)

    def box(self, index: int) -> PdfBox:
        _read_box(self._text_page, index, self._address)
        left, top, right, bottom = _unpack_box(self._numbers)
        return left, bottom, right, top

    def ink(self, index: int) -> PdfBox:
        """Return the box around the outline of a glyph."""
        return _ink_of(self._text_page, index)

    def matrix(self, index: int) -> Matrix:
        """Return what a glyph is placed with, as ISO 32000 has it: a, b, c, d, e, f."""
        found = _read_matrix(self._text_page, index, self._address)
        return _unpack_matrix(self._numbers) if found else (0.0,) * 6

    def text_object(self, index: int) -> int:
        """Return pdfium's address of a glyph's text object, 0 for a blank that pdfium inserted."""
        return _text_object_address(self._text_page, index) or 0


def _glyph_codes(text_page: Any) -> list[int]:
    """Return the UTF-16 code of every glyph, 0 for one that its font gives no letter."""
    count = max(pdfium.FPDFText_CountChars(text_page), 0)
    buffer = (ctypes.c_ushort * (count + 1))()
    code_of = partial(pdfium.FPDFText_GetUnicode, text_page)
    if pdfium.FPDFText_GetText(text_page, 0, count, buffer) == count + 1:
        # This has one code for hyphens at the end of a line and for glyphs without a letter.
        return [code_of(n) if code == 0xFFFE else code for n, code in enumerate(buffer[:count])]
    return [code_of(index) for index in range(count)]


def _object_ranges(glyphs: _Glyphs, codes: list[int]) -> Iterator[tuple[int, int, int]]:
    """Yield ranges of glyphs of one text object: start, end, address (0 for inserted blanks)."""
    start, current, index, count = 0, -1, 0, len(codes)
    while index < count:
        begin = index
        index += 1
        if codes[begin] not in _BLANK_CODES:
            while index < count and codes[index] not in _BLANK_CODES:
                index += 1
        for first, address in _word_objects(glyphs.text_object, begin, index):
            if address != current:
                if current >= 0:
                    yield start, first, current
                start, current = first, address
    if current >= 0:
        yield start, count, current


def _word_objects(object_of: Callable[[int], int], begin: int, end: int) -> list[tuple[int, int]]:
    """Return the first glyph of a word and its address; all glyphs if it has several objects.

    Of a word alone: in lines from right to left pdfium puts one object between words of another.
    """
    first = object_of(begin)
    if end - begin == 1 or object_of(end - 1) == first:
        return [(begin, first)]
    return [(index, object_of(index)) for index in range(begin, end)]


def _cut_runs(
    glyphs: _Glyphs,
    codes: list[int],
    stretch: range,
    style: Style,
    direction: Point,
) -> Iterator[RawGlyphRun]:
    """Yield the glyphs of one object as runs, cut at gaps after its blanks."""
    box_of, end = glyphs.box, stretch.stop
    *_, x, y = glyphs.matrix(stretch.start)
    inserted = False

    def make_run(first: int, end: int, boxes: tuple[PdfBox, PdfBox]) -> RawGlyphRun:
        chars = _decode(codes[first:end])
        return RawGlyphRun(style, direction, (x, y), inserted, first, chars, boxes)

    dx, dy = direction
    axis, forward = (0, dx > 0) if abs(dx) > abs(dy) else (1, dy > 0)
    first, box = stretch.start, box_of(stretch.start)
    for index in stretch[1:]:
        if codes[index - 1] in _BLANK_CODES and codes[index] not in _BLANK_CODES:
            before, after, words = box_of(index - 1), box_of(index), index
            if before[axis] == before[axis + 2] and index - 1 > first:
                # A blank that pdfium inserted is at the end of its gap.
                before, words = box_of(index - 2), index - 1
            left, right = (before, after) if forward else (after, before)
            gap = (right[axis] - left[axis + 2]) / style.size
            if gap > (_RUN_GAP if words == index else 2 * _RUN_GAP):
                yield make_run(first, words, (box, before))
                first, box, inserted = index, after, words < index
    last = box if end - first == 1 else box_of(end - 1)
    yield make_run(first, end, (box, last))


def _decode(codes: list[int]) -> list[str]:
    """Return one string a code; the second half of a surrogate pair holds the character."""
    if min(codes) >= 32 and max(codes) < 0x7F:
        return list(bytes(codes).decode("ascii"))
    chars: list[str] = []
    for code in codes:
        chars.append(chr(code) if 32 <= code < 0x7F else _decode_special(code, chars))
    return chars


def _decode_special(code: int, before: list[str]) -> str:
    if code == DROPPED:
        return ""
    if code == 0x02:
        return "\u00ad"  # pdfium's sign for a hyphen at the end of a line
    if 0xDC00 <= code <= 0xDFFF and before and 0xD800 <= ord(before[-1][0]) <= 0xDBFF:
        high = ord(before[-1])
        before[-1] = ""
        return chr(0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00))
    if code in (9, 10, 13, 0x2005, 0x2006):
        return " "
    if code < 32 or 0x7F <= code < 0xA0 or code in (0xFFFE, 0xFFFF):
        return "\ufffd"
    return chr(code)


def _glyph_edges(
    run: RawGlyphRun, left: float, right: float, box_of: Callable[[int], Box]
) -> tuple[list[float], list[float]]:
    """Return the left and right edges of the glyphs of a run that nothing crosses.

    They are exact at its ends, and where blanks at its ends meet words.
    """
    count = len(run.chars)
    text = "".join(run.chars)
    if len(text) < count:  # an accent or half of a character has become part of its neighbour
        text = "".join(char or "_" for char in run.chars)
    before = count - len(text.lstrip(_GAP_CHARACTERS))
    after = len(text.rstrip(_GAP_CHARACTERS))
    begin = box_of(run.start + before)[0] if 0 < before < count else left
    end = box_of(run.start + after)[0] if before < after < count else right
    lefts = [left] * before + [begin] * (after - before) + [end] * (count - after)
    rights = [begin] * before + [end] * (after - before) + [right] * (count - after)
    return (lefts, rights) if len(lefts) == count else ([left] * count, [right] * count)
