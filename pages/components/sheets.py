"""A sheet of values: opened, corrected, checked; its verdicts as a table and as files."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import streamlit as st

from core.errors import SheetError
from core.library import Document, Library
from core.limits import (
    COLUMNS,
    SavedSheet,
    SheetResult,
    SheetRow,
    SheetStore,
    SheetVerdict,
    check_row,
    junit_report,
    new_sheet,
    read_records,
    read_sheet,
    sheet_row,
)
from core.markdown_escape import escape_markdown
from pages.components.registers import MAX_ROWS, choose_row, load_limits, show_quote
from pages.components.tables import name_columns, sanitize_rows
from pages.components.widgets import select_one
from pages.components.words import say, say_error

SHEET, SHEET_NAME, SHEET_RULEBOOKS = "sheet", "sheet-name", "sheet-rulebooks"
RESULTS, TROUBLE = "sheet-results", "sheet-trouble"
VERDICTS: dict[SheetVerdict, str] = {
    "legal": "background-color: #d7efdf; color: #10401f",
    "not legal": "background-color: #f9d9d9; color: #6b1013",
    "cannot tell": "background-color: #fbe8c8; color: #573a05",
    "no rule": "",
}
"""Colours of a verdict (contrast above 7:1)."""
FOUND_BY_WORDS = ""
"""The value of "no rule is picked"."""
_STEP = 25
"""Rows that are checked between two drawings of the progress."""


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """A row, and what one rulebook says of it."""

    document: Document
    row: SheetRow
    result: SheetResult

    @property
    def values(self) -> dict[str, Any]:
        """What files say of it."""
        row = {name: getattr(self.row, name) for name in COLUMNS}
        return row | sheet_row(self.document, self.result)


def open_sheet(sheet: SavedSheet) -> None:
    """Show a sheet, and choose the rulebooks that it was saved with."""
    st.session_state[SHEET], st.session_state[RESULTS] = sheet, {}
    st.session_state[SHEET_NAME] = sheet.name
    if sheet.documents:
        st.session_state[SHEET_RULEBOOKS] = list(sheet.documents)


def take_file(key: str) -> None:
    """Open the file of an uploader, or keep why it cannot be read."""
    file = st.session_state[key]
    st.session_state[TROUBLE] = ""
    if not file:
        return
    try:
        rows = read_sheet(file.getvalue(), file.name)
    except SheetError as error:
        st.session_state[TROUBLE] = say_error(error)
    else:
        open_sheet(new_sheet(file.name.rpartition(".")[0][:80], rows))


def edit_rows(sheet: SavedSheet) -> SavedSheet:
    """Draw the rows to correct, and return the sheet with what a person has changed.

    Raises SheetError if no rows are left or two have one id.
    """
    key = f"values-{sheet.sheet_id}"
    if key not in st.session_state:  # first drawn, or again after a visit to another page
        st.session_state["sheet-before"] = sheet
    before: SavedSheet = st.session_state["sheet-before"]
    records = sanitize_rows({name: getattr(row, name) for name in COLUMNS} for row in before.rows)
    about = say("sheet-values-table")
    edited = st.data_editor(records, key=key, num_rows="dynamic", hide_index=True, alt=about)
    rows = read_records(edited, sheet.name, before.rows[0].decimal_comma)
    st.session_state[SHEET] = changed = replace(sheet, rows=rows)
    return changed


def check_rows(
    library: Library, rows: Sequence[SheetRow], documents: Sequence[Document], store: SheetStore
) -> list[CheckedRow]:
    """Check rows against documents, and draw the progress. What was checked is not again."""
    known: dict[object, SheetResult] = st.session_state.setdefault(RESULTS, {})
    checked = []
    line = st.empty()
    for number, document in enumerate(documents):
        version = library.version
        _, index = load_limits(library, document)
        chosen = store.choices_for(library, document)
        for place, row in enumerate(rows):
            key = (document.document_id, version, row, chosen.get(row.key))
            if key not in known:
                if place % _STEP == 0:
                    done = (number + place / len(rows)) / len(documents)
                    line.progress(done, say("sheet-checking", count=len(rows)))
                known[key] = check_row(row, index, chosen)
            checked.append(CheckedRow(document, row, known[key]))
    line.empty()
    return checked


def choose_result(checked: Sequence[CheckedRow], names: Mapping[str, str]) -> CheckedRow | None:
    """Draw the verdicts as a table, and return the row that is chosen in it."""
    rows = name_columns(_result_cells(one, names) for one in checked)
    styles = [VERDICTS[one.result.verdict] for one in checked[:MAX_ROWS]]
    colored = [say("column-verdict"), say("column-margin")]
    whole_numbers = pd.DataFrame(rows[:MAX_ROWS]).convert_dtypes()  # pages, where one has none too
    styled = whole_numbers.style.format(na_rep="").apply(lambda _: styles, subset=colored, axis=0)
    place = choose_row(rows, say("sheet-verdicts"), styled)
    return None if place is None else checked[place]


def _result_cells(one: CheckedRow, names: Mapping[str, str]) -> dict[str, object]:
    row, result = one.row, one.result
    return {
        "id": row.id,
        "parameter": row.parameter,
        "value": f"{row.value} {row.unit}".strip(),
        "verdict": say(f"sheet-verdict-{result.verdict}"),
        "margin": result.margin,
        "limit": result.limit,
        "article": ", ".join(result.articles),
        "page": result.limits[0].page if result.limits else None,
        "missing": result.missing,
        "rulebook": names[one.document.document_id],
    }


def show_result(library: Library, one: CheckedRow, store: SheetStore) -> None:
    """Draw the rules of a verdict, and a choice of the rule that is meant."""
    row, result = one.row, one.result
    about = escape_markdown(f"{row.id}: {row.parameter}, {row.value} {row.unit}".strip())
    st.markdown(f"**{about}** · {say(f'sheet-verdict-{result.verdict}')}")
    if result.missing:
        st.caption(say("sheet-decides", missing=escape_markdown(result.missing)))
    for limit in {(limit.clause_id, limit.quote): limit for limit in result.limits}.values():
        show_quote(library, limit)
    register, _ = load_limits(library, one.document)
    subjects = {
        limit.article: f"{limit.article}: {limit} ({limit.subject})"
        for limit in reversed(register.limits)
        if limit.in_force
    }
    picked = store.choices_for(library, one.document).get(row.key, FOUND_BY_WORDS)
    near = dict.fromkeys((FOUND_BY_WORDS, *filter(None, (picked,)), *result.articles))
    subjects[FOUND_BY_WORDS] = say("sheet-by-words")
    names = {key: subjects.get(key, key) for key in (*near, *reversed(subjects))}
    key = f"pick-{one.document.document_id}-{row.key}"
    article = select_one(say("sheet-pick"), names, index=list(names).index(picked), key=key)
    if article != picked:
        store.choose_rule(library, one.document, row.key, article)
        st.rerun()


def results_json(checked: Sequence[CheckedRow]) -> str:
    return json.dumps([one.values for one in checked], ensure_ascii=False, indent=1)


def results_junit(checked: Sequence[CheckedRow]) -> bytes:
    return junit_report((one.document.file, one.row, one.result) for one in checked)
