"""Several people in one database: each has chats and a quota of their own."""

import sqlite3
from datetime import UTC, datetime, timedelta

import pytest

from core.chats.conversations import Conversations
from core.chats.quota import Quota
from core.errors import LibraryError
from tests.chats.test_conversations import asked, chats, drafted, ended, numbered, plan, url

__all__ = ["chats", "url"]  # fixtures


def run_in(theirs: Conversations, run_id: str = "r1", conversation: str | None = None) -> str:
    """Save a whole run in a conversation of theirs."""
    conversation = conversation or theirs.start_conversation("Pit lane")
    list(
        theirs.save_events(
            conversation, numbered(run_id, asked(), plan(), drafted("60 km/h"), ended())
        )
    )
    return conversation


def test_nobody_sees_or_changes_the_chats_of_another(chats):
    ada, bob = chats.for_person("ada", Quota()), chats.for_person("bob", Quota())
    chat = run_in(ada)
    for other in (bob, chats):
        assert other.list_conversations() == ()
        assert other.find_conversation(chat) is None
        assert other.list_runs(chat) == ()
        assert other.find_run("r1") is None
        assert other.list_run_summaries() == ()
        assert other.list_turns(chat) == ()
        other.rename_conversation(chat, "Mine now")
        other.discard_conversation(chat)
    assert [conversation.title for conversation in ada.list_conversations()] == ["Pit lane"]
    assert (
        len(ada.list_runs(chat)) == len(ada.list_run_summaries()) == len(ada.list_turns(chat)) == 1
    )


def test_nobody_writes_into_the_chats_of_another(chats):
    ada, bob = chats.for_person("ada", Quota()), chats.for_person("bob", Quota())
    chat = run_in(ada)
    with pytest.raises(LibraryError, match="not yours"):
        run_in(bob, "r2", chat)
    own = bob.start_conversation("Own")
    with pytest.raises(LibraryError, match="not yours"):
        list(bob.save_events(own, numbered("r1", asked(resumed=True), ended(), after=4)))
    assert len(ada.list_runs(chat)) == 1


def test_chats_of_an_older_version_belong_to_the_person_at_the_machine(url, tmp_path):
    run_in(Conversations(url))
    file = tmp_path / "chats" / "conversations.db"
    with sqlite3.connect(file) as old:
        for (index,) in old.execute(
            "SELECT name FROM sqlite_master WHERE type='index' AND name LIKE '%person%'"
        ).fetchall():
            old.execute(f"DROP INDEX {index}")
        old.execute("ALTER TABLE conversations DROP COLUMN person")
        old.execute("DROP TABLE uploads")
    old.close()
    again = Conversations(url)
    assert len(again.list_run_summaries()) == 1
    assert again.for_person("ada", Quota()).list_run_summaries() == ()
    run_in(again.for_person("ada", Quota()), "r2")


def test_runs_at_a_time_are_limited(chats):
    ada = chats.for_person("ada", Quota(runs_at_a_time=2))
    going_on = [
        ada.save_events(ada.start_conversation("Pit"), numbered(f"r{n}", asked(), plan(), ended()))
        for n in range(3)
    ]
    next(going_on[0])
    next(going_on[1])
    with pytest.raises(LibraryError, match="2 questions being answered") as refused:
        ada.check_question()
    assert refused.value.code == "limit"
    with pytest.raises(LibraryError, match="2 questions being answered"):
        next(going_on[2])
    chats.for_person("bob", Quota(runs_at_a_time=2)).check_question()
    list(going_on[0])
    ada.check_question()
    going_on[1].close()


def test_questions_a_minute_are_limited(url):
    clock = [datetime(2024, 5, 1, tzinfo=UTC)]
    ada = Conversations(url, now=lambda: clock[0]).for_person("ada", Quota(questions_a_minute=2))
    for n in range(2):
        run_in(ada, f"r{n}")
    with pytest.raises(LibraryError, match="2 questions in the last minute"):
        ada.check_question()
    clock[0] += timedelta(seconds=62)
    ada.check_question()


def test_dollars_a_day_are_limited(url):
    clock = [datetime(2024, 5, 1, tzinfo=UTC)]
    ada = Conversations(url, now=lambda: clock[0]).for_person("ada", Quota(dollars_a_day=1.0))
    dear = ended().model_copy(update={"cost": 0.6})
    for n in range(2):
        ada.check_question()
        list(
            ada.save_events(ada.start_conversation("Pit"), numbered(f"r{n}", asked(), plan(), dear))
        )
    with pytest.raises(LibraryError, match=r"cost \$1.20"):
        ada.check_question()
    clock[0] += timedelta(hours=25)
    ada.check_question()


def test_uploads_an_hour_are_limited(url):
    clock = [datetime(2024, 5, 1, tzinfo=UTC)]
    ada = Conversations(url, now=lambda: clock[0]).for_person("ada", Quota(uploads_an_hour=5))
    ada.count_uploads(4)
    with pytest.raises(
        LibraryError, match="Within an hour 5 files can be added, and you have added 4"
    ):
        ada.count_uploads(2)
    ada.for_person("bob", Quota(uploads_an_hour=5)).count_uploads(5)
    ada.count_uploads(1)
    clock[0] += timedelta(minutes=61)
    ada.count_uploads(5)


def test_the_person_at_this_machine_has_no_quota_on_the_command_line(chats):
    for n in range(40):
        run_in(chats, f"r{n}")
    chats.check_question()
