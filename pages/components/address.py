"""The names in addresses, and which chat and citation a tab shows by them.

A tab's address is read when the tab is new, when its reader goes back or forward in the browser,
and when a link was followed. In between the session knows it: messages that a browser sent before
it learned of a new address still name the old one.
"""

from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlencode, urlsplit

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.chats import TabAddress

CHAT, RUN, CLAUSE, CITATION, SHARE, RULE = "chat", "run", "clause", "cite", "share", "rule"
_DRAWN_FOR = "from"
"""In a link to a chat: the blank chat of the tab that drew it, which no late message can name."""


def _tab() -> TabAddress:
    if "tab" not in st.session_state:
        named = st.query_params
        st.session_state["tab"] = TabAddress(named.get(CHAT), named.get(CITATION))
    tab: TabAddress = st.session_state["tab"]
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
    tab.follow(named, is_history_navigation() or was_followed)
    _write(CHAT, tab.chat)
    return tab.chat or tab.blank


def names_missing_chat(exists: bool) -> bool:
    """True if the address names a chat and there is none."""
    return _tab().chat is not None and not exists


def is_in_second_place(chat_id: str) -> bool:
    """True if this chat is drawn in the second of two places: not where the one before was."""
    return _tab().take_place(chat_id)


def is_address_open() -> bool:
    """True until the browser has named the chat that the session opened."""
    return _tab().is_unconfirmed


def confirm_address() -> bool:
    """Note that the browser names the open chat, if a fragment runs alone; return if it does."""
    tab, context = _tab(), get_script_run_ctx()
    alone = context is not None and bool(context.fragment_ids_this_run)
    if alone and st.query_params.get(CHAT) == tab.chat:
        tab.is_unconfirmed = False
    return alone


def open_chat(conversation_id: str | None) -> None:
    """Show this chat, or an empty one, and say so in the address."""
    if _tab().open(conversation_id, st.query_params.get(CHAT)):
        _write(CHAT, conversation_id)
        _write(CITATION, None)


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
    return server_address(f"/shared?{urlencode({SHARE: secret})}")


def server_address(path: str) -> str:
    """The whole address of a path on this server, as the browser reaches it."""
    here, base = urlsplit(st.context.url or ""), st.get_option("server.baseUrlPath").strip("/")
    return f"{here.scheme}://{here.netloc}{f'/{base}' if base else ''}{path}"


def is_reachable() -> bool:
    """True if this page was opened by an address that other machines may reach."""
    host = urlsplit(st.context.url or "").hostname or ""
    with suppress(ValueError):
        return not ip_address(host).is_loopback
    return host not in ("", "localhost") and not host.endswith(".localhost")


def open_citation(citation: str | None) -> None:
    """Show a citation, "RUN.NUMBER", or none, and name it in the address."""
    _tab().citation = citation
    _write(CITATION, citation)


def opened_citation() -> tuple[str, int] | None:
    """The id of a run and the number of its citation that is shown; None without one."""
    tab = _tab()
    if is_history_navigation():
        tab.citation = st.query_params.get(CITATION)
    return tab.opened_citation
