"""Two documents compared: what changed, word by word; filter, search, export."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import streamlit as st

from core.exports import pairs_csv, pairs_json
from core.library import ClausePair, Document, Library, PairFilter, compare_documents
from pages.components import services, state
from pages.components.comparison_view import (
    DECLARATIONS,
    PLACES,
    PUBLISHER_MARKS,
    WORDINGS,
    describe_pairs,
    show_pair,
)
from pages.components.document_names import distinct_names, edition_label
from pages.components.labels import format_count, format_number
from pages.components.pagination import paginate
from pages.components.text import escape_markdown
from pages.components.widgets import icon_button, offer_download

FILTER_WIDTH = 150
"""Pixels: five stand beside each other, two on a telephone."""


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


def choose_sides(documents: Mapping[str, Document]) -> list[Document]:
    """Draw both selectors and a button that swaps them, and return what is chosen."""

    def swap_documents() -> None:
        values = st.session_state
        values[state.BEFORE], values[state.AFTER] = values[state.AFTER], values[state.BEFORE]

    keys, names = list(documents), distinct_names(documents.values())
    newest = newest_two(tuple(documents.values()))
    left, middle, right = st.columns([8, 2, 8], vertical_alignment="top")
    sides = []
    for column, label, key, document in (
        (left, "Before", state.BEFORE, newest[0]),
        (right, "After", state.AFTER, newest[1]),
    ):
        index = keys.index(document.document_id)
        with column.container(gap="xsmall"):
            chosen = documents[
                st.selectbox(
                    label, keys, index, format_func=names.__getitem__, key=key, bind="query-params"
                )
            ]
            # On a line of its own: a selector cuts off long names.
            pages = format_count(chosen.pages, "page")
            st.caption(f"{escape_markdown(edition_label(chosen))} · {pages}")
        sides.append(chosen)
    with middle:
        st.space("small")
        icon_button("Swap", "swap_horiz", swap_documents, help="Compare the other way round.")
    return sides


def choose_filter(pairs: Sequence[ClausePair]) -> PairFilter:
    """Draw the filters in one row; those of the publisher's marks and words where there are any."""

    def choose(label: str, names: Mapping[Any, tuple[str, str]], key: str) -> list[Any]:
        return st.multiselect(
            label,
            list(names),
            format_func=lambda one: names[one][0],
            key=key,
            placeholder="All",
            width=FILTER_WIDTH,
            bind="query-params",
        )

    def say(label: str, key: str, example: str) -> str:
        return st.text_input(
            label, key=key, placeholder=example, width=FILTER_WIDTH, bind="query-params"
        ).strip()

    has_marks = any(pair.marked for pair in pairs)
    has_words = any(pair.declaration and pair.said for pair in pairs)
    with st.container(horizontal=True):
        return PairFilter(
            choose("Place", PLACES, state.CHANGE_PLACES),
            choose("Wording", WORDINGS, state.CHANGE_WORDINGS),
            choose("Publisher's marks", PUBLISHER_MARKS, state.CHANGE_MARKED) if has_marks else (),
            choose("Publisher's word", DECLARATIONS, state.CHANGE_DECLARED) if has_words else (),
            say("Article", state.CHANGED_ARTICLE, "34.7"),
            say("Words", state.CHANGED_WORDS, "pit lane"),
        )


def compare() -> None:
    st.title("Compare", anchor=False)
    library = services.get_library()
    documents = {document.document_id: document for document in library.documents()}
    if len(documents) < 2:
        content = "holds one document" if documents else "is empty"
        st.info(
            f"Comparing takes two documents, and the library {content}."
            " Add rulebooks (PDF) on the page Library."
        )
        return
    before, after = sides = choose_sides(documents)
    if before is after:
        st.info("This is the same document twice. Choose another one to compare it with.")
        return
    counts = [format_number(side.clauses) for side in sides]
    with st.spinner(f"Comparing {counts[0]} clauses with {counts[1]}", show_time=True):
        pairs = find_pairs(library, before, after, library.version)
    matches = choose_filter(pairs).matches_pair
    shown = [pair for pair in pairs if matches(pair)]
    with st.container(horizontal=True, vertical_alignment="center"):
        count = f"{format_number(len(shown))} of {format_count(len(pairs), 'clause')}"
        st.markdown(f"**{count}**", width="content")
        st.caption(describe_pairs(pairs), width="stretch")
        whole = st.toggle("Whole wording", help="Also the long parts that did not change.")
        offer_download("CSV", "comparison.csv", lambda: pairs_csv(shown))
        offer_download("JSON", "comparison.json", lambda: pairs_json(shown, sides))
    if not shown:
        st.info("No clauses match. Relax the filters.")
        return
    for pair in paginate(shown, state.CHANGE_PAGE):
        show_pair(pair, sides, whole)


compare()
