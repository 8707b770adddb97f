"""The empty chat: what this is, whether a language model is at work, and questions to begin with."""

import streamlit as st

from core.library.storage.store import Library
from core.library.types import Scope
from pages.components import examples, state
from pages.components.text import plain
from pages.components.uploads import offer_samples


def show_welcome(library: Library, scope: Scope) -> None:
    """Draw the page before the first question."""
    st.title("Ask the rulebook", anchor=False)
    st.markdown("Answers come word for word, with article, page, season and issue, and with the whole reasoning.")
    if not library.documents():
        st.info("The library is empty. Add a rulebook (PDF) in the sidebar, then ask about it.")
        offer_samples(library)
        return
    offered = examples.questions(library, scope.documents)
    if offered:
        st.pills(
            "Try one of these",
            offered,
            key=state.EXAMPLE,
            format_func=plain,
            on_change=state.pick,
            args=(state.EXAMPLE,),
        )


def show_offline() -> None:
    """One line on working without a language model."""
    st.caption(
        ":material/cloud_off: Working offline: extractive, no language model."
        " Set `ANTHROPIC_API_KEY` in `.env` and start again to have answers written by Claude."
    )
