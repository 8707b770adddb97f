"""Pages of a PDF as pdfium sees them: runs of glyphs with places and styles, rules, filled areas and images.

Says what is on the page and where, never what it means. pdfium is native code and not thread-safe: reading goes on
in a child process (see `reader`), and `render_page` holds a lock.
"""

import ctypes
import io
import itertools
import math
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from core.errors import ReadError

_lock = threading.Lock()
_THIN = 3.0  # points: a path no higher (or wider) than this is a rule, not an area
_MOST_SEGMENTS = 2_000  # of one path: beyond it is a drawing
_MOST_OBJECTS = 20_000  # of one page
_DEEPEST_FORM = 4


class Style(NamedTuple):
    """How glyphs look. `size` in points as printed, `color` 0xRRGGBB, `seen` False for invisible rendering."""

    font: str
    size: float
    bold: bool
    italic: bool
    color: int
    seen: bool


class Rule(NamedTuple):
    """A thin straight line or bar, horizontal or vertical, in reading coordinates."""

    left: float
    top: float
    right: float
    bottom: float
    color: int


class Area(NamedTuple):
    """A box that is filled, or taken by an image or a drawing."""

    left: float
    top: float
    right: float
    bottom: float
    color: int


@dataclass(slots=True)
class Run:
    """Glyphs of one style on one baseline, left to right, without a gap as wide as a space.

    `lefts` and `rights` are the glyphs' edges; `spaced` tells that pdfium saw a space before the run.
    """

    chars: list[str]
    lefts: list[float]
    rights: list[float]
    top: float
    bottom: float
    baseline: float
    style: Style
    spaced: bool
    upright: bool


