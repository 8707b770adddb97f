"""Whether pdfium's facts on a text object leave a doubt that it is seen as it is stored.

A plain object is opaque, in one colour, in no layer, and within a clip that is a box. Only these
facts are read for every page; what is not plain is drawn (see `inspection`).
"""

import ctypes
from collections.abc import Iterator
from typing import Any

import pypdfium2.raw as pdfium

from core.rulebook.pdf.addresses import ADDRESS, address_of, by_address
from core.rulebook.pdf.page_content import AffineTransform
from core.rulebook.types import Box

_ODD = (0.0, 0.0, 0.0, 0.0)
"""The box of a clip that is none: nothing lies in it."""
_CLIPS = 4  # the text render modes from here on clip what follows
_MAX_CLIP_PATHS = 20
_NAME_BYTES = 64

_LAYER = "OC".encode("utf-16-le")

_clip_of = by_address(pdfium.FPDFPageObj_GetClipPath, ADDRESS, ADDRESS)
_count_paths = by_address(pdfium.FPDFClipPath_CountPaths, ctypes.c_int, ADDRESS)
_segment_of = by_address(
    pdfium.FPDFClipPath_GetPathSegment, ADDRESS, ADDRESS, ctypes.c_int, ctypes.c_int
)
_render_mode = by_address(pdfium.FPDFTextObj_GetTextRenderMode, ctypes.c_int, ADDRESS)
_has_transparency = by_address(pdfium.FPDFPageObj_HasTransparency, ctypes.c_int, ADDRESS)
_fill_pattern = by_address(pdfium.FPDFPageObj_GetRenderedFillPattern, ADDRESS, ADDRESS, ADDRESS)
_free_bitmap = by_address(pdfium.FPDFBitmap_Destroy, None, ADDRESS)
_count_marks = by_address(pdfium.FPDFPageObj_CountMarks, ctypes.c_int, ADDRESS)
_mark_at = by_address(pdfium.FPDFPageObj_GetMark, ADDRESS, ADDRESS, ctypes.c_ulong)
_read_name = by_address(
    pdfium.FPDFPageObjMark_GetName, ctypes.c_int, ADDRESS, ADDRESS, ctypes.c_ulong, ADDRESS
)
_kind_of_value = by_address(
    pdfium.FPDFPageObjMark_GetParamValueType, ctypes.c_int, ADDRESS, ctypes.c_char_p
)
_remove_mark = by_address(pdfium.FPDFPageObj_RemoveMark, ctypes.c_int, ADDRESS, ADDRESS)


class TextFacts:
    """The facts on the text objects of one page. Clips and marks are shared, and read once."""

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
        if (count := _count_paths(clip := _clip_of(address))) > 0:
            self.clips[address] = self._clip_box(clip, count)
        self.has_text_clip |= _render_mode(address) >= _CLIPS
        if (
            in_form
            or _has_transparency(address)
            or not self._has_plain_marks(address)
            or self.has_pattern(address)
        ):
            self.doubtful.add(address)

    def has_pattern(self, address: int) -> bool:
        """True for an object filled with a pattern, which may be empty or hold words."""
        if bitmap := _fill_pattern(self._document, address):
            _free_bitmap(bitmap)
        return bool(bitmap)

    def is_plain_shape(self, address: int, box: Box) -> bool:
        """True for a path in no layer whose clip leaves all of its box."""
        count = _count_paths(clip := _clip_of(address))
        left, top, right, bottom = self._clip_box(clip, count) if count > 0 else box
        inside = left <= box[0] and top <= box[1] and right >= box[2] and bottom >= box[3]
        return inside and all(self._is_plain_mark(mark) for mark in _marks(address))

    def _clip_box(self, address: int, count: int) -> Box:
        """The box of all paths of a clip; objects under one clip share its points in memory."""
        key = _segment_of(address, count - 1, 0) or 0
        if key not in self._clips:
            box = _ODD
            clip = ctypes.cast(address, pdfium.FPDF_CLIPPATH)
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

    def _has_plain_marks(self, address: int) -> bool:
        """False if a mark puts the object into a layer; notes marks that replace its words."""
        plain = True
        for mark in _marks(address):
            plain &= self._is_plain_mark(mark)
            if mark in self.replaced:
                self.replaced[mark].append(address)
        return plain

    def _is_plain_mark(self, mark: int) -> bool:
        if mark not in self._plain_marks:
            self._plain_marks[mark] = _mark_name(mark) != _LAYER
            if _has_replacement(mark):
                self.replaced[mark] = []
        return self._plain_marks[mark]


def remove_replacements(address: int) -> None:
    """Remove the marks with words in place of an object's own from the loaded page."""
    for mark in reversed(list(_marks(address))):
        if _has_replacement(mark):
            _remove_mark(address, mark)


def _has_replacement(mark: int) -> bool:
    """True for a mark with words to read in place of those that it is around."""
    return bool(_kind_of_value(mark, b"ActualText") != pdfium.FPDF_OBJECT_UNKNOWN)


def _marks(address: int) -> Iterator[int]:
    for index in range(_count_marks(address)):
        yield _mark_at(address, index)


_name, _length = (ctypes.c_char * _NAME_BYTES)(), ctypes.c_ulong()
_places = ctypes.addressof(_name), _NAME_BYTES, ctypes.addressof(_length)


def _mark_name(mark: int) -> bytes:
    """The first letters of a mark's name in UTF-16: enough to tell short names."""
    _read_name(mark, *_places)
    return _name.raw[: max(_length.value - 2, 0)]
