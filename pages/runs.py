"""Every run: found by outcome, words and day, its figures over time, and its replay."""

import streamlit as st

from core.chats import ORDERS, RunFilter, sort_runs
from pages.components import address, services, state
from pages.components.dates import local_day
from pages.components.labels import OUTCOMES, format_count, format_number, outcome_word
from pages.components.pagination import paginate
from pages.components.runs import (
    runs_csv,
    show_run,
    show_run_charts,
    show_run_line,
)
from pages.components.widgets import choose_many, icon_button, offer_download


def show_replay(run_id: str) -> None:
    """Draw one run again, and ways back to the list and to its chat."""
    run = services.get_conversations().find_run(run_id)
    with st.container(horizontal=True):
        icon_button("All runs", "arrow_back", st.query_params.pop, address.RUN, None, quiet=False)
        if run and icon_button("Open in its chat", "forum", quiet=False):
            address.open_chat(run.conversation_id)
            st.switch_page("chat.py", query_params=address.chat_address(run.conversation_id))
    if run:
        show_run(services.get_library(), run)
    else:
        st.warning("The chat of this run was deleted or the link is incomplete.")


def show_list() -> None:
    """Draw the filters, the charts and a line for each run."""
    summaries = services.get_conversations().list_run_summaries()
    if not summaries:
        st.info(
            "Nothing has been asked yet. Ask on the page Chat: each run is kept and can be"
            " replayed."
        )
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words = st.text_input(
            "Words", key=state.RUN_WORDS, placeholder="pit lane", bind="query-params", width=280
        )
        days = st.date_input("Days, from and to", (), key=state.RUN_DAYS, width=260)
        order = st.selectbox(
            "Order", list(ORDERS), key=state.RUN_ORDER, bind="query-params", width=160
        )
    present = [outcome for outcome in OUTCOMES if any(run.outcome == outcome for run in summaries)]
    outcomes = choose_many(
        "Outcome", present, state.RUN_OUTCOMES, format_func=outcome_word, bind="query-params"
    )
    matches = RunFilter(outcomes, words, days).matches_run
    shown = [run for run in summaries if matches(run, local_day(run.started_at))]
    shown = sort_runs(shown, order)
    if not shown:
        st.info("No runs match. Relax the filters.")
        return
    with st.expander("Score, cost and time", icon=":material/monitoring:", expanded=True):
        show_run_charts(shown)
    with st.container(horizontal=True, vertical_alignment="center"):
        count = f"{format_count(len(shown), 'run')} of {format_number(len(summaries))}"
        st.markdown(f"**{count}**", width="content")
        offer_download("CSV", "runs.csv", lambda: runs_csv(shown))
    for summary in paginate(shown, state.RUN_PAGE):
        show_run_line(summary)


st.title("Runs", anchor=False)
if (opened := st.query_params.get(address.RUN)) is not None:
    show_replay(opened)
else:
    show_list()
