"""The queue of files to be added to a library, which any number of processes fill and drain.

A job is a row of the SQL database, and whoever works on it holds a lease on it. A job in the state
`reading` whose lease is free was left by a process that ended; the next one goes on with it.
"""

import json
import logging
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, get_args

import sqlalchemy as sql

from core.database import CleanText, EpochNow, SqlDatabase
from core.errors import LibraryError, ReadError
from core.leases import Lease, Leases, lease_columns
from core.library.ingestion.ingest import IngestControl, add_bytes, is_pdf, is_word
from core.library.spelling import strip_unstorable
from core.library.storage.library import Library
from core.library.types import IngestResult
from core.rulebook import OnProgress, Progress, decrypt_pdf
from core.settings import Settings

UploadState = Literal[
    "waiting", "reading", "keeping", "scans", "vectors", "added", "unchanged", "failed", "cancelled"
]
"""A stored field. `keeping`: clauses are stored and indexed; `scans`: pages that are images are
read; `vectors`: clauses are embedded."""
_STAGE_SHARES = {
    "reading": (0.0, 0.75),
    "keeping": (0.75, 0.8),
    "scans": (0.8, 0.85),
    "vectors": (0.85, 1.0),
}
"""Where the progress of a stage begins and ends. Most of the time is reading; a job ends before the
stages that it does not need."""
UNFINISHED: Final = ("waiting", "reading", "keeping", "scans", "vectors")
METADATA = sql.MetaData()
JOBS = sql.Table(
    "upload_jobs",
    METADATA,
    sql.Column("entry_id", CleanText, primary_key=True),
    sql.Column("name", CleanText, nullable=False),
    sql.Column("digest", CleanText, nullable=False),
    sql.Column("size", sql.BigInteger, nullable=False),
    sql.Column("person", CleanText, nullable=False, index=True),
    sql.Column("state", CleanText, nullable=False, index=True),
    sql.Column("done", sql.Integer, nullable=False),
    sql.Column("of", sql.Integer, nullable=False),
    sql.Column("since", sql.Float, nullable=False),
    sql.Column("seconds", sql.Float, nullable=False),
    sql.Column("tries", sql.Integer, nullable=False),
    sql.Column("document_id", CleanText),
    sql.Column("message", CleanText, nullable=False),
    sql.Column("code", CleanText, nullable=False),
    # 1 once somebody asked to stop the work on it.
    sql.Column("stop", sql.Integer, nullable=False, server_default="0"),
    # The rulebook on which its rulings are; empty for a file of rules.
    sql.Column("interprets", CleanText, nullable=False, server_default=""),
    *lease_columns(),
)
JOB_FILES = sql.Table(
    "upload_files",
    METADATA,
    # In a table of its own, as SQLite writes a row as a whole with each change.
    sql.Column(
        "entry_id",
        CleanText,
        sql.ForeignKey("upload_jobs.entry_id", ondelete="CASCADE"),
        primary_key=True,
    ),
    sql.Column("data", sql.LargeBinary, nullable=False),
)
_STAGE_STATES: Final[dict[str, UploadState]] = {
    "reading": "reading",
    "storing": "keeping",
    "scans": "scans",
    "embedding": "vectors",
}
MAX_ATTEMPTS: Final = 3  # for a file that takes the process down with it
_RETENTION_SECONDS = 24 * 3600.0  # in which a finished job is listed, a failed one can be retried
_PAUSE_SECONDS = 5.0  # of a process that found nothing to do, or a store that is away
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
    interprets: str = ""  # the id of the rulebook that its rulings are on

    @property
    def unfinished(self) -> bool:
        return self.state in UNFINISHED

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


_JOB = sql.select(*(JOBS.c[field.name] for field in fields(UploadJob)))


class UploadDatabase(SqlDatabase):
    """The tables of the queue. Missing ones are created."""

    metadata = METADATA
    content = "waiting documents"


def read_folder_jobs(folder: Path) -> Iterator[tuple[UploadJob, bytes, tuple[Path, ...]]]:
    """Yield the jobs that versions up to 0.2 kept in a folder, with their bytes and files.

    Version 0.1 shared one file of bytes, named by its hash, between all jobs with the same bytes.
    """
    for record in sorted(folder.glob("*.json")):
        own = record.with_suffix(".bytes")
        with suppress(OSError, ValueError, TypeError):  # damaged: it cannot be known what waited
            job = UploadJob(**json.loads(record.read_bytes()))
            if job.state in get_args(UploadState):
                shared = folder / f"{job.digest}.bytes"
                paths = [path for path in (own, shared) if path.is_file()]
                yield job, paths[0].read_bytes() if paths else b"", (record, own)


