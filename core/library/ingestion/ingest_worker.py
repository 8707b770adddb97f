"""The threads of a process that add the files of an upload queue to a library."""

import logging
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from typing import Final

from core.errors import LibraryError, ScrutineerError
from core.library.ingestion.upload_queue import UploadQueue
from core.library.storage.library import Library
from core.library.storage.vectors import count_missing_vectors, embed_clauses

CLEANUP_INTERVAL: Final = 3600.0  # seconds: what is removed is a day old
_MAX_THREADS = 2  # files that one process works on at a time

_log = logging.getLogger("scrutineer.queue")


class IngestWorker:
    """The threads of this process that work on a queue; they end when it is empty.

    Missing vectors are made in a thread of their own, and so is `on_change` called at the beginning
    and whenever clauses have changed: no file waits for them.
    """

    def __init__(
        self,
        queue: UploadQueue,
        library: Library,
        clock: Callable[[], float] = time.monotonic,
        on_change: Callable[[Library], None] | None = None,
    ) -> None:
        self.queue, self._library, self._on_change = queue, library, on_change
        self._lock = Lock()
        self._threads: list[Thread] = []
        self._clock, self._cleaned_at = clock, clock()
        self._embedded_version, self._followed_version = -1, 0
        queue.clean_up_queue()
        with suppress(LibraryError):  # the next reader of the library gets it
            library.clean_up_leftovers()

    def ensure_running(self) -> None:
        """Start threads for waiting and interrupted jobs and for missing vectors, where needed."""
        jobs = sum(job.unfinished for job in self.queue.list_jobs())
        self._start_threads("adding", self._process_jobs, min(_MAX_THREADS, jobs))
        if not jobs:
            self._start_followers()
        if self._clock() - self._cleaned_at > CLEANUP_INTERVAL:
            self._cleaned_at = self._clock()
            with suppress(LibraryError):  # the next one to enqueue a file gets it
                self.queue.clean_up_queue()

    def wait_until_idle(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while busy := [thread for thread in self._threads if thread.is_alive()]:
            if time.monotonic() > end:
                return
            busy[0].join(max(0.0, end - time.monotonic()))  # it may start another

    def _start_threads(self, name: str, work: Callable[[], None], wanted: int) -> None:
        """Start threads until as many with this name run."""
        with self._lock:
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            running = sum(thread.name == name for thread in self._threads)
            for _ in range(wanted - running):
                # Daemon threads let the program end; the next one goes on with their jobs.
                thread = Thread(target=self._run, args=(work,), name=name, daemon=True)
                self._threads.append(thread)
                thread.start()

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
        except ScrutineerError as error:  # `ensure_running` tries again
            _log.warning("The worker stopped: %s", error.message)
        finally:
            # The file is tried again, MAX_ATTEMPTS times in all.
            if (unknown := sys.exception()) is not None:
                _log.error("The worker stopped: %s", type(unknown).__name__)

    def _process_jobs(self) -> None:
        while self.queue.process_next_job(self._library):
            pass
        self._start_followers()

    def _start_followers(self) -> None:
        """Start a thread for missing vectors, and one for `on_change`, where needed."""
        self._start_threads("vectors", self._make_vectors, self._lacks_vectors())
        self._start_threads("derived", self._follow_changes, self._is_behind())

    def _follow_changes(self) -> None:
        while self._on_change is not None and self._is_behind():
            self._followed_version = self._library.version
            self._on_change(self._library)

    def _is_behind(self) -> bool:
        """True where clauses have changed since `on_change` was last called."""
        with suppress(ScrutineerError):  # the next reader of the library gets it
            return self._on_change is not None and self._library.version != self._followed_version
        return False

    def _make_vectors(self) -> None:
        self._embedded_version = self._library.version
        embed_clauses(self._library)

    def _lacks_vectors(self) -> bool:
        """True where clauses have no vectors, and making them was not tried on this version."""
        library = self._library
        with suppress(ScrutineerError):  # the next search reports it
            is_new = library.mode != "lexical" and library.version != self._embedded_version
            return is_new and count_missing_vectors(library) > 0
        return False
