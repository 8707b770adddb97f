"""The answer of a run: its outcome, compliance table, text and citations."""

import re
from collections.abc import Container, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.agent import (
    DraftCheck,
    events as ev,
    format_compliance,
    keep_item_numbers,
    latest_scope,
)
from core.library import Library
from core.limits import overall_verdict
from core.sanitize import strip_control_characters
from pages.components import tables
from pages.components.citation import (
    citation_numbers_in,
    format_citation,
    show_citations,
    source_line,
    unique_citations,
)
from pages.components.decision import DRAFT_OUTCOMES
from pages.components.labels import outcome_badge
from pages.components.text import escape_markdown, sanitize_markdown, split_blocks

_TABLE_QUOTE = re.compile(r"^“\s*$|^”(?=\s*\[[0-9]+\]\s*$)")
"""A quotation mark alone on its line, before or after a table. A table shows its own edges."""


def show_answer(library: Library, events: Sequence[ev.Event], ended: ev.Ended) -> None:
    if ended.outcome != "answered" or ended.message:
        _show_outcome(ended)
    if ended.partial_reading:
        warning = escape_markdown(ended.partial_reading)
        st.markdown(f":small[:orange[:material/warning: {warning}]]")
    if ended.requirements:
        verdict = overall_verdict(ended.requirements).capitalize()
        st.markdown(f"**{verdict}** :small[by the limits quoted here]")
        tables.show_compliance_table(st.container(), ended.requirements)
    source_lines = {source_line(c, in_part) for c in ended.citations for in_part in (False, True)}
    failures = _failed_checks(events, ended)
    messages: set[str] = set()
    unshown = dict.fromkeys(range(len(unique_citations(ended))))
    for is_quote, block in split_blocks(ended.answer, ">"):
        text = re.sub(r"^> ?", "", block, flags=re.M)
        if not text.strip():
            continue
        # A box, because Markdown's own quotes are drawn faint and a rule's words matter most.
        box = st.container(border=is_quote)
        numbers = citation_numbers_in(text, ended)
        prose = strip_source_lines(keep_item_numbers(text) if is_quote else text, source_lines)
        box.markdown(sanitize_markdown(prose))
        messages |= _show_failures(box, failures, text)
        with box:
            new = [number for number in numbers if number in unshown]
            show_citations(library, events, ended, new, text)
        for number in new:
            del unshown[number]
    show_citations(library, events, ended, list(unshown))
    for message in ended.unsettled:
        if message not in messages:
            st.markdown(f":small[:orange[:material/link_off:] {escape_markdown(message)}]")
    scope = latest_scope(events)
    documents = " · ".join(scope.documents.values()) or "no document"
    left_out = f". Left out: {' · '.join(scope.left_out.values())}" if scope.left_out else ""
    st.caption(f"Scope: {escape_markdown(documents + left_out)}")


def _failed_checks(events: Sequence[ev.Event], ended: ev.Ended) -> list[DraftCheck]:
    """The failed checks of the draft that became the answer."""
    checks: Sequence[DraftCheck] = ()
    for event in events:
        if isinstance(event, ev.Verified) and event.iteration == ended.best_iteration:
            checks = event.checks
    return [check for check in checks if not check.passed]


def _show_failures(box: DeltaGenerator, failures: Sequence[DraftCheck], text: str) -> set[str]:
    """Draw the failed checks whose subject is in the text. Return their messages."""
    shown = [check for check in failures if check.subject and check.subject in text]
    for check in shown:
        named = check.subject in check.message
        subject = "" if named else f"“{escape_markdown(check.subject)}”: "
        badge = ":orange-badge[:material/warning: Not verified]"
        box.markdown(f":small[{badge} {subject}{escape_markdown(check.message)}]")
    return {check.message for check in shown}


def _show_outcome(ended: ev.Ended) -> None:
    # The decision panel shows the message where it offers the draft.
    parts = [] if ended.outcome in DRAFT_OUTCOMES else [escape_markdown(ended.message)]
    unfinished = ended.outcome in ("limit_reached", "cancelled")
    if unfinished and ended.best_iteration and ended.score is not None:
        best = f"iteration {ended.best_iteration}, {ended.score:.1f}/10"
        parts.append(f"The best draft so far is shown: {best}.")
    st.markdown(f"{outcome_badge(ended.outcome)} :small[{' '.join(parts)}]")


def strip_source_lines(text: str, places: Container[str]) -> str:
    """Remove what is drawn elsewhere: the source lines of quotes, and quotation marks of tables."""
    lines = (_TABLE_QUOTE.sub("", line) for line in text.splitlines() if line.strip() not in places)
    return "\n".join(lines)


def show_copy_menu(ended: ev.Ended) -> None:
    """Draw a menu with the answer's text and the sources of its quotes, ready to copy."""
    if not ended.citations:
        return
    sources = "\n".join(f"[{c.marker}] {format_citation(c)}" for c in unique_citations(ended))
    with st.popover("Copy answer", icon=":material/content_copy:", type="tertiary"):
        parts = filter(None, (format_compliance(ended.requirements), ended.answer, sources))
        st.code(strip_control_characters("\n\n".join(parts)), language=None, wrap_lines=True)
