"""What is derived from documents: the register of each is read once and kept with its document."""

import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from core.library import (
    DerivedKind,
    Document,
    Library,
    complete_derived,
    find_derived,
    load_derived,
    load_meanings,
    obtain_derived,
    read_derived,
    suggest_questions,
)
from core.limits.figure_texts import FIGURE_TEXTS, load_figure_readings, reads_figures
from core.limits.limit_search import LimitIndex
from core.limits.register import LimitsRegister, read_register
from core.limits.value_question import find_value_question

LIMITS_VERSION = 10
"""Raised with every change of what is read from the same clauses, so that registers are reread."""
MAX_DOCUMENTS = 4
"""Documents whose registers are loaded for a question; more would keep the first page waiting."""
_REGISTER = TypeAdapter(LimitsRegister)
_EARLIER_FOLDER = "limits"  # of version 0.2 and before; what was in it is read again


def _read_register(library: Library, document: Document) -> LimitsRegister:
    """Read a register from clauses, and from what was read on figures so far."""
    readings = load_figure_readings(library, document)
    register = read_register(library.clauses(document.document_id), dict(readings.texts))
    return replace(register, value_question=find_value_question(register))


LIMITS = DerivedKind(
    "limits",
    LIMITS_VERSION,
    _read_register,
    _REGISTER.dump_json,
    _REGISTER.validate_json,
    inputs=lambda library, document: len(load_figure_readings(library, document).texts),
)


def list_derived_kinds(library: Library) -> tuple[DerivedKind[Any], ...]:
    """Return all that is derived from each document of a library, first what the rest needs."""
    return (FIGURE_TEXTS, LIMITS) if reads_figures(library) else (LIMITS,)


def complete_library(library: Library) -> None:
    """Make what is missing or older of all that is derived from documents; it may take minutes."""
    shutil.rmtree(library.folder / _EARLIER_FOLDER, ignore_errors=True)
    complete_derived(library, list_derived_kinds(library))


def register_of(library: Library, document: Document) -> LimitsRegister:
    """Return the limits register of a document, as it is kept or newly read."""
    if reads_figures(library):
        obtain_derived(library, document, FIGURE_TEXTS)
    return obtain_derived(library, document, LIMITS)


def limit_index(library: Library, document: Document) -> LimitIndex:
    """Return the limits of a document, ready to be looked up, within seconds.

    Where its figures were not read they are left out: to read them may take minutes.
    """
    index = None
    if path := find_derived(library, document, LIMITS):
        with suppress(OSError):
            index = load_index(path, path.stat().st_mtime_ns)
    index = index or LimitIndex(obtain_derived(library, document, LIMITS))
    return index.with_meanings(load_meanings(library, document))


def suggest_value_question(library: Library, documents: Iterable[Document]) -> str:
    """Return a question on a value by the first document whose kept register has one, else ""."""
    few = islice(documents, MAX_DOCUMENTS)
    kept = filter(None, (load_derived(library, one, LIMITS) for one in few))
    return next((one.value_question for one in kept if one.value_question), "")


def suggest_examples(library: Library, documents: Sequence[Document]) -> list[str]:
    """Return questions that documents answer, the first on a value if they set one."""
    questions = suggest_questions(library, documents)
    value = suggest_value_question(library, documents)
    return [value, *questions[:3]] if value else questions


@lru_cache(maxsize=16)
def load_index(path: Path, _written: int) -> LimitIndex | None:
    """Return a kept register, ready to be looked up; None where it is damaged."""
    register = read_derived(path, LIMITS)
    return LimitIndex(register) if register else None
