"""Chats in PostgreSQL. Needs the driver and a server: POSTGRESQL_URL=postgresql://me@host/db"""

import os
import secrets
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec

import pytest
import sqlalchemy as sql

from core.chats.conversations import Conversations
from core.chats.quota import Quota
from core.errors import LibraryError
from tests.chats.test_conversations import asked, drafted, ended, numbered, plan

SERVER = os.environ.get("POSTGRESQL_URL", "")

pytestmark = pytest.mark.skipif(
    not (SERVER and find_spec("psycopg")),
    reason="no server is named in POSTGRESQL_URL, or psycopg is not installed",
)


@pytest.fixture
def url():
    """A database of its own, empty."""
    name = f"scrutineer_{secrets.token_hex(6)}"
    server = sql.create_engine(SERVER, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    yield sql.make_url(SERVER).set(database=name).render_as_string(hide_password=False)
    with server.connect() as connection:
        connection.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")
    server.dispose()


def test_several_servers_begin_on_an_empty_database_at_once(url):
    with ThreadPoolExecutor(8) as pool:
        begun = list(pool.map(Conversations, [url] * 8))
    begun[0].start_conversation("Pit lane")
    assert [[chat.title for chat in chats.list_conversations()] for chats in begun] == [
        ["Pit lane"]
    ] * 8


def test_a_run_is_saved_and_found_by_its_person_alone(url):
    ada, bob = (
        Conversations(url).for_person(name, Quota(uploads_an_hour=1)) for name in ("ada", "bob")
    )
    chat = ada.start_conversation("How fast\0 in the pit lane? \ud83d\ude00")
    list(ada.save_events(chat, numbered("r1", asked(), plan(), drafted("60 km/h"), ended())))
    assert [len(run.events) for run in ada.list_runs(chat)] == [4]
    assert [found.conversation_id for found in ada.list_conversations("PIT LANE")] == [chat]
    assert bob.list_conversations() == bob.list_run_summaries() == ()
    ada.count_uploads(1)
    with pytest.raises(LibraryError, match="hour"):
        ada.count_uploads(1)
    ada.discard_conversation(chat)
    assert ada.list_conversations() == ()
    ada.restore_conversation(chat)
    assert len(ada.list_run_summaries()) == 1
