"""Registers that are read once and kept beside the library, for each document one file."""

import hashlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from core.library import Document, Library, load_meanings, suggest_questions
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
from core.limits.value_question import find_value_question
from core.rulebook import READING_VERSION

LIMITS_VERSION = 10
"""Raised with every change of what is read from the same clauses, so that registers are reread."""
MAX_DOCUMENTS = 4
"""Documents whose registers are loaded for a question; more would keep the first page waiting."""
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
    meanings = load_meanings(library, document)
    for path in _list_paths(library, document):
        with suppress(OSError):
            if index := load_index(path, path.stat().st_mtime_ns):
                return index.with_meanings(meanings)
    register = read_register(library.clauses(document.document_id))
    keep_file(_path(library, document, None), _REGISTER.dump_json(register))
    return LimitIndex(register, meanings)


def suggest_value_question(library: Library, documents: Iterable[Document]) -> str:
    """Return a question on a value by the first document whose kept register has one, else ""."""
    for document in islice(documents, MAX_DOCUMENTS):
        kept = filter(None, map(_load, _list_paths(library, document)))
        if question := next((register.value_question for register in kept), ""):
            return question
    return ""


def suggest_examples(library: Library, documents: Sequence[Document]) -> list[str]:
    """Return questions that documents answer, the first on a value if they set one."""
    questions = suggest_questions(library, documents)
    value = suggest_value_question(library, documents)
    return [value, *questions[:3]] if value else questions


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
    register = replace(register, value_question=find_value_question(register))
    path = _path(library, document, readings)
    with suppress(OSError):
        for earlier in path.parent.glob(f"{document.document_id}-*.json"):
            earlier.unlink(missing_ok=True)
    keep_file(path, _REGISTER.dump_json(register))
    return register


def _list_paths(library: Library, document: Document) -> tuple[Path, Path]:
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
