"""Pictures of a page in reading coordinates: as a person sees it, and without some of its text.

Pillow compares them. Only this module draws a page in order to look at it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, cycle
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageChops, ImageDraw, ImageOps

from core.rulebook.pdf.addresses import quick
from core.rulebook.pdf.page_content import PageContent, PdfBox, box_around, rgb_channels
from core.rulebook.pdf.shapes import bounds_of, color_and_opacity
from core.rulebook.types import Box

if TYPE_CHECKING:
    from core.rulebook.pdf.annotations import DrawnLine

INK = 24
"""Of 255: the eye does not distinguish closer shades or colours."""
_DARK = 48
"""Of 255: what differs less at one pixel a point is looked at more closely."""
CLOSE = 3.0
"""Pixels a point of a close-up: a comma of eight-point print has several."""
_AROUND = 4.0  # points around a box in a close-up
BESIDE = 2.0
"""Points between a print and the second one that makes it bold, or its shadow, at most."""
_MAX_SIDE = 4_000  # pixels: a close-up of an A3 page would have 3,572
_WHITE, _PAPER = 0xFFFFFFFF, 255
_DRAWING = 100_000  # pixels that take as long to draw as to begin a drawing (measured)
_FEW = 4  # places that are drawn one by one: with more, all of a page at once
_CLEAR = 40
"""Of 255: print that differs less from its background cannot be read."""
FAINT = 64
"""Of 255: print that differs less is hard to read."""
_AS_FAINTEST_INK, _AS_INK, _AS_CLEAR_INK, _AS_DARK_INK = (
    [0] * least + [255] * (256 - least) for least in (4, INK, _CLEAR, _DARK)
)

_OUTLINED = (1, 2, 5, 6)  # text render modes with a stroke (ISO 32000-1, table 106)
_FILLED = (0, 0, 255)  # the mode, colour and opacity of black letters


_State = TypeVar("_State")


@dataclass(frozen=True)
class InkMap:
    """Where ink is: 255 for ink, else 0, `scale` pixels a point; `left` and `top` are in points."""

    picture: Image.Image
    scale: float
    left: float = 0.0
    top: float = 0.0

    def columns(self, box: Box) -> bytes:
        """Return one byte for each column of pixels in a box: not 0 if there is ink in it."""
        left, top, right, bottom = self._pixels(box)
        # Whole rows as numbers: five times as fast as a picture of its own for each box.
        pixels, stride, ink = self._bytes, self.picture.width, 0
        for start in range(top * stride, bottom * stride, stride):
            ink |= int.from_bytes(pixels[start + left : start + right], "big")
        return ink.to_bytes(right - left, "big")

    @cached_property
    def _bytes(self) -> bytes:
        return self.picture.tobytes()

    def crop(self, box: Box) -> Image.Image:
        """Return what is in a box."""
        return self.picture.crop(self._pixels(box))

    def has_ink(self, box: Box) -> bool:
        """Return True if there is ink in a box."""
        return self._has_ink(*self._pixels(box))

    def share(self, box: Box) -> float:
        """Return which part of a box is ink, 0 to 1."""
        part = self.crop(box)
        return part.histogram()[255] / max(1, part.width * part.height)

    def ink_within(self, box: Box) -> Box:
        """Return the box around the ink in a box; that box itself if it has none."""
        left, top, right, bottom = self._pixels(box)
        found = self.picture.crop((left, top, right, bottom)).getbbox()
        if found is None:
            return box
        x, y = self.left + left / self.scale, self.top + top / self.scale
        x0, y0, x1, y1 = (edge / self.scale for edge in found)
        return x + x0, y + y0, x + x1, y + y1

    def reach(self, box: Box) -> Box:
        """Return a box grown until no ink crosses its edges: around all that goes on from it."""
        left, top, right, bottom = self._pixels(box)
        width, height = self.picture.size
        before = None
        while before != (left, top, right, bottom):
            before = left, top, right, bottom
            left -= left > 0 and self._has_ink(left - 1, top, left, bottom)
            right += right < width and self._has_ink(right, top, right + 1, bottom)
            top -= top > 0 and self._has_ink(left, top - 1, right, top)
            bottom += bottom < height and self._has_ink(left, bottom, right, bottom + 1)
        x0, x1 = (edge / self.scale + self.left for edge in (left, right))
        y0, y1 = (edge / self.scale + self.top for edge in (top, bottom))
        return x0, y0, x1, y1

    def _has_ink(self, left: int, top: int, right: int, bottom: int) -> bool:
        return self.picture.crop((left, top, right, bottom)).getbbox() is not None

    def _pixels(self, box: Box) -> tuple[int, int, int, int]:
        """The pixels of a box; a narrow one has at least one column and one row."""
        scale, width, height = self.scale, *self.picture.size
        left, top = int((box[0] - self.left) * scale), int((box[1] - self.top) * scale)
        right = min(width, max(left + 1, int((box[2] - self.left) * scale + 0.5)))
        bottom = min(height, max(top + 1, int((box[3] - self.top) * scale + 0.5)))
        left, top = max(0, left), max(0, top)
        return left, top, max(left, right), max(top, bottom)


@dataclass
class Ink:
    """Where and by how much some text changes a page, which is `page` with all its text."""

    changes: InkMap
    page: InkMap
    _draw_alone: Callable[[], "PagePart"]

    def _map(self, picture: Image.Image) -> InkMap:
        return replace(self.changes, picture=picture)

    @cached_property
    def changed(self) -> InkMap:
        """Where it changes the page at all."""
        return self._map(self.changes.picture.point(_AS_INK))

    @cached_property
    def clear(self) -> InkMap:
        """Where it is seen well."""
        return self._map(self.changes.picture.point(_AS_CLEAR_INK))

    @cached_property
    def alone(self) -> InkMap:
        """The same text without what lies behind or over it: by how much it darkens paper."""
        return self._map(_strongest(ImageChops.invert(self._draw_alone().picture)))

    def is_faint(self, box: Box) -> bool:
        """Return True if nothing in a box differs much from what is behind it."""
        return cast("int", self.changes.crop(box).getextrema()[1]) < FAINT

    def missing_share(self, box: Box) -> float:
        """Return which part of the ink that text should have in a box is paper, 0 to 1.

        What lies below a dark stroke is struck, and not missing.
        """
        due, seen = (_strong(each.crop(box)) for each in (self.alone, self.changes))
        page = self.page.crop(box).point([0] * 128 + [255] * 128)
        missing = ImageChops.darker(ImageChops.subtract(due, seen), page)
        return missing.histogram()[255] / max(1, due.histogram()[255])


def _strong(grey: Image.Image) -> Image.Image:
    """What is at least half as strong as the strongest, as 255."""
    half = max(INK, cast("int", grey.getextrema()[1]) // 2)
    return grey.point([0] * half + [255] * (256 - half))


class PagePart(NamedTuple):
    """A drawn part of a page; `left` and `top` are pixels from the corner of the page."""

    picture: Image.Image
    left: int
    top: int

    def crop(self, left: int, top: int, right: int, bottom: int) -> Image.Image:
        """Return what is between edges, in pixels from the corner of the page."""
        x, y = self.left, self.top
        return self.picture.crop((left - x, top - y, right - x, bottom - y))

    def contains(self, left: int, top: int, right: int, bottom: int) -> bool:
        width, height = self.picture.size
        inside = self.left <= left and right <= self.left + width
        return inside and self.top <= top and bottom <= self.top + height


class PagePictures:
    """The pictures of one loaded page.

    `text_objects` are pdfium's addresses of all its text, `words` what those say that are read, and
    `others` the addresses of what else is painted.
    """

    def __init__(
        self,
        page: Any,
        content: PageContent,
        text_objects: Iterable[int],
        words: Mapping[int, str],
        lines: Iterable["DrawnLine"] = (),
        others: Sequence[int] = (),
    ) -> None:
        self._page = page
        self._turn = (4 - content.turn) % 4
        self._size = (content.width, content.height)
        self._text_objects = list(text_objects)
        self._words = words
        self._others = others
        self._places: dict[str | None, list[tuple[int, int, PdfBox]]] = {}
        self._bare_parts: list[PagePart] = []
        self._close_up: PagePart | None = None
        self._lines = [line for line in lines if not line.has_appearance]
        longest = max(*self._size, 1.0)
        self.scale = min(1.0, _MAX_SIDE / longest)
        self.close_scale = min(CLOSE, _MAX_SIDE / longest)

    @cached_property
    def bare(self) -> Image.Image:
        """The page without any text, in grey, one pixel a point."""
        return self._draw_bare((0.0, 0.0, *self._size)).picture

    @cached_property
    def text_ink(self) -> InkMap:
        """Where the text of the page changes its picture."""
        seen = self._draw(self.scale, (0.0, 0.0, *self._size), grey=True)
        changes = ImageChops.difference(seen.picture, self.bare)
        return InkMap(changes.point(_AS_DARK_INK), self.scale)

    @cached_property
    def drawn_edges(self) -> InkMap:
        """Edges of all that is no text."""
        return InkMap(_vertical_steps(self.bare).point(_AS_INK), self.scale)

    @cached_property
    def faintest_edges(self) -> InkMap:
        """The same with those that the eye hardly sees, where lines are not broken."""
        return InkMap(_vertical_steps(self.bare).point(_AS_FAINTEST_INK), self.scale)

    def count_shades(self, box: Box) -> list[int]:
        """Return how many pixels of each grey, 0 to 255, a box has without the text."""
        left, top, right, bottom = (round(edge * self.scale) for edge in box)
        part = self._bare_around(box) or PagePart(self.bare, 0, 0)
        return part.crop(left, top, right + 1, bottom + 1).histogram()

    def edges_in(self, box: Box) -> InkMap:
        """Return the edges of what is no text in and around a box, one pixel a point."""
        if (part := self._bare_around(box)) is None:
            return self.drawn_edges
        picture, left, top = part
        edges = _vertical_steps(picture).point(_AS_INK)
        return InkMap(edges, self.scale, left / self.scale, top / self.scale)

    def _bare_around(self, box: Box) -> PagePart | None:
        """Return a part around a box without the text; None where the whole page is drawn so."""
        if "bare" in self.__dict__ or len(self._bare_parts) >= _FEW:
            return None
        edges = self._edges(self.scale, _widen(box))
        for part in self._bare_parts:
            if part.contains(*edges):
                return part
        self._bare_parts.append(self._draw_bare(_widen(box)))
        return self._bare_parts[-1]

    def _draw_bare(self, box: Box) -> PagePart:
        return self._draw(self.scale, box, self._text_objects, grey=True)

    def close_crops(
        self, boxes: Sequence[Box], *, alone: bool = False, closer: float = 1.0
    ) -> Iterator[Image.Image]:
        """Yield what is in each box as it is seen, in grey, enlarged; nothing is drawn before.

        `alone` is the text without what lies behind or over it, if it is not as light as paper;
        outlines that are seen are filled, so that glyphs have the shapes of their fonts.
        `closer` is how much more it is enlarged than usual.
        """
        if not boxes:
            return
        scale, (left, top, right, bottom) = self.close_scale * closer, _bounds(boxes)
        is_small = (right - left) * (bottom - top) * scale**2 < _DRAWING * len(boxes)
        together = is_small or len(boxes) > _FEW
        parts = [_bounds(boxes)] if together else map(_widen, boxes)
        without = self._others if alone else ()
        outlined = self._outlined if alone else {}

        def draw(part: Box, fills: Mapping[int, tuple[int, int, int]]) -> PagePart:
            with _change_objects(_set_look, fills, _FILLED):
                return self._draw(scale, part, without, grey=True, alone=alone)

        looks = ({}, outlined) if outlined else ({},)
        drawn = ([draw(part, fills) for fills in looks] for part in parts)
        for box, (part, *filled) in zip(boxes, cycle(drawn)):
            left, top, right, bottom = (int(edge * scale) for edge in box)
            if alone:  # without ink of its neighbours
                edges = left, top, right + 1, bottom + 1
                tight = part.crop(*edges)
                if filled and cast("int", tight.getextrema()[0]) < _PAPER - INK:
                    tight = filled[0].crop(*edges)
                yield ImageOps.expand(tight, border=1, fill=255)
            else:
                yield part.crop(left - 1, top - 1, right + 2, bottom + 2)

    @cached_property
    def _outlined(self) -> dict[int, tuple[int, int, int]]:
        """The text objects with outlines: their render modes, colours and opacities of fill."""
        return {
            address: (mode, *color_and_opacity(address))
            for address in self._text_objects
            if (mode := quick.FPDFTextObj_GetTextRenderMode(address)) in _OUTLINED
        }

    def close_edges(self, box: Box) -> InkMap:
        """The same in and around a box, enlarged and by colours."""
        around = _widen(box)
        bare = self._draw(self.close_scale, around, self._text_objects)
        edges = _strongest(_vertical_steps(bare.picture)).point(_AS_INK)
        return InkMap(edges, self.close_scale, *around[:2])

    def edges_around(self, box: Box) -> Iterator[InkMap]:
        """Yield the edges of the whole page, then, on a closer look, those in and around a box."""
        yield self.drawn_edges
        yield self.close_edges(box)

    def ink_of(self, text_objects: Iterable[int], boxes: Sequence[Box]) -> Ink:
        """Return where these objects change the page in and around boxes, enlarged."""
        around = _bounds(boxes)
        same = {*chain.from_iterable(map(self._twins, text_objects))}
        rest, page = self._draw(self.close_scale, around, without=same), self._close_picture(around)
        changes = _strongest(ImageChops.difference(page, rest.picture))
        others = [one for one in (*self._others, *self._text_objects) if one not in same]
        alone = partial(self._draw, self.close_scale, around, without=others, alone=True)
        place = (self.close_scale, *around[:2])
        return Ink(InkMap(changes, *place), InkMap(page.convert("L"), *place), alone)

    def look_close(self, boxes: Sequence[Box]) -> Iterator[bytes]:
        """Draw what is in and around boxes, enlarged, and yield the pixels in each box."""
        self._close_up = self._draw(self.close_scale, _bounds(boxes))
        for box in boxes:
            yield self._close_picture(box).tobytes()

    def _close_picture(self, box: Box) -> Image.Image:
        """Return what is in a box, enlarged: of the last look, if that holds it."""
        edges = self._edges(self.close_scale, box)
        if self._close_up is None or not self._close_up.contains(*edges):
            self._close_up = self._draw(self.close_scale, box)
        return self._close_up.crop(*edges)

    def _edges(self, scale: float, box: Box) -> tuple[int, int, int, int]:
        """Return the edges of a box in pixels from the corner of the page."""
        left, top = round(box[0] * scale), round(box[1] * scale)
        width, height = (box[2] - box[0]) * scale, (box[3] - box[1]) * scale
        return left, top, left + max(1, round(width)), top + max(1, round(height))

    def _twins(self, address: int) -> Iterator[int]:
        """Yield a text object and those that it is drawn with to look bold, read or not read."""
        font, edges = _place(address)
        for words in (None, self._words.get(address, "")):
            if words not in self._places:  # the places of objects with these words are read once
                found = (one for one in self._text_objects if self._words.get(one) == words)
                self._places[words] = [(one, *_place(one)) for one in found]
            for other, other_font, other_edges in self._places[words]:
                if other_font == font and are_twins(edges, other_edges):
                    yield other

    def _draw(
        self,
        scale: float,
        box: Box,
        without: Iterable[int] = (),
        *,
        grey: bool = False,
        alone: bool = False,
    ) -> PagePart:
        """Draw what is in a box, annotations too if not `alone`, with some objects switched off."""
        left, top, right, bottom = self._edges(scale, box)
        form = pdfium.FPDFBitmap_Gray if grey else pdfium.FPDFBitmap_BGR
        bitmap = pypdfium2.PdfBitmap.new_native(right - left, bottom - top, form)
        place = (-left, -top, *(round(side * scale) for side in self._size))
        with _change_objects(quick.FPDFPageObj_SetIsActive, dict.fromkeys(without, 1), 0):
            pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, right - left, bottom - top, _WHITE)
            page = (bitmap, self._page, *place, self._turn)
            pdfium.FPDF_RenderPageBitmap(*page, 0 if alone else pdfium.FPDF_ANNOT)
            if not alone and (fields := self._page.formenv):
                pdfium.FPDF_FFLDraw(fields, *page, pdfium.FPDF_ANNOT)
        picture = bitmap.to_pil()
        if not alone:
            self._add_lines(picture, scale, (-left, -top))
        return PagePart(picture, left, top)

    def _add_lines(self, picture: Image.Image, scale: float, start: tuple[int, int]) -> None:
        """Draw the annotations that viewers draw and pdfium does not."""
        if not self._lines:
            return
        pen = ImageDraw.Draw(picture)

        def to_pillow(color: int) -> tuple[int, int, int] | int:
            channels = rgb_channels(color)
            return channels if picture.mode == "RGB" else sum(channels) // 3

        for line in self._lines:
            points = [(x * scale + start[0], y * scale + start[1]) for x, y in line.points]
            if line.fill is not None and len(points) > 2:
                pen.polygon(points, fill=to_pillow(line.fill))
            width = max(1, round(line.width * scale))
            pen.line(points, fill=to_pillow(line.color), width=width)


@contextmanager
def _change_objects(
    change: Callable[[int, _State], object], states: Mapping[int, _State], state: _State
) -> Iterator[None]:
    """Put objects into a state while pdfium draws, then back into those that they had."""
    for address in states:
        change(address, state)
    try:
        yield
    finally:
        for address, before in states.items():
            change(address, before)


def _set_look(address: int, look: tuple[int, int, int]) -> None:
    """Set the render mode of a text object, and the colour and the opacity of its fill."""
    mode, color, opacity = look
    quick.FPDFTextObj_SetTextRenderMode(address, mode)
    quick.FPDFPageObj_SetFillColor(address, *rgb_channels(color), opacity)


def are_twins(one: PdfBox, other: PdfBox) -> bool:
    """Return True for the places of print and of a second one that makes it bold, or its shadow."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= BESIDE


def _place(address: int) -> tuple[int, PdfBox]:
    """The font of a text object and its edges, in points."""
    return quick.FPDFTextObj_GetFont(address) or 0, bounds_of(address)


def _bounds(boxes: Iterable[Box]) -> Box:
    return _widen(box_around(boxes))


def _widen(box: Box) -> Box:
    left, top, right, bottom = box
    return left - _AROUND, top - _AROUND, right + _AROUND, bottom + _AROUND


def _vertical_steps(picture: Image.Image) -> Image.Image:
    """Return the difference of each pixel from the pixel above it."""
    return ImageChops.difference(picture, ImageChops.offset(picture, 0, 1))


def _strongest(picture: Image.Image) -> Image.Image:
    """Return the channel that is strongest at each pixel."""
    first, *others = picture.split()
    for channel in others:
        first = ImageChops.lighter(first, channel)
    return first
