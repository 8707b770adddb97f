"""Citations: their text, their addresses, and the dialog with the marked page and the clause."""

import re
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import streamlit as st

from core.agent import Citation, Source, events as ev
from core.library import Library
from core.rulebook import Box, article_label
from core.sanitize import strip_control_characters
from pages.components import address, state
from pages.components.figures import show_figures
from pages.components.page_image import cached_quote_boxes, find_pdf, show_page
from pages.components.supersession import show_supersession
from pages.components.text import escape_markdown, sanitize_markdown, split_blocks

_MARKER = re.compile(r"\[([0-9]{1,4})\]")


def format_citation(citation: Citation) -> str:
    """Format a citation: "2025 Sporting Regulations, Issue 5, Art. 34.7 d), p. 41"."""
    article = article_label(_article(citation), "Art.")
    return f"{citation.document}, {article}, p. {citation.page}{citation.caution}"


def source_line(citation: Citation, in_part: bool = False) -> str:
    """Format the line below a quote: "Article 34.7 d), page 41, 2025 Sporting Regulations"."""
    return f"{_place(citation, in_part)}, {citation.document}{citation.caution}"


def unique_citations(ended: ev.Ended) -> list[Citation]:
    """The citations of a run without repeats. Addresses number them in this order."""
    return list(dict.fromkeys(ended.citations))


def citation_numbers_in(text: str, ended: ev.Ended) -> list[int]:
    """The numbers of the unique citations whose marker is in a text.

    Where several share a marker and the text quotes some of them, only those are returned.
    """
    markers = {int(marker) for marker in _MARKER.findall(text)}
    marked = [(n, c) for n, c in enumerate(unique_citations(ended)) if c.marker in markers]
    words = " ".join(text.split())
    quoted = {n: c.marker for n, c in marked if " ".join(c.quote.split()) in words}
    return [n for n, c in marked if n in quoted or c.marker not in quoted.values()]


def show_citations(
    library: Library,
    events: Sequence[ev.Event],
    ended: ev.Ended,
    numbers: Sequence[int],
    answer_part: str = "",
) -> None:
    """Draw a line for each numbered citation below a part of the answer. A click opens it."""
    if not numbers:
        return
    citations = unique_citations(ended)
    with st.container(gap=None):
        for number in numbers:
            citation = citations[number]
            marker = f"\\[{citation.marker}\\]"
            place = _place(citation, source_line(citation, True) in answer_part)
            with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
                st.button(
                    f"**{marker}** {escape_markdown(place)}",
                    key=f"cite-{ended.run_id}-{number}",
                    type="tertiary",
                    icon=":material/find_in_page:",
                    on_click=address.open_citation,
                    args=(ended.run_id, number),
                )
                st.caption(escape_markdown(f"{citation.document}{citation.caution}"))
                show_supersession(library, citation)
            opened = (ended.run_id, number)
            if address.opened_citation() == opened:
                if st.session_state.get("shown-citation") != opened:
                    st.session_state["shown-citation"] = opened
                    state.turn_to_page(citation.page)
                title = f"{marker} {escape_markdown(article_label(_article(citation)))}"
                dialog = st.dialog(title, width="large", on_dismiss=address.close_citation)
                found = (event.sources for event in events if isinstance(event, ev.EvidenceFound))
                sources = chain.from_iterable(found)
                own = (source for source in sources if source.clause_id == citation.clause_id)
                dialog(_show_citation)(library, citation, next(own, None))


def _place(citation: Citation, in_part: bool) -> str:
    cut = " (in part)" if in_part else ""
    return f"{article_label(_article(citation))}{cut}, page {citation.page}"


def _article(citation: Citation) -> str:
    return f"{citation.article} {citation.part}" if citation.part else citation.article


def _show_citation(library: Library, citation: Citation, source: Source | None) -> None:
    """Draw a citation; `source` is its clause as the run found it, if its document is gone."""
    st.markdown(escape_markdown(f"{citation.document}{citation.caution}"))
    file = find_pdf(library, citation.document_id)
    if file is None:
        _show_text(citation, source)
        st.caption(
            "There is no picture of the page: the document is not a PDF, or has left the library."
        )
        return
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _show_cited_page(library, file, citation)
    with right:
        _show_text(citation, source)
        _show_clause_details(library, citation)


def _show_cited_page(library: Library, file: Path, citation: Citation) -> None:
    def marks(page: int) -> tuple[Box, ...]:
        return citation_boxes(library, file, citation, page)

    if not show_page(file, library.document(citation.document_id), marks, around=True):
        st.caption("The words of the quote are not marked on this page.")
    clause = library.clause(citation.clause_id)
    pages = sorted({place.page for place in clause.places}) if clause else []
    if others := [str(page) for page in pages if page != state.current_page() and marks(page)]:
        st.caption(f"Words of the quote are marked on page {' and page '.join(others)} too.")


def _show_clause_details(library: Library, citation: Citation) -> None:
    """Draw the deleted text and the figures of the cited clause, and a link to it in Browse."""
    clause = library.clause(citation.clause_id)
    if clause is None:
        return
    deleted = [mark for mark in clause.marks if mark.kind == "deleted"]
    if deleted:
        st.markdown(":red-badge[Struck out, not in force]")
    for mark in deleted:
        st.markdown(f":small[~~{escape_markdown(mark.text)}~~]")
    show_figures(library, clause)
    st.page_link(
        "browse.py",
        label="Open in Browse",
        icon=":material/account_tree:",
        query_params=address.clause_address(clause.clause_id),
    )


def citation_boxes(library: Library, file: Path, citation: Citation, page: int) -> tuple[Box, ...]:
    """The boxes of a quote on a page of its document. Raises ReadError."""
    clause = library.clause(citation.clause_id)
    places = clause.places if clause else ()
    near = tuple(box for place in places if place.page == page for box in place.boxes)
    return cached_quote_boxes(file, page, citation.quote, near)


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
    st.caption("To copy: the source alone, and the quote with its source")
    quote, place = citation.quote, format_citation(citation)
    is_table = quote.startswith("|") and quote.endswith("|")
    quoted = f"{quote}\n" if is_table else f"“{quote}” "
    for text in (place, f"{quoted}({place})"):
        st.code(strip_control_characters(text), language=None, wrap_lines=True)
