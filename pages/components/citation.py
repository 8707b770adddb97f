"""A citation opened: the page of the PDF with the quote marked on it, and the clause beside it."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import streamlit as st

from core.agent import events as ev
from core.agent.types import Citation, Source
from core.library.store import Library
from core.rulebook.types import Box
from pages.components import state
from pages.components.figures import show_figures
from pages.components.page_image import pdf_of, show_page, words_on
from pages.components.text import plain

_MARKER = re.compile(r"\[(\d+)\]")


def place_of(citation: Citation) -> str:
    """Where a quote stands, as one writes it: "2025 Sporting Regulations, Issue 5, Art. 34.7 d), p. 41"."""
    return f"{citation.document}, Art. {_article(citation)}, p. {citation.page}{citation.caution}"


def cited_in(text: str, ended: ev.Ended) -> list[int]:
    """Which of the citations of a run, each counted once, stand by their marker in a text."""
    markers = {int(marker) for marker in _MARKER.findall(text)}
    return [n for n, citation in enumerate(dict.fromkeys(ended.citations)) if citation.marker in markers]


def show_citations(library: Library, events: Sequence[ev.Event], ended: ev.Ended, chosen: Sequence[int]) -> None:
    """Draw a line for each of the chosen citations of a run; a click opens it."""
    if not chosen:
        return
    citations = list(dict.fromkeys(ended.citations))
    with st.container(gap=None):
        for number in chosen:
            citation = citations[number]
            label = f"Article {_article(citation)}, page {citation.page}, {citation.document}{citation.caution}"
            if st.button(
                f"**\\[{citation.marker}\\]** {plain(label)}",
                key=f"cite-{ended.run_id}-{number}",
                type="tertiary",
                icon=":material/find_in_page:",
                on_click=state.turn_to,
                args=(citation.page,),
                wrap=True,
            ):
                title = f"\\[{citation.marker}\\] Article {plain(_article(citation))}"
                st.dialog(title, width="large")(_opened)(library, citation, _source(events, citation))


def _article(citation: Citation) -> str:
    return f"{citation.article} {citation.part}" if citation.part else citation.article


def _source(events: Sequence[ev.Event], citation: Citation) -> Source | None:
    """The clause as the run found it: its words are there even when its document is gone."""
    found = (source for event in events if isinstance(event, ev.EvidenceFound) for source in event.sources)
    return next((source for source in found if source.clause_id == citation.clause_id), None)


def _opened(library: Library, citation: Citation, source: Source | None) -> None:
    file = pdf_of(library, citation.document_id)
    if file is None:
        _clause(citation, source)
        st.caption("There is no picture of the page: the document is not a PDF, or has left the library.")
        return
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _page(library, file, citation)
    with right:
        _clause(citation, source)
        _beside(library, citation)


def _page(library: Library, file: Path, citation: Citation) -> None:
    def marks(page: int) -> tuple[Box, ...]:
        return marks_of(library, file, citation, page)

    if not show_page(file, library.document(citation.document_id), marks, around=True):
        st.caption("The words of the quote are not marked on this page.")


def _beside(library: Library, citation: Citation) -> None:
    """What the clause has besides its words: what was struck out of it, its figures, and the way to it in Browse."""
    clause = library.clause(citation.clause_id)
    if clause is None:
        return
    struck = [mark for mark in clause.marks if mark.kind == "deleted"]
    if struck:
        st.markdown(":red-badge[Struck out, not in force]")
    for mark in struck:
        st.markdown(f":small[~~{plain(mark.text)}~~]")
    show_figures(library, clause)
    st.page_link(
        "browse.py",
        label="Open in Browse",
        icon=":material/account_tree:",
        query_params=state.clause_address(clause.clause_id),
    )


def marks_of(library: Library, file: Path, citation: Citation, page: int) -> tuple[Box, ...]:
    """The boxes of a quote on a page of its document. Raises ReadError."""
    return words_on(file, page, citation.quote, tuple(_near(library, citation.clause_id, page)))


def _near(library: Library, clause_id: str, page: int) -> Iterator[Box]:
    """Where the clause stands on a page."""
    clause = library.clause(clause_id)
    for place in clause.places if clause else ():
        if place.page == page:
            yield from place.boxes


def _clause(citation: Citation, source: Source | None) -> None:
    if source is not None:
        heading = " ".join(filter(None, (source.article, source.title)))
        st.markdown(f"**{plain(heading)}**")
        st.caption(" › ".join(map(plain, source.breadcrumb)))
        st.text(source.text)
    st.caption(" · ".join(_facts(citation)))
    st.code(place_of(citation), language=None, wrap_lines=True)
    st.code(f"“{citation.quote}” ({place_of(citation)})", language=None, wrap_lines=True)


def _facts(citation: Citation) -> Iterator[str]:
    yield plain(citation.document)
    yield f"page {citation.page}"
    if citation.season:
        yield f"season {citation.season}"
    if citation.issue is not None:
        yield f"issue {citation.issue}"
