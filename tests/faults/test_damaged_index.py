"""A search over a damaged index on which LanceDB hangs still ends with an error."""

import shutil

import pytest

from core.cli.output import FAILED
from core.errors import LibraryError
from core.library.retrieval.search import search
from core.library.scope import resolve_scope
from core.library.storage.errors import wrap_lancedb_errors
from core.library.storage.library import Library
from tests.commands import run_json
from tests.made_once import SAMPLE, read_once

ROWS = b"".join(row.to_bytes(2, "little") for row in range(40, 44))
"""Four consecutive rows as a bitmap stores them."""


@pytest.fixture
def folder(tmp_path, tmp_path_factory):
    """A data folder with a sample rulebook."""
    return shutil.copytree(read_once(tmp_path_factory, SAMPLE), tmp_path / "data")


@pytest.mark.slow
def test_a_search_over_a_damaged_index_comes_back(folder):
    damaged = 0
    for path in (folder / "index").rglob("bitmap_page_lookup.lance"):
        data = path.read_bytes()
        damaged += data.count(ROWS)
        path.write_bytes(data.replace(ROWS, ROWS[::-1]))
    assert damaged
    library = Library(folder)
    with pytest.raises(LibraryError, match="core check"):
        search(library, "pit lane speed limit", resolve_scope(library.documents()), 3)


@pytest.mark.slow
def test_a_question_to_a_damaged_library_fails_and_is_never_not_found(folder):
    before = run(folder, "What is the pit lane speed limit?")
    assert before[0] == 0
    for path in (folder / "index" / "clauses.lance" / "data").iterdir():
        path.write_bytes(b"junk" + path.read_bytes()[4:-4] + b"junk")
    status, events = run(folder, "What is the pit lane speed limit?")
    assert status == FAILED
    assert events[-1]["outcome"] == "failed"
    assert "core check" in events[-1]["message"]


def test_a_thread_of_lancedb_that_stumbles_over_damage_is_told_as_damage(folder):
    with pytest.raises(LibraryError, match="core check"), wrap_lancedb_errors(folder):
        raise RuntimeError('task 323 panicked with message "range start index 24 out of range"')


def run(folder, question):
    """The exit status of `ask`, and the events that it prints."""
    return run_json(folder, "ask", "--json", question)
