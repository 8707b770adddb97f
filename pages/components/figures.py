"""The figures and equations of a clause, cropped from the pictures of their pages."""

import io
from pathlib import Path

import streamlit as st
from PIL import Image

from core.library import Library
from core.rulebook import Box, Clause, article_label, page_image
from pages.components.page_image import find_pdf
from pages.components.text import escape_markdown
from pages.components.words import say

FIGURE_SCALE = 3.0
"""Pixels per point."""
_MARGIN = 4.0  # points around a figure


def show_figures(library: Library, clause: Clause) -> None:
    """Draw the figures and equations of a clause with their captions, where its PDF is stored.

    Raises ReadError for a page that cannot be shown.
    """
    file = find_pdf(library, clause.document_id) if clause.figures else None
    if file is None:
        return
    for figure in clause.figures:
        image = crop_page(file, figure.page, figure.box)
        if image is None:
            continue
        kind, (left, _, right, _) = say(f"figure-{figure.kind}"), figure.box
        # Pixels on the screen: a little larger than on paper.
        width = max(1, round(1.3 * (right - left + 2 * _MARGIN)))
        article = article_label(clause.article, say("article"))
        name = say("figure-name", kind=kind, article=article, page=figure.page)
        st.image(image, width=width, alt=figure.caption or name)
        caption = escape_markdown(figure.caption) or kind
        st.caption(say("figure-caption", caption=caption, page=figure.page))


@st.cache_data(show_spinner=False, max_entries=50)
def crop_page(file: Path, page: int, box: Box) -> bytes | None:
    """A part of a page (in points) as PNG; None if it is outside the page. Raises ReadError."""
    image = Image.open(io.BytesIO(page_image(file.read_bytes(), page, FIGURE_SCALE)))
    left, top, right, bottom = box
    around = (left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN)
    x0, y0, x1, y1 = (round(FIGURE_SCALE * edge) for edge in around)
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, image.width), min(y1, image.height)
    if x0 >= x1 or y0 >= y1:
        return None
    out = io.BytesIO()
    image.crop((x0, y0, x1, y1)).save(out, format="PNG")
    return out.getvalue()
