"""An error that ended a page, and the repair of a damaged library from its stored files."""

import streamlit as st

from core.errors import LibraryError, ScrutineerError
from core.library import check_library
from pages.components import services
from pages.components.text import escape_markdown

_MENDABLE = {
    "damaged": "The library is damaged and cannot be read.",
    "version": "The library was made by another version of Scrutineer.",
}
"""What can be mended by a button here, told without the command that would do it too."""


def show_error(error: ScrutineerError) -> None:
    """Draw the error; for a damaged library or one of another version, a button that repairs it."""
    mendable = _MENDABLE.get(error.code or "") if isinstance(error, LibraryError) else None
    st.error(mendable or escape_markdown(error.message), icon=":material/error:")
    if mendable is None:
        return
    if not st.button("Read its documents again", icon=":material/healing:", type="primary"):
        return
    label = "Reading the documents again. Each takes some seconds ..."
    with st.status(label, expanded=True) as panel:
        try:
            for finding in check_library(services.get_library()):
                st.markdown(escape_markdown(finding.message))
        except ScrutineerError as failure:
            panel.update(label=escape_markdown(failure.message), state="error")
            return
        panel.update(label="All documents were checked.", state="complete")
    st.button("Continue", type="primary")
