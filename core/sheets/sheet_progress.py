"""A sheet checked against several documents, with progress, and only what is not known yet."""

from collections.abc import Callable, MutableMapping, Sequence

from core.library import Document, Library
from core.registers import list_layer_notes
from core.sheets.checked_rows import CheckedRow
from core.sheets.limit_search import LimitIndex
from core.sheets.sheet_check import SheetResult, SheetRow, check_row
from core.sheets.sheet_storage import SheetStore

_STEP = 25
"""Rows that are checked between two reports of the progress; one takes about a millisecond
(tests/benchmarks/sheet.py)."""

KnownResults = MutableMapping[object, SheetResult]
"""Results by document, all that are checked, day, state of the library, row, and the rule that a
person picked for it."""


def check_new_rows(
    library: Library,
    rows: Sequence[SheetRow],
    documents: Sequence[Document],
    load_index: Callable[[Library, Document], LimitIndex],
    store: SheetStore,
    known: KnownResults,
    on_progress: Callable[[float], object],
    day: str | None = None,
) -> list[CheckedRow]:
    """Check rows against documents, and note the results as known. What is known is not checked.

    Layers are those of a `day`. `on_progress` gets the part that is done, from 0 to 1.
    """
    checked = []
    chosen_ids = tuple(one.document_id for one in documents)
    notes = list_layer_notes(library, chosen_ids, day)
    for number, document in enumerate(documents):
        state, index = library.state, load_index(library, document).with_layers(notes)
        chosen = store.choices_for(library, document)
        for place, row in enumerate(rows):
            key = (document.document_id, chosen_ids, day, state, row, chosen.get(row.key))
            if key not in known:
                if place % _STEP == 0:
                    on_progress((number + place / len(rows)) / len(documents))
                known[key] = check_row(row, index, chosen)
            checked.append(CheckedRow(document, row, known[key]))
    return checked
