"""Registers that are read once and kept beside the library, for each document one file."""

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from core.library import Document, Library
from core.registers.figure_texts import (
    FOLDER,
    FigureReadings,
    keep_file,
    load_figure_readings,
    read_missing_figures,
    reads_figures,
)
from core.registers.register import LimitsRegister, read_register
from core.rulebook import READING_VERSION

LIMITS_VERSION = 10
"""Raised with every change of what is read from the same clauses, so that registers are reread."""
_REGISTER = TypeAdapter(LimitsRegister)


def register_of(library: Library, document: Document) -> LimitsRegister:
    """Return the limits register of a document, as it is kept or newly read."""
    readings = load_figure_readings(library, document)
    path = _path(library, document, readings)
    return load_register(path) or _read_register(library, document, readings)


def read_without_figures(library: Library, document: Document) -> LimitsRegister:
    """Read a register without the words of its figures, and keep it until they are read."""
    register = read_register(library.clauses(document.document_id))
    save_register(_path(library, document, None), register)
    return register


def load_register(path: Path) -> LimitsRegister | None:
    """Return a kept register; None where there is none, or a damaged one."""
    try:
        return _REGISTER.validate_json(path.read_bytes())
    except (OSError, ValidationError):  # not there, or cut off: it can be read again
        return None


def save_register(path: Path, register: LimitsRegister) -> None:
    keep_file(path, _REGISTER.dump_json(register))


def read_new_registers(library: Library) -> Iterator[Path]:
    """Read and keep the registers that are missing, and those with figures that were not read.

    Yield where each is kept.
    """
    for document in library.documents():
        readings = load_figure_readings(library, document)
        is_kept = _path(library, document, readings).exists()
        if not is_kept or readings.is_worth_another_attempt:
            _read_register(library, document, readings)
            yield list_register_paths(library, document)[0]


def _read_register(
    library: Library, document: Document, readings: FigureReadings
) -> LimitsRegister:
    """Read a register and keep it in place of those of earlier readings."""
    clauses = library.clauses(document.document_id)
    readings = read_missing_figures(library, document, clauses, readings)
    register = read_register(clauses, dict(readings.texts))
    register = replace(register, value_question=None)
    path = _path(library, document, readings)
    with suppress(OSError):
        for earlier in path.parent.glob(f"{document.document_id}-*.json"):
            earlier.unlink(missing_ok=True)
    save_register(path, register)
    return register


def list_register_paths(library: Library, document: Document) -> tuple[Path, Path]:
    """Return where a register is kept, and where it is without figures."""
    readings = load_figure_readings(library, document)
    return _path(library, document, readings), _path(library, document, None)


def _path(library: Library, document: Document, readings: FigureReadings | None) -> Path:
    """Return where a register is kept: another reading of the document has another name.

    `readings` are None for one that is read without figures.
    """
    figures = (reads_figures(library), len(readings.texts)) if readings else None
    versions = (READING_VERSION, LIMITS_VERSION, figures)
    reading = repr((*versions, document.corrections, dict(document.counts)))
    digest = hashlib.sha256(reading.encode()).hexdigest()[:16]
    return library.folder / FOLDER / f"{document.document_id}-{digest}.json"
