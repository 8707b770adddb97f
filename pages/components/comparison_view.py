"""What a comparison found: a summary as a chart to click, what fits a filter, and each pair with its differences."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import altair as alt
import streamlit as st

from core.library import ClausePair, Document, MarkStatus, PairKind
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
"""The word for a kind of pair, the colour of its badge and that of its bar (3:1 against both backgrounds)."""
PUBLISHER_MARKS: dict[MarkStatus, tuple[str, str]] = {
    "marked": ("Marked by the publisher", "gray"),
    "partly": ("Only partly marked by the publisher", "orange"),
    "unmarked": ("Not marked by the publisher", "orange"),
}
"""What the publisher's own marks say of a pair's differences."""
PAIR_COLUMNS = (
    "kind",
    "article_a",
    "article_b",
    "title",
    "marked",
    "similarity",
    "before",
    "after",
)
_FAINT = 0.35


@dataclass(frozen=True, slots=True)
class PairFilter:
    """What a person wants to see of a comparison."""

    kinds: Sequence[PairKind]
    marked: Sequence[MarkStatus] = ()
    """None chosen: whatever the marks say."""
    article: str = ""
    words: str = ""

    def matches_pair(self, pair: ClausePair) -> bool:
        said = f"{pair.title} {pair.before} {pair.after}".casefold()
        return (
            pair.kind in self.kinds
            and (not self.marked or pair.marked in self.marked)
            and (
                not self.article
                or any(is_at_or_below(number, self.article) for number in _numbers(pair))
            )
            and all(word in said for word in self.words.casefold().split())
        )


def show_kind_chart(pairs: Sequence[ClausePair], kinds: Sequence[PairKind]) -> None:
    """Draw how many pairs there are of each kind; a click on a bar shows that kind only."""
    counts = Counter(pair.kind for pair in pairs)
    labels = [f"{kind} {format_number(counts[kind])}" for kind in KINDS]
    rows = [
        {"kind": kind, "label": label, "pairs": counts[kind], "shown": kind in kinds}
        for kind, label in zip(KINDS, labels, strict=True)
    ]
    # A selection of the chart would outlive what is chosen elsewhere: each choice has a chart of its own.
    key = "-".join(("summary", *kinds))
    clicked = alt.selection_point(name=state.CHANGE_KINDS, fields=["kind"])
    colours = alt.Scale(domain=list(KINDS), range=[colour for _, _, colour in KINDS.values()])
    chart = (
        alt.Chart(alt.Data(values=rows))
        .mark_bar(cursor="pointer")
        .encode(
            x=alt.X("pairs:Q", axis=None),
            y=alt.Y(
                "label:N",
                title=None,
                sort=labels,
                axis=alt.Axis(labelOverlap=False, labelLimit=200, ticks=False),
            ),
            color=alt.Color("kind:N", scale=colours, legend=None),
            opacity=alt.condition("datum.shown", alt.value(1.0), alt.value(_FAINT)),
            tooltip=[alt.Tooltip("label:N", title="Pairs of clauses")],
        )
        .add_params(clicked)
        .properties(height=28 * len(KINDS))
    )
    st.altair_chart(
        chart,
        key=key,
        on_select=lambda: state.choose_change_kind(key),
        alt=f"Pairs of clauses by kind of change: {', '.join(labels)}",
    )
    st.caption("Click a bar to see that kind of change only.")


def show_pair(pair: ClausePair, sides: Sequence[Document], whole: bool) -> None:
    """Draw a pair of clauses with what is different marked, and the way to each clause."""
    with st.container(border=True):
        st.markdown(f"{_badges(pair)} **{escape_markdown(_heading(pair))}**{_likeness(pair)}")
        if pair.pieces:
            texts = [
                format_side(pair.pieces, "deleted", whole),
                format_side(pair.pieces, "inserted", whole),
            ]
        else:
            texts = [format_single(text, whole) for text in (pair.before, pair.after)]
        clauses = (pair.clause_a, pair.clause_b)
        numbers = (pair.article_a, pair.article_b)
        for column, text, clause_id, number, document in zip(
            st.columns(2, gap="medium"), texts, clauses, numbers, sides, strict=True
        ):
            with column:
                if clause_id and number:
                    st.markdown(text or ":gray[No words of its own.]")
                    _way_to(clause_id, f"{number} in {document.label}")
                else:
                    st.caption(f"Not in {escape_markdown(document.label)}.")


def _way_to(clause_id: str, name: str) -> None:
    opening = st.button(
        escape_markdown(name),
        key=f"read-{clause_id}",
        icon=":material/account_tree:",
        type="tertiary",
        wrap=True,
    )
    if opening:
        # With an address of its own, since one that widgets are bound to cannot be cleared.
        st.switch_page("browse.py", query_params=state.clause_address(clause_id))


def pairs_csv(pairs: Sequence[ClausePair]) -> bytes:
    """The pairs as CSV, a row each."""
    return csv_file(
        PAIR_COLUMNS, ([getattr(pair, name) for name in PAIR_COLUMNS] for pair in pairs)
    )


def pairs_json(pairs: Sequence[ClausePair], sides: Sequence[Document]) -> str:
    """The pairs as JSON, with the documents that were compared."""
    documents = [
        {"document_id": document.document_id, "label": document.label} for document in sides
    ]
    value = {
        "before": documents[0],
        "after": documents[1],
        "pairs": [asdict(pair) for pair in pairs],
    }
    return json.dumps(value, ensure_ascii=False, indent=1)


def describe_pair_count(shown: int, pairs: int) -> str:
    """How many pairs fit, in words."""
    return f"{format_count(shown, 'pair')} of {format_number(pairs)}"


def _badges(pair: ClausePair) -> str:
    word, colour, _ = KINDS[pair.kind]
    badges = [f":{colour}-badge[{word}]"]
    if pair.marked:
        said, shade = PUBLISHER_MARKS[pair.marked]
        badges.append(f":{shade}-badge[{said}]")
    return " ".join(badges)


def _likeness(pair: ClausePair) -> str:
    return f" :gray[{pair.similarity:.0%} alike]" if pair.article_a and pair.article_b else ""


def _heading(pair: ClausePair) -> str:
    numbers = list(dict.fromkeys(_numbers(pair)))
    return " ".join(filter(None, (" → ".join(numbers), pair.title)))


def _numbers(pair: ClausePair) -> tuple[str, ...]:
    return tuple(number for number in (pair.article_a, pair.article_b) if number)
