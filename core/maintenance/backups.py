"""Backups: one zip file with the whole data folder, restored whole or not at all.

It knows the folders and files of the data folder, not their contents. A backup may be signed with
the key of the installation (Ed25519): the signature carries the public key, and whoever restores
compares its fingerprint with the one that was shown when the backup was made.
"""

import errno
import hashlib
import os
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from pydantic import TypeAdapter, ValidationError

from core.atomic_files import (
    PART_SUFFIX,
    can_write,
    open_private,
    replace_atomically,
    sync_folder,
    write_atomically,
)
from core.errors import LibraryError
from core.library import Library, LibraryPlace
from core.maintenance.shared_parts import (
    CHATS_FILE,
    SHARED_FOLDERS,
    copy_databases,
    place_shared_parts,
)
from core.settings import Settings
from core.write_steps import pass_step

KEY_FILE = "installation.key"
_PUBLIC_LENGTH = 32  # bytes
BACKUP_FORMAT = 1
"""Version of the archive's layout; an archive of another one is refused."""
CONTENTS_FILE = "contents.json"
SIGNATURE_FILE = "contents.sig"
_OWN_FOLDERS = ("evaluations", "sheets", "queue")
"""Those of this machine alone; earlier versions kept the upload queue in one."""
_FOLDERS = (*SHARED_FOLDERS, *_OWN_FOLDERS)
_PLACES = (*_FOLDERS, CHATS_FILE)
_CHUNK = 1 << 20
_MAX_CONTENTS_BYTES = 64 << 20  # some 300,000 files


def sign(folder: Path, data: bytes) -> bytes:
    """Return the public key of a data folder and its signature of the data.

    The key is made at its first use. Raises LibraryError `unreadable` where it cannot be.
    """
    path = folder / KEY_FILE
    try:
        if not path.exists():
            write_atomically(path, Ed25519PrivateKey.generate().private_bytes_raw())
        key = Ed25519PrivateKey.from_private_bytes(path.read_bytes())
    except (OSError, ValueError) as error:
        message = f"The key in {path} cannot be used: {error}. Move it away to have another made."
        raise LibraryError(message, code="unreadable") from error
    return key.public_key().public_bytes_raw() + key.sign(data)


def verify(signature: bytes, data: bytes) -> str:
    """Return the fingerprint of the key that signed the data. Raises LibraryError `archive`."""
    public = signature[:_PUBLIC_LENGTH]
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature[_PUBLIC_LENGTH:], data)
    except (InvalidSignature, ValueError) as error:
        message = "The backup was changed after it was signed: do not use it."
        raise LibraryError(message, code="archive") from error
    return sha256(public).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class BackupSummary:
    """Counts of an archive. `size` is in bytes; `chats` is False if another database has them."""

    documents: int
    files: int
    size: int
    chats: bool
    signed_by: str = ""
    """The fingerprint of the key that signed it, "" without a signature."""


@dataclass(frozen=True, slots=True)
class _Contents:
    """The archive's description of itself; `files` maps each name to its SHA-256."""

    format: int
    made_at: str
    documents: int
    chats: bool
    files: dict[str, str]


_CONTENTS = TypeAdapter(_Contents)


def backup(settings: Settings, target: Path, signed: bool = False) -> BackupSummary:
    """Write library, chats, evaluations and the upload queue into a new zip file.

    Writers wait meanwhile. With `signed` the installation's key signs the hashes of all. Raises
    LibraryError `missing` if the data folder holds nothing, `exists` if `target` does, `archive` if
    it cannot be written, or those of the library.
    """
    folder, library = settings.data_dir, Library(LibraryPlace.of(settings))
    if not library.place.url and not any((folder / name).exists() for name in _PLACES):
        message = f"There is no library in {folder}"
        advice = "look at SCRUTINEER_DATA_DIR and at the folder you are in."
        raise LibraryError(f"{message}: {advice}", code="missing")
    if target.exists():
        raise LibraryError(f"{target} is there already: please name another file.", code="exists")
    # Nobody writes with this account into a folder that may only be read.
    has_writers = library.place.url or can_write(library.folder)
    with library.lock_for_writing() if has_writers else nullcontext():
        try:
            with (
                replace_atomically(target) as file,
                zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
            ):
                contents = _pack_parts(archive, settings, library, signed)
        except (OSError, sqlite3.Error) as error:
            message = f"{target} cannot be written: {error}. Check the folder and the free space."
            raise LibraryError(message, code="archive") from error
    return _summarize(contents, target)


