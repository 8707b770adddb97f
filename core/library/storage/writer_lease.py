"""The right to write a library that several machines share, as a lease in their database."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from threading import RLock

import sqlalchemy as sql

from core.database import CleanText, SqlDatabase
from core.errors import LibraryError
from core.leases import Lease, Leases, lease_columns

_METADATA = sql.MetaData()
_WRITERS = sql.Table(
    "writers", _METADATA, sql.Column("library", CleanText, primary_key=True), *lease_columns()
)


class _WriterDatabase(SqlDatabase):
    metadata = _METADATA
    content = "writers of the library"


class WriterLease:
    """One writer at a time for the library at an address, on all machines with this database.

    Like a file lock, it belongs to a thread and is reentrant.
    """

    def __init__(self, database_url: str, address: str) -> None:
        self._url, self._address = database_url, address
        self._thread_lock = RLock()
        self._lease: Lease | None = None

    @contextmanager
    def acquire(self, timeout: float) -> Iterator[None]:
        """Hold the lease. Raises LibraryError `locked` where others hold it for too long."""
        if not self._thread_lock.acquire(timeout=max(timeout, 0.0)):
            raise locked_error(self._address)
        try:
            if self._lease is not None:
                yield
                return
            lease = self._lease = self._claim(time.monotonic() + timeout)
            try:
                with lease.keep():
                    yield
            finally:
                self._lease = None
                with suppress(LibraryError):  # it expires by itself
                    lease.release()
        finally:
            self._thread_lock.release()

    def confirm(self) -> None:
        """Renew the lease before what others can see is written.

        Raises LibraryError `locked` where another writer took over, as this one did not answer.
        """
        if self._lease is None or not self._lease.update():
            raise locked_error(self._address)

    def _claim(self, end: float) -> Lease:
        leases = _writers(self._url, self._address)
        while True:
            lease = leases.claim(_WRITERS.c.library == self._address)
            if lease is not None:
                return lease
            if time.monotonic() > end:
                raise locked_error(self._address)
            time.sleep(0.1)


def locked_error(place: object) -> LibraryError:
    """Return the error for a library that another program is writing."""
    return LibraryError(
        f"The library in {place} is being changed by another program."
        " Wait until it has finished and try again.",
        code="locked",
    )


@lru_cache
def _writers(url: str, address: str) -> Leases:
    """Open the table of writers, with a row for a library."""
    database = _WriterDatabase(url)
    with suppress(LibraryError):  # another process has just added it
        known = sql.select(_WRITERS.c.library).where(_WRITERS.c.library == address)
        row = sql.select(sql.literal(address)).where(~known.exists())
        database.execute(_WRITERS.insert().from_select(["library"], row))
    return Leases(database, _WRITERS)
