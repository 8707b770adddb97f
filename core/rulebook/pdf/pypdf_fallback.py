"""What pypdf reads of PDFs and pdfium does not.

Whole files that pdfium cannot open, or not without a password; layers that are off and pens of
annotations; the words of patterns, which pdfium paints and does not read.
"""

import io
import logging
import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.errors import PyPdfError
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
)

# What pypdf raises on broken files, measured; it is pure Python, so that nothing worse can happen.
PYPDF_ERRORS = (
    PyPdfError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
)
_WIDEST = 144.0
"""Points of the widest pen, two inches: a file that tells of a wider one would have its line cover
whole pages."""
_TILING = 1  # type of pattern (ISO 32000-1, 8.7.3)
_MAX_TILES = 400  # of one pattern on a page: smaller ones are a texture
_NO_CHANGE = [FloatObject(value) for value in (1, 0, 0, 1, 0, 0)]


def open_reader(data: bytes, password: str = "") -> PdfReader:
    """Open a PDF with pypdf, quietly. Raises one of `PYPDF_ERRORS`."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    # pypdf tries an empty password by itself.
    return PdfReader(io.BytesIO(data), strict=False, password=password or None)


def rewrite_pdf(data: bytes, password: str = "") -> bytes | None:
    """Return the file as pypdf reads it, without protection; None if it cannot read it either."""
    copy = io.BytesIO()
    try:
        reader = open_reader(data, password)
        if not reader.pages:
            return None
        PdfWriter(clone_from=reader).write(copy)
    except PYPDF_ERRORS:
        return None
    return copy.getvalue()


@lru_cache(maxsize=1)
def find_layers_off(data: bytes, number: int) -> set[int]:
    """Return the indexes of the annotations of page `number` in a layer that is off.

    None are found if pypdf cannot read them.
    """
    try:
        reader = _open_once(data)
        root: Any = reader.trailer["/Root"]
        shown = root["/OCProperties"].get("/D", {})
        on, off = (_identify(shown.get(key, ())) for key in ("/ON", "/OFF"))
        if shown.get("/BaseState") == "/OFF":
            off = _identify(root["/OCProperties"]["/OCGs"]) - on
        annotations: Any = reader.pages[number - 1]["/Annots"]
        return {
            index
            for index, annotation in enumerate(annotations)
            if "/OC" in annotation.get_object()
            and _is_off(annotation.get_object().raw_get("/OC"), off)
        }
    except PYPDF_ERRORS:
        return set()


def read_pen(data: bytes, number: int, index: int) -> float:
    """Return how wide the pen of annotation `index` of page `number` is, in points; 1 if untold."""
    try:
        annotations: Any = _open_once(data).pages[number - 1]["/Annots"]
        width = float(annotations[index].get_object()["/BS"].get("/W", 1))
        return min(max(width, 0.0), _WIDEST)
    except PYPDF_ERRORS:
        return 1.0


@lru_cache(maxsize=1)
def _open_once(data: bytes) -> PdfReader:
    """Open the file whose pages are read one after another."""
    return open_reader(data)


def _identify(layers: Any) -> set[int]:
    """The numbers of the objects that layers are."""
    return {layer.idnum for layer in layers}


def _is_off(layer: Any, off: set[int]) -> bool:
    """True for a layer that is off, or for several of which too many are."""
    group: Any = layer.get_object()
    if "/OCGs" not in group:
        return layer.idnum in off
    members = group.raw_get("/OCGs")
    several = members.get_object() if isinstance(members.get_object(), list) else [members]
    states = [member.idnum in off for member in several]
    policy = group.get("/P", "/AnyOn")
    is_on = {
        "/AllOn": not any(states),
        "/AnyOff": any(states),
        "/AllOff": all(states),
    }.get(policy, not all(states))
    return not is_on


def write_pattern_page(data: bytes, number: int) -> bytes:
    """Return a PDF of one page like page `number` with nothing but the text of its patterns.

    They are where their tiles are painted. No bytes if there is none, or pypdf cannot read them.
    """
    out = io.BytesIO()
    try:
        writer = PdfWriter()
        page = writer.add_page(open_reader(data).pages[number - 1])
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