class UploadQueue:
    """The jobs in a database. Every method raises LibraryError `chats` where it cannot be used."""

    def __init__(self, url: str) -> None:
        self.database = UploadDatabase(url)
        self._leases = Leases(self.database, JOBS)

    @classmethod
    def open(cls, settings: Settings) -> "UploadQueue":
        """Open the queue that the settings name, with what an earlier version left in a folder."""
        queue = cls(settings.conversations_url)
        with suppress(OSError):  # the folder may only be read: what waits there waits on
            queue.adopt_folder(settings.data_dir / "queue")
        return queue

    def enqueue(self, name: str, data: bytes, person: str = "", interprets: str = "") -> UploadJob:
        """Add a file to the queue. What cannot be PDF or Word fails at once and is not stored.

        Rulings, which `interprets` a rulebook by its id, may be a table too.
        """
        job = UploadJob(
            entry_id=f"{time.time_ns():020d}-{secrets.token_hex(4)}",
            name=" ".join(strip_unstorable(name).split())[:200] or "file",
            digest=sha256(data).hexdigest(),
            size=len(data),
            person=person,
            since=time.time(),
            interprets=interprets,
        )
        if not (is_pdf(data) or is_word(data) or (interprets and data)):
            reason = "is neither a PDF nor a Word file" if data else "is empty"
            message = f"{job.name} {reason}: please choose another file."
            job, data = replace(job, state="failed", message=message), b""
        with self.database.write_transaction() as connection:
            _insert(connection, job, data)
        return job

    def adopt_folder(self, folder: Path) -> None:
        """Move the jobs into the database that an earlier version kept in a folder."""
        for job, data, files in read_folder_jobs(folder):
            with self.database.write_transaction() as connection:
                known = sql.select(JOBS.c.entry_id).where(JOBS.c.entry_id == job.entry_id)
                if connection.scalar(known) is None:
                    _insert(connection, job, data)
            for file in files:
                file.unlink(missing_ok=True)

    def list_jobs(self, person: str | None = None) -> tuple[UploadJob, ...]:
        """Return all jobs, or those of a person, in order of arrival."""
        query = _JOB.order_by(JOBS.c.entry_id)
        if person is not None:
            query = query.where(JOBS.c.person == person)
        return tuple(UploadJob(**row._mapping) for row in self.database.fetch(query))

    def refresh_jobs(self, jobs: Sequence[UploadJob]) -> list[UploadJob]:
        """Return these jobs as they are now, without those that were forgotten."""
        known = {job.entry_id: job for job in self.list_jobs()} if jobs else {}
        return [known[job.entry_id] for job in jobs if job.entry_id in known]

    def can_retry(self, job: UploadJob) -> bool:
        """True for a failed or cancelled job whose bytes are still there."""
        held = sql.select(JOB_FILES.c.entry_id).where(JOB_FILES.c.entry_id == job.entry_id)
        return job.state in ("failed", "cancelled") and bool(self.database.fetch(held))

    def cancel_job(self, entry_id: str) -> None:
        """Stop the work on a file or prevent it; a document that is added already stays."""
        is_open = sql.and_(JOBS.c.entry_id == entry_id, JOBS.c.state.in_(UNFINISHED))
        self.database.execute(JOBS.update().where(is_open).values(stop=1))
        if lease := self._leases.claim(is_open):  # else its worker notices the request
            lease.release(state="cancelled", stop=0)

    def has_cancel_request(self, entry_id: str) -> bool:
        row = self.database.fetch(sql.select(JOBS.c.stop).where(JOBS.c.entry_id == entry_id))
        return not row or bool(row[0].stop)

    def retry_job(self, entry_id: str) -> None:
        """Reset a job that `can_retry` to waiting."""
        job = self._find_job(entry_id)
        if job and self.can_retry(job):
            reset = replace(job, state="waiting", since=time.time(), done=0, of=0)
            values = asdict(replace(reset, tries=0, message="", code="")) | {"stop": 0}
            self.database.execute(JOBS.update().where(_is_job(entry_id)).values(values))

    def unlock_job(self, entry_id: str, password: str) -> None:
        """Replace a failed job by one with a copy of the file that needs no password.

        The password is not stored. Raises ReadError `wrong_password`, or `damaged`.
        """
        job = self._find_job(entry_id)
        if job and self.can_retry(job):
            unlocked = decrypt_pdf(self._load_bytes(job), job.name, password)
            self.enqueue(job.name, unlocked, job.person, job.interprets)
            self.forget_job(entry_id)

    def forget_job(self, entry_id: str) -> None:
        """Remove a finished job with its bytes."""
        ended = JOBS.c.state.not_in(UNFINISHED)
        self.database.execute(JOBS.delete().where(_is_job(entry_id), ended))

    def clean_up_queue(self) -> None:
        """Remove jobs that finished long ago."""
        is_old = JOBS.c.since < time.time() - _RETENTION_SECONDS
        ended = JOBS.c.state.not_in(UNFINISHED)
        self.database.execute(JOBS.delete().where(ended, is_old))

    def claim_job(self) -> Lease | None:
        """Take the first unfinished job that nobody works on; None where there is none.

        The same bytes are not worked on twice at a time.
        """
        others = JOBS.alias()
        is_read = sql.and_(others.c.digest == JOBS.c.digest, others.c.held_until > EpochNow())
        busy = sql.select(others.c.entry_id).where(is_read, others.c.entry_id != JOBS.c.entry_id)
        return self._leases.claim(sql.and_(JOBS.c.state.in_(UNFINISHED), ~busy.exists()))

    def process_next_job(self, library: Library) -> bool:
        """Add the first file that nobody works on; return False where there is none.

        Raises LibraryError `away` where the library's store does not answer; the file waits on.
        """
        lease = self.claim_job()
        if lease is None:
            return False
        job = self._find_job(lease.key)
        if job is not None:
            with lease.keep():
                self._process(library, job, lease)
        return True

    def drain(self, library: Library, forever: bool = False) -> None:
        """Add all files of the queue; `forever`, wait for more of them.

        A store or a database that is away is waited for. Raises other ScrutineerErrors.
        """
        waits = True
        while waits:
            try:
                if self.process_next_job(library):
                    continue
                waits = forever
            except LibraryError as error:
                if error.code not in ("away", "chats", "locked"):
                    raise
                _log.warning("The worker waits: %s", error.message)
            if waits:
                time.sleep(_PAUSE_SECONDS)

    def _process(self, library: Library, job: UploadJob, lease: Lease) -> None:
        should_stop = partial(self.has_cancel_request, job.entry_id)
        if should_stop():
            self._finish(lease, replace(job, state="cancelled"))
            return
        try:
            if job.tries >= MAX_ATTEMPTS:
                message = f"Reading {job.name} broke off {MAX_ATTEMPTS} times:"
                raise ReadError(f"{message} please choose another file, or try again later.")
            before = job
            tries = job.tries + 1
            job = replace(job, state="reading", done=0, of=0, since=time.time(), tries=tries)
            lease.update(**asdict(job))
            data = self._load_bytes(job)
        except ReadError as error:
            self._finish(lease, replace(job, state="failed", message=error.message))
            return
        control = IngestControl(_progress_recorder(lease), should_stop, patient=True)
        results = list(
            add_bytes(
                library, data, job.name, None, control, (job.interprets,) * bool(job.interprets)
            )
        )
        if halted := next((one for one in results if one.code in ("away", "locked")), None):
            lease.release(**asdict(replace(before, state="waiting")))
            raise LibraryError(halted.message or "", code=str(halted.code))
        job = _with_outcome(job, results)
        _log.info("A file of %d bytes: %s in %.1f s", job.size, job.state, job.seconds)
        self._finish(lease, job)

    def _load_bytes(self, job: UploadJob) -> bytes:
        """Return the bytes of a job. Raises ReadError where they are gone or changed."""
        query = sql.select(JOB_FILES.c.data).where(JOB_FILES.c.entry_id == job.entry_id)
        rows = self.database.fetch(query)
        if not rows:
            raise ReadError(f"{job.name} is gone: please add it again.", code="not_found")
        data: bytes = rows[0].data
        if sha256(data).hexdigest() != job.digest:
            self._drop_bytes(job)
            raise ReadError(f"{job.name} was damaged while it waited: please add it again.")
        return data

    def _finish(self, lease: Lease, job: UploadJob) -> None:
        if lease.release(**asdict(job), stop=0) and job.state in ("added", "unchanged"):
            self._drop_bytes(job)  # it cannot be retried

    def _drop_bytes(self, job: UploadJob) -> None:
        self.database.execute(JOB_FILES.delete().where(JOB_FILES.c.entry_id == job.entry_id))

    def _find_job(self, entry_id: str) -> UploadJob | None:
        rows = self.database.fetch(_JOB.where(_is_job(entry_id)))
        return UploadJob(**rows[0]._mapping) if rows else None


def _insert(connection: sql.Connection, job: UploadJob, data: bytes) -> None:
    connection.execute(JOBS.insert().values(asdict(job)))
    if data:
        connection.execute(JOB_FILES.insert().values(entry_id=job.entry_id, data=data))


def _is_job(entry_id: str) -> sql.ColumnElement[bool]:
    return JOBS.c.entry_id == entry_id


def _progress_recorder(lease: Lease) -> OnProgress:
    """Return a callback that records progress at the start of a stage and every 0.3 s."""
    recorded = "", 0.0

    def record(progress: Progress) -> None:
        nonlocal recorded
        stage, moment = recorded
        if progress.stage != stage or time.monotonic() - moment >= 0.3:
            state = _STAGE_STATES[progress.stage]
            lease.update(state=state, done=progress.done, of=progress.total)
            recorded = progress.stage, time.monotonic()

    return record


def _with_outcome(job: UploadJob, results: Sequence[IngestResult]) -> UploadJob:
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
