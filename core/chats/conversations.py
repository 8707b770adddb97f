"""One person's conversations and their runs, written into SQL: a run event by event as it goes on, and brought to an
end where it was cut off. It neither advances a run nor shows one; what is read is in `core.chats.queries`.
"""

import json
import secrets
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from copy import copy
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sql
from pydantic_core import PydanticSerializationError

from core.agent import Asked, Ended, Event, to_json
from core.chats.database import (
    CONVERSATIONS,
    EVENTS,
    RUNS,
    UPLOADS,
    Database,
    is_last_event,
    replace_surrogates,
)
from core.chats.queries import (
    Conversation,
    ConversationQueries,
    RunSummary,
    SavedRun,
    UnreadableRunError,
    conversation_title,
    load_events,
    to_one_line,
)
from core.chats.quota import Quota, QuotaUsage, check_question_quota, check_upload_quota
from core.chats.recovery import (
    CUT_OFF_MESSAGE,
    STOPPED_MESSAGE,
    RunEnd,
    has_no_owner,
    make_ended_event,
    owner_columns,
    yield_errors,
)
from core.errors import LibraryError, ScrutineerError

__all__ = ["Conversation", "Conversations", "RunSummary", "SavedRun", "conversation_title"]

DRAFT_SAVE_SECONDS = 1.0
"""The most text, in seconds of streaming, that a kill may cost."""
DISCARD_PERIOD = timedelta(days=1)
"""How long a discarded conversation can be brought back."""
CLEANUP_INTERVAL = timedelta(hours=1)
"""How often a server that goes on for long looks for what was cut off or discarded long ago."""


