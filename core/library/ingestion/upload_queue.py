"""The files that wait to be added to a library: kept on disk, worked on behind whoever gave them, told of as they go.

A file lies in the folder `queue` as its bytes and a record beside them that is replaced as a whole. Whoever works on it
holds the lock of its hash, so the same file given twice is read once; and a record that says it is being read while
nobody holds the lock is left from a process that ended, and the next one goes on with it. `ingest` decides what comes
of a file.
"""

import json
import logging
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from threading import Lock, Thread
from typing import Final, Literal, get_args

import filelock

from core.atomic_files import STALE_SECONDS, remove_stale_parts, write_atomically
from core.errors import LibraryError, ReadError
from core.library.ingestion.ingest import ProgressCallbacks, add_bytes, is_pdf
from core.library.spelling import strip_unstorable
from core.library.storage.library import Library
from core.library.types import IngestResult
from core.rulebook import decrypt_pdf

UploadState = Literal[
    "waiting", "reading", "keeping", "vectors", "added", "unchanged", "failed", "cancelled"
]
"""Keeping: the clauses are written into the library and indexed."""

MAX_THREADS: Final = 2
"""Files that one process works on at a time."""
MAX_ATTEMPTS: Final = 3
"""How often a file is begun whose reading took the whole process down with it."""
RETENTION_SECONDS: Final = 24 * 3600.0
"""Seconds for which what came of a file is told, and a file that failed can be tried again."""
CLEANUP_INTERVAL: Final = 3600.0
"""Seconds after which a process that goes on for long looks for what ended long ago."""
_LONGEST_NAME = 200  # characters
_TOLD_EVERY = 0.3  # seconds between two records of how far reading has come

_log = logging.getLogger("scrutineer.queue")


@dataclass(frozen=True, slots=True)
class UploadJob:
    """One file and what has become of it. `name` is what its sender calls it, for showing only, never a path."""

    entry_id: str
    """In order of arrival."""
    name: str
    digest: str
    """SHA-256 of its bytes: the id of the document, where it is a PDF."""
    size: int
    """Bytes."""
    person: str
    """The key of who gave it."""
    state: UploadState = "waiting"
    done: int = 0
    """Pages that are read, or clauses that have their vectors."""
    of: int = 0
    since: float = 0.0
    """When it came into the queue, or its reading began, in seconds of the epoch."""
    seconds: float = 0.0
    """How long the work took, once it has ended."""
    tries: int = 0
    document_id: str | None = None
    message: str = ""
    """Why it was not added."""
    code: str = ""
    """That of the error, where there was one."""

    @property
    def unfinished(self) -> bool:
        return self.state in ("waiting", "reading", "keeping", "vectors")

    @property
    def needs_password(self) -> bool:
        """It was refused for want of its password."""
        return self.state == "failed" and self.code == "encrypted"

    @property
    def elapsed(self) -> float:
        """Seconds that it has waited, has been worked on, or took."""
        return max(0.0, time.time() - self.since) if self.unfinished else self.seconds


