"""The scripts of the chat: one scrolls to what is new, one looks for it while the page rests."""

from pathlib import Path

import streamlit as st

from pages.components.words import say

SCROLL_SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
NEWS_SCRIPT = Path(__file__).with_name("news.js").read_text(encoding="utf-8")
"""The Content-Security-Policy knows the scripts by their hashes."""


def scroll_to_newest(turn: str, citation: str) -> None:
    """Scroll when `turn`, a run and its state ("4f1c ended"), or the open citation has changed.

    `citation` is the end of the key of its button; empty where none is open.
    """
    _run_script(SCROLL_SCRIPT, turn=turn, cited=citation)


def look_for_news(chat_id: str, state: str) -> None:
    """Draw the page anew once the server tells another `state` of the chat, with no script run.

    The button is hidden (`page.css`): the script clicks it.
    """
    st.button(say("chat-news"), key="look-for-news")
    _run_script(NEWS_SCRIPT, news=state, chat=chat_id)


def _run_script(script: str, **data: str) -> None:
    marks = " ".join(f'data-{name}="{value}"' for name, value in data.items())
    st.html(f"<i {marks}></i><script>{script}</script>", unsafe_allow_javascript=True)
