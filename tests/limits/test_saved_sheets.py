"""Sheets that are saved, rows that are corrected, rules that are picked, and the template."""

from dataclasses import replace

import pytest

from core.errors import SheetError
from core.library.storage.library import Library
from core.limits.limit_search import LimitIndex
from core.limits.register import read_register
from core.limits.sheet_check import SheetRow, check_row
from core.limits.sheet_files import read_records
from core.limits.sheet_storage import SheetStore, new_sheet
from core.limits.sheet_template import template_rows
from tests.limits.trike import add_trike_rules, clauses

ROW = SheetRow("1", "Wheelbase", "1300", "mm")


def test_a_sheet_is_saved_over_its_earlier_state(tmp_path):
    store = SheetStore(tmp_path)
    sheet = new_sheet("Trike", (ROW,))
    store.save_sheet(sheet)
    store.save_sheet(replace(sheet, name="Trike, week 2"))
    assert [one.name for one in store.load_sheets()] == ["Trike, week 2"]
    assert SheetStore(tmp_path, "somebody").load_sheets() == ()
    store.remove_sheet(sheet.sheet_id)
    assert store.load_sheets() == ()


def test_a_picked_rule_holds_for_all_editions(tmp_path):
    library = Library(tmp_path)
    add_trike_rules(library)
    [document] = library.documents()
    store = SheetStore(tmp_path)
    store.choose_rule(document, ROW.key, "1.1")
    later = replace(document, document_id="later", issue=2)
    other = replace(document, document_id="other", family="quad")
    assert store.choices_for(later) == {"wheelbase": "1.1"}
    assert store.choices_for(other) == {}
    store.choose_rule(document, ROW.key, "")
    assert store.choices_for(later) == {}


def test_whoever_picks_a_rule_has_said_its_variant():
    index = LimitIndex(read_register(clauses()))
    row = SheetRow("1", "tread depth", "2", "mm")
    assert check_row(row, index).missing == "whether it is of “front”"
    assert check_row(row, index, {row.key: "1.3"}).verdict == "not legal"


def test_corrected_rows_are_read_like_a_file():
    record = {"id": "1", "parameter": "Wheelbase", "value": "1300", "unit": "mm", "note": None}
    assert read_records([record, dict.fromkeys(record)], "Trike", False) == (ROW,)
    with pytest.raises(SheetError) as caught:
        read_records([record, record], "Trike", False)
    assert caught.value.code == "twice"


def test_the_rows_of_a_template_are_answered_by_their_own_rules():
    register = read_register(clauses())
    index = LimitIndex(register)
    rows = template_rows(register, index)
    assert rows
    assert {check_row(row, index).verdict for row in rows} == {"legal"}
