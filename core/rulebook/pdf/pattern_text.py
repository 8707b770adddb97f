"""The words of patterns, which pdfium paints and does not read: pypdf writes them on a page."""

import io
import logging
import math
from collections.abc import Iterator, Sequence
from typing import Any

from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
)

from core.rulebook.pdf.pypdf_fallback import PYPDF_ERRORS

_TILING = 1
_MAX_TILES = 400  # of one pattern on a page: smaller ones are a texture
_NO_CHANGE = [FloatObject(value) for value in (1, 0, 0, 1, 0, 0)]


def write_pattern_page(data: bytes, number: int) -> bytes:
    """Return a PDF of one page like page `number` with nothing but the text of its patterns.

    They are where their tiles are painted. No bytes if there is none, or pypdf cannot read them.
    """
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    out = io.BytesIO()
    try:
        writer = PdfWriter()
        page = writer.add_page(PdfReader(io.BytesIO(data), strict=False).pages[number - 1])
        resources: Any = page["/Resources"]
        patterns = resources.get("/Pattern", DictionaryObject()).get_object()
        drawn = "".join(
            tile
            for name, pattern in patterns.items()
            for tile in _draw_tiles(name, pattern.get_object(), page)
        )
        if not drawn:
            return b""
        for pattern in patterns.values():
            pattern.get_object()[NameObject("/Subtype")] = NameObject("/Form")
            pattern.get_object()[NameObject("/Matrix")] = ArrayObject(_NO_CHANGE)
        content = DecodedStreamObject()
        content.set_data(drawn.encode())
        page[NameObject("/Contents")] = writer._add_object(content)
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/XObject"): patterns})
        page[NameObject("/Annots")] = ArrayObject()
        writer.write(out)
    except PYPDF_ERRORS:
        return b""
    return out.getvalue()


def _draw_tiles(name: str, pattern: Any, page: PageObject) -> Iterator[str]:
    """Yield the operators that draw each tile of a pattern with text on its page."""
    fonts = pattern.get("/Resources", DictionaryObject()).get_object().get("/Font")
    matrix = [float(value) for value in pattern.get("/Matrix", _NO_CHANGE)]
    a, b, c, d, e, f = matrix
    if pattern.get("/PatternType") != _TILING or not fonts or b or c or not a or not d:
        return
    left, bottom, right, top = map(float, page.mediabox)
    box = [float(value) for value in pattern["/BBox"]]
    across = _tile_steps(pattern["/XStep"], box[::2], ((left - e) / a, (right - e) / a))
    along = _tile_steps(pattern["/YStep"], box[1::2], ((bottom - f) / d, (top - f) / d))
    if len(across) * len(along) > _MAX_TILES:
        return
    for x in across:
        for y in along:
            place = " ".join(map(str, (a, 0, 0, d, e + a * x, f + d * y)))
            yield f"q {place} cm {name} Do Q\n"


def _tile_steps(step: float, tile: Sequence[float], ends: tuple[float, float]) -> list[float]:
    """How far a tile is moved along an axis so that it is between two ends."""
    width = abs(float(step))
    first = math.ceil((min(ends) - tile[1]) / width)
    last = math.floor((max(ends) - tile[0]) / width)
    return [index * width for index in range(first, min(last, first + _MAX_TILES) + 1)]
