"""A citation opened: the page of the PDF with the quote marked on it, and the clause beside it."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import streamlit as st

from core.agent import Citation, Source, events as ev
from core.library import Library
from core.rulebook import Box, article_label
from core.sanitize import strip_control_characters
from pages.components import state
from pages.components.figures import show_figures
from pages.components.page_image import cached_quote_boxes, find_pdf, show_page
from pages.components.text import escape_markdown, sanitize_markdown

_MARKER = re.compile(r"\[([0-9]{1,4})\]")


def format_citation(citation: Citation) -> str:
    """Where a quote stands, as one writes it: "2025 Sporting Regulations, Issue 5, Art. 34.7 d), p. 41"."""
    return f"{citation.document}, {article_label(_article(citation), 'Art.')}, p. {citation.page}{citation.caution}"


def source_line(citation: Citation, in_part: bool = False) -> str:
    """The place of a quote as it stands beneath it: "Article 34.7 d), page 41, 2025 Sporting Regulations, Issue 5"."""
    return f"{_cited(citation, in_part)}, {citation.document}{citation.caution}"


def unique_citations(ended: ev.Ended) -> list[Citation]:
    """The citations of a run, each once, as they are numbered in its addresses."""
    return list(dict.fromkeys(ended.citations))


def citation_numbers_in(text: str, ended: ev.Ended) -> list[int]:
    """Which of the citations of a run, each counted once, stand by their marker in a text.

    Of several with one marker those whose quote stands there too, where there are such.
    """
    markers = {int(marker) for marker in _MARKER.findall(text)}
    marked = [
        (n, cited) for n, cited in enumerate(unique_citations(ended)) if cited.marker in markers
    ]
    words = " ".join(text.split())
    quoted = {n: cited.marker for n, cited in marked if " ".join(cited.quote.split()) in words}
    return [n for n, cited in marked if n in quoted or cited.marker not in quoted.values()]


def citation_addresses(ended: ev.Ended, numbers: Sequence[int]) -> dict[int, str]:
    """Where the citations of a run are opened, by marker: the first of each marker among the chosen ones."""
    citations = unique_citations(ended)
    return {
        citations[number].marker: state.citation_address(ended.run_id, number)
        for number in sorted(numbers, reverse=True)
    }


def show_citations(
    library: Library,
    events: Sequence[ev.Event],
    ended: ev.Ended,
    numbers: Sequence[int],
    answer_part: str = "",
) -> None:
    """Draw a line for each of the chosen citations of a run, beneath a piece of its answer; a click opens it."""
    if not numbers:
        return
    citations = unique_citations(ended)
    with st.container(gap=None):
        for number in numbers:
            citation = citations[number]
            with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
                st.button(
                    f"**\\[{citation.marker}\\]** {escape_markdown(_cited(citation, source_line(citation, True) in answer_part))}",
                    key=f"cite-{ended.run_id}-{number}",
                    type="tertiary",
                    icon=":material/find_in_page:",
                    on_click=state.open_citation,
                    args=(ended.run_id, number),
                )
                st.caption(escape_markdown(f"{citation.document}{citation.caution}"))
            if state.is_citation_open(ended.run_id, number, citation.page):
                title = (
                    f"\\[{citation.marker}\\] {escape_markdown(article_label(_article(citation)))}"
                )
                dialog = st.dialog(title, width="large", on_dismiss=state.close_citation)
                dialog(_opened)(library, citation, _source(events, citation))


def _cited(citation: Citation, in_part: bool) -> str:
    cut = " (in part)" if in_part else ""
    return f"{article_label(_article(citation))}{cut}, page {citation.page}"


def _article(citation: Citation) -> str:
    return f"{citation.article} {citation.part}" if citation.part else citation.article


def _source(events: Sequence[ev.Event], citation: Citation) -> Source | None:
    """The clause as the run found it: its words are there even when its document is gone."""
    found = (
        source
        for event in events
        if isinstance(event, ev.EvidenceFound)
        for source in event.sources
    )
    return next((source for source in found if source.clause_id == citation.clause_id), None)


def _opened(library: Library, citation: Citation, source: Source | None) -> None:
    st.markdown(escape_markdown(f"{citation.document}{citation.caution}"))
    file = find_pdf(library, citation.document_id)
    if file is None:
        _clause(citation, source)
        st.caption(
            "There is no picture of the page: the document is not a PDF, or has left the library."
        )
        return
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _page(library, file, citation)
    with right:
        _clause(citation, source)
        _beside(library, citation)


def _page(library: Library, file: Path, citation: Citation) -> None:
    def marks(page: int) -> tuple[Box, ...]:
        return citation_boxes(library, file, citation, page)

    if not show_page(file, library.document(citation.document_id), marks, around=True):
        st.caption("The words of the quote are not marked on this page.")
    clause = library.clause(citation.clause_id)
    pages = sorted({place.page for place in clause.places}) if clause else []
    if others := [page for page in pages if page != state.current_page() and marks(page)]:
        st.caption(
            f"Words of the quote are marked on page {' and page '.join(map(str, others))} too."
        )


def _beside(library: Library, citation: Citation) -> None:
    """What the clause has besides its words: what was struck out of it, its figures, and the way to it in Browse."""
    clause = library.clause(citation.clause_id)
    if clause is None:
        return
    struck = [mark for mark in clause.marks if mark.kind == "deleted"]
    if struck:
        st.markdown(":red-badge[Struck out, not in force]")
    for mark in struck:
        st.markdown(f":small[~~{escape_markdown(mark.text)}~~]")
    show_figures(library, clause)
    st.page_link(
        "browse.py",
        label="Open in Browse",
        icon=":material/account_tree:",
        query_params=state.clause_address(clause.clause_id),
    )


def citation_boxes(library: Library, file: Path, citation: Citation, page: int) -> tuple[Box, ...]:
    """The boxes of a quote on a page of its document. Raises ReadError."""
    return cached_quote_boxes(
        file, page, citation.quote, tuple(_near(library, citation.clause_id, page))
    )


def _near(library: Library, clause_id: str, page: int) -> Iterator[Box]:
    """Where the clause stands on a page."""
    clause = library.clause(clause_id)
    for place in clause.places if clause else ():
        if place.page == page:
            yield from place.boxes


def _clause(citation: Citation, source: Source | None) -> None:
    if source is not None:
        if source.title:
            st.markdown(f"**{escape_markdown(source.title)}**")
        st.caption(" › ".join(map(escape_markdown, source.breadcrumb)))
        _words(source.text)
    st.caption("To copy: the place, and the quote with it")
    st.code(strip_control_characters(format_citation(citation)), language=None, wrap_lines=True)
    st.code(
        strip_control_characters(f"{_quoted(citation.quote)}({format_citation(citation)})"),
        language=None,
        wrap_lines=True,
    )


def _words(text: str) -> None:
    """The words of a clause as they are, its tables as tables."""
    for is_table, lines in groupby(text.splitlines(), key=lambda line: line.startswith("|")):
        told = "\n".join(lines)
        if is_table:
            st.markdown(sanitize_markdown(told))
        else:
            st.text(strip_control_characters(told))


def _quoted(quote: str) -> str:
    """A quote in quotation marks, apart from its place; a table needs none, and ends its line."""
    return f"{quote}\n" if quote.startswith("|") and quote.endswith("|") else f"“{quote}” "
