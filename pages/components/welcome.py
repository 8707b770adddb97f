"""The empty chat: what this is, and questions on buttons, to start with and to go on."""

from collections.abc import Sequence

import streamlit as st

from core.library import Document, Library, Scope, suggest_questions
from core.markdown_escape import escape_markdown
from pages.components import questions as asking
from pages.components.uploads import offer_samples
from pages.components.words import say


def show_welcome(library: Library, scope: Scope, chat_id: str) -> None:
    st.title(say("welcome-title"), anchor=False)
    st.markdown(say("welcome-about"))
    if not library.documents():
        st.info(say("welcome-empty"))
        offer_samples(library)
    elif questions := suggested_questions(library, scope.documents):
        offer_questions(say("welcome-try"), questions, "example", chat_id)


def show_offline_notice(whole: bool) -> None:
    """Draw a line on working without a language model; the `whole` of it says how to get one."""
    st.caption(say("offline-whole" if whole else "offline"))


def offer_questions(
    label: str, questions: Sequence[str], key: str, chat_id: str, after: str = ""
) -> None:
    """Draw a button for each question, to ask it in this chat `after` its last run.

    Pills would cut off what is too long for a phone.
    """
    with st.container(gap="xsmall"):
        st.markdown(f":small[{label}]")
        with st.container(horizontal=True, gap="xsmall"):
            for number, question in enumerate(questions):
                st.button(
                    escape_markdown(question),
                    key=f"{key}-{number}",
                    on_click=asking.ask,
                    args=(chat_id, after, question),
                    wrap=True,
                )


def suggested_questions(library: Library, documents: tuple[Document, ...]) -> list[str]:
    """Questions that the documents answer; found again when the library changes."""
    return _suggest(library, documents, library.version)


@st.cache_data(show_spinner=False, max_entries=200)
def _suggest(
    _library: Library,
    documents: tuple[Document, ...],
    version: int,  # noqa: ARG001
) -> list[str]:
    return suggest_questions(_library, documents)
