"""The list of a person's runs, with the figures of those that have ended."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import sqlalchemy as sql

from core.agent.events import Asked, Ended, Event, ScopeView
from core.agent.types import RunBudget
from core.chats.conversations import Conversations
from core.chats.quota import Quota
from core.errors import LibraryError

SCOPE = ScopeView(documents={}, why="none")


@pytest.fixture
def place(tmp_path):
    return tmp_path / "conversations.db"


@pytest.fixture
def chats(place) -> Conversations:
    return Conversations(f"sqlite:///{place}")


def asked(run_id: str, question: str) -> Asked:
    return Asked(
        run_id=run_id,
        seq=1,
        at="2026-01-01T10:00:00+00:00",
        question=question,
        scope=SCOPE,
        limits=RunBudget(),
        answer_model="a",
        decision_model="d",
        offline=True,
    )


def work(run_id: str, question: str, score: float) -> Iterator[Event]:
    yield asked(run_id, question)
    yield Ended(
        run_id=run_id,
        seq=2,
        at="2026-01-01T10:00:02+00:00",
        outcome="answered",
        answer="So.",
        citations=(),
        score=score,
        iterations=2,
        seconds=2.0,
        cost=0.01,
    )


def asked_now(run_id: str) -> Iterator[Event]:
    now = datetime.now(UTC).isoformat()
    return (event.model_copy(update={"at": now}) for event in work(run_id, "How wide?", 8.5))


def test_only_ended_runs_have_figures(chats):
    chat = chats.start_conversation("Wings")
    list(chats.save_events(chat, work("r1", "How wide?", 8.5)))
    going = chats.save_events(chat, iter([asked("r2", "How high?")]))
    next(going)
    second, first = chats.list_run_summaries()
    assert (first.question, first.title, first.conversation_id) == ("How wide?", "Wings", chat)
    assert (first.outcome, first.score, first.iterations, first.seconds, first.cost) == (
        "answered",
        8.5,
        2,
        2.0,
        0.01,
    )
    assert (second.question, second.outcome, second.score, second.cost) == (
        "How high?",
        None,
        None,
        None,
    )
    going.close()
    assert chats.list_run_summaries()[0].outcome == "cancelled"


def test_everybody_sees_their_own(chats):
    theirs = chats.for_person("somebody", Quota())
    list(theirs.save_events(theirs.start_conversation("Theirs"), work("r1", "How wide?", 8.5)))
    assert chats.list_run_summaries() == ()
    assert [line.question for line in theirs.list_run_summaries()] == ["How wide?"]


def test_a_thousand_runs_are_listed_by_one_query(chats, place):
    list(chats.save_events(chats.start_conversation("Wings"), work("r0", "How wide?", 8.5)))
    with sqlite3.connect(place) as database:
        columns = [
            row[1]
            for row in database.execute("PRAGMA table_info(runs)")
            if row[1] not in ("number", "run_id")
        ]
        names = ", ".join(columns)
        for number in range(1, 1000):
            database.execute(
                f"INSERT INTO runs (run_id, {names}) SELECT 'r{number}', {names} FROM runs LIMIT 1"
            )
            database.execute(
                f"INSERT INTO events SELECT 'r{number}', seq, event FROM events WHERE run_id = 'r0'"
            )
    database.close()
    sent: list[str] = []

    def note(*arguments: Any) -> None:
        sent.append(arguments[2])

    sql.event.listen(sql.Engine, "before_cursor_execute", note)
    try:
        lines = chats.list_run_summaries()
    finally:
        sql.event.remove(sql.Engine, "before_cursor_execute", note)
    assert len(lines) == 1000
    assert len([statement for statement in sent if statement.startswith("SELECT")]) == 1


def test_evaluations_do_not_count_as_questions_a_minute(chats):
    person = chats.for_person("somebody", Quota(questions_a_minute=2, dollars_a_day=1))
    in_a_row = chats.for_person("somebody", Quota(dollars_a_day=1))
    for number in range(5):
        in_a_row.check_question()
        list(in_a_row.save_events(in_a_row.start_conversation("Set"), asked_now(f"s{number}")))
    for number in range(2):
        person.check_question()
        list(person.save_events(person.start_conversation("Mine"), asked_now(f"r{number}")))
    with pytest.raises(LibraryError, match="2 questions in the last minute"):
        person.check_question()
