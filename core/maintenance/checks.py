"""Library, files and chats looked at together: what is wrong, and mended where it can be. It shows nothing."""

from collections.abc import Iterator

from core.chats import Database
from core.errors import LibraryError
from core.library import IntegrityFinding, check_library, open_library
from core.settings import Settings

_NOT_MENDED = "Take back a backup, or move the file away to begin anew."


def check(settings: Settings) -> Iterator[IntegrityFinding]:
    """All that is found, as it is found. Raises LibraryError as `check_library`."""
    yield from check_library(open_library(settings))
    yield from _check_chats(settings)


def _check_chats(settings: Settings) -> Iterator[IntegrityFinding]:
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
        yield IntegrityFinding("chats", f"{error.message} {_NOT_MENDED}", False)


def _unsound(database: Database) -> Iterator[IntegrityFinding]:
    """SQLite's file cannot be mended from within."""
    if told := database.check_integrity():
        yield IntegrityFinding(
            "chats", f"The file of the chats is damaged ({told}). {_NOT_MENDED}", False
        )


def _strays(database: Database) -> Iterator[IntegrityFinding]:
    found, gone = database.repair_orphans()
    if found:
        yield IntegrityFinding(
            "chats", f"{found} runs were in no chat: they are in one of their own.", True
        )
    if gone:
        yield IntegrityFinding(
            "chats", f"{gone} rows of the chats that belonged to nothing are removed.", True
        )


def _holes(database: Database) -> Iterator[IntegrityFinding]:
    for run_id, there, of in database.find_missing_events():
        message = f"Of the run {run_id} only {there} of {of} events are there. Delete its chat, or take back a backup."
        yield IntegrityFinding("chats", message, False)
