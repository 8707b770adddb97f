"""A person's thumb on an answer and the reason, kept with the run."""

import streamlit as st

from core.chats import Conversations, SavedRun
from pages.components.words import say


def show_feedback(chats: Conversations, run: SavedRun) -> None:
    """Draw the thumbs and, once one is set, a field for the reason."""
    # Streamlit keeps a callback, and what it refers to, while the tab is open. It must not refer to
    # the run, or every event that was ever shown would stay in memory.
    run_id, saved = run.run_id, run.reason
    thumb, reason = f"thumb-{run_id}", f"reason-{run_id}"

    def save_feedback() -> None:
        chosen = st.session_state.get(thumb)
        up = None if chosen is None else bool(chosen)
        chats.save_feedback(run_id, up, st.session_state.get(reason, saved))

    default = None if run.thumb is None else int(run.thumb)
    if st.feedback("thumbs", key=thumb, default=default, on_change=save_feedback) is not None:
        why = say("feedback-why")
        st.text_input(
            why,
            saved,
            key=reason,
            max_chars=2_000,
            placeholder=why,
            label_visibility="collapsed",
            on_change=save_feedback,
        )
