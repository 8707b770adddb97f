"""Runs as a list with a filter, charts over time, and the replay of one run."""

from collections.abc import Sequence
from typing import Any

import altair
import streamlit as st

from core.chats import RunSummary, SavedRun
from core.exports import csv_file
from core.library import Library
from core.markdown_escape import escape_markdown
from pages.components import address
from pages.components.dates import format_time, to_local_time
from pages.components.labels import format_cost, format_score, format_seconds, outcome_badge
from pages.components.run import show_run_to_read
from pages.components.words import say

RUN_COLUMNS = tuple(
    "started_at question outcome score iterations seconds cost title run_id".split()
)
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
    chart = altair.Chart(altair.Data(values=points)).mark_circle(size=70)
    return chart.encode(
        x=altair.X("at:T", title=None, axis=times),
        y=altair.Y("value:Q", title=None, scale=scale, axis=altair.Axis(tickCount=4)),
    ).properties(height=150)


def show_run_line(line: RunSummary) -> None:
    """Draw a run as its question, which opens it, with its outcome and figures."""
    with st.container(gap=None):
        st.button(
            escape_markdown(line.question),
            key=f"run-{line.run_id}",
            type="tertiary",
            icon=":material/play_circle:",
            on_click=st.query_params.update,
            args=(address.run_address(line.run_id),),
            wrap=True,
        )
        badge = outcome_badge(line.outcome) if line.outcome else say("runs-running")
        st.markdown(f"{badge} :small[:gray[{' · '.join(_run_facts(line))}]]")


def _run_facts(line: RunSummary) -> list[str]:
    facts = []
    if line.score is not None:
        facts.append(format_score(line.score))
    if line.outcome:
        facts += [say("iterations", count=line.iterations), format_seconds(line.seconds)]
    if line.cost:
        facts.append(format_cost(line.cost))
    return [*facts, format_time(line.started_at)]


def show_run(library: Library, run: SavedRun) -> None:
    st.subheader(escape_markdown(run.question), anchor=False)
    st.caption(say("runs-asked", time=format_time(run.started_at)))
    show_run_to_read(library, run, expanded=True)


def runs_csv(lines: Sequence[RunSummary]) -> bytes:
    return csv_file(RUN_COLUMNS, ([getattr(line, name) for name in RUN_COLUMNS] for line in lines))
