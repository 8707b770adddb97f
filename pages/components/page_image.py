"""A page of a document as a picture, with the words of a quote highlighted."""

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from core.grammar import article_label
from core.library import Document, Library
from core.markdown_escape import escape_markdown
from core.rulebook import Box, Clause, crop_page, draw_marked_page, locate_quote
from core.sanitize import strip_control_characters
from pages.components import state
from pages.components.widgets import choose_one, row
from pages.components.words import say

_MARGIN = 4.0  # points around a figure
_AROUND_QUOTE = 0.0  # the zoom of a strip around the marked words
crop_figure = st.cache_data(show_spinner=False, max_entries=50)(crop_page)


def show_figures(library: Library, clause: Clause) -> None:
    """Draw the figures and equations of a clause with their captions, where its PDF is stored.

    Raises ReadError for a page that cannot be shown.
    """
    file = library.stored_pdf(clause.document_id) if clause.figures else None
    if file is None:
        return
    for figure in clause.figures:
        left, top, right, bottom = figure.box
        box = (left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN)
        image = crop_figure(file, figure.page, box)
        if image is None:
            continue
        kind = say(f"figure-{figure.kind}")
        # Pixels on the screen: a little larger than on paper.
        width = max(1, round(1.3 * (right - left + 2 * _MARGIN)))
        article = article_label(clause.article, say("article"))
        name = say("figure-name", kind=kind, article=article, page=figure.page)
        st.image(image, width=width, alt=figure.caption or name)
        caption = escape_markdown(figure.caption) or kind
        st.caption(say("figure-caption", caption=caption, page=figure.page))


ZOOMS = (1.0, 1.5, 2.0, 3.0)
draw_page = st.cache_data(show_spinner=False, max_entries=50)(draw_marked_page)


def show_page(
    file: Path, document: Document, marks: Callable[[int], tuple[Box, ...]], around: bool = False
) -> bool:
    """Draw the current page with its marks, and controls to change page and zoom.

    `marks` returns the boxes to mark on a page. With `around`, the zoom starts at the quote.
    Returns True if anything on the page is marked. Raises ReadError.
    """
    page = min(max(state.current_page(), 1), document.pages)
    with row():
        for way, target, shortcut in (("previous", page - 1, "Alt+P"), ("next", page + 1, "Alt+X")):
            st.button(
                say(f"page-{way}"),
                key=f"turn-{way}",
                disabled=not 1 <= target <= document.pages,
                on_click=state.turn_to_page,
                args=(target,),
                shortcut=shortcut,
            )
        st.markdown(say("page-of", page=page, pages=document.pages), width="content")
        zooms = {_AROUND_QUOTE: say("zoom-quote")} if around else {}
        zooms |= {zoom: f"{zoom:g}×" for zoom in ZOOMS}  # short, for one line of a phone
        key = "zoom-around" if around else "zoom"
        zoom = choose_one(say("zoom"), zooms, key, label_visibility="collapsed")
    marked = marks(page)
    st.image(
        draw_page(file, page, marked, zoom or (_AROUND_QUOTE if marked else 1.0)),
        width="stretch",
        alt=say("page-of-document", page=page, document=strip_control_characters(document.label)),
    )
    return bool(marked)


@st.cache_data(show_spinner=False, max_entries=500)
def cached_quote_boxes(file: Path, page: int, quote: str, near: Sequence[Box]) -> tuple[Box, ...]:
    """The boxes of a quote on a page. Raises ReadError."""
    return locate_quote(file.read_bytes(), page, quote, near)
