"""The empty chat: what this is, whether a language model is at work, and questions to begin with."""

import streamlit as st

from core.library import Library, Scope
from pages.components import examples
from pages.components.uploads import offer_samples


def show_welcome(library: Library, scope: Scope) -> None:
    """Draw the page before the first question."""
    st.title("Ask the rulebook", anchor=False)
    st.markdown(
        "Answers come word for word, with article, page, season and issue, and with the whole reasoning."
    )
    if not library.documents():
        st.info(
            "The library is empty. Add a rulebook (PDF) with + below or in the sidebar, then ask about it."
        )
        offer_samples(library)
        return
    offered = examples.suggest_questions(library, scope.documents)
    if offered:
        examples.offer_questions("Try one of these", offered, "example")


def show_offline_notice(whole: bool) -> None:
    """A line on working without a language model, the `whole` of it with the way to one."""
    way = " To have Claude answer, enter a key in Settings." if whole else ""
    st.caption(
        f":material/cloud_off: Working offline: rules are quoted, no language model writes.{way}"
    )
