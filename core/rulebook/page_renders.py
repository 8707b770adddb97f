"""Pictures of pages: with marked words, and cropped to a figure."""

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw

from core.rulebook.reader import page_image
from core.rulebook.types import Box

MARKER_COLOR = (255, 226, 92)
_PAGE_SCALE, _FIGURE_SCALE = 2.0, 3.0  # pixels per point of a page, times the zoom; of a figure
_STRIP = 0.45  # of the page's height
_MARGIN = 1.5  # points beside marked words


def draw_marked_page(file: Path, page: int, marked: Sequence[Box], zoom: float) -> bytes:
    """Return a page as PNG, cropped around the marks if enlarged, or a strip at zoom 0."""
    scale = _PAGE_SCALE * (zoom or 1.0)
    image = Image.open(io.BytesIO(page_image(file.read_bytes(), page, scale))).convert("RGB")
    marks = Image.new("RGB", image.size, "white")
    draw = ImageDraw.Draw(marks)
    for left, top, right, bottom in marked:
        area = (left - _MARGIN, top, right + _MARGIN, bottom)
        draw.rectangle(tuple(scale * edge for edge in area), fill=MARKER_COLOR)
    window = _crop_window(image.size, marked, scale, zoom)
    return _encode(ImageChops.multiply(image, marks).crop(window))


def crop_page(file: Path, page: int, box: Box) -> bytes | None:
    """Return a part of a page as PNG; None if it is outside the page. Raises ReadError."""
    image = Image.open(io.BytesIO(page_image(file.read_bytes(), page, _FIGURE_SCALE)))
    left, top, right, bottom = (round(_FIGURE_SCALE * edge) for edge in box)
    left, top = max(left, 0), max(top, 0)
    right, bottom = min(right, image.width), min(bottom, image.height)
    return (
        _encode(image.crop((left, top, right, bottom))) if left < right and top < bottom else None
    )


def _encode(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, format="PNG")
    return out.getvalue()


def _crop_window(
    size: tuple[int, int], marked: Sequence[Box], scale: float, zoom: float
) -> tuple[int, int, int, int]:
    """Return the pixels to show, with the marked words or their beginning in the middle."""
    lefts, tops, rights, bottoms = zip(*marked or [(0.0, 0.0, size[0] / scale, 0.0)], strict=True)
    left, right = scale * min(lefts), scale * max(rights)
    width, height = (round(edge / (zoom or 1.0)) for edge in size)
    if not zoom:
        height = round(height * _STRIP)
    x = min((left + right - width) / 2, left - 4 * scale * _MARGIN)
    y = (scale * (min(tops) + max(bottoms)) - height) / 2
    x, y = round(min(max(x, 0), size[0] - width)), round(min(max(y, 0), size[1] - height))
    return x, y, x + width, y + height
