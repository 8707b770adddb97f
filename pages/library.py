"""The library: its documents and their reading reports; adding, correcting and removing them."""

import streamlit as st

from core.library import count_missing_vectors, document_rows, resolve_scope
from pages.components import document, services
from pages.components.queue import show_queue
from pages.components.tables import show_rows
from pages.components.uploads import show_samples, show_uploader
from pages.components.words import language, say

settings = services.get_settings()
library = services.get_library()

st.title(say("page-library"), anchor=False)
whole_folder = st.toggle(say("library-folder"), key="whole-folder", persist_state="page")
show_uploader("library", settings.max_upload_mb, whole_folder)
st.caption(say("library-limits", megabytes=settings.max_upload_mb, files=settings.uploads_an_hour))
show_queue()

documents = library.documents()
if not documents:
    st.info(say("library-add-above"))
    st.stop()

if settings.search_mode != "lexical" and (missing := count_missing_vectors(library)):
    st.info(say("library-vectors", count=missing))
show_samples(library, documents)
wide_title = st.column_config.Column(width=280)
show_rows(document_rows(language(), documents), say("library-documents"), title=wide_title)
st.subheader(say("library-reports"), anchor=False)
default = resolve_scope(documents).documents
for found in documents:
    document.show_document(library, found, documents, asked_by_default=found in default)
