"""One file that holds everything a library holds: made while it is at rest, taken back whole or not at all.

It knows the places of the data folder and not what stands in them.
"""

import errno
import hashlib
import os
import shutil
import sqlite3
import zipfile
import zlib
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import filelock
from pydantic import TypeAdapter, ValidationError

from core.atomic_files import PART_SUFFIX, open_private, part_path, replace_atomically, sync_folder
from core.errors import LibraryError
from core.library import LOCK_FILE, Library, remove_partial_restores
from core.settings import Settings

BACKUP_FORMAT = 1
"""Of the archive; one of another format is refused."""
CONTENTS_FILE = "contents.json"
_ROOMS = ("files", "index", "evaluations", "queue")
_CHATS = "conversations.db"
_CHUNK = 1 << 20
_LONGEST_CONTENTS = 64 << 20  # bytes, of some 300,000 files


@dataclass(frozen=True, slots=True)
class BackupSummary:
    """What an archive holds: how many documents, files and bytes; `chats` is False where they are kept elsewhere."""

    documents: int
    files: int
    size: int
    chats: bool


@dataclass(frozen=True, slots=True)
class _Contents:
    """What an archive says of itself; `files` has the SHA-256 of each."""

    format: int
    made_at: str
    documents: int
    chats: bool
    files: dict[str, str]


_CONTENTS = TypeAdapter(_Contents)


def backup(settings: Settings, target: Path) -> BackupSummary:
    """Put library, chats, evaluations and what waits to be added into the zip file `target`, which must not be there
    yet. Writers wait meanwhile.

    Raises LibraryError with code `missing` (there is nothing in the data folder), `exists`, `archive` (it cannot be
    written) or those of the library.
    """
    if not any((settings.data_dir / name).exists() for name in (*_ROOMS, _CHATS)):
        told = f"There is no library in {settings.data_dir}: look at SCRUTINEER_DATA_DIR and at the folder you are in."
        raise LibraryError(told, code="missing")
    if target.exists():
        raise LibraryError(f"{target} is there already: please name another file.", code="exists")
    library = Library(settings.data_dir)
    with library.lock_for_writing():
        documents = len(library.documents())
        try:
            with (
                replace_atomically(target) as into,
                zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
            ):
                contents = _put_in(archive, settings, documents)
        except (OSError, sqlite3.Error) as error:
            told = f"{target} cannot be written: {error}. Check the folder and the free space."
            raise LibraryError(told, code="archive") from error
    return BackupSummary(documents, len(contents.files), target.stat().st_size, contents.chats)


def restore(settings: Settings, source: Path) -> BackupSummary:
    """Take all that an archive holds into the data folder, which must be empty or not there.

    It is unpacked beside the folder, compared with its hashes, and takes the folder's place in one step: a kill leaves
    the old state or the new one, and what it left beside is swept at the next start. Whoever begins to write there
    before that step makes it fail; whoever does after it waits. Raises LibraryError with code `exists` (there is
    something in the folder), `archive` (no archive of ours, damaged, no room).
    """
    folder = settings.data_dir.resolve()
    if folder.is_dir() and any(folder.iterdir()):
        raise _taken(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        remove_partial_restores(folder)
        beside = part_path(folder)
        beside.mkdir(mode=0o700)
        try:
            with filelock.FileLock(
                beside / LOCK_FILE, mode=0o600
            ):  # the library's own, once this is its folder
                contents = _take_out(source, beside)
                os.sync()
                beside.replace(folder)
                sync_folder(folder.parent)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, KeyError, RuntimeError) as error:
        if isinstance(error, OSError) and error.errno in (errno.ENOTEMPTY, errno.EEXIST):
            raise _taken(folder) from error
        raise LibraryError(f"{source} cannot be taken back: {error}.", code="archive") from error
    return BackupSummary(
        contents.documents, len(contents.files), source.stat().st_size, contents.chats
    )


def _taken(folder: Path) -> LibraryError:
    return LibraryError(
        f"There is something in {folder} already: move that folder away first.", code="exists"
    )


