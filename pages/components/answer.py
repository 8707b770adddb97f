"""The answer of a run: what it comes to, the quotes it rests on, and what those refer to."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.agent import (
    AnswerBlock,
    AnswerView,
    DraftCheck,
    describe_shortfall,
    events as ev,
    explain_refusal,
    format_compliance,
    latest_scope,
    view_answer,
)
from core.library import Library
from core.markdown_escape import escape_markdown, sanitize_markdown
from core.rulebook import Clause
from core.sanitize import strip_control_characters
from pages.components import address, tables
from pages.components.citation import format_citation, show_citations, show_cited_page
from pages.components.decision import DRAFT_OUTCOMES
from pages.components.figures import show_figures
from pages.components.labels import format_score, outcome_badge
from pages.components.widgets import clause_link
from pages.components.words import say

MAX_NEAREST = 4
"""Clauses that are offered where nothing was found."""


def show_answer(library: Library, events: Sequence[ev.Event], ended: ev.Ended) -> None:
    """Draw an answer from its first line on, and the cited page beside it if one is open."""
    view = view_answer(events, ended)
    _show_head(library, events, ended, view)
    _show_blocks(library, events, ended, view)
    _show_scope(latest_scope(events))
    opened, number = address.opened_citation() or ("", 0)
    if opened == ended.run_id and number in view.citations:
        show_cited_page(library, events, view, number)


def _show_head(
    library: Library, events: Sequence[ev.Event], ended: ev.Ended, view: AnswerView
) -> None:
    """Draw what an answer comes to: its first line, how it ended, values and penalties."""
    if view.headline:
        st.markdown(f"**{escape_markdown(view.headline)}**")
    if ended.outcome != "answered" or ended.decided_by == "person":
        _show_outcome(events, ended)
    if ended.partial_reading:
        st.markdown(f":small[:orange[:material/warning: {escape_markdown(ended.partial_reading)}]]")
    tables.show_checks(ended.requirements)
    if view.penalties:
        tables.show_penalties(view.penalties)
    if ended.outcome == "not_found":
        _show_refusal(library, events)


def _show_blocks(
    library: Library, events: Sequence[ev.Event], ended: ev.Ended, view: AnswerView
) -> None:
    """Draw the parts of an answer, what they refer to, and the failed checks of no part."""
    failures, messages = _failed_checks(events, ended), set[str]()
    for block in view.blocks:
        messages |= _show_block(library, ended, view, block, failures)
    if view.referred:
        many = len({number for block in view.referred for number in block.cited})
        kind = "answer-refers-penalties" if view.refers_to_penalties else "answer-refers"
        key = f"referred-{ended.run_id}"
        with st.expander(say(kind, count=many), type="compact", key=key):
            for block in view.referred:
                messages |= _show_block(library, ended, view, block, failures)
    for message in ended.unsettled:
        if message not in messages:
            st.markdown(f":small[:orange[:material/link_off:] {escape_markdown(message)}]")


def _show_scope(scope: ev.ScopeView) -> None:
    """Draw where was searched, and what was left out in a tooltip."""
    labels = _join_labels(scope)
    left_out = [f"- {escape_markdown(label)}" for label in scope.left_out.values()]
    if left_out:
        line = say("answer-scope-left-out", documents=labels, count=len(left_out))
    else:
        line = say("answer-scope", documents=labels)
    st.caption(line, help="\n".join(left_out) or None)


def _join_labels(scope: ev.ScopeView) -> str:
    return escape_markdown(" · ".join(scope.documents.values())) or say("answer-scope-none")


def _show_block(
    library: Library,
    ended: ev.Ended,
    view: AnswerView,
    block: AnswerBlock,
    failures: Sequence[DraftCheck],
) -> set[str]:
    """Draw a part of the answer with its citations; return the failed checks that it shows."""
    # A box, because Markdown's own quotes are drawn faint and a rule's words matter most.
    box = st.container(border=block.is_quote)
    with box:
        if block.text.strip():
            st.markdown(sanitize_markdown(block.text))
        messages = _show_failures(box, failures, block.text)
        for number in block.numbers if block.is_quote else ():
            clause_id = view.citations[number].clause_id
            if clause := _find_clause_with_figures(library, clause_id, library.version):
                show_figures(library, clause)
        show_citations(library, ended.run_id, view, block)
    return messages


@st.cache_data(show_spinner=False, max_entries=1000)
def _find_clause_with_figures(
    _library: Library,
    clause_id: str,
    version: int,  # noqa: ARG001
) -> Clause | None:
    """A clause if it has figures; read again once the library's clauses change."""
    clause = _library.clause(clause_id)
    return clause if clause and clause.figures else None


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
        subject = "" if named else say("quoted", words=escape_markdown(check.subject)) + ": "
        badge = say("answer-unverified")
        box.markdown(f":small[{badge} {subject}{escape_markdown(check.message)}]")
    return {check.message for check in shown}


