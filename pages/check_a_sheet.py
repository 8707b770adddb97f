"""A sheet of values against all limits of rulebooks: verdicts, margins, what is missing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.errors import SheetError
from core.library import Document, Library, resolve_scope
from core.limits import (
    MAX_BYTES,
    SavedSheet,
    SheetStore,
    make_workbook,
    template_rows,
    uncovered_limits,
)
from pages.components import services, state
from pages.components.document_names import distinct_names, require_documents
from pages.components.labels import format_count, format_number
from pages.components.registers import (
    choose_row,
    limit_cells,
    load_limits,
    offer_rows,
    show_quote,
)
from pages.components.sheets import (
    VERDICTS,
    CheckedRow,
    check_rows,
    choose_result,
    edit_rows,
    open_sheet,
    results_json,
    results_junit,
    show_result,
    take_file,
    template_records,
)
from pages.components.text import escape_markdown
from pages.components.widgets import choose_many, icon_button, offer_download

FORMAT_HELP = """
One value a row: `id`, `parameter` (in your own words), `value`, `unit`, `note`. Say in the note
what a rule distinguishes: front or rear, wet or dry, the voltage of the pack. *Legal* is said only
where a row's words, condition and unit point to one rule.
"""
FILE = "sheet-file"


def choose_rulebooks(library: Library) -> list[Document]:
    """Draw the choice of rulebooks, at first the newest of each."""
    documents = require_documents(library)
    names = distinct_names(documents.values())
    newest = list(resolve_scope(list(documents.values())).ids)
    kept = st.session_state.get(state.SHEET_RULEBOOKS, newest)
    st.session_state[state.SHEET_RULEBOOKS] = [one for one in kept if one in documents]
    chosen = st.multiselect(
        "Rulebooks",
        list(documents),
        key=state.SHEET_RULEBOOKS,
        format_func=names.__getitem__,
        persist_state="session",
    )
    return [documents[one] for one in chosen]


def choose_sheet(library: Library, store: SheetStore, rulebooks: Sequence[Document]) -> None:
    """Draw the uploader, templates to fill in, and the saved sheets."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.file_uploader(
            "Sheet of values (CSV or XLSX)",
            ["csv", "xlsx", "txt"],
            max_upload_size=MAX_BYTES >> 20,
            key=FILE,
            on_change=take_file,
            args=(FILE,),
        )
        if trouble := st.session_state.get("sheet-trouble"):
            st.error(escape_markdown(trouble), icon=":material/error:")
    with right:
        st.markdown(FORMAT_HELP)
        if rulebooks:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption("A template to fill in:", width="content")
                rows = template_rows(*load_limits(library, rulebooks[0], library.version))
                offer_rows("sheet", template_records(rows))
        choose_saved_sheet(store)


def choose_saved_sheet(store: SheetStore) -> None:
    """Draw the saved sheets, which can be opened and removed."""
    saved = {sheet.sheet_id: sheet for sheet in store.load_sheets()}
    if not saved:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sheet_id = st.selectbox(
            "Saved sheets", list(saved), format_func=lambda key: saved[key].name, width=320
        )
        icon_button("Open", "folder_open", open_sheet, saved[sheet_id], quiet=False)
        with st.popover("Remove", icon=":material/delete:"):
            st.markdown("Remove this sheet? The rules that you picked stay.")
            if st.button("Yes, remove it"):
                store.remove_sheet(sheet_id)
                st.rerun()


def edit_sheet(store: SheetStore, sheet: SavedSheet, rulebooks: Sequence[Document]) -> SavedSheet:
    """Draw the values to correct and a button to save them. Raises SheetError."""
    with st.expander("Values: correct, add or remove rows", icon=":material/edit:", expanded=True):
        sheet = edit_rows(sheet)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = st.text_input(
                "Name", key=state.SHEET_NAME, max_chars=80, width=320, persist_state="session"
            )
            if icon_button("Save with the library", "save", quiet=False):
                documents = tuple(one.document_id for one in rulebooks)
                sheet = replace(sheet, name=name.strip() or sheet.name, documents=documents)
                store.save_sheet(sheet)
                st.session_state[state.SHEET] = sheet
                st.toast("Saved.", icon=":material/check:")
    return sheet


def show_verdicts(library: Library, store: SheetStore, checked: Sequence[CheckedRow]) -> None:
    """Draw the verdicts with a filter and files, and the rule of the one that is chosen."""
    counts = Counter(one.result.verdict for one in checked)
    wanted = choose_many(
        "Show",
        VERDICTS,
        state.SHEET_VERDICTS,
        format_func=lambda verdict: f"{VERDICTS[verdict][0]} {format_number(counts[verdict])}",
    )
    shown = [one for one in checked if not wanted or one.result.verdict in wanted]
    with st.container(horizontal=True, vertical_alignment="center"):
        count = f"{format_count(len(shown), 'verdict')} of {format_number(len(checked))}"
        st.markdown(f"**{count}**", width="content")
        values = [one.values for one in checked]
        offer_download("XLSX", "verdicts.xlsx", lambda: make_workbook(values))
        offer_download("JSON", "verdicts.json", lambda: results_json(checked))
        offer_download("JUnit", "verdicts.xml", lambda: results_junit(checked))
    if not shown:
        return
    if opened := choose_result(shown, distinct_names(library.documents())):
        show_result(library, opened, store)
    else:
        st.caption("Choose a row to see its rule, open its clause, or pick the rule that is meant.")


def show_uncovered(
    library: Library, rulebooks: Sequence[Document], checked: Sequence[CheckedRow]
) -> None:
    """Draw the limits in force that no row answers."""
    registers = (load_limits(library, one, library.version)[0] for one in rulebooks)
    limits = [limit for register in registers for limit in register.limits]
    uncovered = uncovered_limits(limits, (one.result for one in checked))
    st.subheader("Rules that no row answers", anchor=False)
    st.caption(f"{format_count(len(uncovered), 'limit')} in force of {format_number(len(limits))}.")
    place = choose_row([limit_cells(limit) for limit in uncovered], "Rules that no row answers")
    if place is not None:
        show_quote(library, uncovered[place])


def check_a_sheet() -> None:
    st.title("Check a sheet", anchor=False)
    library, store = services.get_library(), services.get_sheets()
    rulebooks = choose_rulebooks(library)
    choose_sheet(library, store, rulebooks)
    sheet = st.session_state.get(state.SHEET)
    if sheet is None or not rulebooks:
        st.info("Upload a sheet or open a saved one." if rulebooks else "Choose a rulebook.")
        return
    try:
        sheet = edit_sheet(store, sheet, rulebooks)
    except SheetError as error:
        st.error(escape_markdown(error.message), icon=":material/error:")
        return
    checked = check_rows(library, sheet.rows, rulebooks, store)
    show_verdicts(library, store, checked)
    show_uncovered(library, rulebooks, checked)


check_a_sheet()
