"""A page sees one state of its library: it reads the documents once, and what came since with its
next run.
"""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest
from cup import PIT_LANE, Add, lines

from core.library.scope import RestrictedLibrary
from core.library.storage.library import Library
from core.library.types import ScopeChoice
from core.rulebook import MetadataOverride

ADDING = """
import sys
from pathlib import Path
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
[added] = add_bytes(Library(Path(sys.argv[1])), sys.stdin.buffer.read(), "rules.jsonl")
assert added.status == "added", added
"""


def add_in_another_process(library: Library, title: str) -> None:
    subprocess.run(
        [sys.executable, "-c", ADDING, str(library.folder)],
        input=lines(title, *PIT_LANE),
        cwd=Path(__file__).parents[2],
        check=True,
    )


def titles(library: Library) -> list[str]:
    return [document.title for document in library.documents()]


@pytest.mark.slow
def test_what_another_process_adds_is_seen_in_the_next_run_and_not_within_one(
    library: Library, add: Add
) -> None:
    add("Old", *PIT_LANE)
    with library.pin_state():
        before = library.documents(), library.version
        add_in_another_process(library, "New")
        assert (library.documents(), library.version) == before
        assert seen_by_another_thread(lambda: titles(library)) == ["New", "Old"]
    assert titles(library) == ["New", "Old"]
    with library.pin_state():
        assert titles(library) == ["New", "Old"]
        assert library.version > before[1]


@pytest.mark.slow
def test_a_page_sees_at_once_what_it_writes_itself_and_what_it_asks_for_anew(
    library: Library, add: Add
) -> None:
    with library.pin_state():
        assert titles(library) == []
        mine = add("Mine", *PIT_LANE)
        assert titles(library) == ["Mine"]
        library.remove_document(mine.document_id)
        assert titles(library) == []
        add_in_another_process(library, "Another's")
        library.forget_pins()
        assert titles(library) == ["Another's"]


@pytest.mark.slow
def test_a_page_that_fails_leaves_nothing_pinned(library: Library, add: Add) -> None:
    try:
        with library.pin_state():
            assert titles(library) == []
            raise InterruptedError
    except InterruptedError:
        add_in_another_process(library, "New")
    assert titles(library) == ["New"]


def seen_by_another_thread(read: Callable[[], list[str]]) -> list[str]:
    seen: list[str] = []
    thread = Thread(target=lambda: seen.extend(read()))
    thread.start()
    thread.join()
    return seen


def test_what_others_correct_meanwhile_stays_within_what_may_be_seen(
    library: Library, add: Add
) -> None:
    added = add("Cup", *PIT_LANE)
    restricted = RestrictedLibrary(library, ScopeChoice())
    with restricted.pin_state():
        assert titles(restricted) == ["Cup"]
        Library(library.folder).correct_metadata(added.document_id, MetadataOverride(season=2020))
        assert restricted.document(added.document_id).season == 2020
