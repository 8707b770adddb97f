"""The files that documents were read from, and beside each a note of the document, so that an index that is lost or
damaged can be made again from them. It opens no index and reads no PDF.

A note is written once its document is in the index, and taken away first of all when it is removed; so a file with a
note belongs to the library whatever the index says, and one that neither has is left from work that was cut off.
"""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from core.atomic_files import sync_folder, write_atomically
from core.library.storage.schema import document_from_json, document_to_json
from core.library.types import Document

ManifestEntry = tuple[Document, str]
"""A document with the name of its stored file."""
_NOTE = ".json"


class FileStore:
    """The folder of stored files, each named by its SHA-256. What has to last is on the disk when a method returns."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def file_path(self, name: str) -> Path:
        """Where a stored file is, whether or not it is there."""
        return self.folder / name

    def store_file(self, data: bytes, suffix: str) -> str:
        """Keep a file; the name under which it is kept."""
        name = f"{hashlib.sha256(data).hexdigest()}{suffix}"
        write_atomically(self.folder / name, data)
        return name

    def write_note(self, document: Document, name: str) -> None:
        """Keep a note of a document and of its stored file."""
        value = {"file": name, "document": json.loads(document_to_json(document))}
        write_atomically(self.folder / (document.document_id + _NOTE), json.dumps(value).encode())

    def remove_note(self, document_id: str) -> None:
        """Take the note of a document away; its file goes with the next sweep."""
        (self.folder / (document_id + _NOTE)).unlink(missing_ok=True)
        sync_folder(self.folder)

    def read_note(self, document_id: str) -> ManifestEntry | None:
        """The note of a document; None where there is none that can be read."""
        return _entry(self.folder / (document_id + _NOTE))

    def read_notes(self) -> dict[str, ManifestEntry]:
        """All notes that can be read, by document id."""
        found = (_entry(path) for path in sorted(self.folder.glob(f"*{_NOTE}")))
        return {entry[0].document_id: entry for entry in found if entry}

    def is_intact(self, name: str) -> bool:
        """True where a stored file is there and holds the bytes that its name says."""
        try:
            with self.file_path(name).open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest() == Path(name).stem
        except OSError:
            return False

    def clean_up_files(self, entries: Iterable[ManifestEntry]) -> int:
        """Note those documents of the index that have no note, and remove files that no document has; how many."""
        held = list(entries)
        kept = {path.stem for path in self.folder.glob(f"*{_NOTE}")}
        for document, name in held:
            if document.document_id not in kept:
                self.write_note(document, name)
        known = {document.document_id for document, _ in held}
        names = {name for _, name in held}
        if kept - known:  # the index has lost them; `check` reads them again
            names |= {name for _, name in self.read_notes().values()}
        left = [
            path
            for path in self.folder.iterdir()
            if path.suffix != _NOTE and path.name not in names
        ]
        for path in left:
            path.unlink()
        return len(left)

    def move_unknown_files(self, folder: Path) -> None:
        """Move the files that no note speaks of into a folder, so that no sweep removes them."""
        names = {name for _, name in self.read_notes().values()}
        for path in [
            path
            for path in self.folder.iterdir()
            if path.suffix != _NOTE and path.name not in names
        ]:
            path.rename(folder / path.name)


def contains_notes(folder: Path) -> bool:
    """True where a folder holds a note."""
    return next(folder.glob(f"*{_NOTE}"), None) is not None


def _entry(path: Path) -> ManifestEntry | None:
    """A note; None where it is none, or is of another document."""
    try:
        value = json.loads(path.read_bytes())
        entry = document_from_json(json.dumps(value["document"])), str(value["file"])
    except (OSError, ValueError, TypeError, KeyError, ValidationError):
        return None
    of_itself = entry[0].document_id == path.stem and Path(entry[1]).name == entry[1]
    return entry if of_itself else None
