"""Rulebooks: one list of documents, one box that searches them, and each as a tree of articles."""

from collections.abc import Sequence
from itertools import chain

import streamlit as st

from core.library import Document, Editions, Library, count_missing_vectors, resolve_scope
from core.markdown_escape import escape_markdown
from pages.components import services, state
from pages.components.document import show_document
from pages.components.queue import show_queue
from pages.components.rule_address import follow_rule
from pages.components.rule_search import show_found
from pages.components.rulebook_tree import show_rulebook
from pages.components.rulings import choose_rulings, show_ruling_documents
from pages.components.uploads import show_samples, show_upload_trouble, show_uploader
from pages.components.widgets import icon_button
from pages.components.words import say


def show_list(library: Library, documents: Sequence[Document]) -> None:
    """Draw the uploader, the files that are being added, and a line for each document."""
    settings = services.get_settings()
    with st.expander(say("upload"), not documents, icon=":material/upload_file:"):
        choose_rulings(documents)
        whole_folder = st.toggle(say("library-folder"), key="whole-folder", persist_state="page")
        show_uploader("library", settings.max_upload_mb, whole_folder)
        show_upload_trouble()
        size, files = settings.max_upload_mb, settings.uploads_an_hour
        st.caption(say("library-limits", megabytes=size, files=files))
    show_queue()
    if not documents:
        st.info(say("library-add-above"))
        return
    if library.mode != "lexical" and (missing := count_missing_vectors(library)):
        st.info(say("library-vectors", count=missing))
    show_samples(library, documents)
    default = resolve_scope(documents).documents
    for document in chain.from_iterable(Editions(documents).group_by_rulebook()):
        with st.container(horizontal=True, wrap=False, gap="small"):
            show_document(library, document, documents, asked_by_default=document in default)
            read = state.open_document, document.document_id
            about = say("library-read-about", document=escape_markdown(document.label))
            key = f"articles-{document.document_id[:16]}"
            icon_button(say("library-read"), "account_tree", *read, key=key, help=about)
    show_ruling_documents(library, documents)


def show_rulebooks() -> None:
    st.title(say("page-rulebooks"), anchor=False)
    library = services.get_library()
    documents = {document.document_id: document for document in library.documents()}
    addressed = follow_rule(library)
    if addressed == "":  # a choice is drawn
        return
    if not state.follow_address(documents, addressed):
        st.warning(say("browse-missing"))
    opened = documents.get(state.opened_document_id() or "")
    words = ""
    if documents:
        label = escape_markdown(opened.citation_label) if opened else ""
        said = say("browse-words", document=label) if opened else say("search-words")
        words = st.text_input(said, key=state.WORDS, max_chars=500, bind="query-params").strip()
    if opened:
        show_rulebook(library, opened, words)
    elif words:
        show_found(library, tuple(documents.values()), words)
    else:
        show_list(library, tuple(documents.values()))


show_rulebooks()
