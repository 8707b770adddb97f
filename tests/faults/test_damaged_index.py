"""A search over a damaged index on which LanceDB hangs still ends with an error."""

import pytest

from core.cli.output import FAILED
from core.errors import LibraryError
from core.library.ingestion.ingest import add_file
from core.library.retrieval.search import search
from core.library.scope import resolve_scope
from core.library.storage.errors import wrap_lancedb_errors
from core.library.storage.library import Library
from tests.commands import SAMPLES, run_json

SAMPLE = SAMPLES / "meridian_2024_sporting_issue1.pdf"
ROWS = b"".join(row.to_bytes(2, "little") for row in range(40, 44))
"""Four consecutive rows as a bitmap stores them."""


@pytest.mark.slow
def test_a_search_over_a_damaged_index_comes_back(tmp_path):
    list(add_file(Library(tmp_path), SAMPLE))
    damaged = 0
    for path in (tmp_path / "index").rglob("bitmap_page_lookup.lance"):
        data = path.read_bytes()
        damaged += data.count(ROWS)
        path.write_bytes(data.replace(ROWS, ROWS[::-1]))
    assert damaged
    library = Library(tmp_path)
    with pytest.raises(LibraryError, match="core check"):
        search(library, "pit lane speed limit", resolve_scope(library.documents()), 3)


@pytest.mark.slow
def test_a_question_to_a_damaged_library_fails_and_is_never_not_found(tmp_path):
    list(add_file(Library(tmp_path), SAMPLE))
    before = run(tmp_path, "What is the pit lane speed limit?")
    assert before[0] == 0
    for path in (tmp_path / "index" / "clauses.lance" / "data").iterdir():
        path.write_bytes(b"junk" + path.read_bytes()[4:-4] + b"junk")
    status, events = run(tmp_path, "What is the pit lane speed limit?")
    assert status == FAILED
    assert events[-1]["outcome"] == "failed"
    assert "core check" in events[-1]["message"]


def test_a_thread_of_lancedb_that_stumbles_over_damage_is_told_as_damage(tmp_path):
    with pytest.raises(LibraryError, match="core check"), wrap_lancedb_errors(tmp_path):
        raise RuntimeError('task 323 panicked with message "range start index 24 out of range"')


def run(folder, question):
    """The exit status of `ask`, and the events that it prints."""
    return run_json(folder, "ask", "--json", question)
