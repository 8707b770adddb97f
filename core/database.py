"""An SQL database, SQLite or PostgreSQL, for any number of threads and processes at once.

A database of an older version gets what it lacks: `SqlDatabase._migrate` compares its tables with
those that are declared. Alembic was tried for this, and left out for now:

* No version has changed or removed a column. Databases of 0.1 and 0.2 lack whole tables alone,
  which `create_all` makes. So there is no migration that a script would hold.
* It takes 146 lines for the chats alone: the tables of 0.1 and of 0.2 a second time, and what
  recognizes and stamps them. Each of three sets of tables needs a table of versions of its own,
  since PostgreSQL holds them in one database. `_migrate` is 23 lines for all.
* Its import takes 170 to 290 ms of processor. A look at an up-to-date database takes 8 ms, this
  comparison 2 ms. It adds 3.8 MB.

A column that is renamed, converted or removed would need a script, and then alembic is worth it.
"""

import sqlite3
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar

import sqlalchemy as sql
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
    TimeoutError as PoolTimeout,
)
from sqlalchemy.ext.compiler import compiles

from core.errors import LibraryError, SettingsError
from core.sanitize import replace_surrogates
from core.write_steps import pass_step

LOCK_SECONDS = 10.0
"""How long a SQLite transaction waits for another one to finish writing."""
_POLL_SECONDS = 0.01
_COPIED_ROWS = 100  # at a time, as a row may hold a document
_turns: dict[str, Lock] = {}
"""What threads that write to one SQLite file hold, by its path."""
_CREATION_LOCK = 0x5C3071
"""PostgreSQL's advisory lock for creating the tables; any number that no other program uses."""


class CleanText(sql.TypeDecorator[str]):
    """Text that every database takes. SQLite refuses lone surrogates and cuts at NUL; PostgreSQL
    refuses both.
    """

    impl = sql.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sql.Dialect) -> str | None:  # noqa: ARG002
        if value is None:
            return None
        return replace_surrogates(value).replace("\0", "\N{REPLACEMENT CHARACTER}")


class SqlDatabase:
    """The database at a SQLAlchemy URL, for any number of threads. Missing tables are created.

    A subclass names its tables and their content. Raises SettingsError if the URL cannot be used;
    here and in every method LibraryError `chats` if the database cannot be opened, read or written.
    """

    metadata: ClassVar[sql.MetaData]
    content: ClassVar[str]
    conflict: ClassVar[str] = "Another program has just written the same: try again."
    """The sentence for a row that cannot be written because of another one."""

    def __init__(self, url: str) -> None:
        address, self._engine = _create_engine(url)
        self._place = address.render_as_string(hide_password=True)
        # PostgreSQL would show each statement of a transaction what others committed meanwhile.
        snapshot = {"isolation_level": "REPEATABLE READ"}
        is_server = address.get_backend_name() == "postgresql"
        self._reader = self._engine.execution_options(**snapshot) if is_server else self._engine
        weakref.finalize(self, self._engine.dispose)  # Python 3.13 warns of unclosed connections
        self._turn: Lock | None = None
        if address.get_backend_name() == "sqlite":
            self._place = address.database or "memory"
            if address.database and address.database != ":memory:":
                self._turn = _turns.setdefault(self._place, Lock())
            _create_private_file(address)
            _prepare_sqlite(self._engine)
        with self.write_transaction() as connection:
            if is_server:  # else two that create a table collide
                connection.execute(sql.select(sql.func.pg_advisory_xact_lock(_CREATION_LOCK)))
            self._migrate(connection)

    @contextmanager
    def read_transaction(self) -> Iterator[sql.Connection]:
        """One consistent view of the database."""
        with self._explain_errors(), self._reader.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write_transaction(self) -> Iterator[sql.Connection]:
        """One transaction with SQLite's write lock from its start: a deferred one fails later.

        Threads of this process wait for each other in Python, where all get their turn: SQLite only
        looks again and again, and fifty that write at once starve each other.
        """
        writer = self._engine.execution_options(writes=True)
        with self._explain_errors():
            with self._take_turn(), writer.begin() as connection:
                yield connection
                pass_step("chats written")
            pass_step("chats committed")

    @contextmanager
    def _take_turn(self) -> Iterator[None]:
        if self._turn is None:
            yield
        elif not self._turn.acquire(timeout=LOCK_SECONDS):
            raise PoolTimeout
        else:
            try:
                yield
            finally:
                self._turn.release()

    def fetch(self, query: sql.Select[*tuple[Any, ...]]) -> Sequence[sql.Row[*tuple[Any, ...]]]:
        """Return the rows of a query in a transaction of its own."""
        with self.read_transaction() as connection:
            return connection.execute(query).all()

    def execute(self, statement: sql.Executable) -> None:
        """Execute a statement in a write transaction of its own."""
        with self.write_transaction() as connection:
            connection.execute(statement)

    def is_empty(self) -> bool:
        """True where no table has a row."""
        with self.read_transaction() as connection:
            tables = self.metadata.sorted_tables
            return all(connection.execute(sql.select(t).limit(1)).first() is None for t in tables)

    def close(self) -> None:
        """Close the connections; SQLite then has all in one file."""
        self._engine.dispose()

    def check_integrity(self) -> str:
        """Return what SQLite finds wrong with its file; empty if nothing."""
        with self.read_transaction() as connection:
            report = str(connection.exec_driver_sql("PRAGMA integrity_check").scalar())
        return "" if report == "ok" else report

    def _migrate(self, connection: sql.Connection) -> None:
        """Create the tables, columns and indexes that an older version lacks.

        A new column has a default or may be null. Raises LibraryError `chats` where a newer version
        added a column.
        """
        self.metadata.create_all(connection)
        inspector = sql.inspect(connection)
        for table in self.metadata.sorted_tables:
            present = {column["name"] for column in inspector.get_columns(table.name)}
            if present.difference(table.columns.keys()):
                raise LibraryError(
                    f"The {self.content} in {self._place} were written by a newer version of"
                    " Scrutineer: use that one, or another folder or database.",
                    code="chats",
                )
            for column in table.columns:
                if column.name not in present:
                    made = sql.schema.CreateColumn(column).compile(dialect=connection.dialect)
                    connection.execute(sql.text(f"ALTER TABLE {table.name} ADD COLUMN {made}"))
                    pass_step("column added")
            for index in table.indexes:
                index.create(connection, checkfirst=True)

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        try:
            yield
        except IntegrityError as error:
            raise LibraryError(self.conflict, code="chats") from error
        except (DBAPIError, PoolTimeout) as error:
            reason = error.orig if isinstance(error, DBAPIError) else "too many connections at once"
            raise LibraryError(
                f"The {self.content} in {self._place} cannot be read or written ({reason}). Check"
                " that the folder can be written, that the disk is not full, and that no other"
                " program holds the file.",
                code="chats",
            ) from error


