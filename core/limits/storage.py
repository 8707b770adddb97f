"""Registers that are read once and kept beside the library, for each document one file."""

import hashlib
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from core.library import Document, Library
from core.limits.figure_texts import (
    FOLDER,
    FigureReadings,
    keep_file,
    load_figure_readings,
    read_missing_figures,
    reads_figures,
)
from core.limits.limit_search import LimitIndex
from core.limits.register import LimitsRegister, read_register
from core.rulebook import READING_VERSION

LIMITS_VERSION = 8
"""Raised with every change of what is read from the same clauses, so that registers are reread."""
_REGISTER = TypeAdapter(LimitsRegister)


def register_of(library: Library, document: Document) -> LimitsRegister:
    """Return the limits register of a document, as it is kept or newly read."""
    readings = load_figure_readings(library, document)
    path = _path(library, document, readings)
    return _load(path) or _read_register(library, document, readings)


def limit_index(library: Library, document: Document) -> LimitIndex:
    """Return the limits of a document, ready to be looked up, within seconds.

    Where its register is not kept its figures are left out: to read them may take minutes.
    """
    without_figures = _path(library, document, None)
    for path in (
        _path(library, document, load_figure_readings(library, document)),
        without_figures,
    ):
        with suppress(OSError):
            if index := load_index(path, path.stat().st_mtime_ns):
                return index
    register = read_register(library.clauses(document.document_id))
    keep_file(without_figures, _REGISTER.dump_json(register))
    return LimitIndex(register)


@lru_cache(maxsize=16)
def load_index(path: Path, _written: int) -> LimitIndex | None:
    """Return a kept register, ready to be looked up; None where it is damaged."""
    register = _load(path)
    return LimitIndex(register) if register else None


def _load(path: Path) -> LimitsRegister | None:
    try:
        return _REGISTER.validate_json(path.read_bytes())
    except (OSError, ValidationError):  # not there, or cut off: it can be read again
        return None


def read_missing_registers(library: Library) -> None:
    """Read and keep the registers that are missing, and those with figures that were not read."""
    for document in library.documents():
        readings = load_figure_readings(library, document)
        is_kept = _path(library, document, readings).exists()
        if not is_kept or readings.is_worth_another_attempt:
            _read_register(library, document, readings)


def _read_register(
    library: Library, document: Document, readings: FigureReadings
) -> LimitsRegister:
    """Read a register and keep it in place of those of earlier readings."""
    clauses = library.clauses(document.document_id)
    readings = read_missing_figures(library, document, clauses, readings)
    register = read_register(clauses, dict(readings.texts))
    path = _path(library, document, readings)
    with suppress(OSError):
        for earlier in path.parent.glob(f"{document.document_id}-*.json"):
            earlier.unlink(missing_ok=True)
    keep_file(path, _REGISTER.dump_json(register))
    return register


def _path(library: Library, document: Document, readings: FigureReadings | None) -> Path:
    """Return where a register is kept: another reading of the document has another name.

    `readings` are None for one that is read without figures.
    """
    figures = (reads_figures(library), len(readings.texts)) if readings else None
    versions = (READING_VERSION, LIMITS_VERSION, figures)
    reading = repr((*versions, document.corrections, dict(document.counts)))
    digest = hashlib.sha256(reading.encode()).hexdigest()[:16]
    return library.folder / FOLDER / f"{document.document_id}-{digest}.json"
