"""What a person can decide on a waiting run: another attempt, the draft as it is, other words."""

from collections.abc import Sequence

import streamlit as st

from core.agent import TOOLS, DecisionKind, describe_shortfall, events as ev
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
"""Outcomes for which other words, another scope or another tool may help."""


def show_decision(
    chat_id: str, events: Sequence[ev.Event], ended: ev.Ended, documents: Sequence[Document]
) -> None:
    """Draw the choices for a waiting run; `documents` are those for another scope."""
    run_id, has_draft = ended.run_id, ended.outcome in DRAFT_OUTCOMES
    with st.form(f"decide-{run_id}", border=has_draft):
        if ended.outcome == "found":
            st.markdown(f"**Is your answer among these rules?** {escape_markdown(ended.message)}")
        elif has_draft:
            said = describe_shortfall(events, ended)
            st.markdown(f"**What next?** {escape_markdown(said)}")
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
                with st.popover("Change scope", icon=":material/tune:", key=f"other-{run_id}"):
                    _show_scope_and_tool(run_id, documents)
    if ended.outcome in RETRY_OUTCOMES:
        asked = next(event.question for event in events if isinstance(event, ev.Asked))
        _offer_rephrasing(chat_id, run_id, asked)


def _offer_rephrasing(chat_id: str, run_id: str, question: str) -> None:
    """Draw the question in a field, to ask it in other words."""
    key = f"rephrase-{run_id}"
    with st.popover("Rephrase", icon=":material/edit:", type="tertiary"):
        st.text_area("Your question in other words", question, key=key, max_chars=10_000)
        st.button(
            "Ask", key=f"ask-{key}", on_click=questions.ask_edited, args=(chat_id, run_id, key)
        )


def _show_scope_and_tool(run_id: str, documents: Sequence[Document]) -> None:
    seasons = sorted({document.season for document in documents if document.season}, reverse=True)
    choices = {ScopeChoice(): "Newest of each rulebook"}
    choices |= {ScopeChoice(season=season): f"Season {season}" for season in seasons}
    choices |= {
        ScopeChoice(document=document.document_id): strip_control_characters(document.label)
        for document in documents
    }
    tools = {tool: tool.replace("_", " ").capitalize() for tool in TOOLS}
    for label, options in (("Scope", choices), ("Tool", tools)):
        st.selectbox(
            label,
            list(options),
            index=None,
            format_func=options.__getitem__,
            placeholder="As it was",
            key=f"{label.lower()}-{run_id}",
        )
    st.caption("Used for the next attempt.")
