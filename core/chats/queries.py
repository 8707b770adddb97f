"""Queries over conversations and runs: lists, what was said, and runs as they were recorded.

They read only; `core.chats.conversations` writes.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, islice
from typing import Any

import sqlalchemy as sql
from pydantic import ValidationError

from core.agent import Ended, Event, Outcome, Turn, from_json
from core.chats.database import CLEARANCES, CONVERSATIONS, EVENTS, RUNS, Database, is_last_event
from core.copied_fields import copy_fields
from core.errors import LibraryError

TITLE_LENGTH = 60
_REPLY_OUTCOMES = "answered found not_found limit_reached declined clarification_needed".split()


@dataclass(frozen=True, slots=True)
class Conversation:
    """A list of runs under a title. Times are ISO, UTC; `updated_at` is of the newest event."""

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
    """The person's thumb on the answer, up or down; None if there is none."""
    reason: str = ""
    """Their words on it."""


@dataclass(frozen=True, slots=True)
class RunState:
    """How far a run is: what has to change for a page to be drawn anew."""

    run_id: str
    question: str
    outcome: Outcome | None
    ended_at: str
    """ISO time; empty while it is going on."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run without its events. While it is going on it has no outcome and no figures."""

    run_id: str
    conversation_id: str
    title: str
    """Of its conversation."""
    question: str
    outcome: Outcome | None
    started_at: str
    score: float | None
    """Mean of four criteria, 1 to 10; None if it was not scored."""
    iterations: int
    seconds: float
    cost: float | None
    """US dollars; None if no price is known."""


@dataclass(frozen=True, slots=True)
class CitingRun:
    """A run that ended with citations, by the fields that all versions know."""

    run_id: str
    conversation_id: str
    title: str
    """Of its conversation."""
    question: str
    started_at: str
    compares_values: bool
    """True for a check of values against limits."""
    citations: tuple[Mapping[str, Any], ...]


class UnreadableRunError(LibraryError):
    """A saved run whose events this version does not know."""

    code = "chats"


