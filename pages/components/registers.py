"""What documents limit and oblige: read once, filtered, drawn as tables, and made into files."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.library import Document, Library
from core.limits import (
    Limit,
    LimitIndex,
    LimitsRegister,
    Obligation,
    ObligationsList,
    make_workbook,
    read_obligations,
    register_of,
)
from core.sanitize import strip_control_characters
from pages.components import address, state
from pages.components.spreadsheet import csv_file
from pages.components.tables import sanitize_rows
from pages.components.widgets import icon_button, offer_download

MAX_ROWS = 2_000
"""Rows that a table draws; a browser that gets more of them stalls."""


@st.cache_resource(show_spinner="Reading the limits", max_entries=30)
def load_limits(
    _library: Library,
    document: Document,
    version: int,  # noqa: ARG001
) -> tuple[LimitsRegister, LimitIndex]:
    """The limits of a document, and their index. The library's `version` expires them."""
    register = register_of(_library, document)
    return register, LimitIndex(register)


@st.cache_resource(show_spinner="Reading the obligations", max_entries=10)
def load_obligations(
    _library: Library,
    document: Document,
    version: int,  # noqa: ARG001
) -> ObligationsList:
    """The obligations of a document. The library's `version` expires them."""
    return read_obligations(_library.clauses(document.document_id))


@dataclass(frozen=True, slots=True)
class RegisterFilter:
    """Which limits or obligations to show. No words, relations, units or kinds match all."""

    words: str
    is_in_force: bool
    relations: Sequence[str] = ()
    units: Sequence[str] = ()
    modalities: Sequence[str] = ()

    def matches_limit(self, limit: Limit) -> bool:
        text = f"{limit.article} {limit.heading} {limit.subject} {limit.quote}"
        return (
            (not self.relations or limit.relation in self.relations)
            and (not self.units or limit.unit in self.units)
            and self._matches(text, limit.in_force)
        )

    def matches_obligation(self, duty: Obligation) -> bool:
        text = f"{duty.article} {duty.actor} {duty.quote}"
        is_of_kind = not self.modalities or duty.modality in self.modalities
        return is_of_kind and self._matches(text, duty.in_force)

    def _matches(self, text: str, in_force: bool) -> bool:
        folded = text.casefold()
        words = self.words.casefold().split()
        return (in_force or not self.is_in_force) and all(word in folded for word in words)


def limit_cells(limit: Limit) -> dict[str, object]:
    """A limit as a row of a table."""
    return {
        "Article": limit.article,
        "Page": limit.page,
        "Subject": limit.subject,
        "Limit": str(limit),
        "Condition": limit.condition,
        "Duty": limit.modality,
        "Quote": limit.quote,
    }


def obligation_cells(duty: Obligation) -> dict[str, object]:
    """An obligation as a row of a table."""
    return {
        "Article": duty.article,
        "Page": duty.page,
        "Duty": duty.modality,
        "Who": duty.actor,
        "Quote": duty.quote,
    }


def choose_row(rows: Sequence[Mapping[str, object]], name: str, styled: Any = None) -> int | None:
    """Draw a table, and return the number of the row that is chosen in it.

    `styled` are the same rows in colours. Other rows make another table, in which none is chosen.
    """
    key = f"{name}-{hash(tuple(tuple(map(str, row.values())) for row in rows))}"
    chosen: Any = st.dataframe(
        sanitize_rows(rows[:MAX_ROWS]) if styled is None else styled,
        hide_index=True,
        key=key,
        on_select="rerun",
        selection_mode="single-row",
        alt=name,
        column_config={
            "Article": st.column_config.TextColumn(width=90),
            "Page": st.column_config.NumberColumn(width=60),
        },
    )
    if len(rows) > MAX_ROWS:
        st.caption(f"These are the first {MAX_ROWS} rows. Filter them, or download all.")
    selected = [row for row in chosen.selection.rows if row < len(rows)]
    return selected[0] if selected else None


def show_quote(clause_id: str, article: str, page: int, quote: str) -> None:
    """Draw the words of a rule, and a button that opens its clause on the page."""
    document_id = clause_id.partition(":")[0]
    with st.container(border=True):
        st.text(strip_control_characters(quote))
        label = f"Open Article {article}, page {page}"
        if icon_button(label, "account_tree", key=f"open-{clause_id}-{hash(quote)}"):
            state.open_clause(document_id, clause_id, page)
            st.switch_page("browse.py", query_params=address.clause_address(clause_id))


def offer_rows(name: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """Draw the downloads of rows as CSV and XLSX, without formulas."""
    rows = tuple(rows)
    header = list(rows[0]) if rows else []

    def make_csv() -> bytes:
        return csv_file(header, (list(row.values()) for row in rows))

    offer_download("CSV", f"{name}.csv", make_csv)
    offer_download("XLSX", f"{name}.xlsx", lambda: make_workbook(rows))
