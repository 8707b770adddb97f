"""Comparing a library with what was put into it, and mending it from its stored files. It looks at no chat.

What was read can be read again, so every damage of the index is mended; a stored file that is gone or changed is not,
and is told.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import pyarrow as pa
from lancedb import col, lit
from lancedb.table import Table

from core.errors import LibraryError, ReadError, ScrutineerError
from core.library.ingestion.ingest import read_again
from core.library.storage.errors import readable
from core.library.storage.files import Entry
from core.library.storage.indices import found_through, index_anew
from core.library.storage.library import Library
from core.library.storage.schema import CLAUSES, VALUE, clause_of, clause_rows, intact
from core.library.storage.vectors import embed, length_of_vectors, wrong_with_vectors
from core.library.types import Document

FindingCode = Literal["leftover", "index", "vectors", "document", "file", "note", "chats"]
_LOST = "is not in the index"
_DERIVED = [name for name in CLAUSES.names if name not in VALUE]
"""The columns that follow from a clause."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was not as it should be, in a sentence for a person; `mended` is True where it is again."""

    code: FindingCode
    message: str
    mended: bool


def check_library(library: Library) -> Iterator[Finding]:
    """Look at all documents, clauses, indices, vectors and stored files, and mend what can be; yields what was found.

    Others may read and write meanwhile: each thing is looked at while nobody writes, and a document is read again
    while they may. A library of another version counts as damaged: its documents are read again. Raises LibraryError
    `locked`, and `unreadable` where nothing can be written.
    """
    if not library.folder.is_dir():
        return
    unsound = _without_unsound_vectors(library)
    try:
        yield from _mended(library)
    except LibraryError as error:
        if error.code not in ("damaged", "version"):
            raise
        aside = library.begin_anew()
        where = f"; what there was lies in {aside.name}, for you to delete" if aside else ""
        yield Finding(
            "index", f"{error.message} It is made again from the stored files{where}.", True
        )
        yield from _mended(library)
    if unsound:
        yield _vectors_again(library, unsound)


def _mended(library: Library) -> Iterator[Finding]:
    for sentence in library.repair():
        yield Finding("leftover", sentence, True)
    yield from _indices(library)
    with library.writing():
        ids = dict.fromkeys(
            [
                *library.files.noted(),
                *(document.document_id for document, _ in library.tables.entries()),
            ]
        )
    for document_id in ids:
        yield from _looked_at(library, document_id)


def _indices(library: Library) -> Iterator[Finding]:
    with library.writing(), readable(library.folder):
        table = library.tables.clauses()
        if table is None or _leads_everywhere(library, table):
            return
        index_anew(table)
        mended = _leads_everywhere(library, table)
    yield Finding("index", "The indices did not lead to every clause: they are made again.", mended)


def _leads_everywhere(library: Library, table: Table) -> bool:
    try:
        with readable(library.folder):
            return found_through(table)
    except LibraryError as error:
        if error.code != "damaged":
            raise
        return False


def _looked_at(library: Library, document_id: str) -> Iterator[Finding]:
    with library.writing():
        entry, wrong = _state(library, document_id)
        if entry is None:  # it was removed just now
            return
        document, name = entry
        whole = library.files.whole(name)
        noted = wrong != _LOST and library.files.noted_as(document_id) != entry
        if noted:
            library.files.note(document, name)
        data = library.files.path(name).read_bytes() if whole and wrong else b""
    if noted:
        yield Finding(
            "note", f"The note of {document.label} was not right and is written anew.", True
        )
    if not whole:
        told = f"The stored file of {document.label} is gone or not as it was added."
        if wrong:
            told += f" The document {wrong}, and cannot be read again: remove it and add it again."
        else:
            told += " Its clauses are whole, but its pages cannot be shown: add the file again."
        yield Finding("file", told, False)
    elif wrong:
        yield from _read_again(library, entry, data, wrong)


def _state(library: Library, document_id: str) -> tuple[Entry | None, str]:
    """A document as the index has it, else as its note has it, and what is wrong with it as the end of a sentence."""
    held = next(
        (entry for entry in library.tables.entries() if entry[0].document_id == document_id), None
    )
    if held is None:
        return library.files.noted_as(document_id), _LOST
    return held, _wrong_with(library, held[0])


def _read_again(library: Library, entry: Entry, data: bytes, wrong: str) -> Iterator[Finding]:
    document, name = entry
    try:
        book = read_again(library, document, data)
    except ReadError as error:
        yield Finding(
            "document",
            f"{document.label} {wrong}, and cannot be read again: {error.message}",
            False,
        )
        return
    with library.writing():
        now, still = _state(library, document.document_id)
        if now is None or not still:  # others have removed or mended it meanwhile
            return
        library.keep_again(name, book)
    yield Finding(
        "document", f"{document.label} {wrong}: it is read again from its stored file.", True
    )


def _without_unsound_vectors(library: Library) -> str:
    """What was wrong with the vectors, which are gone then; before all else, as every writer opens them."""
    length = length_of_vectors(library)
    with library.alone():
        if wrong := wrong_with_vectors(library, length):
            library.tables.drop_vectors()
    return wrong


def _vectors_again(library: Library, wrong: str) -> Finding:
    if library.mode == "lexical":
        return Finding(
            "vectors",
            f"The vectors {wrong}: they are removed. `python -m core embed` makes them.",
            True,
        )
    try:
        made = embed(library)
    except ScrutineerError as error:
        return Finding("vectors", f"The vectors {wrong}, and are removed. {error.message}", False)
    return Finding("vectors", f"The vectors {wrong}: those of {made} clauses are made again.", True)


def _wrong_with(library: Library, document: Document) -> str:
    """What is wrong with the clauses that the index has of a document, as the end of a sentence; empty for nothing."""
    with readable(library.folder):
        table = library.tables.clauses()
        if table is None:
            return f"lacks its {document.clauses} clauses" if document.clauses else ""
        about = col("document_id") == lit(document.document_id)
        stored = table.search().where(about).select(CLAUSES.names).to_arrow().sort_by("position")
        rows = stored.to_pylist()
    if len(rows) != document.clauses:
        return f"has {len(rows)} clauses in place of {document.clauses}"
    if not all(map(intact, rows)):
        return (
            f"has {sum(not intact(row) for row in rows)} clauses that are not as they were written"
        )
    if len({row["clause_id"] for row in rows}) != len(rows):
        return "has clauses twice"
    written = clause_rows(clause_of(row, document) for row in rows)
    return (
        ""
        if _derived(written) == _derived(stored)
        else "is not found by the words it was written with"
    )


def _derived(rows: pa.Table) -> dict[str, list[object]]:
    return {name: rows[name].to_pylist() for name in _DERIVED}
