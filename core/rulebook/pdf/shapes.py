"""What is drawn on a page beside its text, from pdfium: rules, fills, images, drawings."""

import ctypes
import math
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from core.rulebook.pdf.addresses import address_of, quick
from core.rulebook.pdf.page_content import (
    AffineTransform,
    Area,
    PageContent,
    PdfBox,
    Point,
    RuledLine,
)
from core.rulebook.types import Box

_MAX_RULE_WIDTH = 3.0  # points: a wider path is an area
_MAX_SEGMENTS = 2_000  # of one path: with more it is a drawing
_MAX_OBJECTS = 50_000  # of one page
_MAX_FORM_DEPTH = 24  # pdfium reads no deeper than 40
_MAX_PATTERNS = 20  # of one page: each is drawn to be found
_MIN_OPACITY = 8  # of 255: with less, black differs from paper by less than the eye distinguishes
_FINE_PEN = 0.5  # points on either side: a finer one covers no print
_RING_GAP = 0.2  # of its width, between the ends of a line that is drawn around something
_PICTURES = (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING)

_four = bytearray(16)
"""Where pdfium writes four numbers, so that there is no new place for each object."""
_start = ctypes.addressof(ctypes.c_char.from_buffer(_four))
_four_places = range(_start, _start + 16, 4)
_unpack_channels, _unpack_edges = struct.Struct("4I").unpack, struct.Struct("4f").unpack
_ODD = (0.0, 0.0, 0.0, 0.0)
"""The box of a clip that is none: nothing lies in it."""
_CLIPS = 4  # text render modes from here on clip what follows (ISO 32000-1, table 106)
_MAX_CLIP_PATHS = 20
_LAYER = "OC".encode("utf-16-le")


class TextFacts:
    """Whether pdfium's facts on a text object leave a doubt that it is seen as it is stored.

    A plain object is opaque, in one colour, in no layer, and within a clip that is a box. Only
    these facts are read for every page; what is not plain is drawn (see `inspection`). Clips and
    marks are shared, and read once.
    """

    def __init__(self, document: Any, transform: AffineTransform) -> None:
        self._document, self._transform = address_of(document), transform
        self._clips: dict[int, Box] = {}
        self._plain_marks: dict[int, bool] = {}
        self.doubtful: set[int] = set()
        """The addresses of objects that are not plain."""
        self.replaced: dict[int, list[int]] = {}
        """By mark, those whose words come from it and not from their glyphs (ActualText)."""
        self.clips: dict[int, Box] = {}
        """The boxes that objects are clipped to, in reading coordinates."""
        self.has_text_clip = False

    def add(self, address: int, *, in_form: bool) -> None:
        """Read the facts of one object; in a form it is never plain, since forms have layers."""
        if clip := self._read_clip(address):
            self.clips[address] = clip
        self.has_text_clip |= quick.FPDFTextObj_GetTextRenderMode(address) >= _CLIPS
        is_plain = not in_form and not quick.FPDFPageObj_HasTransparency(address)
        for mark in _list_marks(address) if is_plain else ():
            is_plain &= self._is_plain_mark(mark)
            if mark in self.replaced:
                self.replaced[mark].append(address)
        if not is_plain or self.has_pattern(address):
            self.doubtful.add(address)

    def has_pattern(self, address: int) -> bool:
        """Return True for an object filled with a pattern, which may be empty or hold words."""
        if bitmap := quick.FPDFPageObj_GetRenderedFillPattern(self._document, address):
            quick.FPDFBitmap_Destroy(bitmap)
        return bool(bitmap)

    def is_plain_shape(self, address: int, box: Box) -> bool:
        """Return True for a path in no layer whose clip leaves all of its box."""
        left, top, right, bottom = self._read_clip(address) or box
        inside = left <= box[0] and top <= box[1] and right >= box[2] and bottom >= box[3]
        return inside and all(map(self._is_plain_mark, _list_marks(address)))

    def _read_clip(self, address: int) -> Box | None:
        """The box of an object's clip, if any; objects under one share its points in memory."""
        clip = quick.FPDFPageObj_GetClipPath(address)
        if (count := quick.FPDFClipPath_CountPaths(clip)) <= 0:
            return None
        key = quick.FPDFClipPath_GetPathSegment(clip, count - 1, 0) or 0
        if key not in self._clips:
            self._clips[key] = _ODD
            if count <= _MAX_CLIP_PATHS:
                boxes = [self._path_box(clip, index) for index in range(count)]
                lefts, tops, rights, bottoms = zip(*boxes, strict=True)
                self._clips[key] = (max(lefts), max(tops), min(rights), min(bottoms))
        return self._clips[key]

    def _path_box(self, clip: int, index: int) -> Box:
        """The box of a path of a clip, an empty one if it is no upright box."""
        count = quick.FPDFClipPath_CountPathSegments(clip, index)
        if not 4 <= count <= 6:
            return _ODD
        x, y = ctypes.c_float(), ctypes.c_float()
        xs, ys = set(), set()
        for number in range(count):
            segment = quick.FPDFClipPath_GetPathSegment(clip, index, number)
            if quick.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_BEZIERTO:
                return _ODD
            quick.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
            xs.add(round(x.value, 1))
            ys.add(round(y.value, 1))
        if len(xs) != 2 or len(ys) != 2:
            return _ODD
        return self._transform.map_box(min(xs), min(ys), max(xs), max(ys))

    def _is_plain_mark(self, mark: int) -> bool:
        """False for a mark of a layer; notes one that replaces words."""
        if mark not in self._plain_marks:
            name, length = (ctypes.c_char * 64)(), ctypes.c_ulong()
            quick.FPDFPageObjMark_GetName(mark, name, len(name), ctypes.byref(length))
            self._plain_marks[mark] = name.raw[: max(length.value - 2, 0)] != _LAYER
            if _replaces_words(mark):
                self.replaced[mark] = []
        return self._plain_marks[mark]


