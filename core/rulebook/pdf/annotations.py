"""Annotations of a page, from pdfium: links, strikes through words, and lines over the page."""

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any

import pypdfium2.raw as pdfium

from core.rulebook.pdf.addresses import read_utf16
from core.rulebook.pdf.page_content import (
    AffineTransform,
    Area,
    PageContent,
    Point,
    RuledLine,
    box_around,
)
from core.rulebook.types import Box

_MAX_ANNOTATIONS = 5_000  # of one page
_MAX_POINTS = 2_000  # of one annotation
_UNSEEN_FLAGS = pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW
_AROUND = (pdfium.FPDF_ANNOT_CIRCLE, pdfium.FPDF_ANNOT_SQUARE)
_TYPED = (pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_WIDGET)
_DRAWN = (
    pdfium.FPDF_ANNOT_STAMP,
    pdfium.FPDF_ANNOT_INK,
    pdfium.FPDF_ANNOT_LINE,
    pdfium.FPDF_ANNOT_SQUARE,
    pdfium.FPDF_ANNOT_CIRCLE,
    pdfium.FPDF_ANNOT_POLYGON,
    pdfium.FPDF_ANNOT_POLYLINE,
)
_WITH_POINTS = (pdfium.FPDF_ANNOT_POLYGON, pdfium.FPDF_ANNOT_POLYLINE)


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line annotation in reading coordinates."""

    points: Sequence[Point]
    color: int
    width: float
    has_appearance: bool
    """False if viewers draw it and pdfium does not."""
    fill: int | None = None


@dataclass(slots=True)
class Annotations:
    """What the annotations of a page put over it."""

    boxes: list[Box] = field(default_factory=list)
    """The boxes of those that can be seen and are no links."""
    lines: list[DrawnLine] = field(default_factory=list)
    rings: list[list[Point]] = field(default_factory=list)
    """The corners of circles and boxes around something."""
    words: list[tuple[Box, str]] = field(default_factory=list)
    """What is typed on the page, or into its fields; nothing for a drawing."""
    limits: list[str] = field(default_factory=list)

    @property
    def line_boxes(self) -> Iterator[Box]:
        """The boxes of the lines, with what the pen covers on both sides."""
        for line in self.lines:
            left, top, right, bottom = box_around(point * 2 for point in line.points)
            pen = line.width / 2
            yield left - pen, top - pen, right + pen, bottom + pen


def add_annotations(
    content: PageContent, page: Any, transform: AffineTransform, data: bytes
) -> Annotations:
    """Add links and strikes to `content`; return what else annotations put over the page.

    `data` is the file. Those in layers that are not shown are hidden on the page.
    """
    found = Annotations()
    count = pdfium.FPDFPage_GetAnnotCount(page)
    if count > _MAX_ANNOTATIONS:
        found.limits.append(f"more than {_MAX_ANNOTATIONS:,} annotations")
    for index in range(min(count, _MAX_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        if _has(annotation, b"OC") and index in _ask_pypdf().find_layers_off(data, content.number):
            pdfium.FPDFAnnot_SetFlags(annotation, pdfium.FPDF_ANNOT_FLAG_HIDDEN)
        else:
            line = _add_annotation(content, found, annotation, transform)
            if line and _has(annotation, b"BS"):
                pen = _ask_pypdf().read_pen(data, content.number, index)
                line = replace(line, width=pen)
            found.lines += [line] if line else []
        pdfium.FPDFPage_CloseAnnot(annotation)
    return found


def _has(annotation: Any, key: bytes) -> bool:
    return bool(pdfium.FPDFAnnot_HasKey(annotation, key))


def _ask_pypdf() -> ModuleType:
    """The module that asks pypdf, whose import takes long and that few files need."""
    from core.rulebook.pdf import pypdf_fallback

    return pypdf_fallback


def _add_annotation(
    content: PageContent, found: Annotations, annotation: Any, transform: AffineTransform
) -> DrawnLine | None:
    """Add what an annotation puts over the page; return the line that it is."""
    rect = pdfium.FS_RECTF()
    pdfium.FPDFAnnot_GetRect(annotation, rect)
    box = transform.map_box(rect.left, rect.bottom, rect.right, rect.top)
    subtype, has_appearance = pdfium.FPDFAnnot_GetSubtype(annotation), _has(annotation, b"AP")
    if subtype == pdfium.FPDF_ANNOT_LINK:
        content.links.append(Area(*box, 0))
        if not has_appearance:
            return None
    if pdfium.FPDFAnnot_GetFlags(annotation) & _UNSEEN_FLAGS:
        return None
    if subtype != pdfium.FPDF_ANNOT_POPUP:
        found.boxes.append(box)
    if subtype in (*_TYPED, *_DRAWN):
        found.words.append((box, _read_words(annotation, subtype)))
    if subtype in _AROUND:
        found.rings.append(_corners(box))
    if subtype == pdfium.FPDF_ANNOT_STRIKEOUT:
        content.rules += map(_strike, _quad_boxes(annotation, transform) or [box])
        return None
    color = _read_color(annotation, pdfium.FPDFANNOT_COLORTYPE_Color)
    if subtype != pdfium.FPDF_ANNOT_FREETEXT:
        points = [transform.map_point(*point) for point in _line_points(annotation, subtype)]
        return _read_line(annotation, points, color or 0)
    is_filled = color is not None and not has_appearance
    return DrawnLine(_corners(box), color or 0, 1.0, False, color) if is_filled else None


def _read_line(annotation: Any, points: Sequence[Point], color: int) -> DrawnLine | None:
    """The line through these points, if there are several."""
    if len(points) < 2:
        return None
    fill = _read_color(annotation, pdfium.FPDFANNOT_COLORTYPE_InteriorColor)
    radius_x, radius_y, width = (ctypes.c_float() for _ in range(3))
    if not pdfium.FPDFAnnot_GetBorder(annotation, radius_x, radius_y, width):
        width.value = 1.0
    return DrawnLine(points, color, width.value, _has(annotation, b"AP"), fill)


def _strike(box: Box) -> RuledLine:
    middle = (box[1] + box[3]) / 2
    return RuledLine(box[0], middle, box[2], middle + 0.5, 0xFF0000)


def _corners(box: Box) -> list[Point]:
    left, top, right, bottom = box
    return [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]


def _quad_boxes(annotation: Any, transform: AffineTransform) -> list[Box]:
    """The box of each line of words that a markup annotation is about."""
    quad = pdfium.FS_QUADPOINTSF()
    boxes = []
    for index in range(min(pdfium.FPDFAnnot_CountAttachmentPoints(annotation), _MAX_POINTS)):
        if pdfium.FPDFAnnot_GetAttachmentPoints(annotation, index, quad):
            xs, ys = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
            boxes.append(transform.map_box(min(xs), min(ys), max(xs), max(ys)))
    return boxes


def _line_points(annotation: Any, subtype: int) -> list[Point]:
    """The corners of a line annotation in user space."""
    points: Any = ()
    if subtype == pdfium.FPDF_ANNOT_LINE:
        ends = (pdfium.FS_POINTF * 2)()
        points = ends if pdfium.FPDFAnnot_GetLine(annotation, ends[0], ends[1]) else ()
    elif subtype in _WITH_POINTS:
        count = min(pdfium.FPDFAnnot_GetVertices(annotation, None, 0), _MAX_POINTS)
        points = (pdfium.FS_POINTF * count)()
        pdfium.FPDFAnnot_GetVertices(annotation, points, count)
    corners = [(point.x, point.y) for point in points]
    return corners + corners[:1] if subtype == pdfium.FPDF_ANNOT_POLYGON else corners


def _read_words(annotation: Any, subtype: int) -> str:
    """What is typed into an annotation or a field; nothing for a drawing."""
    keys = (b"Contents", b"V") if subtype in _TYPED else ()
    texts = (read_utf16(pdfium.FPDFAnnot_GetStringValue, annotation, key) for key in keys)
    return next(filter(None, map(str.strip, texts)), "")


def _read_color(annotation: Any, kind: int) -> int | None:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not pdfium.FPDFAnnot_GetColor(annotation, kind, red, green, blue, alpha):
        return None
    return red.value << 16 | green.value << 8 | blue.value