class UploadQueue:
    """The files waiting in a folder. Any number of processes may give, watch, cancel and work on them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def enqueue(self, name: str, data: bytes, person: str = "") -> UploadJob:
        """Take a file that is to be added. What cannot be a PDF fails at once and is not stored.

        Raises LibraryError `unreadable` where the folder cannot be written.
        """
        entry = UploadJob(
            entry_id=f"{time.time_ns():020d}-{secrets.token_hex(4)}",
            name=" ".join(strip_unstorable(name).split())[:_LONGEST_NAME] or "file",
            digest=sha256(data).hexdigest(),
            size=len(data),
            person=person,
            since=time.time(),
        )
        if not is_pdf(data):
            wrong = "is not a PDF" if data else "is empty"
            entry = replace(
                entry, state="failed", message=f"{entry.name} {wrong}: please choose a PDF file."
            )
        if entry.unfinished:
            with self._writable():
                write_atomically(self._bytes(entry.entry_id), data)
        self._keep(entry)
        return entry

    def list_jobs(self, person: str | None = None) -> tuple[UploadJob, ...]:
        """All files, or those of a person, in order of arrival."""
        found = (_read(path) for path in sorted(self.folder.glob("*.json")))
        return tuple(entry for entry in found if entry and person in (None, entry.person))

    def can_retry(self, job: UploadJob) -> bool:
        """True for a file that failed or was cancelled and is still here."""
        return job.state in ("failed", "cancelled") and self._given(job).is_file()

    def cancel_job(self, entry_id: str) -> None:
        """End the work on a file, or let it not begin; one that is in the library already stays there."""
        entry = self._entry(entry_id)
        if entry is None or not entry.unfinished:
            return
        with self._writable():
            self._stop(entry_id).touch(mode=0o600)
        with self._alone(
            entry.digest
        ) as alone:  # nobody works on it: nobody else would note the end
            latest = self._entry(entry_id)
            if alone and latest and latest.unfinished:
                self._end(replace(latest, state="cancelled"))

    def has_cancel_request(self, entry_id: str) -> bool:
        """True from when on the work on a file is to end."""
        return self._stop(entry_id).exists()

    def retry_job(self, entry_id: str) -> None:
        """Let a file that failed or was cancelled wait again; nothing happens to another."""
        entry = self._entry(entry_id)
        if entry and self.can_retry(entry):
            with self._writable():
                self._stop(entry_id).unlink(missing_ok=True)
            self._keep(
                replace(
                    entry,
                    state="waiting",
                    since=time.time(),
                    done=0,
                    of=0,
                    tries=0,
                    message="",
                    code="",
                )
            )

    def unlock_job(self, entry_id: str, password: str) -> None:
        """Let a file that failed wait again as a copy that needs no password; the password itself is not kept.

        Raises ReadError `wrong_password`, or `damaged`.
        """
        entry = self._entry(entry_id)
        if entry and self.can_retry(entry):
            self.enqueue(
                entry.name, decrypt_pdf(self._stored(entry), entry.name, password), entry.person
            )
            self.forget_job(entry_id)

    def forget_job(self, entry_id: str) -> None:
        """Tell no more of a file whose work has ended, and let go of its bytes."""
        entry = self._entry(entry_id)
        if entry and not entry.unfinished:
            with self._writable():
                self._record(entry_id).unlink(missing_ok=True)
                self._stop(entry_id).unlink(missing_ok=True)
                self._bytes(entry_id).unlink(missing_ok=True)

    def clean_up_queue(self) -> None:
        """Forget what ended long ago, and what a process that ended in the middle of writing left."""
        for entry in self.list_jobs():
            if not entry.unfinished and time.time() - entry.since > RETENTION_SECONDS:
                self.forget_job(entry.entry_id)
        wanted = {name for entry in self.list_jobs() for name in (entry.entry_id, entry.digest)}
        remove_stale_parts(self.folder)
        for path in self.folder.glob("*"):
            left = path.suffix in (".bytes", ".lock") and path.stem not in wanted
            with suppress(OSError):  # another process may just be writing it
                if left and time.time() - path.stat().st_mtime > STALE_SECONDS:
                    path.unlink()

    def process_next_job(self, library: Library) -> bool:
        """Add the first file that nobody works on; False where there is none."""
        for entry in self.list_jobs():
            if not entry.unfinished:
                continue
            with self._alone(entry.digest) as alone:
                latest = self._entry(entry.entry_id)
                if alone and latest and latest.unfinished:
                    self._work(library, latest)
                    return True
        return False

    def _work(self, library: Library, entry: UploadJob) -> None:
        if self.has_cancel_request(entry.entry_id):
            self._end(replace(entry, state="cancelled"))
        elif entry.tries >= MAX_ATTEMPTS:
            message = f"Reading {entry.name} broke off {MAX_ATTEMPTS} times: please choose another file, or try again later."
            self._end(replace(entry, state="failed", message=message))
        else:
            self._add(library, entry)

    def _add(self, library: Library, entry: UploadJob) -> None:
        started = replace(
            entry, state="reading", done=0, of=0, since=time.time(), tries=entry.tries + 1
        )
        self._keep(started)
        try:
            data = self._stored(entry)
        except ReadError as error:
            self._end(replace(started, state="failed", message=error.message))
            return
        following = _Following(self, started)
        ended = _ended(
            started, list(add_bytes(library, data, entry.name, None, following.callbacks))
        )
        _log.info("A file of %d bytes: %s in %.1f s", ended.size, ended.state, ended.seconds)
        self._end(ended)

    def _stored(self, entry: UploadJob) -> bytes:
        """The bytes that were given. Raises ReadError where they are not there any more as they came."""
        try:
            data = self._given(entry).read_bytes()
        except FileNotFoundError as error:
            raise ReadError(
                f"{entry.name} is gone: please add it again.", code="not_found"
            ) from error
        except OSError as error:
            told = f"{entry.name} cannot be read any more ({error.strerror or error}): please add it again."
            raise ReadError(told) from error
        if sha256(data).hexdigest() != entry.digest:
            with self._writable():
                self._given(entry).unlink(missing_ok=True)
            raise ReadError(f"{entry.name} was damaged while it waited: please add it again.")
        return data

    def _end(self, entry: UploadJob) -> None:
        self._keep(entry)
        with self._writable():
            self._stop(entry.entry_id).unlink(missing_ok=True)
            if entry.state in ("added", "unchanged"):  # nothing more may be done with them
                self._bytes(entry.entry_id).unlink(missing_ok=True)

    def _keep(self, entry: UploadJob) -> None:
        with self._writable():
            write_atomically(self._record(entry.entry_id), json.dumps(asdict(entry)).encode())

    def _entry(self, entry_id: str) -> UploadJob | None:
        return _read(self._record(entry_id))

    def _record(self, entry_id: str) -> Path:
        return self.folder / f"{entry_id}.json"

    def _stop(self, entry_id: str) -> Path:
        return self.folder / f"{entry_id}.stop"

    def _bytes(self, entry_id: str) -> Path:
        """Each file its own, whoever else gives the same: the end of one takes nothing from another."""
        return self.folder / f"{entry_id}.bytes"

    def _given(self, entry: UploadJob) -> Path:
        """Its bytes, or those that an older version kept once for all who gave the same; `sweep` lets go of these."""
        own, shared = self._bytes(entry.entry_id), self.folder / f"{entry.digest}.bytes"
        return own if own.exists() or not shared.exists() else shared

    @contextmanager
    def _alone(self, digest: str) -> Iterator[bool]:
        """True for the one process and thread that may work on these bytes now."""
        lock = filelock.FileLock(self.folder / f"{digest}.lock", timeout=0, mode=0o600)
        try:
            with self._writable():
                lock.acquire()
        except filelock.Timeout:
            yield False
            return
        try:
            yield True
        finally:
            with suppress(OSError):
                Path(lock.lock_file).unlink()
            lock.release()

    @contextmanager
    def _writable(self) -> Iterator[None]:
        """Around what is written into the folder, and around nothing else."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            yield
        except filelock.Timeout:  # an OSError too
            raise
        except OSError as error:
            raise LibraryError(
                f"The folder {self.folder} cannot be written: {error.strerror or error}."
                " Check its permissions and the free space, then try again.",
                code="unreadable",
            ) from error