def copy_rows(source: SqlDatabase, target: SqlDatabase, replace: bool = False) -> None:
    """Copy all rows in one transaction; `replace` those that are there."""
    tables = source.metadata.sorted_tables
    with source.read_transaction() as read, target.write_transaction() as write:
        for table in reversed(tables) if replace else ():
            write.execute(table.delete())
        for table in tables:
            for rows in read.execute(sql.select(table)).mappings().partitions(_COPIED_ROWS):
                write.execute(table.insert(), [dict(row) for row in rows])
            if write.dialect.name == "postgresql":
                _continue_numbers(write, table)


def _continue_numbers(connection: sql.Connection, table: sql.Table) -> None:
    """Let PostgreSQL number new rows after those that were copied with their numbers."""
    column = table.autoincrement_column
    if column is not None:
        sequence = sql.func.pg_get_serial_sequence(table.name, column.name)
        last = sql.func.coalesce(sql.select(sql.func.max(column)).scalar_subquery(), 0)
        connection.execute(sql.select(sql.func.setval(sequence, last + 1, False)))


def _create_engine(url: str) -> tuple[sql.URL, sql.Engine]:
    try:
        address = sql.make_url(url)
        arguments: dict[str, Any] = {}
        if is_sqlite := address.get_backend_name() == "sqlite":
            # No isolation level: see _prepare_sqlite.
            arguments = {"timeout": LOCK_SECONDS, "isolation_level": None}
        # A server may have been away since a connection was last used; a file is not.
        engine = sql.create_engine(address, connect_args=arguments, pool_pre_ping=not is_sqlite)
        return address, engine
    except (ArgumentError, NoSuchModuleError, ImportError, ValueError) as error:
        raise SettingsError(
            f"The database cannot be used: {error}. Set"
            " SCRUTINEER_DATABASE_URL to a SQLAlchemy URL whose driver is installed, or leave it"
            " unset."
        ) from error


def _create_private_file(address: sql.URL) -> None:
    """Create SQLite's folder and file, if missing, for their owner alone."""
    if not address.database or address.database.startswith((":memory:", "file:")):
        return
    path = Path(address.database)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            path.touch(mode=0o600)
    except OSError as error:
        raise LibraryError(
            f"The folder {path.parent} cannot hold the conversations ({error.strerror})."
            " Make it writable or set SCRUTINEER_DATA_DIR to another.",
            code="chats",
        ) from error


def _prepare_sqlite(engine: sql.Engine) -> None:
    """Set up new connections and transactions; readers go on while one writes."""

    @sql.event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:
        _keep_write_ahead_log(connection)
        connection.execute("PRAGMA foreign_keys = ON").close()

    @sql.event.listens_for(engine, "begin")
    def begin_transaction(connection: sql.Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _keep_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Set SQLite's journal. A new file's first switch does not wait for another's: it fails."""
    end = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").close()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(_POLL_SECONDS)
        else:
            return


class EpochNow(sql.ColumnElement[float]):
    """The database's own clock in seconds since the epoch, so that no machine's clock matters."""

    type = sql.Float()
    inherit_cache = True


@compiles(EpochNow, "sqlite")
def _epoch_in_sqlite(*_: object, **__: object) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(EpochNow, "postgresql")
def _epoch_in_postgresql(*_: object, **__: object) -> str:
    return "extract(epoch from clock_timestamp())"
