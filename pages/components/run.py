"""A run on the page: its question, its reasoning above its answer, and the way to go on; live and replayed."""

from collections.abc import Generator, Sequence
from contextlib import closing

import streamlit as st

from core.agent import events as ev
from core.agent.types import Outcome
from core.conversations import SavedRun
from pages.components import state
from pages.components.answer import show_answer
from pages.components.lines import told
from pages.components.text import plain
from pages.components.trace import Trace

WAITING = ("cancelled", "limit_reached", "clarification_needed")
PERSON = ":material/person:"
AVATAR = ":material/gavel:"


def show_saved(run: SavedRun, latest: bool) -> None:
    """Draw a run from its events; its reasoning is built only when opened. The latest suggests what to ask next."""
    _question(run.question)
    with st.chat_message("assistant", avatar=AVATAR):
        panel = st.expander(told(run.events), type="compact", key=f"trace-{run.run_id}", on_change="rerun")
        if panel.open:
            Trace(panel).replay(run.events)
        match run.events[-1]:
            case ev.Ended() as ended:
                show_answer(ended, _scope(run.events))
                if ended.outcome in WAITING:
                    _decision(run.run_id, ended.outcome)
                if ended.suggestions and latest:
                    _suggestions(run.run_id, ended.suggestions)
            case _:
                st.caption("This run is going on in another window, or was just cut off.")


def show_live(question: str, events: Generator[ev.Event, None, None], earlier: Sequence[ev.Event] = ()) -> None:
    """Draw a run while it works; `events` is closed however this ends, so that a stopped run is saved as such."""
    with closing(events):
        _question(question)
        with (
            st.chat_message("assistant", avatar=AVATAR),
            st.status(":shimmer[Working]", type="compact", expanded=True) as panel,
        ):
            trace = Trace(panel)
            trace.replay(earlier)
            trace.follow(events)


def _decision(run_id: str, outcome: Outcome) -> None:
    """What a person can do with a run that waits: go on, with a word of guidance, or take its best draft."""
    with (
        st.form(f"decide-{run_id}", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        label = "Your answer" if outcome == "clarification_needed" else "Guidance for going on (optional)"
        st.text_input(label, key=state.guidance_key(run_id), max_chars=2_000)
        st.form_submit_button("Go on", on_click=state.decide, args=(run_id, "go_on"), key=f"go-on-{run_id}")
        if outcome == "limit_reached":
            st.form_submit_button(
                "Conclude", on_click=state.decide, args=(run_id, "conclude"), key=f"conclude-{run_id}"
            )


def _suggestions(run_id: str, questions: Sequence[str]) -> None:
    key = f"next-{run_id}"
    st.pills("Ask next", questions, key=key, format_func=plain, on_change=state.pick, args=(key,))


def _question(question: str) -> None:
    with st.chat_message("user", avatar=PERSON):
        st.markdown("  \n".join(map(plain, question.splitlines())))


def _scope(events: Sequence[ev.Event]) -> ev.ScopeView:
    return next(event.scope for event in events if isinstance(event, ev.Asked))
