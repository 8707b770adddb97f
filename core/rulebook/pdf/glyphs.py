"""Runs of glyphs from pdfium's C interface. Most of the time of a reading is spent here."""

import ctypes
import math
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import Any, TypeAlias

import pypdfium2

from core.rulebook.pdf.addresses import address_of, quick
from core.rulebook.pdf.composed_letters import (
    DROPPED,
    compose_accents,
    has_right_to_left,
    order_joined_letters,
)
from core.rulebook.pdf.page_content import (
    AffineTransform,
    GlyphRun,
    PdfBox,
    Point,
    RuledLine,
    Style,
    box_around,
    is_light_color,
)
from core.rulebook.pdf.shapes import color_and_opacity
from core.rulebook.types import Box

_BLANK_CODES = frozenset((9, 10, 13, 32, 0xA0))
_GAP_CHARACTERS = " \u00a0\t"
_MIN_SIZE, _MAX_SIZE = 0.01, 10_000.0  # points: distances are divided by sizes, so none may be 0
_RUN_GAP = 0.25  # ems, a blank of Times: a gap after a blank that ends a run, twice that with it
_LEVEL = 0.98  # of the length of a direction, along a line
_BOLD_NAMES = ("bold", "black", "heavy", "demi")

Matrix: TypeAlias = tuple[float, ...]
_unpack_box = struct.Struct("4f").unpack_from
_unpack_matrix = struct.Struct("6f").unpack_from
_ink_boxes = struct.Struct("4d")


_Look: TypeAlias = tuple[Style, Point, int, int, tuple[float, float]]
"""The first fields of a run, which all of a text object have."""


@dataclass(slots=True)
class RawGlyphRun:
    """A run in user space from glyph `start` on; `boxes` are those of its first and last glyph."""

    style: Style
    direction: Point
    address: int
    """Of the text object, by which pdfium knows it; `font` likewise."""
    font: int
    skew: tuple[float, float]
    """By how much of its height its matrix slants it to the right, and how much it widens it:
    negative for print that is seen as in a mirror."""
    origin: Point
    start: int
    chars: list[str]
    boxes: tuple[PdfBox, PdfBox]
    space_before: bool

    @property
    def is_mirrored(self) -> bool:
        return self.skew[1] < 0


@dataclass(slots=True)
class StyleCache:
    """The fonts of a document by pdfium's address (name, bold, italic), and its styles."""

    fonts: dict[int, tuple[str, bool, bool]] = field(default_factory=dict)
    styles: dict[Style, Style] = field(default_factory=dict)


class PageGlyphs:
    """The glyphs of a page by index, in user space."""

    def __init__(self, text_page: pypdfium2.PdfTextPage) -> None:
        self._text_page, self._address = text_page, address_of(text_page.raw)
        self._numbers = (ctypes.c_float * 6)()
        self._first = ctypes.addressof(self._numbers)

    def read_codes(self) -> list[int]:
        """Return the UTF-16 code of every glyph, 0 for one that its font gives no letter."""
        count = max(quick.FPDFText_CountChars(self._address), 0)
        buffer = (ctypes.c_ushort * (count + 1))()
        code_of = partial(quick.FPDFText_GetUnicode, self._address)
        if quick.FPDFText_GetText(self._address, 0, count, buffer) == count + 1:
            # This has one code for hyphens at the end of a line and for glyphs without a letter.
            codes = enumerate(buffer[:count])
            return [code_of(index) if code == 0xFFFE else code for index, code in codes]
        return [code_of(index) for index in range(count)]

    def box(self, index: int) -> PdfBox:
        """Return the box of a glyph: its advance, and the height of its font."""
        quick.FPDFText_GetLooseCharBox(self._address, index, self._first)
        left, top, right, bottom = _unpack_box(self._numbers)
        return left, bottom, right, top

    def inks(self, indexes: Sequence[int]) -> list[PdfBox]:
        """Return the boxes around the outlines of glyphs."""
        edges, address = (ctypes.c_double * (4 * len(indexes)))(), self._address
        place = ctypes.addressof(edges)
        for index in indexes:
            quick.FPDFText_GetCharBox(address, index, place, place + 8, place + 16, place + 24)
            place += 32
        found = _ink_boxes.iter_unpack(edges)
        return [(left, bottom, right, top) for left, right, bottom, top in found]

    def matrix(self, index: int) -> Matrix:
        """Return what a glyph is placed with, as ISO 32000 has it: a, b, c, d, e, f."""
        found = quick.FPDFText_GetMatrix(self._address, index, self._first)
        return _unpack_matrix(self._numbers) if found else (0.0,) * 6

    def text_object(self, index: int) -> int:
        """Return pdfium's address of a glyph's text object, 0 for a blank that pdfium inserted."""
        return quick.FPDFText_GetTextObject(self._address, index) or 0


