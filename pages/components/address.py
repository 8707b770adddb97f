"""The names in addresses, and which chat and citation a tab shows by them.

A tab's address is read when the tab is new, when its reader goes back or forward in the browser,
and when a link was followed. In between the session knows it: messages that a browser sent before
it learned of a new address still name the old one.
"""

from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.chats import new_conversation_id

CHAT, RUN, CLAUSE, CITATION, SHARE = "chat", "run", "clause", "cite", "share"
_DRAWN_FOR = "from"
"""In a link to a chat: the blank chat of the tab that drew it, which no late message can name."""


@dataclass(slots=True)
class _Tab:
    """What a tab shows. `blank` is the id of the chat that begins with the next question in it."""

    chat: str | None = None
    citation: str | None = None
    blank: str = field(default_factory=new_conversation_id)
    left: str | None = None
    """The chat that the browser named when another was opened by the session."""
    unconfirmed: bool = False
    """The browser has not named the opened chat yet."""
    just_opened: bool = False
    """The chat was opened in this very run of the script."""
    drawn: str | None = None
    """The chat that is drawn."""
    is_in_second_place: bool = False
    """It has the second of two places, which chats take in turn."""


def _tab() -> _Tab:
    if "tab" not in st.session_state:
        named = st.query_params
        st.session_state["tab"] = _Tab(named.get(CHAT), named.get(CITATION))
    tab: _Tab = st.session_state["tab"]
    return tab


def is_history_navigation() -> bool:
    """True if this script runs because its reader went back or forward in the browser."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def current_chat() -> str:
    """The id of the open chat; that of no chat yet if none is open."""
    tab, named = _tab(), st.query_params.get(CHAT)
    was_followed = st.query_params.get(_DRAWN_FOR) == tab.blank
    _write(_DRAWN_FOR, None)
    if is_history_navigation() or was_followed:
        _show_chat(tab, named)
    elif not tab.just_opened and named != tab.chat:
        stale = tab.unconfirmed and named == tab.left
        if named is not None and not stale:
            _show_chat(tab, named)
    elif not tab.just_opened:
        tab.unconfirmed = False
    tab.just_opened = False
    _write(CHAT, tab.chat)
    return tab.chat or tab.blank


def names_missing_chat(exists: bool) -> bool:
    """True if the address names a chat and there is none."""
    return _tab().chat is not None and not exists


def is_in_second_place(chat_id: str) -> bool:
    """True if this chat is drawn in the second of two places: not where the one before was."""
    tab = _tab()
    if chat_id != tab.drawn:
        tab.drawn, tab.is_in_second_place = chat_id, not tab.is_in_second_place
    return tab.is_in_second_place


def is_address_open() -> bool:
    """True until the browser has named the chat that the session opened."""
    return _tab().unconfirmed


def confirm_address() -> bool:
    """Note that the browser names the open chat, if a fragment runs alone; return if it does."""
    tab, context = _tab(), get_script_run_ctx()
    alone = context is not None and bool(context.fragment_ids_this_run)
    if alone and st.query_params.get(CHAT) == tab.chat:
        tab.unconfirmed = False
    return alone


def _show_chat(tab: _Tab, chat: str | None) -> None:
    if chat != tab.chat:
        tab.chat, tab.blank = chat, new_conversation_id()
    tab.unconfirmed = False


def open_chat(conversation_id: str | None) -> None:
    """Show this chat, or an empty one, and say so in the address."""
    tab = _tab()
    if conversation_id == tab.chat and conversation_id:
        return
    tab.left, tab.chat, tab.blank = (
        st.query_params.get(CHAT),
        conversation_id,
        new_conversation_id(),
    )
    tab.unconfirmed = tab.just_opened = True
    _write(CHAT, conversation_id)
    close_citation()


def _write(name: str, value: str | None) -> None:
    if value is None:
        st.query_params.pop(name, None)
    elif st.query_params.get(name) != value:
        st.query_params[name] = value


def chat_link(conversation_id: str) -> dict[str, str]:
    """The address of a chat for a link in this tab, which is told from a late message."""
    return {CHAT: conversation_id, _DRAWN_FOR: _tab().blank}


def shared_link(secret: str) -> str:
    """The whole address at which a shared chat can be read."""
    here = urlsplit(st.context.url or "")
    return f"{here.scheme}://{here.netloc}/shared?{urlencode({SHARE: secret})}"


def open_citation(run_id: str, number: int) -> None:
    """Show a citation of a run, and name it in the address."""
    _tab().citation = f"{run_id}.{number}"
    _write(CITATION, f"{run_id}.{number}")


def close_citation() -> None:
    """Show no citation."""
    _tab().citation = None
    _write(CITATION, None)


def opened_citation() -> tuple[str, int] | None:
    """The id of a run and the number of its citation that is shown; None without one."""
    tab = _tab()
    if is_history_navigation():
        tab.citation = st.query_params.get(CITATION)
    run_id, _, number = (tab.citation or "").partition(".")
    return (run_id, int(number)) if number.isdigit() else None
