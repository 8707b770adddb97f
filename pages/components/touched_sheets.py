"""A saved sheet that a new issue touches: each row before and now, and a button to clear it."""

import getpass
from collections.abc import Sequence

import streamlit as st

from core.impact import Impact, TouchedSheet
from core.library import Document
from pages.components import services
from pages.components.dates import format_time
from pages.components.document_names import comparison_address
from pages.components.people import current_person
from pages.components.sheets import VERDICTS
from pages.components.tables import sanitize_rows
from pages.components.text import escape_markdown
from pages.components.widgets import icon_button


def show_touched_sheet(impact: Impact, sheet: TouchedSheet, documents: Sequence[Document]) -> None:
    """Draw a touched sheet, with the difference of each rule that its rows rest on."""
    new = impact.document.document_id
    with st.container(border=True):
        badge = ":orange-badge[Suspect]" if sheet.is_suspect else ":green-badge[Cleared]"
        st.markdown(f"{badge} **{escape_markdown(sheet.name)}**")
        rows = [
            {
                "Id": row.id,
                "Parameter": row.parameter,
                "Value": row.value,
                "Before": VERDICTS[row.verdict_before][0],
                "Limit before": row.limit_before,
                "Now": VERDICTS[row.verdict][0],
                "Limit": row.limit,
                "Margin": row.margin,
                "Missing": row.missing,
            }
            for row in sheet.rows
        ]
        st.dataframe(sanitize_rows(rows), hide_index=True, alt=f"Rows of {sheet.name}")
        cited = {one.clause_id: one for row in sheet.rows for one in row.citations}
        for one in cited.values():
            now = one.article_now or "no longer there"
            st.page_link(
                "compare.py",
                label=f"{one.article}, {escape_markdown(one.document)} → {now}",
                icon=":material/compare_arrows:",
                query_params=comparison_address(
                    documents, one.document_id, new, one.article_now or one.article
                ),
            )
        with st.container(horizontal=True):
            st.page_link("check_a_sheet.py", label="Check a sheet", icon=":material/checklist:")
            if sheet.is_suspect:
                clear = _clear_sheet, sheet.sheet_id, new
                icon_button(
                    "I have looked at it", "task_alt", *clear, key=f"clear-{sheet.sheet_id}"
                )
        if sheet.cleared_at:
            by = f" by {escape_markdown(sheet.cleared_by)}" if sheet.cleared_by else ""
            st.caption(f"Cleared{by}, {format_time(sheet.cleared_at)}")


def _clear_sheet(sheet_id: str, document_id: str) -> None:
    person = current_person()
    name = person.name if person else ""
    services.get_sheets().clear_sheet(sheet_id, document_id, name or getpass.getuser())
