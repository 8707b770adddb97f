"""`check` finds damage and repairs it from the stored files."""

import json
import shutil
import sqlite3
import time
from pathlib import Path
from threading import Event, Thread, Timer

import lancedb
import pyarrow as pa
import pytest
from lancedb.embeddings import TextEmbeddingFunction, get_registry, register

from core.chats.conversations import Conversations
from core.errors import LibraryError
from core.library.embedding.models import EmbeddingModel
from core.library.ingestion.ingest import add_bytes
from core.library.integrity import check_library
from core.library.retrieval.search import search
from core.library.scope import resolve_scope
from core.library.storage.library import Library
from core.library.storage.vectors import count_missing_vectors
from core.maintenance.checks import check
from core.rulebook.types import MetadataOverride
from core.settings import Settings
from tests.patience import PATIENCE
from tests.processes import children

SAMPLES = Path(__file__).parents[2] / "data" / "samples"
TEXTS = b"The pit lane speed limit is 50 km/h.", b"A car must have four wheels."
LINES = b"".join(
    b'{"document": "2024 Cup", "article": "%d", "text": "%s", "season": 2024}\n' % clause
    for clause in enumerate(TEXTS, start=1)
)


class FewLengths(TextEmbeddingFunction):
    """A model of four numbers: word counts of a text by word length."""

    def ndims(self):
        return 4

    def generate_embeddings(self, texts, *args, **kwargs):
        return [
            [1 + sum(len(word) % 4 == rest for word in text.split()) for rest in range(4)]
            for text in texts
        ]


if "few-lengths" not in get_registry()._functions:
    register("few-lengths")(FewLengths)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A data folder with one corrected rulebook; never written to."""
    library = Library(tmp_path_factory.mktemp("whole"))
    [addition] = add_bytes(library, LINES, "the cup.jsonl")
    library.correct_metadata(addition.document.document_id, MetadataOverride(issue=3))
    return library.folder


@pytest.fixture
def settings(tmp_path, whole):
    shutil.copytree(whole, tmp_path / "data")
    return Settings(_env_file=None, data_dir=tmp_path / "data")


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
    """Documents, clauses and corrections are as before, and nothing more is found."""
    library = Library(settings.data_dir)
    assert state(settings) == before
    assert library.documents()[0].issue == 3
    assert library.documents()[0].file == "the cup.jsonl"
    assert (
        search(library, "speed limit", resolve_scope(library.documents()), 3)[0].clause.article
        == "1"
    )
    assert found(settings) == []


def flip(folder, wanted):
    """Change a letter of each occurrence of some words in a folder's files; return how many."""
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
        search(library, "speed limit", resolve_scope(library.documents()), 3)
    assert found(settings) == [("index", True), ("document", True)]
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
        Library(settings.data_dir).remove_document(before[0][0].document_id)
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


@pytest.mark.slow
def test_a_missing_file_is_reported_and_restored_when_added_again(tmp_path):
    settings = Settings(_env_file=None, data_dir=tmp_path / "data")
    data = (SAMPLES / "meridian_2023_technical_issue1.pdf").read_bytes()
    library = Library(settings.data_dir)
    [addition] = add_bytes(library, data, "rules.pdf")
    library.stored_file(addition.document.document_id).write_bytes(data[:-1])
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


def test_vectors_of_no_document_are_removed(settings):
    library = with_vectors(
        settings, [{"document_id": "0" * 64, "clause_id": "x", "piece": 0, "vector": [0.0, 1.0]}]
    )
    found(settings)
    assert library.tables.vectors_table().count_rows() == 0


def with_vectors(settings, rows, metadata={"model": "e5"}):  # noqa: B006
    """A library with these vectors, as another program may have left them."""
    schema = pa.schema(
        [
            pa.field("document_id", pa.string(), nullable=False),
            pa.field("clause_id", pa.string(), nullable=False),
            pa.field("piece", pa.int32(), nullable=False),
            pa.field("vector", pa.list_(pa.float32(), 2), nullable=False),
        ],
        metadata=metadata,
    )
    library = Library(settings.data_dir)
    library.tables.create_vectors_table(schema).add(pa.Table.from_pylist(rows, schema=schema))
    return library


