"""The figures and equations of a clause, cropped from the pictures of their pages."""

import streamlit as st

from core.library import Library
from core.markdown_escape import escape_markdown
from core.rulebook import FIGURE_MARGIN, Clause, article_label, crop_page
from pages.components.page_image import find_pdf
from pages.components.words import say

crop_figure = st.cache_data(crop_page, show_spinner=False, max_entries=50)


def show_figures(library: Library, clause: Clause) -> None:
    """Draw the figures and equations of a clause with their captions, where its PDF is stored.

    Raises ReadError for a page that cannot be shown.
    """
    file = find_pdf(library, clause.document_id) if clause.figures else None
    if file is None:
        return
    for figure in clause.figures:
        image = crop_figure(file, figure.page, figure.box)
        if image is None:
            continue
        kind, (left, _, right, _) = say(f"figure-{figure.kind}"), figure.box
        # Pixels on the screen: a little larger than on paper.
        width = max(1, round(1.3 * (right - left + 2 * FIGURE_MARGIN)))
        article = article_label(clause.article, say("article"))
        name = say("figure-name", kind=kind, article=article, page=figure.page)
        st.image(image, width=width, alt=figure.caption or name)
        caption = escape_markdown(figure.caption) or kind
        st.caption(say("figure-caption", caption=caption, page=figure.page))
