"""Registers that are read once and kept beside the library, for each document one file."""

import hashlib
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from core.atomic_files import write_atomically
from core.library import Document, Library
from core.limits.register import LimitsRegister, read_register
from core.rulebook import READING_VERSION

LIMITS_VERSION = 4
"""Raised with every change of what is read from the same clauses, so that registers are reread."""
FOLDER = "limits"
_REGISTER = TypeAdapter(LimitsRegister)


def register_of(library: Library, document: Document) -> LimitsRegister:
    """Return the limits register of a document, as it is kept or newly read."""
    path = _path(library, document)
    try:
        return _REGISTER.validate_json(path.read_bytes())
    except (OSError, ValidationError):  # not there, or cut off: it can be read again
        register = read_register(library.clauses(document.document_id))
        _keep(path, _REGISTER.dump_json(register))
        return register


def read_missing_registers(library: Library) -> None:
    """Read and keep the registers of the documents that have none yet."""
    for document in library.documents():
        if not _path(library, document).exists():
            register_of(library, document)


def _path(library: Library, document: Document) -> Path:
    """Return where a register is kept: another reading of the document has another name."""
    reading = repr((READING_VERSION, LIMITS_VERSION, document.corrections, dict(document.counts)))
    digest = hashlib.sha256(reading.encode()).hexdigest()[:16]
    return library.folder / FOLDER / f"{document.document_id}-{digest}.json"


def _keep(path: Path, content: bytes) -> None:
    """Write a register in place of those of earlier readings; without a disk it is read anew."""
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        for earlier in path.parent.glob(f"{path.name.partition('-')[0]}-*.json"):
            earlier.unlink(missing_ok=True)
        write_atomically(path, content)
    except OSError:
        return
