"""The runs that this process works on. Each has a thread of its own, which no page can end.

The row of a run is written before `start` or `resume` returns, so a page that is drawn next, in any
tab, finds the run in the database and follows it here.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from threading import Event as Flag, RLock, Thread

from core.agent import Event
from core.chats.conversations import Conversations
from core.chats.queries import SavedRun
from core.errors import ScrutineerError
from core.logs import log_failure

WAIT_SECONDS = 0.2
"""Seconds between two looks at what a run waits for."""

RUNS_A_LOOK = 8
"""Active runs of a process from which on a page looks less often at its own."""

LONGEST_LOOK = 2.0
"""Seconds of a look at most: a click waits for its end."""

Begin = Callable[["ActiveRun | None"], tuple[Iterator[Event], Iterable[str]]]
"""Returns the events of a new run and what it waits for first, given the run before it at work."""


class ActiveRun:
    """A run at work. Any thread may read its events, wait for its end, or stop it."""

    def __init__(
        self,
        conversation_id: str,
        events: Generator[Event, None, None],
        earlier: Sequence[Event] = (),
        waits: Iterable[str] = (),
    ) -> None:
        self.conversation_id = conversation_id
        self.waiting = ""
        """What it waits for; empty once it works."""
        self.error: ScrutineerError | None = None
        """Why its end could not be saved."""
        self._events = [*earlier, next(events)]
        self._stop, self._end = Flag(), Flag()
        # A daemon, so that the program can end meanwhile: the next start marks the run as cut off.
        Thread(target=self._work, args=(events, waits), name="run", daemon=True).start()

    @property
    def run_id(self) -> str:
        return self._events[0].run_id

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far; a resumed run has its earlier ones first."""
        return tuple(self._events)

    @property
    def is_stopping(self) -> bool:
        return self._stop.is_set()

    @property
    def has_ended(self) -> bool:
        return self._end.is_set()

    def stop(self) -> None:
        """End the run with its next event; it is saved as stopped."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Wait for the end at most so long; True if it has ended."""
        return self._end.wait(seconds)

    def _work(self, events: Generator[Event, None, None], waits: Iterable[str]) -> None:
        try:
            with closing(events):
                for self.waiting in waits:
                    if self._stop.wait(WAIT_SECONDS):
                        return
                self.waiting = ""
                for event in events:
                    self._events.append(event)
                    if self._stop.is_set():
                        return
        except ScrutineerError as error:
            self.error = error
        except Exception as error:  # noqa: BLE001  # nobody is above this thread
            log_failure(error)
        finally:
            self._end.set()


class ActiveRuns:
    """The registry of active runs: one for a process, for any number of threads."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._runs: list[ActiveRun] = []

    def start(
        self, chats: Conversations, conversation_id: str, question: str, after: str, begin: Begin
    ) -> None:
        """Start a run on a question in a conversation, which is made if there is none.

        `after` is the id of the run that was last when the question was asked, else "": the same
        question after the same run is a second click and starts nothing. Raises ScrutineerError if
        the question may not be asked.
        """
        with self._lock:
            states = chats.list_run_states(conversation_id)
            known = next((n for n, run in enumerate(states, 1) if run.run_id == after), 0)
            if any(run.question == question.strip() for run in states[known:]):
                return
            chats.check_question()
            events, waits = begin(next(iter(reversed(self.follow(conversation_id))), None))
            if not states:
                chats.start_conversation(question, conversation_id)
            saved = chats.save_events(conversation_id, events)
            self._register(ActiveRun(conversation_id, saved, waits=waits))

    def resume(
        self,
        chats: Conversations,
        run_id: str,
        seq: int,
        begin: Callable[[SavedRun], Iterator[Event]],
    ) -> None:
        """Resume a run. Nothing happens if `seq` is not its last event: it was decided already.

        Raises ScrutineerError if it cannot be resumed.
        """
        with self._lock:
            run = chats.find_run(run_id)
            if run is None or run.outcome is None or run.events[-1].seq != seq:
                return
            saved = chats.save_events(run.conversation_id, begin(run))
            self._register(ActiveRun(run.conversation_id, saved, run.events))

    def follow(self, conversation_id: str) -> tuple[ActiveRun, ...]:
        """Return the active runs of a conversation, oldest first."""
        return tuple(
            run
            for run in tuple(self._runs)
            if run.conversation_id == conversation_id and not run.has_ended
        )

    def wait_for_end(self, conversation_id: str, seconds: float) -> None:
        """Wait for the end of the oldest active run of a conversation, at most so many seconds.

        With more than RUNS_A_LOOK runs at work it is longer: to look at each as often
        as at a single one would take a busy server the time that the runs need.
        """
        active = sum(not run.has_ended for run in tuple(self._runs))
        for run in self.follow(conversation_id)[:1]:
            run.wait(min(seconds * max(1.0, active / RUNS_A_LOOK), LONGEST_LOOK))

    def find_error(self, conversation_id: str) -> ScrutineerError | None:
        """Return why the last run of a conversation could not be saved, if so."""
        own = [run for run in tuple(self._runs) if run.conversation_id == conversation_id]
        return own[-1].error if own else None

    def _register(self, added: ActiveRun) -> None:
        same = added.conversation_id
        kept = (
            run
            for run in self._runs
            if not run.has_ended or (run.error and run.conversation_id != same)
        )
        self._runs = [*kept, added]
