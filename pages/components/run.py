"""A run on the page, live or saved: its question, its reasoning, its answer, and how to go on."""

from collections.abc import Sequence

import streamlit as st

from core.agent import RESUMABLE_OUTCOMES, TOOLS, DecisionKind, events as ev
from core.chats import ActiveRun, Conversations, SavedRun
from core.library import Document, Library
from core.markdown_escape import escape_markdown
from pages.components import questions
from pages.components.answer import show_answer, show_copy_menu
from pages.components.trace import show_trace
from pages.components.welcome import offer_choices, offer_questions
from pages.components.widgets import row, select_one
from pages.components.words import library_text, say, say_each

KINDS: tuple[DecisionKind, ...] = ("go_on", "conclude", "stop")
"""The decisions on a run at its limit."""


def show_decision(
    chat_id: str, events: Sequence[ev.Event], ended: ev.Ended, documents: Sequence[Document]
) -> None:
    """Draw the choices for a waiting run; `documents` are those for another scope."""
    run_id, has_draft = ended.run_id, ended.has_draft
    may_retry = has_draft or ended.outcome == "not_found"  # in other words, elsewhere
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
            if may_retry:
                other = f"other-{run_id}"
                with st.popover(say("decide-other"), icon=":material/tune:", key=other):
                    _show_scope_and_tool(run_id, documents)
    if may_retry:
        asked = next(event.question for event in events if isinstance(event, ev.Asked))
        key = f"rephrase-{run_id}"
        with st.popover(say("rephrase"), icon=":material/edit:", type="tertiary"):
            st.text_area(say("rephrase-words"), asked, key=key, max_chars=10_000)
            st.button(
                say("rephrase-ask"),
                key=f"ask-{key}",
                on_click=questions.ask_edited_question,
                args=(chat_id, run_id, key),
            )


def _fold_decision(
    chat_id: str, events: Sequence[ev.Event], ended: ev.Ended, documents: Sequence[Document]
) -> None:
    """Draw a line for the choices of a run before the latest, which opens; they take long."""
    has_draft, key = ended.has_draft, f"open-decision-{ended.run_id}"
    label = say(f"decide-{ended.outcome}" if has_draft else "continue")
    with st.expander(label, type="compact", key=key, on_change="rerun") as box:
        if box.open:
            show_decision(chat_id, events, ended, documents)


def _show_scope_and_tool(run_id: str, documents: Sequence[Document]) -> None:
    look = {"index": None, "placeholder": say("decide-as-it-was")}
    choices = library_text().list_scope_choices(documents)
    select_one(say("decide-scope"), choices, key=f"scope-{run_id}", **look)
    select_one(say("decide-tool"), say_each("tool-", TOOLS), key=f"tool-{run_id}", **look)
    st.caption(say("decide-next"))


PERSON_ICON = ":material/person:"
ASSISTANT_ICON = ":material/gavel:"


def show_saved_run(library: Library, chats: Conversations, run: SavedRun, latest: bool) -> None:
    """Draw a run and what can be done with it. The latest offers next questions."""
    show_question(run.question)
    with st.chat_message("assistant", avatar=ASSISTANT_ICON):
        ended = _show_run(library, run, latest)
        if ended is None:
            return
        with row():
            show_copy_menu(run.events, ended)
            if ended.answer:
                show_feedback(chats, run)
        if ended.choices and latest:
            place = f"choice-{run.run_id}", run.conversation_id, run.run_id
            is_open = ended.outcome == "clarification_needed"
            label = say("run-choices" if is_open else "run-other-rulebooks")
            offer_choices(label, ended.choices, *place)
        if ended.outcome in RESUMABLE_OUTCOMES:
            decide = run.conversation_id, run.events, ended, library.documents()
            if latest:
                show_decision(*decide)
            else:
                _fold_decision(*decide)
        if ended.suggestions and latest:
            place = f"next-{run.run_id}", run.conversation_id, run.run_id
            offer_questions(say("run-next"), ended.suggestions, *place)


def show_run_to_read(library: Library, run: SavedRun) -> None:
    """Draw the answer of a run and its reasoning."""
    if ended := _show_run(library, run):
        show_copy_menu(run.events, ended)


def _show_run(library: Library, run: SavedRun, latest: bool = True) -> ev.Ended | None:
    """Draw the reasoning of a run, a line a step, and its answer; return its end, if it has one."""
    show_trace(run.events)
    ended = run.events[-1]
    if not isinstance(ended, ev.Ended):
        st.caption(say("run-elsewhere"))
        return None
    show_answer(library, run.events, ended, latest)
    return ended


def show_active_run(run: ActiveRun) -> None:
    """Draw a run at work as far as it is."""
    events = run.events
    show_question(next(e.question for e in events if isinstance(e, ev.Asked)))
    label = escape_markdown(run.waiting) or say("run-working")
    if run.is_stopping:
        label = say("run-stopping")
    answer = st.chat_message("assistant", avatar=ASSISTANT_ICON)
    with answer.status(f":shimmer[{label}]", type="compact", expanded=True):
        show_trace(events, live=True)


def show_question(question: str) -> None:
    with st.chat_message("user", avatar=PERSON_ICON):
        st.markdown("  \n".join(map(escape_markdown, question.splitlines())))


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
