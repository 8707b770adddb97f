"""A queue on disk of files to be added to a library, and the worker threads that process it.

A job is a file's bytes and a JSON record in the folder `queue`. Whoever processes it locks the hash
of the bytes, so a file that was queued twice is read once. A record in the state `reading` whose
lock is free was left by a process that ended; the next worker goes on with it.
"""

import json
import logging
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Lock, Thread
from typing import Final, Literal, get_args

import filelock

from core.atomic_files import STALE_SECONDS, remove_stale_parts, write_atomically
from core.errors import LibraryError, ReadError, ScrutineerError
from core.library.ingestion.ingest import IngestControl, add_bytes, is_pdf
from core.library.spelling import strip_unstorable
from core.library.storage.library import Library
from core.library.storage.vectors import count_missing_vectors, embed_clauses
from core.library.types import IngestResult
from core.rulebook import OnProgress, Progress, decrypt_pdf

UploadState = Literal[
    "waiting", "reading", "keeping", "vectors", "added", "unchanged", "failed", "cancelled"
]
"""A stored field. `keeping`: clauses are stored and indexed; `vectors`: they are embedded."""
_STAGE_STATES: Final[dict[str, UploadState]] = {
    "reading": "reading",
    "storing": "keeping",
    "embedding": "vectors",
}
_STAGE_SHARES = {"reading": (0.0, 0.8), "keeping": (0.8, 0.85), "vectors": (0.85, 1.0)}
"""Where the progress of a stage begins and ends. Most of the time is reading; without vectors, a
job ends after the second."""
_UNFINISHED = ("waiting", "reading", "keeping", "vectors")

MAX_ATTEMPTS: Final = 3  # for a file that takes the process down with it
CLEANUP_INTERVAL: Final = 3600.0  # seconds
_MAX_THREADS = 2  # files that one process works on at a time
_RETENTION_SECONDS = 24 * 3600.0  # in which a finished job is listed, a failed one can be retried
_MAX_NAME_LENGTH = 200  # characters
_RECORD_INTERVAL = 0.3  # seconds between two records of progress in one stage

_log = logging.getLogger("scrutineer.queue")


@dataclass(frozen=True, slots=True)
class UploadJob:
    """A file in the queue. `name` is what its sender calls it, for display only, never a path."""

    entry_id: str  # sorts by arrival
    name: str
    digest: str  # SHA-256 of the bytes, which is the document id of a PDF
    size: int  # bytes
    person: str  # the key of the sender
    state: UploadState = "waiting"
    done: int = 0  # pages read, or clauses embedded, out of `of`
    of: int = 0
    since: float = 0.0  # start of the waiting or of the work, in seconds since the epoch
    seconds: float = 0.0  # duration of the work, once it has ended
    tries: int = 0
    document_id: str | None = None
    message: str = ""  # why it was not added
    code: str = ""  # of the error

    @property
    def unfinished(self) -> bool:
        return self.state in _UNFINISHED

    @property
    def progress(self) -> float:
        """The part of the work that is done, over all its stages, from 0 to 1."""
        begin, end = _STAGE_SHARES.get(self.state, (0.0, 0.0))
        return begin + (end - begin) * (min(self.done / self.of, 1.0) if self.of else 0.0)

    @property
    def needs_password(self) -> bool:
        return self.state == "failed" and self.code == "encrypted"

    @property
    def elapsed(self) -> float:
        """Seconds of waiting, or of the work so far or in total."""
        return max(0.0, time.time() - self.since) if self.unfinished else self.seconds


