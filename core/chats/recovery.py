"""Runs that did not end by themselves: who works on one, and the `Ended` event it gets.

It neither reads nor writes the database.
"""

import os
import secrets
import socket
from collections.abc import Generator, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import Any

import sqlalchemy as sql

from core.agent import Ended, Event, Outcome, Run, build_ended_event, events as ev
from core.errors import ScrutineerError
from core.library import Scope
from core.processes import find_process

ABANDONED_AFTER = timedelta(days=1)
"""Silence after which a run is given up: its owner may be on another host, or its pid reused."""
STOPPED_MESSAGE = "Stopped. Continue or ask again."
CUT_OFF_MESSAGE = "The program ended before this run was finished. Continue or ask again."


def yield_errors(events: Iterator[Event]) -> Generator[Event | ScrutineerError, None, None]:
    """Yield the events and the ScrutineerError that ends them; closing this closes `events`."""
    try:
        yield from events
    except ScrutineerError as error:
        yield error


def make_ended_event(events: Sequence[Event], outcome: Outcome, message: str, at: str) -> Ended:
    """Return the end of an interrupted run at an ISO time, with its best draft and counters."""
    run = Run.from_events(events, Scope((), ""))
    ended = build_ended_event(run, outcome, run.best_draft, _seconds_at_work(events, at))
    fields = {"run_id": run.run_id, "seq": run.seq + 1, "at": at, "message": message}
    if not run.best_draft:
        fields["answer"] = _growing_draft(events)
    return ended.model_copy(update=fields)


def _growing_draft(events: Sequence[Event]) -> str:
    """Return the draft that was streaming, as far as it had come."""
    draft, iteration = "", 0
    for event in events:
        if isinstance(event, ev.DraftGrew):
            continues = event.iteration == iteration and not event.anew
            draft, iteration = (draft if continues else "") + event.text, event.iteration
    return draft


def _seconds_at_work(events: Sequence[Event], at: str) -> float:
    """Return the seconds of a run without those between an end and its resumption."""
    times = [(isinstance(event, Ended), event.at) for event in events] + [(True, at)]
    return sum(
        max(0.0, (_parse_utc(after) - _parse_utc(before)).total_seconds())
        for (waiting, before), (_, after) in pairwise(times)
        if not waiting and before and after
    )


def _parse_utc(time: str) -> datetime:
    return datetime.fromisoformat(time).replace(tzinfo=UTC)


def owner_columns() -> dict[str, str | int]:
    """Return the columns of a run's row that say that this process works on it."""
    return {"owner": _owner_name(os.getpid()), "pid": os.getpid(), "host": socket.gethostname()}


@lru_cache(maxsize=1)
def _owner_name(pid: int) -> str:
    """Name this process uniquely: its pid comes again, in a restarted container at once."""
    return f"{pid}-{secrets.token_hex(16)}"


def has_no_owner(row: sql.Row[Any], now: datetime) -> bool:
    """True if no process works on the run."""
    pid = os.getpid()
    if row.owner == _owner_name(pid):
        return False
    if now - datetime.fromisoformat(row.updated_at) > ABANDONED_AFTER:
        return True
    return row.host == socket.gethostname() and (row.pid == pid or find_process(row.pid) is None)
