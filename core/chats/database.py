"""The SQL tables of conversations, in SQLite or PostgreSQL, for many writers at once."""

import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
    TimeoutError as PoolTimeout,
)

from core.errors import LibraryError, SettingsError
from core.write_steps import pass_step

LOCK_SECONDS = 10.0
"""How long a SQLite transaction waits for another one to finish writing."""
_CREATION_LOCK = 0x5C3071
"""PostgreSQL's advisory lock for creating the tables; any number that no other program uses."""


class CleanText(sql.TypeDecorator[str]):
    """Text that every database takes. SQLite refuses lone surrogates and cuts at NUL; PostgreSQL
    refuses both."""

    impl = sql.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sql.Dialect) -> str | None:  # noqa: ARG002
        if value is None:
            return None
        return replace_surrogates(value).replace("\0", "\N{REPLACEMENT CHARACTER}")


METADATA = sql.MetaData()
CONVERSATIONS = sql.Table(
    "conversations",
    METADATA,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("conversation_id", CleanText, nullable=False, unique=True),
    sql.Column("title", CleanText, nullable=False),
    sql.Column("created_at", CleanText, nullable=False),
    sql.Column("person", CleanText, nullable=False, server_default="", index=True),
    sql.Column("pinned", sql.Integer, nullable=False, server_default="0"),
    # When it was discarded, to be restored or removed for good; empty if it is listed.
    sql.Column("discarded_at", CleanText, nullable=False, server_default=""),
)
RUNS = sql.Table(
    "runs",
    METADATA,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("run_id", CleanText, nullable=False, unique=True),
    sql.Column(
        "conversation_id",
        CleanText,
        sql.ForeignKey("conversations.conversation_id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    sql.Column("question", CleanText, nullable=False),
    sql.Column("outcome", CleanText),
    sql.Column("started_at", CleanText, nullable=False),
    sql.Column("updated_at", CleanText, nullable=False),
    sql.Column("owner", CleanText, nullable=False),
    sql.Column("pid", sql.Integer, nullable=False),
    sql.Column("host", CleanText, nullable=False),
    # 0 for an evaluation's: they do not count as a person's questions a minute.
    sql.Column("counted", sql.Integer, nullable=False, server_default="1"),
    # The person's feedback on the answer: 1, 0 or none, and why.
    sql.Column("thumb", sql.Integer),
    sql.Column("reason", CleanText, nullable=False, server_default=""),
)
EVENTS = sql.Table(
    "events",
    METADATA,
    sql.Column(
        "run_id", CleanText, sql.ForeignKey("runs.run_id", ondelete="CASCADE"), primary_key=True
    ),
    sql.Column("seq", sql.Integer, primary_key=True),
    sql.Column("event", sql.Text, nullable=False),
)
CLEARANCES = sql.Table(
    "clearances",
    METADATA,
    # A person looked at an answer whose rules an issue (a document of the library) changed.
    sql.Column(
        "run_id", CleanText, sql.ForeignKey("runs.run_id", ondelete="CASCADE"), primary_key=True
    ),
    sql.Column("document_id", CleanText, primary_key=True),
    sql.Column("person", CleanText, nullable=False),
    sql.Column("at", CleanText, nullable=False),
)
SHARES = sql.Table(
    "shares",
    METADATA,
    # Whoever knows the secret may read the conversation as it was at this time.
    sql.Column("secret", CleanText, primary_key=True),
    sql.Column(
        "conversation_id",
        CleanText,
        sql.ForeignKey("conversations.conversation_id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    sql.Column("at", CleanText, nullable=False),
)
UPLOADS = sql.Table(
    "uploads",
    METADATA,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("person", CleanText, nullable=False, index=True),
    sql.Column("at", CleanText, nullable=False),
)
TOKENS = sql.Table(
    "tokens",
    METADATA,
    # The SHA-256 of a token: who reads the database cannot enter by it.
    sql.Column("hash", CleanText, primary_key=True),
    sql.Column("name", CleanText, nullable=False),
    sql.Column("person", CleanText, nullable=False),
    sql.Column("created_at", CleanText, nullable=False),
)


def is_last_event() -> sql.ColumnElement[bool]:
    """Return the condition for the last event of each run, in a query that joins both tables."""
    last = sql.select(sql.func.max(EVENTS.c.seq)).where(EVENTS.c.run_id == RUNS.c.run_id)
    return EVENTS.c.seq == last.correlate(RUNS).scalar_subquery()


class Database:
    """The database at a SQLAlchemy URL, for any number of threads. Missing tables are created.

    Raises SettingsError if the URL cannot be used; here and in every method LibraryError `chats`
    if the database cannot be opened, read or written.
    """

    def __init__(self, url: str) -> None:
        address, self._engine = _create_engine(url)
        self._place = address.render_as_string(hide_password=True)
        weakref.finalize(self, self._engine.dispose)  # Python 3.13 warns of unclosed connections
        if address.get_backend_name() == "sqlite":
            self._place = address.database or "memory"
            _create_private_file(address)
            sql.event.listen(self._engine, "connect", _configure_sqlite)
            sql.event.listen(self._engine, "begin", _begin_transaction)
        with self.write_transaction() as connection:
            if address.get_backend_name() == "postgresql":  # else two that create a table collide
                connection.execute(sql.select(sql.func.pg_advisory_xact_lock(_CREATION_LOCK)))
            METADATA.create_all(connection)
            _add_missing_columns(connection)

    @contextmanager
    def read_transaction(self) -> Iterator[sql.Connection]:
        """One consistent view of the database."""
        with self._explain_errors(), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write_transaction(self) -> Iterator[sql.Connection]:
        """One transaction with SQLite's write lock from its start: a deferred one fails later."""
        writer = self._engine.execution_options(writes=True)
        with self._explain_errors():
            with writer.begin() as connection:
                yield connection
                pass_step("chats written")
            pass_step("chats committed")

    def fetch(self, query: sql.Select[*tuple[Any, ...]]) -> Sequence[sql.Row[*tuple[Any, ...]]]:
        """Return the rows of a query in a transaction of its own."""
        with self.read_transaction() as connection:
            return connection.execute(query).all()

    def execute(self, statement: sql.Executable) -> None:
        """Execute a statement in a write transaction of its own."""
        with self.write_transaction() as connection:
            connection.execute(statement)

    def check_integrity(self) -> str:
        """Return what SQLite finds wrong with its file; empty if nothing."""
        with self.read_transaction() as connection:
            report = str(connection.exec_driver_sql("PRAGMA integrity_check").scalar())
        return "" if report == "ok" else report

    def repair_orphans(self) -> tuple[int, int]:
        """Give runs without conversation one of their own; remove stray events and empty runs.

        Returns the number of runs moved and of rows removed.
        """
        homeless = RUNS.c.conversation_id.not_in(sql.select(CONVERSATIONS.c.conversation_id))
        stray = EVENTS.c.run_id.not_in(sql.select(RUNS.c.run_id))
        empty = RUNS.c.run_id.not_in(sql.select(EVENTS.c.run_id))
        columns = RUNS.c.conversation_id, RUNS.c.question, RUNS.c.started_at
        with self.write_transaction() as connection:
            removed = connection.execute(EVENTS.delete().where(stray)).rowcount
            removed += connection.execute(RUNS.delete().where(empty)).rowcount
            lost = connection.execute(sql.select(*columns).where(homeless)).all()
            for row in {row.conversation_id: row for row in lost}.values():
                values = {
                    "conversation_id": row.conversation_id,
                    "title": row.question,
                    "created_at": row.started_at,
                }
                connection.execute(CONVERSATIONS.insert().values(values))
        return len(lost), removed

    def find_missing_events(self) -> list[tuple[str, int, int]]:
        """Find runs that lack events, numbered from 1: run id, count, and number of the last."""
        first, last = sql.func.min(EVENTS.c.seq), sql.func.max(EVENTS.c.seq)
        count = sql.func.count()
        query = sql.select(EVENTS.c.run_id, count, last).group_by(EVENTS.c.run_id)
        rows = self.fetch(query.having((first != 1) | (last != count)))
        return [(run_id, found, number) for run_id, found, number in rows]

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        try:
            yield
        except IntegrityError as error:
            message = "This conversation was deleted or is being written from another window."
            raise LibraryError(f"{message} Open it again.", code="chats") from error
        except (DBAPIError, PoolTimeout) as error:
            reason = error.orig if isinstance(error, DBAPIError) else "too many connections at once"
            raise LibraryError(
                f"The conversations in {self._place} cannot be read or written ({reason}). Check"
                " that the folder can be written, that the disk is not full, and that no other"
                " program holds the file.",
                code="chats",
            ) from error


def replace_surrogates(text: str) -> str:
    """Join surrogate pairs and replace lone surrogates, so that UTF-8 can hold the text."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _create_engine(url: str) -> tuple[sql.URL, sql.Engine]:
    try:
        address = sql.make_url(url)
        arguments: dict[str, Any] = {}
        if address.get_backend_name() == "sqlite":  # no isolation level: see _begin_transaction
            arguments = {"timeout": LOCK_SECONDS, "isolation_level": None}
        return address, sql.create_engine(address, connect_args=arguments)
    except (ArgumentError, NoSuchModuleError, ImportError, ValueError) as error:
        raise SettingsError(
            f"The database of the conversations cannot be used: {error}. Set"
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


def _add_missing_columns(connection: sql.Connection) -> None:
    """Add the columns that the tables of an older version lack; each has a default."""
    inspector = sql.inspect(connection)
    for table in METADATA.sorted_tables:
        known = {column["name"] for column in inspector.get_columns(table.name)}
        for column in table.columns:
            if column.name not in known:
                made = sql.schema.CreateColumn(column).compile(dialect=connection.dialect)
                connection.execute(sql.text(f"ALTER TABLE {table.name} ADD COLUMN {made}"))
                pass_step("column added")
        indexes = {index["name"] for index in inspector.get_indexes(table.name)}
        for index in table.indexes:
            if index.name not in indexes:
                index.create(connection, checkfirst=True)


def _configure_sqlite(connection: Any, _record: object) -> None:
    """Set up a new connection; write-ahead logging lets readers go on while one writes."""
    connection.execute("PRAGMA journal_mode = WAL").close()
    connection.execute("PRAGMA foreign_keys = ON").close()


def _begin_transaction(connection: sql.Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
