"""Documents to choose from, under distinct names."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import date

import streamlit as st

from core.library import Document, Library
from core.sanitize import strip_control_characters
from pages.components.widgets import page_link, select_one
from pages.components.words import language, say


def distinct_names(documents: Iterable[Document]) -> dict[str, str]:
    """A name for each document id: its label, with file and id if others have the same label."""
    labelled = [(document, strip_control_characters(document.label)) for document in documents]
    count = Counter(label for _, label in labelled)
    return {
        document.document_id: label
        if count[label] == 1
        else f"{label} ({strip_control_characters(document.file)}, {document.document_id[:8]})"
        for document, label in labelled
    }


def edition_label(document: Document) -> str:
    """Season, issue and date of a document, else its title: "2025 · Issue 5 · 30 Apr 2025"."""
    parts = (
        str(document.season or ""),
        say("issue-number", issue=str(document.issue)) if document.issue is not None else "",
        language().format_day(date.fromisoformat(document.date)) if document.date else "",
    )
    return strip_control_characters(" · ".join(filter(None, parts)) or document.title)


def require_documents(library: Library) -> dict[str, Document]:
    """The documents by id; ends the page with what to do if there are none."""
    documents = {document.document_id: document for document in library.documents()}
    if not documents:
        st.info(say("library-empty"))
        st.stop()
    return documents


def newest_document(documents: Iterable[Document]) -> Document:
    """The document that was published last; a sample only where nothing else is held."""
    return max(documents, key=lambda d: (not d.is_sample, d.date or "", *d.edition))


def choose_document(
    documents: Mapping[str, Document], key: str, on_change: Callable[[], None] | None = None
) -> Document:
    """Draw a choice of one document, at first the newest, and return it."""
    newest = newest_document(documents.values())
    chosen = select_one(
        say("column-document"),
        distinct_names(documents.values()),
        index=list(documents).index(newest.document_id),
        key=key,
        on_change=on_change,
        persist_state="session",
    )
    return documents[chosen]


def comparison_link(label: str, before: str, after: str, article: str = "") -> None:
    """Draw a link to two documents on the page Compare."""
    page_link("compare", label, "compare_arrows", **comparison_address(before, after, article))


def comparison_address(before: str, after: str, article: str = "") -> dict[str, str]:
    """The address of two documents on the page Compare, of one article and what is below it."""
    return {"before": before, "after": after} | ({"article": article} if article else {})
