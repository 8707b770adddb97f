"""An error that ended a page, and the repair of a damaged library from its stored files."""

import streamlit as st

from core.errors import LibraryError, ScrutineerError
from core.library import check_library
from core.markdown_escape import escape_markdown
from pages.components import services
from pages.components.words import say, say_error

_MENDABLE = ("damaged", "version")
"""What can be mended by a button here, told without the command that would do it too."""


def show_error(error: ScrutineerError) -> None:
    """Draw the error; for a damaged library or one of another version, a button that repairs it."""
    mendable = isinstance(error, LibraryError) and error.code in _MENDABLE
    message = say(f"error-{error.code}") if mendable else escape_markdown(say_error(error))
    st.error(message, icon=":material/error:")
    if not mendable:
        return
    if not st.button(say("error-read-again"), icon=":material/healing:", type="primary"):
        return
    with st.status(say("read-again"), expanded=True) as panel:
        try:
            for finding in check_library(services.get_library()):
                st.markdown(escape_markdown(finding.message))
        except ScrutineerError as failure:
            panel.update(label=escape_markdown(say_error(failure)), state="error")
            return
        panel.update(label=say("error-read"), state="complete")
    st.button(say("continue"), type="primary")
