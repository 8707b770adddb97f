"""Brings the newest question to the top of the window, and a cited quote into its middle."""

from pathlib import Path

import streamlit as st

SCROLL_SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
"""The Content-Security-Policy knows the script by its hash."""


def scroll_to_newest(turn: str, citation: str) -> None:
    """Scroll when `turn`, a run and its state ("4f1c ended"), or the open citation has changed.

    `citation` is the end of the key of its button; empty where none is open.
    """
    marks = f'data-turn="{turn}" data-cited="{citation}"'
    st.html(f"<i {marks}></i><script>{SCROLL_SCRIPT}</script>", unsafe_allow_javascript=True)
