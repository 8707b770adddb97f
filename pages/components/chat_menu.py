"""What can be done with the open chat: rename, pin, export, delete and restore it."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.chats import Conversation, Conversations, SavedRun
from core.library import Library
from pages.components import address, services
from pages.components.export import export_json, export_zip
from pages.components.text import escape_markdown
from pages.components.widgets import icon_button, offer_download

CHAT_TITLE, DISCARDED = "chat-title", "discarded"


def show_deleted_chat(chats: Conversations) -> None:
    """Draw the title of the chat that was deleted last in this tab, and a button to restore it."""
    if discarded := st.session_state.get(DISCARDED):
        conversation_id, title = discarded
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"Deleted: {escape_markdown(title)}")
            icon_button("Undo", "undo", _restore_chat, chats, conversation_id, quiet=False)


def show_chat_menu(
    library: Library, chats: Conversations, chat: Conversation, runs: Sequence[SavedRun]
) -> None:
    key = f"{CHAT_TITLE}-{chat.conversation_id}"

    def rename_chat() -> None:
        if title := str(st.session_state[key]).strip():
            chats.rename_conversation(chat.conversation_id, title)

    with st.popover("This chat", icon=":material/more_horiz:", type="tertiary"):
        st.text_input("Title", chat.title, key=key, max_chars=200, on_change=rename_chat)
        wide: dict[str, Any] = {"quiet": False, "width": "stretch"}
        pin, chat_id = "Unpin" if chat.pinned else "Pin", chat.conversation_id
        pinned = not chat.pinned
        icon_button(pin, "keep", chats.pin_conversation, chat_id, pinned, key="pin-chat", **wide)
        for label, file, make in (
            ("Markdown", "chat.zip", lambda: export_zip(library, chat.title, runs)),
            ("JSON", "chat.json", lambda: export_json(chat, runs)),
        ):
            options = {"key": f"export-{file}", "width": "stretch"}
            offer_download(f"Export as {label}", file, make, **options)
        delete = _discard_chat, chats, chat_id, chat.title
        icon_button("Delete", "delete", *delete, key="delete-chat", **wide)


def _discard_chat(chats: Conversations, conversation_id: str, title: str) -> None:
    """Move the open chat to the bin, stop its runs and show the empty page."""
    for run in services.get_active_runs().follow(conversation_id):
        run.stop()
    chats.discard_conversation(conversation_id)
    st.session_state[DISCARDED] = (conversation_id, title)
    address.open_chat(None)


def _restore_chat(chats: Conversations, conversation_id: str) -> None:
    """Take a chat out of the bin and open it."""
    chats.restore_conversation(conversation_id)
    st.session_state[DISCARDED] = None
    address.open_chat(conversation_id)
