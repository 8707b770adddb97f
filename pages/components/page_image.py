"""A page of a document as a picture, with the words of a quote marked as with a text marker."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st
from PIL import Image, ImageChops, ImageDraw

from core.library import Document, Library
from core.rulebook import Box, locate_quote, page_image
from core.sanitize import strip_control_characters
from pages.components import state

MARKER_COLOR = (255, 226, 92)
ZOOMS = (1.0, 1.5, 2.0, 3.0)
QUOTE_ZOOM = 0.0
"""The zoom that stands for the strip of the page around the marked words, at full width, so that they are in view."""
_STRIP = 0.45  # of the page's height
PAGE_SCALE = 2.0
"""Pixels a point, of a whole page; an enlarged part has as many more."""
_MARGIN = 1.5  # points beside marked words


def find_pdf(library: Library, document_id: str) -> Path | None:
    """The PDF that a document was read from; None where it is gone, or was none."""
    held = {document.document_id for document in library.documents()}
    path = library.stored_file(document_id) if document_id in held else None
    return path if path is not None and path.suffix == ".pdf" else None


def show_page(
    file: Path, document: Document, marks: Callable[[int], tuple[Box, ...]], around: bool = False
) -> bool:
    """Draw the page that is turned to, with what `marks` gives for it, and the means to leaf and to enlarge.

    With `around` it begins with the part around the marked words.
    True where something on it is marked. Raises ReadError.
    """
    page = min(max(state.current_page(), 1), document.pages)
    with st.container(horizontal=True, vertical_alignment="center"):
        _turn("Previous", page - 1, document.pages)
        _turn("Next", page + 1, document.pages)
        st.markdown(f"Page {page} of {document.pages}", width="content")
        zoom = st.segmented_control(
            "Zoom",
            (QUOTE_ZOOM, *ZOOMS) if around else ZOOMS,
            default=QUOTE_ZOOM if around else 1.0,
            required=True,
            format_func=lambda zoom: (
                f"{zoom:g}×" if zoom else "Quote"
            ),  # short, to stand in a line on a telephone
            label_visibility="collapsed",
            key=f"{state.ZOOM}-around" if around else state.ZOOM,
        )
    marked = marks(page)
    st.image(
        draw_page(file, page, marked, zoom or (QUOTE_ZOOM if marked else 1.0)),
        width="stretch",
        alt=f"Page {page} of {strip_control_characters(document.label)}",
    )
    return bool(marked)


def _turn(label: str, page: int, pages: int) -> None:
    key, within = f"turn-{label.lower()}", 1 <= page <= pages
    shortcut = "Alt+P" if label == "Previous" else "Alt+X"
    st.button(
        label,
        key=key,
        disabled=not within,
        on_click=state.turn_to_page,
        args=(page,),
        shortcut=shortcut,
    )


@st.cache_data(show_spinner=False, max_entries=500)
def cached_quote_boxes(file: Path, page: int, quote: str, near: Sequence[Box]) -> tuple[Box, ...]:
    """The boxes of a quote on a page. Raises ReadError."""
    return locate_quote(file.read_bytes(), page, quote, near)


@st.cache_data(show_spinner=False, max_entries=50)
def draw_page(file: Path, page: int, marked: Sequence[Box], zoom: float) -> bytes:
    """A page as PNG, its part around the marked words where it is enlarged or `AROUND`. Raises ReadError."""
    scale = PAGE_SCALE * (zoom or 1.0)
    image = Image.open(io.BytesIO(page_image(file.read_bytes(), page, scale))).convert("RGB")
    marks = Image.new("RGB", image.size, "white")
    draw = ImageDraw.Draw(marks)
    for left, top, right, bottom in marked:
        area = (left - _MARGIN, top, right + _MARGIN, bottom)
        draw.rectangle(tuple(scale * edge for edge in area), fill=MARKER_COLOR)
    out = io.BytesIO()
    ImageChops.multiply(image, marks).crop(_window(image.size, marked, scale, zoom)).save(
        out, format="PNG"
    )
    return out.getvalue()


def _window(
    size: tuple[int, int], marked: Sequence[Box], scale: float, zoom: float
) -> tuple[int, int, int, int]:
    """The part of a picture that is shown, as large as the whole page is otherwise: the marked words in its middle,
    their beginning where they are too wide for it."""
    left, top, right, bottom = (scale * edge for edge in _around(marked, size[0] / scale))
    width, height = (
        (round(edge / zoom) for edge in size) if zoom else (size[0], round(size[1] * _STRIP))
    )
    x = min((left + right - width) / 2, left - 4 * scale * _MARGIN)
    y = (top + bottom - height) / 2
    x, y = round(min(max(x, 0), size[0] - width)), round(min(max(y, 0), size[1] - height))
    return x, y, x + width, y + height


def _around(marked: Sequence[Box], width: float) -> Box:
    """The box around all boxes; the top of a page that has none."""
    if not marked:
        return 0.0, 0.0, width, 0.0
    lefts, tops, rights, bottoms = zip(*marked, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
