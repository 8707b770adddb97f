"""Runs of glyphs out of pdfium's C interface, with as few calls as can be: this is where most of the time goes."""

import ctypes
import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as pdfium

from core.rulebook.pdf.page_content import AffineTransform, GlyphRun, RuledLine, Style
from core.rulebook.pdf.shapes import color_and_opacity

_BLANKS = frozenset((9, 10, 13, 32, 0xA0))
_GAPS = " \u00a0\t"
_LEAST, _MOST = (
    0.01,
    10_000.0,
)  # points: places are measured in sizes of print, so that none may be 0
_BREAK = 0.25  # ems: a gap behind a blank that cuts a run

# The same function, its answer as a plain number: twice as fast as a pointer that has to be cast.
_object_address = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)(
    ctypes.cast(pdfium.FPDFText_GetTextObject, ctypes.c_void_p).value or 0
)


@dataclass(slots=True)
class RawGlyphRun:
    """A run in user space: the glyphs from `start` on; `boxes` holds those of its first and its last one."""

    style: Style
    direction: tuple[float, float]
    origin: tuple[float, float]
    space_before: bool
    start: int
    chars: list[str]
    boxes: list[tuple[float, float, float, float]]


@dataclass(slots=True)
class StyleCache:
    """The fonts and styles of a document met so far, by pdfium's address and by value."""

    fonts: dict[int, tuple[str, bool, bool]] = field(default_factory=dict)
    styles: dict[Style, Style] = field(default_factory=dict)


def extract_raw_runs(text_page: Any, style_cache: StyleCache) -> Iterator[RawGlyphRun]:
    """Runs of glyphs of one text object, cut at gaps and where pdfium made up a space or the end of a line.

    The hottest loop of all reading, so with the fewest calls: the text of the page in one, the object at the
    ends of each word, boxes at the ends of words. Other boxes are asked for where they are needed (`placed`).
    """
    codes = _codes(text_page)
    styles: dict[int, tuple[Style, tuple[float, float]]] = {}
    spaced = False
    for start, end, address in _objects(text_page, codes):
        if not address:
            spaced = True
            continue
        if address not in styles:
            styles[address] = _style(text_page, start, style_cache)
        for run in _runs_of_object(text_page, codes, start, end, styles[address]):
            run.space_before |= spaced
            spaced = False
            yield run


def place_runs(
    text_page: Any, raw: list[RawGlyphRun], transform: AffineTransform, rules: Sequence[RuledLine]
) -> Iterator[GlyphRun]:
    """The runs in reading coordinates. Where a rule crosses a run, or blanks stand in it for a gap, each glyph's place
    is asked for; elsewhere those of the first and the last one stand for all."""
    flat = sorted(
        (rule.top, rule.left, rule.right)
        for rule in rules
        if rule.right - rule.left > rule.bottom - rule.top
    )
    heights = [top for top, _, _ in flat]
    box_of = _Boxes(text_page)
    for run in raw:
        first, last = transform.map_box(*run.boxes[0]), transform.map_box(*run.boxes[1])
        baseline = transform.map_point(*run.origin)[1]
        low, high = (
            bisect_left(heights, baseline - run.style.size),
            bisect_left(heights, baseline + run.style.size),
        )
        crossed = any(left < last[2] and right > first[0] for _, left, right in flat[low:high])
        if crossed or "  " in "".join(run.chars).strip():
            boxes = [
                transform.map_box(*box_of(run.start + index)) for index in range(len(run.chars))
            ]
            lefts, rights = [box[0] for box in boxes], [box[2] for box in boxes]
        else:
            lefts, rights = _edges(
                run, first[0], last[2], lambda index: transform.map_box(*box_of(index))[0]
            )
        dx, dy = run.direction
        upright = transform.a * dx + transform.c * dy > 0.98
        top, bottom = min(first[1], last[1]), max(first[3], last[3])
        yield GlyphRun(
            run.chars, lefts, rights, top, bottom, baseline, run.style, run.space_before, upright
        )


def _style(text_page: Any, index: int, looks: StyleCache) -> tuple[Style, tuple[float, float]]:
    matrix, size = pdfium.FS_MATRIX(), ctypes.c_float()
    text_object = pdfium.FPDFText_GetTextObject(text_page, index)
    pdfium.FPDFText_GetMatrix(text_page, index, matrix)
    pdfium.FPDFTextObj_GetFontSize(text_object, size)
    font, bold, italic = _font(pdfium.FPDFTextObj_GetFont(text_object), looks)
    mode = pdfium.FPDFTextObj_GetTextRenderMode(text_object)
    color, opacity = color_and_opacity(text_object, stroke=mode in (1, 5))
    scale = math.hypot(matrix.c, matrix.d)
    printed = min(_MOST, max(_LEAST, round(abs(size.value) * scale, 2)))
    style = Style(font, printed, bold, italic, color, mode not in (3, 7) and opacity > 8)
    length = math.hypot(matrix.a, matrix.b) or 1.0
    style = looks.styles.setdefault(style, style)
    return style, (matrix.a / length, matrix.b / length)


def _font(font: Any, looks: StyleCache) -> tuple[str, bool, bool]:
    address = _address(font) or 0
    if address not in looks.fonts:
        buffer = ctypes.create_string_buffer(128)
        pdfium.FPDFFont_GetBaseFontName(font, buffer, 128)
        name = buffer.value.decode("utf-8", "replace").split("+")[-1]
        lower = name.lower()
        bold = any(word in lower for word in ("bold", "black", "heavy", "demi")) or (
            pdfium.FPDFFont_GetWeight(font) >= 600
        )
        looks.fonts[address] = (name, bold, "italic" in lower or "oblique" in lower)
    return looks.fonts[address]


