"""Databases of versions 0.1 and 0.2, in SQLite and PostgreSQL, open in this version."""

import gzip
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import sqlalchemy as sql

from core.chats.conversations import Conversations
from core.chats.database import METADATA
from core.errors import LibraryError

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
RUNS = {"0.1": 2, "0.2": 17}
"""Of the person at the machine."""

OPEN = """
import os, sys
from core.chats.database import Database
from core.write_steps import observe_steps
url, last_step = sys.argv[1:]
observe_steps(lambda step: step == last_step and os._exit(9))
print("ready", flush=True)
sys.stdin.readline()
Database(url)
"""


def start_opening(url, last_step=""):
    """A process that opens the chats once it reads a line, and dies at a step of its writing."""
    command = sys.executable, "-c", OPEN, url, last_step
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": ROOT}
    process = subprocess.Popen(command, **options)
    assert process.stdout.readline() == "ready\n"
    return process


def let_open(*processes):
    """Let the processes open the chats at once; return their exit statuses."""
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        process.communicate(timeout=120)
    return [process.returncode for process in processes]


def execute(url, *statements):
    engine = sql.create_engine(url)
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


def describe_tables(url):
    """The columns and indexes of each table."""
    engine = sql.create_engine(url)
    inspector = sql.inspect(engine)
    tables = {
        table: (
            {column["name"] for column in inspector.get_columns(table)},
            {index["name"] for index in inspector.get_indexes(table) if not index["unique"]},
        )
        for table in inspector.get_table_names()
        if table in METADATA.tables
    }
    engine.dispose()
    return tables


EXPECTED_TABLES = {
    table.name: (set(table.columns.keys()), {index.name for index in table.indexes})
    for table in METADATA.sorted_tables
}


@pytest.fixture(params=RUNS)
def version(request):
    return request.param


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request, version, tmp_path):
    """The database of a version, as that version made it."""
    made = DATA / f"version_{version}"
    if request.param == "sqlite":
        with zipfile.ZipFile(made / "data_folder.zip") as archive:
            archive.extract("conversations.db", tmp_path)
        return f"sqlite:///{tmp_path / 'conversations.db'}"
    url = request.getfixturevalue("postgresql").new_database()
    dump = gzip.decompress((made / "postgresql.sql.gz").read_bytes())
    with pytest.importorskip("psycopg").connect(url.replace("+psycopg", "")) as connection:
        connection.execute(dump)  # SQLAlchemy would take one statement alone
    return url


def test_a_database_of_an_earlier_version_holds_its_chats(url, version):
    chats = Conversations(url)
    assert describe_tables(url) == EXPECTED_TABLES
    runs = [chats.find_run(run.run_id) for run in chats.list_run_summaries()]
    assert len(runs) == RUNS[version]
    assert all(run.outcome and run.events for run in runs)
    chat = chats.start_conversation("Pit lane")  # numbered after those that were there
    assert chats.share_conversation(chat) == chats.find_share(chat)


@pytest.mark.slow
def test_columns_that_a_table_lacks_are_added_once_by_two_processes(url):
    execute(
        url,
        "ALTER TABLE conversations DROP COLUMN pinned",
        "ALTER TABLE runs DROP COLUMN thumb",
        "ALTER TABLE runs DROP COLUMN reason",
        "DROP INDEX ix_conversations_person",
    )
    assert let_open(start_opening(url), start_opening(url)) == [0, 0]
    assert describe_tables(url) == EXPECTED_TABLES
    chats = Conversations(url)
    run = chats.list_run_summaries()[0]
    chats.pin_conversation(run.conversation_id, True)
    chats.save_feedback(run.run_id, False, "The wrong season.")
    assert chats.find_run(run.run_id).reason == "The wrong season."
    assert chats.list_conversations()[0].pinned


@pytest.mark.slow
@pytest.mark.parametrize("step", ["column added", "chats written"])
def test_a_killed_process_leaves_the_database_as_it_was(url, step):
    execute(url, "ALTER TABLE conversations DROP COLUMN pinned")
    before = describe_tables(url)
    assert let_open(start_opening(url, step)) == [9]
    assert describe_tables(url) == before
    assert not Conversations(url).list_conversations()[0].pinned
    assert describe_tables(url) == EXPECTED_TABLES


def test_a_database_of_a_newer_version_is_refused_in_a_sentence_and_left_alone(url):
    execute(url, "ALTER TABLE runs ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'")
    before = describe_tables(url)
    with pytest.raises(LibraryError, match="were written by a newer version") as refused:
        Conversations(url)
    assert refused.value.code == "chats"
    assert describe_tables(url) == before
