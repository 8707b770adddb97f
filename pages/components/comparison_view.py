"""A comparison: its counts, and each pair with its differences."""

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from core.library import ClausePair, Document
from core.markdown_escape import escape_markdown
from pages.components.differences import format_side, format_single
from pages.components.labels import format_share
from pages.components.widgets import clause_link
from pages.components.words import say

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


def describe_pairs(pairs: Sequence[ClausePair]) -> str:
    """The places and the wordings of all pairs, counted, each in one sentence."""
    sentences = []
    for kind in ("place", "wording"):
        counts = Counter(getattr(pair, kind) for pair in pairs)
        said = (
            say(f"{kind}-count-{one}", count=counts[one]) for one in COLORS[kind] if counts[one]
        )
        name = say(f"compare-{kind}")
        sentences.append(say("compare-counts", name=name, counts=", ".join(said)))
    return " ".join(sentences)


def _badges(pair: ClausePair) -> str:
    is_alone = pair.place in ("added", "removed")
    is_heading = pair.added_below or pair.removed_below  # whose own words are the same
    is_moved = pair.declaration == "found" and pair.marked == "unmarked"  # marked elsewhere
    values = {
        "place": None if pair.place == "same" else pair.place,
        "wording": None if is_alone or is_heading else pair.wording,
        "declaration": pair.declaration if pair.said or is_moved or not pair.marked else None,
        "mark": None if is_moved else pair.marked,
    }
    return " ".join(
        f":{COLORS[kind][value]}-badge[{say(f'{kind}-{value}')}]"
        for kind, value in values.items()
        if value
    )


def show_pair(pair: ClausePair, sides: Sequence[Document], whole: bool) -> None:
    """Draw a pair of clauses with their differences marked, and a link to each clause."""
    heading = " ".join(filter(None, (" → ".join(dict.fromkeys(pair.articles)), pair.title)))
    similarity = ""
    if pair.article_a and pair.article_b:
        similarity = say("compare-unchanged", share=format_share(pair.similarity))
    if pair.pieces:
        texts = [format_side(pair.pieces, side, whole) for side in ("deleted", "inserted")]
    else:
        texts = [format_single(text, whole) for text in (pair.before, pair.after)]
    clauses = ((pair.clause_a, pair.article_a), (pair.clause_b, pair.article_b))
    with st.container(border=True):
        st.markdown(f"{_badges(pair)} **{escape_markdown(heading)}** {similarity}")
        if pair.said:
            st.caption(say("compare-said", words=escape_markdown("; ".join(pair.said))))
        for figure in pair.redrawn:
            name = figure.caption or say("compare-figure", page=figure.page)
            st.caption(say("compare-redrawn", figure=escape_markdown(name)))
        for key, below in (("came", pair.added_below), ("left", pair.removed_below)):
            if below:
                articles = escape_markdown(", ".join(below))
                st.caption(say(f"compare-{key}-below", articles=articles))
        for column, text, (clause_id, number), document in zip(
            st.columns(2, gap="medium"), texts, clauses, sides, strict=True
        ):
            label = escape_markdown(document.label)
            with column:
                if clause_id and number:
                    st.markdown(text or say("compare-heading"))
                    article = escape_markdown(number)
                    name = say("compare-open", article=article, document=label)
                    clause_link(name, clause_id)
                else:
                    st.caption(say("compare-not-in", document=label))
