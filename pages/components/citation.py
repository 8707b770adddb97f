"""Citations: the line that opens one, and the marked page with its clause beside the answer."""

from collections.abc import Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import streamlit as st

from core.agent import events as ev
from core.answers import AnswerView, list_copies, name_source
from core.grammar import article_label
from core.library import OMISSION_MARK, ClauseHistory, Document, Library
from core.markdown_escape import escape_markdown, sanitize_markdown, split_blocks
from core.rulebook import Box, Clause
from core.sanitize import strip_control_characters
from core.verification import Citation, Source
from pages.components import address, state
from pages.components.clause import show_marks
from pages.components.document_names import comparison_link
from pages.components.page_image import cached_quote_boxes, show_figures, show_page
from pages.components.rulings import show_rulings
from pages.components.services import find_clause, of_library
from pages.components.widgets import clause_link, icon_button, row
from pages.components.words import language, say

PANE, _SHOWN = "cited-page", "shown-citation"
PANE_STYLE = Path(__file__).with_name("cited_page.css")


@st.cache_data(max_entries=1000, **of_library)
def find_change(library: Library, clause_id: str) -> tuple[Document, Clause | None] | None:
    """What changed a clause, by its id: Streamlit would take long over all that a clause holds."""
    clause = library.clause(clause_id)
    return ClauseHistory(library, clause).find_superseding() if clause else None


def show_link(library: Library, link: dict[str, Any], citation: Citation) -> None:
    """Draw a line that opens a citation."""
    with row(gap="xsmall"):
        st.button(
            link["label"],
            key=f"cite-{link['cite'].replace('.', '-')}",
            type="tertiary",
            icon=":material/find_in_page:",
            on_click=address.open_citation,
            args=(link["cite"],),
        )
        st.caption(link["about"])
        show_supersession(library, citation)


def show_cited_page(
    library: Library, events: Sequence[ev.Event], view: AnswerView, number: int
) -> None:
    """Draw the pane of an open citation: its page with the quote marked, and its clause."""
    citation = view.citations[number]
    if st.session_state.get(_SHOWN) != citation:
        st.session_state[_SHOWN] = citation
        state.turn_to_page(citation.page)
    found = (event.sources for event in events if isinstance(event, ev.EvidenceFound))
    own = (s for s in chain.from_iterable(found) if s.clause_id == citation.clause_id)
    st.html(PANE_STYLE)
    with st.container(key=PANE):
        with row():
            article = escape_markdown(article_label(citation.full_article, say("article")))
            st.markdown(f"**\\[{number}\\] {article}**", width="stretch")
            icon_button(say("close"), "close", address.open_citation, None, key="close-citation")
        st.caption(name_source(language(), citation))
        clause = find_clause(library, citation.clause_id)
        if file := library.stored_pdf(citation.document_id):
            marks = partial(citation_boxes, library, file, citation)
            if not show_page(file, library.document(citation.document_id), marks, around=True):
                st.caption(say("cite-unmarked"))
            pages = sorted({place.page for place in clause.places}) if clause else []
            with st.container(horizontal=True):
                for page in pages:
                    if page != state.current_page() and marks(page):
                        also = say("cite-also", page=page)
                        icon_button(also, "find_in_page", state.turn_to_page, page)
        elif citation.page:
            st.caption(say("no-picture"))
        _show_text(citation, next(own, None))
        if clause:
            show_marks(clause.marks, ("deleted",))
            show_figures(library, clause)
            show_rulings(library, clause.clause_id)
            clause_link(say("cite-browse"), clause.clause_id)


def citation_boxes(library: Library, file: Path, citation: Citation, page: int) -> tuple[Box, ...]:
    """The boxes of a quote, all its parts, on a page of its document. Raises ReadError."""
    clause = find_clause(library, citation.clause_id)
    near = clause.boxes_on(page) if clause else ()
    pieces = citation.quote.split(OMISSION_MARK)
    return tuple(box for piece in pieces for box in cached_quote_boxes(file, page, piece, near))


def _show_text(citation: Citation, source: Source | None) -> None:
    """Draw the text of the cited clause, and the citation to copy with and without its quote."""
    if source is not None:
        if source.title:
            st.markdown(f"**{escape_markdown(source.title)}**")
        st.caption(" › ".join(map(escape_markdown, source.breadcrumb)))
        for is_table, text in split_blocks(source.text, "|"):
            if is_table:
                st.markdown(sanitize_markdown(text))
            else:
                st.text(strip_control_characters(text))
    st.caption(say("cite-copy"))
    for text in list_copies(language(), citation):
        st.code(strip_control_characters(text), language=None, wrap_lines=True)


def show_supersession(library: Library, citation: Citation) -> None:
    """Draw the badge, and a link to both wordings, where a later issue changed the rule."""
    change = find_change(library, citation.clause_id)
    if change is None:
        return
    newer, clause = change
    issue = escape_markdown(newer.label)
    how = "superseded-changed" if clause else "superseded-dropped"
    seasons = citation.season, newer.season
    if all(seasons) and seasons[0] != seasons[1]:
        how, issue = "superseded-season", str(seasons[1])
    st.markdown(say(how, issue=issue), width="content")
    article = clause.article if clause else citation.article
    issues = citation.document_id, newer.document_id
    comparison_link(say("superseded-difference"), *issues, article)
