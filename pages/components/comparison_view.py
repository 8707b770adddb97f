"""A comparison: its summary chart, its filter, each pair with its differences, and its files."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import altair as alt
import streamlit as st

from core.library import ClausePair, Declaration, Document, MarkStatus, PairKind
from pages.components import state
from pages.components.differences import format_side, format_single
from pages.components.labels import format_count, format_number
from pages.components.outline import is_at_or_below
from pages.components.spreadsheet import csv_file
from pages.components.text import escape_markdown

KINDS: dict[PairKind, tuple[str, str, str]] = {
    "changed": ("Changed", "blue", "#3d7ab8"),
    "added": ("Added", "green", "#2e8b57"),
    "removed": ("Removed", "red", "#c8474b"),
    "renumbered": ("Renumbered", "violet", "#8a63c9"),
    "moved": ("Moved", "orange", "#b9722a"),
    "unchanged": ("Unchanged", "gray", "#7a868e"),
}
"""A kind's label, badge colour and bar colour (contrast of 3:1 against both backgrounds)."""
PUBLISHER_MARKS: dict[MarkStatus, tuple[str, str]] = {
    "marked": ("Marked as a change by the publisher", "gray"),
    "partly": ("Only partly marked by the publisher", "orange"),
    "unmarked": ("Not marked by the publisher", "orange"),
}
"""Label and colour for how far the publisher's change marks cover the differences of a pair."""
DECLARATIONS: dict[Declaration, tuple[str, str]] = {
    "found": ("Declared by the publisher", "gray"),
    "undeclared": ("Not declared by the publisher", "orange"),
    "not_found": ("Declared, but no change found", "orange"),
}
"""Label and colour for the publisher's word on a pair, in marks or a record of changes."""
PAIR_COLUMNS = tuple(
    "kind place wording article_a article_b title marked declaration similarity before"
    " after".split()
)


@dataclass(frozen=True, slots=True)
class PairFilter:
    """Which pairs of a comparison to show. Empty marks, article or words match every pair."""

    kinds: Sequence[PairKind]
    marked: Sequence[MarkStatus] = ()
    declared: Sequence[Declaration] = ()
    article: str = ""
    words: str = ""

    def matches_pair(self, pair: ClausePair) -> bool:
        text = f"{pair.title} {pair.before} {pair.after}".casefold()
        return (
            not kinds_of(pair).isdisjoint(self.kinds)
            and (not self.marked or pair.marked in self.marked)
            and (not self.declared or pair.declaration in self.declared)
            and (
                not self.article
                or any(is_at_or_below(number, self.article) for number in _article_numbers(pair))
            )
            and all(word in text for word in self.words.casefold().split())
        )


def kinds_of(pair: ClausePair) -> set[PairKind]:
    """The kinds that a pair counts as: a renumbered or moved rule with other words also changed."""
    has_other_words = pair.pieces and pair.place in ("renumbered", "moved")
    return {pair.kind, "changed"} if has_other_words else {pair.kind}


def show_kind_chart(pairs: Sequence[ClausePair], kinds: Sequence[PairKind]) -> None:
    """Draw the number of pairs of each kind as bars. A click on a bar shows that kind only."""
    counts = Counter(kind for pair in pairs for kind in kinds_of(pair))
    labels = [f"{kind} {format_number(counts[kind])}" for kind in KINDS]
    rows = [
        {"kind": kind, "label": label, "pairs": counts[kind], "shown": kind in kinds}
        for kind, label in zip(KINDS, labels, strict=True)
    ]
    # One key for each choice: a chart's selection would survive a choice made elsewhere.
    key = "-".join(("summary", *kinds))
    clicked = alt.selection_point(name=state.CHANGE_KINDS, fields=["kind"])
    colours = alt.Scale(domain=list(KINDS), range=[colour for _, _, colour in KINDS.values()])
    axis = alt.Axis(labelOverlap=False, labelLimit=200, ticks=False)
    chart = (
        alt.Chart(alt.Data(values=rows))
        .mark_bar(cursor="pointer")
        .encode(
            x=alt.X("pairs:Q", axis=None),
            y=alt.Y("label:N", title=None, sort=labels, axis=axis),
            color=alt.Color("kind:N", scale=colours, legend=None),
            opacity=alt.condition("datum.shown", alt.value(1.0), alt.value(0.35)),
            tooltip=[alt.Tooltip("label:N", title="Pairs of clauses")],
        )
        .add_params(clicked)
        .properties(height=28 * len(KINDS))
    )
    alternative = f"Pairs of clauses by kind of change: {', '.join(labels)}"
    st.altair_chart(
        chart, key=key, on_select=lambda: state.choose_change_kind(key), alt=alternative
    )
    st.caption("Click a bar to see only that kind of change.")


