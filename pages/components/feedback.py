"""A person's thumb on an answer and why; kept with the run."""

import streamlit as st

from core.chats import Conversations, SavedRun


def show_feedback(chats: Conversations, run: SavedRun) -> None:
    """Draw the thumbs and, once one is given, a line for the reason."""
    run_id, said = run.run_id, run.reason
    thumb, reason = f"thumb-{run_id}", f"reason-{run_id}"

    # Streamlit keeps what a widget calls for as long as the tab is open, and with it all that is named in it: were that
    # the run, then every event of every run that was ever shown.
    def keep() -> None:
        given = st.session_state.get(thumb)
        chats.save_feedback(
            run_id, None if given is None else bool(given), st.session_state.get(reason, said)
        )

    given = st.feedback(
        "thumbs", key=thumb, default=None if run.thumb is None else int(run.thumb), on_change=keep
    )
    if given is not None:
        why = "Why (optional, kept with the run)"
        st.text_input(
            why,
            said,
            key=reason,
            max_chars=2_000,
            placeholder=why,
            label_visibility="collapsed",
            on_change=keep,
        )
