"""The stored files of documents, each with a note (JSON) from which a lost index can be rebuilt.

Opens no index and reads no PDF. A note is written after its document is in the index and removed
before that is changed in the index or leaves it. So a file with a note belongs to the library
whatever the index says; a file that neither names was left by interrupted work.
"""

import hashlib
import json
from collections.abc import Container
from pathlib import PurePosixPath

from pydantic import ValidationError

from core.library.storage.places import Files
from core.library.storage.schema import document_from_json, document_to_json
from core.library.types import Document
from core.write_steps import pass_step

Manifest = dict[str, tuple[Document, str]]
"""Documents by id, each with the name of its stored file."""
NOTE_SUFFIX = ".json"


class FileStore:
    """The stored files, named by their SHA-256, and their notes. What is written is durable."""

    def __init__(self, files: Files) -> None:
        self.files = files

    def store_file(self, data: bytes, suffix: str) -> str:
        name = f"{hashlib.sha256(data).hexdigest()}{suffix}"
        self.files.write(name, data)
        return name

    def write_note(self, document: Document, name: str) -> None:
        note = {"file": name, "document": json.loads(document_to_json(document))}
        self.files.write(document.document_id + NOTE_SUFFIX, json.dumps(note).encode())

    def remove_note(self, document_id: str) -> None:
        """Remove the note of a document; the next cleanup writes it again, or removes its file."""
        self.files.remove(document_id + NOTE_SUFFIX)

    def read_note(self, document_id: str) -> tuple[Document, str] | None:
        """Return a document and its file's name from its note; None if missing or damaged."""
        try:
            note = json.loads(self.files.read(document_id + NOTE_SUFFIX))
            document, name = document_from_json(json.dumps(note["document"])), str(note["file"])
        except (FileNotFoundError, ValueError, TypeError, KeyError, ValidationError):
            return None
        is_own = document.document_id == document_id and PurePosixPath(name).name == name
        return (document, name) if is_own else None

    def noted_ids(self) -> set[str]:
        """Return the ids of the documents that have a note, damaged or not."""
        return _noted_ids(self.files.names())

    def read_notes(self) -> Manifest:
        """Return all undamaged notes."""
        ids = sorted(self.noted_ids())
        return {document_id: note for document_id in ids if (note := self.read_note(document_id))}

    def is_intact(self, name: str) -> bool:
        """True where a stored file exists and its content matches its name."""
        try:
            with self.files.open_read(name) as file:
                digest = hashlib.sha256()
                while chunk := file.read(1 << 20):
                    digest.update(chunk)
                return digest.hexdigest() == PurePosixPath(name).stem
        except FileNotFoundError:
            return False

    def clean_up_files(self, manifest: Manifest) -> int:
        """Write missing notes of indexed documents, remove unused files; return how many files."""
        names = self.files.names()
        noted = _noted_ids(names)
        for document_id in manifest.keys() - noted:
            self.write_note(*manifest[document_id])
        used = {name for _, name in manifest.values()}
        if noted - manifest.keys():
            # The index lost documents: `check` reads them again from these files.
            used |= {name for _, name in self.read_notes().values()}
        unused = _files_except(names, used)
        for name in unused:
            self.files.remove(name)
            pass_step("file removed")
        return len(unused)

    def move_unknown_files(self, target: Files) -> None:
        """Move files that no note mentions to another place, out of reach of the cleanup."""
        noted = {name for _, name in self.read_notes().values()}
        for name in _files_except(self.files.names(), noted):
            target.write(name, self.files.read(name))
            self.files.remove(name)
            pass_step("file moved")


def _noted_ids(names: list[str]) -> set[str]:
    return {name.removesuffix(NOTE_SUFFIX) for name in names if name.endswith(NOTE_SUFFIX)}


def _files_except(names: list[str], used: Container[str]) -> list[str]:
    return [name for name in names if not name.endswith(NOTE_SUFFIX) and name not in used]
