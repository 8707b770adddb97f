"""Whether pdfium's facts on a text object leave a doubt that it is seen as it is stored.

A plain object is opaque, in one colour, in no layer, and within a clip that is a box. Only these
facts are read for every page; what is not plain is drawn (see `inspection`).
"""

import ctypes
from typing import Any

import pypdfium2.raw as pdfium

from core.rulebook.pdf.addresses import address_of, quick
from core.rulebook.pdf.page_content import AffineTransform
from core.rulebook.types import Box

_ODD = (0.0, 0.0, 0.0, 0.0)
"""The box of a clip that is none: nothing lies in it."""
_CLIPS = 4  # the text render modes from here on clip what follows
_MAX_CLIP_PATHS = 20
_LAYER = "OC".encode("utf-16-le")


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
