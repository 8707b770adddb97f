"""The answer of a run: what it comes to, the quotes it rests on, and what those refer to."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from core.agent import events as ev, latest_scope
from core.answers import (
    AnswerView,
    Part,
    describe_answer,
    describe_end,
    describe_headline,
    describe_refusal,
    explain_run_refusal,
    join_labels,
    penalty_table,
    view_answer,
    write_answer,
)
from core.language import Language
from core.library import Library
from core.markdown_escape import escape_markdown
from core.sanitize import strip_control_characters
from pages.components import address, services, tables
from pages.components.citation import find_change, show_cited_page, show_link
from pages.components.page_image import show_figures
from pages.components.rulings import find_rulings, show_rulings
from pages.components.services import find_clause
from pages.components.trace import draw_parts, of_run, write_part
from pages.components.widgets import clause_link, outcome_badge, popover
from pages.components.words import language, say


@st.cache_data(max_entries=300, **of_run)
def _view_answer(_events: Sequence[ev.Event], ended: ev.Ended) -> AnswerView:
    """The view of a run's answer, which each draw of its chat needs again."""
    return view_answer(_events, ended)


def show_answer(
    library: Library, events: Sequence[ev.Event], ended: ev.Ended, latest: bool = True
) -> None:
    """Draw an answer from its first line on, and the cited page beside it if one is open.

    Quotes and citations of a run before the latest are one component, which is quicker.
    """
    view = _view_answer(events, ended)
    _show_head(library, events, ended, view)
    _show_blocks(library, events, ended, view, latest)
    scope = latest_scope(events)
    left_out = [f"- {escape_markdown(label)}" for label in scope.left_out.values()]
    kind = "answer-scope-left-out" if left_out else "answer-scope"
    searched = say(kind, documents=join_labels(language(), scope), count=len(left_out))
    st.caption(searched, help="\n".join(left_out) or None)
    opened, number = address.opened_citation() or ("", 0)
    if opened == ended.run_id and number in view.citations:
        show_cited_page(library, events, view, number)


def _show_head(
    library: Library, events: Sequence[ev.Event], ended: ev.Ended, view: AnswerView
) -> None:
    """Draw what an answer comes to: its first line, how it ended, values and penalties."""
    badge, head = "", view.headline
    if head and head.is_definition:
        badge, head = f":green-badge[{say('definition')}] ", replace(head, is_definition=False)
    line = describe_headline(language(), head) if head else ""
    if ended.has_draft:  # in the first line, so that no quote passes for an answer
        said = describe_end(language(), events, ended)
        line, said = (line, said) if line else (said, "")
        st.markdown(f"{outcome_badge(ended.outcome)} **{escape_markdown(line)}**")
        if said:
            st.markdown(f":small[{escape_markdown(said)}]")
    else:
        if line:
            st.markdown(f"{badge}**{escape_markdown(line)}**")
        if ended.outcome != "answered" or ended.decided_by == "person":
            _show_outcome(events, ended)
    if partly_read := dict.fromkeys(c.document for c in ended.citations if c.partly_read):
        said = say("answer-partly-read", documents=escape_markdown(" · ".join(partly_read)))
        st.markdown(f":small[:orange[:material/warning: {said}]]")
    tables.show_checks(ended.requirements)
    if view.penalties:
        tables.show_wrapped_rows(penalty_table(language(), view.penalties), say("table-penalties"))
    if ended.outcome == "not_found":
        _show_refusal(library, events)


def _show_blocks(
    library: Library, events: Sequence[ev.Event], ended: ev.Ended, view: AnswerView, latest: bool
) -> None:
    """Draw the parts of an answer, what they refer to, and the failed checks of no part."""
    was_searched = any(isinstance(event, ev.PlanMade) for event in events)
    is_offline = any(isinstance(event, ev.Asked) and event.offline for event in events)
    if was_searched and ended.outcome == "not_found" and (is_offline or not ended.best_iteration):
        return  # the refusal says where was searched, the reasoning what for
    parts = _describe_answer(events, ended, language())
    is_one = not (latest or services.get_settings().plain_reasoning)
    if is_one and not _has_more(library, events, ended):
        key = f"answer-{ended.run_id}"
        draw_parts(key, parts, on_cite_change=partial(_open_link, key))
    else:
        for part in parts:
            _show_part(library, view, part)


def _open_link(key: str) -> None:
    address.open_citation(st.session_state[key].cite)


@st.cache_data(max_entries=300, **of_run)
def _has_more(library: Library, _events: Sequence[ev.Event], ended: ev.Ended) -> bool:
    """True where an answer has figures, or links to issues that changed its rules."""
    cited = {citation.clause_id for citation in _view_answer(_events, ended).citations.values()}
    clauses = (find_clause(library, clause_id) for clause_id in cited)
    return any(
        clause
        and (
            clause.figures
            or find_change(library, clause.clause_id)
            or find_rulings(library, clause.clause_id)
        )
        for clause in clauses
    )


@st.cache_data(max_entries=300, **of_run)
def _describe_answer(_events: Sequence[ev.Event], ended: ev.Ended, reader: Language) -> list[Part]:
    """The parts of an answer, which each draw of its chat needs again."""
    return describe_answer(reader, _events, ended, _view_answer(_events, ended))


def _show_part(library: Library, view: AnswerView, part: Part) -> None:
    if isinstance(part, str) or "text" in part:
        st.markdown(write_part(part))
    elif "label" in part:
        with st.expander(part["label"], type="compact"):
            for block in part["parts"]:
                _show_part(library, view, block)
    else:
        _show_block(library, view, part)


def _show_block(library: Library, view: AnswerView, block: dict[str, Any]) -> None:
    # A box, because Markdown's own quotes are drawn faint and a rule's words matter most.
    with st.container(border=block["box"]):
        for part in block["parts"]:
            _show_part(library, view, part)
        cited = [(link, view.citations[link["number"]]) for link in block["cited"]]
        for _, citation in cited if block["box"] else ():
            if clause := find_clause(library, citation.clause_id):
                show_figures(library, clause)
        if cited:
            with st.container(gap=None):
                for link, citation in cited:
                    show_link(library, link, citation)
            for clause_id in dict.fromkeys(citation.clause_id for _, citation in cited):
                show_rulings(library, clause_id)


def _show_outcome(events: Sequence[ev.Event], ended: ev.Ended) -> None:
    """Draw how a run ended that has no draft, or whose draft a person accepted."""
    badge = outcome_badge(ended.outcome)
    said = escape_markdown(describe_end(language(), events, ended))
    if ended.outcome in ("cancelled", "failed") and ended.answer:
        badge += f" {say('answer-unchecked')}"
    st.markdown(f"{badge} :small[{said}]")


def _show_refusal(library: Library, events: Sequence[ev.Event]) -> None:
    """Draw where was searched, which words and articles are not there, and the nearest clauses."""
    refusal = explain_run_refusal(library, events)
    if refusal is None:
        return  # the answer says why nothing was searched
    searched = join_labels(language(), latest_scope(events))
    lines = [*map(escape_markdown, describe_refusal(language(), refusal))]
    lines.append(say("refusal-searched", documents=searched))
    st.markdown("  \n".join(lines))
    if refusal.near:
        st.markdown(f":small[{say('refusal-nearest')}]")
        with st.container(gap=None):
            for source in refusal.near:
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
    with popover(say("answer-copy"), "content_copy", f"copy-{ended.run_id}") as is_open:
        if is_open:
            text = strip_control_characters(write_answer(language(), events, ended))
            st.code(text, language=None, wrap_lines=True)
