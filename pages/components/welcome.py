"""The empty chat: what this is, and questions to start with."""

import streamlit as st

from core.library import Library, Scope
from pages.components import examples
from pages.components.uploads import offer_samples
from pages.components.words import say


def show_welcome(library: Library, scope: Scope, chat_id: str) -> None:
    st.title(say("welcome-title"), anchor=False)
    st.markdown(say("welcome-about"))
    if not library.documents():
        st.info(say("welcome-empty"))
        offer_samples(library)
    elif questions := examples.suggested_questions(library, scope.documents):
        examples.offer_questions(say("welcome-try"), questions, "example", chat_id)


def show_offline_notice(whole: bool) -> None:
    """Draw a line on working without a language model; the `whole` of it says how to get one."""
    st.caption(say("offline-whole" if whole else "offline"))
