"""The limits of a library's documents, ready to be looked up."""

from collections.abc import Collection
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from core.library import Document, DocumentMeanings, Library
from core.registers import LIMITS, list_layer_notes
from core.sheets.limit_search import LimitIndex


def limit_index(
    library: Library,
    document: Document,
    chosen_ids: Collection[str] = (),
    day: str | None = None,
) -> LimitIndex:
    """Return the limits of a document, ready to be looked up, within seconds.

    Where its figures were not read they are left out: to read them may take minutes. The layers
    that may override them are those of the chosen documents on a day (`Layers`).
    """
    notes = list_layer_notes(library, chosen_ids, day, has_own=True)
    index = None
    if any(one.amended for found in notes.values() for one in found):
        index = LimitIndex(LIMITS.obtain(library, document).amend(notes))
    elif path := LIMITS.find_file(library, document):
        with suppress(OSError):
            index = load_index(path, path.stat().st_mtime_ns)
    index = index or LimitIndex(LIMITS.obtain(library, document))
    return index.with_layers(notes).with_meanings(DocumentMeanings.load(library, document))


@lru_cache(maxsize=16)
def load_index(path: Path, _written: int) -> LimitIndex | None:
    """Return a kept register, ready to be looked up; None where it is damaged."""
    register = LIMITS.read_file(path)
    return LimitIndex(register) if register else None
