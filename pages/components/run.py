"""A run on the page, live or saved: its question, its reasoning, its answer, and how to go on."""

from collections.abc import Generator
from contextlib import closing

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.agent import RESUMABLE_OUTCOMES, events as ev
from core.chats import Conversations, SavedRun
from core.library import Library
from pages.components.answer import show_answer, show_copy_menu
from pages.components.background_run import BackgroundRun
from pages.components.decision import show_decision
from pages.components.examples import offer_questions
from pages.components.feedback import show_feedback
from pages.components.summaries import summarize_run
from pages.components.text import escape_markdown
from pages.components.trace import Trace

PERSON_ICON = ":material/person:"
ASSISTANT_ICON = ":material/gavel:"


def show_saved_run(
    library: Library, chats: Conversations, run: SavedRun, latest: bool, stopping: bool
) -> None:
    """Draw a run from its events, its reasoning only if open. The latest offers next questions."""
    _show_question(run.question)
    with st.chat_message("assistant", avatar=ASSISTANT_ICON):
        label = summarize_run(run.events)
        panel = st.expander(label, type="compact", key=f"trace-{run.run_id}", on_change="rerun")
        if panel.open:
            Trace(panel).replay(run.events)
        ended = run.events[-1]
        if not isinstance(ended, ev.Ended):
            other = "is going on in another window, or was just cut off"
            st.caption(f"This run {'is being stopped' if stopping else other}.")
            return
        show_answer(library, run.events, ended)
        with st.container(horizontal=True, vertical_alignment="center"):
            show_copy_menu(ended)
            if ended.answer:
                show_feedback(chats, run)
        if ended.outcome in RESUMABLE_OUTCOMES:
            show_decision(run.events, ended, library.documents())
        if ended.suggestions and latest:
            offer_questions("Ask next", ended.suggestions, f"next-{run.run_id}")


def show_live_run(work: BackgroundRun) -> None:
    """Draw a run while it works. A script that is broken off leaves it at work."""
    _show_question(work.question)
    with (
        st.chat_message("assistant", avatar=ASSISTANT_ICON),
        st.status(":shimmer[Working]", type="compact", expanded=True) as panel,
    ):
        trace = Trace(panel)
        trace.replay(work.earlier)
        with closing(_drop_pauses(work, panel.empty())) as events:
            trace.draw_live(events)


def _drop_pauses(work: BackgroundRun, place: DeltaGenerator) -> Generator[ev.Event, None, None]:
    """Yield the events of a run. In a pause draw nothing: Streamlit only stops what draws."""
    with closing(work.stream_events()) as events:
        for event in events:
            if event is None:
                place.empty()
            else:
                yield event


def _show_question(question: str) -> None:
    with st.chat_message("user", avatar=PERSON_ICON):
        st.markdown("  \n".join(map(escape_markdown, question.splitlines())))