def _show_outcome(events: Sequence[ev.Event], ended: ev.Ended) -> None:
    """Draw how a run ended that has no accepted answer, or whose draft a person accepted."""
    badge, message = outcome_badge(ended.outcome), escape_markdown(ended.message)
    if ended.outcome in DRAFT_OUTCOMES:  # the first line, so that no quote passes for an answer
        limit_reached = ended.outcome == "limit_reached"
        said = describe_shortfall(events, ended) if limit_reached else ended.message
        st.markdown(f"{badge} **{escape_markdown(said)}**")
        return
    if ended.outcome == "not_found":
        message = ""  # said by what is missing
    elif ended.decided_by == "person" and ended.score is not None:
        message = say("answer-accepted-score", score=format_score(ended.score))
    elif ended.decided_by == "person":
        message = say("answer-accepted")
    if ended.outcome in ("cancelled", "failed") and ended.answer:
        badge += f" {say('answer-unchecked')}"
    st.markdown(f"{badge} :small[{message}]")


def _show_refusal(library: Library, events: Sequence[ev.Event]) -> None:
    """Draw where was searched, which words and articles are not there, and the nearest clauses."""
    scope = latest_scope(events)
    held = [found for found in library.documents() if found.document_id in scope.documents]
    question = [e.question for e in events if isinstance(e, ev.Asked | ev.Classified)][-1]
    refusal = explain_refusal(library, held, question)
    lines = [escape_markdown(article) for article in refusal.articles]
    if refusal.words:
        words = ", ".join(say("quoted", words=escape_markdown(word)) for word in refusal.words)
        lines.append(say("refusal-words", words=words))
    lines.append(say("refusal-searched", documents=_join_labels(scope)))
    st.markdown("  \n".join(lines))
    found = [e.sources for e in events if isinstance(e, ev.EvidenceFound)]
    nearest = [s for s in found[0] if s.why != "definition"][:MAX_NEAREST] if found else []
    if held and nearest:
        st.markdown(f":small[{say('refusal-nearest')}]")
        with st.container(gap=None):
            for source in nearest:
                label = say(
                    "refusal-place",
                    clause=escape_markdown(f"{source.article} {source.title}"),
                    page=source.page_first,
                    document=escape_markdown(source.document),
                )
                clause_link(label, source.clause_id)


def show_copy_menu(events: Sequence[ev.Event], ended: ev.Ended) -> None:
    """Draw a menu with the answer's text and the sources of its quotes, ready to copy."""
    if not ended.citations:
        return
    view = view_answer(events, ended)
    sources = (f"[{n}] {format_citation(c)}" for n, c in sorted(view.citations.items()))
    texts = (block.text for block in (*view.blocks, *view.referred))
    with st.popover(say("answer-copy"), icon=":material/content_copy:", type="tertiary"):
        parts = (view.headline, format_compliance(ended.requirements), *texts, "\n".join(sources))
        text = "\n\n".join(part.strip() for part in parts if part.strip())
        st.code(strip_control_characters(text), language=None, wrap_lines=True)
