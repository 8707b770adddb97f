"""Library, files and chats looked at together: what is wrong, and mended where it can be. It shows nothing."""

from collections.abc import Iterator
from datetime import UTC, datetime

import sqlalchemy as sql

from core.database import CONVERSATIONS, EVENTS, RUNS, Database
from core.errors import LibraryError
from core.library.check import Finding, check_library
from core.library.store import library_of
from core.settings import Settings

_NOT_MENDED = "Take back a backup, or move the file away to begin anew."


def check(settings: Settings) -> Iterator[Finding]:
    """All that is found, as it is found. Raises LibraryError as `check_library`."""
    yield from check_library(library_of(settings))
    yield from _check_chats(settings)


def _check_chats(settings: Settings) -> Iterator[Finding]:
    chats = settings.data_dir / "conversations.db"
    if settings.database_url is None and not chats.is_file():
        return
    try:
        database = Database(settings.conversations_url)
        if settings.database_url is None:
            yield from _unsound(database)
        yield from _strays(database)
        yield from _holes(database)
    except LibraryError as error:
        yield Finding("chats", f"{error.message} {_NOT_MENDED}", False)


def _unsound(database: Database) -> Iterator[Finding]:
    """What SQLite itself finds; its file cannot be mended from within."""
    with database.reading() as connection:
        told = connection.exec_driver_sql("PRAGMA integrity_check").scalars().all()
    if told != ["ok"]:
        yield Finding("chats", f"The file of the chats is damaged ({told[0]}). {_NOT_MENDED}", False)


def _strays(database: Database) -> Iterator[Finding]:
    """Runs whose conversation is gone come into a new one; rows that belong to no run, and runs of nothing, go."""
    homeless = RUNS.c.conversation_id.not_in(sql.select(CONVERSATIONS.c.conversation_id))
    empty = RUNS.c.run_id.not_in(sql.select(EVENTS.c.run_id))
    runless = EVENTS.c.run_id.not_in(sql.select(RUNS.c.run_id))
    with database.writing() as connection:
        lost = connection.execute(sql.select(RUNS.c.conversation_id, RUNS.c.question).where(homeless)).all()
        for conversation_id, title in dict(map(tuple, lost)).items():
            now = datetime.now(UTC).isoformat(timespec="microseconds")
            values = {"conversation_id": conversation_id, "title": title[:60], "created_at": now}
            connection.execute(CONVERSATIONS.insert().values(values))
        gone = sum(
            connection.execute(table.delete().where(of)).rowcount for table, of in ((RUNS, empty), (EVENTS, runless))
        )
    if lost:
        yield Finding("chats", f"{len(lost)} runs were in no chat: they are in one of their own.", True)
    if gone:
        yield Finding("chats", f"{gone} rows of the chats that belonged to nothing are removed.", True)


def _holes(database: Database) -> Iterator[Finding]:
    """Events are numbered from 1; one that lacks cannot be had again."""
    first, last, count = sql.func.min(EVENTS.c.seq), sql.func.max(EVENTS.c.seq), sql.func.count()
    query = sql.select(EVENTS.c.run_id, count, last).group_by(EVENTS.c.run_id).having((first != 1) | (last != count))
    with database.reading() as connection:
        holed = connection.execute(query).all()
    for run_id, there, of in holed:
        message = f"Of the run {run_id} only {there} of {of} events are there. Delete its chat, or take back a backup."
        yield Finding("chats", message, False)
