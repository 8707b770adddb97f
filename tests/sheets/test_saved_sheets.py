"""Sheets that are saved, rows that are corrected, rules that are picked, and the template."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from core.errors import SheetError
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from core.registers.register import read_register
from core.sheets.limit_search import LimitIndex
from core.sheets.sheet_check import SheetRow, check_row
from core.sheets.sheet_files import read_records
from core.sheets.sheet_storage import SavedSheet, SheetStore
from core.sheets.sheet_template import template_records, template_rows
from tests.registers.trike import add_trike_rules, clauses, lines

ROW = SheetRow("1", "Wheelbase", "1300", "mm")


def test_a_sheet_is_saved_over_its_earlier_state(tmp_path):
    store = SheetStore(tmp_path)
    sheet = SavedSheet.from_rows("Trike", (ROW,))
    store.save_sheet(sheet)
    store.save_sheet(replace(sheet, name="Trike, week 2"))
    assert [one.name for one in store.load_sheets()] == ["Trike, week 2"]
    assert SheetStore(tmp_path, "somebody").load_sheets() == ()
    store.remove_sheet(sheet.sheet_id)
    assert store.load_sheets() == ()


def test_a_sheet_stays_cleared_until_its_values_change(tmp_path):
    store, opened = SheetStore(tmp_path), SavedSheet.from_rows("Trike", (ROW,))
    store.save_sheet(opened)
    store.clear_sheet(opened.sheet_id, "issue", "Ada")
    store.save_sheet(replace(opened, name="Trike, week 2"))
    [sheet] = store.load_sheets()
    assert sheet.cleared["issue"][0] == "Ada"
    store.save_sheet(replace(sheet, rows=(replace(ROW, value="1100"),)))
    assert not store.load_sheets()[0].cleared


def test_a_picked_rule_holds_for_all_editions_under_the_number_it_has_there(tmp_path):
    library, store = Library(tmp_path), SheetStore(tmp_path)
    first = library.document(add_trike_rules(library))
    store.choose_rule(library, first, ROW.key, "1.1")
    renumbered = lines(issue=2).replace(b'"1.1"', b'"1.9"').replace(b'"1.2"', b'"1.1"')
    [second] = add_bytes(library, renumbered, "trike_2.jsonl")
    assert second.document
    assert store.choices_for(library, first) == {"wheelbase": "1.1"}
    assert store.choices_for(library, second.document) == {"wheelbase": "1.9"}
    other = replace(first, document_id="other", family="quad")
    assert store.choices_for(library, other) == {}
    library.remove_document(first.document_id)
    assert store.choices_for(library, second.document) == {"wheelbase": "1.1"}
    store.choose_rule(library, second.document, ROW.key, "")
    assert store.choices_for(library, second.document) == {}


def test_a_picked_rule_holds_when_its_document_is_found_to_be_an_edition(tmp_path):
    library, store = Library(tmp_path), SheetStore(tmp_path)
    decided = library.document(add_trike_rules(library))
    library.update_document(replace(decided, family=None))
    store.choose_rule(library, library.document(decided.document_id), ROW.key, "1.1")
    library.update_document(decided)
    assert store.choices_for(library, decided) == {"wheelbase": "1.1"}


def test_a_picked_rule_that_an_issue_dropped_is_picked_no_longer(tmp_path):
    library, store = Library(tmp_path), SheetStore(tmp_path)
    first = library.document(add_trike_rules(library))
    store.choose_rule(library, first, ROW.key, "4")
    without = b"\n".join(lines(issue=2).splitlines()[:-1])
    [second] = add_bytes(library, without, "trike_2.jsonl")
    assert second.document
    assert store.choices_for(library, second.document) == {}


def test_rules_that_were_picked_before_clauses_were_followed_still_hold(tmp_path):
    library, store = Library(tmp_path), SheetStore(tmp_path)
    first = library.document(add_trike_rules(library))
    (tmp_path / "sheets").mkdir()
    (tmp_path / "sheets" / "picked.rules").write_text('{"trike": {"wheelbase": "1.1"}}')
    assert store.choices_for(library, first) == {"wheelbase": "1.1"}


def test_picked_rules_that_cannot_be_read_are_kept(tmp_path):
    library, store = Library(tmp_path), SheetStore(tmp_path)
    first = library.document(add_trike_rules(library))
    store.choose_rule(library, first, ROW.key, "1.1")
    file = tmp_path / "sheets" / "picked.rules"
    file.write_bytes(cut := file.read_bytes()[:-5])
    for use in (
        lambda: store.choose_rule(library, first, ROW.key, "1.2"),
        lambda: store.choices_for(library, first),
    ):
        with pytest.raises(SheetError) as caught:
            use()
        assert caught.value.code == "damaged"
    assert file.read_bytes() == cut


def test_rules_that_are_picked_at_once_are_all_kept(tmp_path):
    library, store = Library(tmp_path), SheetStore(tmp_path)
    first = library.document(add_trike_rules(library))
    keys = [f"parameter {number}" for number in range(3)]
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda key: store.choose_rule(library, first, key, "1.1"), keys))
    assert store.choices_for(library, first) == dict.fromkeys(keys, "1.1")


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


def test_the_rows_of_a_template_hold_in_all_rulebooks_that_are_checked(tmp_path):
    library, longer = Library(tmp_path), {"1.1": "The wheelbase must be at least 1400 mm."}
    ids = add_trike_rules(library), add_trike_rules(library, 2, longer)
    first, second = map(library.document, ids)
    alone, together = (template_records(library, of) for of in ([first], [first, second]))
    assert "Wheelbase" in {row["parameter"] for row in alone}
    assert together
    assert "Wheelbase" not in {row["parameter"] for row in together}