def _take_out(source: Path, folder: Path) -> _Contents:
    with zipfile.ZipFile(source) as archive:
        contents = _contents(archive, source)
        _check_room(source, sum(archive.getinfo(name).file_size for name in contents.files), folder)
        for name, wanted in contents.files.items():
            if _unpack(archive, name, folder) != wanted:
                raise LibraryError(
                    f"{source} is damaged: {name} is not what was put in.", code="archive"
                )
    return contents


def _check_room(source: Path, needed: int, folder: Path) -> None:
    """What an archive says of the size of its files is as much as `zipfile` unpacks of them."""
    if needed > (free := shutil.disk_usage(folder).free):
        told = f"{source} unpacks to {needed / 1e9:.1f} GB, but only {free / 1e9:.1f} GB are free in {folder.parent}"
        raise LibraryError(f"{told}: make room there, or name another place.", code="archive")


def _put_in(archive: zipfile.ZipFile, settings: Settings, documents: int) -> _Contents:
    hashes: dict[str, str] = {}
    for path in _places(settings.data_dir):
        name = path.relative_to(settings.data_dir).as_posix()
        with suppress(
            FileNotFoundError
        ):  # the queue and the evaluations go on; theirs may have gone since
            hashes[name] = _pack(archive, path, name)
    chats = _pack_chats(archive, settings, hashes)
    contents = _Contents(BACKUP_FORMAT, datetime.now(UTC).isoformat(), documents, chats, hashes)
    archive.writestr(CONTENTS_FILE, _CONTENTS.dump_json(contents))
    return contents


def _places(folder: Path) -> list[Path]:
    paths = [path for room in _ROOMS for path in sorted((folder / room).rglob("*"))]
    return [path for path in paths if path.suffix not in (PART_SUFFIX, ".lock") and path.is_file()]


def _pack(archive: zipfile.ZipFile, path: Path, name: str) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as source, archive.open(name, "w", force_zip64=True) as into:
        while piece := source.read(_CHUNK):
            digest.update(piece)
            into.write(piece)
    return digest.hexdigest()


def _pack_chats(archive: zipfile.ZipFile, settings: Settings, hashes: dict[str, str]) -> bool:
    """The chats as SQLite copies them, so that one being written is whole; False where another database has them."""
    chats = settings.data_dir / _CHATS
    if settings.database_url is not None or not chats.is_file():
        return settings.database_url is None
    copy = part_path(chats)
    try:
        with open(copy, "xb", opener=open_private):
            pass
        with closing(sqlite3.connect(chats)) as source, closing(sqlite3.connect(copy)) as into:
            source.backup(into)
        hashes[_CHATS] = _pack(archive, copy, _CHATS)
    finally:
        copy.unlink(missing_ok=True)
    return True


def _contents(archive: zipfile.ZipFile, source: Path) -> _Contents:
    try:
        if archive.getinfo(CONTENTS_FILE).file_size > _LONGEST_CONTENTS:
            raise LibraryError(f"{source} is not a backup of Scrutineer.", code="archive")
        contents = _CONTENTS.validate_json(archive.read(CONTENTS_FILE))
    except (KeyError, ValidationError) as error:
        raise LibraryError(f"{source} is not a backup of Scrutineer.", code="archive") from error
    if contents.format != BACKUP_FORMAT:
        raise LibraryError(f"{source} was made by another version of Scrutineer.", code="archive")
    return contents


def _unpack(archive: zipfile.ZipFile, name: str, folder: Path) -> str:
    """A file of the archive, written below the folder; its SHA-256. A name that leads elsewhere is refused."""
    place = PurePosixPath(name)
    if (
        place.is_absolute()
        or ".." in place.parts
        or place.parts[:1] not in {(room,) for room in (*_ROOMS, _CHATS)}
    ):
        raise LibraryError(
            f"The archive is not one of ours: it holds {name[:80]!r}.", code="archive"
        )
    digest, target = hashlib.sha256(), folder.joinpath(*place.parts)
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with archive.open(name) as packed, open(target, "xb", opener=open_private) as into:
        while piece := packed.read(_CHUNK):
            digest.update(piece)
            into.write(piece)
    return digest.hexdigest()
