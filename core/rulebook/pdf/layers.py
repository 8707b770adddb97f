"""What pdfium does not tell of annotations, read by pypdf: layers that are off, and pens."""

import io
import logging
from functools import lru_cache
from typing import Any

from pypdf import PdfReader

from core.rulebook.pdf.pypdf_fallback import PYPDF_ERRORS

_WIDEST = 144.0
"""Points of the widest pen, two inches: a file that tells of a wider one would have its line cover
whole pages."""


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
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    return PdfReader(io.BytesIO(data), strict=False)


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