def vector_of(clause, *numbers):
    return {
        "document_id": clause.document_id,
        "clause_id": clause.clause_id,
        "piece": 0,
        "vector": numbers or (0.6, 0.8),
    }


@pytest.mark.slow
def test_vectors_that_cannot_be_right_are_removed(settings, before):
    _, [first, second] = before
    assert with_vectors(settings, [vector_of(first), vector_of(second)])
    assert found(settings) == []
    wrong = {
        "not as they were made": ([vector_of(first, 0.6, 0.9)], {"model": "e5"}),
        "there twice": ([vector_of(first), vector_of(first)], {"model": "e5"}),
        "which model": ([vector_of(first)], {}),
    }
    for told, (rows, metadata) in wrong.items():
        library = with_vectors(settings, rows, metadata)
        [finding] = check(settings)
        assert (finding.code, finding.mended) == ("vectors", True)
        assert told in finding.message
        assert library.tables.vectors_table() is None
    whole_again(settings, before)


def test_vectors_that_cannot_be_read_cost_nothing_else(settings, before):
    with_vectors(settings, [vector_of(before[1][0])])
    for path in (settings.data_dir / "index" / "vectors.lance").rglob("*.*"):
        path.write_bytes(b"junk")
    assert found(settings) == [("vectors", True)]
    whole_again(settings, before)


def test_vectors_by_a_model_that_now_makes_others_are_made_again(settings, before):
    """The stored ones have two numbers, the model's four."""
    model = EmbeddingModel("few-lengths")
    with_vectors(settings, [vector_of(before[1][0])], {"model": model.name})
    dense = Library(settings.data_dir, "dense", model)
    [finding] = check_library(dense)
    assert (finding.code, finding.mended) == ("vectors", True)
    assert count_missing_vectors(dense) == 0
    assert search(dense, "speed limit", resolve_scope(dense.documents()), 3)
    assert list(check_library(dense)) == []


def test_a_model_that_does_not_answer_is_no_damage(settings, before):
    with_vectors(
        settings, [vector_of(clause) for clause in before[1]], {"model": "no-such-provider"}
    )
    assert (
        list(check_library(Library(settings.data_dir, "dense", EmbeddingModel("no-such-provider"))))
        == []
    )


def test_vectors_that_cannot_be_made_again_are_reported_as_not_mended(settings, before):
    with_vectors(settings, [vector_of(before[1][0], 3.0, 4.0)])
    [finding] = check_library(
        Library(settings.data_dir, "dense", EmbeddingModel("no-such-provider"))
    )
    assert (finding.code, finding.mended) == ("vectors", False)
    assert "SCRUTINEER_EMBEDDING" in finding.message


@pytest.mark.parametrize(
    "file", ["part_0_tokens.lance", "part_0_docs.lance", "metadata.lance", "page_lookup.lance"]
)
def test_an_index_that_is_damaged_is_made_again_from_the_clauses(settings, before, file):
    hit = list((settings.data_dir / "index").rglob(f"*{file}"))
    assert hit
    for path in hit:
        path.write_bytes(b"junk")
    assert found(settings) == [("index", True)]
    whole_again(settings, before)


@pytest.mark.slow
def test_clauses_that_the_index_does_not_know_are_taken_into_it(settings, before):
    """As when another program added rows without updating the indices."""
    table = lancedb.connect(str(settings.data_dir / "index")).open_table("clauses")
    rows = table.to_arrow()
    table.delete("position = 1")
    table.add(rows.slice(1, 1))
    assert found(settings) == [("index", True)]
    whole_again(settings, before)
    table.checkout_latest()
    table.drop_index("text_idx")
    assert found(settings) == [("index", True)]
    whole_again(settings, before)


def test_the_loss_of_all_clauses_is_never_silence(settings, before):
    for path in (settings.data_dir / "index" / "clauses.lance" / "_versions").iterdir():
        path.unlink()
    library = Library(settings.data_dir)
    for looking in (
        lambda: search(library, "speed limit", resolve_scope(library.documents()), 3),
        lambda: library.clauses(before[0][0].document_id),
        lambda: library.clause(before[1][0].clause_id),
    ):
        with pytest.raises(LibraryError, match="core check"):
            looking()
    assert all(mended for _, mended in found(settings))
    whole_again(settings, before)


