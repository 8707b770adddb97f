"""What is drawn on a page beside its text, from pdfium: rules, fills, images, drawings, links."""

import ctypes
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import pypdfium2.raw as pdfium

from core.rulebook.pdf.page_content import AffineTransform, Area, PageContent, Point, RuledLine
from core.rulebook.types import Box

_MAX_RULE_WIDTH = 3.0  # points: a wider path is an area
_MAX_SEGMENTS = 2_000  # of one path: with more it is a drawing
_MAX_OBJECTS = 20_000  # of one page
_MAX_ANNOTATIONS = 500  # of one page
_MAX_FORM_DEPTH = 4
_MIN_OPACITY = 8  # of 255
_STRIKE_COLOR = 0xFF0000


def add_shapes(content: PageContent, page: Any, transform: AffineTransform) -> None:
    """Add the paths, images and annotations of a pdfium page to `content`.

    `transform` maps user space to reading coordinates.
    """
    count = pdfium.FPDFPage_CountObjects(page)
    collector = _ShapeCollector(content)
    collector.add_objects(count, partial(pdfium.FPDFPage_GetObject, page), transform)
    _add_annotations(content, page, transform)


def color_and_opacity(page_object: Any, *, stroke: bool = False) -> tuple[int, int]:
    """Return the colour 0xRRGGBB and the opacity, 0 to 255."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    read = pdfium.FPDFPageObj_GetStrokeColor if stroke else pdfium.FPDFPageObj_GetFillColor
    if not read(page_object, red, green, blue, alpha):
        return 0, 255
    return red.value << 16 | green.value << 8 | blue.value, alpha.value


def _add_annotations(content: PageContent, page: Any, transform: AffineTransform) -> None:
    """Add links, and deletions that an editor has marked as annotations."""
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MAX_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        subtype = pdfium.FPDFAnnot_GetSubtype(annotation)
        rect = pdfium.FS_RECTF()
        pdfium.FPDFAnnot_GetRect(annotation, rect)
        left, top, right, bottom = transform.map_box(rect.left, rect.bottom, rect.right, rect.top)
        if subtype == pdfium.FPDF_ANNOT_LINK:
            content.links.append(Area(left, top, right, bottom, 0))
        elif subtype == pdfium.FPDF_ANNOT_STRIKEOUT:
            middle = (top + bottom) / 2
            content.rules.append(RuledLine(left, middle, right, middle + 0.5, _STRIKE_COLOR))
        pdfium.FPDFPage_CloseAnnot(annotation)


class _ShapeCollector:
    """Sorts paths and images into the rules, fills, images and drawings of a page."""

    def __init__(self, content: PageContent) -> None:
        self._content = content
        self._objects_left = _MAX_OBJECTS

    def add_objects(
        self, count: int, get: Callable[[int], Any], transform: AffineTransform, depth: int = 0
    ) -> None:
        """Add the objects of a page, or of a form that is drawn on it."""
        for index in range(min(count, self._objects_left)):
            page_object = get(index)
            kind = pdfium.FPDFPageObj_GetType(page_object)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                continue
            self._objects_left -= 1
            if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MAX_FORM_DEPTH:
                inner = transform.compose(_object_matrix(page_object))
                inner_count = pdfium.FPDFFormObj_CountObjects(page_object)
                get_inner = partial(pdfium.FPDFFormObj_GetObject, page_object)
                self.add_objects(inner_count, get_inner, inner, depth + 1)
            elif kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING):
                self._content.images.append(Area(*_object_box(page_object, transform), 0))
            elif kind == pdfium.FPDF_PAGEOBJ_PATH:
                self._add_path(page_object, transform)

    def _add_path(self, path: Any, transform: AffineTransform) -> None:
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDFPath_GetDrawMode(path, fill, stroke)
        if not fill.value and not stroke.value:
            return
        color, opacity = color_and_opacity(path, stroke=not fill.value)
        if opacity < _MIN_OPACITY:
            return
        box = _object_box(path, transform)
        if _is_thin(box):
            self._content.rules.append(RuledLine(*box, color))
        elif (segments := pdfium.FPDFPath_CountSegments(path)) > _MAX_SEGMENTS:
            self._content.drawings.append(Area(*box, color))
        else:
            inner = transform.compose(_object_matrix(path))
            for points, curved in _subpaths(path, inner, segments):
                self._add_subpath(points, curved, bool(fill.value), color)

    def _add_subpath(self, points: list[Point], curved: bool, filled: bool, color: int) -> None:
        """Add straight sides as rules and filled boxes as fills; all else is a drawing."""
        xs, ys = zip(*points, strict=True)
        box = (min(xs), min(ys), max(xs), max(ys))
        sides = [(*start, *end) for start, end in pairwise(points)]
        square = all(abs(x0 - x1) < 0.5 or abs(y0 - y1) < 0.5 for x0, y0, x1, y1 in sides)
        if curved or not square:
            self._content.drawings.append(Area(*box, color))
        elif filled and not _is_thin(box):
            self._content.fills.append(Area(*box, color))
        elif filled:
            self._content.rules.append(RuledLine(*box, color))
        else:
            self._content.rules += [
                RuledLine(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1), color)
                for x0, y0, x1, y1 in sides
            ]


def _subpaths(
    path: Any, transform: AffineTransform, segments: int
) -> Iterator[tuple[list[Point], bool]]:
    """Yield the points of each part of a path, and whether it has a curve."""
    points: list[Point] = []
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
        points.append(transform.map_point(x.value, y.value))
        curved |= kind == pdfium.FPDF_SEGMENT_BEZIERTO
        if pdfium.FPDFPathSegment_GetClose(segment) and points[0] != points[-1]:
            points.append(points[0])
    if len(points) > 1:
        yield points, curved


def _is_thin(box: Box) -> bool:
    return min(box[2] - box[0], box[3] - box[1]) <= _MAX_RULE_WIDTH


def _object_matrix(page_object: Any) -> AffineTransform:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(page_object, matrix)
    return AffineTransform(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def _object_box(page_object: Any, transform: AffineTransform) -> Box:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    pdfium.FPDFPageObj_GetBounds(page_object, left, bottom, right, top)
    return transform.map_box(left.value, bottom.value, right.value, top.value)
