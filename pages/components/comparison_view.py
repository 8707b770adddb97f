"""A comparison: its counts, and each pair with its differences."""

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from core.library import ClausePair, Declaration, Document, MarkStatus, PairPlace, PairWording
from pages.components import address
from pages.components.differences import format_side, format_single
from pages.components.labels import format_number
from pages.components.text import escape_markdown

PLACES: dict[PairPlace, tuple[str, str]] = {
    "same": ("Same place", "gray"),
    "renumbered": ("Renumbered", "violet"),
    "moved": ("Moved", "orange"),
    "added": ("Added", "green"),
    "removed": ("Removed", "red"),
}
"""Where a rule stands in the later document: label and badge colour."""
WORDINGS: dict[PairWording, tuple[str, str]] = {
    "same": ("Same words", "gray"),
    "changed": ("Changed words", "blue"),
}
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


def describe_pairs(pairs: Sequence[ClausePair]) -> str:
    """The places and the wordings of all pairs, counted, each in one sentence."""
    places, wordings = Counter(p.place for p in pairs), Counter(p.wording for p in pairs)
    sentences = (
        ("Place", [f"{format_number(places[place])} {place}" for place in PLACES if places[place]]),
        ("Wording", [f"{format_number(wordings[one])} {one}" for one in WORDINGS if wordings[one]]),
    )
    return " ".join(f"**{name}:** {', '.join(counts)}." for name, counts in sentences)


def show_pair(pair: ClausePair, sides: Sequence[Document], whole: bool) -> None:
    """Draw a pair of clauses with their differences marked, and a button that opens each clause."""
    named = [PLACES[pair.place]] if pair.place != "same" else []
    if pair.place not in ("added", "removed"):
        named.append(WORDINGS[pair.wording])
    badges = " ".join(f":{colour}-badge[{word}]" for word, colour in named)
    if pair.declaration and (pair.said or not pair.marked):
        word, colour = DECLARATIONS[pair.declaration]
        badges += f" :{colour}-badge[{word}]"
    if pair.marked:
        word, colour = PUBLISHER_MARKS[pair.marked]
        badges += f" :{colour}-badge[{word}]"
    heading = " ".join(filter(None, (" → ".join(dict.fromkeys(pair.articles)), pair.title)))
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
        st.switch_page("browse.py", query_params=address.clause_address(clause_id))
