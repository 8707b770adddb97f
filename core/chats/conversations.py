"""One person's conversations and runs in SQL: each run event by event, ended if it was cut off.

It neither advances a run nor shows one; `core.chats.queries` reads. A chat that is shared can be
read by a link as it was then, until that is ended.
"""

import json
import secrets
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from copy import copy
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sql
from pydantic_core import PydanticSerializationError

from core.agent import Ended, Event, Outcome, events as ev
from core.chats.database import (
    CLEARANCES,
    CONVERSATIONS,
    EVENTS,
    RUNS,
    SHARES,
    UPLOADS,
    Database,
    is_last_event,
)
from core.chats.queries import (
    ConversationQueries,
    SavedRun,
    UnreadableRunError,
    conversation_title,
    load_events,
    to_one_line,
)
from core.chats.quota import Quota
from core.chats.recovery import (
    CUT_OFF_MESSAGE,
    STOPPED_MESSAGE,
    has_no_owner,
    make_ended_event,
    owner_columns,
    yield_errors,
)
from core.errors import LibraryError, ScrutineerError
from core.sanitize import map_texts, replace_surrogates
from core.telemetry import watch_run

DRAFT_SAVE_SECONDS = 1.0
"""The most text, in seconds of streaming, that a kill may lose."""
DISCARD_PERIOD = timedelta(days=1)
"""How long a discarded conversation can be restored."""
CLEANUP_INTERVAL = timedelta(hours=1)
"""How often a running server cleans up."""


@dataclass(frozen=True, slots=True)
class SharedChat:
    """A chat as it was at a time (ISO, UTC)."""

    title: str
    at: str
    runs: tuple[SavedRun, ...]


