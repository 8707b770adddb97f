"""The stored files of documents, each with a note (JSON) from which a lost index can be rebuilt.

Opens no index and reads no PDF. A note is written after its document is in the index and removed
before it leaves the index. So a file with a note belongs to the library whatever the index says;
a file that has neither was left by interrupted work.
"""

import hashlib
import json
from collections.abc import Container, Sequence
from pathlib import Path

from pydantic import ValidationError

from core.atomic_files import sync_folder, write_atomically
from core.library.storage.schema import document_from_json, document_to_json
from core.library.types import Document

ManifestEntry = tuple[Document, str]
"""A document with the name of its stored file."""
_NOTES = "*.json"


class FileStore:
    """The folder of stored files, named by their SHA-256. Every method syncs what it writes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def file_path(self, name: str) -> Path:
        """Return the path of a stored file, which may be missing."""
        return self.folder / name

    def store_file(self, data: bytes, suffix: str) -> str:
        """Store a file; return its name."""
        name = f"{hashlib.sha256(data).hexdigest()}{suffix}"
        write_atomically(self.folder / name, data)
        return name

    def write_note(self, document: Document, name: str) -> None:
        """Write the note of a document whose stored file is `name`."""
        note = {"file": name, "document": json.loads(document_to_json(document))}
        write_atomically(self._note_path(document.document_id), json.dumps(note).encode())

    def remove_note(self, document_id: str) -> None:
        """Remove the note of a document; the next cleanup removes its file."""
        self._note_path(document_id).unlink(missing_ok=True)
        sync_folder(self.folder)

    def read_note(self, document_id: str) -> ManifestEntry | None:
        """Return the note of a document, None where it is missing or damaged."""
        return _read_note(self._note_path(document_id))

    def read_notes(self) -> dict[str, ManifestEntry]:
        """Return all undamaged notes by document id."""
        notes = map(_read_note, sorted(self.folder.glob(_NOTES)))
        return {note[0].document_id: note for note in notes if note}

    def is_intact(self, name: str) -> bool:
        """True where a stored file exists and its content matches its name."""
        try:
            with self.file_path(name).open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest() == Path(name).stem
        except OSError:
            return False

    def clean_up_files(self, entries: Sequence[ManifestEntry]) -> int:
        """Write missing notes of indexed documents, remove unused files; return how many files."""
        noted = {path.stem for path in self.folder.glob(_NOTES)}
        for document, name in entries:
            if document.document_id not in noted:
                self.write_note(document, name)
        names = {name for _, name in entries}
        if noted - {document.document_id for document, _ in entries}:
            # The index lost documents: `check` reads them again from these files.
            names |= {name for _, name in self.read_notes().values()}
        unused = self._files_except(names)
        for path in unused:
            path.unlink()
        return len(unused)

    def move_unknown_files(self, folder: Path) -> None:
        """Move files that no note mentions into a folder, out of reach of the cleanup."""
        for path in self._files_except({name for _, name in self.read_notes().values()}):
            path.rename(folder / path.name)

    def _note_path(self, document_id: str) -> Path:
        return self.folder / f"{document_id}.json"

    def _files_except(self, names: Container[str]) -> list[Path]:
        return [
            path
            for path in self.folder.iterdir()
            if path.suffix != ".json" and path.name not in names
        ]


def contains_notes(folder: Path) -> bool:
    """True where a folder holds a note."""
    return next(folder.glob(_NOTES), None) is not None


def _read_note(path: Path) -> ManifestEntry | None:
    try:
        note = json.loads(path.read_bytes())
        document, name = document_from_json(json.dumps(note["document"])), str(note["file"])
    except (OSError, ValueError, TypeError, KeyError, ValidationError):
        return None
    matches_name = document.document_id == path.stem and Path(name).name == name
    return (document, name) if matches_name else None
