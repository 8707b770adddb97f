"""The parts of a data folder that several machines share, to and from a folder of one machine."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.chats import Database
from core.database import SqlDatabase, copy_rows
from core.errors import LibraryError
from core.library import Library, UploadQueue
from core.settings import Settings

CHATS_FILE = "conversations.db"
SHARED_FOLDERS = ("files", "index")
_UNFINISHED = "unfinished"
"""The name of an object beside a library that is being restored."""


def copy_databases(source: str, target: str, replace: bool = False) -> None:
    """Copy chats and waiting documents from one database to another, by their URLs."""
    for old, new in zip(_open_databases(source), _open_databases(target), strict=True):
        try:
            copy_rows(old, new, replace=replace)
        finally:
            old.close()
            new.close()


def _open_databases(url: str) -> tuple[SqlDatabase, SqlDatabase]:
    return Database(url), UploadQueue(url).database


@contextmanager
def place_shared_parts(settings: Settings, library: Library, unpacked: Path) -> Iterator[None]:
    """Move what is shared from a folder to its places; undone by the next restore after a kill.

    The folder takes its own place in the block. Raises LibraryError `exists` where something is in
    a place already.
    """
    if not library.place.url:
        _check_databases(settings)
        _load_databases(settings, unpacked)
        yield
        return
    with library.lock_without_cleanup():
        marker = library.place.files_in("restore")
        resumed = _UNFINISHED in marker.names()
        if not resumed:
            _check_databases(settings)
        for name in SHARED_FOLDERS:
            _make_empty(library, name, resumed)
        marker.write(_UNFINISHED, b"")
        for folder, name in _list_in_order(unpacked):
            with (
                Path(unpacked, folder, name).open("rb") as source,
                library.place.files_in(folder).open_write(name) as target,
            ):
                shutil.copyfileobj(source, target)
        _load_databases(settings, unpacked)
        for name in SHARED_FOLDERS:
            shutil.rmtree(unpacked / name, ignore_errors=True)
        yield
        marker.remove(_UNFINISHED)


def _check_databases(settings: Settings) -> None:
    """Raise LibraryError `exists` where another database than the data folder's holds something."""
    if settings.database_url is None:
        return
    for database in _open_databases(settings.database_url):
        if not database.is_empty():
            message = "There are chats or waiting documents in the database already"
            raise LibraryError(f"{message}: name an empty one.", code="exists")


def _load_databases(settings: Settings, unpacked: Path) -> None:
    """Copy the rows of an unpacked file into the database of the settings, if it is another."""
    file = unpacked / CHATS_FILE
    if settings.database_url is None or not file.is_file():
        return
    copy_databases(f"sqlite:///{file}", settings.database_url, replace=True)
    for left in unpacked.glob(f"{CHATS_FILE}*"):
        left.unlink()


def _make_empty(library: Library, name: str, resumed: bool) -> None:
    files = library.place.files_in(name)
    names = files.names()
    if names and not resumed:
        message = f"There is a library in {library.place} already: name another place."
        raise LibraryError(message, code="exists")
    files.remove(*names)


def _list_in_order(unpacked: Path) -> list[tuple[str, str]]:
    """Return the files of shared folders; the list of documents last, and of it the versions.

    Readers see a document once it is listed.
    """
    files = [
        (folder, path.relative_to(unpacked / folder).as_posix())
        for folder in SHARED_FOLDERS
        for path in (unpacked / folder).rglob("*")
        if path.is_file()
    ]

    def visibility(file: tuple[str, str]) -> tuple[bool, bool, tuple[str, str]]:
        folder, name = file
        return folder == "index" and name.startswith("documents"), "/_versions/" in name, file

    return sorted(files, key=visibility)
