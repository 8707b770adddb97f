"""The sidebar of the chat: its chats, its sources, and the budget of a run."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import streamlit as st

from core.agent import budget_of
from core.chats import MAX_CHOSEN_ITERATIONS, Conversations
from core.choices import Mode
from core.library import Document
from core.markdown_escape import escape_markdown
from core.settings import Settings
from pages.components import address, state
from pages.components.dates import format_recent_day
from pages.components.queue import show_queue
from pages.components.sources import show_day, show_presets, show_ticks
from pages.components.uploads import show_upload_trouble, show_uploader
from pages.components.widgets import choose_one, icon_button, page_link, row, select_one
from pages.components.words import say, say_each

MAX_CHATS = 30
"""Chats in the list."""
TALL_LIST, LIST_HEIGHT = 3, 130
"""Chats in the list before it scrolls, and its pixels then: all groups are on one screen."""
UPLOAD_WIDTH = 96
"""Pixels of Streamlit's button Upload."""
MANY_DOCUMENTS = 50
"""Of more documents the ticks, which take time to draw, are folded at first."""
MODES: tuple[Mode, ...] = ("quick", "standard", "deep")


def show_chat_sidebar(
    settings: Settings, chats: Conversations, documents: Sequence[Document], opened: str
) -> int:
    """Draw new chat and chats, the sources with uploads, and the budget of a run, in this order.

    Returns how many of the person's files are not added yet.
    """
    with st.container(gap="xsmall"):
        begin = "add_comment", address.open_chat, None
        icon_button(say("chat-new"), *begin, quiet=False, shortcut="Alt+N", width="stretch")
        with st.expander(say("chats"), expanded=True, icon=":material/forum:", key="chats"):
            show_chat_list(chats, opened)
        few, icon = len(documents) <= MANY_DOCUMENTS, ":material/library_books:"
        sources = st.expander(say("sources"), few, icon=icon, key="sources", on_change="rerun")
        with sources:
            with row(wrap=False, key="sources-row"):
                show_presets(documents)
                # In no popover: one that closes would drop the files that are still being sent.
                look: Any = {"label_visibility": "collapsed", "width": UPLOAD_WIDTH}
                show_uploader("chat", settings.max_upload_mb, **look)
            show_upload_trouble()
            show_day()
            if sources.open:
                show_ticks(documents)
        adding = show_queue(only_news=True)
        show_budget_widgets(settings)
        if not settings.is_offline:
            show_models(settings)
        st.caption(say("shortcuts"))
    return adding


def show_models(settings: Settings) -> None:
    """Name the model that answers and the one that decides; draw the choice, where there is one."""
    for key, own in (
        (state.ANSWER_MODEL, settings.answer_model),
        (state.DECISION_MODEL, settings.decision_model),
    ):
        names = {model: model for model in (own, *settings.offered_models)}
        about = say(f"about-{key}")
        if len(names) > 1:
            select_one(say(key), names, key=key, help=about, persist_state="session")
        else:
            st.caption(f"{say(key)}: {escape_markdown(own)}", help=about)


def show_budget_widgets(settings: Settings) -> None:
    """Draw the choice of a mode and, if its runs are scored, the sliders for its budget."""
    names = say_each("mode-", MODES)
    mode = choose_one(
        say("thoroughness"),
        names,
        state.MODE,
        default="standard",
        in_address=True,
        width="stretch",
        help="\n".join(f"- **{names[mode]}:** {say(f'mode-{mode}-about')}" for mode in MODES),
    )
    budget = budget_of(settings, mode)
    if not budget.scoring:
        return
    most, least = budget.max_iterations, budget.quality_threshold
    st.slider(
        say("budget-iterations"),
        1,
        MAX_CHOSEN_ITERATIONS,
        most,
        key=state.iterations_key(mode),
        help=say("budget-iterations-about"),
        bind="query-params",
    )
    st.slider(
        say("budget-threshold"),
        1.0,
        10.0,
        least,
        0.5,
        "%.1f",
        key=state.THRESHOLD,
        help=say("budget-threshold-about"),
        bind="query-params",
    )


def show_chat_list(chats: Conversations, opened: str | None) -> None:
    """Draw a search field and the earlier chats by day, each a link to its own address."""
    words = st.text_input(
        say("chats-find"),
        key="chat-words",
        placeholder=say("chats-find-words"),
        max_chars=200,
        label_visibility="collapsed",
    )
    found = chats.list_conversations(words, MAX_CHATS + 1)
    if words and not found:
        st.caption(say("chats-none"))
    height: Any = LIST_HEIGHT if len(found) > TALL_LIST else "content"
    with st.container(height=height, border=False, gap="xxsmall"):
        for day, group in groupby(
            found[:MAX_CHATS],
            lambda chat: say("chats-pinned") if chat.pinned else format_recent_day(chat.updated_at),
        ):
            st.markdown(f":small[:gray[{day}]]")
            for chat in group:
                unpinned = "forum" if chat.conversation_id == opened else "chat_bubble_outline"
                pinned = chat.pinned and chat.conversation_id != opened
                icon, to = "keep" if pinned else unpinned, address.chat_link(chat.conversation_id)
                title = escape_markdown(chat.title)
                page_link("chat", title, icon, help=title, **to)
        if len(found) > MAX_CHATS:
            st.caption(say("chats-older"))
