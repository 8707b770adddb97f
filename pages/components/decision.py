"""What a person can decide on a waiting run: another attempt with hints, or the draft as it is."""

from collections.abc import Sequence

import streamlit as st

from core.agent import TOOLS, DecisionKind, events as ev
from core.library import Document, ScopeChoice
from core.sanitize import strip_control_characters
from pages.components import questions
from pages.components.text import escape_markdown

BUTTONS: dict[DecisionKind, tuple[str, str | None]] = {
    "go_on": ("Try again", None),
    "conclude": ("Accept this draft", "Takes the draft above as the answer."),
    "stop": ("Discard", "Ends the run without an answer; the draft is kept."),
}
"""Label and tooltip of each decision on a run at its limit."""
DRAFT_OUTCOMES = ("limit_reached", "found")
"""Outcomes with a draft that a person may accept."""
RETRY_OUTCOMES = (*DRAFT_OUTCOMES, "not_found")
"""Outcomes for which another scope or another tool may help."""


def show_decision(
    events: Sequence[ev.Event], ended: ev.Ended, documents: Sequence[Document]
) -> None:
    """Draw the choices for a waiting run; `documents` are those for another scope."""
    run_id, has_draft = ended.run_id, ended.outcome in DRAFT_OUTCOMES
    with st.form(f"decide-{run_id}", border=has_draft):
        if ended.outcome == "found":
            st.markdown(f"**Is your answer among these rules?** {escape_markdown(ended.message)}")
        elif has_draft:
            st.markdown(f"**What next?** {_describe_limit(events, ended)}")
        unclear = ended.outcome == "clarification_needed"
        label = "Your answer" if unclear else "What should it look for? (optional)"
        st.text_input(label, key=f"guidance-{run_id}", max_chars=2_000)
        with st.container(horizontal=True):
            for kind, (label, about) in BUTTONS.items():
                if has_draft or kind == "go_on":
                    st.form_submit_button(
                        label if has_draft else "Continue",
                        key=f"{kind.replace('_', '-')}-{run_id}",
                        on_click=questions.decide,
                        args=(run_id, ended.seq, kind),
                        help=about,
                    )
            if ended.outcome in RETRY_OUTCOMES:
                with st.popover("Scope and tool", icon=":material/tune:"):
                    _show_scope_and_tool(run_id, documents)


def _describe_limit(events: Sequence[ev.Event], ended: ev.Ended) -> str:
    """Why the run reached its limit, and what its best draft lacks."""
    missing = next(
        (
            event.score.missing
            for event in events
            if isinstance(event, ev.Scored) and event.iteration == ended.best_iteration
        ),
        "",
    )
    message = escape_markdown(ended.message)
    if not missing or missing in ended.message:
        return message
    return f"{message} Missing in the best draft: {escape_markdown(missing)}."


def _show_scope_and_tool(run_id: str, documents: Sequence[Document]) -> None:
    seasons = sorted({document.season for document in documents if document.season}, reverse=True)
    choices = {ScopeChoice(): "Newest of each rulebook"}
    choices |= {ScopeChoice(season=season): f"Season {season}" for season in seasons}
    choices |= {
        ScopeChoice(document=document.document_id): strip_control_characters(document.label)
        for document in documents
    }
    for label, options in (("Scope", choices), ("Tool", {tool: tool for tool in TOOLS})):
        st.selectbox(
            label,
            list(options),
            index=None,
            format_func=options.__getitem__,
            placeholder="As it was",
            key=f"{label.lower()}-{run_id}",
        )
    st.caption("Used for the next attempt.")
