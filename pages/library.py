"""The library: its documents, what reading each of them met, adding, describing and removing them."""

import streamlit as st

from pages.components import document, resources, tables
from pages.components.uploads import upload

settings = resources.settings()
library = resources.library()

st.set_page_config(layout="wide")
st.title("Library", anchor=False)
upload(library, "library", settings.max_upload_mb)

documents = library.documents()
if not documents:
    st.info("The library is empty. Add a rulebook (PDF) above; reading one takes a few seconds.")
    st.stop()

tables.documents(st.container(), documents)
st.subheader("Reading reports", anchor=False)
families = sorted({held.family for held in documents if held.family})
for held in documents:
    document.show_document(library, held, families)
