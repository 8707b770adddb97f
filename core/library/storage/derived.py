"""What is derived from a document: made from its clauses, kept, and made again when it is older.

Each document and kind has one file in this machine's data folder, wherever the library is. A room
defines its kinds and hands them in. All can be made again: backups leave the folder out, and a
damaged file counts as missing.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from core.atomic_files import can_write, remove_stale_parts
from core.errors import LibraryError
from core.library.storage.cleanup import DERIVED_FOLDER, remove_derived_files
from core.library.storage.library import Library
from core.library.storage.places import FolderFiles
from core.library.types import Document
from core.rulebook import READING_VERSION

Value = TypeVar("Value")
_MAX_HEAD_BYTES = 200  # two sums by SHA-256 in hexadecimals, and a version
_MAX_NAMED = 5  # documents in a sentence


@dataclass(frozen=True, slots=True)
class DerivedKind(Generic[Value]):
    """A kind of value that is made from a document and kept in the folder `name`.

    `version` is raised with every change of what is made from the same clauses. `decode` raises
    ValueError for bytes that are not from `encode`.
    """

    name: str
    version: int
    make: Callable[[Library, Document], Value]
    encode: Callable[[Value], bytes]
    decode: Callable[[bytes], Value]
    inputs: Callable[[Library, Document], object] = lambda _library, _document: None
    """Return what it is made from beside the clauses; another `repr` makes a kept value older."""
    is_unfinished: Callable[[Value], bool] | None = None
    """True for a kept value that is worth another attempt; None if each is finished."""

    def load(self, library: Library, document: Document, older: bool = False) -> Value | None:
        """Return a kept value; None where it is missing, damaged or older.

        With `older` one from an earlier reading of the document is returned too.
        """
        path = self._path(library, document) if older else self.find_file(library, document)
        is_usable = path is not None and _read_head(path)[:1] == [str(self.version)]
        return self.read_file(path) if path is not None and is_usable else None

    def recall(self, library: Library, document: Document) -> Value | None:
        """Return a current value; its file is read once while it stays the same."""
        with suppress(OSError):
            if path := self.find_file(library, document):
                return cast(Value | None, _read_once(path, path.stat().st_mtime_ns, self))
        return None

    def find_file(self, library: Library, document: Document) -> Path | None:
        """Return the file of a kept value; None where it is missing or older."""
        path = self._path(library, document)
        expected = [str(self.version), self._digest_state(library, document)]
        return path if _read_head(path)[:2] == expected else None

    def read_file(self, path: Path) -> Value | None:
        """Return the value in a file; None where it is missing or damaged."""
        try:
            head, _, content = path.read_bytes().partition(b"\n")
            is_whole = head.decode().endswith(f" {sha256(content).hexdigest()}")
            return self.decode(content) if is_whole else None
        except (OSError, ValueError):
            return None

    def obtain(self, library: Library, document: Document) -> Value:
        """Return a value as it is kept, else make and keep it. Raises LibraryError."""
        kept = self.load(library, document)
        return self.remake(library, document) if kept is None else kept

    def remake(self, library: Library, document: Document) -> Value:
        """Make a value in place of a kept one, and return it; a full disk loses only the copy."""
        state = self._digest_state(library, document)  # what it is made from may change meanwhile
        value = self.make(library, document)
        content = self.encode(value)
        head = f"{self.version} {state} {sha256(content).hexdigest()}\n"
        path = self._path(library, document)
        with suppress(OSError):
            FolderFiles(path.parent).write(path.name, head.encode() + content)
        return value

    def is_complete(self, library: Library, document: Document) -> bool:
        """True for a current and finished value. Its content may be large: read only if needed."""
        path = self.find_file(library, document)
        if path is None or self.is_unfinished is None:
            return path is not None
        value = self.read_file(path)
        return value is not None and not self.is_unfinished(value)

    def _digest_state(self, library: Library, document: Document) -> str:
        """Return a digest of all that decides a value beside the version of its kind."""
        reading = (READING_VERSION, document.corrections, dict(document.counts))
        return sha256(repr((reading, self.inputs(library, document))).encode()).hexdigest()

    def _path(self, library: Library, document: Document) -> Path:
        return library.folder / DERIVED_FOLDER / self.name / document.document_id


@lru_cache(maxsize=8)
def _read_once(path: Path, _written: int, kind: DerivedKind[Any]) -> object:
    return kind.read_file(path)


def complete_derived_values(library: Library, kinds: Iterable[DerivedKind[Any]]) -> None:
    """Make what is missing, older or unfinished, kinds in this order, and remove what is left.

    Where nothing can be kept, nothing is made. A damaged document is left to `check`.
    """
    if library.folder.is_dir() and not can_write(library.folder):
        return
    kinds = tuple(kinds)
    for kind in kinds:
        remove_stale_parts(library.folder / DERIVED_FOLDER / kind.name)
    remove_derived_files(library.folder, library.tables.read_manifest())
    for document in library.documents():
        for kind in kinds:
            try:
                if not kind.is_complete(library, document):
                    kind.remake(library, document)
            except LibraryError as error:
                if error.code not in ("damaged", "unknown_document"):  # removed meanwhile
                    raise


def describe_derived_values(library: Library, kinds: Iterable[DerivedKind[Any]]) -> Iterator[str]:
    """Yield for each kind a sentence on how many documents have it, and which lack it."""
    documents = library.documents()
    for kind in kinds if documents else ():
        lacking = [one.label for one in documents if kind.load(library, one) is None]
        count = f"{len(documents) - len(lacking)} of {len(documents)}"
        names = ", ".join(lacking[:_MAX_NAMED])
        more = f" and {len(lacking) - _MAX_NAMED} more" if len(lacking) > _MAX_NAMED else ""
        again = f"; missing or older, and made again when needed: {names}{more}" if lacking else ""
        yield f"Documents with {kind.name.replace('_', ' ')}: {count}{again}."


def _read_head(path: Path) -> list[str]:
    """Return the version, the state and the hash of a file's value; nothing where it is missing."""
    try:
        with path.open("rb") as file:
            return file.readline(_MAX_HEAD_BYTES).decode().split()
    except (OSError, ValueError):
        return []