def restore(settings: Settings, source: Path, signed_by: str | None = None) -> BackupSummary:
    """Restore an archive into the data folder and to the places that the settings name.

    The folder must be empty or not there, the places empty.

    With `signed_by` only one that the key with this fingerprint signed.

    The archive is unpacked beside the folder, checked against its hashes, and takes the folder's
    place in one step. A kill leaves the old state or the new one; the next start removes the
    remains. Whoever writes into the folder before that step makes it fail; later writers wait.
    Raises LibraryError `exists` if the folder holds something, `archive` if the archive is not one
    of ours, is damaged, or has no room.
    """
    folder, library = settings.data_dir.resolve(), Library(LibraryPlace.of(settings))
    occupied = LibraryError(
        f"There is something in {folder} already: move that folder away first.", code="exists"
    )
    if folder.is_dir() and any(folder.iterdir()):
        raise occupied
    if signed_by is not None and not signed_by.strip():
        message = "No key is named that signed the backup: give the fingerprint of one."
        raise LibraryError(message, code="archive")
    key = _read_signature(source)
    if signed_by is not None and key != signed_by:
        message = f"{source} is not signed by the key {signed_by}: do not use it."
        raise LibraryError(message, code="archive")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with Library.make_restore_folder(folder) as part:
            contents = _unpack_archive(source, part)
            if hasattr(os, "sync"):  # Windows has none
                os.sync()
            pass_step("restore unpacked")
            with place_shared_parts(settings, library, part):
                part.replace(folder)
                pass_step("restore placed")
                sync_folder(folder.parent)
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, KeyError, RuntimeError) as error:
        if isinstance(error, OSError) and error.errno in (errno.ENOTEMPTY, errno.EEXIST):
            raise occupied from error
        raise LibraryError(f"{source} cannot be restored: {error}.", code="archive") from error
    return _summarize(contents, source)


def _summarize(contents: _Contents, archive: Path) -> BackupSummary:
    size = archive.stat().st_size
    key = _read_signature(archive)
    return BackupSummary(contents.documents, len(contents.files), size, contents.chats, key)


