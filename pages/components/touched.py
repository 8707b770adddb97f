"""What a new issue touches: an answer or a saved sheet, the rules it cites, who cleared it."""

import getpass
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import streamlit as st

from core.impact import Impact, TouchedAnswer, TouchedCitation, TouchedSheet
from core.markdown_escape import escape_markdown
from pages.components import address, services
from pages.components.dates import format_time
from pages.components.document_names import comparison_address
from pages.components.people import current_person
from pages.components.tables import show_rows
from pages.components.widgets import icon_button
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
                query_params=address.run_address(answer.run_id),
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
