"""Pictures of pages: with marked words, and cropped to a figure."""

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw

from core.rulebook.reader import page_image
from core.rulebook.types import Box

MARKER_COLOR = (255, 226, 92)
QUOTE_ZOOM = 0.0
"""Not a factor: shows a strip of the page, at full width, around the marked words."""
PAGE_SCALE, FIGURE_SCALE = 2.0, 3.0
"""Pixels per point of a whole page, multiplied by the zoom, and of a figure."""
FIGURE_MARGIN = 4.0
"""Points around a figure."""
_STRIP = 0.45  # of the page's height
_MARGIN = 1.5  # points beside marked words


def draw_marked_page(file: Path, page: int, marked: Sequence[Box], zoom: float) -> bytes:
    """A page as PNG. Cropped around the marked words if enlarged or at `QUOTE_ZOOM`.

    Raises ReadError.
    """
    scale = PAGE_SCALE * (zoom or 1.0)
    image = Image.open(io.BytesIO(page_image(file.read_bytes(), page, scale))).convert("RGB")
    marks = Image.new("RGB", image.size, "white")
    draw = ImageDraw.Draw(marks)
    for left, top, right, bottom in marked:
        area = (left - _MARGIN, top, right + _MARGIN, bottom)
        draw.rectangle(tuple(scale * edge for edge in area), fill=MARKER_COLOR)
    out = io.BytesIO()
    window = _crop_window(image.size, marked, scale, zoom)
    ImageChops.multiply(image, marks).crop(window).save(out, format="PNG")
    return out.getvalue()


def crop_page(file: Path, page: int, box: Box) -> bytes | None:
    """A part of a page (in points) as PNG; None if it is outside the page. Raises ReadError."""
    image = Image.open(io.BytesIO(page_image(file.read_bytes(), page, FIGURE_SCALE)))
    left, top, right, bottom = box
    around = (
        left - FIGURE_MARGIN,
        top - FIGURE_MARGIN,
        right + FIGURE_MARGIN,
        bottom + FIGURE_MARGIN,
    )
    x0, y0, x1, y1 = (round(FIGURE_SCALE * edge) for edge in around)
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, image.width), min(y1, image.height)
    if x0 >= x1 or y0 >= y1:
        return None
    out = io.BytesIO()
    image.crop((x0, y0, x1, y1)).save(out, format="PNG")
    return out.getvalue()


def _crop_window(
    size: tuple[int, int], marked: Sequence[Box], scale: float, zoom: float
) -> tuple[int, int, int, int]:
    """The part of a picture to show, in pixels, with the marked words in its middle.

    If they are too wide for it, their beginning is in view. Without marks: the top of the page.
    """
    lefts, tops, rights, bottoms = zip(*marked or [(0.0, 0.0, size[0] / scale, 0.0)], strict=True)
    left, top, right, bottom = (
        scale * edge for edge in (min(lefts), min(tops), max(rights), max(bottoms))
    )
    width, height = (round(edge / (zoom or 1.0)) for edge in size)
    if not zoom:
        height = round(height * _STRIP)
    x = min((left + right - width) / 2, left - 4 * scale * _MARGIN)
    y = (top + bottom - height) / 2
    x, y = round(min(max(x, 0), size[0] - width)), round(min(max(y, 0), size[1] - height))
    return x, y, x + width, y + height