@dataclass(slots=True)
class Sheet:
    """One page. Reading coordinates: points from the top left corner, turned so that most text runs left to right.

    `turn` counts the quarter turns (clockwise) from the page as displayed to the page as read.
    """

    number: int
    width: float
    height: float
    turn: int
    runs: list[Run]
    rules: list[Rule] = field(default_factory=list)
    fills: list[Area] = field(default_factory=list)
    images: list[Area] = field(default_factory=list)
    drawings: list[Area] = field(default_factory=list)

    def displayed(self, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """A box in reading coordinates as a box on the page as displayed."""
        left, top, right, bottom = box
        match self.turn:
            case 1:
                return self.height - bottom, left, self.height - top, right
            case 2:
                return self.width - right, self.height - bottom, self.width - left, self.height - top
            case 3:
                return top, self.width - right, bottom, self.width - left
        return box


class Document:
    """An open PDF; `close` it, or use it in a `with`."""

    def __init__(self, data: bytes, password: str = "") -> None:
        """Raises ReadError with code `encrypted` or `damaged`."""
        try:
            self._pdf = pypdfium2.PdfDocument(data, password=password)
        except pypdfium2.PdfiumError as error:
            raise _refusal(str(error)) from error
        self._fonts: dict[int, tuple[str, bool, bool]] = {}
        self._styles: dict[Style, Style] = {}

    def __enter__(self) -> "Document":
        return self

    def __exit__(self, *_: object) -> None:
        self._pdf.close()

    def __len__(self) -> int:
        return len(self._pdf)

    def labels(self) -> list[str]:
        """The page labels ("B19"), empty strings where there are none."""
        return [self._pdf.get_page_label(index) for index in range(len(self))]

    def metadata(self) -> dict[str, str]:
        """Title, Subject, CreationDate ... as far as they are set."""
        return {key: value for key, value in self._pdf.get_metadata_dict().items() if value}

    def sheet(self, number: int) -> Sheet:
        """Page `number`, from 1. Raises ReadError where pdfium cannot load it."""
        try:
            page = self._pdf[number - 1]
        except pypdfium2.PdfiumError as error:
            raise ReadError(f"Page {number} could not be loaded.", code="damaged") from error
        try:
            return _PageReader(page, self._fonts, self._styles).sheet(number)
        finally:
            page.close()


def render_page(data: bytes, page: int, scale: float) -> bytes:
    """Page `page` (from 1) as PNG, `scale` pixels a point. Raises ReadError for a page that cannot be shown."""
    with _lock:
        try:
            with pypdfium2.PdfDocument(data) as pdf:
                picture = pdf[page - 1].render(scale=scale).to_pil()
        except (pypdfium2.PdfiumError, IndexError) as error:
            raise ReadError(f"Page {page} of this PDF cannot be shown.", code="damaged") from error
    out = io.BytesIO()
    picture.save(out, format="PNG")
    return out.getvalue()


def _refusal(reason: str) -> ReadError:
    if "password" in reason.lower() or "security" in reason.lower():
        return ReadError("The PDF is protected with a password.", code="encrypted")
    return ReadError("The PDF is damaged and cannot be opened.", code="damaged")


def _address(pointer: Any) -> int | None:
    return ctypes.cast(pointer, ctypes.c_void_p).value


class _Frame(NamedTuple):
    """The affine map from PDF user space to reading coordinates: x' = a*x + c*y + e, y' = b*x + d*y + f."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def point(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def box(self, left: float, bottom: float, right: float, top: float) -> tuple[float, float, float, float]:
        x0, y0 = self.point(left, bottom)
        x1, y1 = self.point(right, top)
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)

    def after(self, other: "_Frame") -> "_Frame":
        """The map that applies `other` first."""
        e, f = self.point(other.e, other.f)
        a, b = self.a * other.a + self.c * other.b, self.b * other.a + self.d * other.b
        c, d = self.a * other.c + self.c * other.d, self.b * other.c + self.d * other.d
        return _Frame(a, b, c, d, e, f)


@dataclass(slots=True)
class _RawRun:
    """A run in user space, as the glyph loop meets it."""

    style: Style
    direction: tuple[float, float]
    origin: tuple[float, float]
    spaced: bool
    chars: list[str]
    boxes: list[tuple[float, float, float, float]]


class _PageReader:
    """Reads one page through pdfium's C interface: per glyph its character, text object and box, style per object."""

    def __init__(
        self, page: pypdfium2.PdfPage, fonts: dict[int, tuple[str, bool, bool]], styles: dict[Style, Style]
    ) -> None:
        self._page = page
        self._fonts = fonts
        self._styles = styles

    def sheet(self, number: int) -> Sheet:
        raw = self._raw_runs()
        left, bottom, right, top = self._page.get_bbox()
        rotation = self._page.get_rotation() // 90 % 4
        shown = _displayed_frame(rotation, (left, bottom, right, top))
        width, height = (right - left, top - bottom) if rotation % 2 == 0 else (top - bottom, right - left)
        turn = _dominant_turn(raw, shown)
        frame = _turned_frame(turn, width, height).after(shown)
        if turn % 2:
            width, height = height, width
        sheet = Sheet(number, width, height, turn, list(_placed(raw, frame)))
        _Drawings(sheet).collect(self._page.raw, frame)
        self._strike_annotations(sheet, frame)
        return sheet

    def _raw_runs(self) -> list[_RawRun]:
        text_page = pdfium.FPDFText_LoadPage(self._page.raw)
        if not text_page:
            return []
        try:
            return list(self._glyph_loop(text_page))
        finally:
            pdfium.FPDFText_ClosePage(text_page)

    def _glyph_loop(self, text_page: Any) -> Iterator[_RawRun]:
        # The hottest loop of all reading: three calls a glyph, all lookups hoisted.
        unicode_of, box_of, object_of = (
            pdfium.FPDFText_GetUnicode,
            pdfium.FPDFText_GetLooseCharBox,
            pdfium.FPDFText_GetTextObject,
        )
        rect = pdfium.FS_RECTF()
        rect_pointer = ctypes.byref(rect)
        styles: dict[int, tuple[Style, tuple[float, float]]] = {}
        run: _RawRun | None = None
        current = 0
        pending_space = False
        for index in range(pdfium.FPDFText_CountChars(text_page)):
            text_object = object_of(text_page, index)
            code = unicode_of(text_page, index)
            if not text_object:
                pending_space = True
                continue
            box_of(text_page, index, rect_pointer)
            box = (rect.left, rect.bottom, rect.right, rect.top)
            address = _address(text_object) or 0
            if run is None or address != current or pending_space or _breaks(run, box):
                if run is not None and run.chars:
                    yield run
                if address not in styles:
                    styles[address] = self._style(text_page, index, text_object)
                style, direction = styles[address]
                run = _RawRun(style, direction, _origin(text_page, index), pending_space, [], [])
                current, pending_space = address, False
            run.chars.append(_character(code, run.chars))
            run.boxes.append(box)
        if run is not None and run.chars:
            yield run

    def _style(self, text_page: Any, index: int, text_object: Any) -> tuple[Style, tuple[float, float]]:
        matrix, size = pdfium.FS_MATRIX(), ctypes.c_float()
        pdfium.FPDFText_GetMatrix(text_page, index, matrix)
        pdfium.FPDFTextObj_GetFontSize(text_object, size)
        font, bold, italic = self._font(pdfium.FPDFTextObj_GetFont(text_object))
        mode = pdfium.FPDFTextObj_GetTextRenderMode(text_object)
        color, opacity = _color(text_object, stroke=mode in (1, 5))
        scale = math.hypot(matrix.c, matrix.d)
        style = Style(font, round(abs(size.value) * scale, 2), bold, italic, color, mode not in (3, 7) and opacity > 8)
        length = math.hypot(matrix.a, matrix.b) or 1.0
        style = self._styles.setdefault(style, style)
        return style, (matrix.a / length, matrix.b / length)

    def _font(self, font: Any) -> tuple[str, bool, bool]:
        address = _address(font) or 0
        if address not in self._fonts:
            buffer = ctypes.create_string_buffer(128)
            pdfium.FPDFFont_GetBaseFontName(font, buffer, 128)
            name = buffer.value.decode("utf-8", "replace").split("+")[-1]
            lower = name.lower()
            bold = any(word in lower for word in ("bold", "black", "heavy", "demi")) or (
                pdfium.FPDFFont_GetWeight(font) >= 600
            )
            self._fonts[address] = (name, bold, "italic" in lower or "oblique" in lower)
        return self._fonts[address]

    def _strike_annotations(self, sheet: Sheet, frame: _Frame) -> None:
        for index in range(min(pdfium.FPDFPage_GetAnnotCount(self._page.raw), 500)):
            annotation = pdfium.FPDFPage_GetAnnot(self._page.raw, index)
            if not annotation:
                continue
            if pdfium.FPDFAnnot_GetSubtype(annotation) == pdfium.FPDF_ANNOT_STRIKEOUT:
                rect = pdfium.FS_RECTF()
                pdfium.FPDFAnnot_GetRect(annotation, rect)
                left, top, right, bottom = frame.box(rect.left, rect.bottom, rect.right, rect.top)
                middle = (top + bottom) / 2
                sheet.rules.append(Rule(left, middle, right, middle + 0.5, 0xFF0000))
            pdfium.FPDFPage_CloseAnnot(annotation)


def _breaks(run: _RawRun, box: tuple[float, float, float, float]) -> bool:
    """A glyph that does not follow on the one before: a jump back, or a gap as wide as a space."""
    last = run.boxes[-1]
    dx, dy = run.direction
    if abs(dx) > abs(dy):
        gap = box[0] - last[2] if dx > 0 else last[0] - box[2]
    else:
        gap = box[1] - last[3] if dy > 0 else last[1] - box[3]
    return not -0.5 * run.style.size - 1 < gap < 0.25 * run.style.size


def _origin(text_page: Any, index: int) -> tuple[float, float]:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(text_page, index, matrix)
    return matrix.e, matrix.f


def _character(code: int, before: list[str]) -> str:
    if code == 2:
        return "\u00ad"  # pdfium's sign for a hyphen at the end of a line
    if 0xDC00 <= code <= 0xDFFF and before and 0xD800 <= ord(before[-1][0]) <= 0xDBFF:
        high = ord(before[-1])
        before[-1] = ""
        return chr(0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00))
    if code < 32 or 0x7F <= code < 0xA0 or code in (0xFFFE, 0xFFFF):
        return " " if code in (9, 10, 13) else "\ufffd"
    return chr(code)