@dataclass(frozen=True, slots=True)
class GlyphPlaces:
    """Where the glyphs of a page are in reading coordinates."""

    glyphs: PageGlyphs
    transform: AffineTransform

    def box(self, index: int) -> Box:
        """Return the box of a glyph of the page."""
        return self.transform.map_box(*self.glyphs.box(index))

    def edges(
        self, run: RawGlyphRun, start: int = 0, end: int | None = None
    ) -> tuple[list[float], list[float]]:
        """Return the left and the right edge of each glyph of a run, or of some of them."""
        boxes = self.transform.map_boxes(map(self.glyphs.box, _indexes(run, start, end)))
        return [box[0] for box in boxes], [box[2] for box in boxes]

    def inks(self, run: RawGlyphRun, start: int = 0, end: int | None = None) -> list[Box]:
        """Return the box around the outline of each glyph of a run, or of some of them."""
        return self.transform.map_boxes(self.glyphs.inks(_indexes(run, start, end)))

    def ink(self, run: RawGlyphRun) -> Box:
        """Return the box around all outlines of a run."""
        inks = self.glyphs.inks(_indexes(run, 0, None))
        boxes = self.transform.map_boxes(box for box in inks if box[2] > box[0])
        return box_around(boxes or [(0.0, 0.0, 0.0, 0.0)])


def _indexes(run: RawGlyphRun, start: int, end: int | None) -> range:
    return range(run.start + start, run.start + (len(run.chars) if end is None else end))


def extract_raw_runs(glyphs: PageGlyphs, style_cache: StyleCache) -> Iterator[RawGlyphRun]:
    """Yield runs of glyphs of one text object, cut at gaps and at blanks that pdfium inserted.

    This is the hottest loop of a reading, so it makes few calls: one for the text of the page,
    then the object and the boxes at the ends of words. `place_runs` reads more boxes if needed.
    """
    codes = glyphs.read_codes()
    compose_accents(codes, glyphs.box, glyphs.inks)
    ranges = _object_ranges(glyphs.text_object, len(codes))
    if has_right_to_left(codes):
        order_joined_letters(codes, glyphs.box)
        ranges = _ranges_of_words(glyphs.text_object, codes)
    looks: dict[int, _Look] = {}
    space_before = False
    for start, end, address in ranges:
        if not address:
            space_before = True
            continue
        matrix = glyphs.matrix(start)
        if address not in looks:
            looks[address] = _read_look(matrix, address, style_cache)
        for run in _cut_runs(glyphs.box, codes, range(start, end), looks[address], matrix[4:]):
            if any(run.chars):
                run.space_before |= space_before
                space_before = False
                yield run


def place_runs(
    places: GlyphPlaces, raw: list[RawGlyphRun], rules: Sequence[RuledLine]
) -> Iterator[GlyphRun]:
    """Yield the runs in reading coordinates.

    The position of each glyph is read only where a rule crosses the run or blanks in it make a
    gap; elsewhere the positions of the first and the last glyph are enough.
    """
    crosses, transform = _index_rules(rules), places.transform
    directions = {run.direction for run in raw}
    runs_along = {each: transform.map_direction(*each)[0] for each in directions}
    for run in raw:
        first, last = transform.map_box(*run.boxes[0]), transform.map_box(*run.boxes[1])
        baseline = transform.map_point(*run.origin)[1]
        along = runs_along[run.direction]
        is_upright = along > _LEVEL
        if run.is_mirrored and abs(along) > _LEVEL:
            baseline, is_upright = places.ink(run)[3], True
        in_one_box = "  " not in "".join(run.chars).strip() and not crosses(
            first[0], last[2], baseline, run.style.size
        )
        if not in_one_box:
            lefts, rights = places.edges(run)
        elif last[0] < first[0]:  # from right to left
            lefts, rights = [last[0]] * len(run.chars), [first[2]] * len(run.chars)
        else:
            lefts, rights = _glyph_edges(run, first[0], last[2], places.box)
        height = min(first[1], last[1]), max(first[3], last[3]), baseline
        yield GlyphRun(
            run.chars, lefts, rights, *height, run.style, run.space_before, is_upright, in_one_box
        )


