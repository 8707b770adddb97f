"""A sheet of values against all limits of rulebooks: verdicts, margins, what is missing."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from core.errors import SheetError
from core.library import Document, Library, ScopeChoice, resolve_scope
from core.limits import (
    MAX_BYTES,
    CheckedRow,
    SavedSheet,
    SheetStore,
    junit_report,
    make_workbook,
    template_records,
    template_rows,
    uncovered_limits,
)
from pages.components import services, state
from pages.components.document_names import distinct_names, newest_document, require_documents
from pages.components.labels import format_number
from pages.components.registers import (
    limit_cells,
    load_limits,
    offer_rows,
    show_quote,
)
from pages.components.sheets import (
    SHEET,
    SHEET_NAME,
    SHEET_RULEBOOKS,
    VERDICTS,
    check_rows,
    choose_result,
    edit_rows,
    open_sheet,
    read_file,
    show_result,
)
from pages.components.tables import choose_row
from pages.components.widgets import (
    choose_many,
    confirm_removal,
    count_row,
    icon_button,
    offer_download,
    row,
    select_many,
    select_one,
    show_failures,
    take_file,
)
from pages.components.words import say

OFFERED = "sheet-rulebooks-offered"
"""The key of the rulebooks that were chosen by the page."""


def choose_rulebooks(library: Library) -> list[Document]:
    """Draw the choice of rulebooks, at first those chosen for the chat, else the newest one."""
    documents = require_documents(library)
    held, scope = documents.values(), state.chosen_scope()
    first = resolve_scope(held, scope).documents if scope != ScopeChoice() else ()
    offered = [one.document_id for one in first or (newest_document(held),)]
    kept = st.session_state.get(SHEET_RULEBOOKS)
    if kept is None or kept == st.session_state.get(OFFERED):  # nobody has chosen others
        kept = st.session_state[OFFERED] = offered
    st.session_state[SHEET_RULEBOOKS] = [one for one in kept if one in documents]
    names, look = distinct_names(documents.values()), {"persist_state": "session"}
    chosen = select_many(say("sheet-rulebooks"), names, key=SHEET_RULEBOOKS, **look)
    return [documents[one] for one in chosen]


def choose_sheet(library: Library, store: SheetStore, rulebooks: Sequence[Document]) -> None:
    """Draw the uploader, templates to fill in, and the saved sheets."""
    left, right = st.columns(2, gap="medium")
    with left:
        kinds, size = ["csv", "xlsx", "txt"], MAX_BYTES >> 20
        take_file(say("sheet-file"), kinds, "sheet-file", read_file, max_upload_size=size)
    with right:
        st.markdown(say("sheet-format"))
        if rulebooks:
            with row():
                st.caption(say("sheet-template"), width="content")
                examples = template_rows(*load_limits(library, rulebooks[0]))
                offer_rows("sheet", template_records(examples))
        saved = {sheet.sheet_id: sheet for sheet in store.load_sheets()}
        if not saved:
            return
        with st.container(horizontal=True, vertical_alignment="bottom"):
            names = {sheet_id: sheet.name for sheet_id, sheet in saved.items()}
            sheet_id = select_one(say("sheet-saved"), names, width=320)
            icon_button(say("open"), "folder_open", open_sheet, saved[sheet_id], quiet=False)
            if confirm_removal(say("sheet-remove"), "remove-sheet"):
                store.remove_sheet(sheet_id)
                st.rerun()


def edit_sheet(store: SheetStore, sheet: SavedSheet, rulebooks: Sequence[Document]) -> SavedSheet:
    """Draw the values to correct and a button to save them. Raises SheetError."""
    with st.expander(say("sheet-values"), icon=":material/edit:", expanded=True):
        sheet = edit_rows(sheet)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            look = {"max_chars": 80, "width": 320, "persist_state": "session"}
            name = st.text_input(say("sheet-name"), key=SHEET_NAME, **look)
            if icon_button(say("sheet-save"), "save", quiet=False):
                documents = tuple(one.document_id for one in rulebooks)
                sheet = replace(sheet, name=name.strip() or sheet.name, documents=documents)
                store.save_sheet(sheet)
                st.session_state[SHEET] = sheet
                st.toast(say("sheet-was-saved"), icon=":material/check:")
    return sheet


def show_verdicts(
    library: Library,
    store: SheetStore,
    rulebooks: Sequence[Document],
    checked: Sequence[CheckedRow],
) -> None:
    """Draw the verdicts with a filter and files, and the rule of the one that is chosen."""
    counts = Counter(one.result.verdict for one in checked)
    names = {one: f"{say(f'sheet-verdict-{one}')} {format_number(counts[one])}" for one in VERDICTS}
    wanted = choose_many(say("show"), names, "verdicts")
    shown = [one for one in checked if not wanted or one.result.verdict in wanted]
    total = format_number(len(checked))
    with count_row(say("sheet-shown", count=len(shown), total=total)):
        values = [one.values for one in checked]
        cases = [(one.document.file, one.row, one.result) for one in checked]
        offer_download("XLSX", "verdicts.xlsx", lambda: make_workbook(values))
        as_json = partial(json.dumps, values, ensure_ascii=False, indent=1)
        offer_download("JSON", "verdicts.json", as_json)
        offer_download("JUnit", "verdicts.xml", lambda: junit_report(cases))
    if not shown:
        return
    if opened := choose_result(shown, distinct_names(rulebooks)):
        show_result(library, opened, store)
    else:
        st.caption(say("sheet-choose-row"))


def show_uncovered(
    library: Library, rulebooks: Sequence[Document], checked: Sequence[CheckedRow]
) -> None:
    """Draw the limits in force that no row answers."""
    registers = (load_limits(library, one)[0] for one in rulebooks)
    limits = [limit for register in registers for limit in register.limits]
    uncovered = uncovered_limits(limits, (one.result for one in checked))
    st.subheader(say("sheet-uncovered"), anchor=False)
    total = format_number(len(limits))
    st.caption(say("sheet-uncovered-count", count=len(uncovered), total=total))
    place = choose_row([limit_cells(limit) for limit in uncovered], say("sheet-uncovered"))
    if place is not None:
        show_quote(library, uncovered[place])


def check_a_sheet() -> None:
    st.title(say("page-check_a_sheet"), anchor=False)
    library, store = services.get_library(), services.get_sheets()
    rulebooks = choose_rulebooks(library)
    choose_sheet(library, store, rulebooks)
    sheet = st.session_state.get(SHEET)
    if sheet is None or not rulebooks:
        st.info(say("sheet-upload" if rulebooks else "sheet-no-rulebook"))
        return
    with show_failures(SheetError):
        sheet = edit_sheet(store, sheet, rulebooks)
        checked = check_rows(library, sheet.rows, rulebooks, store)
        show_verdicts(library, store, rulebooks, checked)
        show_uncovered(library, rulebooks, checked)


check_a_sheet()
