"""Rulebooks: one list of documents, one box that searches them, and each as a tree of articles."""

import streamlit as st

from core.markdown_escape import escape_markdown
from pages.components import services, state
from pages.components.rule_search import show_found
from pages.components.rulebook_list import show_list
from pages.components.rulebook_tree import show_rulebook
from pages.components.words import say


def show_rulebooks() -> None:
    st.title(say("page-rulebooks"), anchor=False)
    library = services.get_library()
    documents = {document.document_id: document for document in library.documents()}
    if not state.follow_address(documents):
        st.warning(say("browse-missing"))
    opened = documents.get(state.opened_document_id() or "")
    box = {"key": state.WORDS, "max_chars": 500, "bind": "query-params"}
    words = ""
    if documents:
        label = escape_markdown(opened.citation_label) if opened else ""
        said = say("browse-words", document=label) if opened else say("search-words")
        words = st.text_input(said, **box).strip()
    if opened:
        show_rulebook(library, opened, words)
    elif words:
        show_found(library, tuple(documents.values()), words)
    else:
        show_list(library, tuple(documents.values()))


show_rulebooks()
