"""The side of the chat page: scope, limits, files, earlier chats."""

from collections.abc import Sequence

import streamlit as st

from core.agent.budget import limits_of
from core.agent.types import Mode
from core.conversations import Conversation
from core.library.types import Document
from core.settings import Settings
from pages.components import state
from pages.components.text import plain

EARLIER = 30
"""Chats listed."""
MODES: dict[Mode, str] = {
    "quick": "One search and one answer, not scored.",
    "standard": "Tries again until the draft is good enough.",
    "deep": "As Standard, with as many tool calls as it takes.",
}
"""The named sets of limits, in a sentence each."""


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
    """How far a run may go: a named set of limits, and sliders that refine it where it has a loop."""
    mode = st.segmented_control(
        "How far to go",
        list(MODES),
        default="standard",
        required=True,
        format_func=lambda mode: mode.capitalize(),
        key=state.MODE,
        persist_state="session",
        width="stretch",
    )
    st.caption(MODES[mode])
    limits = limits_of(settings, mode)
    if not limits.scoring:
        return
    st.slider(
        "Maximum iterations",
        1,
        state.MOST_ITERATIONS,
        limits.max_iterations,
        key=state.iterations_key(mode),
        persist_state="session",
        help="Passes of the loop before you are asked. Not a limit on tool calls.",
    )
    st.slider(
        "Quality threshold",
        1.0,
        10.0,
        limits.quality_threshold,
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
