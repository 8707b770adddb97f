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

CLEANUP_INTERVAL: Final = 3600.0  # seconds
_MAX_THREADS = 2  # files that one process works on at a time
_PAUSE_SECONDS = 5.0  # of a process that found nothing to do, or a store that is away

_log = logging.getLogger("scrutineer.queue")


class IngestWorker:
    """The threads of this process that work on a queue; they end when it is empty."""

    def __init__(
        self, queue: UploadQueue, library: Library, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.queue, self._library = queue, library
        self._lock = Lock()
        self._threads: list[Thread] = []
        self._clock, self._cleaned_at = clock, clock()
        self._embedded_version = -1
        queue.clean_up_queue()
        with suppress(LibraryError):  # the next reader of the library gets it
            library.clean_up_leftovers()

    def ensure_running(self) -> None:
        """Start threads for waiting and interrupted jobs and for missing vectors, where needed."""
        jobs = sum(job.unfinished for job in self.queue.list_jobs())
        wanted = min(_MAX_THREADS, jobs or self._lacks_vectors())
        with self._lock:
            if self._clock() - self._cleaned_at > CLEANUP_INTERVAL:
                self._cleaned_at = self._clock()
                with suppress(LibraryError):  # the next one to enqueue a file gets it
                    self.queue.clean_up_queue()
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            for _ in range(wanted - len(self._threads)):
                # Daemon threads let the program end; the next one goes on with their jobs.
                thread = Thread(target=self._process_jobs, name="adding", daemon=True)
                self._threads.append(thread)
                thread.start()

    def wait_until_idle(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        for thread in tuple(self._threads):
            thread.join(max(0.0, end - time.monotonic()))

    def _lacks_vectors(self) -> bool:
        """True where clauses have no vectors, and making them was not tried on this version."""
        library = self._library
        with suppress(ScrutineerError):  # the next search reports it
            is_new = library.mode != "lexical" and library.version != self._embedded_version
            return is_new and count_missing_vectors(library) > 0
        return False

    def _process_jobs(self) -> None:
        try:
            while self.queue.process_next_job(self._library):
                pass
            if self._lacks_vectors():
                self._embedded_version = self._library.version
                embed_clauses(self._library)
        except ScrutineerError as error:  # `ensure_running` tries again
            _log.warning("The worker stopped: %s", error.message)
        finally:
            # The file is tried again, MAX_ATTEMPTS times in all.
            if (unknown := sys.exception()) is not None:
                _log.error("The worker stopped: %s", type(unknown).__name__)


def drain_queue(queue: UploadQueue, library: Library, forever: bool = False) -> None:
    """Add all files of a queue; `forever`, wait for more of them.

    A store or a database that is away is waited for. Raises other ScrutineerErrors.
    """
    waits = True
    while waits:
        try:
            if queue.process_next_job(library):
                continue
            waits = forever
        except LibraryError as error:
            if error.code not in ("away", "chats", "locked"):
                raise
            _log.warning("The worker waits: %s", error.message)
        if waits:
            time.sleep(_PAUSE_SECONDS)