def _read_signature(source: Path) -> str:
    """The fingerprint of the key that signed an archive. Raises LibraryError `archive`."""
    try:
        with zipfile.ZipFile(source) as archive:
            if SIGNATURE_FILE not in archive.namelist():
                return ""
            return verify(archive.read(SIGNATURE_FILE), archive.read(CONTENTS_FILE))
    except (OSError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        raise LibraryError(f"{source} cannot be read: {error}.", code="archive") from error


def _pack_parts(
    archive: zipfile.ZipFile, settings: Settings, library: Library, signed: bool
) -> _Contents:
    hashes: dict[str, str] = {}
    folder, documents = settings.data_dir, len(library.list_every_document())
    for part in _FOLDERS:
        own = part in _OWN_FOLDERS
        files = LibraryPlace(folder).files_in(part) if own else library.place.files_in(part)
        for file in sorted(files.names()):
            if file.endswith((PART_SUFFIX, ".lock")):
                continue
            name = f"{part}/{file}"
            with suppress(FileNotFoundError):  # the evaluations go on meanwhile
                hashes[name] = _pack_file(archive, files.open_read(file), name)
                pass_step("file packed")
    if settings.database_url is not None or (folder / CHATS_FILE).is_file():
        hashes[CHATS_FILE] = _pack_chats(archive, settings)
    contents = _Contents(BACKUP_FORMAT, datetime.now(UTC).isoformat(), documents, True, hashes)
    described = _CONTENTS.dump_json(contents)
    archive.writestr(CONTENTS_FILE, described)
    if signed:
        archive.writestr(SIGNATURE_FILE, sign(folder, described))
    return contents


def _pack_file(
    archive: zipfile.ZipFile, opened: AbstractContextManager[IO[bytes]], name: str
) -> str:
    with opened as source, archive.open(name, "w", force_zip64=True) as target:
        return _copy_and_hash(source, target)


def _pack_chats(archive: zipfile.ZipFile, settings: Settings) -> str:
    """Pack a copy that the database makes, so that what is being written is whole."""
    with tempfile.TemporaryDirectory(prefix="scrutineer-") as folder:
        copy = Path(folder, CHATS_FILE)
        if settings.database_url is not None:
            copy_databases(settings.database_url, f"sqlite:///{copy}")
        else:
            _copy_sqlite(settings.data_dir / CHATS_FILE, copy)
        pass_step("chats copied")
        return _pack_file(archive, copy.open("rb"), CHATS_FILE)


def _copy_sqlite(chats: Path, copy: Path) -> None:
    # Without the right to write, SQLite opens a file that nobody changes only.
    way = "mode=rw" if can_write(chats.parent) else "immutable=1"
    with (
        closing(sqlite3.connect(f"{chats.absolute().as_uri()}?{way}", uri=True)) as source,
        closing(sqlite3.connect(copy)) as target,
    ):
        source.backup(target)


def _unpack_archive(source: Path, folder: Path) -> _Contents:
    with zipfile.ZipFile(source) as archive:
        contents = _read_contents(archive, source)
        # zipfile unpacks no more of a file than the archive says of its size.
        needed = sum(archive.getinfo(name).file_size for name in contents.files)
        free = shutil.disk_usage(folder).free
        if needed > free:
            raise LibraryError(
                f"{source} unpacks to {needed / 1e9:.1f} GB, but only {free / 1e9:.1f} GB are free"
                f" in {folder.parent}: make room there, or name another place.",
                code="archive",
            )
        for name, expected in contents.files.items():
            if _unpack_file(archive, name, folder) != expected:
                message = f"{source} is damaged: {name} is not what was put in."
                raise LibraryError(message, code="archive")
            pass_step("file unpacked")
    return contents


def _read_contents(archive: zipfile.ZipFile, source: Path) -> _Contents:
    foreign = LibraryError(f"{source} is not a backup of Scrutineer.", code="archive")
    try:
        if archive.getinfo(CONTENTS_FILE).file_size > _MAX_CONTENTS_BYTES:
            raise foreign
        contents = _CONTENTS.validate_json(archive.read(CONTENTS_FILE))
    except (KeyError, ValidationError) as error:
        raise foreign from error
    if contents.format != BACKUP_FORMAT:
        raise LibraryError(f"{source} was made by another version of Scrutineer.", code="archive")
    return contents


def _unpack_file(archive: zipfile.ZipFile, name: str, folder: Path) -> str:
    """Unpack a file below the folder and return its SHA-256; refuse a name that leads elsewhere."""
    path, on_windows = PurePosixPath(name), PureWindowsPath(name)
    root = path.parts[0] if path.parts else ""
    leads_elsewhere = path.is_absolute() or on_windows.anchor or ".." in on_windows.parts
    if leads_elsewhere or root not in _PLACES:
        message = f"The archive is not one of ours: it holds {name[:80]!r}."
        raise LibraryError(message, code="archive")
    target = folder.joinpath(*path.parts)
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with archive.open(name) as packed, open(target, "xb", opener=open_private) as file:
        return _copy_and_hash(packed, file)


def _copy_and_hash(source: IO[bytes], target: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while chunk := source.read(_CHUNK):
        digest.update(chunk)
        target.write(chunk)
    return digest.hexdigest()
