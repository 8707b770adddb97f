"""Chats in PostgreSQL."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from core.chats.conversations import Conversations
from core.chats.quota import Quota
from core.errors import LibraryError
from tests.chats.test_conversations import asked, drafted, ended, numbered, plan

pytestmark = pytest.mark.slow


@pytest.fixture
def url(postgresql):
    """A database of its own, empty."""
    return postgresql.new_database()


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
