"""A run at work in a thread of its own, so that a page drawn anew in its middle does not end it.

What it comes to is saved by the events themselves (`Conversations.keep`); here is only who follows it.
"""

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from threading import Condition, Thread
from weakref import WeakValueDictionary

from core.agent import Event

UNFOLLOWED_SECONDS = 8.0
"""Seconds that a run goes on when nobody follows it and its tab is gone: enough to load the page again."""
FIRST_FOLLOWER_SECONDS = 60.0
"""Seconds that it waits for the first who follows it: where many ask at once a page may be long in coming."""
HEARTBEAT_SECONDS = 0.25
"""Seconds between two signs of life while a run has nothing to tell."""


class BackgroundRun:
    """Works off the events of a run and closes them; of one that is gone on with, `earlier` are those of before.

    It goes on while somebody follows it, or any of the tabs in `wanted` is connected that have followed it;
    `patience` is how many seconds it waits for the first.
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
        self.stopped = False
        self.leaving = False
        """Its page has been broken off, and it is not known yet whether by a person."""
        self.wanted: dict[str, Callable[[], bool]] = {}
        self._told: list[Event] = []
        self._news = Condition()
        self.ended = False
        self._followers = 0
        self._alone_until = time.monotonic() + patience
        self._raised: BaseException | None = None
        # A daemon, so that the program can end in the middle: the next start marks the run as cut off.
        self.thread = Thread(target=self._work, args=(events,), name="run", daemon=True)
        self.thread.start()

    @property
    def is_active(self) -> bool:
        """Whether it is to be followed: not told to stop, nor about to be."""
        return not (self.stopped or self.leaving)

    @property
    def run_id(self) -> str | None:
        """The run, once it has begun."""
        first = next(iter(self.earlier or self._told), None)
        return first.run_id if first else None

    def stop(self) -> None:
        """End the run with its next event; it is saved as stopped."""
        self.stopped = True

    def stream_events(self) -> Generator[Event | None, None, None]:
        """The events from the first on, as they come; None where there is nothing new.

        To be closed by who leaves off before the end. Raises what the run has raised.
        """
        shown = 0
        with self._news:
            self._followers += 1
        try:
            while not self.ended or shown < len(self._told):
                if shown < len(self._told):
                    yield self._told[shown]
                    shown += 1
                    continue
                yield None
                self._wait(shown)
        finally:
            with self._news:
                self._followers -= 1
                self._alone_until = time.monotonic() + UNFOLLOWED_SECONDS
        if self._raised:
            raise self._raised

    def _wait(self, shown: int) -> None:
        with self._news:
            self._news.wait_for(lambda: self.ended or shown < len(self._told), HEARTBEAT_SECONDS)

    def _given_up(self) -> bool:
        now = time.monotonic()
        if self._followers or any(connected() for connected in tuple(self.wanted.values())):
            self._alone_until = max(self._alone_until, now + UNFOLLOWED_SECONDS)
        return now > self._alone_until

    def _work(self, events: Generator[Event, None, None]) -> None:
        try:
            with closing(events):
                for event in events:
                    _at_work[event.run_id] = self
                    with self._news:
                        self._told.append(event)
                        self._news.notify_all()
                    if self.stopped or self._given_up():
                        return
        except BaseException as error:  # noqa: BLE001  # raised again where the run is followed
            self._raised = error
        finally:
            with self._news:
                self.ended = True
                self._news.notify_all()


_at_work: WeakValueDictionary[str, BackgroundRun] = WeakValueDictionary()


def find_background_run(run_id: str) -> BackgroundRun | None:
    """The work that goes on with this run in this process, whichever tab began it; None where there is none."""
    work = _at_work.get(run_id)
    return work if work and work.is_active and not work.ended else None
