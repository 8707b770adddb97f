"""Every run, found by outcome, words and day, and its replay; and whole sets of questions."""

from collections.abc import Sequence
from typing import Any

import altair
import streamlit as st

from core.chats import ORDERS, RunSummary, choose_runs, list_run_facts, runs_csv
from core.markdown_escape import escape_markdown
from pages.components import address, services, state
from pages.components.dates import format_time, local_day, to_local_time
from pages.components.evaluation import evaluate
from pages.components.run import show_run_to_read
from pages.components.widgets import (
    OUTCOMES,
    choose_many,
    choose_view,
    count_row,
    icon_button,
    offer_download,
    outcome_badge,
    paginate,
    select_one,
)
from pages.components.words import language, say, say_each

CHARTS = {"score": "", "cost": "$", "seconds": "s"}
"""The figures of a run that are drawn, and their units."""


def show_run_charts(lines: Sequence[RunSummary]) -> None:
    """Draw the score, cost and time of runs over the times they were asked."""
    for column, (field, unit) in zip(st.columns(len(CHARTS)), CHARTS.items(), strict=True):
        name = say(f"chart-{field}")
        points = [
            {"at": to_local_time(line.started_at).isoformat(), "value": value}
            for line in lines
            if (value := getattr(line, field)) is not None
        ]
        with column:
            unit = escape_markdown(unit) or say("chart-score-unit")
            st.markdown(f"**{name}** :small[{unit}]")
            if not any(point["value"] for point in points):
                st.caption(say("chart-empty"))
                continue
            about = say("chart-about", name=name, count=len(points))
            st.altair_chart(_build_chart(points, 10 if field == "score" else None), alt=about)


def _build_chart(points: Sequence[dict[str, Any]], most: int | None) -> altair.Chart:
    """Streamlit's own scatter chart does not tell the time of a single point."""
    times = altair.Axis(tickCount=2, labelFlush=40, format="%d %b, %H:%M")
    scale = altair.Scale(domain=[0, most]) if most else altair.Scale(zero=True)
    chart = altair.Chart({"values": points}).mark_circle(size=70)
    chart = chart.encode(
        x=altair.X("at:T", title=None, axis=times),
        y=altair.Y("value:Q", title=None, scale=scale, axis=altair.Axis(tickCount=4)),
    )
    sized: altair.Chart = chart.properties(height=150)
    return sized


def show_run_line(line: RunSummary) -> None:
    """Draw a run as its question, which opens it, with its outcome and figures."""
    with st.container(gap=None):
        st.button(
            escape_markdown(line.question),
            key=f"run-{line.run_id}",
            type="tertiary",
            icon=":material/play_circle:",
            on_click=st.query_params.update,
            args=({address.RUN: line.run_id},),
            wrap=True,
        )
        badge = outcome_badge(line.outcome) if line.outcome else say("runs-running")
        facts = *list_run_facts(language(), line), format_time(line.started_at)
        st.markdown(f"{badge} :small[:gray[{escape_markdown(' · '.join(facts))}]]")


def show_replay(run_id: str) -> None:
    """Draw one run again, and ways back to the list and to its chat."""
    run = services.get_conversations().find_run(run_id)
    with st.container(horizontal=True):
        back = st.query_params.pop, address.RUN, None
        icon_button(say("runs-all"), "arrow_back", *back, quiet=False)
        if run and icon_button(say("runs-open-chat"), "forum", quiet=False):
            address.open_chat(run.conversation_id)
            state.draw_from(run.conversation_id, run_id)
            st.switch_page("chat.py", query_params={address.CHAT: run.conversation_id})
    if run:
        st.subheader(escape_markdown(run.question), anchor=False)
        st.caption(say("runs-asked", time=format_time(run.started_at)))
        show_run_to_read(services.get_library(), run)
    else:
        st.warning(say("runs-gone"))


def show_list() -> None:
    """Draw the filters, the charts and a line for each run."""
    summaries = services.get_conversations().list_run_summaries()
    if not summaries:
        st.info(say("runs-empty"))
        return
    no_days: Any = ()  # Streamlit has no type for a range that nothing is chosen of
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words = st.text_input(say("runs-words"), key="asked", width=280, bind="query-params")
        days = st.date_input(say("runs-days"), no_days, key="days", width=260)
        orders = say_each("runs-order-", ORDERS)
        order = select_one(say("runs-order"), orders, key="order", width=200, in_address=True)
    present = [outcome for outcome in OUTCOMES if any(run.outcome == outcome for run in summaries)]
    names = say_each("outcome-", present)
    outcomes = choose_many(say("column-outcome"), names, "outcome", in_address=True)
    shown = choose_runs(summaries, order, local_day, outcomes, words, days)
    if not shown:
        st.info(say("runs-no-match"))
        return
    with st.expander(say("runs-charts"), icon=":material/monitoring:", expanded=True):
        show_run_charts(shown)
    total = language().format_number(len(summaries))
    with count_row(say("runs-shown", count=len(shown), total=total)):
        offer_download("CSV", "runs.csv", lambda: runs_csv(shown))
    for summary in paginate(shown, "runs-page"):
        show_run_line(summary)


VIEWS = {"runs": show_list, "evaluation": evaluate}

st.title(say("page-runs"), anchor=False)
if (opened := st.query_params.get(address.RUN)) is not None:
    show_replay(opened)
else:
    VIEWS[choose_view("runs", VIEWS)]()
