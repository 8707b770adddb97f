"""Conversations and their runs in SQL, saved event by event; neither advances a run nor shows one."""

import os
import secrets
import socket
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Any

import sqlalchemy as sql
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from core.agent.events import Asked, DraftGrew, Ended, Event, from_json, to_json
from core.agent.run import Run
from core.agent.types import Exchange, Outcome
from core.database import CONVERSATIONS, EVENTS, RUNS, Database, without_surrogates
from core.errors import LibraryError, ScrutineerError
from core.library.types import Scope

TITLE_LENGTH = 60
GROWING_SECONDS = 1.0
"""The most text, in seconds of streaming, that a kill may cost."""
ABANDONED = timedelta(days=1)
"""Silence after which a run is given up although its owner (another host, a reused pid) cannot be asked."""

_STOPPED = "The run was stopped before it was finished; what it had is kept. Go on with it or ask again."
_CUT_OFF = "The program ended before this run was finished; what it had is kept. Go on with it or ask again."
_SAID_SOMETHING = ("answered", "not_found", "limit_reached", "declined", "clarification_needed")


@dataclass(frozen=True, slots=True)
class Conversation:
    """A list of runs under a title. Times are ISO, UTC; `updated_at` is that of the newest event."""

    conversation_id: str
    title: str
    created_at: str
    updated_at: str
    runs: int


@dataclass(frozen=True, slots=True)
class SavedRun:
    """A run as it was recorded. `outcome` is None while it is going on."""

    run_id: str
    conversation_id: str
    question: str
    outcome: Outcome | None
    started_at: str
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class _Ending:
    """How a run ends that could not say so itself. `at` is an ISO time; None means that of its last event."""

    outcome: Outcome
    message: str
    at: str | None


class _UnreadableRun(LibraryError):
    """A saved run whose events this version does not know."""

    code = "chats"


