"""Documents to choose from, and links to two of them compared."""

from collections.abc import Callable, Mapping

import streamlit as st

from core.library import Document, Library, name_documents, newest_document
from pages.components.widgets import page_link, select_one
from pages.components.words import say


def require_documents(library: Library) -> dict[str, Document]:
    """The documents by id; ends the page with what to do if there are none."""
    documents = {document.document_id: document for document in library.documents()}
    if not documents:
        st.info(say("library-empty"))
        st.stop()
    return documents


def choose_document(
    documents: Mapping[str, Document], key: str, on_change: Callable[[], None] | None = None
) -> Document:
    """Draw a choice of one document, at first the newest, and return it."""
    newest = newest_document(documents.values())
    chosen = select_one(
        say("column-document"),
        name_documents(documents.values()),
        index=list(documents).index(newest.document_id),
        key=key,
        on_change=on_change,
        persist_state="session",
    )
    return documents[chosen]


def comparison_link(label: str, before: str, after: str, article: str) -> None:
    """Draw a link to the difference of an article and what is below it."""
    to = {"before": before, "after": after, "article": article}
    page_link("compare", label, "compare_arrows", **to)


def open_comparison(before: str, after: str, article: str) -> None:
    """Show the difference of an article on the page Compare, which is open."""
    to = {"before": before, "after": after, "article": article, "compare-view": "differences"}
    st.session_state.update(to)