def show_pair(pair: ClausePair, sides: Sequence[Document], whole: bool) -> None:
    """Draw a pair of clauses with their differences marked, and a button that opens each clause."""
    kinds = [kind for kind in reversed(KINDS) if kind in kinds_of(pair)]
    badges = " ".join(f":{KINDS[kind][1]}-badge[{KINDS[kind][0]}]" for kind in kinds)
    if pair.declaration and (pair.said or not pair.marked):
        word, colour = DECLARATIONS[pair.declaration]
        badges += f" :{colour}-badge[{word}]"
    if pair.marked:
        word, colour = PUBLISHER_MARKS[pair.marked]
        badges += f" :{colour}-badge[{word}]"
    heading = " ".join(
        filter(None, (" → ".join(dict.fromkeys(_article_numbers(pair))), pair.title))
    )
    both = pair.article_a and pair.article_b
    similarity = f" :gray[{pair.similarity:.0%} unchanged]" if both else ""
    if pair.pieces:
        texts = [format_side(pair.pieces, side, whole) for side in ("deleted", "inserted")]
    else:
        texts = [format_single(text, whole) for text in (pair.before, pair.after)]
    clauses = (pair.clause_a, pair.clause_b)
    numbers = (pair.article_a, pair.article_b)
    with st.container(border=True):
        st.markdown(f"{badges} **{escape_markdown(heading)}**{similarity}")
        if pair.said:
            st.caption(f"The publisher says: “{escape_markdown('; '.join(pair.said))}”")
        for column, text, clause_id, number, document in zip(
            st.columns(2, gap="medium"), texts, clauses, numbers, sides, strict=True
        ):
            with column:
                if clause_id and number:
                    st.markdown(text or ":gray[A heading without text]")
                    _show_clause_button(clause_id, f"{number} in {document.label}")
                else:
                    st.caption(f"Not in {escape_markdown(document.label)}.")


def _show_clause_button(clause_id: str, name: str) -> None:
    if st.button(
        escape_markdown(name),
        key=f"read-{clause_id}",
        icon=":material/account_tree:",
        type="tertiary",
        wrap=True,
    ):
        # An explicit address: parameters that widgets are bound to cannot be cleared.
        st.switch_page("browse.py", query_params=state.clause_address(clause_id))


def pairs_csv(pairs: Sequence[ClausePair]) -> bytes:
    rows = ([getattr(pair, name) for name in PAIR_COLUMNS] for pair in pairs)
    return csv_file(PAIR_COLUMNS, rows)


def pairs_json(pairs: Sequence[ClausePair], sides: Sequence[Document]) -> str:
    before, after = ({"document_id": side.document_id, "label": side.label} for side in sides)
    value = {"before": before, "after": after, "pairs": [asdict(pair) for pair in pairs]}
    return json.dumps(value, ensure_ascii=False, indent=1)


def describe_pair_count(shown: int, pairs: int) -> str:
    """The number of pairs that match the filter: "42 pairs of 471"."""
    return f"{format_count(shown, 'pair')} of {format_number(pairs)}"


def _article_numbers(pair: ClausePair) -> list[str]:
    return [number for number in (pair.article_a, pair.article_b) if number]