def _index_rules(rules: Sequence[RuledLine]) -> Callable[[float, float, float, float], bool]:
    """Return a test for rules that cross print between two edges, at a baseline, of a size."""
    horizontal = sorted(
        (top, left, right) for left, top, right, bottom, _ in rules if right - left > bottom - top
    )
    heights = [top for top, _, _ in horizontal]
    vertical = sorted(rule for rule in rules if rule.right - rule.left < rule.bottom - rule.top)
    sides = [rule.left for rule in vertical]

    def crosses(left: float, right: float, baseline: float, size: float) -> bool:
        low, high = bisect_left(heights, baseline - size), bisect_left(heights, baseline + size)
        if any(start < right and end > left for _, start, end in horizontal[low:high]):
            return True
        low, high = bisect_right(sides, left), bisect_left(sides, right)
        return any(rule.top < baseline < rule.bottom for rule in vertical[low:high])

    return crosses


def _read_look(matrix: Matrix, text_object: int, cache: StyleCache) -> _Look:
    """Return the style of a text object, the direction of its line, its font and its skew.

    A font without a name is of Type 3: its own matrix may mirror print once more.
    """
    a, b, c, d, _, _ = matrix
    quick.FPDFTextObj_GetFontSize(text_object, ctypes.addressof(size := ctypes.c_float()))
    font = quick.FPDFTextObj_GetFont(text_object) or 0
    if font not in cache.fonts:
        cache.fonts[font] = _read_font(font)
    name, bold, italic = cache.fonts[font]
    mode = quick.FPDFTextObj_GetTextRenderMode(text_object)
    color, opacity = color_and_opacity(text_object, stroke=mode in (1, 5))
    if mode in (2, 6) and is_light_color(color):  # seen by its outlines
        color, opacity = color_and_opacity(text_object, stroke=True)
    height = math.hypot(c, d)
    printed_size = min(_MAX_SIZE, max(_MIN_SIZE, round(abs(size.value) * height, 2)))
    visible = mode not in (3, 7) and opacity > 8
    style = Style(name, printed_size, bold, italic, color, visible)
    # A negative size draws print the other way round than its matrix.
    length = math.copysign(math.hypot(a, b) or 1.0, size.value)
    area = a * d - b * c
    widened = abs(length) / height if height else 1.0
    if area < 0 and name:
        widened = -widened
    skew = ((a * c + b * d) / area if area else 0.0, widened)
    direction = (a / length, b / length)
    return cache.styles.setdefault(style, style), direction, text_object, font, skew


def _read_font(font: int) -> tuple[str, bool, bool]:
    """The name of a font, whether it is bold, and whether it is italic."""
    buffer = ctypes.create_string_buffer(128)
    quick.FPDFFont_GetBaseFontName(font, buffer, 128)
    name = buffer.value.decode("utf-8", "replace").split("+")[-1]
    lower = name.lower()
    bold = any(word in lower for word in _BOLD_NAMES) or quick.FPDFFont_GetWeight(font) >= 600
    return name, bold, "italic" in lower or "oblique" in lower


def _object_ranges(object_of: Callable[[int], int], count: int) -> Iterator[tuple[int, int, int]]:
    """Yield ranges of glyphs of one text object: start, end, address (0 for inserted blanks).

    The glyphs of an object follow each other, so that few have to be asked for theirs.
    """
    start = 0
    while start < count:
        address, last, end, step = object_of(start), start, start + 1, 1
        while end < count and object_of(end) == address:
            last, step = end, 2 * step if address else 1
            end += step
        end = min(end, count)
        while end - last > 1:  # the last of its glyphs is between them
            middle = (last + end) // 2
            last, end = (middle, end) if object_of(middle) == address else (last, middle)
        yield start, end, address
        start = end


def _ranges_of_words(
    object_of: Callable[[int], int], codes: Sequence[int]
) -> Iterator[tuple[int, int, int]]:
    """Yield the same where lines run from right to left.

    There pdfium puts one object between words of another, and signs of one into a word of another.
    """
    objects = list(map(object_of, range(len(codes))))
    for is_blank, word in groupby(range(len(codes)), lambda index: codes[index] in _BLANK_CODES):
        first, *_, last = [*word] * 2
        if not is_blank and objects[first] == objects[last]:
            objects[first : last + 1] = [objects[first]] * (last + 1 - first)
    for address, group in groupby(range(len(codes)), objects.__getitem__):
        first, *_, last = [*group] * 2
        yield first, last + 1, address


def _cut_runs(
    box_of: Callable[[int], PdfBox], codes: list[int], stretch: range, look: _Look, place: Any
) -> Iterator[RawGlyphRun]:
    """Yield the glyphs of one object as runs, cut at gaps after its blanks."""
    (style, direction, *_), end, inserted = look, stretch.stop, False

    def make_run(first: int, end: int, last: PdfBox) -> RawGlyphRun:
        chars = _decode(codes[first:end])
        return RawGlyphRun(*look, place, first, chars, (box, last), inserted)

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
                yield make_run(first, words, before)
                first, box, inserted = index, after, words < index
    yield make_run(first, end, box if end - first == 1 else box_of(end - 1))


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
