"""The library: its documents, what reading each of them met, adding, describing and removing them."""

import streamlit as st

from core.library.scope import resolve
from core.library.storage.vectors import missing
from pages.components import document, state, tables
from pages.components import services as resources
from pages.components.labels import amount
from pages.components.queue import show_queue
from pages.components.uploads import show_samples, upload

settings = resources.settings()
library = resources.library()

st.title("Library", anchor=False)
whole_folder = st.toggle("Add a whole folder", key=state.FOLDER, persist_state="page")
upload("library", settings.max_upload_mb, whole_folder)
st.caption(
    "Adding goes on while you chat, and after a restart."
    f" PDF files of up to {settings.max_upload_mb} MB, {settings.uploads_an_hour} of them in an hour."
)
show_queue()

documents = library.documents()
if not documents:
    st.info("The library is empty. Add a rulebook (PDF) above; reading one takes a few seconds.")
    st.stop()

if settings.search_mode != "lexical" and (lacking := missing(library)):
    st.info(
        f"{amount(lacking, 'clause')} have no vectors by {settings.embedding} yet; the next addition makes them."
    )
show_samples(library, documents)
tables.documents(st.container(), documents)
st.subheader("Reading reports", anchor=False)
asked = resolve(documents).documents
for held in documents:
    document.show_document(library, held, documents, asked=held in asked)
