"""A sheet of values: opened, corrected, checked; its verdicts as a table and as files."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from core.library import Document, Library
from core.limits import (
    CheckedRow,
    SavedSheet,
    SheetResult,
    SheetRow,
    SheetStore,
    SheetVerdict,
    check_row,
    new_sheet,
    read_records,
    read_sheet,
)
from core.markdown_escape import escape_markdown
from pages.components.registers import load_limits, show_quote
from pages.components.tables import choose_row, sanitize_rows
from pages.components.widgets import select_one
from pages.components.words import say, say_each

SHEET, SHEET_NAME, SHEET_RULEBOOKS = "sheet", "sheet-name", "sheet-rulebooks"
RESULTS = "sheet-results"
VERDICTS: dict[SheetVerdict, str] = {
    "legal": "#d7efdf",
    "not legal": "#f9d9d9",
    "cannot tell": "#fbe8c8",
    "no rule": "#e4eaee",
}
"""Colours of a verdict (contrast above 7:1)."""
FOUND_BY_WORDS = ""
"""The value of "no rule is picked"."""
_STEP = 25
"""Rows that are checked between two drawings of the progress."""


def open_sheet(sheet: SavedSheet) -> None:
    """Show a sheet, and choose the rulebooks that it was saved with."""
    st.session_state[SHEET], st.session_state[RESULTS] = sheet, {}
    st.session_state[SHEET_NAME] = sheet.name
    if sheet.documents:
        st.session_state[SHEET_RULEBOOKS] = list(sheet.documents)


def read_file(data: bytes, name: str) -> None:
    """Open the sheet in a file. Raises SheetError."""
    open_sheet(new_sheet(name.rpartition(".")[0][:80], read_sheet(data, name)))


def edit_rows(sheet: SavedSheet) -> SavedSheet:
    """Draw the rows to correct, and return the sheet with what a person has changed.

    Raises SheetError if no rows are left or two have one id.
    """
    key = f"values-{sheet.sheet_id}"
    if key not in st.session_state:  # first drawn, or again after a visit to another page
        st.session_state["sheet-before"] = sheet
    before: SavedSheet = st.session_state["sheet-before"]
    records = sanitize_rows(row.cells for row in before.rows)
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
    """Draw the verdicts as a table, and return the row that is chosen in it.

    `names` are those of all checked rulebooks, which have a column where they are several.
    """
    said, colors = say_each("sheet-verdict-", VERDICTS), list(VERDICTS.values())
    verdict = st.column_config.MultiselectColumn(width=104, options=said.values(), color=colors)
    rows = [
        {
            "id": one.row.id,
            "verdict": [said[one.result.verdict]],
            "value": f"{one.row.value} {one.row.unit}".strip(),
            "article": ", ".join(one.result.articles),
            **({"rulebook": names[one.document.document_id]} if len(names) > 1 else {}),
            "parameter": one.row.parameter,
            "limit": one.result.limit,
            "margin": one.result.margin,
            "page": one.result.limits[0].page if one.result.limits else None,
            "missing": one.result.missing,
        }
        for one in checked
    ]
    place = choose_row(rows, say("sheet-verdicts"), verdict=verdict)
    return None if place is None else checked[place]


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
