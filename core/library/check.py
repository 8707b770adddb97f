"""Comparing a library with what was put into it, and mending it from its stored files. It looks at no chat.

What was read can be read again, so every damage of the index is mended; a stored file that is gone or changed is not,
and is told.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import pyarrow as pa
from lancedb import col, lit

from core.errors import LibraryError, ReadError
from core.library.files import Entry
from core.library.ingest import read_again
from core.library.rows import CLAUSES, VALUE, clause_of, clause_rows, intact
from core.library.store import Library, readable
from core.library.types import Document

FindingCode = Literal["leftover", "index", "document", "file", "note", "chats"]
_DERIVED = [name for name in CLAUSES.names if name not in VALUE]
"""The columns that follow from a clause."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was not as it should be, in a sentence for a person; `mended` is True where it is again."""

    code: FindingCode
    message: str
    mended: bool


def check_library(library: Library) -> Iterator[Finding]:
    """Look at every document, clause and stored file, and mend what can be mended; yields what was found.

    A library of another version counts as damaged: its documents are read again. Raises LibraryError `locked`, and
    `unreadable` where nothing can be written.
    """
    if not library.folder.is_dir():
        return
    try:
        yield from _mended(library)
    except LibraryError as error:
        if error.code not in ("damaged", "version"):
            raise
        aside = library.begin_anew()
        where = f"; what there was lies in {aside.name}, for you to delete" if aside else ""
        yield Finding("index", f"{error.message} It is made again from the stored files{where}.", True)
        yield from _mended(library)


def _mended(library: Library) -> Iterator[Finding]:
    for sentence in library.repair():
        yield Finding("leftover", sentence, True)
    held = {entry[0].document_id: entry for entry in library.entries()}
    noted = library.files.noted()
    for entry in {**noted, **held}.values():
        yield from _looked_at(library, entry, entry[0].document_id in held)
    for document_id, entry in held.items():
        if noted.get(document_id) != entry:
            library.files.note(*entry)
            yield Finding("note", f"The note of {entry[0].label} was not right and is written anew.", True)


def _looked_at(library: Library, entry: Entry, is_held: bool) -> Iterator[Finding]:
    document, name = entry
    wrong = _wrong_with(library, document) if is_held else "is not in the index"
    if not library.files.whole(name):
        told = f"The stored file of {document.label} is gone or not as it was added."
        if wrong:
            told += f" The document {wrong}, and cannot be read again: remove it and add it again."
        else:
            told += " Its clauses are whole, but its pages cannot be shown: add the file again."
        yield Finding("file", told, False)
    elif wrong:
        yield _read_again(library, entry, wrong)


def _read_again(library: Library, entry: Entry, wrong: str) -> Finding:
    document, name = entry
    try:
        library.keep_again(name, read_again(library, document, library.files.path(name).read_bytes()))
    except ReadError as error:
        return Finding("document", f"{document.label} {wrong}, and cannot be read again: {error.message}", False)
    return Finding("document", f"{document.label} {wrong}: it is read again from its stored file.", True)


def _wrong_with(library: Library, document: Document) -> str:
    """What is wrong with the clauses that the index has of a document, as the end of a sentence; empty for nothing."""
    with readable(library):
        table = library.table()
        if table is None:
            return f"lacks its {document.clauses} clauses" if document.clauses else ""
        about = col("document_id") == lit(document.document_id)
        stored = table.search().where(about).select(CLAUSES.names).to_arrow().sort_by("position")
        rows = stored.to_pylist()
    if len(rows) != document.clauses:
        return f"has {len(rows)} clauses in place of {document.clauses}"
    if not all(map(intact, rows)):
        return f"has {sum(not intact(row) for row in rows)} clauses that are not as they were written"
    if len({row["clause_id"] for row in rows}) != len(rows):
        return "has clauses twice"
    written = clause_rows(clause_of(row, document) for row in rows)
    return "" if _derived(written) == _derived(stored) else "is not found by the words it was written with"


def _derived(rows: pa.Table) -> dict[str, list[object]]:
    return {name: rows[name].to_pylist() for name in _DERIVED}
