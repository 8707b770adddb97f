"""The checklist of obligations, filled in once and kept when the next issue comes."""

import json
from dataclasses import replace

import pytest

from core.errors import SheetError
from core.exports import csv_file
from core.library import Library
from core.library.ingestion.ingest import add_bytes
from core.registers.checklist import (
    CHECKLIST_COLUMNS,
    ChecklistEntry,
    ChecklistStore,
    list_unowned,
    read_checklist,
)
from core.registers.obligations import Obligation, read_obligations
from core.table_files import make_workbook
from tests.registers.trike import add_trike_rules, lines

LENGTH = Obligation("d", "d:1", "1.1", 1, "must", "", "It must be 15 m long.", in_force=True)
ADA = ChecklistEntry("Ada", "done", "photo 12")


@pytest.fixture
def library(tmp_path):
    library = Library(tmp_path)
    add_trike_rules(library)
    return library


def duty_of(library: Library, document_id: str, article: str) -> Obligation:
    listed = read_obligations(library.clauses(document_id)).obligations
    return next(one for one in listed if one.article == article)


def noted(library: Library, document_id: str, article: str) -> dict[str, str | None]:
    duty, document = duty_of(library, document_id, article), library.document(document_id)
    entries = ChecklistStore(library.folder).entries_for(library, document, [duty])
    return entries.get(duty, ChecklistEntry()).columns_for(duty)


def note(library: Library, article: str, entry: ChecklistEntry = ADA) -> None:
    [first] = library.documents()
    duty = duty_of(library, first.document_id, article)
    ChecklistStore(library.folder).save_entries(library, first, {duty: entry})


def test_what_was_noted_stands_in_the_next_issue_too(library):
    note(library, "1.1")
    second = add_trike_rules(library, 2)
    ada = {"owner": "Ada", "subteam": None, "status": "done", "evidence": "photo 12"}
    ada |= {"noted_of": None}
    assert noted(library, second, "1.1") == ada
    assert noted(library, second, "1.2")["owner"] is None


def test_a_note_on_other_words_says_of_which(library):
    note(library, "1.1")
    words = "The trike must have a minimum wheelbase of 1300 mm."
    second = add_trike_rules(library, 2, {"1.1": words})
    found = noted(library, second, "1.1")
    assert (found["owner"], found["noted_of"]) == ("Ada", words.replace("1300", "1200"))


def test_a_note_on_another_amount_says_of_which():
    entry = replace(ADA, quote="It must be 1.5 m long.")
    assert entry.columns_for(LENGTH)["noted_of"] == entry.quote
    spaced = replace(ADA, quote="It must be\n15\u00a0m long.")
    assert spaced.columns_for(LENGTH)["noted_of"] is None


def test_a_note_follows_its_rule_to_another_number(library):
    note(library, "4")
    renumbered = lines(issue=2).replace(b'"article": "4"', b'"article": "7"')
    [second] = add_bytes(library, renumbered, "trike_2.jsonl")
    assert second.document
    assert noted(library, second.document.document_id, "7")["owner"] == "Ada"


def test_each_of_two_duties_of_a_rule_keeps_its_own_note(library):
    [first] = library.documents()
    document, duty = library.documents()[0], duty_of(library, first.document_id, "1.1")
    other = replace(duty, quote="It must have three wheels.")
    store = ChecklistStore(library.folder)
    store.save_entries(library, document, {duty: ADA, other: ChecklistEntry("Bo")})
    store.save_entries(library, document, {other: ChecklistEntry("Cy")})
    entries = store.entries_for(library, document, [duty, other])
    assert [entries[one].owner for one in (duty, other)] == ["Ada", "Cy"]
    changed = replace(other, quote="It must have three or four wheels.")
    assert store.entries_for(library, document, [changed, duty])[changed].owner == "Cy"


def test_a_cut_file_is_refused_and_kept(library):
    first = library.documents()[0].document_id
    note(library, "1.1")
    [file] = library.folder.glob("sheets/*.checklist")
    file.write_bytes(cut := file.read_bytes()[:-5])
    for use in (lambda: note(library, "1.2"), lambda: noted(library, first, "1.1")):
        with pytest.raises(SheetError) as caught:
            use()
        assert caught.value.code == "damaged"
    assert file.read_bytes() == cut


