"""The answer of a run: its outcome in words, its text, its citations, each with the place it stands in."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import streamlit as st

from core.agent import events as ev
from core.agent.loop import scope_of
from core.library.store import Library
from pages.components.citation import place_of, show_citations
from pages.components.text import disarmed, plain
from pages.components.words import badge


def show_answer(library: Library, events: Sequence[ev.Event], ended: ev.Ended) -> None:
    """Draw how a run ended and what it found."""
    if ended.outcome != "answered" or ended.message:
        _outcome(ended)
    for is_quote, text in _blocks(ended.answer):
        # Markdown's own quotes are drawn faint, and the words of a rule are what one came for.
        box = st.container(border=is_quote)
        box.markdown(disarmed(text))
    for told in ended.unsettled:
        st.markdown(f":small[:orange[:material/link_off:] {plain(told)}]")
    show_citations(library, events, ended)
    documents = " · ".join(scope_of(events).documents.values()) or "no document"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Scope: {plain(documents)}")
        if ended.citations:
            _copy(ended)


def _outcome(ended: ev.Ended) -> None:
    # At the limit the message stands where the person decides.
    told = [] if ended.outcome == "limit_reached" else [plain(ended.message)]
    if ended.outcome in ("limit_reached", "cancelled") and ended.best_iteration and ended.score is not None:
        told.append(f"The best draft so far is shown: iteration {ended.best_iteration}, {ended.score:.1f}/10.")
    st.markdown(f"{badge(ended.outcome)} :small[{' '.join(told)}]")


def _blocks(answer: str) -> Iterator[tuple[bool, str]]:
    """The answer in pieces: quotes (True, without their marks) and what stands between them."""
    for is_quote, lines in groupby(answer.splitlines(), key=lambda line: line.startswith(">")):
        text = "\n".join(line.removeprefix(">").removeprefix(" ") if is_quote else line for line in lines)
        if text.strip():
            yield is_quote, text


def _copy(ended: ev.Ended) -> None:
    """The answer as it is written, with the places of its quotes, to be copied."""
    places = [f"[{citation.marker}] {place_of(citation)}" for citation in dict.fromkeys(ended.citations)]
    with st.popover("Copy answer", icon=":material/content_copy:", type="tertiary"):
        st.code("\n".join((ended.answer, "", *places)), language=None, wrap_lines=True)
