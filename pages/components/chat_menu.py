"""What can be done with the open chat: rename, pin, delete and bring back, take it along."""

from collections.abc import Sequence

import streamlit as st

from core.chats import Conversation, Conversations, SavedRun
from core.library import Library
from pages.components import state
from pages.components.export import export_json, export_zip
from pages.components.text import escape_markdown


def show_deleted_chat(chats: Conversations) -> None:
    """Draw a line on the chat that was deleted last in this tab, with the means to bring it back."""
    if put_aside := state.discarded_chat():
        conversation_id, title = put_aside
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"Deleted: {escape_markdown(title)}")
            st.button(
                "Undo",
                icon=":material/undo:",
                on_click=state.restore_chat,
                args=(chats, conversation_id),
            )


def show_chat_menu(
    library: Library, chats: Conversations, chat: Conversation, runs: Sequence[SavedRun]
) -> None:
    """Draw a menu for a chat."""
    key = f"{state.CHAT_TITLE}-{chat.conversation_id}"

    def rename() -> None:
        if title := str(st.session_state[key]).strip():
            chats.rename_conversation(chat.conversation_id, title)

    with st.popover("This chat", icon=":material/more_horiz:", type="tertiary"):
        st.text_input("Title", chat.title, key=key, max_chars=200, on_change=rename)
        st.button(
            "Unpin" if chat.pinned else "Pin",
            icon=":material/keep:",
            key="pin-chat",
            on_click=chats.pin_conversation,
            args=(chat.conversation_id, not chat.pinned),
            width="stretch",
        )
        for label, name, mime, made in (
            (
                "Export as Markdown",
                "chat.zip",
                "application/zip",
                lambda: export_zip(library, chat.title, runs),
            ),
            ("Export as JSON", "chat.json", "application/json", lambda: export_json(chat, runs)),
        ):
            st.download_button(
                label,
                made,
                name,
                mime,
                key=f"export-{name}",
                on_click="ignore",
                icon=":material/download:",
                width="stretch",
            )
        st.button(
            "Delete",
            icon=":material/delete:",
            key="delete-chat",
            on_click=state.discard_chat,
            args=(chats, chat.conversation_id, chat.title),
            width="stretch",
        )