@pytest.mark.parametrize("quote", ["It must be 15\u00a0mm\u2009wide.", "- It must be red."])
@pytest.mark.parametrize(
    "make", [make_workbook, lambda rows: csv_file(list(rows[0]), map(dict.values, rows))]
)
def test_a_filled_file_is_read_back(make, quote):
    duty = replace(LENGTH, quote=quote)
    cells = (duty.article, quote, "Ada", "Brakes", "open", "")
    filled = dict(zip(CHECKLIST_COLUMNS, cells, strict=True))
    strange = filled | {"quote": "Nothing must be so."}
    entries, unknown = read_checklist(make([filled, strange]), "list", [duty])
    assert entries == {duty: ChecklistEntry("Ada", "open", subteam="Brakes")}
    assert unknown == 1


def test_a_column_that_a_file_lacks_stays_as_it_was(library):
    [first] = library.documents()
    duty, store = duty_of(library, first.document_id, "1.1"), ChecklistStore(library.folder)
    note(library, "1.1")
    file = csv_file(["article", "quote", "status"], [["1.1", duty.quote, "late"]])
    before = store.entries_for(library, first, [duty])
    entries, _ = read_checklist(file, "list.csv", [duty], before)
    assert store.save_entries(library, first, entries) == 1
    kept = store.entries_for(library, first, [duty])[duty]
    assert replace(kept, history=()) == replace(ADA, status="late", quote=duty.quote)


def test_a_row_that_is_not_filled_in_is_not_counted(library):
    [first] = library.documents()
    duty, store = duty_of(library, first.document_id, "1.1"), ChecklistStore(library.folder)
    assert store.save_entries(library, first, {duty: ChecklistEntry()}) == 0


def test_a_file_without_quotes_is_refused(library):
    with pytest.raises(SheetError) as caught:
        read_checklist(b"article,owner\n1.1,Ada\n", "list.csv", ())
    assert caught.value.code == "columns"


def changes(entry: ChecklistEntry) -> list[tuple[str, str, str]]:
    return [(change.who, change.before, change.after) for change in entry.history]


def test_each_change_of_a_status_says_who_and_follows_the_rule_to_the_next_issue(library):
    [first] = library.documents()
    store, duty = ChecklistStore(library.folder), duty_of(library, first.document_id, "1.1")
    for who, status in (("Ada", "open"), ("Bo", "open"), ("Bo", "done")):
        store.save_entries(library, first, {duty: ChecklistEntry("Ada", status)}, who)
    words = "The trike must have a minimum wheelbase of 1300 mm."
    second = library.document(add_trike_rules(library, 2, {"1.1": words}))
    changed = duty_of(library, second.document_id, "1.1")
    noted = store.entries_for(library, second, [changed])[changed]
    assert changes(noted) == [("Ada", "", "open"), ("Bo", "open", "done")]
    store.save_entries(library, second, {changed: replace(noted, status="")}, "Cy")
    again = store.entries_for(library, second, [changed])[changed]
    assert changes(again)[-2:] == [("Bo", "open", "done"), ("Cy", "done", "")]
    assert again.history[-1].at >= again.history[0].at
    assert changes(store.entries_for(library, first, [duty])[duty])[-1] == ("Bo", "open", "done")


def test_a_note_that_is_emptied_keeps_its_history(library):
    [first] = library.documents()
    store, duty = ChecklistStore(library.folder), duty_of(library, first.document_id, "1.1")
    note(library, "1.1")
    assert store.save_entries(library, first, {duty: ChecklistEntry()}, "Bo") == 0
    kept = store.entries_for(library, first, [duty])[duty]
    assert kept.is_empty
    assert changes(kept) == [("", "", "done"), ("Bo", "done", "")]


def test_a_checklist_of_an_earlier_version_is_read(library):
    note(library, "1.1")
    [first] = library.documents()
    [file] = library.folder.glob("sheets/*.checklist")
    saved = json.loads(file.read_bytes())
    for entries in saved.values():
        for entry in entries:
            del entry["subteam"], entry["history"]
    file.write_text(json.dumps(saved))
    assert noted(library, first.document_id, "1.1")["owner"] == "Ada"


def test_a_rule_of_a_subteam_is_owned_and_what_may_be_done_needs_no_owner():
    allowed, gone = replace(LENGTH, modality="may"), replace(LENGTH, in_force=False)
    duties, team = (LENGTH, allowed, gone), ChecklistEntry(subteam="Chassis")
    assert list_unowned(duties, {}) == [LENGTH]
    assert list_unowned(duties, {LENGTH: ADA}) == list_unowned(duties, {LENGTH: team}) == []
