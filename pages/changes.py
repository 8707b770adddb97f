"""What changed for us: what a new issue changed, and the answers that a person has to look at."""

import getpass
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import streamlit as st

from core.impact import (
    Impact,
    TouchedAnswer,
    TouchedCitation,
    TouchedSheet,
    assess_impact,
    format_digest,
)
from core.library import list_editions
from core.markdown_escape import escape_markdown
from pages.components import address, services
from pages.components.dates import format_time
from pages.components.document_names import comparison_address, distinct_names
from pages.components.people import current_person
from pages.components.tables import show_rows
from pages.components.widgets import clause_link, icon_button, offer_download, row, select_one
from pages.components.words import say


def show_touched_answer(impact: Impact, answer: TouchedAnswer) -> None:
    """Draw a touched answer, with the difference of each rule it cites and a button to clear it."""
    with _touched_box(answer, answer.question):
        kind = "check" if answer.kind == "check" else "answer"
        st.caption(say(f"answer-kind-{kind}", time=format_time(answer.asked_at)))
        _show_cited_rules(impact, answer.citations)
        with st.container(horizontal=True):
            st.page_link(
                "runs.py",
                label=say("answer-open"),
                icon=":material/history:",
                query_params={address.RUN: answer.run_id},
            )
            clear = services.get_conversations().clear_answer
            _offer_clearing(impact, answer, answer.run_id, clear)


def show_touched_sheet(impact: Impact, sheet: TouchedSheet) -> None:
    """Draw a touched sheet, with the difference of each rule that its rows rest on."""
    with _touched_box(sheet, sheet.name):
        rows = (
            {
                "id": row.id,
                "parameter": row.parameter,
                "value": row.value,
                "before": say(f"sheet-verdict-{row.verdict_before}"),
                "limit_before": row.limit_before,
                "now": say(f"sheet-verdict-{row.verdict}"),
                "limit": row.limit,
                "margin": row.margin,
                "missing": row.missing,
            }
            for row in sheet.rows
        )
        show_rows(rows, say("touched-rows", sheet=sheet.name))
        cited = {one.clause_id: one for row in sheet.rows for one in row.citations}
        _show_cited_rules(impact, cited.values())
        with st.container(horizontal=True):
            page, icon = "check_a_sheet.py", ":material/checklist:"
            st.page_link(page, label=say("page-check_a_sheet"), icon=icon)
            _offer_clearing(impact, sheet, sheet.sheet_id, services.get_sheets().clear_sheet)


@contextmanager
def _touched_box(touched: TouchedAnswer | TouchedSheet, name: str) -> Iterator[None]:
    """A box that says if something has to be looked at, and who cleared it, and when."""
    with st.container(border=True):
        badge = say("answer-suspect" if touched.is_suspect else "answer-cleared")
        st.markdown(f"{badge} **{escape_markdown(name)}**")
        yield
        if touched.cleared_at:
            who, time = escape_markdown(touched.cleared_by or ""), format_time(touched.cleared_at)
            by_name = say("answer-cleared-by", name=who, time=time)
            st.caption(by_name if who else say("answer-cleared-at", time=time))


def _show_cited_rules(impact: Impact, cited: Iterable[TouchedCitation]) -> None:
    """Draw a link to the difference of each rule between its issue and the new one."""
    new = impact.document.document_id
    for one in cited:
        st.page_link(
            "compare.py",
            label=say(
                "answer-citation",
                article=escape_markdown(one.article),
                document=escape_markdown(one.document),
                now=escape_markdown(one.article_now or "") or say("answer-gone"),
            ),
            icon=":material/compare_arrows:",
            query_params=comparison_address(one.document_id, new, one.article_now or one.article),
        )


def _offer_clearing(
    impact: Impact,
    touched: TouchedAnswer | TouchedSheet,
    touched_id: str,
    clear: Callable[[str, str, str], object],
) -> None:
    """Draw a button with which the current person clears what is touched."""
    if not touched.is_suspect:
        return
    person = current_person()
    name = (person.name if person else "") or getpass.getuser()
    cleared = clear, touched_id, impact.document.document_id, name
    icon_button(say("answer-clear"), "task_alt", *cleared, key=f"clear-{touched_id}")


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
        show_touched_answer(impact, answer)
    if impact.sheets:
        st.subheader(say("changes-sheets"), anchor=False)
    for sheet in sorted(impact.sheets, key=lambda sheet: not sheet.is_suspect):
        show_touched_sheet(impact, sheet)
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
    documents = library.documents()
    issues = [one for one in documents if list_editions(library, one)[0] != one]
    if not issues:
        st.info(say("changes-one-issue"))
        return
    issues.sort(key=lambda one: (one.added_at, one.edition), reverse=True)
    names = distinct_names(documents)
    names = {issue.document_id: names[issue.document_id] for issue in issues}
    chosen = select_one(say("changes-issue"), names, key="issue", in_address=True)
    with st.spinner(say("changes-comparing"), show_time=True):
        chats, sheets = services.get_conversations(), services.get_sheets()
        impact = assess_impact(library, chats, sheets, chosen)
    if impact.before is None:  # it was just removed
        return
    st.caption(say("changes-before", document=escape_markdown(impact.before.label)))
    with row():
        st.page_link(
            "compare.py",
            label=say("changes-clauses", count=len(impact.changed)),
            icon=":material/compare_arrows:",
            query_params=comparison_address(impact.before.document_id, chosen),
        )
        offer_download(say("changes-digest"), "changes.md", lambda: format_digest(impact))
    show_impact(impact)


show_changes()