def remove_replacements(address: int) -> None:
    """Remove the marks with words in place of an object's own from the loaded page."""
    for mark in filter(_replaces_words, reversed(_list_marks(address))):
        quick.FPDFPageObj_RemoveMark(address, mark)


def _replaces_words(mark: int) -> bool:
    """True for a mark with words to read in place of those that it is around."""
    kind = quick.FPDFPageObjMark_GetParamValueType(mark, b"ActualText")
    return bool(kind != pdfium.FPDF_OBJECT_UNKNOWN)


def _list_marks(address: int) -> list[int]:
    count = quick.FPDFPageObj_CountMarks(address)
    return [quick.FPDFPageObj_GetMark(address, index) for index in range(count)]


class PaintedArea(NamedTuple):
    """A box that something wider than a rule is painted in, and its place in the paint order."""

    order: int
    box: Box


class PaintedPicture(NamedTuple):
    """An image: its box, and the bytes it has in the file, by which it is known again."""

    box: Box
    size: int = 0


@dataclass(slots=True)
class PaintOrder:
    """The objects of a page in the order in which they are painted."""

    facts: TextFacts
    text: dict[int, int] = field(default_factory=dict)
    """The places of text objects by pdfium's address."""
    others: list[int] = field(default_factory=list)
    """The addresses of paths and pictures."""
    areas: list[PaintedArea] = field(default_factory=list)
    pictures: list[PaintedPicture] = field(default_factory=list)
    unsure_fills: set[Area] = field(default_factory=set)
    """Fills in a form, in a layer or under a clip, which may not be seen."""
    patterns: list[Box] = field(default_factory=list)
    """What is filled with a pattern, which may be made of words."""
    rings: list[list[Point]] = field(default_factory=list)
    """The corners of closed lines that are no boxes: as people draw around a word."""
    limits: dict[str, None] = field(default_factory=dict)
    """What the page has more of than is looked at, each once."""


