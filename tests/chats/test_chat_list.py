"""What a person does with earlier chats: search, pin, discard and bring back, and a thumb on an answer."""

import sqlite3
from datetime import UTC, datetime, timedelta

from core.agent.loop import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.chats.conversations import DISCARDED, Conversations
from core.chats.quota import Quota
from core.library.storage.library import Library
from tests.cup import add_cup_rules

SPEED = "What is the speed limit in the pit lane?"


def asked(chats, folder):
    """A chat with one answered question."""
    library = Library(folder)
    add_cup_rules(library)
    chat = chats.start("Lanes")
    list(chats.keep(chat, Agent(library, OfflineModel()).ask(Request(SPEED))))
    return chat


def at(tmp_path, **more):
    return Conversations(f"sqlite:///{tmp_path / 'chats.db'}", **more)


def test_a_chat_is_found_by_words_of_title_question_and_answer(tmp_path):
    chats = at(tmp_path)
    chat = asked(chats, tmp_path / "library")
    chats.start("Tyres")
    for words in ("lanes", "SPEED limit", "50 km/h lanes", "pit throughout"):
        assert [found.conversation_id for found in chats.conversations(words)] == [chat], words
    assert not chats.conversations("lanes moonbuggy")
    assert not chats.conversations("run_id")
    assert len(chats.conversations(" ")) == 2


def test_of_many_chats_no_more_are_read_than_are_listed(tmp_path):
    chats = at(tmp_path)
    for number in range(5):
        chats.start(f"Lanes {number}")
    assert [chat.title for chat in chats.conversations(most=2)] == ["Lanes 4", "Lanes 3"]
    assert [chat.title for chat in chats.conversations("lanes", most=2)] == ["Lanes 4", "Lanes 3"]
    assert len(chats.conversations("lanes")) == 5


def test_a_pinned_chat_stands_first(tmp_path):
    chats = at(tmp_path)
    old, _new = chats.start("Old"), chats.start("New")
    chats.pin(old, True)
    assert [(chat.title, chat.pinned) for chat in chats.conversations()] == [
        ("Old", True),
        ("New", False),
    ]
    chats.pin(old, False)
    assert [chat.title for chat in chats.conversations()] == ["New", "Old"]


def test_a_discarded_chat_is_gone_and_comes_back_whole(tmp_path):
    chats = at(tmp_path)
    chat = asked(chats, tmp_path / "library")
    before = chats.runs(chat)
    chats.discard(chat)
    assert not chats.conversations()
    assert chats.conversation(chat) is None
    assert not chats.runs(chat)
    assert not chats.run_lines()
    chats.of("somebody", Quota()).restore(chat)
    assert not chats.conversations()
    chats.restore(chat)
    assert chats.runs(chat) == before


def test_what_was_discarded_long_ago_is_removed_for_good(tmp_path):
    now = datetime.now(UTC)
    chats = at(tmp_path)
    chat = chats.start("Old")
    chats.discard(chat)
    at(tmp_path, now=lambda: now + DISCARDED / 2)
    chats.restore(chat)
    assert len(chats.conversations()) == 1
    chats.discard(chat)
    at(tmp_path, now=lambda: now + DISCARDED + timedelta(minutes=1))
    chats.restore(chat)
    assert not chats.conversations()


def test_a_thumb_and_its_reason_stay_with_the_run(tmp_path):
    chats = at(tmp_path)
    chat = asked(chats, tmp_path / "library")
    [run] = chats.runs(chat)
    assert (run.thumb, run.reason) == (None, "")
    chats.of("somebody", Quota()).judge(run.run_id, True)
    assert chats.runs(chat)[0].thumb is None
    chats.judge(run.run_id, False, " The wrong season. ")
    [run] = at(tmp_path).runs(chat)
    assert (run.thumb, run.reason) == (False, "The wrong season.")
    chats.judge(run.run_id, None)
    assert chats.runs(chat)[0].thumb is None


def test_a_database_of_before_these_is_brought_up(tmp_path):
    chats = at(tmp_path)
    chat = asked(chats, tmp_path / "library")
    with sqlite3.connect(tmp_path / "chats.db") as old:
        for table, column in (
            ("conversations", "pinned"),
            ("conversations", "discarded_at"),
            ("runs", "thumb"),
            ("runs", "reason"),
        ):
            old.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    old.close()
    [found] = at(tmp_path).conversations("lanes")
    assert (found.conversation_id, found.pinned) == (chat, False)
    assert at(tmp_path).runs(chat)[0].outcome == "answered"
