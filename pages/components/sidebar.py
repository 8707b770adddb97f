"""The side of the chat page: scope, limits, files, earlier chats."""

from collections.abc import Sequence

import streamlit as st

from core.conversations import Conversation
from core.library.types import Document
from core.settings import Settings
from pages.components import state
from pages.components.text import plain

EARLIER = 30
"""Chats listed."""


def scope_widgets(documents: Sequence[Document]) -> None:
    """Season and document; unset they mean the newest issue of each rulebook."""
    seasons = sorted({document.season for document in documents if document.season}, reverse=True)
    season = st.selectbox(
        "Season",
        [state.NEWEST, *seasons],
        format_func=lambda season: str(season or "Newest of each rulebook"),
        key=state.SEASON,
        persist_state="session",
    )
    fitting = {d.document_id: d.label for d in documents if season in (state.NEWEST, d.season)}
    st.selectbox(
        "Document",
        [state.ALL, *fitting],
        format_func=lambda key: fitting.get(key, "All of them"),
        key=state.DOCUMENT,
        persist_state="session",
        help="A season, issue or document that a question names goes before what is chosen here.",
    )


def limit_widgets(settings: Settings) -> None:
    """How long a run may try, and how good a draft has to be."""
    st.slider(
        "Maximum iterations",
        1,
        state.MOST_ITERATIONS,
        settings.max_iterations,
        key=state.ITERATIONS,
        persist_state="session",
        help="Passes of the loop before you are asked. Not a limit on tool calls.",
    )
    st.slider(
        "Quality threshold",
        1.0,
        10.0,
        settings.quality_threshold,
        0.5,
        "%.1f",
        key=state.THRESHOLD,
        persist_state="session",
        help="A draft is accepted when the mean of its four scores reaches this.",
    )


def chat_list(chats: Sequence[Conversation], opened: str | None) -> None:
    """Earlier chats by title, each at its own address."""
    if chats:
        st.markdown(":small[:gray[Earlier chats]]")
    for chat in chats[:EARLIER]:
        st.page_link(
            "chat.py",
            label=plain(chat.title),
            icon=":material/forum:" if chat.conversation_id == opened else ":material/chat_bubble_outline:",
            query_params={"chat": chat.conversation_id},
        )
