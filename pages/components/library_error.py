"""A library that cannot be used as it is: why, and reading its documents again from the files that it keeps."""

import streamlit as st

from core.errors import LibraryError, ScrutineerError
from core.library import check_library
from pages.components import services
from pages.components.text import escape_markdown


def show_error(error: ScrutineerError) -> None:
    """An error that ended a page; with it the way out, where the library is damaged or of another version."""
    st.error(escape_markdown(error.message), icon=":material/error:")
    if not (isinstance(error, LibraryError) and error.code in ("damaged", "version")):
        return
    if st.button("Read its documents again", icon=":material/healing:", type="primary"):
        _mend()


def _mend() -> None:
    with st.status(
        "Reading the documents again. Each takes some seconds ...", expanded=True
    ) as told:
        try:
            for finding in check_library(services.get_library()):
                st.markdown(escape_markdown(finding.message))
        except ScrutineerError as error:
            told.update(label=escape_markdown(error.message), state="error")
            return
        told.update(label="All was looked at.", state="complete")
    st.button("Go on", type="primary")
