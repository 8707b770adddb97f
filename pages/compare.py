"""Two documents compared: a summary, and what changed word by word; filter, search, export."""

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

import streamlit as st

from core.library import ClausePair, Declaration, Document, Library, MarkStatus, compare_documents
from pages.components import services, state
from pages.components.comparison_view import (
    DECLARATIONS,
    KINDS,
    PUBLISHER_MARKS,
    PairFilter,
    describe_pair_count,
    pairs_csv,
    pairs_json,
    show_kind_chart,
    show_pair,
)
from pages.components.dates import format_day
from pages.components.document_names import distinct_names
from pages.components.labels import format_count, format_number
from pages.components.pagination import paginate
from pages.components.text import escape_markdown
from pages.components.widgets import choose_many, icon_button, offer_download

CHANGES = [kind for kind in KINDS if kind != "unchanged"]

library = services.get_library()


@st.cache_data(show_spinner=False, max_entries=20)
def find_pairs(
    _library: Library,
    before: Document,
    after: Document,
    version: int,  # noqa: ARG001
) -> tuple[ClausePair, ...]:
    """The pairs of two documents. The library's `version` changes when one is read again."""
    return compare_documents(_library, before.document_id, after.document_id)


def newest_two(documents: Sequence[Document]) -> tuple[Document, Document]:
    """The two newest documents of the latest family that has two; else the two newest."""
    dated = sorted(documents, key=lambda d: (d.date or "", d.season or 0, d.issue or 0))
    families = [[d for d in dated if d.family == last.family] for last in dated if last.family]
    chosen = next((family for family in reversed(families) if len(family) > 1), dated)
    return list(pairwise(chosen))[-1]


def describe_issue(document: Document) -> str:
    """Season, issue, date and size, on a line of its own: a selector cuts off long names."""
    parts = (
        str(document.season or ""),
        f"Issue {document.issue}" if document.issue is not None else "",
        format_day(date.fromisoformat(document.date)) if document.date else "",
        format_count(document.pages, "page"),
    )
    return escape_markdown(" · ".join(filter(None, parts)))


def swap_documents() -> None:
    values = st.session_state
    values[state.BEFORE], values[state.AFTER] = values[state.AFTER], values[state.BEFORE]


st.title("Compare", anchor=False)
documents = {document.document_id: document for document in library.documents()}
if len(documents) < 2:
    content = "holds one document" if documents else "is empty"
    st.info(
        f"Comparing takes two documents, and the library {content}."
        " Add rulebooks (PDF) on the page Library."
    )
    st.stop()

keys, names = list(documents), distinct_names(documents.values())
newest = newest_two(tuple(documents.values()))
sides = []
for column, label, key, document in zip(
    st.columns(2), ("Before", "After"), (state.BEFORE, state.AFTER), newest, strict=True
):
    index = keys.index(document.document_id)
    with column:
        chosen = st.selectbox(
            label, keys, index, format_func=names.__getitem__, key=key, bind="query-params"
        )
        sides.append(documents[chosen])
        st.caption(describe_issue(sides[-1]))
icon_button("Swap", "swap_horiz", swap_documents, help="Compare the other way round.")
before, after = sides
if before is after:
    st.info("This is the same document twice. Choose another one to compare it with.")
    st.stop()

counts = [format_number(side.clauses) for side in sides]
with st.spinner(f"Comparing {counts[0]} clauses with {counts[1]}", show_time=True):
    pairs = find_pairs(library, before, after, library.version)

show_kind_chart(pairs, st.session_state.get(state.CHANGE_KINDS, CHANGES))
kinds = choose_many("Show", KINDS, state.CHANGE_KINDS, default=CHANGES, bind="query-params")
marked: list[MarkStatus] = []
if any(pair.marked for pair in pairs):
    marks = {"marked": "marked", "partly": "marked in part", "unmarked": "not marked"}
    marked = choose_many(
        "Marked as a change by the publisher",
        PUBLISHER_MARKS,
        state.CHANGE_MARKED,
        format_func=marks.__getitem__,
        bind="query-params",
    )
declared: list[Declaration] = []
if any(pair.declaration and pair.said for pair in pairs):
    declared = choose_many(
        "The publisher's own word",
        DECLARATIONS,
        state.CHANGE_DECLARED,
        format_func=lambda name: DECLARATIONS[name][0],
        bind="query-params",
    )
with st.container(horizontal=True, vertical_alignment="bottom"):
    number = st.text_input(
        "Article", key=state.CHANGED_ARTICLE, placeholder="34.7", bind="query-params", width=160
    )
    words = st.text_input(
        "Words", key=state.CHANGED_WORDS, placeholder="pit lane", bind="query-params", width=280
    )
    whole = st.toggle("Whole wording", help="Also the long parts that did not change.")

matches = PairFilter(kinds, marked, declared, number.strip(), words).matches_pair
shown = [pair for pair in pairs if matches(pair)]
with st.container(horizontal=True, vertical_alignment="center"):
    st.markdown(f"**{describe_pair_count(len(shown), len(pairs))}**", width="content")
    offer_download("CSV", "comparison.csv", lambda: pairs_csv(shown))
    offer_download("JSON", "comparison.json", lambda: pairs_json(shown, sides))
if not shown:
    st.info("No clauses match. Choose more kinds of change, or search for fewer words.")
    st.stop()
here = paginate(shown, state.CHANGE_PAGE)
st.caption(
    f"Left: {escape_markdown(before.label)}, :red-background[~~removed~~] words struck out."
    f" Right: {escape_markdown(after.label)}, :green-background[**added**] words bold."
)
for pair in here:
    show_pair(pair, sides, whole)
