"""What is told of conversations and runs: the lists, what was said in them, and runs as they were recorded.

It reads and never writes; what is written is in `core.chats.conversations`.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, islice
from typing import Any

import sqlalchemy as sql
from pydantic import ValidationError

from core.agent import Ended, Event, Outcome, Turn, from_json
from core.chats.database import CONVERSATIONS, EVENTS, RUNS, Database, is_last_event
from core.errors import LibraryError

TITLE_LENGTH = 60
_SAID_SOMETHING = ("answered", "not_found", "limit_reached", "declined", "clarification_needed")


@dataclass(frozen=True, slots=True)
class Conversation:
    """A list of runs under a title. Times are ISO, UTC; `updated_at` is that of the newest event."""

    conversation_id: str
    title: str
    created_at: str
    updated_at: str
    runs: int
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class SavedRun:
    """A run as it was recorded. `outcome` is None while it is going on."""

    run_id: str
    conversation_id: str
    question: str
    outcome: Outcome | None
    started_at: str
    events: tuple[Event, ...]
    thumb: bool | None = None
    """The person's thumb on the answer, up or down; None where none was given."""
    reason: str = ""
    """Their words on it."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run without its events, as a list shows it. `outcome` is None while it is going on; then it has no figures."""

    run_id: str
    conversation_id: str
    title: str
    """That of its conversation."""
    question: str
    outcome: Outcome | None
    started_at: str
    score: float | None
    """Mean of four criteria, 1 to 10; None where it was not scored."""
    iterations: int
    seconds: float
    cost: float | None
    """US dollars; None where no price is known."""


class UnreadableRunError(LibraryError):
    """A saved run whose events this version does not know."""

    code = "chats"


class ConversationQueries:
    """What one person's conversations and runs tell. Raises LibraryError (code `chats`) where they cannot be read."""

    def __init__(self, database: Database, now: Callable[[], datetime], person: str) -> None:
        self._database, self._now, self._person = database, now, person

    def list_conversations(
        self, words: str = "", limit: int | None = None
    ) -> tuple[Conversation, ...]:
        """This person's, the pinned first, then newest activity first, at the `most` so many; with `words`, those in
        whose title, questions or answers each of them occurs, in capitals or not."""
        if not words.split():
            return self._conversations(self._mine(), limit)
        said = self._said()
        found = (
            chat
            for chat in self._conversations(self._mine())
            if all(
                word in f"{chat.title}\n{said.get(chat.conversation_id, '')}".casefold()
                for word in words.casefold().split()
            )
        )
        return tuple(islice(found, limit))

    def find_conversation(self, conversation_id: str) -> Conversation | None:
        """The conversation of this id; None when there is none."""
        found = self._conversations(self._mine(conversation_id))
        return found[0] if found else None

    def list_runs(self, conversation_id: str) -> tuple[SavedRun, ...]:
        """The runs of a conversation with all their events, in the order they were asked."""
        return self._runs(self._my_runs(RUNS.c.conversation_id == conversation_id))

    def find_run(self, run_id: str) -> SavedRun | None:
        """The run of this id; None when there is none."""
        found = self._runs(self._my_runs(RUNS.c.run_id == run_id))
        return found[0] if found else None

    def list_run_summaries(self) -> tuple[RunSummary, ...]:
        """All runs of all conversations, the newest first; of each only its last event is read."""
        query = (
            sql.select(RUNS, CONVERSATIONS.c.title, EVENTS.c.event)
            .join(CONVERSATIONS, CONVERSATIONS.c.conversation_id == RUNS.c.conversation_id)
            .join(EVENTS, EVENTS.c.run_id == RUNS.c.run_id)
            .where(self._mine(), is_last_event())
            .order_by(RUNS.c.number.desc())
        )
        with self._database.read_transaction() as connection:
            return tuple(_run_line(row) for row in connection.execute(query))

    def list_turns(self, conversation_id: str, before: str | None = None) -> tuple[Turn, ...]:
        """Questions and answers of ended runs, in order, for a next question to refer to; only those asked before the
        run `before`, where one is named."""
        query = (
            sql.select(RUNS.c.run_id, RUNS.c.question, EVENTS.c.event)
            .join(EVENTS, EVENTS.c.run_id == RUNS.c.run_id)
            .where(
                self._my_runs(RUNS.c.conversation_id == conversation_id),
                RUNS.c.outcome.in_(_SAID_SOMETHING),
            )
            .where(is_last_event())
            .order_by(RUNS.c.number)
        )
        if before is not None:
            query = query.where(
                RUNS.c.number
                < sql.select(RUNS.c.number).where(RUNS.c.run_id == before).scalar_subquery()
            )
        with self._database.read_transaction() as connection:
            rows = connection.execute(query).all()
        ended = ((row.question, _event(row)) for row in rows)
        return tuple(
            Turn(question, event.answer or event.message, event.citations)
            for question, event in ended
            if isinstance(event, Ended) and (event.answer or event.message)
        )

    def _mine(self, conversation_id: str | None = None) -> sql.ColumnElement[bool]:
        """The conversations of this person, or the one of this id where it is theirs."""
        theirs = (CONVERSATIONS.c.person == self._person) & (CONVERSATIONS.c.discarded_at == "")
        return (
            theirs
            if conversation_id is None
            else theirs & (CONVERSATIONS.c.conversation_id == conversation_id)
        )

    def _my_runs(self, chosen: sql.ColumnElement[bool]) -> sql.ColumnElement[bool]:
        theirs = sql.select(CONVERSATIONS.c.conversation_id).where(self._mine())
        return chosen & RUNS.c.conversation_id.in_(theirs)

    def _said(self) -> dict[str, str]:
        """All questions and answers, by conversation."""
        query = (
            sql.select(RUNS.c.conversation_id, RUNS.c.question, RUNS.c.outcome, EVENTS.c.event)
            .join(EVENTS, EVENTS.c.run_id == RUNS.c.run_id)
            .where(self._my_runs(is_last_event()))
        )
        said: dict[str, str] = {}
        with self._database.read_transaction() as connection:
            for row in connection.execute(query):
                answer = json.loads(row.event).get("answer", "") if row.outcome is not None else ""
                said[row.conversation_id] = (
                    f"{said.get(row.conversation_id, '')}\n{row.question}\n{answer}"
                )
        return said

    def _conversations(
        self, chosen: sql.ColumnElement[bool], most: int | None = None
    ) -> tuple[Conversation, ...]:
        updated = sql.func.coalesce(sql.func.max(RUNS.c.updated_at), CONVERSATIONS.c.created_at)
        query = (
            sql.select(
                CONVERSATIONS,
                updated.label("updated_at"),
                sql.func.count(RUNS.c.number).label("runs"),
            )
            .outerjoin(RUNS, RUNS.c.conversation_id == CONVERSATIONS.c.conversation_id)
            .where(chosen)
            .group_by(CONVERSATIONS.c.number)
            .order_by(CONVERSATIONS.c.pinned.desc(), updated.desc(), CONVERSATIONS.c.number.desc())
            .limit(most)
        )
        with self._database.read_transaction() as connection:
            rows = connection.execute(query).all()
        return tuple(
            Conversation(
                row.conversation_id,
                row.title,
                row.created_at,
                row.updated_at,
                row.runs,
                bool(row.pinned),
            )
            for row in rows
        )

    def _runs(self, chosen: sql.ColumnElement[bool]) -> tuple[SavedRun, ...]:
        with self._database.read_transaction() as connection:
            rows = connection.execute(sql.select(RUNS).where(chosen).order_by(RUNS.c.number)).all()
            events = load_events(connection, chosen)
        return tuple(
            SavedRun(
                row.run_id,
                row.conversation_id,
                row.question,
                row.outcome,
                row.started_at,
                events[row.run_id],
                None if row.thumb is None else bool(row.thumb),
                row.reason,
            )
            for row in rows
        )


