"""A person's thumb on an answer and why; kept with the run."""

import streamlit as st

from core.chats.conversations import Conversations, SavedRun


def show_feedback(chats: Conversations, run: SavedRun) -> None:
    """Draw the thumbs and, once one is given, a line for the reason."""
    thumb, reason = f"thumb-{run.run_id}", f"reason-{run.run_id}"

    def keep() -> None:
        given = st.session_state.get(thumb)
        chats.judge(run.run_id, None if given is None else bool(given), st.session_state.get(reason, run.reason))

    given = st.feedback("thumbs", key=thumb, default=None if run.thumb is None else int(run.thumb), on_change=keep)
    if given is not None:
        st.text_input("Why (optional, kept with the run)", run.reason, key=reason, max_chars=2_000, on_change=keep)
