"""What a person can do with a run that waits: go on, conclude, stop; with their words, another scope or another tool.

It only notes the decision. The run waits in the database, so all of this is there again after a restart.
"""

from collections.abc import Sequence

import streamlit as st

from core.agent import TOOLS, DecisionKind
from core.agent import events as ev
from core.library import Document, ScopeChoice
from core.sanitize import strip_control_characters
from pages.components import state
from pages.components.text import escape_markdown

RETRY_OUTCOMES = ("limit_reached", "not_found")
"""Outcomes for which another scope or another tool may help."""


def show_decision(
    events: Sequence[ev.Event], ended: ev.Ended, documents: Sequence[Document]
) -> None:
    """Draw the choices for a run that waits; `documents` are those that the scope can be changed to."""
    at_limit = ended.outcome == "limit_reached"
    with st.form(f"decide-{ended.run_id}", border=at_limit):
        if at_limit:
            st.markdown(f"**You decide.** {_standing(events, ended)}")
        label = (
            "Your answer"
            if ended.outcome == "clarification_needed"
            else "Guidance for going on (optional)"
        )
        st.text_input(label, key=state.guidance_key(ended.run_id), max_chars=2_000)
        with st.container(horizontal=True):
            _button("Go on", "go_on", ended.run_id)
            if at_limit:
                _button(
                    "Conclude",
                    "conclude",
                    ended.run_id,
                    help="Takes the draft above as the answer.",
                )
                _button(
                    "Stop",
                    "stop",
                    ended.run_id,
                    help="Ends the run without an answer; the draft is kept.",
                )
            if ended.outcome in RETRY_OUTCOMES:
                with st.popover("Scope and tool", icon=":material/tune:"):
                    _another_way(ended.run_id, documents)


def _standing(events: Sequence[ev.Event], ended: ev.Ended) -> str:
    """Why the run came to its limit, and what its best draft lacks."""
    scores = (
        event
        for event in events
        if isinstance(event, ev.Scored) and event.iteration == ended.best_iteration
    )
    missing = next((event.score.missing for event in scores), "")
    told = [escape_markdown(ended.message)]
    if missing and missing not in ended.message:
        told.append(f"Missing in the best draft: {escape_markdown(missing)}.")
    return " ".join(told)


def _button(label: str, kind: DecisionKind, run_id: str, help: str | None = None) -> None:
    key = f"{kind.replace('_', '-')}-{run_id}"
    st.form_submit_button(
        label, on_click=state.note_decision, args=(run_id, kind), key=key, help=help
    )


def _another_way(run_id: str, documents: Sequence[Document]) -> None:
    seasons = sorted({document.season for document in documents if document.season}, reverse=True)
    choices = {
        ScopeChoice(): "Newest of each rulebook",
        **{ScopeChoice(season=season): f"Season {season}" for season in seasons},
        **{
            ScopeChoice(document=document.document_id): strip_control_characters(document.label)
            for document in documents
        },
    }
    st.selectbox(
        "Scope",
        list(choices),
        index=None,
        format_func=choices.__getitem__,
        placeholder="As it was",
        key=state.scope_key(run_id),
    )
    st.selectbox(
        "Tool", list(TOOLS), index=None, placeholder="As it was", key=state.tool_key(run_id)
    )
    st.caption("Both hold when you go on.")
