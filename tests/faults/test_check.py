"""`check` finds what is not as it was put in, and mends it from the stored files."""

import json
import sqlite3
from pathlib import Path

import lancedb
import pyarrow as pa
import pytest

from core.chats.conversations import Conversations
from core.errors import LibraryError
from core.library.ingest import add_bytes
from core.library.scope import resolve
from core.library.search import search
from core.library.store import Library
from core.rulebook.types import Given
from core.settings import Settings
from core.upkeep.checking import check

SAMPLES = Path(__file__).parents[2] / "data" / "samples"
LINES = b"""{"document": "2024 Cup", "article": "1", "text": "The pit lane speed limit is 50 km/h.", "season": 2024}
{"document": "2024 Cup", "article": "2", "text": "A car must have four wheels.", "season": 2024}
"""


@pytest.fixture
def settings(tmp_path):
    settings = Settings(_env_file=None, data_dir=tmp_path / "data")
    library = Library(settings.data_dir)
    [addition] = add_bytes(library, LINES, "the cup.jsonl")
    library.describe(addition.document.document_id, Given(issue=3))
    return settings


@pytest.fixture
def before(settings):
    library = Library(settings.data_dir)
    return library.documents(), library.clauses(library.documents()[0].document_id)


def state(settings):
    library = Library(settings.data_dir)
    return library.documents(), library.clauses(library.documents()[0].document_id)


def found(settings):
    return [(finding.code, finding.mended) for finding in check(settings)]


def whole_again(settings, before):
    """Documents and clauses are what they were, what a person said included; nothing more is found."""
    library = Library(settings.data_dir)
    assert state(settings) == before
    assert library.documents()[0].issue == 3
    assert library.documents()[0].file == "the cup.jsonl"
    assert search(library, "speed limit", resolve(library.documents()), 3)[0].clause.article == "1"
    assert found(settings) == []


def flip(folder, wanted):
    """Change one letter wherever some words stand in the files of a folder; how often that was."""
    flipped = 0
    for path in folder.rglob("*.lance"):
        data = path.read_bytes() if path.is_file() else b""
        flipped += data.count(wanted)
        path.write_bytes(data.replace(wanted, wanted[:-1] + b"X")) if wanted in data else None
    return flipped


def test_nothing_is_found_where_nothing_is_wrong(settings, before):
    assert found(settings) == []
    whole_again(settings, before)


def test_nothing_is_found_where_there_is_nothing(tmp_path):
    assert found(Settings(_env_file=None, data_dir=tmp_path / "none")) == []
    assert not (tmp_path / "none").exists()


def test_a_changed_letter_is_never_quoted_and_is_mended(settings, before):
    assert flip(settings.data_dir / "index" / "clauses.lance", b"limit is 50")
    library = Library(settings.data_dir)
    with pytest.raises(LibraryError, match="core check") as caught:
        library.clauses(before[0][0].document_id)
    assert caught.value.code == "damaged"
    with pytest.raises(LibraryError):
        search(library, "speed limit", resolve(library.documents()), 3)
    assert found(settings) == [("document", True)]
    whole_again(settings, before)


def test_a_changed_list_of_documents_is_made_again_from_the_notes(settings, before):
    assert flip(settings.data_dir / "index" / "documents.lance", b"the cup")
    with pytest.raises(LibraryError, match="core check"):
        Library(settings.data_dir).documents()
    assert found(settings) == [("index", True), ("document", True)]
    whole_again(settings, before)


def test_clauses_that_are_gone_are_read_again(settings, before):
    table = lancedb.connect(str(settings.data_dir / "index")).open_table("clauses")
    table.delete("position = 1")
    assert found(settings) == [("document", True)]
    whole_again(settings, before)


@pytest.mark.parametrize("what", ["gone", "junk", "empty"])
def test_an_index_that_cannot_be_read_is_made_again(settings, before, what):
    index = settings.data_dir / "index"
    for path in [path for path in index.rglob("*") if path.is_file()]:
        path.unlink() if what == "gone" else path.write_bytes(b"junk" if what == "junk" else b"")
    if what == "gone":
        for path in sorted(index.rglob("*"), reverse=True):
            path.rmdir()
    with pytest.raises(LibraryError):
        Library(settings.data_dir).documents()
    with pytest.raises(LibraryError):  # nobody writes over what can still be saved
        Library(settings.data_dir).remove(before[0][0].document_id)
    assert found(settings) == [("index", True), ("document", True)]
    whole_again(settings, before)


