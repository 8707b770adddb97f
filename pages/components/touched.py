"""What a new issue touches: the answers, sheets and rules that a person has to look at again."""

from collections.abc import Callable

import streamlit as st

from core.impact import (
    Impact,
    TouchedAnswer,
    TouchedCitation,
    TouchedSheet,
    assess_impact,
    format_digest,
)
from core.library import Document, Library
from core.markdown_escape import escape_markdown
from core.sheets import SheetStore
from pages.components import address, services
from pages.components.dates import format_time
from pages.components.document_names import open_comparison
from pages.components.people import person_name
from pages.components.tables import show_rows
from pages.components.widgets import clause_link, icon_button, offer_download, page_link, row
from pages.components.words import language, say


def show_impact_on(impact: Impact, touched: TouchedAnswer | TouchedSheet) -> None:
    """Draw what an issue touches: the difference of each rule it cites, a button to clear it."""
    new = impact.document.document_id
    clear: Callable[[str, str, str], None]
    with st.container(border=True):
        badge = say("answer-suspect" if touched.is_suspect else "answer-cleared")
        if isinstance(touched, TouchedAnswer):
            st.markdown(f"{badge} **{escape_markdown(touched.question)}**")
            kind = "check" if touched.kind == "check" else "answer"
            st.caption(say(f"answer-kind-{kind}", time=format_time(touched.asked_at)))
            touched_id, clear = touched.run_id, services.get_conversations().clear_answer
            link = "runs", say("touched-open"), "history"
            to = {address.RUN: touched_id}
        else:
            st.markdown(f"{badge} **{escape_markdown(touched.name)}**")
            rows = (row.cells(language()) for row in touched.rows)
            show_rows(rows, say("touched-rows", sheet=touched.name))
            touched_id, clear = touched.sheet_id, services.open_store(SheetStore).clear_sheet
            link = "limits", say("view-sheet"), "checklist"
            to = {"limits-view": "sheet"}
        for one in touched.citations:
            show_difference(one, new, touched_id)
        with st.container(horizontal=True):
            page_link(*link, **to)
            if touched.is_suspect:
                cleared = clear, touched_id, new, person_name()
                icon_button(say("answer-clear"), "task_alt", *cleared, key=f"clear-{touched_id}")
        if touched.cleared_at:
            who, time = escape_markdown(touched.cleared_by or ""), format_time(touched.cleared_at)
            by_name = say("answer-cleared-by", name=who, time=time)
            st.caption(by_name if who else say("answer-cleared-at", time=time))


def show_difference(cited: TouchedCitation, new: str, place: str) -> None:
    """Draw a button that shows the difference of a rule between its issue and the new one.

    `place` is the id of the answer or sheet that cites it.
    """
    words = {
        "article": escape_markdown(cited.article),
        "document": escape_markdown(cited.document),
        "now": escape_markdown(cited.article_now or "") or say("answer-gone"),
    }
    shown = cited.document_id, new, cited.article_now or cited.article
    key = f"difference-{place}-{cited.clause_id}"
    icon_button(say("answer-citation", **words), "compare_arrows", open_comparison, *shown, key=key)


def show_impact(impact: Impact) -> None:
    """Draw the answers that an issue touches, and the rules that refer to changed ones."""
    st.subheader(say("changes-answers"), anchor=False)
    if not impact.answers:
        st.success(say("changes-no-answers"))
    elif impact.suspects:
        st.warning(say("changes-suspects", count=len(impact.suspects)))
    else:
        st.success(say("changes-all-cleared"))
    if impact.other_seasons:
        st.caption(say("changes-other-seasons", count=impact.other_seasons))
    for answer in sorted(impact.answers, key=lambda answer: not answer.is_suspect):
        show_impact_on(impact, answer)
    if impact.sheets:
        st.subheader(say("changes-sheets"), anchor=False)
    for sheet in sorted(impact.sheets, key=lambda sheet: not sheet.is_suspect):
        show_impact_on(impact, sheet)
    st.subheader(say("changes-rules"), anchor=False)
    if not impact.clauses:
        st.caption(say("changes-no-rules"))
    for clause in impact.clauses:
        name = escape_markdown(f"{clause.article} {clause.title}")
        articles = escape_markdown(", ".join(clause.refers_to))
        clause_link(say("changes-refers", clause=name, articles=articles), clause.clause_id)


def show_touched_answers(library: Library, issue: Document) -> None:
    """Draw what an issue touches of a person's chats and sheets, and of its own rules."""
    with st.spinner(say("changes-comparing"), show_time=True):
        chats, sheets = services.get_conversations(), services.open_store(SheetStore)
        impact = assess_impact(library, chats, sheets, issue.document_id)
    if impact.before is None:
        st.info(say("changes-one-issue"))
        return
    with row():
        before = escape_markdown(impact.before.label)
        changed = say("changes-clauses", count=len(impact.changed))
        st.caption(f"{changed} · {say('changes-before', document=before)}", width="stretch")
        offer_download(say("changes-digest"), "changes.md", lambda: format_digest(impact))
    show_impact(impact)
