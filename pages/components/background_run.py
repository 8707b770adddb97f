"""A run in a thread of its own, so that a rerun of the page does not end it.

The events save themselves (`Conversations.save_events`); this module only knows who follows them.
"""

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from threading import Condition, Thread
from weakref import WeakValueDictionary

from core.agent import Event

UNFOLLOWED_SECONDS = 8.0
"""How long a run continues without a follower and without its tab: enough to reload the page."""
FIRST_FOLLOWER_SECONDS = 60.0
"""How long a run waits for its first follower: with many visitors a page may be slow."""
HEARTBEAT_SECONDS = 0.25
"""Seconds between two signs of life while a run has no new event."""


class BackgroundRun:
    """Consumes the events of a run and closes them; a resumed run has its `earlier` events too.

    It continues while it has a follower or one of the tabs in `wanted` is connected. `patience` is
    how many seconds it waits for its first follower.
    """

    def __init__(
        self,
        question: str,
        events: Generator[Event, None, None],
        earlier: Sequence[Event] = (),
        patience: float = FIRST_FOLLOWER_SECONDS,
    ) -> None:
        self.question = question
        self.earlier = tuple(earlier)
        self.stopped = self.ended = False
        self.leaving = False
        """Its page was broken off; whether by a person is not known yet."""
        self.wanted: dict[str, Callable[[], bool]] = {}
        self._events: list[Event] = []
        self._changed = Condition()
        self._followers = 0
        self._alone_until = time.monotonic() + patience
        self._error: BaseException | None = None
        # A daemon, so that the program can end meanwhile: the next start marks the run as cut off.
        self.thread = Thread(target=self._consume, args=(events,), name="run", daemon=True)
        self.thread.start()

    @property
    def is_active(self) -> bool:
        """False once it was stopped, and while it may be about to be."""
        return not (self.stopped or self.leaving)

    @property
    def run_id(self) -> str | None:
        """The id of the run; None before its first event."""
        first = next(iter(self.earlier or self._events), None)
        return first.run_id if first else None

    def stop(self) -> None:
        """End the run with its next event; it is saved as stopped."""
        self.stopped = True

    def stream_events(self) -> Generator[Event | None, None, None]:
        """Yield all events as they come, and None while there is no new one.

        Close it to stop following. Raises what the run raised.
        """
        shown = 0
        with self._changed:
            self._followers += 1
        try:
            while not self.ended or shown < len(self._events):
                if shown < len(self._events):
                    yield self._events[shown]
                    shown += 1
                    continue
                yield None
                with self._changed:
                    if not self.ended and shown == len(self._events):
                        self._changed.wait(HEARTBEAT_SECONDS)
        finally:
            with self._changed:
                self._followers -= 1
                self._alone_until = time.monotonic() + UNFOLLOWED_SECONDS
        if self._error:
            raise self._error

    def _has_no_follower(self) -> bool:
        now = time.monotonic()
        if self._followers or any(connected() for connected in tuple(self.wanted.values())):
            self._alone_until = max(self._alone_until, now + UNFOLLOWED_SECONDS)
        return now > self._alone_until

    def _consume(self, events: Generator[Event, None, None]) -> None:
        try:
            with closing(events):
                for event in events:
                    _runs[event.run_id] = self
                    with self._changed:
                        self._events.append(event)
                        self._changed.notify_all()
                    if self.stopped or self._has_no_follower():
                        return
        except BaseException as error:  # noqa: BLE001  # raised again for the follower
            self._error = error
        finally:
            with self._changed:
                self.ended = True
                self._changed.notify_all()


_runs: WeakValueDictionary[str, BackgroundRun] = WeakValueDictionary()


def find_background_run(run_id: str) -> BackgroundRun | None:
    """The active run with this id in this process, from whichever tab; None if there is none."""
    run = _runs.get(run_id)
    return run if run and run.is_active and not run.ended else None