def test_a_library_of_another_version_is_refused_and_then_read_again(settings, before):
    index = lancedb.connect(str(settings.data_dir / "index"))
    for name in ("documents", "clauses"):
        rows = index.open_table(name).to_arrow().drop_columns(["digest"])
        index.create_table(name, rows.replace_schema_metadata({}), mode="overwrite")
    for note in (settings.data_dir / "files").glob("*.json"):
        note.unlink()  # that version had none
    with pytest.raises(LibraryError, match="another version"):
        Library(settings.data_dir).documents()
    assert found(settings) == [("index", True), ("document", True)]
    whole_again(settings, before)


def test_a_file_that_is_gone_is_told_and_comes_back_when_it_is_added_again(tmp_path):
    settings = Settings(_env_file=None, data_dir=tmp_path / "data")
    data = (SAMPLES / "meridian_2023_technical_issue1.pdf").read_bytes()
    library = Library(settings.data_dir)
    [addition] = add_bytes(library, data, "rules.pdf")
    library.file(addition.document.document_id).write_bytes(data[:-1])
    assert found(settings) == [("file", False)]
    assert [a.status for a in add_bytes(library, data, "rules.pdf")] == ["unchanged"]
    assert found(settings) == []


def test_what_cannot_be_read_again_is_told_as_not_mended(settings):
    lancedb.connect(str(settings.data_dir / "index")).open_table("clauses").delete("position = 1")
    for stored in (settings.data_dir / "files").glob("*.jsonl"):
        stored.unlink()
    assert found(settings) == [("file", False)]


def test_leftovers_are_swept_and_told(settings, before):
    (settings.data_dir / "files" / "half.pdf.part").write_bytes(b"%PDF")
    (settings.data_dir / "files" / f"{'0' * 64}.pdf").write_bytes(b"%PDF")
    (settings.data_dir / "index" / "clauses.lance" / ".tmp-left").write_bytes(b"x")
    assert set(found(settings)) == {("leftover", True)}
    whole_again(settings, before)


def test_a_note_that_is_wrong_is_written_again(settings, before):
    [note] = (settings.data_dir / "files").glob("*.json")
    note.write_text("no note")
    assert found(settings) == [("note", True)]
    assert json.loads(note.read_text())["document"]["issue"] == 3
    whole_again(settings, before)


def test_vectors_of_no_document_are_swept(settings):
    schema = pa.schema(
        [("document_id", pa.string()), ("clause_id", pa.string()), ("vector", pa.list_(pa.float32(), 2))]
    )
    library = Library(settings.data_dir)
    rows = [{"document_id": "0" * 64, "clause_id": "x", "vector": [0.0, 1.0]}]
    library.new_vectors(schema).add(pa.Table.from_pylist(rows, schema=schema))
    found(settings)
    assert library.vectors().count_rows() == 0


def chat_database(settings):
    conversations = Conversations(settings.conversations_url)
    conversation = conversations.start("Speed")
    database = sqlite3.connect(settings.data_dir / "conversations.db")
    database.execute("PRAGMA foreign_keys = OFF")
    run = "INSERT INTO runs (run_id, conversation_id, question, started_at, updated_at, owner, pid, host, outcome)"
    database.execute(f"{run} VALUES ('r1', ?, 'How fast?', '', '', '', 0, '', 'answered')", (conversation,))
    database.executemany("INSERT INTO events (run_id, seq, event) VALUES (?, ?, '{}')", [("r1", 1), ("r1", 2)])
    database.commit()
    return database


def test_chats_are_looked_at_too(settings):
    database = chat_database(settings)
    assert found(settings) == []
    database.execute("INSERT INTO events (run_id, seq, event) VALUES ('nobody', 1, '{}')")
    database.execute("DELETE FROM conversations")
    database.commit()
    assert found(settings) == [("chats", True), ("chats", True)]
    assert [chat.title for chat in Conversations(settings.conversations_url).conversations()] == ["How fast?"]
    database.execute("DELETE FROM events WHERE run_id = 'r1' AND seq = 1")
    database.commit()
    assert found(settings) == [("chats", False)]
    database.close()


def test_a_damaged_file_of_chats_is_told(settings):
    chat_database(settings).close()
    chats = settings.data_dir / "conversations.db"
    data = bytearray(chats.read_bytes())
    data[4096:8192] = b"\xff" * 4096
    chats.write_bytes(data)
    assert ("chats", False) in found(settings)
