"""A library in a folder that several machines share: what differs from one machine's own."""

import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sql

from core.errors import LibraryError, SettingsError
from core.library.integrity import check_library
from core.library.retrieval.search import search
from core.library.scope import resolve_scope
from core.library.storage.library import Library
from core.library.storage.places import LibraryPlace
from core.settings import Settings
from tests.cup import add_cup_rules

WRITER = """
import sys
from pathlib import Path
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from core.library.storage.places import LibraryPlace
from tests.library.cup import lines
name, folder, shared, lease_url = sys.argv[1:]
library = Library(LibraryPlace(Path(folder), shared, lease_url))
for number in range(4):
    title = f"{name} {number % 3}"
    [result] = add_bytes(library, lines(title, ("1", f"{title} must be kept.")), f"{title}.jsonl")
    assert result.document, result.message
    if number == 1:
        library.remove_document(result.document.document_id)
"""


@pytest.fixture
def places(tmp_path):
    """The places of a library as two machines see it."""
    lease = f"sqlite:///{tmp_path / 'leases.db'}"
    return [
        LibraryPlace(tmp_path / machine, str(tmp_path / "shared"), lease) for machine in ("a", "b")
    ]


@pytest.mark.slow
def test_what_one_machine_adds_the_other_finds(places):
    here, there = map(Library, places)
    add_cup_rules(here)
    scope = resolve_scope(there.documents())
    assert search(there, "speed limit in the pit lane", scope, 1)[0].clause.article == "21.3"
    there.remove_document(there.documents()[0].document_id)
    assert len(here.documents()) == 1
    assert list(check_library(here)) == []


def test_one_writes_and_another_waits(places):
    here, there = map(Library, places)
    with (
        here.lock_for_writing(),
        pytest.raises(LibraryError, match="another program") as error,
        there.lock_for_writing(timeout=0.2),
    ):
        pass
    assert error.value.code == "locked"
    with there.lock_for_writing(), there.lock_for_writing():
        pass


def test_a_writer_that_was_taken_for_dead_writes_nothing_that_is_seen(places, tmp_path):
    late, other = map(Library, places)
    add_cup_rules(other)
    with late.lock_for_writing():
        database = sql.create_engine(places[0].lease_url)
        with database.begin() as connection:
            connection.exec_driver_sql("UPDATE writers SET holder = 'another'")
        database.dispose()
        with pytest.raises(LibraryError) as error:
            late.confirm_lease()
    assert error.value.code == "locked"


@pytest.mark.slow
def test_four_processes_write_at_once_and_nothing_is_lost_or_doubled(places, tmp_path):
    place = places[0]
    command = [sys.executable, "-c", WRITER]
    there = [str(place.folder), place.url, place.lease_url]
    writers = [
        subprocess.Popen([*command, name, *there], cwd=Path(__file__).parents[2]) for name in "ABCD"
    ]
    assert [writer.wait(120) for writer in writers] == [0] * 4
    library = Library(place)
    assert sorted(d.title for d in library.documents()) == sorted(
        f"{name} {number}" for name in "ABCD" for number in (0, 2)
    )
    assert library.tables.clauses_table().count_rows() == 8
    assert list(check_library(library)) == []


def test_the_setting_is_an_address_or_a_folder(tmp_path):
    settings = Settings(_env_file=None, data_dir=tmp_path, library_url=str(tmp_path / "shared"))
    assert str(Library.open(settings).place) == str(tmp_path / "shared")
    wrong = settings.model_copy(update={"library_url": "http://rules.example"})
    with pytest.raises(SettingsError, match="SCRUTINEER_LIBRARY_URL"):
        Library.open(wrong)
