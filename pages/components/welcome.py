"""The empty chat: what this is, and questions on buttons, to start with and to go on."""

from collections.abc import Sequence

import streamlit as st

from core.agent import events as ev
from core.answers import describe_choice
from core.library import Library, Scope
from core.markdown_escape import escape_markdown
from core.sheets import suggest_examples
from pages.components import questions as asking
from pages.components.services import of_library
from pages.components.uploads import offer_samples
from pages.components.words import language, say


@st.cache_data(ttl=60, max_entries=200, **of_library)
def _suggest_examples(library: Library, document_ids: tuple[str, ...]) -> list[str]:
    """Return questions that documents answer, by their ids: Streamlit hashes documents slowly.

    They are kept for a minute: limits are read after a document was added.
    """
    held = {document.document_id: document for document in library.documents()}
    return suggest_examples(library, [held[one] for one in document_ids if one in held])


def show_welcome(library: Library, scope: Scope, chat_id: str) -> None:
    st.title(say("welcome-title"), anchor=False)
    st.markdown(say("welcome-about"))
    if not library.documents():
        st.info(say("welcome-empty"))
        offer_samples(library)
    elif questions := _suggest_examples(library, scope.ids):
        offer_questions(say("welcome-try"), questions, "example", chat_id)


def offer_questions(
    label: str, questions: Sequence[str], key: str, chat_id: str, after: str = ""
) -> None:
    """Draw a button for each question, to ask it in this chat `after` its last run."""
    offer_choices(label, [ev.Choice(question=one) for one in questions], key, chat_id, after)


def offer_choices(
    label: str, choices: Sequence[ev.Choice], key: str, chat_id: str, after: str
) -> None:
    """Draw a button for each choice, to ask it of all that is chosen or of its one document.

    Pills would cut off what is too long for a phone.
    """
    with st.container(gap="xsmall"):
        st.markdown(f":small[{label}]")
        with st.container(horizontal=True, gap="xsmall"):
            for number, choice in enumerate(choices):
                st.button(
                    escape_markdown(describe_choice(language(), choice)),
                    key=f"{key}-{number}",
                    on_click=asking.ask_choice,
                    args=(chat_id, after, choice),
                    wrap=True,
                )