@pytest.mark.slow
@pytest.mark.parametrize("table", ["documents", "clauses"])
def test_an_older_state_of_the_index_never_passes_for_the_newest(settings, table):
    library = Library(settings.data_dir)
    [added] = add_bytes(library, LINES.replace(b"2024", b"2025"), "next.jsonl")
    whole = library.documents()
    states = settings.data_dir / "index" / f"{table}.lance" / "_versions"
    for state in sorted(states.glob("*.manifest"))[: 1 if table == "documents" else -3]:
        state.unlink()  # the newest come first
    library = Library(settings.data_dir)
    with pytest.raises(LibraryError, match="core check"):
        search(library, "speed limit", resolve_scope(library.documents()), 3)
    assert all(mended for _, mended in found(settings))
    library = Library(settings.data_dir)
    assert library.documents() == whole
    assert len(library.clauses(added.document.document_id)) == len(TEXTS)


@pytest.mark.slow
def test_nothing_is_found_beside_somebody_who_writes(settings, before):
    """A thread adds and removes documents: partial ones are no damage, removed ones stay so."""
    stopping = Event()
    other = Library(settings.data_dir)

    def come_and_go():
        while not stopping.is_set():
            [addition] = add_bytes(other, LINES.replace(b"2024 Cup", b"2025 Cup"), "later.jsonl")
            other.remove_document(addition.document.document_id)

    writer = Thread(target=come_and_go)
    writer.start()
    try:
        assert [found(settings) for _ in range(12)] == [[]] * 12
    finally:
        stopping.set()
        writer.join()
    assert state(settings) == before


@pytest.mark.slow
def test_a_document_removed_while_it_is_read_again_stays_removed(tmp_path):
    """Reading takes its time, and others may write meanwhile."""
    settings = Settings(_env_file=None, data_dir=tmp_path / "data")
    library = Library(settings.data_dir)
    data = (SAMPLES / "meridian_2023_technical_issue1.pdf").read_bytes()
    [addition] = add_bytes(library, data, "rules.pdf")
    lancedb.connect(str(settings.data_dir / "index")).open_table("clauses").delete("position = 1")
    findings = []
    checking = Thread(target=lambda: findings.extend(check(settings)))
    checking.start()
    while not children():
        assert checking.is_alive()
    library.remove_document(addition.document.document_id)
    checking.join()
    assert findings == []
    assert library.documents() == ()
    assert library.tables.clauses_table().count_rows() == 0
    assert found(settings) == []


def test_check_waits_for_a_slow_writer(settings):
    """Check beside a thread that locks the library for a while."""
    entered, leave = Event(), Event()
    other = Library(settings.data_dir)

    def write():
        with other.lock_for_writing():
            entered.set()
            leave.wait(PATIENCE)

    writer = Thread(target=write)
    writer.start()
    assert entered.wait(PATIENCE)
    looking = check(settings)
    Timer(0.5, leave.set).start()
    began = time.monotonic()
    assert list(looking) == []
    assert time.monotonic() - began > 0.4
    writer.join()


def chat_database(settings):
    conversations = Conversations(settings.conversations_url)
    conversation = conversations.start_conversation("Speed")
    database = sqlite3.connect(settings.data_dir / "conversations.db")
    database.execute("PRAGMA foreign_keys = OFF")
    columns = "run_id, conversation_id, question, started_at, updated_at, owner, pid, host, outcome"
    values = "'r1', ?, 'How fast?', '', '', '', 0, '', 'answered'"
    database.execute(f"INSERT INTO runs ({columns}) VALUES ({values})", (conversation,))
    database.executemany(
        "INSERT INTO events (run_id, seq, event) VALUES (?, ?, '{}')", [("r1", 1), ("r1", 2)]
    )
    database.commit()
    return database


def test_chats_are_looked_at_too(settings):
    database = chat_database(settings)
    assert found(settings) == []
    database.execute("INSERT INTO events (run_id, seq, event) VALUES ('nobody', 1, '{}')")
    database.execute("DELETE FROM conversations")
    database.commit()
    assert found(settings) == [("chats", True), ("chats", True)]
    assert [
        chat.title for chat in Conversations(settings.conversations_url).list_conversations()
    ] == ["How fast?"]
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
