"""The documents that there are, and links to two of them compared."""

import streamlit as st

from core.library import Document, Library
from pages.components.widgets import page_link
from pages.components.words import say


def require_documents(library: Library) -> dict[str, Document]:
    """The documents by id; ends the page with what to do if there are none."""
    documents = {document.document_id: document for document in library.documents()}
    if not documents:
        st.info(say("library-empty"))
        st.stop()
    return documents


def comparison_link(label: str, before: str, after: str, article: str) -> None:
    """Draw a link to the difference of an article and what is below it."""
    to = {"before": before, "after": after, "article": article}
    page_link("compare", label, "compare_arrows", **to)


def open_comparison(before: str, after: str, article: str) -> None:
    """Show the difference of an article on the page Compare, which is open."""
    to = {"before": before, "after": after, "article": article, "compare-view": "differences"}
    st.session_state.update(to)
