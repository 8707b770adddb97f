"""A sheet of values against all limits of rulebooks: verdicts, margins, what is missing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from core.errors import SheetError
from core.library import Document, Editions, Layers, Library, ScopeChoice, resolve_scope
from core.markdown_escape import escape_markdown
from core.registers import RuleLists
from core.shapes import verdict_row
from core.sheets import (
    CheckedRow,
    SavedSheet,
    SheetRow,
    SheetStore,
    SheetVerdict,
    check_new_rows,
    guess_rulebook,
    join_rulebooks,
    read_records,
    read_sheet,
    template_records,
    uncovered_limits,
)
from core.table_files import MAX_BYTES
from pages.components import services, state
from pages.components.document_names import require_documents
from pages.components.picture import BAR_COLORS, filter_by_picture
from pages.components.registers import load_limits, offer_rows, show_open_counts, show_quote
from pages.components.tables import choose_row, sanitize_rows
from pages.components.widgets import (
    choose_with_counts,
    confirm_removal,
    count_row,
    icon_button,
    row,
    select_many,
    select_one,
    show_failures,
    take_file,
)
from pages.components.words import language, library_text, say, say_each

SHEET, SHEET_NAME, SHEET_RULEBOOKS = "sheet", "sheet-name", "sheet-rulebooks"
RESULTS, OFFERED = "sheet-results", "sheet-rulebooks-offered"
"""What was checked, and the rulebooks that the page chose by itself."""
VERDICTS: dict[SheetVerdict, str] = {
    "legal": "#d7efdf",
    "not legal": "#f9d9d9",
    "cannot tell": "#fbe8c8",
    "no rule": "#e4eaee",
}
"""Colours of a verdict (contrast above 7:1)."""
HUES = ("green", "red", "orange", "gray")
"""Those of its part of a bar."""
MAX_TRIED, MAX_TRIED_ROWS = 20, 60
"""Rulebooks and rows that are checked to find out for which rulebook a sheet is."""
_list_examples = st.cache_data(max_entries=30, **services.of_library)(template_records)


def open_sheet(sheet: SavedSheet) -> None:
    """Show a sheet, and choose the rulebooks that it was saved with."""
    st.session_state[SHEET], st.session_state[RESULTS] = sheet, {}
    st.session_state[SHEET_NAME] = sheet.name
    if sheet.documents:
        st.session_state[SHEET_RULEBOOKS] = list(sheet.documents)


def read_file(data: bytes, name: str) -> None:
    """Open the sheet in a file. Raises SheetError."""
    open_sheet(SavedSheet.from_rows(name.rpartition(".")[0][:80], read_sheet(data, name)))


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
    known = st.session_state.setdefault(RESULTS, {})
    line, text = st.empty(), say("sheet-checking", count=len(rows))
    show_progress, day = partial(line.progress, text=text), state.chosen_scope().on
    checked = check_new_rows(
        library, rows, documents, lambda *of: load_limits(*of)[1], store, known, show_progress, day
    )
    line.empty()
    return checked


def choose_result(checked: Sequence[CheckedRow], names: Mapping[str, str]) -> CheckedRow:
    """Draw the verdicts as a table; return the row that is chosen in it, else the first breach.

    `names` are those of all checked rulebooks, which have a column where they are several.
    """
    said, colors = say_each("sheet-verdict-", VERDICTS), list(VERDICTS.values())
    verdict = st.column_config.MultiselectColumn(width=104, options=said.values(), color=colors)
    rows = [
        one.cells(language(), names[one.document.document_id] if len(names) > 1 else "")
        for one in checked
    ]
    place = choose_row(rows, say("sheet-verdicts"), verdict=verdict)
    st.caption(say("sheet-choose-row"))
    if place is not None:
        return checked[place]
    return next((one for one in checked if one.result.verdict == "not legal"), checked[0])


def show_result(library: Library, one: CheckedRow, store: SheetStore) -> None:
    """Draw the rules of a verdict, and a choice of the rule that is meant."""
    values, result = one.row, one.result
    about = escape_markdown(
        f"{values.id}: {values.parameter}, {values.value} {values.unit}".strip()
    )
    st.markdown(f"**{about}** · {say(f'sheet-verdict-{result.verdict}')}")
    if result.missing and result.limits:
        st.caption(say("sheet-decides", missing=escape_markdown(result.missing)))
    for limit in {(limit.clause_id, limit.quote): limit for limit in result.limits}.values():
        show_quote(library, limit)
    register, _ = load_limits(library, one.document)
    picked = store.choices_for(library, one.document).get(values.key, "")
    names = one.list_choices(language(), register, picked)
    key = f"pick-{one.document.document_id}-{values.key}"
    article = select_one(say("sheet-pick"), names, index=list(names).index(picked), key=key)
    if article != picked:
        store.choose_rule(library, one.document, values.key, article)
        st.rerun()


def offer_rulebooks(library: Library, store: SheetStore) -> list[str]:
    """Return the rulebook to check at first: the one whose rules fit the values of the open sheet.

    Of its competition, or one that is chosen for the chat, it is all layers. Without a sheet, or
    rules that fit it, those that are chosen for the chat, else the newest.
    """
    held, scope = library.documents(), state.chosen_scope()
    layers = Layers(held, scope.on)
    first = resolve_scope(held, scope).documents or (Editions(held).find_last(),)
    sheet: SavedSheet | None = st.session_state.get(SHEET)
    if sheet and len(first) > 1 and not scope.competition:
        tried = check_rows(library, sheet.rows[:MAX_TRIED_ROWS], first[:MAX_TRIED], store)
        if guessed := guess_rulebook(tried):
            return [one.document_id for one in layers.list_with(guessed)]
    if scope == ScopeChoice():
        first = layers.list_with(Editions(held).find_last())
    return [one.document_id for one in first]


def choose_rulebooks(library: Library, store: SheetStore) -> list[Document]:
    """Draw the choice of rulebooks, at first those that fit the sheet."""
    documents = require_documents(library)
    kept = st.session_state.get(SHEET_RULEBOOKS)
    if kept is None or kept == st.session_state.get(OFFERED):  # nobody has chosen others
        kept = st.session_state[OFFERED] = offer_rulebooks(library, store)
    st.session_state[SHEET_RULEBOOKS] = [one for one in kept if one in documents]
    names, look = (
        library_text().name_documents(documents.values()),
        {"persist_state": "session"},
    )
    about = {"help": say("sheet-rulebooks-about")}
    chosen = select_many(say("sheet-rulebooks"), names, key=SHEET_RULEBOOKS, **look, **about)
    return [documents[one] for one in chosen]


def choose_sheet(library: Library, store: SheetStore, rulebooks: Sequence[Document]) -> None:
    """Draw how a sheet is written, with templates to fill in, and the saved sheets."""
    with row():
        with st.popover(say("sheet-help"), icon=":material/help:"):
            st.markdown(say("sheet-format"))
            if rulebooks:
                st.caption(say("sheet-template"))
                with row(), st.spinner(say("limits-reading")):
                    examples = _list_examples(library, rulebooks, state.chosen_scope().on)
                    offer_rows("sheet", examples)
        saved = {sheet.sheet_id: sheet for sheet in store.load_sheets()}
        if not saved:
            return
        names = {sheet_id: sheet.name for sheet_id, sheet in saved.items()}
        look = {"width": 320, "label_visibility": "collapsed"}
        sheet_id = select_one(say("sheet-saved"), names, **look)
        icon_button(say("open"), "folder_open", open_sheet, saved[sheet_id], quiet=False)
        if confirm_removal(say("sheet-remove"), "remove-sheet"):
            store.remove_sheet(sheet_id)
            st.rerun()


def edit_sheet(store: SheetStore, sheet: SavedSheet, rulebooks: Sequence[Document]) -> SavedSheet:
    """Draw the values to correct and a button to save them. Raises SheetError."""
    with st.expander(say("sheet-values"), icon=":material/edit:"):
        sheet = edit_rows(sheet)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = st.text_input(
                say("sheet-name"), key=SHEET_NAME, max_chars=80, width=320, persist_state="session"
            )
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
    """Draw the verdicts with their filters and files, and beside them the rule of one of them."""
    layers = Layers(rulebooks, state.chosen_scope().on)
    names, shown = library_text().name_documents(rulebooks), join_rulebooks(checked, layers)
    kept = shown if layers.in_force else checked
    counts = Counter(one.result.verdict for one in shown)
    if shown and not counts["legal"] + counts["not legal"]:
        st.info(say("sheet-none-decided"))
    total, said = language().format_number(len(shown)), say_each("sheet-verdict-", VERDICTS)
    colors = dict(zip(said.values(), map(BAR_COLORS.__getitem__, HUES), strict=True))
    bars = names if len(names) > 1 else dict.fromkeys(names, "")
    parts = [(bars[one.document.document_id], said[one.result.verdict]) for one in shown]
    shown = [*filter_by_picture(shown, parts, "sheet-picture", colors)]
    of_each = {one: counts[one] for one in VERDICTS}
    wanted = choose_with_counts(say("show"), "sheet-verdict-", of_each, "verdicts")
    shown = [one for one in shown if not wanted or one.result.verdict in wanted]
    with count_row(say("sheet-shown", count=len(shown), total=total)):
        verdicts = [verdict_row(one.document, one.result) for one in kept]
        offer_rows(
            "verdicts",
            (one.row.cells | row.model_dump() for one, row in zip(kept, verdicts, strict=True)),
        )
    if not shown:
        return
    left, right = st.columns([8, 5], gap="medium")
    with left:
        opened = choose_result(shown, names)
    with right:
        show_result(library, opened, store)


def show_uncovered_limits(
    library: Library, rulebooks: Sequence[Document], checked: Sequence[CheckedRow], sheet: str
) -> None:
    """Draw the limits in force that no row answers, and how many they were on earlier days."""
    limits_of = {one: load_limits(library, one)[0].limits for one in rulebooks}
    limits = [limit for own in limits_of.values() for limit in own]
    results = [one.result for one in checked]
    uncovered = uncovered_limits(limits, results)
    st.subheader(say("sheet-uncovered"), anchor=False)
    with row():
        for document, own in limits_of.items():
            count, name = len(uncovered_limits(own, results)), escape_markdown(document.label)
            with st.container(width="content"):
                show_open_counts(say("open-unanswered-in", document=name), document, count, sheet)
    total = language().format_number(len(limits))
    st.caption(say("sheet-uncovered-count", count=len(uncovered), total=total))
    place = choose_row(
        list(map(RuleLists(language()).limit_cells, uncovered)), say("sheet-uncovered")
    )
    if place is not None:
        show_quote(library, uncovered[place])


def check_a_sheet(library: Library) -> None:
    """Draw the choice of a sheet, its verdicts, its values, and the limits that no row answers."""
    store = services.open_store(SheetStore)
    left, right = st.columns(2, gap="medium")
    with left:
        kinds, size = ["csv", "xlsx", "txt"], MAX_BYTES >> 20
        take_file(say("sheet-file"), kinds, "sheet-file", read_file, max_upload_size=size)
    with right:
        rulebooks = choose_rulebooks(library, store)
        choose_sheet(library, store, rulebooks)
    sheet = st.session_state.get(SHEET)
    if sheet is None or not rulebooks:
        st.info(say("sheet-upload" if rulebooks else "sheet-no-rulebook"))
        return
    verdicts, values = st.container(), st.container()  # drawn last, since values may be corrected
    with values, show_failures(SheetError):
        sheet = edit_sheet(store, sheet, rulebooks)
        with verdicts:
            checked = check_rows(library, sheet.rows, rulebooks, store)
            show_verdicts(library, store, rulebooks, checked)
        show_uncovered_limits(library, rulebooks, checked, sheet.name)