def add_shapes(
    content: PageContent, document: Any, page: Any, transform: AffineTransform
) -> PaintOrder:
    """Add the paths and images of a pdfium page to `content`; return what is painted after what.

    `transform` maps user space to reading coordinates.
    """
    collector = _ShapeCollector(content, PaintOrder(TextFacts(document, transform)))
    get = partial(quick.FPDFPage_GetObject, address_of(page))
    collector.add_objects(map(get, range(pdfium.FPDFPage_CountObjects(page))), transform)
    return collector.painted


def color_and_opacity(address: int, *, stroke: bool = False) -> tuple[int, int]:
    """Return the colour 0xRRGGBB of an object and its opacity, 0 to 255."""
    read = quick.FPDFPageObj_GetStrokeColor if stroke else quick.FPDFPageObj_GetFillColor
    if not read(address, *_four_places):
        return 0, 255
    red, green, blue, alpha = _unpack_channels(_four)
    return red << 16 | green << 8 | blue, alpha


@dataclass
class _ShapeCollector:
    """Sorts paths and images into the rules, fills, images and drawings of a page."""

    content: PageContent
    painted: PaintOrder
    order: int = 0

    def add_objects(
        self, addresses: Iterable[int], transform: AffineTransform, depth: int = 0
    ) -> None:
        """Add the objects of a page, or of a form that is drawn on it, by their addresses."""
        for address in addresses:
            kind = quick.FPDFPageObj_GetType(address)
            self.order += 1
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                self.painted.text[address] = self.order
                self.painted.facts.add(address, in_form=depth > 0)
            elif self.order - len(self.painted.text) > _MAX_OBJECTS:
                # Text behind them is still noted: pictures of the page are compared with it.
                self.painted.limits[f"more than {_MAX_OBJECTS:,} shapes"] = None
            elif kind != pdfium.FPDF_PAGEOBJ_FORM:
                self._add_shape(address, kind, transform, depth)
            elif depth == _MAX_FORM_DEPTH:
                self.painted.limits[f"forms in forms, more than {depth} deep"] = None
            else:
                inner = transform.compose(_object_matrix(address))
                get = partial(quick.FPDFFormObj_GetObject, address)
                parts = range(quick.FPDFFormObj_CountObjects(address))
                self.add_objects(map(get, parts), inner, depth + 1)

    def _add_shape(self, address: int, kind: int, transform: AffineTransform, depth: int) -> None:
        self.painted.others.append(address)
        if kind in _PICTURES:
            box = transform.map_box(*bounds_of(address))
            self.painted.areas.append(PaintedArea(self.order, box))
            self.content.images.append(Area(*box, 0))
            size = quick.FPDFImageObj_GetImageDataRaw(address, None, 0)
            self.painted.pictures.append(PaintedPicture(box, size))
        elif kind == pdfium.FPDF_PAGEOBJ_PATH:
            self._add_path(address, transform, depth)

    def _add_path(self, path: int, transform: AffineTransform, depth: int) -> None:
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        quick.FPDFPath_GetDrawMode(path, ctypes.byref(fill), ctypes.byref(stroke))
        if not fill.value and not stroke.value:
            return
        color, opacity = color_and_opacity(path, stroke=not fill.value)
        if opacity < _MIN_OPACITY:
            return
        box = transform.map_box(*bounds_of(path))
        if fill.value or _is_thin(box):
            self.painted.areas.append(PaintedArea(self.order, box))
        if _is_thin(box):
            self.content.rules.append(RuledLine(*box, color))
            return
        patterns = self.painted.patterns
        can_have_pattern = fill.value and len(patterns) < _MAX_PATTERNS
        if can_have_pattern and self.painted.facts.has_pattern(path):
            patterns.append(box)
        before = len(self.content.fills)
        self._add_outline(path, box, transform, color, stroke_only=not fill.value)
        added = self.content.fills[before:]
        if added and (depth > 0 or not self.painted.facts.is_plain_shape(path, box)):
            self.painted.unsure_fills.update(added)

    def _add_outline(
        self, path: int, box: Box, transform: AffineTransform, color: int, *, stroke_only: bool
    ) -> None:
        """Add the parts of a path, and what a broad pen covers along its sides."""
        if (segments := quick.FPDFPath_CountSegments(path)) > _MAX_SEGMENTS:
            self.content.drawings.append(Area(*box, color))
            return
        inner, width = transform.compose(_object_matrix(path)), ctypes.c_float()
        quick.FPDFPageObj_GetStrokeWidth(path, ctypes.byref(width))
        reach = abs(width.value) * math.hypot(inner.a, inner.b) / 2 if stroke_only else 0.0
        for points, curved in _subpaths(path, inner, segments):
            self._add_subpath(points, curved, not stroke_only, color)
            for (x0, y0), (x1, y1) in pairwise(points) if reach > _FINE_PEN else ():
                left, right = min(x0, x1) - reach, max(x0, x1) + reach
                side = (left, min(y0, y1) - reach, right, max(y0, y1) + reach)
                self.painted.areas.append(PaintedArea(self.order, side))

    def _add_subpath(self, points: list[Point], curved: bool, filled: bool, color: int) -> None:
        """Add straight sides as rules and filled boxes as fills; all else is a drawing."""
        xs, ys = zip(*points, strict=True)
        box = (min(xs), min(ys), max(xs), max(ys))
        sides = [(*start, *end) for start, end in pairwise(points)]
        square = all(abs(x0 - x1) < 0.5 or abs(y0 - y1) < 0.5 for x0, y0, x1, y1 in sides)
        if curved or not square:
            self.content.drawings.append(Area(*box, color))
            if not filled and math.dist(points[0], points[-1]) <= _RING_GAP * (box[2] - box[0]):
                self.painted.rings.append(points)
        elif filled and not _is_thin(box):
            self.content.fills.append(Area(*box, color))
        elif filled:
            self.content.rules.append(RuledLine(*box, color))
        else:
            self.content.rules += [
                RuledLine(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1), color)
                for x0, y0, x1, y1 in sides
            ]


