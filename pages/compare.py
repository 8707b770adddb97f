"""Two documents compared: a summary, and what changed word by word, filtered, searched and exported."""

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

import streamlit as st

from core.library import ClausePair, Document, Library, compare
from pages.components import services, state
from pages.components.comparison_view import (
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

CHANGES = [kind for kind in KINDS if kind != "unchanged"]

library = services.get_library()


@st.cache_data(show_spinner=False, max_entries=20)
def compare_documents(
    _library: Library, before: Document, after: Document, version: int
) -> tuple[ClausePair, ...]:  # noqa: ARG001
    """The pairs of two documents in a `version` of the library: a document may be described, or read, anew."""
    return compare(_library.clauses(before.document_id), _library.clauses(after.document_id))


def newest_two(documents: Sequence[Document]) -> tuple[Document, Document]:
    """The two newest documents of the family that was published last; of none that has two, the last two."""
    dated = sorted(documents, key=lambda held: (held.date or "", held.season or 0, held.issue or 0))
    families = [
        [held for held in dated if held.family == last.family]
        for last in reversed(dated)
        if last.family
    ]
    chosen = next((family for family in families if len(family) > 1), dated)
    return list(pairwise(chosen))[-1]


def describe_issue(document: Document) -> str:
    """What tells a document from others of its family, in a line of its own: a selector cuts the end of a long name."""
    dated = format_day(date.fromisoformat(document.date)) if document.date else ""
    issue = f"Issue {document.issue}" if document.issue is not None else ""
    return escape_markdown(
        " · ".join(
            filter(
                None,
                (str(document.season or ""), issue, dated, format_count(document.pages, "page")),
            )
        )
    )


st.title("Compare", anchor=False)
documents = {document.document_id: document for document in library.documents()}
if len(documents) < 2:
    held = "holds one document" if documents else "is empty"
    st.info(
        f"Comparing takes two documents, and the library {held}. Add rulebooks (PDF) on the page Library."
    )
    st.stop()

keys, names = list(documents), distinct_names(documents.values())
start = [keys.index(document.document_id) for document in newest_two(tuple(documents.values()))]
columns = st.columns(2)
sides = [
    documents[
        column.selectbox(
            label, keys, place, format_func=names.__getitem__, key=key, bind="query-params"
        )
    ]
    for column, label, key, place in zip(
        columns, ("Before", "After"), (state.BEFORE, state.AFTER), start, strict=False
    )
]
for column, side in zip(columns, sides, strict=False):
    column.caption(describe_issue(side))
st.button(
    "Swap",
    icon=":material/swap_horiz:",
    type="tertiary",
    on_click=state.swap_documents,
    help="Compare the other way round.",
)
before, after = sides
if before is after:
    st.info("This is the same document twice. Choose another one to compare it with.")
    st.stop()

with st.spinner(
    f"Comparing {format_number(before.clauses)} clauses with {format_number(after.clauses)}",
    show_time=True,
):
    pairs = compare_documents(library, before, after, library.version)

kinds = st.session_state.get(state.CHANGE_KINDS, CHANGES)
show_kind_chart(pairs, kinds)
kinds = st.pills(
    "Show",
    list(KINDS),
    selection_mode="multi",
    default=CHANGES,
    key=state.CHANGE_KINDS,
    bind="query-params",
    wrap=True,
)
marked = []
if any(pair.marked for pair in pairs):
    marked = st.pills(
        "Differences that the publisher has",
        list(PUBLISHER_MARKS),
        selection_mode="multi",
        format_func={
            "marked": "marked",
            "partly": "marked in part",
            "unmarked": "not marked",
        }.__getitem__,
        key=state.CHANGE_MARKED,
        bind="query-params",
        wrap=True,
    )
with st.container(horizontal=True, vertical_alignment="bottom"):
    number = st.text_input(
        "Article", key=state.CHANGED_ARTICLE, placeholder="34.7", bind="query-params", width=160
    )
    words = st.text_input(
        "Words", key=state.CHANGED_WORDS, placeholder="pit lane", bind="query-params", width=280
    )
    whole = st.toggle(
        "Whole wording", help="Also the long stretches in which nothing is different."
    )

wanted = PairFilter(kinds, marked, number.strip(), words)
shown = [pair for pair in pairs if wanted.matches_pair(pair)]
with st.container(horizontal=True, vertical_alignment="center"):
    st.markdown(f"**{describe_pair_count(len(shown), len(pairs))}**", width="content")
    for label, kind, data in (
        ("CSV", "text/csv", lambda: pairs_csv(shown)),
        ("JSON", "application/json", lambda: pairs_json(shown, sides)),
    ):
        st.download_button(
            label,
            data,
            f"comparison.{label.lower()}",
            kind,
            icon=":material/download:",
            on_click="ignore",
        )
if not shown:
    st.info("No pair fits. Choose more kinds of change, or look for fewer words.")
    st.stop()
here = paginate(shown, state.CHANGE_PAGE)
st.caption(
    f"Left {escape_markdown(before.label)}, where :red-background[~~struck out~~] words went;"
    f" right {escape_markdown(after.label)}, where :green-background[**bold**] words came."
)
for pair in here:
    show_pair(pair, sides, whole)
