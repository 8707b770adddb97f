"""Whether pdfium's facts on a text object leave a doubt that it is seen as it is stored.

A plain object is opaque, in one colour, in no layer, and within a clip that is a box. Only these
facts are read for every page; what is not plain is drawn (see `inspection`).
"""

import ctypes
from collections.abc import Iterator
from typing import Any

import pypdfium2.raw as pdfium

from core.rulebook.pdf.addresses import ADDRESS, by_address
from core.rulebook.pdf.page_content import AffineTransform
from core.rulebook.types import Box

_ODD = (0.0, 0.0, 0.0, 0.0)
"""The box of a clip that is none: nothing lies in it."""
_CLIPS = 4  # the text render modes from here on clip what follows
_MAX_CLIP_PATHS = 20
_NAME_BYTES = 64

_clip_of = by_address(pdfium.FPDFPageObj_GetClipPath, ADDRESS, ADDRESS)
_count_paths = by_address(pdfium.FPDFClipPath_CountPaths, ctypes.c_int, ADDRESS)
_render_mode = by_address(pdfium.FPDFTextObj_GetTextRenderMode, ctypes.c_int, ADDRESS)
_has_transparency = by_address(pdfium.FPDFPageObj_HasTransparency, ctypes.c_int, ADDRESS)


class TextFacts:
    """The facts on the text objects of one page. Clips and marks are shared, and read once."""

    def __init__(self, document: Any, transform: AffineTransform) -> None:
        self._document, self._transform = document, transform
        self._clips: dict[int, Box] = {}
        self._plain_marks: dict[int, bool] = {}
        self.doubtful: set[int] = set()
        """The addresses of objects that are not plain."""
        self.replaced: dict[int, list[int]] = {}
        """By mark, those whose words come from it and not from their glyphs (ActualText)."""
        self.clips: dict[int, Box] = {}
        """The boxes that objects are clipped to, in reading coordinates."""
        self.has_text_clip = False

    def add(self, text_object: Any, address: int, *, in_form: bool) -> None:
        """Read the facts of one object; in a form it is never plain, since forms have layers."""
        if (count := _count_paths(_clip_of(address))) > 0:
            clip = pdfium.FPDFPageObj_GetClipPath(text_object)
            self.clips[address] = self._clip_box(clip, count)
        self.has_text_clip |= _render_mode(address) >= _CLIPS
        if (
            in_form
            or _has_transparency(address)
            or not self._has_plain_marks(text_object, address)
            or has_pattern(self._document, text_object)
        ):
            self.doubtful.add(address)

    def is_plain_shape(self, shape: Any, box: Box) -> bool:
        """True for a path in no layer whose clip leaves all of its box."""
        clip = pdfium.FPDFPageObj_GetClipPath(shape)
        count = pdfium.FPDFClipPath_CountPaths(clip)
        left, top, right, bottom = self._clip_box(clip, count) if count > 0 else box
        inside = left <= box[0] and top <= box[1] and right >= box[2] and bottom >= box[3]
        return inside and all(self._is_plain_mark(mark) for mark in _marks(shape))

    def _clip_box(self, clip: Any, count: int) -> Box:
        """The box of all paths of a clip; objects under one clip share its points in memory."""
        first = pdfium.FPDFClipPath_GetPathSegment(clip, count - 1, 0)
        key = ctypes.addressof(first.contents) if first else 0
        if key not in self._clips:
            box = _ODD
            if count <= _MAX_CLIP_PATHS:
                boxes = [self._path_box(clip, index) for index in range(count)]
                lefts, tops, rights, bottoms = zip(*boxes, strict=True)
                box = (max(lefts), max(tops), min(rights), min(bottoms))
            self._clips[key] = box
        return self._clips[key]

    def _path_box(self, clip: Any, index: int) -> Box:
        """The box of a path of a clip, an empty one if it is no upright box."""
        count = pdfium.FPDFClipPath_CountPathSegments(clip, index)
        if not 4 <= count <= 6:
            return _ODD
        x, y = ctypes.c_float(), ctypes.c_float()
        points = []
        for number in range(count):
            segment = pdfium.FPDFClipPath_GetPathSegment(clip, index, number)
            if pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_BEZIERTO:
                return _ODD
            pdfium.FPDFPathSegment_GetPoint(segment, x, y)
            points.append((round(x.value, 1), round(y.value, 1)))
        xs, ys = {x for x, _ in points}, {y for _, y in points}
        if len(xs) != 2 or len(ys) != 2:
            return _ODD
        return self._transform.map_box(min(xs), min(ys), max(xs), max(ys))

    def _has_plain_marks(self, text_object: Any, address: int) -> bool:
        """False if a mark puts the object into a layer; notes marks that replace its words."""
        plain = True
        for mark in _marks(text_object):
            plain &= self._is_plain_mark(mark)
            key = ctypes.addressof(mark.contents)
            if key in self.replaced:
                self.replaced[key].append(address)
        return plain

    def _is_plain_mark(self, mark: Any) -> bool:
        key = ctypes.addressof(mark.contents)
        if key not in self._plain_marks:
            self._plain_marks[key] = _mark_name(mark) != "OC"
            if has_replacement(mark):
                self.replaced[key] = []
        return self._plain_marks[key]


def has_replacement(mark: Any) -> bool:
    """Return True for a mark with words to read in place of those that it is around."""
    kind = pdfium.FPDFPageObjMark_GetParamValueType(mark, b"ActualText")
    return bool(kind != pdfium.FPDF_OBJECT_UNKNOWN)


def has_pattern(document: Any, page_object: Any) -> bool:
    """Return True for an object that is filled with a pattern, which may be empty or hold words."""
    bitmap = pdfium.FPDFPageObj_GetRenderedFillPattern(document, page_object)
    if bitmap:
        pdfium.FPDFBitmap_Destroy(bitmap)
    return bool(bitmap)


def _marks(page_object: Any) -> Iterator[Any]:
    for index in range(pdfium.FPDFPageObj_CountMarks(page_object)):
        yield pdfium.FPDFPageObj_GetMark(page_object, index)


def _mark_name(mark: Any) -> str:
    buffer, length = (ctypes.c_ushort * _NAME_BYTES)(), ctypes.c_ulong()
    if not pdfium.FPDFPageObjMark_GetName(mark, buffer, ctypes.sizeof(buffer), length):
        return ""
    return bytes(buffer)[: length.value].decode("utf-16-le", "replace").rstrip("\0")
