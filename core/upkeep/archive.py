"""One file that holds everything a library holds: made while it is at rest, taken back whole or not at all.

It knows the places of the data folder and not what stands in them.
"""

import hashlib
import os
import secrets
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from pydantic import TypeAdapter, ValidationError

from core.errors import LibraryError
from core.library.store import Library
from core.settings import Settings

FORMAT = 1
"""Of the archive; one of another format is refused."""
CONTENTS = "contents.json"
_ROOMS = ("files", "index")
_CHATS = "conversations.db"
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Archived:
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


def backup(settings: Settings, target: Path) -> Archived:
    """Put library and chats into the zip file `target`, which must not be there yet. Writers wait meanwhile.

    Raises LibraryError with code `exists`, `archive` (it cannot be written) or those of the library.
    """
    library = Library(settings.data_dir)
    if target.exists():
        raise LibraryError(f"{target} is there already: please name another file.", code="exists")
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with (
            library.writing(),
            open(part, "xb", opener=_private) as into,
            zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        ):
            documents = len(library.documents())
            hashes = {name: _pack(archive, path, name) for path, name in _places(settings.data_dir)}
            chats = _pack_chats(archive, settings, hashes)
            contents = _Contents(FORMAT, datetime.now(UTC).isoformat(), documents, chats, hashes)
            archive.writestr(CONTENTS, _CONTENTS.dump_json(contents))
        part.replace(target)
    except (OSError, sqlite3.Error) as error:
        raise LibraryError(
            f"{target} cannot be written: {error}. Check the folder and the free space.", code="archive"
        ) from error
    finally:
        part.unlink(missing_ok=True)
    return Archived(documents, len(hashes), target.stat().st_size, chats)


def restore(settings: Settings, source: Path) -> Archived:
    """Take library and chats out of an archive into the data folder, which must hold neither yet.

    All of it is unpacked beside the folder and compared with its hashes before it is put in its place. Raises
    LibraryError with code `exists` (there is a library), `archive` (no archive of ours, damaged, no room).
    """
    folder = settings.data_dir
    if folder.exists() and any((folder / name).exists() for name in (*_ROOMS, _CHATS)):
        raise LibraryError(f"There is a library in {folder} already: move that folder away first.", code="exists")
    beside = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}.part")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside.mkdir(mode=0o700)
        with zipfile.ZipFile(source) as archive:
            contents = _contents(archive, source)
            for name, wanted in contents.files.items():
                if _unpack(archive, name, beside) != wanted:
                    raise LibraryError(f"{source} is damaged: {name} is not what was put in.", code="archive")
        folder.mkdir(mode=0o700, exist_ok=True)
        for entry in sorted(beside.iterdir()):
            entry.replace(folder / entry.name)
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, KeyError, RuntimeError) as error:
        raise LibraryError(f"{source} cannot be taken back: {error}.", code="archive") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return Archived(contents.documents, len(contents.files), source.stat().st_size, contents.chats)


def _places(folder: Path) -> Iterator[tuple[Path, str]]:
    for room in _ROOMS:
        for path in sorted((folder / room).rglob("*")):
            if path.is_file():
                yield path, path.relative_to(folder).as_posix()


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
    copy = settings.data_dir / f".{_CHATS}.{secrets.token_hex(4)}.part"
    try:
        with open(copy, "xb", opener=_private):
            pass
        with closing(sqlite3.connect(chats)) as source, closing(sqlite3.connect(copy)) as into:
            source.backup(into)
        hashes[_CHATS] = _pack(archive, copy, _CHATS)
    finally:
        copy.unlink(missing_ok=True)
    return True


def _private(path: str, flags: int) -> int:
    """Opens a file that only its owner may read."""
    return os.open(path, flags, 0o600)


def _contents(archive: zipfile.ZipFile, source: Path) -> _Contents:
    try:
        contents = _CONTENTS.validate_json(archive.read(CONTENTS))
    except (KeyError, ValidationError) as error:
        raise LibraryError(f"{source} is not a backup of Scrutineer.", code="archive") from error
    if contents.format != FORMAT:
        raise LibraryError(f"{source} was made by another version of Scrutineer.", code="archive")
    return contents


def _unpack(archive: zipfile.ZipFile, name: str, folder: Path) -> str:
    """A file of the archive, written below the folder; its SHA-256. A name that leads elsewhere is refused."""
    place = PurePosixPath(name)
    if place.is_absolute() or ".." in place.parts or place.parts[:1] not in {(room,) for room in (*_ROOMS, _CHATS)}:
        raise LibraryError(f"The archive is not one of ours: it holds {name[:80]!r}.", code="archive")
    digest, target = hashlib.sha256(), folder.joinpath(*place.parts)
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with archive.open(name) as packed, open(target, "xb", opener=_private) as into:
        while piece := packed.read(_CHUNK):
            digest.update(piece)
            into.write(piece)
    return digest.hexdigest()
