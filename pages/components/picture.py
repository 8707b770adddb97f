"""A picture of a list: a bar for each chapter, its parts by kind. A click on a part filters."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import altair
import streamlit as st

from pages.components.widgets import Option, select_many
from pages.components.words import language, say

Part = tuple[str, str]
"""A bar, and the part of it, by their names."""
BAR_COLORS = {
    "blue": "#2f7fd1",
    "green": "#2e9e5b",
    "orange": "#d9822b",
    "red": "#d64545",
    "violet": "#8b5cc7",
    "gray": "#8a97a0",
}
"""Seen on a light and on a dark page."""
MAX_BARS, MAX_KINDS = 24, 7
"""Bars on a screen, and parts whose colours are told apart; what is rarer is one of them."""
STEP, LABEL_WIDTH = 16, 150
"""Pixels of a bar with its gap, and of its name: beside it a telephone still has bars."""


def _join_rare(names: Sequence[str], most: int) -> list[str]:
    """Give the names beyond the most frequent ones a common one."""
    kept = {name for name, _ in Counter(names).most_common(most)}
    return [name if name in kept else say("picture-other") for name in names]


def filter_by_picture(
    items: Sequence[Option], parts: Sequence[Part], key: str, colors: Mapping[str, str]
) -> Sequence[Option]:
    """Draw how many items each part of a bar has; return those of the parts that are clicked.

    `parts` are those of the items, `colors` those of their kinds, in this order; without them the
    most frequent kind comes first. Bars are chosen by name too, as a picture has no keys. Without
    a choice all items are returned.
    """
    named_bars = _join_rare([bar for bar, _ in parts], MAX_BARS)
    parts = [*zip(named_bars, _join_rare([kind for _, kind in parts], MAX_KINDS), strict=True)]
    counts, kinds = Counter(parts), Counter(kind for _, kind in parts)
    if len(counts) < 2:
        return items
    names = [one for one in colors if one in kinds] or [one for one, _ in kinds.most_common()]
    bars: list[dict[str, str | int]] = [
        {"bar": bar, "kind": kind, "count": count, "rank": names.index(kind)}
        for (bar, kind), count in counts.items()
    ]
    with st.container(gap=None):
        by_name = select_many(
            say("picture-about"), {bar: bar for bar, _ in counts}, key=f"{key}-bars"
        )
        about = ", ".join(f"{name} {language().format_number(kinds[name])}" for name in names)
        chart = _build_chart(bars, names, [colors[name] for name in names if colors])
        chosen: Any = st.altair_chart(chart, alt=about, key=key, on_select="rerun")
    clicked = chosen["selection"]["picked"] or ()
    picked = {(one["bar"], one["kind"]) for one in clicked} & counts.keys()
    picked |= {part for part in counts if part[0] in by_name}
    return [item for item, part in zip(items, parts, strict=True) if part in picked or not picked]


def _build_chart(
    bars: Sequence[Mapping[str, str | int]], kinds: Sequence[str], colors: Sequence[str]
) -> altair.Chart:
    scale = altair.Scale(domain=kinds, range=colors or altair.Undefined)
    legend = altair.Legend(orient="top", columns=2, symbolType="square")
    labels = altair.Axis(labelLimit=LABEL_WIDTH, labelOverlap=False, labelFlush=False)
    picked = altair.selection_point("picked", fields=["bar", "kind"])
    chart = altair.Chart({"values": bars}).mark_bar(cursor="pointer").add_params(picked)
    chart = chart.encode(
        x=altair.X("count:Q", title=None, axis=altair.Axis(tickMinStep=1, tickCount=5)),
        y=altair.Y("bar:N", title=None, sort=None, axis=labels),
        color=altair.Color("kind:N", title=None, scale=scale, legend=legend),
        order="rank:Q",
        opacity=altair.condition(picked, altair.value(1), altair.value(0.3)),
        tooltip=[
            altair.Tooltip(f"{name}:N", title=say(f"picture-{name}"))
            for name in ("bar", "kind", "count")
        ],
    )
    sized: altair.Chart = chart.properties(height=altair.Step(STEP))
    return sized
