"""The SQL tables of conversations, opened so that many may write at once; not what is written into them."""

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from core.errors import LibraryError, SettingsError

LOCK_SECONDS = 10.0
"""How long a SQLite transaction waits for another one to finish writing."""

_MAKING = 0x5C3071
"""The lock of PostgreSQL under which the tables are made; any number that no other program takes."""


class CleanText(sql.TypeDecorator[str]):
    """Text that every database takes: SQLite refuses lone surrogates and cuts at NUL; others refuse both."""

    impl = sql.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sql.Dialect) -> str | None:  # noqa: ARG002
        return (
            None
            if value is None
            else replace_surrogates(value).replace("\0", "\N{REPLACEMENT CHARACTER}")
        )


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
    # When it was put aside, to be brought back or removed for good; empty for one that is listed.
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
    # 0 for those that a program put one after the other: they are none of a person's questions a minute.
    sql.Column("counted", sql.Integer, nullable=False, server_default="1"),
    # What the person said of the answer: 1 or 0, none where they said nothing, and why.
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
UPLOADS = sql.Table(
    "uploads",
    METADATA,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("person", CleanText, nullable=False, index=True),
    sql.Column("at", CleanText, nullable=False),
)


def is_last_event() -> sql.ColumnElement[bool]:
    """Of each run its last event, in a query that joins runs and events."""
    last = sql.select(sql.func.max(EVENTS.c.seq)).where(EVENTS.c.run_id == RUNS.c.run_id)
    return EVENTS.c.seq == last.correlate(RUNS).scalar_subquery()


class Database:
    """The SQLite or PostgreSQL database at a SQLAlchemy URL; its tables, and SQLite's folder, are made when missing.

    For any number of threads. Raises SettingsError when the URL cannot be used, and LibraryError (code `chats`)
    when the database cannot be opened, read or written.
    """

    def __init__(self, url: str) -> None:
        address, self._engine = _opened(url)
        self._place = address.render_as_string(hide_password=True)
        weakref.finalize(
            self, self._engine.dispose
        )  # from Python 3.13 on, an unclosed connection is warned of
        if address.get_backend_name() == "sqlite":
            self._place = address.database or "memory"
            _make_private(address)
            sql.event.listen(self._engine, "connect", _prepare)
            sql.event.listen(self._engine, "begin", _begin)
        with self.write_transaction() as connection:
            if (
                address.get_backend_name() == "postgresql"
            ):  # else two that make a table at once collide
                connection.execute(sql.select(sql.func.pg_advisory_xact_lock(_MAKING)))
            METADATA.create_all(connection)
            _add_missing_columns(connection)

    @contextmanager
    def read_transaction(self) -> Iterator[sql.Connection]:
        """One consistent view of the database."""
        with self._telling(), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write_transaction(self) -> Iterator[sql.Connection]:
        """One transaction. SQLite's write lock is taken at its start, since a deferred one fails when it writes."""
        writer = self._engine.execution_options(writes=True)
        with self._telling(), writer.begin() as connection:
            yield connection

    def check_integrity(self) -> str:
        """What SQLite finds wrong with its file; empty for nothing."""
        with self.read_transaction() as connection:
            told = str(connection.exec_driver_sql("PRAGMA integrity_check").scalar())
        return "" if told == "ok" else told

    def repair_orphans(self) -> tuple[int, int]:
        """Give runs whose conversation is gone one of their own, and remove events of no run and runs of no event.

        How many runs came home, and how many rows went.
        """
        homeless = RUNS.c.conversation_id.not_in(sql.select(CONVERSATIONS.c.conversation_id))
        runless = EVENTS.c.run_id.not_in(sql.select(RUNS.c.run_id))
        empty = RUNS.c.run_id.not_in(sql.select(EVENTS.c.run_id))
        columns = RUNS.c.conversation_id, RUNS.c.question, RUNS.c.started_at
        with self.write_transaction() as connection:
            gone = connection.execute(EVENTS.delete().where(runless)).rowcount
            gone += connection.execute(RUNS.delete().where(empty)).rowcount
            lost = connection.execute(sql.select(*columns).where(homeless)).all()
            for row in {row.conversation_id: row for row in lost}.values():
                values = {
                    "conversation_id": row.conversation_id,
                    "title": row.question,
                    "created_at": row.started_at,
                }
                connection.execute(CONVERSATIONS.insert().values(values))
        return len(lost), gone

    def find_missing_events(self) -> list[tuple[str, int, int]]:
        """Runs that lack events, which are numbered from 1: how many there are, and the number of the last."""
        first, last, count = (
            sql.func.min(EVENTS.c.seq),
            sql.func.max(EVENTS.c.seq),
            sql.func.count(),
        )
        query = sql.select(EVENTS.c.run_id, count, last).group_by(EVENTS.c.run_id)
        with self.read_transaction() as connection:
            rows = connection.execute(query.having((first != 1) | (last != count))).all()
        return [(run_id, there, of) for run_id, there, of in rows]

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except IntegrityError as error:
            raise LibraryError(
                "This conversation was deleted or is being written from another window. Open it again.",
                code="chats",
            ) from error
        except (DBAPIError, PoolTimeout) as error:
            reason = error.orig if isinstance(error, DBAPIError) else "too many connections at once"
            raise LibraryError(
                f"The conversations in {self._place} cannot be read or written ({reason}). Check that the"
                " folder can be written, that the disk is not full, and that no other program holds the file.",
                code="chats",
            ) from error


def replace_surrogates(text: str) -> str:
    """The text with surrogate pairs joined and lone surrogates replaced, so that UTF-8 can hold it."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _opened(url: str) -> tuple[sql.URL, sql.Engine]:
    try:
        address = sql.make_url(url)
        own_begin = {"timeout": LOCK_SECONDS, "isolation_level": None}
        arguments: dict[str, Any] = own_begin if address.get_backend_name() == "sqlite" else {}
        return address, sql.create_engine(address, connect_args=arguments)
    except (ArgumentError, NoSuchModuleError, ImportError, ValueError) as error:
        raise SettingsError(
            f"The database of the conversations cannot be used: {error}. Set SCRUTINEER_DATABASE_URL to a"
            " SQLAlchemy URL whose driver is installed, or leave it unset."
        ) from error


def _make_private(address: sql.URL) -> None:
    """Make SQLite's folder and file so that only their owner may look; what exists is left as it is."""
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
    """Bring the tables of an older version up to this one; a column that came later has a default."""
    inspector = sql.inspect(connection)
    for table in METADATA.sorted_tables:
        known = {column["name"] for column in inspector.get_columns(table.name)}
        for column in table.columns:
            if column.name not in known:
                made = sql.schema.CreateColumn(column).compile(dialect=connection.dialect)
                connection.execute(sql.text(f"ALTER TABLE {table.name} ADD COLUMN {made}"))
        held = {index["name"] for index in inspector.get_indexes(table.name)}
        for index in table.indexes:
            if index.name not in held:
                index.create(connection, checkfirst=True)


def _prepare(connection: Any, _record: object) -> None:
    """Set up a new SQLite connection; write-ahead logging lets readers go on while one writes."""
    connection.execute("PRAGMA journal_mode = WAL").close()
    connection.execute("PRAGMA foreign_keys = ON").close()


def _begin(connection: sql.Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
