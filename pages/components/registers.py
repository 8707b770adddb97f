"""What documents limit and oblige: read once, filtered, drawn as tables, and made into files."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

import streamlit as st

from core.errors import SheetError
from core.exports import csv_file
from core.grammar import article_label
from core.library import Document, Library, Scope, resolve_scope
from core.markdown_escape import escape_markdown
from core.registers import (
    Limit,
    LimitsRegister,
    Obligation,
    ObligationsList,
    OpenCounts,
    RuleLists,
    UnreadNumbers,
    obligations_of,
    register_of,
)
from core.rulebook import Clause
from core.sanitize import strip_control_characters
from core.sheets import LimitIndex, limit_index
from core.table_files import make_workbook
from pages.components import address, state
from pages.components.services import of_library, open_store
from pages.components.tables import show_rows
from pages.components.widgets import icon_button, offer_download, show_failures
from pages.components.words import language, say

SHOWN_DAYS = 8


@st.cache_resource(max_entries=30, **of_library)
def index_limits(
    library: Library, document: Document, chosen_ids: tuple[str, ...], day: str | None
) -> tuple[LimitsRegister, LimitIndex]:
    chosen = chosen_ids, day
    return register_of(library, document, *chosen), limit_index(library, document, *chosen)


@st.cache_resource(max_entries=10, **of_library)
def collect_obligations(
    library: Library, document: Document, chosen_ids: tuple[str, ...], day: str | None
) -> ObligationsList:
    return obligations_of(library, document, chosen_ids, day)


def load_limits(
    library: Library, document: Document, scope: Scope | None = None
) -> tuple[LimitsRegister, LimitIndex]:
    """The limits of a document, and their index, as the layers of a scope lie: else the chat's."""
    scope = scope or resolve_scope(library.documents(), state.chosen_scope())
    with st.spinner(say("limits-reading")):
        return index_limits(library, document, scope.ids, scope.day)


def load_obligations(
    library: Library, document: Document, scope: Scope | None = None
) -> ObligationsList:
    """The obligations of a document, as the layers of a scope lie: else the chat's."""
    scope = scope or resolve_scope(library.documents(), state.chosen_scope())
    with st.spinner(say("obligations-reading")):
        return collect_obligations(library, document, scope.ids, scope.day)


def show_open_counts(label: str, document: Document, count: int, sheet: str = "") -> None:
    """Keep and draw how many are open of a document, and how many were on earlier days.

    Draws why they cannot be kept instead.
    """
    with show_failures(SheetError):
        counts = open_store(OpenCounts).record(document, count, sheet)
        numbers = [one.count for one in counts]
        change = numbers[-1] - numbers[-2] if len(numbers) > 1 else None
        line = numbers if len(numbers) > 1 else None
        shown = language().format_number(numbers[-1])
        st.metric(label, shown, change, "inverse", chart_data=line, width="content")
        earlier = [
            f"{language().format_day(date.fromisoformat(one.day))}: {one.count}"
            for one in counts[-SHOWN_DAYS:-1]
        ]
        if earlier:
            st.caption(say("open-earlier", counts=" · ".join(earlier)))


def show_quote(library: Library, rule: Limit | Obligation | UnreadNumbers) -> None:
    """Draw the words of a rule, and a button that opens its clause on the page."""
    if not isinstance(rule, UnreadNumbers):
        is_read = isinstance(rule, Limit) and rule.source == "figure"
        note = say("clause-ocr") if is_read else ""
        show_words(rule.quote, rule.article, rule.clause_id, rule.page, note)
        return
    clauses = library.clauses(rule.document_id)
    clause = next(clause for clause in clauses if clause.article == rule.article)
    show_words(rule.words or rule.reason, rule.article, clause.clause_id, rule.page)


def show_limits_of(library: Library, document: Document, clause: Clause) -> None:
    """Draw the limits that a clause sets, as the page Limits lists them."""
    limits = [
        one for one in load_limits(library, document)[0].limits if one.clause_id == clause.clause_id
    ]
    if limits:
        st.markdown(say("clause-limits"))
        cells = map(RuleLists(language()).limit_cells, limits)
        shown = ("layers", "limit", "subject", "condition")
        show_rows(
            ({name: row[name] for name in shown if name in row} for row in cells),
            say("view-limits"),
        )


def show_words(words: str, article: str, clause_id: str, page: int | None, note: str = "") -> None:
    """Draw words of a clause, the cells of a row beside each other, and a button that opens it."""
    if words.startswith("|"):
        words = " · ".join(filter(None, map(str.strip, words.split("|"))))
    with st.container(border=True):
        st.text(strip_control_characters(words))
        if note:
            st.markdown(note)
        name = escape_markdown(article_label(article, say("article")))
        label = say("open-article", article=name, page=page)
        if icon_button(label, "account_tree", key=f"open-{clause_id}-{hash(words)}"):
            state.open_clause(clause_id.partition(":")[0], clause_id, page)
            st.switch_page("rulebooks.py", query_params={address.CLAUSE: clause_id})


def offer_rows(name: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """Draw the downloads of rows as CSV and XLSX, without formulas."""
    rows = tuple(rows)
    header = list(rows[0]) if rows else []
    cells = [list(row.values()) for row in rows]
    offer_download("CSV", f"{name}.csv", lambda: csv_file(header, cells))
    offer_download("XLSX", f"{name}.xlsx", lambda: make_workbook(rows))
