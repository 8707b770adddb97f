"""The library: its documents and their reading reports; adding, correcting and removing them."""

import streamlit as st

from core.library import count_missing_vectors, resolve_scope
from pages.components import document, services, state, tables
from pages.components.labels import format_count
from pages.components.queue import show_queue
from pages.components.uploads import show_samples, show_uploader

settings = services.get_settings()
library = services.get_library()

st.title("Library", anchor=False)
whole_folder = st.toggle("Add a whole folder", key=state.WHOLE_FOLDER, persist_state="page")
show_uploader("library", settings.max_upload_mb, whole_folder)
st.caption(
    "You can keep working while files are added. PDF files of up to"
    f" {settings.max_upload_mb} MB, {settings.uploads_an_hour} per hour."
)
show_queue()

documents = library.documents()
if not documents:
    st.info("The library is empty. Add a rulebook (PDF) above; reading one takes a few seconds.")
    st.stop()

if settings.search_mode != "lexical" and (missing := count_missing_vectors(library)):
    st.info(
        f"{format_count(missing, 'clause')} have no vectors by {settings.embedding} yet;"
        " they are being made, and until then its clauses are found by words."
    )
show_samples(library, documents)
tables.show_document_table(st.container(), documents)
st.subheader("Reading reports", anchor=False)
default = resolve_scope(documents).documents
for found in documents:
    document.show_document(library, found, documents, asked_by_default=found in default)