def _address(pointer: Any) -> int | None:
    return ctypes.cast(pointer, ctypes.c_void_p).value


class _Boxes:
    """The boxes of a page's glyphs in user space: (left, bottom, right, top), by index."""

    def __init__(self, text_page: Any) -> None:
        self._text_page = text_page
        self._rect = pdfium.FS_RECTF()
        self._pointer = ctypes.byref(self._rect)
        self._read = pdfium.FPDFText_GetLooseCharBox

    def __call__(self, index: int) -> tuple[float, float, float, float]:
        self._read(self._text_page, index, self._pointer)
        rect = self._rect
        return rect.left, rect.bottom, rect.right, rect.top


def _codes(text_page: Any) -> list[int]:
    """The UTF-16 code of every glyph."""
    count = max(pdfium.FPDFText_CountChars(text_page), 0)
    buffer = (ctypes.c_ushort * (count + 1))()
    if pdfium.FPDFText_GetText(text_page, 0, count, buffer) == count + 1:
        return list(buffer[:count])
    return [pdfium.FPDFText_GetUnicode(text_page, index) for index in range(count)]


def _objects(text_page: Any, codes: list[int]) -> Iterator[tuple[int, int, int]]:
    """The stretches of glyphs of one text object: (first, after the last, address); address 0 for made-up blanks."""
    page = _address(text_page)

    def address_of(index: int) -> int:
        return _object_address(page, index) or 0

    start, current, index, count = 0, -1, 0, len(codes)
    while index < count:
        begin = index
        index += 1
        if codes[begin] not in _BLANKS:
            while index < count and codes[index] not in _BLANKS:
                index += 1
        for first, address in _changes(address_of, begin, index):
            if address != current:
                if current >= 0:
                    yield start, first, current
                start, current = first, address
    if current >= 0:
        yield start, count, current


def _changes(address_of: Callable[[int], int], begin: int, end: int) -> list[tuple[int, int]]:
    """Where within a word the text object changes: (first glyph, address). Most words are of one object."""
    first = address_of(begin)
    if end - begin == 1 or address_of(end - 1) == first:
        return [(begin, first)]
    changes = [(begin, first)]
    for index in range(begin + 1, end):
        address = address_of(index)
        if address != changes[-1][1]:
            changes.append((index, address))
    return changes


def _runs_of_object(
    text_page: Any, codes: list[int], start: int, end: int, look: tuple[Style, tuple[float, float]]
) -> Iterator[RawGlyphRun]:
    """The glyphs of one object as runs, cut at gaps behind its blanks."""
    style, direction = look
    box_of = _Boxes(text_page)
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(text_page, start, matrix)
    origin = (matrix.e, matrix.f)
    first, box = start, box_of(start)
    for index in range(start + 1, end):
        if codes[index - 1] in _BLANKS and codes[index] not in _BLANKS:
            before, after = box_of(index - 1), box_of(index)
            if _gap(direction, before, after) > _BREAK * style.size:
                yield RawGlyphRun(
                    style,
                    direction,
                    origin,
                    False,
                    first,
                    _characters(codes[first:index]),
                    [box, before],
                )
                first, box = index, after
    last = box if end - first == 1 else box_of(end - 1)
    yield RawGlyphRun(
        style, direction, origin, False, first, _characters(codes[first:end]), [box, last]
    )


def _gap(
    direction: tuple[float, float],
    before: tuple[float, float, float, float],
    after: tuple[float, float, float, float],
) -> float:
    dx, dy = direction
    if abs(dx) > abs(dy):
        return after[0] - before[2] if dx > 0 else before[0] - after[2]
    return after[1] - before[3] if dy > 0 else before[1] - after[3]


def _characters(codes: list[int]) -> list[str]:
    chars: list[str] = []
    for code in codes:
        chars.append(chr(code) if 32 <= code < 0x7F else _character(code, chars))
    return chars


def _character(code: int, before: list[str]) -> str:
    if code in (0x02, 0xFFFE):
        return "\u00ad"  # pdfium's signs for a hyphen at the end of a line
    if 0xDC00 <= code <= 0xDFFF and before and 0xD800 <= ord(before[-1][0]) <= 0xDBFF:
        high = ord(before[-1])
        before[-1] = ""
        return chr(0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00))
    if code < 32 or 0x7F <= code < 0xA0 or code in (0xFFFE, 0xFFFF):
        return " " if code in (9, 10, 13) else "\ufffd"
    return chr(code)


def _edges(
    run: RawGlyphRun, left: float, right: float, left_of: Callable[[int], float]
) -> tuple[list[float], list[float]]:
    """Edges of the glyphs of a run that nothing crosses: exact at its ends and where blanks at its ends meet words."""
    count = len(run.chars)
    text = "".join(run.chars)
    before, after = count - len(text.lstrip(_GAPS)), len(text.rstrip(_GAPS))
    begin = left_of(run.start + before) if 0 < before < count else left
    end = left_of(run.start + after) if before < after < count else right
    lefts = [left] * before + [begin] * (after - before) + [end] * (count - after)
    rights = [begin] * before + [end] * (after - before) + [right] * (count - after)
    return (lefts, rights) if len(lefts) == count else ([left] * count, [right] * count)
