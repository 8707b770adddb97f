"""The stored files of documents, each with a note (JSON) from which a lost index can be rebuilt.

Opens no index and reads no PDF. A note is written after its document is in the index and removed
before it leaves the index. So a file with a note belongs to the library whatever the index says;
a file that has neither was left by interrupted work.
"""

import hashlib
import json
from collections.abc import Container
from pathlib import Path

from pydantic import ValidationError

from core.atomic_files import sync_folder, write_atomically
from core.library.storage.schema import document_from_json, document_to_json
from core.library.types import Document
from core.write_steps import pass_step

Manifest = dict[str, tuple[Document, str]]
"""Documents by id, each with the name of its stored file."""
_NOTES = "*.json"


class FileStore:
    """The folder of stored files, named by their SHA-256. Every method syncs what it writes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def store_file(self, data: bytes, suffix: str) -> str:
        name = f"{hashlib.sha256(data).hexdigest()}{suffix}"
        write_atomically(self.folder / name, data)
        return name

    def write_note(self, document: Document, name: str) -> None:
        note = {"file": name, "document": json.loads(document_to_json(document))}
        write_atomically(self._note_path(document.document_id), json.dumps(note).encode())

    def remove_note(self, document_id: str) -> None:
        """Remove the note of a document; the next cleanup removes its file."""
        self._note_path(document_id).unlink(missing_ok=True)
        sync_folder(self.folder)

    def read_note(self, document_id: str) -> tuple[Document, str] | None:
        """Return a document and its file's name from its note; None if missing or damaged."""
        try:
            note = json.loads(self._note_path(document_id).read_bytes())
            document, name = document_from_json(json.dumps(note["document"])), str(note["file"])
        except (OSError, ValueError, TypeError, KeyError, ValidationError):
            return None
        is_own = document.document_id == document_id and Path(name).name == name
        return (document, name) if is_own else None

    def noted_ids(self) -> set[str]:
        """Return the ids of the documents that have a note, damaged or not."""
        return {path.stem for path in self.folder.glob(_NOTES)}

    def read_notes(self) -> Manifest:
        """Return all undamaged notes."""
        ids = sorted(self.noted_ids())
        return {document_id: note for document_id in ids if (note := self.read_note(document_id))}

    def is_intact(self, name: str) -> bool:
        """True where a stored file exists and its content matches its name."""
        try:
            with (self.folder / name).open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest() == Path(name).stem
        except OSError:
            return False

    def clean_up_files(self, manifest: Manifest) -> int:
        """Write missing notes of indexed documents, remove unused files; return how many files."""
        noted = self.noted_ids()
        for document_id in manifest.keys() - noted:
            self.write_note(*manifest[document_id])
        names = {name for _, name in manifest.values()}
        if noted - manifest.keys():
            # The index lost documents: `check` reads them again from these files.
            names |= {name for _, name in self.read_notes().values()}
        unused = self._files_except(names)
        for path in unused:
            path.unlink()
            pass_step("file removed")
        return len(unused)

    def move_unknown_files(self, folder: Path) -> None:
        """Move files that no note mentions into a folder, out of reach of the cleanup."""
        for path in self._files_except({name for _, name in self.read_notes().values()}):
            path.rename(folder / path.name)
            pass_step("file moved")

    def _note_path(self, document_id: str) -> Path:
        return self.folder / f"{document_id}.json"

    def _files_except(self, names: Container[str]) -> list[Path]:
        return [
            path
            for path in self.folder.iterdir()
            if path.suffix != ".json" and path.name not in names
        ]


def contains_notes(folder: Path) -> bool:
    return next(folder.glob(_NOTES), None) is not None