class Conversations(ConversationQueries):
    """One person's conversations in the SQLite or PostgreSQL database at a SQLAlchemy URL.

    The person is the one at this machine, who has no name, or the one of `for_person`. For any
    number of threads and processes at once. Raises SettingsError if the URL cannot be used; here
    and in every method LibraryError `chats` if the database cannot be opened, read or written.
    """

    def __init__(self, url: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        super().__init__(Database(url), now, person="")
        self._quota = Quota()
        self._cleaned_up_at = now()
        self.clean_up()

    def for_person(self, person: str, quota: Quota) -> "Conversations":
        """Return the conversations of another person, limited by `quota`."""
        if abs(self._now() - self._cleaned_up_at) > CLEANUP_INTERVAL:  # a clock may be set back
            self._cleaned_up_at = self._now()
            self.clean_up()
        theirs = copy(self)
        theirs._person, theirs._quota = person, quota
        return theirs

    def check_question(self) -> None:
        """Raise LibraryError `limit` if another question is one too many for this person."""
        with self._database.read_transaction() as connection:
            self._check_quota(connection)

    def count_uploads(self, files: int) -> None:
        """Count files that this person adds. Raises LibraryError `limit` if they are too many."""
        mine = UPLOADS.c.person == self._person
        recent = UPLOADS.c.at > self._timestamp(ago=timedelta(hours=1))
        count = sql.select(sql.func.count()).select_from(UPLOADS).where(mine, recent)
        with self._database.write_transaction() as connection:
            connection.execute(UPLOADS.delete().where(mine, ~recent))
            self._quota.check_upload(connection.scalar(count) or 0, files)
            row = {"person": self._person, "at": self._timestamp()}
            connection.execute(UPLOADS.insert(), [row] * files)

    def start_conversation(self, title: str, conversation_id: str = "") -> str:
        """Start a conversation and return its id, by default one that cannot be guessed.

        A long title, such as a question, is cut.
        """
        conversation_id = conversation_id or new_conversation_id()
        values = {
            "conversation_id": conversation_id,
            "title": conversation_title(title),
            "created_at": self._timestamp(),
            "person": self._person,
        }
        self._database.execute(CONVERSATIONS.insert().values(values))
        return conversation_id

    def rename_conversation(self, conversation_id: str, title: str) -> None:
        self._update_conversation(conversation_id, title=to_one_line(title))

    def pin_conversation(self, conversation_id: str, pinned: bool) -> None:
        """Keep a conversation at the top of the list, or no longer."""
        self._update_conversation(conversation_id, pinned=int(pinned))

    def discard_conversation(self, conversation_id: str) -> None:
        """Hide a conversation; it can be restored for a day."""
        self._update_conversation(conversation_id, discarded_at=self._timestamp())

    def _update_conversation(self, conversation_id: str, **values: str | int) -> None:
        """Update a conversation of this person, if there is one."""
        update = CONVERSATIONS.update().where(self._mine(conversation_id))
        self._database.execute(update.values(values))

    def restore_conversation(self, conversation_id: str) -> None:
        """Restore a discarded conversation, if there is one."""
        mine = CONVERSATIONS.c.person == self._person
        update = CONVERSATIONS.update().where(
            mine, CONVERSATIONS.c.conversation_id == conversation_id
        )
        self._database.execute(update.values(discarded_at=""))

    def share_conversation(self, conversation_id: str) -> str:
        """Share a conversation as it is now, and return the secret of the link to it.

        An earlier link ends. Raises LibraryError `chats` if this person has no such conversation.
        """
        if self.find_conversation(conversation_id) is None:
            raise LibraryError("This chat was deleted, or is not yours.", code="chats")
        secret = secrets.token_urlsafe(24)
        values = {"secret": secret, "conversation_id": conversation_id, "at": self._timestamp()}
        with self._database.write_transaction() as connection:
            connection.execute(SHARES.delete().where(SHARES.c.conversation_id == conversation_id))
            connection.execute(SHARES.insert().values(values))
        return secret

    def find_share(self, conversation_id: str) -> str | None:
        """Return the secret of the link to a conversation of this person, if it is shared."""
        mine = SHARES.c.conversation_id.in_(self._select_mine(conversation_id))
        query = sql.select(SHARES.c.secret).where(mine)
        return next((row.secret for row in self._database.fetch(query)), None)

    def stop_sharing(self, conversation_id: str) -> None:
        """End the link to a conversation of this person."""
        mine = SHARES.c.conversation_id.in_(self._select_mine(conversation_id))
        self._database.execute(SHARES.delete().where(mine))

    def read_shared_chat(self, secret: str) -> SharedChat | None:
        """Return the chat that a link shows, of whichever person; None once that has ended."""
        query = (
            sql.select(SHARES, CONVERSATIONS.c.title)
            .join(CONVERSATIONS, CONVERSATIONS.c.conversation_id == SHARES.c.conversation_id)
            .where(SHARES.c.secret == secret, CONVERSATIONS.c.discarded_at == "")
        )
        row = next(iter(self._database.fetch(query)), None)
        if row is None:
            return None
        runs = []  # with what had happened when they were shared, without the person's feedback
        for run in self._runs(RUNS.c.conversation_id == row.conversation_id):
            if events := tuple(event for event in run.events if event.at <= row.at):
                runs.append(replace(run, events=events, thumb=None, reason=""))
        return SharedChat(row.title, row.at, tuple(runs))

    def save_feedback(self, run_id: str, thumb: bool | None, reason: str = "") -> None:
        """Save a person's thumb on the answer of a run, and why; None removes it."""
        values = {"thumb": None if thumb is None else int(thumb), "reason": reason.strip()}
        update = RUNS.update().where(self._my_runs(RUNS.c.run_id == run_id))
        self._database.execute(update.values(values))

    def clear_answer(self, run_id: str, document_id: str, person: str) -> None:
        """Save that a person looked at an answer whose rules an issue changed.

        Raises LibraryError `unknown_run` where this person has no such run.
        """
        if self.find_run(run_id) is None:
            raise LibraryError(f"There is no run {run_id}.", code="unknown_run")
        values = {"run_id": run_id, "document_id": document_id, "person": person}
        with self._database.write_transaction() as connection:
            same = (CLEARANCES.c.run_id == run_id) & (CLEARANCES.c.document_id == document_id)
            connection.execute(CLEARANCES.delete().where(same))
            connection.execute(CLEARANCES.insert().values(**values, at=self._timestamp()))

    def save_events(
        self, conversation_id: str, events: Iterator[Event]
    ) -> Generator[Event, None, None]:
        """Save each event of a run, new or resumed, and then yield it.

        Fragments of growing text are yielded at once and saved with the next whole event, or after
        a second. A ScrutineerError of the agent is saved and yielded as an `Ended` with outcome
        `failed`. Any other end before `Ended` (this generator is closed or dropped, the program
        interrupted) is saved as `cancelled`. `events` is closed in every case.
        """
        unsaved: list[Event] = []
        open_run, saved_at = "", 0.0
        watch = watch_run(conversation_id)
        try:
            with closing(yield_errors(events)) as items:
                for item in items:
                    if isinstance(item, ScrutineerError):
                        if not open_run:
                            raise item
                        now = self._timestamp()
                        for ended in self._end_run(open_run, "failed", item.message, now, unsaved):
                            watch(ended)
                            yield ended
                        return
                    event = _clean_event(item)
                    unsaved.append(event)
                    if not event.grows or time.monotonic() - saved_at >= DRAFT_SAVE_SECONDS:
                        self._save(conversation_id, unsaved)
                        open_run = "" if isinstance(event, Ended) else event.run_id
                        saved_at, unsaved = time.monotonic(), []
                    watch(event)
                    yield event
        finally:
            if open_run:
                now = self._timestamp()
                for ended in self._end_run(open_run, "cancelled", STOPPED_MESSAGE, now, unsaved):
                    watch(ended)

    def clean_up(self) -> tuple[str, ...]:
        """Cancel the runs that a kill cut off and return their ids.

        Remove conversations that were discarded long ago. Leave alone the runs of live
        processes, and those that this version cannot read.
        """
        query = sql.select(RUNS).where(RUNS.c.outcome.is_(None)).order_by(RUNS.c.number)
        discarded_at = CONVERSATIONS.c.discarded_at
        stale = (discarded_at != "") & (discarded_at < self._timestamp(ago=DISCARD_PERIOD))
        with self._database.read_transaction() as connection:
            rows = connection.execute(query).all()
            found = connection.scalar(sql.select(CONVERSATIONS.c.number).where(stale).limit(1))
        if found is not None:
            self._database.execute(CONVERSATIONS.delete().where(stale))
        cut_off = []
        for row in rows:
            with suppress(UnreadableRunError):
                if has_no_owner(row, self._now()):
                    ended = self._end_run(row.run_id, "cancelled", CUT_OFF_MESSAGE)
                    cut_off += [event.run_id for event in ended]
        return tuple(cut_off)

    def _save(self, conversation_id: str, events: Sequence[Event]) -> None:
        """Write events of a run in one transaction."""
        first, last = events[0], events[-1]
        outcome = last.outcome if isinstance(last, Ended) else None
        with self._database.write_transaction() as connection:
            if isinstance(first, ev.Asked):
                self._open_run(connection, conversation_id, first)
            _insert_events(connection, events)
            self._update_run(connection, last.run_id, outcome)

    def _update_run(self, connection: sql.Connection, run_id: str, outcome: str | None) -> None:
        values = {"updated_at": self._timestamp(), "outcome": outcome}
        connection.execute(RUNS.update().where(RUNS.c.run_id == run_id).values(values))

    def _open_run(self, connection: sql.Connection, conversation_id: str, asked: ev.Asked) -> None:
        """Insert the row of a new run, or take over the row of a resumed one."""
        row = connection.execute(_select_run(asked.run_id)).one_or_none()
        number = sql.select(CONVERSATIONS.c.number).where(self._mine(conversation_id))
        is_elsewhere = row is not None and row.conversation_id != conversation_id
        if connection.scalar(number) is None or is_elsewhere:
            message = "This conversation was deleted, or is not yours. Ask in a new one."
            raise LibraryError(message, code="chats")
        if asked.decision not in ("conclude", "stop"):
            self._check_quota(connection)
        if row is not None:
            if row.outcome is None or not asked.resumed:
                message = "This run is already going on in another window; look there."
                raise LibraryError(message, code="chats")
            update = RUNS.update().where(RUNS.c.run_id == asked.run_id)
            connection.execute(update.values(owner_columns()))
            return
        now = self._timestamp()
        values = {
            "run_id": asked.run_id,
            "conversation_id": conversation_id,
            "question": asked.question,
            "counted": int(self._quota.questions_a_minute is not None),
            "started_at": asked.at or now,
            "updated_at": now,
        }
        connection.execute(RUNS.insert().values(values | owner_columns()))

    def _check_quota(self, connection: sql.Connection) -> None:
        """Raise LibraryError `limit` if another question is one too many for this person.

        A run costs once it has ended. Runs in discarded conversations have been paid for too.
        """
        if self._quota == Quota():
            return
        now = self._now()
        minute = (now - timedelta(minutes=1)).isoformat()
        day = (now - timedelta(days=1)).isoformat()
        theirs = CONVERSATIONS.c.person == self._person
        chats = sql.select(CONVERSATIONS.c.conversation_id).where(theirs)
        mine = RUNS.c.conversation_id.in_(chats)
        is_open, is_recent = RUNS.c.outcome.is_(None), RUNS.c.updated_at > day
        rows = connection.execute(sql.select(RUNS).where(mine, is_open | is_recent)).all()
        ended = connection.scalars(
            sql.select(EVENTS.c.event)
            .join(RUNS, RUNS.c.run_id == EVENTS.c.run_id)
            .where(mine, is_recent, ~is_open, is_last_event())
        )
        self._quota.check_question(
            runs=sum(row.outcome is None and not has_no_owner(row, now) for row in rows),
            questions=sum(row.started_at > minute for row in rows if row.counted),
            dollars=sum(json.loads(event).get("cost") or 0.0 for event in ended),
        )

    def _end_run(
        self,
        run_id: str,
        outcome: Outcome,
        message: str,
        at: str = "",
        unsaved: Sequence[Event] = (),
    ) -> tuple[Ended, ...]:
        """Append an `Ended` to a run and return it; nothing if it has ended or was deleted.

        Without a time, it ended with its last event.
        """
        with self._database.write_transaction() as connection:
            row = connection.execute(_select_run(run_id)).one_or_none()
            if row is None or row.outcome is not None:
                return ()
            _insert_events(connection, unsaved)
            events = load_events(connection, RUNS.c.run_id == run_id)[run_id]
            ended = make_ended_event(events, outcome, message, at or events[-1].at)
            _insert_events(connection, [ended])
            self._update_run(connection, run_id, outcome)
        return (ended,)

    def _timestamp(self, ago: timedelta = timedelta()) -> str:
        """Return the time now, or `ago`, as the database stores it."""
        return (self._now() - ago).isoformat(timespec="microseconds")


def new_conversation_id() -> str:
    """Return an id that cannot be guessed, for a conversation that may be started later."""
    return secrets.token_urlsafe(16)


def _select_run(run_id: str) -> sql.Select[Any]:
    """Select the row of a run, locked until the transaction ends (SQLite locks the database)."""
    return sql.select(RUNS).where(RUNS.c.run_id == run_id).with_for_update()


def _insert_events(connection: sql.Connection, events: Iterable[Event]) -> None:
    rows = [
        {"run_id": event.run_id, "seq": event.seq, "event": event.model_dump_json()}
        for event in events
    ]
    if rows:
        connection.execute(EVENTS.insert(), rows)


def _clean_event(event: Event) -> Event:
    """Return the event without lone surrogates, which JSON in UTF-8 cannot hold."""
    try:
        event.model_dump_json()
    except PydanticSerializationError:
        return type(event).model_validate(map_texts(event.model_dump(), replace_surrogates))
    return event
