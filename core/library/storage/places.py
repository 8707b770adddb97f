"""Where a library is: a folder of this machine, or an address that several machines share."""

import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

import pyarrow.fs

from core.atomic_files import replace_atomically, sync_folder, write_atomically
from core.errors import SettingsError
from core.library.storage.errors import away_error
from core.settings import Settings

_SHARED_FOLDER = ("", "file")  # schemes
_OBJECT_STORES = ("s3", "gs", "az")


@dataclass(frozen=True, slots=True)
class LibraryPlace:
    """The places of a library's parts.

    Without a `url`, tables and files are in the `folder`, and a lock file there says who writes.
    With one, they are at the address; the folder holds only what this machine can make again, and
    the database at `lease_url` says who writes. Raises SettingsError for a URL that cannot be used.
    """

    folder: Path
    url: str = ""
    lease_url: str = ""

    def __post_init__(self) -> None:
        if urlsplit(self.url).scheme not in (*_SHARED_FOLDER, *_OBJECT_STORES):
            raise SettingsError(
                "The setting SCRUTINEER_LIBRARY_URL is not usable: it begins with s3://, gs:// or"
                " az://, or is the path of a shared folder. Correct it and start again."
            )

    @classmethod
    def of(cls, settings: Settings) -> "LibraryPlace":
        """Return the place that the settings name. Raises SettingsError."""
        return cls(settings.data_dir, settings.library_url or "", settings.conversations_url)

    def __str__(self) -> str:
        return self.url or str(self.folder)

    @property
    def shared_folder(self) -> Path | None:
        """The folder of tables and files; None where they are in an object store."""
        address = urlsplit(self.url)
        if address.scheme in _OBJECT_STORES:
            return None
        return Path(address.path) if self.url else self.folder

    @property
    def index_address(self) -> str:
        """The address of the tables, as LanceDB takes it."""
        folder = self.shared_folder
        return str((folder / "index").absolute()) if folder else f"{self.url.rstrip('/')}/index"

    @property
    def storage_folders(self) -> tuple[Path, ...]:
        """The folders of tables and files; none in an object store."""
        folder = self.shared_folder
        return (folder / "files", folder / "index") if folder else ()

    def files_in(self, name: str) -> "Files":
        """Return the files below this place in a folder with a name."""
        folder = self.shared_folder
        if folder is not None:
            return FolderFiles(folder / name)
        return ObjectFiles(f"{self.url.rstrip('/')}/{name}", self.folder / name)

    def move_index(self, target: str) -> bool:
        """Move all files of the index into another folder; False where there were none."""
        source, folder = self.files_in("index"), self.shared_folder
        names = source.names()
        if names and folder is not None:
            (folder / "index").rename(folder / target)
        elif names:
            copies = self.files_in(target)
            for file in names:
                with source.open_read(file) as old, copies.open_write(file) as new:
                    shutil.copyfileobj(old, new)
            source.remove(*names)
        return bool(names)


def files_at(address: str) -> "Files":
    """Return the files below any folder, or below an address in an object store, to be read."""
    if urlsplit(address).scheme in _OBJECT_STORES:
        return ObjectFiles(address, Path())
    return FolderFiles(Path(address))


class Files(ABC):
    """Files below a folder, each read and replaced as a whole.

    Reading what is missing raises FileNotFoundError, what cannot be read or written OSError.
    """

    def read(self, name: str) -> bytes:
        with self.open_read(name) as source:
            return source.read()

    def write(self, name: str, data: bytes) -> None:
        with self.open_write(name) as target:
            target.write(data)

    @abstractmethod
    def open_read(self, name: str) -> AbstractContextManager[IO[bytes]]: ...

    @abstractmethod
    def open_write(self, name: str) -> AbstractContextManager[IO[bytes]]: ...

    @abstractmethod
    def remove(self, *names: str) -> None:
        """Remove files, those that are gone already without complaint."""

    @abstractmethod
    def names(self) -> list[str]:
        """Return the paths of all files, relative and with slashes."""

    @abstractmethod
    def local_path(self, name: str) -> Path | None:
        """Return a path of the file on this machine, None where the file is gone."""


@dataclass(frozen=True, slots=True)
class FolderFiles(Files):
    """The files of a folder; what is written is on the disk on return."""

    folder: Path

    def open_read(self, name: str) -> AbstractContextManager[IO[bytes]]:
        return (self.folder / name).open("rb")

    def open_write(self, name: str) -> AbstractContextManager[IO[bytes]]:
        (self.folder / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return replace_atomically(self.folder / name)

    def remove(self, *names: str) -> None:
        for name in names:
            (self.folder / name).unlink(missing_ok=True)
        if names:
            sync_folder(self.folder)

    def names(self) -> list[str]:
        paths = (path for path in self.folder.rglob("*") if path.is_file())
        return [path.relative_to(self.folder).as_posix() for path in paths]

    def local_path(self, name: str) -> Path | None:
        path = self.folder / name
        return path if path.is_file() else None


@dataclass(frozen=True, slots=True)
class ObjectFiles(Files):
    """The objects below an address; those that were shown are copied into a folder.

    Every method raises LibraryError `away` where the store does not answer.
    """

    address: str
    copies: Path

    @contextmanager
    def open_read(self, name: str) -> Iterator[IO[bytes]]:
        with self._explain_errors(), self._store.open_input_stream(self._path(name)) as source:
            yield source

    @contextmanager
    def open_write(self, name: str) -> Iterator[IO[bytes]]:
        with self._explain_errors(), self._store.open_output_stream(self._path(name)) as target:
            yield target

    def remove(self, *names: str) -> None:
        with self._explain_errors():
            for name in names:
                with suppress(FileNotFoundError):
                    self._store.delete_file(self._path(name))

    def names(self) -> list[str]:
        folder = self._path("")
        selector = pyarrow.fs.FileSelector(folder.rstrip("/"), allow_not_found=True, recursive=True)
        with self._explain_errors():
            found = self._store.get_file_info(selector)
        paths = (info.path for info in found if info.type == pyarrow.fs.FileType.File)
        return [path.removeprefix(folder) for path in paths]

    def local_path(self, name: str) -> Path | None:
        path = self.copies / name
        if not path.is_file():
            try:
                data = self.read(name)
            except FileNotFoundError:
                return None
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomically(path, data)
        return path

    @property
    def _store(self) -> Any:
        return _open_store(urlsplit(self.address).scheme)

    def _path(self, name: str) -> str:
        return f"{self.address.split('://', 1)[1].rstrip('/')}/{name}"

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise
        except OSError as error:
            raise away_error(self.address, str(error)) from error


@lru_cache
def _open_store(scheme: str) -> pyarrow.fs.FileSystem:
    """Return the object store of a scheme; keys, region and endpoint are in the environment."""
    if scheme == "s3":
        region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
        endpoint = os.environ.get("AWS_ENDPOINT_URL")  # as LanceDB reads it
        return pyarrow.fs.S3FileSystem(region=region, endpoint_override=endpoint)
    if scheme == "gs":
        return pyarrow.fs.GcsFileSystem()
    return pyarrow.fs.AzureFileSystem(os.environ.get("AZURE_STORAGE_ACCOUNT_NAME", ""))
