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
from core.library.ingestion.ingest import reread_document
from core.library.storage.errors import wrap_lancedb_errors
from core.library.storage.files import ManifestEntry
from core.library.storage.indices import has_complete_indices, rebuild_indices
from core.library.storage.library import Library
from core.library.storage.schema import (
    CLAUSE_SCHEMA,
    VALUE_COLUMNS,
    checksum_ok,
    clause_from_row,
    clause_rows,
)
from core.library.storage.vectors import diagnose_vectors, embed_clauses, vector_length
from core.library.types import Document

FindingCode = Literal["leftover", "index", "vectors", "document", "file", "note", "chats"]
_LOST = "is not in the index"
_DERIVED = [name for name in CLAUSE_SCHEMA.names if name not in VALUE_COLUMNS]
"""The columns that follow from a clause."""


@dataclass(frozen=True, slots=True)
class IntegrityFinding:
    """One thing that was not as it should be, in a sentence for a person; `mended` is True where it is again."""

    code: FindingCode
    message: str
    mended: bool


def check_library(library: Library) -> Iterator[IntegrityFinding]:
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
        aside = library.reset_index()
        where = f"; what there was lies in {aside.name}, for you to delete" if aside else ""
        yield IntegrityFinding(
            "index", f"{error.message} It is made again from the stored files{where}.", True
        )
        yield from _mended(library)
    if unsound:
        yield _vectors_again(library, unsound)


def _mended(library: Library) -> Iterator[IntegrityFinding]:
    for sentence in library.clean_up_leftovers():
        yield IntegrityFinding("leftover", sentence, True)
    yield from _indices(library)
    with library.lock_for_writing():
        ids = dict.fromkeys(
            [
                *library.files.read_notes(),
                *(document.document_id for document, _ in library.tables.read_manifest()),
            ]
        )
    for document_id in ids:
        yield from _looked_at(library, document_id)


def _indices(library: Library) -> Iterator[IntegrityFinding]:
    with library.lock_for_writing(), wrap_lancedb_errors(library.folder):
        table = library.tables.clauses_table()
        if table is None or _leads_everywhere(library, table):
            return
        rebuild_indices(table)
        mended = _leads_everywhere(library, table)
    yield IntegrityFinding(
        "index", "The indices did not lead to every clause: they are made again.", mended
    )


def _leads_everywhere(library: Library, table: Table) -> bool:
    try:
        with wrap_lancedb_errors(library.folder):
            return has_complete_indices(table)
    except LibraryError as error:
        if error.code != "damaged":
            raise
        return False


def _looked_at(library: Library, document_id: str) -> Iterator[IntegrityFinding]:
    with library.lock_for_writing():
        entry, wrong = _state(library, document_id)
        if entry is None:  # it was removed just now
            return
        document, name = entry
        whole = library.files.is_intact(name)
        noted = wrong != _LOST and library.files.read_note(document_id) != entry
        if noted:
            library.files.write_note(document, name)
        data = library.files.file_path(name).read_bytes() if whole and wrong else b""
    if noted:
        yield IntegrityFinding(
            "note", f"The note of {document.label} was not right and is written anew.", True
        )
    if not whole:
        told = f"The stored file of {document.label} is gone or not as it was added."
        if wrong:
            told += f" The document {wrong}, and cannot be read again: remove it and add it again."
        else:
            told += " Its clauses are whole, but its pages cannot be shown: add the file again."
        yield IntegrityFinding("file", told, False)
    elif wrong:
        yield from _read_again(library, entry, data, wrong)


def _state(library: Library, document_id: str) -> tuple[ManifestEntry | None, str]:
    """A document as the index has it, else as its note has it, and what is wrong with it as the end of a sentence."""
    held = next(
        (entry for entry in library.tables.read_manifest() if entry[0].document_id == document_id),
        None,
    )
    if held is None:
        return library.files.read_note(document_id), _LOST
    return held, _wrong_with(library, held[0])


def _read_again(
    library: Library, entry: ManifestEntry, data: bytes, wrong: str
) -> Iterator[IntegrityFinding]:
    document, name = entry
    try:
        book = reread_document(library, document, data)
    except ReadError as error:
        yield IntegrityFinding(
            "document",
            f"{document.label} {wrong}, and cannot be read again: {error.message}",
            False,
        )
        return
    with library.lock_for_writing():
        now, still = _state(library, document.document_id)
        if now is None or not still:  # others have removed or mended it meanwhile
            return
        library.replace_document(name, book)
    yield IntegrityFinding(
        "document", f"{document.label} {wrong}: it is read again from its stored file.", True
    )


def _without_unsound_vectors(library: Library) -> str:
    """What was wrong with the vectors, which are gone then; before all else, as every writer opens them."""
    length = vector_length(library)
    with library.lock_without_cleanup():
        if wrong := diagnose_vectors(library, length):
            library.tables.drop_vectors()
    return wrong


def _vectors_again(library: Library, wrong: str) -> IntegrityFinding:
    if library.mode == "lexical":
        return IntegrityFinding(
            "vectors",
            f"The vectors {wrong}: they are removed. `python -m core embed` makes them.",
            True,
        )
    try:
        made = embed_clauses(library)
    except ScrutineerError as error:
        return IntegrityFinding(
            "vectors", f"The vectors {wrong}, and are removed. {error.message}", False
        )
    return IntegrityFinding(
        "vectors", f"The vectors {wrong}: those of {made} clauses are made again.", True
    )


def _wrong_with(library: Library, document: Document) -> str:
    """What is wrong with the clauses that the index has of a document, as the end of a sentence; empty for nothing."""
    with wrap_lancedb_errors(library.folder):
        table = library.tables.clauses_table()
        if table is None:
            return f"lacks its {document.clauses} clauses" if document.clauses else ""
        about = col("document_id") == lit(document.document_id)
        stored = (
            table.search().where(about).select(CLAUSE_SCHEMA.names).to_arrow().sort_by("position")
        )
        rows = stored.to_pylist()
    if len(rows) != document.clauses:
        return f"has {len(rows)} clauses in place of {document.clauses}"
    if not all(map(checksum_ok, rows)):
        return f"has {sum(not checksum_ok(row) for row in rows)} clauses that are not as they were written"
    if len({row["clause_id"] for row in rows}) != len(rows):
        return "has clauses twice"
    written = clause_rows(clause_from_row(row, document) for row in rows)
    return (
        ""
        if _derived(written) == _derived(stored)
        else "is not found by the words it was written with"
    )


def _derived(rows: pa.Table) -> dict[str, list[object]]:
    return {name: rows[name].to_pylist() for name in _DERIVED}