class UploadQueue:
    """The jobs in a folder, which any number of processes may add, list, cancel and process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def enqueue(self, name: str, data: bytes, person: str = "") -> UploadJob:
        """Add a file to the queue. What cannot be a PDF fails at once and is not stored.

        Raises LibraryError `unreadable` where the folder cannot be written.
        """
        job = UploadJob(
            entry_id=f"{time.time_ns():020d}-{secrets.token_hex(4)}",
            name=" ".join(strip_unstorable(name).split())[:_MAX_NAME_LENGTH] or "file",
            digest=sha256(data).hexdigest(),
            size=len(data),
            person=person,
            since=time.time(),
        )
        if is_pdf(data):
            with self._writable():
                write_atomically(self._path(job.entry_id, "bytes"), data)
        else:
            reason = "is not a PDF" if data else "is empty"
            message = f"{job.name} {reason}: please choose a PDF file."
            job = replace(job, state="failed", message=message)
        self._write(job)
        return job

    def list_jobs(self, person: str | None = None) -> tuple[UploadJob, ...]:
        """Return all jobs, or those of a person, in order of arrival."""
        jobs = map(_read_record, sorted(self.folder.glob("*.json")))
        return tuple(job for job in jobs if job and person in (None, job.person))

    def can_retry(self, job: UploadJob) -> bool:
        """True for a failed or cancelled job whose bytes are still there."""
        return job.state in ("failed", "cancelled") and self._bytes_path(job).is_file()

    def cancel_job(self, entry_id: str) -> None:
        """Stop the work on a file or prevent it; a document that is added already stays."""
        job = self._read(entry_id)
        if job and job.unfinished:
            with self._writable():
                self._path(entry_id, "stop").touch(mode=0o600)
            with self.claim_job(job) as claimed:  # else its worker notices the request
                if claimed:
                    self._finish(replace(claimed, state="cancelled"))

    def has_cancel_request(self, entry_id: str) -> bool:
        return self._path(entry_id, "stop").exists()

    def retry_job(self, entry_id: str) -> None:
        """Reset a job that `can_retry` to waiting."""
        job = self._read(entry_id)
        if job and self.can_retry(job):
            with self._writable():
                self._path(entry_id, "stop").unlink(missing_ok=True)
            reset = replace(job, state="waiting", since=time.time(), done=0, of=0)
            self._write(replace(reset, tries=0, message="", code=""))

    def unlock_job(self, entry_id: str, password: str) -> None:
        """Replace a failed job by one with a copy of the file that needs no password.

        The password is not stored. Raises ReadError `wrong_password`, or `damaged`.
        """
        job = self._read(entry_id)
        if job and self.can_retry(job):
            unlocked = decrypt_pdf(self._load_bytes(job), job.name, password)
            self.enqueue(job.name, unlocked, job.person)
            self.forget_job(entry_id)

    def forget_job(self, entry_id: str) -> None:
        """Remove a finished job with its bytes."""
        job = self._read(entry_id)
        if job and not job.unfinished:
            with self._writable():
                for suffix in ("json", "stop", "bytes"):
                    self._path(entry_id, suffix).unlink(missing_ok=True)

    def clean_up_queue(self) -> None:
        """Remove jobs that finished long ago, and the remains of interrupted writes."""
        for job in self.list_jobs():
            if not job.unfinished and time.time() - job.since > _RETENTION_SECONDS:
                self.forget_job(job.entry_id)
        self._remove_unused_files()

    def _remove_unused_files(self) -> None:
        wanted = {name for job in self.list_jobs() for name in (job.entry_id, job.digest)}
        remove_stale_parts(self.folder)
        for path in self.folder.glob("*"):
            unused = path.suffix in (".bytes", ".lock") and path.stem not in wanted
            with suppress(OSError):  # another process may be writing it
                if unused and time.time() - path.stat().st_mtime > STALE_SECONDS:
                    path.unlink()

    def process_next_job(self, library: Library) -> bool:
        """Add the first file that nobody works on; return False where there is none."""
        for job in self.list_jobs():
            if job.unfinished:
                with self.claim_job(job) as claimed:
                    if claimed:
                        self._process(library, claimed)
                        return True
        return False

    def _process(self, library: Library, job: UploadJob) -> None:
        should_stop = partial(self.has_cancel_request, job.entry_id)
        if should_stop():
            self._finish(replace(job, state="cancelled"))
            return
        try:
            if job.tries >= MAX_ATTEMPTS:
                message = f"Reading {job.name} broke off {MAX_ATTEMPTS} times:"
                raise ReadError(f"{message} please choose another file, or try again later.")
            tries = job.tries + 1
            job = replace(job, state="reading", done=0, of=0, since=time.time(), tries=tries)
            self._write(job)
            data = self._load_bytes(job)
        except ReadError as error:
            self._finish(replace(job, state="failed", message=error.message))
            return
        control = IngestControl(self._progress_recorder(job), should_stop, patient=True)
        job = _with_outcome(job, list(add_bytes(library, data, job.name, None, control)))
        _log.info("A file of %d bytes: %s in %.1f s", job.size, job.state, job.seconds)
        self._finish(job)

    def _progress_recorder(self, job: UploadJob) -> OnProgress:
        """Return a callback that records progress at the start of a stage and every 0.3 s."""
        recorded = "", 0.0

        def record(progress: Progress) -> None:
            nonlocal recorded
            stage, moment = recorded
            if progress.stage != stage or time.monotonic() - moment >= _RECORD_INTERVAL:
                state = _STAGE_STATES[progress.stage]
                self._write(replace(job, state=state, done=progress.done, of=progress.total))
                recorded = progress.stage, time.monotonic()

        return record

    def _load_bytes(self, job: UploadJob) -> bytes:
        """Return the bytes of a job. Raises ReadError where they are gone or changed."""
        path = self._bytes_path(job)
        try:
            data = path.read_bytes()
        except OSError as error:
            gone = isinstance(error, FileNotFoundError)
            problem = "is gone" if gone else f"can no longer be read ({error.strerror or error})"
            code = "not_found" if gone else None
            raise ReadError(f"{job.name} {problem}: please add it again.", code=code) from error
        if sha256(data).hexdigest() != job.digest:
            with self._writable():
                path.unlink(missing_ok=True)
            raise ReadError(f"{job.name} was damaged while it waited: please add it again.")
        return data

    def _finish(self, job: UploadJob) -> None:
        self._write(job)
        with self._writable():
            self._path(job.entry_id, "stop").unlink(missing_ok=True)
            if job.state in ("added", "unchanged"):  # they cannot be retried
                self._path(job.entry_id, "bytes").unlink(missing_ok=True)

    def _write(self, job: UploadJob) -> None:
        with self._writable():
            write_atomically(self._path(job.entry_id, "json"), json.dumps(asdict(job)).encode())

    def _read(self, entry_id: str) -> UploadJob | None:
        return _read_record(self._path(entry_id, "json"))

    def _path(self, entry_id: str, suffix: Literal["json", "bytes", "stop"]) -> Path:
        return self.folder / f"{entry_id}.{suffix}"

    def _bytes_path(self, job: UploadJob) -> Path:
        """Return the file of the bytes.

        Version 0.1 shared one file, named by its hash, between all jobs with the same bytes.
        """
        own, shared = self._path(job.entry_id, "bytes"), self.folder / f"{job.digest}.bytes"
        return own if own.exists() or not shared.exists() else shared

    @contextmanager
    def claim_job(self, job: UploadJob) -> Iterator[UploadJob | None]:
        """Lock a job's bytes; give its latest record, None if it ended or others work on it."""
        lock = filelock.FileLock(self.folder / f"{job.digest}.lock", timeout=0, mode=0o600)
        try:
            with self._writable():
                lock.acquire()
        except filelock.Timeout:
            yield None
            return
        try:
            latest = self._read(job.entry_id)
            yield latest if latest and latest.unfinished else None
        finally:
            with suppress(OSError):
                Path(lock.lock_file).unlink()
            lock.release()

    @contextmanager
    def _writable(self) -> Iterator[None]:
        """Convert errors of a write into the folder; for nothing else."""
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
    """The threads of this process that work on a queue; they end when it is empty.

    Missing vectors are made in a thread of their own: no file waits for them.
    """

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
        self._start("adding", self._process_jobs, min(_MAX_THREADS, jobs))
        if not jobs:
            self._start("vectors", self._make_vectors, self._lacks_vectors())
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

    def _start(self, name: str, work: Callable[[], None], wanted: int) -> None:
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
        self._start("vectors", self._make_vectors, self._lacks_vectors())

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


def _with_outcome(job: UploadJob, results: list[IngestResult]) -> UploadJob:
    """Finish a job with its results; the first one is the document's, later ones are warnings."""
    first = results[0]
    return replace(
        job,
        state="cancelled" if first.code == "cancelled" else first.status,
        seconds=time.time() - job.since,
        document_id=first.document.document_id if first.document else None,
        message=" ".join(result.message for result in results if result.message),
        code=first.code or "",
    )


def _read_record(path: Path) -> UploadJob | None:
    """Return the job of a record, None where it is missing or damaged."""
    try:
        job = UploadJob(**json.loads(path.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None
    return job if job.state in get_args(UploadState) else None
