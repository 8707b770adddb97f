"""The limits of a library's documents, ready to be looked up."""

from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from core.library import Document, Library, load_meanings
from core.registers import list_register_paths, load_register, read_without_figures
from core.sheets.limit_search import LimitIndex


def limit_index(library: Library, document: Document) -> LimitIndex:
    """Return the limits of a document, ready to be looked up, within seconds.

    Where its register is not kept its figures are left out: to read them may take minutes.
    """
    meanings = load_meanings(library, document)
    for path in list_register_paths(library, document):
        with suppress(OSError):
            if index := load_index(path, path.stat().st_mtime_ns):
                return index.with_meanings(meanings)
    return LimitIndex(read_without_figures(library, document), meanings)


@lru_cache(maxsize=16)
def load_index(path: Path, _written: int) -> LimitIndex | None:
    """Return a kept register, ready to be looked up; None where it is damaged."""
    register = load_register(path)
    return LimitIndex(register) if register else None
