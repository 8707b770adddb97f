"""What is drawn on a page beside its text, out of pdfium: rules, filled areas, images, drawings, links."""

import ctypes
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import pypdfium2.raw as pdfium

from core.rulebook.pdf.page_content import AffineTransform, Area, PageContent, RuledLine

_THIN = 3.0  # points: a path no higher (or wider) than this is a rule, not an area
_MOST_SEGMENTS = 2_000  # of one path: beyond it is a drawing
_MOST_OBJECTS = 20_000  # of one page
_MOST_ANNOTATIONS = 500  # of one page
_DEEPEST_FORM = 4


def add_shapes(content: PageContent, page: Any, transform: AffineTransform) -> None:
    """Adds the paths, images and annotations of a pdfium page to `sheet`; `frame` leads to reading coordinates."""
    _Drawings(content).collect(page, transform)
    _add_annotations(content, page, transform)


def color_and_opacity(page_object: Any, *, stroke: bool = False) -> tuple[int, int]:
    """Colour 0xRRGGBB and opacity 0 to 255."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    read = pdfium.FPDFPageObj_GetStrokeColor if stroke else pdfium.FPDFPageObj_GetFillColor
    if not read(page_object, red, green, blue, alpha):
        return 0, 255
    return red.value << 16 | green.value << 8 | blue.value, alpha.value


def _add_annotations(sheet: PageContent, page: Any, frame: AffineTransform) -> None:
    """Links, and deletions that an editor has marked as annotations."""
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        subtype = pdfium.FPDFAnnot_GetSubtype(annotation)
        rect = pdfium.FS_RECTF()
        pdfium.FPDFAnnot_GetRect(annotation, rect)
        left, top, right, bottom = frame.map_box(rect.left, rect.bottom, rect.right, rect.top)
        if subtype == pdfium.FPDF_ANNOT_LINK:
            sheet.links.append(Area(left, top, right, bottom, 0))
        elif subtype == pdfium.FPDF_ANNOT_STRIKEOUT:
            middle = (top + bottom) / 2
            sheet.rules.append(RuledLine(left, middle, right, middle + 0.5, 0xFF0000))
        pdfium.FPDFPage_CloseAnnot(annotation)


class _Drawings:
    """Sorts the page's paths and images into rules, fills, images and drawings of a sheet."""

    def __init__(self, sheet: PageContent) -> None:
        self._sheet = sheet
        self._left_to_read = _MOST_OBJECTS

    def collect(self, page: Any, frame: AffineTransform) -> None:
        count = pdfium.FPDFPage_CountObjects(page)
        self._each(count, partial(pdfium.FPDFPage_GetObject, page), frame, 0)

    def _each(
        self, count: int, get: Callable[[int], Any], frame: AffineTransform, depth: int
    ) -> None:
        for index in range(min(count, self._left_to_read)):
            page_object = get(index)
            kind = pdfium.FPDFPageObj_GetType(page_object)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                continue
            self._left_to_read -= 1
            if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEEPEST_FORM:
                inner = frame.compose(_matrix(page_object))
                inside = pdfium.FPDFFormObj_CountObjects(page_object)
                get_inside = partial(pdfium.FPDFFormObj_GetObject, page_object)
                self._each(inside, get_inside, inner, depth + 1)
            elif kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING):
                self._sheet.images.append(Area(*_bounds(page_object, frame), 0))
            elif kind == pdfium.FPDF_PAGEOBJ_PATH:
                self._path(page_object, frame)

    def _path(self, path: Any, frame: AffineTransform) -> None:
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDFPath_GetDrawMode(path, fill, stroke)
        if not fill.value and not stroke.value:
            return
        color, opacity = color_and_opacity(path, stroke=not fill.value)
        if opacity < 8:
            return
        box = _bounds(path, frame)
        wide, high = box[2] - box[0], box[3] - box[1]
        if min(wide, high) <= _THIN:
            self._sheet.rules.append(RuledLine(*box, color))
            return
        segments = pdfium.FPDFPath_CountSegments(path)
        if segments > _MOST_SEGMENTS:
            self._sheet.drawings.append(Area(*box, color))
            return
        self._shapes(path, frame.compose(_matrix(path)), bool(fill.value), color, segments)

    def _shapes(
        self, path: Any, frame: AffineTransform, filled: bool, color: int, segments: int
    ) -> None:
        """Takes a path apart into its straight sides; what is neither a side nor a filled box is a drawing."""
        for points, curved in _subpaths(path, frame, segments):
            xs, ys = [x for x, _ in points], [y for _, y in points]
            box = (min(xs), min(ys), max(xs), max(ys))
            square = all(
                abs(x0 - x1) < 0.5 or abs(y0 - y1) < 0.5 for (x0, y0), (x1, y1) in pairwise(points)
            )
            if curved or not square:
                self._sheet.drawings.append(Area(*box, color))
            elif filled and min(box[2] - box[0], box[3] - box[1]) > _THIN:
                self._sheet.fills.append(Area(*box, color))
            elif filled:
                self._sheet.rules.append(RuledLine(*box, color))
            else:
                for (x0, y0), (x1, y1) in pairwise(points):
                    self._sheet.rules.append(
                        RuledLine(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1), color)
                    )


def _subpaths(
    path: Any, frame: AffineTransform, segments: int
) -> Iterator[tuple[list[tuple[float, float]], bool]]:
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
        points.append(frame.map_point(x.value, y.value))
        curved |= kind == pdfium.FPDF_SEGMENT_BEZIERTO
        if pdfium.FPDFPathSegment_GetClose(segment) and points[0] != points[-1]:
            points.append(points[0])
    if len(points) > 1:
        yield points, curved


def _matrix(page_object: Any) -> AffineTransform:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(page_object, matrix)
    return AffineTransform(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def _bounds(page_object: Any, frame: AffineTransform) -> tuple[float, float, float, float]:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    pdfium.FPDFPageObj_GetBounds(page_object, left, bottom, right, top)
    return frame.map_box(left.value, bottom.value, right.value, top.value)
