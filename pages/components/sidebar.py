"""The widgets around a chat: limits and earlier chats in the sidebar, the scope above the input."""

from collections.abc import Sequence
from itertools import groupby

import streamlit as st

from core.agent import Mode, limits_of
from core.chats import Conversations
from core.library import Document, Scope
from core.sanitize import strip_control_characters
from core.settings import Settings
from pages.components import address, state
from pages.components.dates import format_recent_day
from pages.components.text import escape_markdown
from pages.components.widgets import choose_one

MAX_CHATS = 30
"""Chats in the list."""
MAX_DOCUMENTS_NAMED = 2
"""Documents that the scope line names; if there are more, it names the first."""
MODES: dict[Mode, str] = {
    "quick": "One search and one answer, not scored.",
    "standard": "Tries again until the draft is good enough.",
    "deep": "As Standard, with as many tool calls as it takes.",
}


def show_scope_widgets(documents: Sequence[Document]) -> None:
    """Draw season and document; unset, they mean the newest issue of each rulebook."""
    season = st.selectbox(
        "Season",
        [state.NEWEST_SEASON, *sorted({d.season for d in documents if d.season}, reverse=True)],
        format_func=lambda season: str(season or "Newest of each rulebook"),
        key=state.SEASON,
        bind="query-params",
    )
    labels = {
        document.document_id: strip_control_characters(document.label)
        for document in documents
        if season in (state.NEWEST_SEASON, document.season)
    }
    st.selectbox(
        "Document",
        [state.ALL_DOCUMENTS, *labels],
        format_func=lambda key: labels.get(key, "All of them"),
        key=state.DOCUMENT,
        bind="query-params",
        help="This choice goes before a season, issue or rulebook that a question names.",
    )


def scope_line(scope: Scope) -> tuple[str, str]:
    """A short line on the scope, and the whole of it for its tooltip; both Markdown."""
    labels = [escape_markdown(document.label) for document in scope.documents]
    why = f"{escape_markdown(scope.why).capitalize()}."
    without = f" · {len(scope.left_out)} left out" if scope.left_out else ""
    details = [why]
    line = escape_markdown(scope.label)
    if len(labels) > MAX_DOCUMENTS_NAMED:
        line = f"{labels[0]} + {len(labels) - 1} more"
        details += ["", *(f"- {label}" for label in labels)]
    if scope.left_out:
        left = (escape_markdown(document.citation_label) for document in scope.left_out)
        details += ["", "Left out:", "", *(f"- {label}" for label in left)]
    return f"{line}{without}", "\n".join(details)


def show_limit_widgets(settings: Settings) -> None:
    """Draw the choice of a mode and, if its runs are scored, the sliders for its limits."""
    mode = choose_one(
        "Thoroughness",
        {mode: mode.capitalize() for mode in MODES},
        state.MODE,
        default="standard",
        bind="query-params",
        width="stretch",
        help="\n".join(f"- **{mode.capitalize()}:** {about}" for mode, about in MODES.items()),
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
    """Draw a search field and the earlier chats by day, each a link to its own address."""
    words = st.text_input(
        "Find a chat",
        key=state.CHAT_WORDS,
        placeholder="Words of a question or answer",
        max_chars=200,
    )
    found = chats.list_conversations(words, MAX_CHATS + 1)
    if words and not found:
        st.caption("No chat has all of these words.")
    for day, group in groupby(
        found[:MAX_CHATS],
        key=lambda chat: "Pinned" if chat.pinned else format_recent_day(chat.updated_at),
    ):
        st.markdown(f":small[:gray[{day}]]")
        for chat in group:
            unpinned = "forum" if chat.conversation_id == opened else "chat_bubble_outline"
            pinned = chat.pinned and chat.conversation_id != opened
            st.page_link(
                "chat.py",
                label=escape_markdown(chat.title),
                icon=f":material/{'keep' if pinned else unpinned}:",
                query_params=address.chat_address(chat.conversation_id),
            )
    if len(found) > MAX_CHATS:
        st.caption("There are older ones: find them by their words.")
