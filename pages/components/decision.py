"""What a person can decide on a waiting run: another attempt, the draft as it is, other words."""

from collections.abc import Sequence

import streamlit as st

from core.agent import TOOLS, DecisionKind, events as ev
from core.library import Document, ScopeChoice
from core.sanitize import strip_control_characters
from pages.components import questions
from pages.components.widgets import select_one
from pages.components.words import say, say_each

KINDS: tuple[DecisionKind, ...] = ("go_on", "conclude", "stop")
"""The decisions on a run at its limit."""
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
        if has_draft:
            st.markdown(f"**{say(f'decide-{ended.outcome}')}**")
        unclear = ended.outcome == "clarification_needed"
        label = say("decide-answer" if unclear else "decide-guidance")
        st.text_input(label, key=f"guidance-{run_id}", max_chars=2_000)
        with st.container(horizontal=True):
            for kind in KINDS if has_draft else KINDS[:1]:
                st.form_submit_button(
                    say(f"decide-{kind}") if has_draft else say("continue"),
                    key=f"{kind.replace('_', '-')}-{run_id}",
                    on_click=questions.decide,
                    args=(run_id, ended.seq, kind),
                    help=None if kind == "go_on" else say(f"decide-{kind}-about"),
                )
            if ended.outcome in RETRY_OUTCOMES:
                other = f"other-{run_id}"
                with st.popover(say("decide-other"), icon=":material/tune:", key=other):
                    _show_scope_and_tool(run_id, documents)
    if ended.outcome in RETRY_OUTCOMES:
        asked = next(event.question for event in events if isinstance(event, ev.Asked))
        _offer_rephrasing(chat_id, run_id, asked)


def _offer_rephrasing(chat_id: str, run_id: str, question: str) -> None:
    """Draw the question in a field, to ask it in other words."""
    key = f"rephrase-{run_id}"
    with st.popover(say("rephrase"), icon=":material/edit:", type="tertiary"):
        st.text_area(say("rephrase-words"), question, key=key, max_chars=10_000)
        edited = chat_id, run_id, key
        st.button(say("rephrase-ask"), key=f"ask-{key}", on_click=questions.ask_edited, args=edited)


def _show_scope_and_tool(run_id: str, documents: Sequence[Document]) -> None:
    seasons = sorted({document.season for document in documents if document.season}, reverse=True)
    choices = {ScopeChoice(): say("preset-newest")}
    for season in seasons:
        choices[ScopeChoice(season=season)] = say("decide-season", season=str(season))
    choices |= {
        ScopeChoice(document=document.document_id): strip_control_characters(document.label)
        for document in documents
    }
    look = {"index": None, "placeholder": say("decide-as-it-was")}
    select_one(say("decide-scope"), choices, key=f"scope-{run_id}", **look)
    select_one(say("decide-tool"), say_each("tool-", TOOLS), key=f"tool-{run_id}", **look)
    st.caption(say("decide-next"))
