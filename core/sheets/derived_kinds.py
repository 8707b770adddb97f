"""All that is derived from the documents of a library, whichever room defines it."""

import shutil
from typing import Any

from core.library import DOCUMENT_WORDS, DerivedKind, Library, complete_derived_values
from core.registers import list_register_kinds
from core.sheets.value_question import VALUE_QUESTIONS

_EARLIER_FOLDER = "limits"  # of version 0.2 and before; what was in it is made again


def list_derived_kinds(library: Library) -> tuple[DerivedKind[Any], ...]:
    """Return the kinds that each document of a library has, before each what it is made from."""
    return (DOCUMENT_WORDS, *list_register_kinds(library), VALUE_QUESTIONS)


def complete_library(library: Library) -> None:
    """Make what is missing or older of all that is derived from documents; it may take minutes."""
    shutil.rmtree(library.folder / _EARLIER_FOLDER, ignore_errors=True)
    complete_derived_values(library, list_derived_kinds(library))
