"""Two documents compared: what changed, word by word; filter, search, export."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.exports import pairs_csv, pairs_json
from core.library import (
    ClausePair,
    Document,
    Library,
    PairFilter,
    compare_documents,
    compare_drawings,
    find_later_base,
    newest_two,
)
from core.markdown_escape import escape_markdown
from pages.components import services
from pages.components.comparison_view import COLORS, describe_pairs, show_pair
from pages.components.document_names import distinct_names, edition_label
from pages.components.labels import format_number
from pages.components.widgets import (
    count_row,
    icon_button,
    offer_download,
    paginate,
    select_many,
    select_one,
)
from pages.components.words import say, say_each

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
    ids = (before.document_id, after.document_id)
    return compare_drawings(_library, *ids, compare_documents(_library, *ids))


def choose_sides(documents: Mapping[str, Document]) -> list[Document]:
    """Draw both selectors and a button that swaps them, and return what is chosen."""

    def swap_documents() -> None:
        values = st.session_state
        values["before"], values["after"] = values["after"], values["before"]

    keys, names = list(documents), distinct_names(documents.values())
    newest = newest_two(tuple(documents.values()))
    left, middle, right = st.columns([8, 2, 8], vertical_alignment="top")
    sides = []
    for column, key, document in (
        (left, "before", newest[0]),
        (right, "after", newest[1]),
    ):
        look = {"index": keys.index(document.document_id), "key": key, "in_address": True}
        with column.container(gap="xsmall"):
            chosen = documents[select_one(say(f"compare-{key}"), names, **look)]
            # On a line of its own: a selector cuts off long names.
            pages = say("pages", count=chosen.pages)
            st.caption(f"{escape_markdown(edition_label(chosen))} · {pages}")
        sides.append(chosen)
    with middle:
        st.space("small")
        about = say("compare-swap-about")
        icon_button(say("compare-swap"), "swap_horiz", swap_documents, help=about)
    return sides


def choose_filter(pairs: Sequence[ClausePair]) -> PairFilter:
    """Draw the filters in one row; those of the publisher's marks and words where there are any."""

    def choose(kind: str, key: str) -> list[Any]:
        names = say_each(f"{kind}-", COLORS[kind])
        label = say(f"compare-{key}")
        return select_many(label, names, key=key, width=FILTER_WIDTH, in_address=True)

    def type_in(label: str, key: str, example: str) -> str:
        look: dict[str, Any] = {"width": FILTER_WIDTH, "bind": "query-params"}
        return st.text_input(label, key=key, placeholder=example, **look).strip()

    has_marks = any(pair.marked for pair in pairs)
    has_words = any(pair.declaration and pair.said for pair in pairs)
    with st.container(horizontal=True):
        return PairFilter(
            choose("place", "place"),
            choose("wording", "wording"),
            choose("mark", "publisher") if has_marks else (),
            choose("declaration", "declared") if has_words else (),
            type_in(say("compare-article"), "article", "34.7"),
            type_in(say("compare-words"), "said", say("compare-words-example")),
        )


def compare() -> None:
    st.title(say("page-compare"), anchor=False)
    library = services.get_library()
    documents = {document.document_id: document for document in library.documents()}
    if len(documents) < 2:
        st.info(say("compare-one" if documents else "compare-none"))
        return
    before, after = sides = choose_sides(documents)
    if before is after:
        st.info(say("compare-same"))
        return
    doing = say("compare-comparing", before=before.clauses, after=after.clauses)
    with st.spinner(doing, show_time=True):
        pairs = find_pairs(library, before, after, library.version)
    if base := find_later_base(before, after, after.legend):
        st.caption(say("compare-marks-since", season=str(base[0]), issue=base[1]))
    matches = choose_filter(pairs).matches_pair
    shown = [pair for pair in pairs if matches(pair)]
    with count_row(say("compare-shown", shown=format_number(len(shown)), count=len(pairs))):
        st.caption(describe_pairs(pairs), width="stretch")
        whole = st.toggle(say("compare-whole"), help=say("compare-whole-about"))
        offer_download("CSV", "comparison.csv", lambda: pairs_csv(shown))
        offer_download("JSON", "comparison.json", lambda: pairs_json(shown, sides))
    if not shown:
        st.info(say("compare-no-match"))
        return
    for pair in paginate(shown, "changes-page"):
        show_pair(pair, sides, whole)


compare()
