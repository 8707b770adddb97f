"""Every run: found by outcome, words and day, its figures over time, and its replay."""

import streamlit as st

from core.chats import ORDERS, RunFilter, sort_runs
from pages.components import address, services
from pages.components.dates import local_day
from pages.components.labels import OUTCOMES, format_number
from pages.components.runs import (
    runs_csv,
    show_run,
    show_run_charts,
    show_run_line,
)
from pages.components.widgets import (
    choose_many,
    count_row,
    icon_button,
    offer_download,
    paginate,
    select_one,
)
from pages.components.words import say, say_each


def show_replay(run_id: str) -> None:
    """Draw one run again, and ways back to the list and to its chat."""
    run = services.get_conversations().find_run(run_id)
    with st.container(horizontal=True):
        back = st.query_params.pop, address.RUN, None
        icon_button(say("runs-all"), "arrow_back", *back, quiet=False)
        if run and icon_button(say("runs-open-chat"), "forum", quiet=False):
            address.open_chat(run.conversation_id)
            st.switch_page("chat.py", query_params=address.chat_address(run.conversation_id))
    if run:
        show_run(services.get_library(), run)
    else:
        st.warning(say("runs-gone"))


def show_list() -> None:
    """Draw the filters, the charts and a line for each run."""
    summaries = services.get_conversations().list_run_summaries()
    if not summaries:
        st.info(say("runs-empty"))
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words = st.text_input(say("runs-words"), key="asked", width=280, bind="query-params")
        days = st.date_input(say("runs-days"), (), key="days", width=260)
        orders = say_each("runs-order-", ORDERS)
        order = select_one(say("runs-order"), orders, key="order", width=200, in_address=True)
    present = [outcome for outcome in OUTCOMES if any(run.outcome == outcome for run in summaries)]
    names = say_each("outcome-", present)
    outcomes = choose_many(say("column-outcome"), names, "outcome", in_address=True)
    matches = RunFilter(outcomes, words, days).matches_run
    shown = [run for run in summaries if matches(run, local_day(run.started_at))]
    shown = sort_runs(shown, order)
    if not shown:
        st.info(say("runs-no-match"))
        return
    with st.expander(say("runs-charts"), icon=":material/monitoring:", expanded=True):
        show_run_charts(shown)
    total = format_number(len(summaries))
    with count_row(say("runs-shown", count=len(shown), total=total)):
        offer_download("CSV", "runs.csv", lambda: runs_csv(shown))
    for summary in paginate(shown, "runs-page"):
        show_run_line(summary)


st.title(say("page-runs"), anchor=False)
if (opened := st.query_params.get(address.RUN)) is not None:
    show_replay(opened)
else:
    show_list()
