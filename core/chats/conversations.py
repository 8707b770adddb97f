"""Conversations and their runs in SQL, saved event by event; neither advances a run nor shows one."""

import json
import os
import secrets
import socket
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Any

import sqlalchemy as sql
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from core.agent.ending import end_of
from core.agent.events import Asked, DraftGrew, Ended, Event, from_json, to_json
from core.agent.run import Run
from core.agent.types import Exchange, Outcome
from core.chats.database import CONVERSATIONS, EVENTS, RUNS, UPLOADS, Database, without_surrogates
from core.chats.quota import Quota, Used, check_question, check_uploads
from core.errors import LibraryError, ScrutineerError
from core.library.types import Scope

TITLE_LENGTH = 60
GROWING_SECONDS = 1.0
"""The most text, in seconds of streaming, that a kill may cost."""
DISCARDED = timedelta(days=1)
"""How long a discarded conversation can be brought back."""
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
class RunLine:
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
    """One person's conversations in a database (`url` is any SQLAlchemy URL; SQLite's folder is made when missing).

    Whose they are is said with `of`; without it they are those of the person at this machine, who has no name here.
    For any number of threads and processes at once. Raises SettingsError when the URL cannot be used; here and
    in every method LibraryError (code `chats`) when the database cannot be opened, read or written.
    """

    def __init__(self, url: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._now = now
        self._database = Database(url)
        self._person = ""
        self._quota = Quota()
        self.sweep()

    def of(self, person: str, quota: Quota) -> "Conversations":
        """The same for another person, who sees and changes their own alone and is held to `quota`."""
        theirs = copy(self)
        theirs._person, theirs._quota = person, quota
        return theirs

    def check_question(self) -> None:
        """Raises LibraryError `limit` where another question is one too many for this person."""
        with self._database.reading() as connection:
            self._check(connection)

    def note_uploads(self, files: int) -> None:
        """Count files that this person adds. Raises LibraryError `limit` where they are too many."""
        now = self._now()
        theirs = UPLOADS.c.person == self._person
        recent = UPLOADS.c.at > (now - timedelta(hours=1)).isoformat(timespec="microseconds")
        with self._database.writing() as connection:
            connection.execute(UPLOADS.delete().where(theirs, ~recent))
            earlier = connection.scalar(sql.select(sql.func.count()).select_from(UPLOADS).where(theirs, recent)) or 0
            check_uploads(self._quota, earlier, files)
            connection.execute(UPLOADS.insert(), [{"person": self._person, "at": self._time()}] * files)

    def start(self, title: str) -> str:
        """Begin a conversation and return its id, which cannot be guessed."""
        conversation_id = secrets.token_urlsafe(16)
        values = {
            "conversation_id": conversation_id,
            "title": _one_line(title),
            "created_at": self._time(),
            "person": self._person,
        }
        with self._database.writing() as connection:
            connection.execute(CONVERSATIONS.insert().values(values))
        return conversation_id

    def conversations(self, words: str = "") -> tuple[Conversation, ...]:
        """This person's, the pinned first, then newest activity first; with `words`, those in whose title, questions
        or answers each of them occurs, in capitals or not."""
        found = self._conversations(self._mine())
        if not words.split():
            return found
        said = self._said()
        return tuple(
            chat
            for chat in found
            if all(
                word in f"{chat.title}\n{said.get(chat.conversation_id, '')}".casefold()
                for word in words.casefold().split()
            )
        )

    def conversation(self, conversation_id: str) -> Conversation | None:
        """The conversation of this id; None when there is none."""
        found = self._conversations(self._mine(conversation_id))
        return found[0] if found else None

    def rename(self, conversation_id: str, title: str) -> None:
        """Give a conversation another title; nothing happens when there is no such conversation."""
        with self._database.writing() as connection:
            connection.execute(CONVERSATIONS.update().where(self._mine(conversation_id)).values(title=_one_line(title)))

    def pin(self, conversation_id: str, pinned: bool) -> None:
        """Keep a conversation at the head of the list, or let go of it."""
        with self._database.writing() as connection:
            connection.execute(CONVERSATIONS.update().where(self._mine(conversation_id)).values(pinned=int(pinned)))

    def discard(self, conversation_id: str) -> None:
        """Put a conversation aside: it is gone for everybody, but can be brought back for a day."""
        with self._database.writing() as connection:
            connection.execute(
                CONVERSATIONS.update().where(self._mine(conversation_id)).values(discarded_at=self._time())
            )

    def restore(self, conversation_id: str) -> None:
        """Bring a discarded conversation back; nothing happens when there is none."""
        theirs = (CONVERSATIONS.c.person == self._person) & (CONVERSATIONS.c.conversation_id == conversation_id)
        with self._database.writing() as connection:
            connection.execute(CONVERSATIONS.update().where(theirs).values(discarded_at=""))

    def judge(self, run_id: str, thumb: bool | None, reason: str = "") -> None:
        """Keep a person's thumb on the answer of a run, and why; None takes it back."""
        values = {"thumb": None if thumb is None else int(thumb), "reason": reason.strip()}
        with self._database.writing() as connection:
            connection.execute(RUNS.update().where(self._my_runs(RUNS.c.run_id == run_id)).values(values))

    def delete(self, conversation_id: str) -> None:
        """Remove a conversation with its runs; a run going on in it ends with a LibraryError."""
        with self._database.writing() as connection:
            connection.execute(CONVERSATIONS.delete().where(self._mine(conversation_id)))

    def runs(self, conversation_id: str) -> tuple[SavedRun, ...]:
        """The runs of a conversation with all their events, in the order they were asked."""
        return self._runs(self._my_runs(RUNS.c.conversation_id == conversation_id))

    def run(self, run_id: str) -> SavedRun | None:
        """The run of this id; None when there is none."""
        found = self._runs(self._my_runs(RUNS.c.run_id == run_id))
        return found[0] if found else None

    def run_lines(self) -> tuple[RunLine, ...]:
        """All runs of all conversations, the newest first; of each only its last event is read."""
        last = sql.select(sql.func.max(EVENTS.c.seq)).where(EVENTS.c.run_id == RUNS.c.run_id)
        query = (
            sql.select(RUNS, CONVERSATIONS.c.title, EVENTS.c.event)
            .join(CONVERSATIONS, CONVERSATIONS.c.conversation_id == RUNS.c.conversation_id)
            .join(EVENTS, EVENTS.c.run_id == RUNS.c.run_id)
            .where(self._mine(), EVENTS.c.seq == last.correlate(RUNS).scalar_subquery())
            .order_by(RUNS.c.number.desc())
        )
        with self._database.reading() as connection:
            return tuple(_run_line(row) for row in connection.execute(query))

    def exchanges(self, conversation_id: str, before: str | None = None) -> tuple[Exchange, ...]:
        """Questions and answers of ended runs, in order, for a next question to refer to; only those asked before the
        run `before`, where one is named."""
        last = sql.select(sql.func.max(EVENTS.c.seq)).where(EVENTS.c.run_id == RUNS.c.run_id)
        query = (
            sql.select(RUNS.c.run_id, RUNS.c.question, EVENTS.c.event)
            .join(EVENTS, EVENTS.c.run_id == RUNS.c.run_id)
            .where(self._my_runs(RUNS.c.conversation_id == conversation_id), RUNS.c.outcome.in_(_SAID_SOMETHING))
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
        """Mark the runs that a kill has cut off as cancelled and return their ids; remove what was discarded long ago.

        Left alone are runs of live processes, and runs that this version cannot read.
        """
        query = sql.select(RUNS).where(RUNS.c.outcome.is_(None)).order_by(RUNS.c.number)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
            stale = connection.scalar(sql.select(CONVERSATIONS.c.number).where(self._stale()).limit(1))
        if stale is not None:
            with self._database.writing() as connection:
                connection.execute(CONVERSATIONS.delete().where(self._stale()))
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
        held = connection.scalar(sql.select(CONVERSATIONS.c.number).where(self._mine(conversation_id)))
        if held is None or (row is not None and row.conversation_id != conversation_id):
            raise LibraryError("This conversation was deleted, or is not yours. Ask in a new one.", code="chats")
        if asked.decision not in ("conclude", "stop"):
            self._check(connection)
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
            "counted": int(self._quota.questions_a_minute is not None),
            "started_at": asked.at or now,
            "updated_at": now,
        }
        connection.execute(RUNS.insert().values(values | owner))

    def _mine(self, conversation_id: str | None = None) -> sql.ColumnElement[bool]:
        """The conversations of this person, or the one of this id where it is theirs."""
        theirs = (CONVERSATIONS.c.person == self._person) & (CONVERSATIONS.c.discarded_at == "")
        return theirs if conversation_id is None else theirs & (CONVERSATIONS.c.conversation_id == conversation_id)

    def _my_runs(self, chosen: sql.ColumnElement[bool]) -> sql.ColumnElement[bool]:
        theirs = sql.select(CONVERSATIONS.c.conversation_id).where(self._mine())
        return chosen & RUNS.c.conversation_id.in_(theirs)

    def _spent(self, chosen: sql.ColumnElement[bool]) -> sql.ColumnElement[bool]:
        """Runs of this person, those in discarded conversations too: they have been paid for."""
        theirs = sql.select(CONVERSATIONS.c.conversation_id).where(CONVERSATIONS.c.person == self._person)
        return chosen & RUNS.c.conversation_id.in_(theirs)

    def _stale(self) -> sql.ColumnElement[bool]:
        before = (self._now() - DISCARDED).isoformat(timespec="microseconds")
        return (CONVERSATIONS.c.discarded_at != "") & (CONVERSATIONS.c.discarded_at < before)

    def _said(self) -> dict[str, str]:
        """All questions and answers, by conversation."""
        last = sql.select(sql.func.max(EVENTS.c.seq)).where(EVENTS.c.run_id == RUNS.c.run_id)
        query = (
            sql.select(RUNS.c.conversation_id, RUNS.c.question, RUNS.c.outcome, EVENTS.c.event)
            .join(EVENTS, EVENTS.c.run_id == RUNS.c.run_id)
            .where(self._my_runs(EVENTS.c.seq == last.correlate(RUNS).scalar_subquery()))
        )
        said: dict[str, str] = {}
        with self._database.reading() as connection:
            for row in connection.execute(query):
                answer = json.loads(row.event).get("answer", "") if row.outcome is not None else ""
                said[row.conversation_id] = f"{said.get(row.conversation_id, '')}\n{row.question}\n{answer}"
        return said

    def _check(self, connection: sql.Connection) -> None:
        if self._quota != Quota():
            check_question(self._quota, self._used(connection))

    def _used(self, connection: sql.Connection) -> Used:
        """What this person has used of late; a run that is going on costs when it has ended."""
        now = self._now()
        minute, day = ((now - span).isoformat() for span in (timedelta(minutes=1), timedelta(days=1)))
        recent = sql.or_(RUNS.c.outcome.is_(None), RUNS.c.updated_at > day)
        rows = connection.execute(sql.select(RUNS).where(self._spent(recent))).all()
        last = sql.select(sql.func.max(EVENTS.c.seq)).where(EVENTS.c.run_id == RUNS.c.run_id)
        ended = connection.scalars(
            sql.select(EVENTS.c.event)
            .join(RUNS, RUNS.c.run_id == EVENTS.c.run_id)
            .where(self._spent(RUNS.c.updated_at > day), RUNS.c.outcome.is_not(None))
            .where(EVENTS.c.seq == last.correlate(RUNS).scalar_subquery())
        )
        return Used(
            runs=sum(row.outcome is None and not _orphaned(row, now) for row in rows),
            questions=sum(row.started_at > minute for row in rows if row.counted),
            dollars=sum(json.loads(event).get("cost") or 0.0 for event in ended),
        )

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
            .order_by(CONVERSATIONS.c.pinned.desc(), updated.desc(), CONVERSATIONS.c.number.desc())
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return tuple(
            Conversation(row.conversation_id, row.title, row.created_at, row.updated_at, row.runs, bool(row.pinned))
            for row in rows
        )

    def _runs(self, chosen: sql.ColumnElement[bool]) -> tuple[SavedRun, ...]:
        with self._database.reading() as connection:
            rows = connection.execute(sql.select(RUNS).where(chosen).order_by(RUNS.c.number)).all()
            events = _events(connection, chosen)
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


def _run_line(row: Any) -> RunLine:
    """Read by its names, so that a run which another version wrote is in the list too."""
    ended = json.loads(row.event) if row.outcome is not None else {}
    return RunLine(
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


def _settled(events: Iterator[Event]) -> Generator[Event | ScrutineerError, None, None]:
    """The events and, where they end in an error of ours, that error; closing this closes `events`."""
    try:
        yield from events
    except ScrutineerError as error:
        yield error


def _ended(events: Sequence[Event], ending: _Ending) -> Ended:
    """The end of a run that could not say so itself, with its best draft and its counters so far."""
    run = Run.restored(events, Scope((), ""))
    at = ending.at or events[-1].at
    ended = end_of(run, ending.outcome, run.best, _seconds(events, at))
    told = {"run_id": run.run_id, "seq": run.seq + 1, "at": at, "message": ending.message}
    return ended.model_copy(update=told if run.best else told | {"answer": _grown(events)})


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
