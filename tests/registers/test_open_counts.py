"""What is open, day by day: kept where it changed, for each document and each sheet."""

import json

from core.library import Library
from core.library.ingestion.ingest import add_bytes
from core.registers import ChecklistStore, OpenCounts, obligations_of
from tests.layered_cup import add_harbour_cup
from tests.registers.trike import add_trike_rules


def test_a_day_has_its_last_count_and_a_day_without_change_has_none(tmp_path):
    library = Library(tmp_path)
    document = library.document(add_trike_rules(library))
    counts = OpenCounts(tmp_path)
    for count in (7, 5):
        [today] = counts.record(document, count)
    assert today.count == 5
    [file] = tmp_path.glob("sheets/open.counts")
    earlier = {document.document_id: {"": {"2026-01-02": 9, "2026-01-09": 5}}}
    file.write_text(json.dumps(earlier))
    assert [(one.day, one.count) for one in counts.record(document, 5)] == [
        ("2026-01-02", 9),
        ("2026-01-09", 5),
    ]
    assert [one.count for one in counts.record(document, 4)] == [9, 5, 4]
    assert [one.count for one in counts.record(document, 12, "brakes")] == [12]
    assert [one.count for one in counts.record(document, 4)] == [9, 5, 4]


def test_the_next_issue_goes_on_with_the_figures_of_the_one_before(tmp_path):
    library = Library(tmp_path)
    counts = OpenCounts(tmp_path)
    first, second = (add_issue(library, number) for number in (1, 2))
    counts.record(first, 7)
    [file] = tmp_path.glob("sheets/open.counts")
    [series] = json.loads(file.read_text()).values()
    file.write_text(json.dumps({first.document_id: {"": {"2026-01-02": 9}}}))
    assert [one.count for one in counts.record(first, 7)] == [9, 7]
    assert series
    assert [one.count for one in counts.record(second, 8)] == [9, 8]


def test_what_another_layer_waives_needs_no_owner(tmp_path):
    library = Library(tmp_path)
    rules = add_harbour_cup(library)["rules"]
    duties = obligations_of(library, rules).obligations
    unowned = ChecklistStore(tmp_path).list_unowned(library, rules, duties)
    assert {"2.4", "3.1"} <= {one.article for one in duties}
    assert "2.4" not in {one.article for one in unowned}
    assert "3.1" in {one.article for one in unowned}


def add_issue(library, number):
    rule = {"document": "Lake Rules 2026", "article": "1", "text": "Shoes must be worn."}
    row = rule | {"season": 2026, "issue": number, "family": "lake"}
    [added] = add_bytes(library, json.dumps(row).encode(), f"lake-{number}.jsonl")
    return added.document
