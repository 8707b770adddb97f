"""What a new issue touches: the rules that are cited, who cleared it, and a saved sheet."""

import getpass

import streamlit as st

from core.impact import Impact, TouchedAnswer, TouchedCitation, TouchedSheet
from core.markdown_escape import escape_markdown
from pages.components import services
from pages.components.dates import format_time
from pages.components.document_names import comparison_address
from pages.components.people import current_person
from pages.components.tables import show_rows
from pages.components.widgets import icon_button
from pages.components.words import say


def show_touched_sheet(impact: Impact, sheet: TouchedSheet) -> None:
    """Draw a touched sheet, with the difference of each rule that its rows rest on."""
    new = impact.document.document_id
    with st.container(border=True):
        st.markdown(f"{suspect_badge(sheet)} **{escape_markdown(sheet.name)}**")
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
        for one in cited.values():
            show_cited_rule(one, new)
        with st.container(horizontal=True):
            page, icon = "check_a_sheet.py", ":material/checklist:"
            st.page_link(page, label=say("page-check_a_sheet"), icon=icon)
            if sheet.is_suspect:
                clear = services.get_sheets().clear_sheet, sheet.sheet_id, new, clearing_name()
                icon_button(say("answer-clear"), "task_alt", *clear, key=f"clear-{sheet.sheet_id}")
        show_cleared(sheet)


def suspect_badge(touched: TouchedAnswer | TouchedSheet) -> str:
    return say("answer-suspect" if touched.is_suspect else "answer-cleared")


def show_cited_rule(one: TouchedCitation, new: str) -> None:
    """Draw a link to the difference of a rule between its issue and the new one."""
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


def show_cleared(touched: TouchedAnswer | TouchedSheet) -> None:
    """Draw who cleared it, and when."""
    if touched.cleared_at:
        name, time = escape_markdown(touched.cleared_by or ""), format_time(touched.cleared_at)
        by_name = say("answer-cleared-by", name=name, time=time)
        st.caption(by_name if name else say("answer-cleared-at", time=time))


def clearing_name() -> str:
    """The name under which the current person clears what is touched."""
    person = current_person()
    return (person.name if person else "") or getpass.getuser()
