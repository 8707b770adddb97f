"""What changed for us: what a new issue changed, and the answers that a person has to look at."""

import streamlit as st

from core.impact import (
    Impact,
    TouchedAnswer,
    TouchedCitation,
    TouchedSheet,
    assess_impact,
    format_digest,
    list_issues,
    touched_cells,
)
from core.library import name_documents
from core.markdown_escape import escape_markdown
from pages.components import address, services
from pages.components.dates import format_time
from pages.components.document_names import comparison_link
from pages.components.people import person_name
from pages.components.tables import show_rows
from pages.components.widgets import (
    clause_link,
    icon_button,
    offer_download,
    page_link,
    row,
    select_one,
)
from pages.components.words import language, say


def show_impact_on(impact: Impact, touched: TouchedAnswer | TouchedSheet) -> None:
    """Draw what an issue touches: the difference of each rule it cites, a button to clear it."""
    new = impact.document.document_id
    with st.container(border=True):
        badge = say("answer-suspect" if touched.is_suspect else "answer-cleared")
        if isinstance(touched, TouchedAnswer):
            st.markdown(f"{badge} **{escape_markdown(touched.question)}**")
            kind = "check" if touched.kind == "check" else "answer"
            st.caption(say(f"answer-kind-{kind}", time=format_time(touched.asked_at)))
            clear, touched_id = services.get_conversations().clear_answer, touched.run_id
            link = "runs", say("answer-open"), "history"
            to = {address.RUN: touched_id}
        else:
            st.markdown(f"{badge} **{escape_markdown(touched.name)}**")
            rows = (touched_cells(language(), row) for row in touched.rows)
            show_rows(rows, say("touched-rows", sheet=touched.name))
            clear, touched_id = services.get_sheets().clear_sheet, touched.sheet_id
            link = "check_a_sheet", say("page-check_a_sheet"), "checklist"
            to = {}
        for one in touched.citations:
            show_difference(one, new)
        with st.container(horizontal=True):
            page_link(*link, **to)
            if touched.is_suspect:
                cleared = clear, touched_id, new, person_name()
                icon_button(say("answer-clear"), "task_alt", *cleared, key=f"clear-{touched_id}")
        if touched.cleared_at:
            who, time = escape_markdown(touched.cleared_by or ""), format_time(touched.cleared_at)
            by_name = say("answer-cleared-by", name=who, time=time)
            st.caption(by_name if who else say("answer-cleared-at", time=time))


def show_difference(cited: TouchedCitation, new: str) -> None:
    """Draw a link to the difference of a rule between its issue and the new one."""
    words = {
        "article": escape_markdown(cited.article),
        "document": escape_markdown(cited.document),
        "now": escape_markdown(cited.article_now or "") or say("answer-gone"),
    }
    article = cited.article_now or cited.article
    comparison_link(say("answer-citation", **words), cited.document_id, new, article)


def show_impact(impact: Impact) -> None:
    """Draw the answers that an issue touches, and the rules that refer to changed ones."""
    st.subheader(say("changes-answers"), anchor=False)
    if not impact.answers:
        st.success(say("changes-no-answers"))
    elif impact.suspects:
        st.warning(say("changes-suspects", count=len(impact.suspects)))
    else:
        st.success(say("changes-all-cleared"))
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


def show_changes() -> None:
    st.title(say("changes-title"), anchor=False)
    library = services.get_library()
    issues = list_issues(library)
    if not issues:
        st.info(say("changes-one-issue"))
        return
    names = name_documents(library.documents())
    names = {issue.document_id: names[issue.document_id] for issue in issues}
    chosen = select_one(say("changes-issue"), names, key="issue", in_address=True)
    with st.spinner(say("changes-comparing"), show_time=True):
        chats, sheets = services.get_conversations(), services.get_sheets()
        impact = assess_impact(library, chats, sheets, chosen)
    if impact.before is None:  # it was just removed
        return
    st.caption(say("changes-before", document=escape_markdown(impact.before.label)))
    with row():
        changed = say("changes-clauses", count=len(impact.changed))
        comparison_link(changed, impact.before.document_id, chosen)
        offer_download(say("changes-digest"), "changes.md", lambda: format_digest(impact))
    show_impact(impact)


show_changes()