def conversation_title(question: str) -> str:
    """A title for a question's conversation: its first 60 characters on one line, cut between words."""
    line = to_one_line(question)
    if len(line) <= TITLE_LENGTH:
        return line
    return line[:TITLE_LENGTH].rsplit(" ", 1)[0][: TITLE_LENGTH - 1].rstrip() + "…"


def to_one_line(text: str) -> str:
    return " ".join(text.split())


def load_events(
    connection: sql.Connection, condition: sql.ColumnElement[bool]
) -> dict[str, tuple[Event, ...]]:
    """The events of the chosen runs, by run, each run's by `seq`."""
    query = (
        sql.select(EVENTS).join(RUNS, RUNS.c.run_id == EVENTS.c.run_id).where(condition)
    ).order_by(RUNS.c.number, EVENTS.c.seq)
    grouped = groupby(connection.execute(query), key=lambda row: row.run_id)
    return {run_id: tuple(_event(row) for row in rows) for run_id, rows in grouped}


def _event(row: Any) -> Event:
    try:
        return from_json(row.event)
    except ValidationError as error:
        raise UnreadableRunError(
            f"The saved run {row.run_id} cannot be read by this version of Scrutineer."
            " Delete its conversation, or open it with the version that wrote it.",
        ) from error


def _run_line(row: Any) -> RunSummary:
    """Read by its names, so that a run which another version wrote is in the list too."""
    ended = json.loads(row.event) if row.outcome is not None else {}
    return RunSummary(
        run_id=row.run_id,
        conversation_id=row.conversation_id,
        title=row.title,
        question=row.question,
        outcome=row.outcome,
        started_at=row.started_at,
        score=ended.get("score"),
        iterations=ended.get("iterations", 0),
        seconds=ended.get("seconds", 0.0),
        cost=ended.get("cost"),
    )
