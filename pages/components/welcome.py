"""The empty chat: what this is, and questions on buttons, to start with and to go on."""

from collections.abc import Sequence

import streamlit as st

from core.library import Document, Library, Scope, suggest_questions
from core.limits import suggest_value_question
from core.markdown_escape import escape_markdown
from pages.components import questions as asking
from pages.components.services import of_library
from pages.components.uploads import offer_samples
from pages.components.words import say


@st.cache_data(ttl=60, max_entries=200, **of_library)  # limits are read after a document is added
def suggest_examples(library: Library, documents: Sequence[Document]) -> list[str]:
    """Questions that documents answer, the first on a value if they set one."""
    questions = suggest_questions(library, documents)
    value = suggest_value_question(library, documents)
    return [value, *questions[:3]] if value else questions


def show_welcome(library: Library, scope: Scope, chat_id: str) -> None:
    st.title(say("welcome-title"), anchor=False)
    st.markdown(say("welcome-about"))
    if not library.documents():
        st.info(say("welcome-empty"))
        offer_samples(library)
    elif questions := suggest_examples(library, scope.documents):
        offer_questions(say("welcome-try"), questions, "example", chat_id)


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
