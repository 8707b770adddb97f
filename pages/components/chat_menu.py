"""What can be done with the open chat: rename, pin, export, delete and restore it."""

from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from typing import Any

import streamlit as st

from core.chats import Conversation, Conversations, SavedRun, write_pdf, write_word
from core.library import Library
from pages.components import address, services
from pages.components.export import export_json, export_zip, report_parts
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
        _offer_exports(library, chat, runs)
        _show_sharing(chats, chat_id)
        delete = _discard_chat, chats, chat_id, chat.title
        icon_button("Delete", "delete", *delete, key="delete-chat", **wide)


def _offer_exports(library: Library, chat: Conversation, runs: Sequence[SavedRun]) -> None:
    """Draw a button for each format whose library is installed."""
    parts = partial(report_parts, library, chat.title, runs)
    formats: tuple[tuple[str, str, str, Callable[[], bytes]], ...] = (
        ("Markdown", "chat.zip", "zipfile", lambda: export_zip(library, chat.title, runs)),
        ("Word", "chat.docx", "docx", lambda: write_word(parts())),
        ("PDF", "chat.pdf", "reportlab", lambda: write_pdf(parts())),
        ("JSON", "chat.json", "json", lambda: export_json(chat, runs)),
    )
    for label, file, needs, make in formats:
        if find_spec(needs):
            options = {"key": f"export-{file}", "width": "stretch"}
            offer_download(f"Export as {label}", file, make, **options)
        else:
            st.caption(f"Install the optional part word to export as {label}.")


def _show_sharing(chats: Conversations, chat_id: str) -> None:
    """Draw the link at which others can read the chat, and buttons to make it and to end it."""
    wide: dict[str, Any] = {"quiet": False, "width": "stretch"}
    share = (chats.share_conversation, chat_id)
    secret = chats.find_share(chat_id)
    if secret is None:
        icon_button("Share to read", "link", *share, key="share-chat", **wide)
        return
    st.caption("Who has this link can read the chat as it was when you shared it:")
    st.code(address.shared_link(secret), language=None, wrap_lines=True)
    icon_button("Share as it is now", "refresh", *share, key="share-again", **wide)
    stop = (chats.stop_sharing, chat_id)
    icon_button("Stop sharing", "link_off", *stop, key="stop-sharing", **wide)


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
