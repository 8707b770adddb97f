"""The answer of a run: its outcome in words, its text, its citations, each with the place it stands in."""

import re
from collections.abc import Container, Iterator, Sequence
from itertools import groupby

import streamlit as st

from core.agent import DraftCheck, events as ev, format_compliance, latest_scope, overall_verdict
from core.library import Library
from core.sanitize import strip_control_characters
from pages.components import tables
from pages.components.citation import (
    citation_addresses,
    citation_numbers_in,
    format_citation,
    show_citations,
    source_line,
    unique_citations,
)
from pages.components.labels import outcome_badge
from pages.components.text import escape_markdown, sanitize_markdown

_TABLE_QUOTE = re.compile(r"^“\s*$|^”(?=\s*\[[0-9]+\]\s*$)")
"""A quotation mark alone on its line, before or after a table, which shows by itself where it begins and ends."""


def show_answer(library: Library, events: Sequence[ev.Event], ended: ev.Ended) -> None:
    """Draw how a run ended and what it found."""
    if ended.outcome != "answered" or ended.message:
        _outcome(ended)
    if ended.requirements:
        st.markdown(
            f"**{overall_verdict(ended.requirements).capitalize()}** :small[by the limits that are quoted here]"
        )
        tables.show_compliance_table(st.container(), ended.requirements)
    shown: set[int] = set()
    failed = _failed(events, ended)
    told_there: set[str] = set()
    places = {
        source_line(citation, in_part) for citation in ended.citations for in_part in (False, True)
    }
    for is_quote, text in _blocks(ended.answer):
        # Markdown's own quotes are drawn faint, and the words of a rule are what one came for.
        box = st.container(border=is_quote)
        cited = citation_numbers_in(text, ended)
        box.markdown(
            sanitize_markdown(strip_source_lines(text, places), citation_addresses(ended, cited))
        )
        for check in failed:
            if check.subject and check.subject in text:
                about = (
                    ""
                    if check.subject in check.message
                    else f"“{escape_markdown(check.subject)}”: "
                )
                box.markdown(
                    f":small[:orange-badge[:material/warning: Not verified] {about}{escape_markdown(check.message)}]"
                )
                told_there.add(check.message)
        with box:
            show_citations(
                library, events, ended, [number for number in cited if number not in shown], text
            )
        shown.update(cited)
    show_citations(
        library, events, ended, [n for n in range(len(set(ended.citations))) if n not in shown]
    )
    for told in ended.unsettled:
        if told not in told_there:
            st.markdown(f":small[:orange[:material/link_off:] {escape_markdown(told)}]")
    documents = " · ".join(latest_scope(events).documents.values()) or "no document"
    st.caption(f"Scope: {escape_markdown(documents)}")


def _failed(events: Sequence[ev.Event], ended: ev.Ended) -> list[DraftCheck]:
    """What did not pass in the draft that became the answer."""
    checks = [
        event.checks
        for event in events
        if isinstance(event, ev.Verified) and event.iteration == ended.best_iteration
    ]
    return [check for check in checks[-1] if not check.passed] if checks else []


def _outcome(ended: ev.Ended) -> None:
    # At the limit the message stands where the person decides.
    told = [] if ended.outcome == "limit_reached" else [escape_markdown(ended.message)]
    if (
        ended.outcome in ("limit_reached", "cancelled")
        and ended.best_iteration
        and ended.score is not None
    ):
        told.append(
            f"The best draft so far is shown: iteration {ended.best_iteration}, {ended.score:.1f}/10."
        )
    st.markdown(f"{outcome_badge(ended.outcome)} :small[{' '.join(told)}]")


def _blocks(answer: str) -> Iterator[tuple[bool, str]]:
    """The answer in pieces: quotes (True, without their marks) and what stands between them."""
    for is_quote, lines in groupby(answer.splitlines(), key=lambda line: line.startswith(">")):
        text = "\n".join(
            line.removeprefix(">").removeprefix(" ") if is_quote else line for line in lines
        )
        if text.strip():
            yield is_quote, text


def strip_source_lines(text: str, places: Container[str]) -> str:
    """A piece of the answer without what is drawn otherwise: the places of its quotes, the marks around a table."""
    lines = (_TABLE_QUOTE.sub("", line) for line in text.splitlines() if line.strip() not in places)
    return "\n".join(lines)


def show_copy_menu(ended: ev.Ended) -> None:
    """Draw a way to the answer as it is written, with the places of its quotes, to be copied."""
    if not ended.citations:
        return
    places = [
        f"[{citation.marker}] {format_citation(citation)}" for citation in unique_citations(ended)
    ]
    with st.popover("Copy answer", icon=":material/content_copy:", type="tertiary"):
        told = filter(
            None, (format_compliance(ended.requirements), ended.answer, "\n".join(places))
        )
        st.code(strip_control_characters("\n\n".join(told)), language=None, wrap_lines=True)
