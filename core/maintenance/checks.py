"""Check library, files and chats together, and repair what can be repaired."""

from collections.abc import Iterator
from contextlib import suppress

from core.chats import Database
from core.errors import LibraryError
from core.impact import Webhook
from core.library import IntegrityFinding, Library, check_library, describe_derived_values
from core.settings import Settings
from core.sheets import list_derived_kinds

_NOT_MENDED = "Take back a backup, or move the file away to begin anew."


def check(settings: Settings, deep: bool = False) -> Iterator[IntegrityFinding]:
    """Yield each finding as it is found. Raises LibraryError as `check_library`."""
    library = Library.open(settings)
    yield from check_library(library, deep)
    if settings.database_url is not None or (settings.data_dir / "conversations.db").is_file():
        for message, mended in _check_chats(settings):
            yield IntegrityFinding("chats", message, mended)
        with suppress(LibraryError):  # told above
            for message in Webhook.describe_failures(settings, library):
                yield IntegrityFinding("webhook", message, False)


def describe_kept_values(settings: Settings) -> tuple[str, ...]:
    """Return a sentence for each kind of value that is derived from documents.

    None of them is a defect: what is missing or older is made again. Nothing of a damaged library.
    """
    library = Library.open(settings)
    try:
        return tuple(describe_derived_values(library, list_derived_kinds(library)))
    except LibraryError:  # `check` tells it
        return ()


def _check_chats(settings: Settings) -> Iterator[tuple[str, bool]]:
    """Yield what was found in the chats, and if it was repaired."""
    try:
        database = Database(settings.conversations_url)
        if settings.database_url is None and (damage := database.check_integrity()):
            yield f"The file of the chats is damaged ({damage}). {_NOT_MENDED}", False
        runs, rows = database.repair_orphans()
        if runs:
            yield f"{runs} runs were in no chat: they are in one of their own.", True
        if rows:
            yield f"{rows} rows of the chats that belonged to nothing are removed.", True
        for run_id, count, last in database.find_missing_events():
            lost = f"Only {count} of {last} events of the run {run_id} are there."
            yield f"{lost} Delete its chat, or take back a backup.", False
    except LibraryError as error:
        yield f"{error.message} {_NOT_MENDED}", False