class Conversations(ConversationQueries):
    """One person's conversations in a database (`url` as SQLAlchemy writes it, of SQLite or PostgreSQL).

    Whose they are is said with `of`; without it they are those of the person at this machine, who has no name here.
    For any number of threads and processes at once. Raises SettingsError when the URL cannot be used; here and
    in every method LibraryError (code `chats`) when the database cannot be opened, read or written.
    """

    def __init__(self, url: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        super().__init__(Database(url), now, person="")
        self._quota = Quota()
        self._swept = now()
        self.clean_up()

    def for_person(self, person: str, quota: Quota) -> "Conversations":
        """The same for another person, who sees and changes their own alone and is held to `quota`."""
        if abs(self._now() - self._swept) > CLEANUP_INTERVAL:  # a clock may be set back
            self._swept = self._now()
            self.clean_up()
        theirs = copy(self)
        theirs._person, theirs._quota = person, quota
        return theirs

    def check_question(self) -> None:
        """Raises LibraryError `limit` where another question is one too many for this person."""
        with self._database.read_transaction() as connection:
            self._check(connection)

    def count_uploads(self, files: int) -> None:
        """Count files that this person adds. Raises LibraryError `limit` where they are too many."""
        now = self._now()
        theirs = UPLOADS.c.person == self._person
        recent = UPLOADS.c.at > (now - timedelta(hours=1)).isoformat(timespec="microseconds")
        with self._database.write_transaction() as connection:
            connection.execute(UPLOADS.delete().where(theirs, ~recent))
            earlier = (
                connection.scalar(
                    sql.select(sql.func.count()).select_from(UPLOADS).where(theirs, recent)
                )
                or 0
            )
            check_upload_quota(self._quota, earlier, files)
            connection.execute(
                UPLOADS.insert(), [{"person": self._person, "at": self._time()}] * files
            )

    def start_conversation(self, title: str) -> str:
        """Begin a conversation and return its id, which cannot be guessed."""
        conversation_id = secrets.token_urlsafe(16)
        values = {
            "conversation_id": conversation_id,
            "title": to_one_line(title),
            "created_at": self._time(),
            "person": self._person,
        }
        with self._database.write_transaction() as connection:
            connection.execute(CONVERSATIONS.insert().values(values))
        return conversation_id

    def rename_conversation(self, conversation_id: str, title: str) -> None:
        """Give a conversation another title; nothing happens when there is no such conversation."""
        with self._database.write_transaction() as connection:
            connection.execute(
                CONVERSATIONS.update()
                .where(self._mine(conversation_id))
                .values(title=to_one_line(title))
            )

    def pin_conversation(self, conversation_id: str, pinned: bool) -> None:
        """Keep a conversation at the head of the list, or let go of it."""
        with self._database.write_transaction() as connection:
            connection.execute(
                CONVERSATIONS.update().where(self._mine(conversation_id)).values(pinned=int(pinned))
            )

    def discard_conversation(self, conversation_id: str) -> None:
        """Put a conversation aside: it is gone for everybody, but can be brought back for a day."""
        with self._database.write_transaction() as connection:
            connection.execute(
                CONVERSATIONS.update()
                .where(self._mine(conversation_id))
                .values(discarded_at=self._time())
            )

    def restore_conversation(self, conversation_id: str) -> None:
        """Bring a discarded conversation back; nothing happens when there is none."""
        theirs = (CONVERSATIONS.c.person == self._person) & (
            CONVERSATIONS.c.conversation_id == conversation_id
        )
        with self._database.write_transaction() as connection:
            connection.execute(CONVERSATIONS.update().where(theirs).values(discarded_at=""))

    def save_feedback(self, run_id: str, thumb: bool | None, reason: str = "") -> None:
        """Keep a person's thumb on the answer of a run, and why; None takes it back."""
        values = {"thumb": None if thumb is None else int(thumb), "reason": reason.strip()}
        with self._database.write_transaction() as connection:
            connection.execute(
                RUNS.update().where(self._my_runs(RUNS.c.run_id == run_id)).values(values)
            )

    def save_events(
        self, conversation_id: str, events: Iterator[Event]
    ) -> Generator[Event, None, None]:
        """Save each event of a run, new or resumed, and then yield it.

        Fragments of growing text are yielded at once and saved with the next event that is whole, or after a
        second of them. A ScrutineerError of the agent is saved and yielded as an `Ended` with outcome `failed`.
        Any other end before `Ended` (this generator is closed or dropped, the program interrupted) is saved as
        `cancelled`. `events` is closed in every case.
        """
        unsaved: list[Event] = []
        open_run, saved_at = "", 0.0
        try:
            with closing(yield_errors(events)) as items:
                for item in items:
                    if isinstance(item, ScrutineerError):
                        if not open_run:
                            raise item
                        failed = RunEnd("failed", item.message, self._time())
                        yield from self._end(open_run, failed, unsaved)
                        return
                    event = _clean(item)
                    unsaved.append(event)
                    if not event.grows or time.monotonic() - saved_at >= DRAFT_SAVE_SECONDS:
                        self._save(conversation_id, unsaved)
                        open_run = "" if isinstance(event, Ended) else event.run_id
                        saved_at, unsaved = time.monotonic(), []
                    yield event
        finally:
            if open_run:
                self._end(open_run, RunEnd("cancelled", STOPPED_MESSAGE, self._time()), unsaved)

    def clean_up(self) -> tuple[str, ...]:
        """Mark the runs that a kill has cut off as cancelled and return their ids; remove what was discarded long ago.

        Left alone are runs of live processes, and runs that this version cannot read.
        """
        query = sql.select(RUNS).where(RUNS.c.outcome.is_(None)).order_by(RUNS.c.number)
        with self._database.read_transaction() as connection:
            rows = connection.execute(query).all()
            stale = connection.scalar(
                sql.select(CONVERSATIONS.c.number).where(self._stale()).limit(1)
            )
        if stale is not None:
            with self._database.write_transaction() as connection:
                connection.execute(CONVERSATIONS.delete().where(self._stale()))
        return tuple(
            row.run_id
            for row in rows
            if has_no_owner(row, self._now()) and self._cut_off(row.run_id)
        )

    def _cut_off(self, run_id: str) -> bool:
        try:
            return bool(self._end(run_id, RunEnd("cancelled", CUT_OFF_MESSAGE, None)))
        except UnreadableRunError:
            return False

    def _save(self, conversation_id: str, events: Sequence[Event]) -> None:
        """Write some events of a run in one transaction."""
        first, last = events[0], events[-1]
        with self._database.write_transaction() as connection:
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
        held = connection.scalar(
            sql.select(CONVERSATIONS.c.number).where(self._mine(conversation_id))
        )
        if held is None or (row is not None and row.conversation_id != conversation_id):
            raise LibraryError(
                "This conversation was deleted, or is not yours. Ask in a new one.", code="chats"
            )
        if asked.decision not in ("conclude", "stop"):
            self._check(connection)
        if row is not None and (row.outcome is None or not asked.resumed):
            raise LibraryError(
                "This run is already going on in another window; look there.", code="chats"
            )
        if row is not None:
            connection.execute(
                RUNS.update().where(RUNS.c.run_id == asked.run_id).values(owner_columns())
            )
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
        connection.execute(RUNS.insert().values(values | owner_columns()))

    def _spent(self, chosen: sql.ColumnElement[bool]) -> sql.ColumnElement[bool]:
        """Runs of this person, those in discarded conversations too: they have been paid for."""
        theirs = sql.select(CONVERSATIONS.c.conversation_id).where(
            CONVERSATIONS.c.person == self._person
        )
        return chosen & RUNS.c.conversation_id.in_(theirs)

    def _stale(self) -> sql.ColumnElement[bool]:
        before = (self._now() - DISCARD_PERIOD).isoformat(timespec="microseconds")
        return (CONVERSATIONS.c.discarded_at != "") & (CONVERSATIONS.c.discarded_at < before)

    def _check(self, connection: sql.Connection) -> None:
        if self._quota != Quota():
            check_question_quota(self._quota, self._used(connection))

    def _used(self, connection: sql.Connection) -> QuotaUsage:
        """What this person has used of late; a run that is going on costs when it has ended."""
        now = self._now()
        minute, day = (
            (now - span).isoformat() for span in (timedelta(minutes=1), timedelta(days=1))
        )
        recent = sql.or_(RUNS.c.outcome.is_(None), RUNS.c.updated_at > day)
        rows = connection.execute(sql.select(RUNS).where(self._spent(recent))).all()
        ended = connection.scalars(
            sql.select(EVENTS.c.event)
            .join(RUNS, RUNS.c.run_id == EVENTS.c.run_id)
            .where(self._spent(RUNS.c.updated_at > day), RUNS.c.outcome.is_not(None))
            .where(is_last_event())
        )
        return QuotaUsage(
            runs=sum(row.outcome is None and not has_no_owner(row, now) for row in rows),
            questions=sum(row.started_at > minute for row in rows if row.counted),
            dollars=sum(json.loads(event).get("cost") or 0.0 for event in ended),
        )

    def _end(self, run_id: str, ending: RunEnd, unsaved: Sequence[Event] = ()) -> tuple[Ended, ...]:
        """Append an `Ended` to a run; none where it has ended already or has been deleted."""
        with self._database.write_transaction() as connection:
            row = connection.execute(_run_row(run_id)).one_or_none()
            if row is None or row.outcome is not None:
                return ()
            _append(connection, unsaved)
            ended = make_ended_event(
                load_events(connection, RUNS.c.run_id == run_id)[run_id], ending
            )
            _append(connection, [ended])
            values = {"outcome": ended.outcome, "updated_at": self._time()}
            connection.execute(RUNS.update().where(RUNS.c.run_id == run_id).values(values))
        return (ended,)

    def _time(self) -> str:
        return self._now().isoformat(timespec="microseconds")


def _run_row(run_id: str) -> sql.Select[Any]:
    """The row of a run, locked until the transaction ends (SQLite holds the whole database anyway)."""
    return sql.select(RUNS).where(RUNS.c.run_id == run_id).with_for_update()


def _append(connection: sql.Connection, events: Iterable[Event]) -> None:
    rows = [{"run_id": event.run_id, "seq": event.seq, "event": to_json(event)} for event in events]
    if rows:
        connection.execute(EVENTS.insert(), rows)


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
            return replace_surrogates(value)
        case dict():
            return {_clean_value(key): _clean_value(item) for key, item in value.items()}
        case list() | tuple():
            return [_clean_value(item) for item in value]
        case _:
            return value