def _color(page_object: Any, *, stroke: bool = False) -> tuple[int, int]:
    """Colour 0xRRGGBB and opacity 0 to 255."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    read = pdfium.FPDFPageObj_GetStrokeColor if stroke else pdfium.FPDFPageObj_GetFillColor
    if not read(page_object, red, green, blue, alpha):
        return 0, 255
    return red.value << 16 | green.value << 8 | blue.value, alpha.value


def _displayed_frame(rotation: int, box: tuple[float, float, float, float]) -> _Frame:
    left, bottom, right, top = box
    return (
        _Frame(1, 0, 0, -1, -left, top),
        _Frame(0, 1, 1, 0, -bottom, -left),
        _Frame(-1, 0, 0, 1, right, -bottom),
        _Frame(0, -1, -1, 0, top, right),
    )[rotation]


def _turned_frame(turn: int, width: float, height: float) -> _Frame:
    return (
        _Frame(1, 0, 0, 1, 0, 0),
        _Frame(0, -1, 1, 0, 0, width),
        _Frame(-1, 0, 0, -1, width, height),
        _Frame(0, 1, -1, 0, height, 0),
    )[turn]


def _dominant_turn(raw: list[_RawRun], shown: _Frame) -> int:
    """Quarter turns by which most glyphs are turned clockwise on the page as displayed."""
    turns: Counter[int] = Counter()
    for run in raw:
        dx, dy = run.direction
        x, y = shown.a * dx + shown.c * dy, shown.b * dx + shown.d * dy
        turns[round(math.atan2(y, x) / (math.pi / 2)) % 4] += len(run.chars)
    return turns.most_common(1)[0][0] if turns else 0


def _placed(raw: list[_RawRun], frame: _Frame) -> Iterator[Run]:
    for run in raw:
        boxes = [frame.box(*box) for box in run.boxes]
        dx, dy = run.direction
        upright = frame.a * dx + frame.c * dy > 0.98
        yield Run(
            run.chars,
            [box[0] for box in boxes],
            [box[2] for box in boxes],
            min(box[1] for box in boxes),
            max(box[3] for box in boxes),
            frame.point(*run.origin)[1],
            run.style,
            run.spaced,
            upright,
        )


class _Drawings:
    """Sorts the page's paths and images into rules, fills, images and drawings of a sheet."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._left_to_read = _MOST_OBJECTS

    def collect(self, page: Any, frame: _Frame) -> None:
        count = pdfium.FPDFPage_CountObjects(page)
        self._each(count, partial(pdfium.FPDFPage_GetObject, page), frame, 0)

    def _each(self, count: int, get: Callable[[int], Any], frame: _Frame, depth: int) -> None:
        for index in range(min(count, self._left_to_read)):
            page_object = get(index)
            kind = pdfium.FPDFPageObj_GetType(page_object)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                continue
            self._left_to_read -= 1
            if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEEPEST_FORM:
                inner = frame.after(_matrix(page_object))
                inside = pdfium.FPDFFormObj_CountObjects(page_object)
                get_inside = partial(pdfium.FPDFFormObj_GetObject, page_object)
                self._each(inside, get_inside, inner, depth + 1)
            elif kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING):
                self._sheet.images.append(Area(*_bounds(page_object, frame), 0))
            elif kind == pdfium.FPDF_PAGEOBJ_PATH:
                self._path(page_object, frame)

    def _path(self, path: Any, frame: _Frame) -> None:
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDFPath_GetDrawMode(path, fill, stroke)
        if not fill.value and not stroke.value:
            return
        color, opacity = _color(path, stroke=not fill.value)
        if opacity < 8:
            return
        box = _bounds(path, frame)
        wide, high = box[2] - box[0], box[3] - box[1]
        if min(wide, high) <= _THIN:
            self._sheet.rules.append(Rule(*box, color))
            return
        segments = pdfium.FPDFPath_CountSegments(path)
        if segments > _MOST_SEGMENTS:
            self._sheet.drawings.append(Area(*box, color))
            return
        self._shapes(path, frame.after(_matrix(path)), bool(fill.value), color, segments)

    def _shapes(self, path: Any, frame: _Frame, filled: bool, color: int, segments: int) -> None:
        """Takes a path apart into its straight sides; what is neither a side nor a filled box is a drawing."""
        for points, curved in _subpaths(path, frame, segments):
            xs, ys = [x for x, _ in points], [y for _, y in points]
            box = (min(xs), min(ys), max(xs), max(ys))
            square = all(abs(x0 - x1) < 0.5 or abs(y0 - y1) < 0.5 for (x0, y0), (x1, y1) in itertools.pairwise(points))
            if curved or not square:
                self._sheet.drawings.append(Area(*box, color))
            elif filled and min(box[2] - box[0], box[3] - box[1]) > _THIN:
                self._sheet.fills.append(Area(*box, color))
            elif filled:
                self._sheet.rules.append(Rule(*box, color))
            else:
                for (x0, y0), (x1, y1) in itertools.pairwise(points):
                    self._sheet.rules.append(Rule(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1), color))


def _subpaths(path: Any, frame: _Frame, segments: int) -> Iterator[tuple[list[tuple[float, float]], bool]]:
    points: list[tuple[float, float]] = []
    curved = False
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(segments):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            if len(points) > 1:
                yield points, curved
            points, curved = [], False
        points.append(frame.point(x.value, y.value))
        curved |= kind == pdfium.FPDF_SEGMENT_BEZIERTO
        if pdfium.FPDFPathSegment_GetClose(segment) and points[0] != points[-1]:
            points.append(points[0])
    if len(points) > 1:
        yield points, curved


def _matrix(page_object: Any) -> _Frame:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(page_object, matrix)
    return _Frame(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def _bounds(page_object: Any, frame: _Frame) -> tuple[float, float, float, float]:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    pdfium.FPDFPageObj_GetBounds(page_object, left, bottom, right, top)
    return frame.box(left.value, bottom.value, right.value, top.value)
