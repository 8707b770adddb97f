"""What is open, day by day: kept where it changed, for each document and each sheet."""

import json

from core.library import Library
from core.registers import OpenCounts
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
