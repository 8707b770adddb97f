"""A run on the page: its question, its reasoning above its answer, and the way to go on; live and replayed."""

from collections.abc import Generator
from contextlib import closing

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.agent import RESUMABLE_OUTCOMES
from core.agent import events as ev
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
    """Draw a run from its events; its reasoning is built only when opened. The latest suggests what to ask next."""
    _question(run.question)
    with st.chat_message("assistant", avatar=ASSISTANT_ICON):
        panel = st.expander(
            summarize_run(run.events), type="compact", key=f"trace-{run.run_id}", on_change="rerun"
        )
        if panel.open:
            Trace(panel).replay(run.events)
        match run.events[-1]:
            case ev.Ended() as ended:
                show_answer(library, run.events, ended)
                with st.container(horizontal=True, vertical_alignment="center"):
                    show_copy_menu(ended)
                    if ended.answer:
                        show_feedback(chats, run)
                if ended.outcome in RESUMABLE_OUTCOMES:
                    show_decision(run.events, ended, library.documents())
                if ended.suggestions and latest:
                    offer_questions("Ask next", ended.suggestions, f"next-{run.run_id}")
            case _ if stopping:
                st.caption("This run is being stopped.")
            case _:
                st.caption("This run is going on in another window, or was just cut off.")


def show_live_run(work: BackgroundRun) -> None:
    """Draw a run while it works. A script that is broken off leaves it at work, to be drawn again."""
    _question(work.question)
    with (
        st.chat_message("assistant", avatar=ASSISTANT_ICON),
        st.status(":shimmer[Working]", type="compact", expanded=True) as panel,
    ):
        trace = Trace(panel)
        trace.replay(work.earlier)
        with closing(_lively(work, panel.empty())) as events:
            trace.draw_live(events)


def _lively(work: BackgroundRun, sign: DeltaGenerator) -> Generator[ev.Event, None, None]:
    """The events of a run; where none comes a sign is drawn, since only drawing lets Streamlit stop a script."""
    with closing(work.stream_events()) as events:
        for event in events:
            if event is None:
                sign.empty()
            else:
                yield event


def _question(question: str) -> None:
    with st.chat_message("user", avatar=PERSON_ICON):
        st.markdown("  \n".join(map(escape_markdown, question.splitlines())))
