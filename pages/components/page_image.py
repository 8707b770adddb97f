"""A page of a document as a picture, with the words of a quote highlighted."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st
from PIL import Image, ImageChops, ImageDraw

from core.library import Document, Library
from core.rulebook import Box, locate_quote, page_image
from core.sanitize import strip_control_characters
from pages.components import state
from pages.components.widgets import choose_one
from pages.components.words import say

MARKER_COLOR = (255, 226, 92)
ZOOMS = (1.0, 1.5, 2.0, 3.0)
QUOTE_ZOOM = 0.0
"""Not a factor: shows a strip of the page, at full width, around the marked words."""
_STRIP = 0.45  # of the page's height
PAGE_SCALE = 2.0
"""Pixels per point of a whole page. The zoom multiplies it."""
_MARGIN = 1.5  # points beside marked words


def find_pdf(library: Library, document_id: str) -> Path | None:
    """The stored PDF of a document; None if it was removed or is not a PDF."""
    known = {document.document_id for document in library.documents()}
    path = library.stored_file(document_id) if document_id in known else None
    return path if path is not None and path.suffix == ".pdf" else None


def show_page(
    file: Path, document: Document, marks: Callable[[int], tuple[Box, ...]], around: bool = False
) -> bool:
    """Draw the current page with its marks, and controls to change page and zoom.

    `marks` returns the boxes to mark on a page. With `around`, the zoom starts at the quote.
    Returns True if anything on the page is marked. Raises ReadError.
    """
    page = min(max(state.current_page(), 1), document.pages)
    with st.container(horizontal=True, vertical_alignment="center"):
        for way, target, shortcut in (
            ("previous", page - 1, "Alt+P"),
            ("next", page + 1, "Alt+X"),
        ):
            st.button(
                say(f"page-{way}"),
                key=f"turn-{way}",
                disabled=not 1 <= target <= document.pages,
                on_click=state.turn_to_page,
                args=(target,),
                shortcut=shortcut,
            )
        st.markdown(say("page-of", page=page, pages=document.pages), width="content")
        zooms = {QUOTE_ZOOM: say("zoom-quote")} if around else {}
        zooms |= {zoom: f"{zoom:g}×" for zoom in ZOOMS}  # short, for one line of a phone
        key = "zoom-around" if around else "zoom"
        zoom = choose_one(say("zoom"), zooms, key, label_visibility="collapsed")
    marked = marks(page)
    st.image(
        draw_page(file, page, marked, zoom or (QUOTE_ZOOM if marked else 1.0)),
        width="stretch",
        alt=say("page-of-document", page=page, document=strip_control_characters(document.label)),
    )
    return bool(marked)


@st.cache_data(show_spinner=False, max_entries=500)
def cached_quote_boxes(file: Path, page: int, quote: str, near: Sequence[Box]) -> tuple[Box, ...]:
    """The boxes of a quote on a page. Raises ReadError."""
    return locate_quote(file.read_bytes(), page, quote, near)


@st.cache_data(show_spinner=False, max_entries=50)
def draw_page(file: Path, page: int, marked: Sequence[Box], zoom: float) -> bytes:
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
