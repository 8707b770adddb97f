"""Earlier chats: search, pin, discard, restore, and feedback on an answer."""

from datetime import UTC, datetime, timedelta

from core.agent.loop import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.chats.conversations import DISCARD_PERIOD, Conversations
from core.chats.quota import Quota
from core.library.storage.library import Library
from tests.cup import add_cup_rules

SPEED = "What is the speed limit in the pit lane?"


def chat_with_answer(chats, folder):
    """A chat with one answered question."""
    library = Library(folder)
    add_cup_rules(library)
    chat = chats.start_conversation("Lanes")
    list(chats.save_events(chat, Agent(library, OfflineModel()).ask(Request(SPEED))))
    return chat


def open_chats(tmp_path, **more):
    return Conversations(f"sqlite:///{tmp_path / 'chats.db'}", **more)


def test_a_chat_is_found_by_words_of_title_question_and_answer(tmp_path):
    chats = open_chats(tmp_path)
    chat = chat_with_answer(chats, tmp_path / "library")
    chats.start_conversation("Tyres")
    for words in ("lanes", "SPEED limit", "50 km/h lanes", "pit throughout"):
        assert [found.conversation_id for found in chats.list_conversations(words)] == [chat], words
    assert not chats.list_conversations("lanes moonbuggy")
    assert not chats.list_conversations("run_id")
    assert len(chats.list_conversations(" ")) == 2


def test_the_limit_holds_with_and_without_words(tmp_path):
    chats = open_chats(tmp_path)
    for number in range(5):
        chats.start_conversation(f"Lanes {number}")
    assert [chat.title for chat in chats.list_conversations(limit=2)] == ["Lanes 4", "Lanes 3"]
    assert [chat.title for chat in chats.list_conversations("lanes", limit=2)] == [
        "Lanes 4",
        "Lanes 3",
    ]
    assert len(chats.list_conversations("lanes")) == 5


def test_a_pinned_chat_comes_first(tmp_path):
    chats = open_chats(tmp_path)
    old, _new = chats.start_conversation("Old"), chats.start_conversation("New")
    chats.pin_conversation(old, True)
    assert [(chat.title, chat.pinned) for chat in chats.list_conversations()] == [
        ("Old", True),
        ("New", False),
    ]
    chats.pin_conversation(old, False)
    assert [chat.title for chat in chats.list_conversations()] == ["New", "Old"]


def test_a_discarded_chat_is_hidden_and_restored_whole(tmp_path):
    chats = open_chats(tmp_path)
    chat = chat_with_answer(chats, tmp_path / "library")
    before = chats.list_runs(chat)
    chats.discard_conversation(chat)
    assert not chats.list_conversations()
    assert chats.find_conversation(chat) is None
    assert not chats.list_runs(chat)
    assert not chats.list_run_summaries()
    chats.for_person("somebody", Quota()).restore_conversation(chat)
    assert not chats.list_conversations()
    chats.restore_conversation(chat)
    assert chats.list_runs(chat) == before


def test_old_discarded_chats_are_removed(tmp_path):
    now = datetime.now(UTC)
    chats = open_chats(tmp_path)
    chat = chats.start_conversation("Old")
    chats.discard_conversation(chat)
    open_chats(tmp_path, now=lambda: now + DISCARD_PERIOD / 2)
    chats.restore_conversation(chat)
    assert len(chats.list_conversations()) == 1
    chats.discard_conversation(chat)
    open_chats(tmp_path, now=lambda: now + DISCARD_PERIOD + timedelta(minutes=1))
    chats.restore_conversation(chat)
    assert not chats.list_conversations()


def test_feedback_is_saved_with_the_run(tmp_path):
    chats = open_chats(tmp_path)
    chat = chat_with_answer(chats, tmp_path / "library")
    [run] = chats.list_runs(chat)
    assert (run.thumb, run.reason) == (None, "")
    chats.for_person("somebody", Quota()).save_feedback(run.run_id, True)
    assert chats.list_runs(chat)[0].thumb is None
    chats.save_feedback(run.run_id, False, " The wrong season. ")
    [run] = open_chats(tmp_path).list_runs(chat)
    assert (run.thumb, run.reason) == (False, "The wrong season.")
    chats.save_feedback(run.run_id, None)
    assert chats.list_runs(chat)[0].thumb is None
