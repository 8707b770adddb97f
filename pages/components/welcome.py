"""The empty chat: what this is, and questions to start with."""

import streamlit as st

from core.library import Library, Scope
from pages.components import examples
from pages.components.uploads import offer_samples


def show_welcome(library: Library, scope: Scope, chat_id: str) -> None:
    st.title("Ask the rulebook", anchor=False)
    st.markdown(
        "Every answer quotes the rule word for word, with article, page and issue."
        " You can check each step."
    )
    if not library.documents():
        st.info(
            "The library is empty. Add a rulebook (PDF) with + below or in the sidebar,"
            " then ask about it."
        )
        offer_samples(library)
    elif questions := examples.suggest_questions(library, scope.documents):
        examples.offer_questions("Try one of these", questions, "example", chat_id)


def show_offline_notice(whole: bool) -> None:
    """Draw a line on working without a language model; the `whole` of it says how to get one."""
    way = " Add an API key in Settings for written answers." if whole else ""
    st.caption(f":material/cloud_off: Offline mode: exact quotes from the rules.{way}")