def _subpaths(
    path: int, transform: AffineTransform, segments: int
) -> Iterator[tuple[list[Point], bool]]:
    """Yield the points of each part of a path, and whether it has a curve."""
    points: list[Point] = []
    curved = False
    place = (ctypes.c_float * 2)()
    x, y = ctypes.addressof(place), ctypes.addressof(place) + 4
    for index in range(segments):
        segment = quick.FPDFPath_GetPathSegment(path, index)
        kind = quick.FPDFPathSegment_GetType(segment)
        quick.FPDFPathSegment_GetPoint(segment, x, y)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            if len(points) > 1:
                yield points, curved
            points, curved = [], False
        points.append(transform.map_point(*place))
        curved |= kind == pdfium.FPDF_SEGMENT_BEZIERTO
        if quick.FPDFPathSegment_GetClose(segment) and points[0] != points[-1]:
            points.append(points[0])
    if len(points) > 1:
        yield points, curved


def _is_thin(box: Box) -> bool:
    return min(box[2] - box[0], box[3] - box[1]) <= _MAX_RULE_WIDTH


def _object_matrix(address: int) -> AffineTransform:
    numbers = (ctypes.c_float * 6)()
    quick.FPDFPageObj_GetMatrix(address, numbers)
    return AffineTransform(*numbers)


def bounds_of(address: int) -> PdfBox:
    """Return left, bottom, right and top of an object in its own space."""
    quick.FPDFPageObj_GetBounds(address, *_four_places)
    left, bottom, right, top = _unpack_edges(_four)
    return left, bottom, right, top
