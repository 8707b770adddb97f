"""Leases on rows of an SQL table: whoever holds one works on the row, and it expires with them.

A holder renews its lease while it works. One that was killed renews nothing, so that another takes
the row over: at once on the same machine, after `LEASE_SECONDS` by the database's clock elsewhere.
"""

import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any, Final

import sqlalchemy as sql

from core.database import CleanText, EpochNow, SqlDatabase
from core.errors import LibraryError
from core.processes import find_process

LEASE_SECONDS: Final = 30.0
"""Long enough for a pause of a busy machine, short enough to wait for after a kill elsewhere."""
_RENEWALS = 5  # within a lease: some may fail


def lease_columns() -> tuple[sql.Column[Any], sql.Column[Any]]:
    """Return the columns of a lease, for a table whose rows are worked on by one at a time."""
    return (
        sql.Column("holder", CleanText, nullable=False, server_default=""),
        sql.Column("held_until", sql.Float, nullable=False, server_default="0"),
    )


@dataclass(frozen=True, slots=True)
class Leases:
    """The leases on the rows of a table, whose primary key is one column."""

    database: SqlDatabase
    table: sql.Table

    def claim(
        self, where: sql.ColumnElement[bool], order: sql.ColumnElement[Any] | None = None
    ) -> "Lease | None":
        """Take the first matching row that nobody holds; None where there is none."""
        key, table = self._key_column, self.table
        with self.database.write_transaction() as connection:
            here = table.c.holder.startswith(_holder_prefix(""))
            holders = connection.scalars(sql.select(table.c.holder).where(here).distinct())
            ended = [one for one in holders if find_process(int(one.split(":")[-2])) is None]
            free = sql.or_(table.c.held_until < EpochNow(), table.c.holder.in_(ended))
            query = sql.select(key).where(where, free).order_by(key if order is None else order)
            found = connection.scalar(query.limit(1).with_for_update(skip_locked=True))
            if found is None:
                return None
            lease = Lease(self, found, f"{_holder_prefix(os.getpid())}{secrets.token_hex(8)}")
            values = {"holder": lease.holder, "held_until": EpochNow() + LEASE_SECONDS}
            connection.execute(table.update().where(key == found).values(values))
            return lease

    @property
    def _key_column(self) -> sql.Column[Any]:
        [key] = self.table.primary_key.columns
        return key


@dataclass(frozen=True, slots=True)
class Lease:
    """A lease that was taken, of the row with a key."""

    leases: Leases
    key: Any
    holder: str

    def is_held(self) -> sql.ColumnElement[bool]:
        """Return the condition for the row as long as nobody else took it over."""
        table = self.leases.table
        return sql.and_(self.leases._key_column == self.key, table.c.holder == self.holder)

    def update(self, **values: Any) -> bool:
        """Change the row and renew the lease; False where it was taken over or removed."""
        values = {"held_until": EpochNow() + LEASE_SECONDS, **values}
        with self.leases.database.write_transaction() as connection:
            change = self.leases.table.update().where(self.is_held()).values(values)
            return connection.execute(change).rowcount == 1

    def release(self, **values: Any) -> bool:
        """Change the row for the last time and give it up; False where that came too late."""
        return self.update(holder="", held_until=0.0, **values)

    @contextmanager
    def keep(self) -> Iterator[None]:
        """Renew the lease in a thread until the block ends."""
        done = Event()

        def renew() -> None:
            while not done.wait(LEASE_SECONDS / _RENEWALS):
                with suppress(LibraryError):  # the database may be back at the next time
                    self.update()

        thread = Thread(target=renew, name="lease", daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()


def _holder_prefix(pid: int | str) -> str:
    return f"{socket.gethostname()}:{pid}:" if pid else f"{socket.gethostname()}:"
