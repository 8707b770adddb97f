"""What surrounds a chat: its limits and earlier chats at the side, its scope above the input."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import groupby

import streamlit as st

from core.agent import Mode, limits_of
from core.chats import Conversation, Conversations
from core.library import Document, Scope
from core.sanitize import strip_control_characters
from core.settings import Settings
from pages.components import state
from pages.components.dates import format_day, local_day, to_local_time
from pages.components.text import escape_markdown

MAX_CHATS = 30
"""Chats listed."""
MAX_DOCUMENTS_NAMED = 2
"""Documents that the line on the scope names all of; of more it names the first."""
MODES: dict[Mode, str] = {
    "quick": "One search and one answer, not scored.",
    "standard": "Tries again until the draft is good enough.",
    "deep": "As Standard, with as many tool calls as it takes.",
}
"""The named sets of limits, in a sentence each."""


def show_scope_widgets(documents: Sequence[Document]) -> None:
    """Season and document; unset they mean the newest issue of each rulebook."""
    seasons = sorted({document.season for document in documents if document.season}, reverse=True)
    season = st.selectbox(
        "Season",
        [state.NEWEST_SEASON, *seasons],
        format_func=lambda season: str(season or "Newest of each rulebook"),
        key=state.SEASON,
        bind="query-params",
    )
    fitting = {
        d.document_id: strip_control_characters(d.label)
        for d in documents
        if season in (state.NEWEST_SEASON, d.season)
    }
    st.selectbox(
        "Document",
        [state.ALL_DOCUMENTS, *fitting],
        format_func=lambda key: fitting.get(key, "All of them"),
        key=state.DOCUMENT,
        bind="query-params",
        help="A season, issue or document that a question names goes before what is chosen here.",
    )


def scope_line(scope: Scope) -> tuple[str, str]:
    """The scope in a line that stays short, and the whole of it for whoever asks: Markdown."""
    labels = [escape_markdown(document.label) for document in scope.documents]
    why = f"{escape_markdown(scope.why).capitalize()}."
    if len(labels) <= MAX_DOCUMENTS_NAMED:
        return escape_markdown(scope.label), why
    return f"{labels[0]} + {len(labels) - 1} more", "\n".join(
        [why, "", *(f"- {label}" for label in labels)]
    )


def show_limit_widgets(settings: Settings) -> None:
    """How far a run may go: a named set of limits, and sliders that refine it where it has a loop."""
    mode = st.segmented_control(
        "How far to go",
        list(MODES),
        default="standard",
        required=True,
        format_func=lambda mode: mode.capitalize(),
        key=state.MODE,
        bind="query-params",
        width="stretch",
        help="\n".join(f"- **{mode.capitalize()}:** {said}" for mode, said in MODES.items()),
    )
    limits = limits_of(settings, mode)
    if not limits.scoring:
        return
    st.slider(
        "Maximum iterations",
        1,
        state.MAX_ITERATIONS,
        limits.max_iterations,
        key=state.iterations_key(mode),
        bind="query-params",
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
        bind="query-params",
        help="A draft is accepted when the mean of its four scores reaches this.",
    )


def show_chat_list(chats: Conversations, opened: str | None) -> None:
    """Earlier chats by day and title, each at its own address, and a field to find them by words."""
    words = st.text_input(
        "Find a chat",
        key=state.CHAT_WORDS,
        placeholder="Words of a question or answer",
        max_chars=200,
    )
    found = chats.list_conversations(words, MAX_CHATS + 1)
    if words and not found:
        st.caption("No chat has all of these words.")
    for day, group in groupby(found[:MAX_CHATS], key=_day):
        st.markdown(f":small[:gray[{day}]]")
        for chat in group:
            st.page_link(
                "chat.py",
                label=escape_markdown(chat.title),
                icon=_icon(chat, opened),
                query_params=state.chat_address(chat.conversation_id),
            )
    if len(found) > MAX_CHATS:
        st.caption("There are older ones: find them by their words.")


def _day(chat: Conversation) -> str:
    """What a chat is listed under."""
    if chat.pinned:
        return "Pinned"
    here_now = to_local_time(datetime.now(UTC).isoformat()).date()
    day = local_day(chat.updated_at)
    match (here_now - day).days:
        case 0:
            return "Today"
        case 1:
            return "Yesterday"
        case _:
            return format_day(day)


def _icon(chat: Conversation, opened: str | None) -> str:
    if chat.conversation_id == opened:
        return ":material/forum:"
    return ":material/keep:" if chat.pinned else ":material/chat_bubble_outline:"
