"""Two documents compared: what changed, word by word, and what that touches."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from core.choices import RedlineFormat
from core.exports import pairs_csv, write_redline
from core.library import (
    ClausePair,
    ComparisonText,
    Document,
    Editions,
    Library,
    Outline,
    PairFilter,
    compare_documents,
)
from core.markdown_escape import escape_markdown
from pages.components import services
from pages.components.picture import BAR_COLORS, filter_by_picture
from pages.components.touched import show_touched_answers
from pages.components.widgets import (
    choose_view,
    clause_link,
    count_row,
    icon_button,
    offer_download,
    paginate,
    select_many,
    select_one,
)
from pages.components.words import language, library_text, say, say_each

COLORS: dict[str, dict[str, str]] = {
    "place": {
        "same": "gray",
        "renumbered": "violet",
        "moved": "orange",
        "added": "green",
        "removed": "red",
    },
    "wording": {"same": "gray", "changed": "blue"},
    "mark": {"marked": "gray", "partly": "orange", "unmarked": "orange"},
    "declaration": {"found": "gray", "undeclared": "orange", "not_found": "orange"},
}
"""What is said of a pair, and its colours: where the rule stands in the later document, how it is
worded, how far the publisher's marks cover the differences, and whether the publisher declares it.
"""

PAIR_COLORS = {"changed": "blue", **COLORS["place"], "unchanged": "gray"}
"""Those of one word for both, in the picture."""


def show_pair(pair: ClausePair, sides: Sequence[Document], whole: bool) -> None:
    """Draw a pair of clauses with their differences marked, and a link to each clause."""
    said = ComparisonText(language())
    heading, similarity = said.name_pair(pair)
    badges = " ".join(
        f":{COLORS[kind][value]}-badge[{say(f'{kind}-{value}')}]"
        for kind, value in pair.remarks.items()
    )
    if pair.pieces:
        texts = [said.format_side(pair.pieces, side, whole) for side in ("deleted", "inserted")]
    else:
        texts = [said.format_single(text, whole) for text in (pair.before, pair.after)]
    clauses = ((pair.clause_a, pair.article_a), (pair.clause_b, pair.article_b))
    with st.container(border=True):
        st.markdown(f"{badges} **{escape_markdown(heading)}** {similarity}")
        for note in said.list_notes(pair):
            st.caption(escape_markdown(note))
        for column, text, (clause_id, number), document in zip(
            st.columns(2, gap="medium"), texts, clauses, sides, strict=True
        ):
            label = escape_markdown(document.citation_label)
            with column:
                if clause_id and number:
                    st.markdown(text or say("compare-heading"))
                    article = escape_markdown(number)
                    name = say("compare-open", article=article, document=label)
                    clause_link(name, clause_id)
                else:
                    st.caption(say("compare-not-in", document=label))


REDLINES: dict[str, RedlineFormat] = {"Word": "docx", "PDF": "pdf"}
FILTER_WIDTH = 150
"""Pixels: five stand beside each other, two on a telephone."""


@st.cache_data(max_entries=20, **services.of_library)
def find_pairs(library: Library, before: str, after: str) -> tuple[ClausePair, ...]:
    """The pairs of two documents by id, with figures that are drawn differently."""
    return compare_documents(library, before, after, is_drawn=True)


def choose_sides(documents: Mapping[str, Document]) -> list[Document | None]:
    """Draw both selectors and a button that swaps them, and return what is chosen.

    At first the two newest issues of a rulebook; none where no rulebook has two. If the address
    names the later one alone, the issue before it.
    """

    def swap_documents() -> None:
        values = st.session_state
        values["before"], values["after"] = values["after"], values["before"]

    keys, names = list(documents), library_text().name_documents(documents.values())
    found = Editions(documents.values()).find_last_two()
    newest: tuple[Document | None, Document | None] = found or (None, None)
    if named := documents.get(st.query_params.get("after", "")):
        newest = Editions(documents.values()).find_earlier(named) or newest[0], named
    left, middle, right = st.columns([8, 2, 8], vertical_alignment="top")
    sides = []
    for column, key, first in ((left, "before", newest[0]), (right, "after", newest[1])):
        index = keys.index(first.document_id) if first else None
        look = {"index": index, "key": key, "in_address": True, "placeholder": say("compare-pick")}
        with column.container(gap="xsmall"):
            chosen = documents.get(select_one(say(f"compare-{key}"), names, **look))
            if chosen:  # on a line of its own: a selector cuts off long names
                edition = escape_markdown(library_text().describe_edition(chosen))
                st.caption(f"{edition} · {library_text().describe_pages(chosen)}")
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

    def type_in(label: str, key: str) -> str:
        return st.text_input(label, key=key, width=FILTER_WIDTH, bind="query-params").strip()

    has_words = any(pair.declaration and pair.said for pair in pairs)
    with st.container(horizontal=True):
        return PairFilter(
            choose("place", "place"),
            choose("wording", "wording"),
            choose("mark", "publisher") if any(pair.marked for pair in pairs) else (),
            choose("declaration", "declared") if has_words else (),
            type_in(say("compare-article"), "article"),
            type_in(say("compare-words"), "said"),
        )


def compare() -> None:
    st.title(say("page-compare"), anchor=False)
    library = services.get_library()
    documents = {document.document_id: document for document in library.documents()}
    if len(documents) < 2:
        st.info(say("compare-one" if documents else "compare-none"))
        return
    before, after = choose_sides(documents)
    if before is None or after is None:
        st.info(say("compare-choose"))
        return
    if before is after:
        st.info(say("compare-same"))
        return
    if choose_view("compare", ("differences", "touched")) == "touched":
        show_touched_answers(library, after)
    else:
        show_differences(library, before, after)


def show_differences(library: Library, before: Document, after: Document) -> None:
    """Draw the filters, and the pairs of clauses that they leave."""
    sides = before, after
    doing = say("compare-comparing", before=before.clauses, after=after.clauses)
    with st.spinner(doing, show_time=True):
        pairs = find_pairs(library, before.document_id, after.document_id)
    if before.family != after.family:
        st.info(say("compare-two-rulebooks"))
    if base := after.find_mark_base(before):
        st.caption(say("compare-marks-since", season=str(base[0]), issue=base[1]))
    matches = choose_filter(pairs).matches_pair
    shown: Sequence[ClausePair] = [pair for pair in pairs if matches(pair)]
    # Folded, so that the differences are on the first screen.
    picture = st.expander(say("compare-picture"), key="changes-picture-box", on_change="rerun")
    if picture.open:
        places: dict[str, str] = {}
        for side in sides:
            places |= Outline(library.clauses(side.document_id)).name_chapters()
        kinds = say_each("change-", [kind for kind in PAIR_COLORS if kind != "same"])
        bars = [places.get(one.clause_b or one.clause_a or "", "") for one in shown]
        parts = [*zip(bars, (kinds[one.kind] for one in shown), strict=True)]
        colors = {kinds[kind]: BAR_COLORS[PAIR_COLORS[kind]] for kind in kinds}
        with picture:
            shown = filter_by_picture(shown, parts, "changes-picture", colors)
    with count_row(
        say("compare-shown", shown=language().format_number(len(shown)), count=len(pairs))
    ):
        st.caption(ComparisonText(language()).describe_pairs(pairs), width="stretch")
        whole = st.toggle(say("compare-whole"), help=say("compare-whole-about"))
        offer_download("CSV", "comparison.csv", lambda: pairs_csv(shown))
        about = say("redline-offer")
        for label, redline_format in REDLINES.items():
            offer_download(
                label,
                f"redline.{redline_format}",
                partial(write_redline, library, sides, pairs, redline_format, language()),
                help=about,
            )
    if not shown:
        st.info(say("compare-no-match"))
        return
    for pair in paginate(shown, "changes-page"):
        show_pair(pair, sides, whole)


compare()
