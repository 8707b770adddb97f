"""One file holds everything, and gives it back whole or not at all."""

import json
import zipfile

import pytest

from core.chats.conversations import Conversations
from core.errors import LibraryError
from core.library.ingest import add_bytes
from core.library.scope import resolve
from core.library.search import search
from core.library.store import Library
from core.settings import Settings
from core.upkeep.archive import CONTENTS, backup, restore

LINES = b"""{"document": "2024 Cup", "article": "1", "text": "The pit lane speed limit is 50 km/h.", "season": 2024}
{"document": "2024 Cup", "article": "2", "text": "A car must have four wheels.", "season": 2024}
"""


@pytest.fixture
def settings(tmp_path):
    settings = Settings(_env_file=None, data_dir=tmp_path / "data")
    assert [a.status for a in add_bytes(Library(settings.data_dir), LINES, "cup.jsonl")] == ["added"]
    Conversations(settings.conversations_url).start("What is the speed limit?")
    return settings


def elsewhere(settings, tmp_path):
    return settings.model_copy(update={"data_dir": tmp_path / "other"})


def test_what_was_put_in_comes_out_again(settings, tmp_path):
    made = backup(settings, tmp_path / "backup.zip")
    assert made.documents == 1
    assert made.chats
    other = elsewhere(settings, tmp_path)
    assert restore(other, tmp_path / "backup.zip").files == made.files
    library = Library(other.data_dir)
    assert library.clauses(library.documents()[0].document_id) == Library(settings.data_dir).clauses(
        library.documents()[0].document_id
    )
    scope = resolve(library.documents())
    assert search(library, "speed limit", scope, 3)[0].clause.article == "1"
    assert [chat.title for chat in Conversations(other.conversations_url).conversations()] == [
        "What is the speed limit?"
    ]


def test_nothing_is_written_over(settings, tmp_path):
    backup(settings, tmp_path / "backup.zip")
    with pytest.raises(LibraryError, match="there already"):
        backup(settings, tmp_path / "backup.zip")
    with pytest.raises(LibraryError, match="move that folder away"):
        restore(settings, tmp_path / "backup.zip")


def test_an_archive_in_which_something_was_changed_is_refused_and_leaves_nothing(settings, tmp_path):
    backup(settings, tmp_path / "backup.zip")
    with zipfile.ZipFile(tmp_path / "backup.zip") as whole, zipfile.ZipFile(tmp_path / "bad.zip", "w") as bad:
        for name in whole.namelist():
            data = whole.read(name)
            bad.writestr(name, data.replace(b"50 km/h", b"90 km/h") if name.startswith("files/") else data)
    other = elsewhere(settings, tmp_path)
    with pytest.raises(LibraryError, match="is not what was put in"):
        restore(other, tmp_path / "bad.zip")
    assert not other.data_dir.exists()
    assert not [path for path in tmp_path.iterdir() if path.name.endswith(".part")]


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd", "files/../../outside", "other/file"])
def test_names_that_lead_elsewhere_are_refused(settings, tmp_path, name):
    with zipfile.ZipFile(tmp_path / "odd.zip", "w") as odd:
        contents = {"format": 1, "made_at": "", "documents": 0, "chats": True, "files": {name: "0" * 64}}
        odd.writestr(CONTENTS, json.dumps(contents))
        odd.writestr(name, b"x")
    with pytest.raises(LibraryError, match="not one of ours"):
        restore(elsewhere(settings, tmp_path), tmp_path / "odd.zip")
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize("data", [b"", b"no zip at all", b"PK\x05\x06" + bytes(18)])
def test_what_is_no_backup_is_told(settings, tmp_path, data):
    (tmp_path / "odd.zip").write_bytes(data)
    with pytest.raises(LibraryError):
        restore(elsewhere(settings, tmp_path), tmp_path / "odd.zip")


def test_an_archive_whose_packing_is_broken_is_told_in_a_sentence(settings, tmp_path):
    backup(settings, tmp_path / "backup.zip")
    data = bytearray((tmp_path / "backup.zip").read_bytes())
    with zipfile.ZipFile(tmp_path / "backup.zip") as whole:
        first = next(info for info in whole.infolist() if info.compress_size > 64)
    start = first.header_offset + 30 + len(first.filename) + 40
    data[start : start + 8] = b"\xff" * 8
    (tmp_path / "bad.zip").write_bytes(data)
    with pytest.raises(LibraryError):
        restore(elsewhere(settings, tmp_path), tmp_path / "bad.zip")
