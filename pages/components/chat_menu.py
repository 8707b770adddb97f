"""What can be done with the open chat: rename, pin, export, delete and restore it."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

import streamlit as st

from core.chats import (
    Conversation,
    Conversations,
    SavedRun,
    compose_report,
    list_chat_files,
)
from core.errors import ReadError
from core.exports import ReportPart
from core.library import Library
from core.markdown_escape import escape_markdown
from core.verification import Citation
from pages.components import address, services
from pages.components.citation import citation_boxes
from pages.components.page_image import draw_page
from pages.components.widgets import icon_button, offer_download, popover, row
from pages.components.words import language, say


def report_parts(library: Library, title: str, runs: Sequence[SavedRun]) -> Iterator[ReportPart]:
    """The parts of a report on a chat, with a picture of each cited page."""
    picture, server = partial(_draw_cited_page, library), address.server_address("")
    return compose_report(title, runs, picture, language(), server)


def _draw_cited_page(library: Library, cited: Sequence[Citation]) -> bytes | None:
    """Draw the page of some quotes, all of them marked."""
    file, page = library.stored_pdf(cited[0].document_id), cited[0].page
    if file is None or page is None:
        return None
    try:
        boxes = (citation_boxes(library, file, citation, page) for citation in cited)
        return draw_page(file, page, tuple(chain.from_iterable(boxes)), 1.0)
    except ReadError:  # the quotes suffice
        return None


CHAT_TITLE, DISCARDED = "chat-title", "discarded"


def show_deleted_chat(chats: Conversations) -> None:
    """Draw the title of the chat that was deleted last in this tab, and a button to restore it."""
    if discarded := st.session_state.get(DISCARDED):
        conversation_id, title = discarded
        with row():
            st.caption(say("chat-deleted", title=escape_markdown(title)))
            icon_button(say("undo"), "undo", _restore_chat, chats, conversation_id, quiet=False)


def show_chat_menu(library: Library, chats: Conversations, chat: Conversation) -> None:
    key = f"{CHAT_TITLE}-{chat.conversation_id}"

    def rename_chat() -> None:
        if title := str(st.session_state[key]).strip():
            chats.rename_conversation(chat.conversation_id, title)

    chat_id, title = chat.conversation_id, say("chat-title")
    with popover(say("chat-menu"), "more_horiz", f"menu-{chat.conversation_id}") as is_open:
        if not is_open:
            return
        st.text_input(title, chat.title, key=key, max_chars=200, on_change=rename_chat)
        pin = say("chat-unpin" if chat.pinned else "chat-pin")
        _wide_button(pin, "keep", "pin-chat", chats.pin_conversation, chat_id, not chat.pinned)
        _offer_exports(library, chats, chat)
        _show_sharing(chats, chat_id)
        delete = _discard_chat, chats, chat_id, chat.title
        _wide_button(say("chat-delete"), "delete", "delete-chat", *delete)


def _wide_button(label: str, icon: str, key: str, *call: Any) -> None:
    icon_button(label, icon, *call, key=key, quiet=False, width="stretch")


def _offer_exports(library: Library, chats: Conversations, chat: Conversation) -> None:
    """Draw a button for each format; runs at work are left out."""

    def load_runs() -> list[SavedRun]:
        return [run for run in chats.list_runs(chat.conversation_id) if run.outcome]

    def parts() -> Iterator[ReportPart]:
        return report_parts(library, chat.title, load_runs())

    for file in list_chat_files(chat, load_runs, parts):
        options = {"key": f"export-{file.name}", "width": "stretch"}
        offer_download(say("chat-export", format=file.format), file.name, file.make, **options)


def _show_sharing(chats: Conversations, chat_id: str) -> None:
    """Draw the link at which others can read the chat, and buttons to make it and to end it.

    Where no other machine reaches this one, that is said instead.
    """
    share = chats.share_conversation, chat_id
    secret = chats.find_share(chat_id)
    if not address.is_reachable():
        st.caption(say("share-unreachable"))
    elif secret is None:
        _wide_button(say("share"), "link", "share-chat", *share)
    else:
        st.caption(say("share-about"))
        st.code(address.shared_link(secret), language=None, wrap_lines=True)
        _wide_button(say("share-again"), "refresh", "share-again", *share)
    if secret:
        _wide_button(say("share-stop"), "link_off", "stop-sharing", chats.stop_sharing, chat_id)


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