class Conversations:
    """All conversations of one database (`url` is any SQLAlchemy URL; SQLite's folder is made when missing).

    For any number of threads and processes at once. Raises SettingsError when the URL cannot be used; here and
    in every method LibraryError (code `chats`) when the database cannot be opened, read or written.
    """

    def __init__(self, url: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._now = now
        self._database = Database(url)
        self.sweep()

    def start(self, title: str) -> str:
        """Begin a conversation and return its id, which cannot be guessed."""
        conversation_id = secrets.token_urlsafe(16)
        values = {"conversation_id": conversation_id, "title": _one_line(title), "created_at": self._time()}
        with self._database.writing() as connection:
            connection.execute(CONVERSATIONS.insert().values(values))
        return conversation_id

    def conversations(self) -> tuple[Conversation, ...]:
        """All of them, newest activity first."""
        return self._conversations(sql.true())

    def conversation(self, conversation_id: str) -> Conversation | None:
        """The conversation of this id; None when there is none."""
        found = self._conversations(CONVERSATIONS.c.conversation_id == conversation_id)
        return found[0] if found else None

    def rename(self, conversation_id: str, title: str) -> None:
        """Give a conversation another title; nothing happens when there is no such conversation."""
        chosen = CONVERSATIONS.c.conversation_id == conversation_id
        with self._database.writing() as connection:
            connection.execute(CONVERSATIONS.update().where(chosen).values(title=_one_line(title)))

    def delete(self, conversation_id: str) -> None:
        """Remove a conversation with its runs; a run going on in it ends with a LibraryError."""
        with self._database.writing() as connection:
            connection.execute(CONVERSATIONS.delete().where(CONVERSATIONS.c.conversation_id == conversation_id))

    def runs(self, conversation_id: str) -> tuple[SavedRun, ...]:
        """The runs of a conversation with all their events, in the order they were asked."""
        return self._runs(RUNS.c.conversation_id == conversation_id)

    def run(self, run_id: str) -> SavedRun | None:
        """The run of this id; None when there is none."""
        found = self._runs(RUNS.c.run_id == run_id)
        return found[0] if found else None

    def exchanges(self, conversation_id: str, before: str | None = None) -> tuple[Exchange, ...]:
        """Questions and answers of ended runs, in order, for a next question to refer to; only those asked before the
        run `before`, where one is named."""
        last = sql.select(sql.func.max(EVENTS.c.seq)).where(EVENTS.c.run_id == RUNS.c.run_id)
        query = (
            sql.select(RUNS.c.run_id, RUNS.c.question, EVENTS.c.event)
            .join(EVENTS, EVENTS.c.run_id == RUNS.c.run_id)
            .where(RUNS.c.conversation_id == conversation_id, RUNS.c.outcome.in_(_SAID_SOMETHING))
            .where(EVENTS.c.seq == last.correlate(RUNS).scalar_subquery())
            .order_by(RUNS.c.number)
        )
        if before is not None:
            query = query.where(
                RUNS.c.number < sql.select(RUNS.c.number).where(RUNS.c.run_id == before).scalar_subquery()
            )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        ended = ((row.question, _event(row)) for row in rows)
        return tuple(
            Exchange(question, event.answer or event.message, event.citations)
            for question, event in ended
            if isinstance(event, Ended) and (event.answer or event.message)
        )

    def keep(self, conversation_id: str, events: Iterator[Event]) -> Generator[Event, None, None]:
        """Save each event of a run, new or resumed, and then yield it.

        Fragments of growing text are yielded at once and saved with the next event that is whole, or after a
        second of them. A ScrutineerError of the agent is saved and yielded as an `Ended` with outcome `failed`.
        Any other end before `Ended` (this generator is closed or dropped, the program interrupted) is saved as
        `cancelled`. `events` is closed in every case.
        """
        unsaved: list[Event] = []
        open_run, saved_at = "", 0.0
        try:
            with closing(_settled(events)) as settled:
                for item in settled:
                    if isinstance(item, ScrutineerError):
                        if not open_run:
                            raise item
                        failed = _Ending("failed", item.message, self._time())
                        yield from self._end(open_run, failed, unsaved)
                        return
                    event = _clean(item)
                    unsaved.append(event)
                    if not event.grows or time.monotonic() - saved_at >= GROWING_SECONDS:
                        self._save(conversation_id, unsaved)
                        open_run = "" if isinstance(event, Ended) else event.run_id
                        saved_at, unsaved = time.monotonic(), []
                    yield event
        finally:
            if open_run:
                self._end(open_run, _Ending("cancelled", _STOPPED, self._time()), unsaved)

    def sweep(self) -> tuple[str, ...]:
        """Mark the runs that a kill has cut off as cancelled; returns their ids.

        Left alone are runs of live processes, and runs that this version cannot read.
        """
        query = sql.select(RUNS).where(RUNS.c.outcome.is_(None)).order_by(RUNS.c.number)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return tuple(row.run_id for row in rows if _orphaned(row, self._now()) and self._cut_off(row.run_id))

    def _cut_off(self, run_id: str) -> bool:
        try:
            return bool(self._end(run_id, _Ending("cancelled", _CUT_OFF, None)))
        except _UnreadableRun:
            return False

    def _save(self, conversation_id: str, events: Sequence[Event]) -> None:
        """Write some events of a run in one transaction."""
        first, last = events[0], events[-1]
        with self._database.writing() as connection:
            if isinstance(first, Asked):
                self._open(connection, conversation_id, first)
            _append(connection, events)
            values = {
                "updated_at": self._time(),
                "outcome": last.outcome if isinstance(last, Ended) else None,
            }
            connection.execute(RUNS.update().where(RUNS.c.run_id == last.run_id).values(values))

    def _open(self, connection: sql.Connection, conversation_id: str, asked: Asked) -> None:
        """Make the row of a new run, or take over the row of one that is resumed."""
        row = connection.execute(_run_row(asked.run_id)).one_or_none()
        if row is not None and (row.outcome is None or not asked.resumed):
            raise LibraryError("This run is already going on in another window; look there.", code="chats")
        owner = {"owner": _owner(os.getpid()), "pid": os.getpid(), "host": socket.gethostname()}
        if row is not None:
            connection.execute(RUNS.update().where(RUNS.c.run_id == asked.run_id).values(owner))
            return
        now = self._time()
        values = {
            "run_id": asked.run_id,
            "conversation_id": conversation_id,
            "question": asked.question,
            "started_at": asked.at or now,
            "updated_at": now,
        }
        connection.execute(RUNS.insert().values(values | owner))

    def _end(self, run_id: str, ending: _Ending, unsaved: Sequence[Event] = ()) -> tuple[Ended, ...]:
        """Append an `Ended` to a run; none where it has ended already or has been deleted."""
        with self._database.writing() as connection:
            row = connection.execute(_run_row(run_id)).one_or_none()
            if row is None or row.outcome is not None:
                return ()
            _append(connection, unsaved)
            ended = _ended(_events(connection, RUNS.c.run_id == run_id)[run_id], ending)
            _append(connection, [ended])
            values = {"outcome": ended.outcome, "updated_at": self._time()}
            connection.execute(RUNS.update().where(RUNS.c.run_id == run_id).values(values))
        return (ended,)

    def _conversations(self, chosen: sql.ColumnElement[bool]) -> tuple[Conversation, ...]:
        updated = sql.func.coalesce(sql.func.max(RUNS.c.updated_at), CONVERSATIONS.c.created_at)
        query = (
            sql.select(CONVERSATIONS, updated.label("updated_at"), sql.func.count(RUNS.c.number).label("runs"))
            .outerjoin(RUNS, RUNS.c.conversation_id == CONVERSATIONS.c.conversation_id)
            .where(chosen)
            .group_by(CONVERSATIONS.c.number)
            .order_by(updated.desc(), CONVERSATIONS.c.number.desc())
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return tuple(
            Conversation(row.conversation_id, row.title, row.created_at, row.updated_at, row.runs) for row in rows
        )

    def _runs(self, chosen: sql.ColumnElement[bool]) -> tuple[SavedRun, ...]:
        with self._database.reading() as connection:
            rows = connection.execute(sql.select(RUNS).where(chosen).order_by(RUNS.c.number)).all()
            events = _events(connection, chosen)
        return tuple(
            SavedRun(row.run_id, row.conversation_id, row.question, row.outcome, row.started_at, events[row.run_id])
            for row in rows
        )

    def _time(self) -> str:
        return self._now().isoformat(timespec="microseconds")


def title_of(question: str) -> str:
    """A title for a question's conversation: its first 60 characters on one line, cut between words."""
    line = _one_line(question)
    if len(line) <= TITLE_LENGTH:
        return line
    return line[:TITLE_LENGTH].rsplit(" ", 1)[0][: TITLE_LENGTH - 1].rstrip() + "…"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _run_row(run_id: str) -> sql.Select[Any]:
    """The row of a run, locked until the transaction ends (SQLite holds the whole database anyway)."""
    return sql.select(RUNS).where(RUNS.c.run_id == run_id).with_for_update()


def _append(connection: sql.Connection, events: Iterable[Event]) -> None:
    rows = [{"run_id": event.run_id, "seq": event.seq, "event": to_json(event)} for event in events]
    if rows:
        connection.execute(EVENTS.insert(), rows)


def _events(connection: sql.Connection, chosen: sql.ColumnElement[bool]) -> dict[str, tuple[Event, ...]]:
    """The events of the chosen runs, by run, each run's by `seq`."""
    query = (sql.select(EVENTS).join(RUNS, RUNS.c.run_id == EVENTS.c.run_id).where(chosen)).order_by(
        RUNS.c.number, EVENTS.c.seq
    )
    grouped = groupby(connection.execute(query), key=lambda row: row.run_id)
    return {run_id: tuple(_event(row) for row in rows) for run_id, rows in grouped}


def _event(row: Any) -> Event:
    try:
        return from_json(row.event)
    except ValidationError as error:
        raise _UnreadableRun(
            f"The saved run {row.run_id} cannot be read by this version of Scrutineer."
            " Delete its conversation, or open it with the version that wrote it.",
        ) from error


def _settled(events: Iterator[Event]) -> Generator[Event | ScrutineerError, None, None]:
    """The events and, where they end in an error of ours, that error; closing this closes `events`."""
    try:
        yield from events
    except ScrutineerError as error:
        yield error


def _ended(events: Sequence[Event], ending: _Ending) -> Ended:
    """The end of a run that could not say so itself, with its best draft and its counters so far."""
    run = Run.restored(events, Scope((), ""))
    best = run.best
    at = ending.at or events[-1].at
    return Ended(
        run_id=run.run_id,
        seq=run.seq + 1,
        at=at,
        outcome=ending.outcome,
        answer=best.draft.text if best else _grown(events),
        citations=best.draft.citations if best else (),
        message=ending.message,
        score=best.score.mean if best and best.score else None,
        best_iteration=best.draft.iteration if best else None,
        iterations=run.iterations,
        tool_rounds=run.tool_rounds,
        tool_calls=run.tool_calls,
        model_calls=run.model_calls,
        seconds=_seconds(events, at),
        cost=run.cost,
    )


def _grown(events: Sequence[Event]) -> str:
    """The draft that was streaming, as far as it had come."""
    fragments = [event for event in events if isinstance(event, DraftGrew)]
    return "".join(event.text for event in fragments if event.iteration == fragments[-1].iteration)


def _seconds(events: Sequence[Event], at: str) -> float:
    """Seconds at work; the time between an end and its being resumed is a person's, not the run's."""
    times = [(isinstance(event, Ended), event.at) for event in events] + [(True, at)]
    return sum(
        max(0.0, (_utc(after) - _utc(before)).total_seconds())
        for (resting, before), (_, after) in pairwise(times)
        if not resting and before and after
    )


def _utc(time: str) -> datetime:
    return datetime.fromisoformat(time).replace(tzinfo=UTC)


@lru_cache(maxsize=1)
def _owner(pid: int) -> str:
    """A name for this process alone: its number comes again, in a restarted container at once."""
    return f"{pid}-{secrets.token_hex(16)}"


def _orphaned(row: sql.Row[Any], now: datetime) -> bool:
    """True when nobody works on a run any more."""
    if row.owner == _owner(os.getpid()):
        return False
    if now - datetime.fromisoformat(row.updated_at) > ABANDONED:
        return True
    return row.host == socket.gethostname() and (row.pid == os.getpid() or not _alive(row.pid))


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _clean(event: Event) -> Event:
    """The event without lone surrogates, which JSON in UTF-8 cannot hold."""
    try:
        to_json(event)
    except PydanticSerializationError:
        return type(event).model_validate(_clean_value(event.model_dump()))
    return event


def _clean_value(value: Any) -> Any:
    match value:
        case str():
            return without_surrogates(value)
        case dict():
            return {_clean_value(key): _clean_value(item) for key, item in value.items()}
        case list() | tuple():
            return [_clean_value(item) for item in value]
        case _:
            return value
