"""The files that wait to be added to a library, as values and as rows of the SQL database."""

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final, Literal, get_args

import sqlalchemy as sql

from core.database import CleanText, SqlDatabase
from core.leases import lease_columns

UploadState = Literal[
    "waiting", "reading", "keeping", "vectors", "added", "unchanged", "failed", "cancelled"
]
"""A stored field. `keeping`: clauses are stored and indexed; `vectors`: they are embedded."""
_STAGE_SHARES = {"reading": (0.0, 0.8), "keeping": (0.8, 0.85), "vectors": (0.85, 1.0)}
"""Where the progress of a stage begins and ends. Most of the time is reading; without vectors, a
job ends after the second."""
UNFINISHED: Final = ("waiting", "reading", "keeping", "vectors")


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
JOB_COLUMNS = tuple(JOBS.c[field.name] for field in fields(UploadJob))


class UploadDatabase(SqlDatabase):
    """The tables of the queue. Missing ones are created."""

    metadata = METADATA
    content = "waiting documents"


def job_from_row(row: sql.Row[Any]) -> UploadJob:
    return UploadJob(**row._mapping)


def job_values(job: UploadJob) -> dict[str, Any]:
    return asdict(job)


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
