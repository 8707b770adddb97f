"""The library: its documents, what reading each of them met, adding, describing and removing them."""

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
    "Adding goes on while you chat, and after a restart."
    f" PDF files of up to {settings.max_upload_mb} MB, {settings.uploads_an_hour} of them in an hour."
)
show_queue()

documents = library.documents()
if not documents:
    st.info("The library is empty. Add a rulebook (PDF) above; reading one takes a few seconds.")
    st.stop()

if settings.search_mode != "lexical" and (lacking := count_missing_vectors(library)):
    st.info(
        f"{format_count(lacking, 'clause')} have no vectors by {settings.embedding} yet; the next addition makes them."
    )
show_samples(library, documents)
tables.show_document_table(st.container(), documents)
st.subheader("Reading reports", anchor=False)
asked = resolve_scope(documents).documents
for held in documents:
    document.show_document(library, held, documents, asked_by_default=held in asked)
