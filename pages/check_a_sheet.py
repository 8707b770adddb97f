"""A sheet of values against all limits of rulebooks: verdicts, margins, what is missing."""

from collections import Counter
from dataclasses import replace

import streamlit as st

from core.errors import SheetError
from core.library import ScopeChoice, resolve_scope
from core.limits import MAX_BYTES, make_workbook, template_rows, uncovered_limits
from pages.components import services, state
from pages.components.document_names import distinct_names
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

library, store = services.get_library(), services.get_sheets()

st.title("Check a sheet", anchor=False)
documents = {document.document_id: document for document in library.documents()}
if not documents:
    st.info("The library is empty. Add a rulebook (PDF) on the page Library, then check here.")
    st.stop()
names = distinct_names(documents.values())
newest = [
    one.document_id for one in resolve_scope(list(documents.values()), ScopeChoice()).documents
]
kept = st.session_state.get(state.SHEET_RULEBOOKS, newest)
st.session_state[state.SHEET_RULEBOOKS] = [one for one in kept if one in documents]
chosen = st.multiselect(
    "Rulebooks",
    list(documents),
    key=state.SHEET_RULEBOOKS,
    format_func=names.__getitem__,
    persist_state="session",
)
rulebooks = [documents[one] for one in chosen]


def offer_template() -> None:
    """Draw the downloads of a sheet to fill in, with example rows of the first rulebook."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("A template to fill in:", width="content")
        rows = template_rows(*load_limits(library, rulebooks[0], library.version))
        offer_rows("sheet", template_records(rows))


def choose_saved_sheet() -> None:
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


def show_uncovered() -> None:
    """Draw the limits in force that no row answers."""
    limits = [
        limit for one in rulebooks for limit in load_limits(library, one, library.version)[0].limits
    ]
    uncovered = uncovered_limits(limits, (one.result for one in checked))
    st.subheader("Rules that no row answers", anchor=False)
    st.caption(f"{format_count(len(uncovered), 'limit')} in force of {format_number(len(limits))}.")
    place = choose_row([limit_cells(limit) for limit in uncovered], "Rules that no row answers")
    if place is not None:
        limit = uncovered[place]
        show_quote(limit.clause_id, limit.article, limit.page, limit.quote)


left, right = st.columns(2, gap="medium")
with left:
    key = "sheet-file"
    st.file_uploader(
        "Sheet of values (CSV or XLSX)",
        ["csv", "xlsx", "txt"],
        max_upload_size=MAX_BYTES >> 20,
        key=key,
        on_change=take_file,
        args=(key,),
    )
    if trouble := st.session_state.get("sheet-trouble"):
        st.error(escape_markdown(trouble), icon=":material/error:")
with right:
    st.markdown(FORMAT_HELP)
    if rulebooks:
        offer_template()
    choose_saved_sheet()

sheet = st.session_state.get(state.SHEET)
if sheet is None or not rulebooks:
    st.info("Upload a sheet or open a saved one." if rulebooks else "Choose a rulebook.")
    st.stop()

with st.expander("Values: correct, add or remove rows", icon=":material/edit:", expanded=True):
    try:
        sheet = edit_rows(sheet)
    except SheetError as error:
        st.error(escape_markdown(error.message), icon=":material/error:")
        st.stop()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input(
            "Name", key=state.SHEET_NAME, max_chars=80, width=320, persist_state="session"
        )
        if icon_button("Save with the library", "save", quiet=False):
            sheet = replace(sheet, name=name.strip() or sheet.name, documents=tuple(chosen))
            store.save_sheet(sheet)
            st.session_state[state.SHEET] = sheet
            st.toast("Saved.", icon=":material/check:")

checked = check_rows(library, sheet.rows, rulebooks, store)
counts = Counter(one.result.verdict for one in checked)
shown_verdicts = choose_many(
    "Show",
    VERDICTS,
    state.SHEET_VERDICTS,
    format_func=lambda verdict: f"{VERDICTS[verdict][0]} {format_number(counts[verdict])}",
)
shown = [one for one in checked if not shown_verdicts or one.result.verdict in shown_verdicts]
with st.container(horizontal=True, vertical_alignment="center"):
    count = f"{format_count(len(shown), 'verdict')} of {format_number(len(checked))}"
    st.markdown(f"**{count}**", width="content")
    offer_download("XLSX", "verdicts.xlsx", lambda: make_workbook(one.values for one in checked))
    offer_download("JSON", "verdicts.json", lambda: results_json(checked))
    offer_download("JUnit", "verdicts.xml", lambda: results_junit(checked))
if shown:
    opened = choose_result(shown, names)
    if opened:
        show_result(library, opened, store)
    else:
        st.caption("Choose a row to see its rule, open its clause, or pick the rule that is meant.")
show_uncovered()
