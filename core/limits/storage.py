"""Registers that are read once and kept beside the library, for each document one file."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from core.atomic_files import write_atomically
from core.library import Document, Library
from core.limits.register import LimitsRegister, read_register
from core.rulebook import READING_VERSION, Clause, Figure, can_read_figures, read_figures

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
        clauses = library.clauses(document.document_id)
        register = read_register(clauses, _read_figures(library, document, clauses))
        _keep(path, _REGISTER.dump_json(register))
        return register


def _read_figures(
    library: Library, document: Document, clauses: Iterable[Clause]
) -> dict[Figure, tuple[str, ...]]:
    """Return the words of a document's figures; none where text recognition is off or missing."""
    figures = [one for clause in clauses for one in clause.figures if one.kind == "figure"]
    file = library.stored_file(document.document_id) if _reads_figures(library) else None
    if not figures or file is None or file.suffix != ".pdf":
        return {}
    return dict(zip(figures, read_figures(file.read_bytes(), figures), strict=True))


def _reads_figures(library: Library) -> bool:
    """True if the optional part `ocr` is installed and pages that are images are read with it."""
    return library.read_limits.read_scans and can_read_figures()


def read_missing_registers(library: Library) -> None:
    """Read and keep the registers of the documents that have none yet."""
    for document in library.documents():
        if not _path(library, document).exists():
            register_of(library, document)


def _path(library: Library, document: Document) -> Path:
    """Return where a register is kept: another reading of the document has another name."""
    versions = (READING_VERSION, LIMITS_VERSION, _reads_figures(library))
    reading = repr((*versions, document.corrections, dict(document.counts)))
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