class IngestWorker:
    """The threads of this process that work on a queue: they begin when there is work and end with it."""

    def __init__(
        self, queue: UploadQueue, library: Library, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.queue, self._library = queue, library
        self._lock = Lock()
        self._threads: list[Thread] = []
        self._clock, self._swept = clock, clock()
        queue.clean_up_queue()
        with suppress(LibraryError):  # whoever reads the library next is told
            library.clean_up_leftovers()

    def ensure_running(self) -> None:
        """See to it that what waits is worked on, and what a process before left unfinished."""
        wanted = min(MAX_THREADS, sum(entry.unfinished for entry in self.queue.list_jobs()))
        with self._lock:
            if self._clock() - self._swept > CLEANUP_INTERVAL:
                self._swept = self._clock()
                with suppress(
                    LibraryError
                ):  # whoever adds a file next is told that the folder cannot be written
                    self.queue.clean_up_queue()
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            for _ in range(wanted - len(self._threads)):
                # A daemon, so that the program can end in the middle: the next one goes on.
                thread = Thread(target=self._work, name="adding", daemon=True)
                self._threads.append(thread)
                thread.start()

    def wait_until_idle(self, seconds: float) -> None:
        """Wait until the threads have ended, but no longer than this."""
        end = time.monotonic() + seconds
        for thread in tuple(self._threads):
            thread.join(max(0.0, end - time.monotonic()))

    def _work(self) -> None:
        try:
            while self.queue.process_next_job(self._library):
                pass
        except LibraryError as error:  # the folder cannot be written: `go_on` tries again
            _log.warning("Adding files broke off: %s", error.message)
        finally:
            if (
                unknown := sys.exception()
            ) is not None:  # the file is tried again, and given up in the end
                _log.error("Adding files broke off: %s", type(unknown).__name__)


class _Following:
    """Keeps the record of a file up to date while it is worked on."""

    def __init__(self, queue: UploadQueue, entry: UploadJob) -> None:
        self._queue, self._entry = queue, entry
        self._told = 0.0

    @property
    def callbacks(self) -> ProgressCallbacks:
        return ProgressCallbacks(
            self._on_page, self._on_keeping, self._on_vectors, self._stopping, patient=True
        )

    def _on_page(self, done: int, of: int) -> None:
        self._tell("reading", done, of)

    def _on_keeping(self) -> None:
        self._told = 0.0
        self._tell("keeping", 0, 0)

    def _on_vectors(self, done: int, of: int) -> None:
        self._tell("vectors", done, of)

    def _stopping(self) -> bool:
        return self._queue.has_cancel_request(self._entry.entry_id)

    def _tell(self, state: UploadState, done: int, of: int) -> None:
        if time.monotonic() - self._told >= _TOLD_EVERY:
            self._queue._keep(replace(self._entry, state=state, done=done, of=of))
            self._told = time.monotonic()


def _ended(entry: UploadJob, additions: list[IngestResult]) -> UploadJob:
    """The record of a file after all that came of it; a document that was added counts, whatever failed after it."""
    seconds = time.time() - entry.since
    first, troubles = (
        additions[0],
        [a.message for a in additions if a.status == "failed" and a.message],
    )
    message = " ".join(troubles)
    if first.document:
        state: UploadState = "added" if first.status == "added" else "unchanged"
        return replace(
            entry,
            state=state,
            seconds=seconds,
            document_id=first.document.document_id,
            message=message,
        )
    return replace(
        entry,
        state="cancelled" if first.code == "cancelled" else "failed",
        seconds=seconds,
        message=message,
        code=first.code or "",
    )


def _read(path: Path) -> UploadJob | None:
    """A record; None where it is gone, or is none."""
    try:
        entry = UploadJob(**json.loads(path.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None
    return entry if entry.state in get_args(UploadState) else None