class ConversationQueries:
    """Reads one person's conversations and runs. Raises LibraryError `chats` if it cannot."""

    def __init__(self, database: Database, now: Callable[[], datetime], person: str) -> None:
        self._database, self._now, self._person = database, now, person

    def list_conversations(
        self, words: str = "", limit: int | None = None
    ) -> tuple[Conversation, ...]:
        """List at most `limit` conversations: pinned first, then by newest activity.

        With `words`, only those whose title, questions or answers contain each word in any case.
        """
        wanted = words.casefold().split()
        if not wanted:
            return self._conversations(self._mine(), limit)
        texts = self._texts_by_conversation()

        def has_words(chat: Conversation) -> bool:
            text = f"{chat.title}\n{texts.get(chat.conversation_id, '')}".casefold()
            return all(word in text for word in wanted)

        return tuple(islice(filter(has_words, self._conversations(self._mine())), limit))

    def find_conversation(self, conversation_id: str) -> Conversation | None:
        return next(iter(self._conversations(self._mine(conversation_id))), None)

    def list_runs(
        self, conversation_id: str, only: Collection[str] | None = None
    ) -> tuple[SavedRun, ...]:
        """Return the runs of a conversation with all their events, in the order of asking.

        With `only`, those with these ids.
        """
        chosen = RUNS.c.conversation_id == conversation_id
        return self._runs(
            self._my_runs(chosen if only is None else chosen & RUNS.c.run_id.in_(only))
        )

    def list_run_states(self, conversation_id: str) -> tuple[RunState, ...]:
        """Return how far the runs of a conversation are, in the order of asking."""
        query = sql.select(RUNS).where(self._my_runs(RUNS.c.conversation_id == conversation_id))
        return tuple(
            RunState(row.run_id, row.question, row.outcome, row.updated_at if row.outcome else "")
            for row in self._database.fetch(query.order_by(RUNS.c.number))
        )

    def find_run(self, run_id: str) -> SavedRun | None:
        return next(iter(self._runs(self._my_runs(RUNS.c.run_id == run_id))), None)

    def list_run_summaries(self) -> tuple[RunSummary, ...]:
        """Return all runs of all conversations, newest first, reading only their last events."""
        query = self._select_last_events().order_by(RUNS.c.number.desc())
        return tuple(map(_summarize_run, self._database.fetch(query)))

    def list_citing_runs(self) -> tuple[CitingRun, ...]:
        """Return the ended runs that cite anything, oldest first, reading their last events."""
        query = self._select_last_events().where(RUNS.c.outcome.is_not(None))
        runs = []
        for row in self._database.fetch(query.order_by(RUNS.c.number)):
            ended = json.loads(row.event)
            if citations := tuple(ended.get("citations") or ()):
                compares = bool(ended.get("requirements"))
                runs.append(
                    copy_fields(CitingRun, row, compares_values=compares, citations=citations)
                )
        return tuple(runs)

    def find_clearances(self, document_id: str) -> dict[str, tuple[str, str]]:
        """Return who looked, and when, at answers whose rules an issue changed, by run id."""
        mine = self._my_runs(RUNS.c.run_id == CLEARANCES.c.run_id)
        query = sql.select(CLEARANCES).where(CLEARANCES.c.document_id == document_id)
        rows = self._database.fetch(query.where(sql.exists().where(mine)))
        return {row.run_id: (row.person, row.at) for row in rows}

    def list_turns(self, conversation_id: str, before: str | None = None) -> tuple[Turn, ...]:
        """Return questions and answers of ended runs, in order; with `before`, those before it."""
        query = self._select_last_events().where(
            RUNS.c.conversation_id == conversation_id, RUNS.c.outcome.in_(_REPLY_OUTCOMES)
        )
        if before is not None:
            number = sql.select(RUNS.c.number).where(RUNS.c.run_id == before)
            query = query.where(RUNS.c.number < number.scalar_subquery())
        rows = self._database.fetch(query.order_by(RUNS.c.number))
        ended = ((row.question, _parse_event(row)) for row in rows)
        return tuple(
            Turn(question, event.answer or event.message, event.citations)
            for question, event in ended
            if isinstance(event, Ended) and (event.answer or event.message)
        )

    def _select_last_events(self) -> sql.Select[Any]:
        """Select this person's runs with the titles of their chats and their last events."""
        return (
            sql.select(RUNS, CONVERSATIONS.c.title, EVENTS.c.event)
            .join(CONVERSATIONS, CONVERSATIONS.c.conversation_id == RUNS.c.conversation_id)
            .join(EVENTS, EVENTS.c.run_id == RUNS.c.run_id)
            .where(self._mine(), is_last_event())
        )

    def _mine(self, conversation_id: str | None = None) -> sql.ColumnElement[bool]:
        """Select this person's listed conversations, or the one of this id if it is theirs."""
        mine = (CONVERSATIONS.c.person == self._person) & (CONVERSATIONS.c.discarded_at == "")
        if conversation_id is None:
            return mine
        return mine & (CONVERSATIONS.c.conversation_id == conversation_id)

    def _my_runs(self, condition: sql.ColumnElement[bool]) -> sql.ColumnElement[bool]:
        return condition & RUNS.c.conversation_id.in_(self._select_mine())

    def _select_mine(self, conversation_id: str | None = None) -> sql.Select[Any]:
        return sql.select(CONVERSATIONS.c.conversation_id).where(self._mine(conversation_id))

    def _texts_by_conversation(self) -> dict[str, str]:
        """Return all questions and answers of each conversation."""
        texts: defaultdict[str, str] = defaultdict(str)
        for row in self._database.fetch(self._select_last_events()):
            answer = json.loads(row.event).get("answer", "") if row.outcome is not None else ""
            texts[row.conversation_id] += f"\n{row.question}\n{answer}"
        return texts

    def _conversations(
        self, condition: sql.ColumnElement[bool], limit: int | None = None
    ) -> tuple[Conversation, ...]:
        updated = sql.func.coalesce(sql.func.max(RUNS.c.updated_at), CONVERSATIONS.c.created_at)
        runs = sql.func.count(RUNS.c.number).label("runs")
        query = (
            sql.select(CONVERSATIONS, updated.label("updated_at"), runs)
            .outerjoin(RUNS, RUNS.c.conversation_id == CONVERSATIONS.c.conversation_id)
            .where(condition)
            .group_by(CONVERSATIONS.c.number)
            .order_by(CONVERSATIONS.c.pinned.desc(), updated.desc(), CONVERSATIONS.c.number.desc())
            .limit(limit)
        )
        return tuple(
            copy_fields(Conversation, row, pinned=bool(row.pinned))
            for row in self._database.fetch(query)
        )

    def _runs(self, condition: sql.ColumnElement[bool]) -> tuple[SavedRun, ...]:
        query = sql.select(RUNS).where(condition).order_by(RUNS.c.number)
        with self._database.read_transaction() as connection:
            rows = connection.execute(query).all()
            events = load_events(connection, condition)
        return tuple(
            copy_fields(
                SavedRun,
                row,
                events=events[row.run_id],
                thumb=None if row.thumb is None else bool(row.thumb),
            )
            for row in rows
        )


def conversation_title(question: str) -> str:
    """Return a title: the question's first 60 characters on one line, cut between words."""
    line = to_one_line(question)
    if len(line) <= TITLE_LENGTH:
        return line
    return line[:TITLE_LENGTH].rsplit(" ", 1)[0][: TITLE_LENGTH - 1].rstrip() + "…"


def to_one_line(text: str) -> str:
    return " ".join(text.split())


def load_events(
    connection: sql.Connection, condition: sql.ColumnElement[bool]
) -> dict[str, tuple[Event, ...]]:
    """Return the events of the runs that meet a condition, by run id, in order."""
    runs = sql.select(EVENTS).join(RUNS, RUNS.c.run_id == EVENTS.c.run_id).where(condition)
    rows = connection.execute(runs.order_by(RUNS.c.number, EVENTS.c.seq))
    grouped = groupby(rows, key=lambda row: row.run_id)
    return {run_id: tuple(map(_parse_event, group)) for run_id, group in grouped}


def _parse_event(row: Any) -> Event:
    try:
        return from_json(row.event)
    except ValidationError as error:
        raise UnreadableRunError(
            f"The saved run {row.run_id} cannot be read by this version of Scrutineer."
            " Delete its conversation, or open it with the version that wrote it."
        ) from error


def _summarize_run(row: Any) -> RunSummary:
    """Summarize a run by field names, so that runs of other versions are listed too."""
    ended = json.loads(row.event) if row.outcome is not None else {}
    return copy_fields(
        RunSummary,
        row,
        score=ended.get("score"),
        iterations=ended.get("iterations", 0),
        seconds=ended.get("seconds", 0.0),
        cost=ended.get("cost"),
    )
