"""Runs that did not come to an end by themselves: who works on one, whether anybody still does, and the end that it is
given. It neither reads nor writes the database.
"""

import os
import secrets
import socket
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import Any

import sqlalchemy as sql

from core.agent import DraftGrew, Ended, Event, Outcome, Run, build_ended_event
from core.errors import ScrutineerError
from core.library import Scope

ABANDONED_AFTER = timedelta(days=1)
"""Silence after which a run is given up although its owner (another host, a reused pid) cannot be asked."""
STOPPED_MESSAGE = (
    "The run was stopped before it was finished; what it had is kept. Go on with it or ask again."
)
CUT_OFF_MESSAGE = "The program ended before this run was finished; what it had is kept. Go on with it or ask again."


@dataclass(frozen=True, slots=True)
class RunEnd:
    """How a run ends that could not say so itself. `at` is an ISO time; None means that of its last event."""

    outcome: Outcome
    message: str
    at: str | None


def yield_errors(events: Iterator[Event]) -> Generator[Event | ScrutineerError, None, None]:
    """The events and, where they end in an error of ours, that error; closing this closes `events`."""
    try:
        yield from events
    except ScrutineerError as error:
        yield error


def make_ended_event(events: Sequence[Event], end: RunEnd) -> Ended:
    """The end of a run that could not say so itself, with its best draft and its counters so far."""
    run = Run.from_events(events, Scope((), ""))
    at = end.at or events[-1].at
    ended = build_ended_event(run, end.outcome, run.best_draft, _seconds(events, at))
    told = {"run_id": run.run_id, "seq": run.seq + 1, "at": at, "message": end.message}
    return ended.model_copy(update=told if run.best_draft else told | {"answer": _grown(events)})


def _grown(events: Sequence[Event]) -> str:
    """The draft that was streaming, as far as it had come."""
    draft, iteration = "", 0
    for event in events:
        if isinstance(event, DraftGrew):
            goes_on = event.iteration == iteration and not event.anew
            draft, iteration = (draft if goes_on else "") + event.text, event.iteration
    return draft


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


def owner_columns() -> dict[str, str | int]:
    """This process, as the row of a run says who works on it."""
    return {"owner": _owner(os.getpid()), "pid": os.getpid(), "host": socket.gethostname()}


@lru_cache(maxsize=1)
def _owner(pid: int) -> str:
    """A name for this process alone: its number comes again, in a restarted container at once."""
    return f"{pid}-{secrets.token_hex(16)}"


def has_no_owner(row: sql.Row[Any], now: datetime) -> bool:
    """True when nobody works on a run any more."""
    if row.owner == _owner(os.getpid()):
        return False
    if now - datetime.fromisoformat(row.updated_at) > ABANDONED_AFTER:
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
