"""Comparison of a library with what was put into it, and its repair from the stored files.

Every damage of the index can be repaired, as documents can be read again. A stored file that is
gone or changed cannot; it is reported. Chats are not checked here.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import pyarrow as pa
from lancedb import col, lit
from lancedb.table import Table

from core.errors import LibraryError, ReadError, ScrutineerError
from core.library.ingestion.ingest import reread_document
from core.library.lineage.records import read_lineage, remove_damaged_lineages
from core.library.storage.errors import wrap_lancedb_errors
from core.library.storage.indices import has_complete_indices, rebuild_indices
from core.library.storage.library import Library
from core.library.storage.schema import (
    CLAUSE_SCHEMA,
    VALUE_COLUMNS,
    checksum_ok,
    clause_rows,
    clauses_from_rows,
)
from core.library.storage.vectors import (
    count_missing_vectors,
    diagnose_vectors,
    embed_clauses,
    vector_length,
)
from core.library.types import Document
from core.program import COMMAND

FindingCode = Literal[
    "leftover", "index", "vectors", "document", "file", "note", "lineage", "chats", "webhook"
]
_LOST = "is not in the index"
_DIFFERS = "differs from its stored file"


@dataclass(frozen=True, slots=True)
class IntegrityFinding:
    """A defect in a sentence for a person; `mended` is True where it was repaired."""

    code: FindingCode
    message: str
    mended: bool


def check_library(library: Library, deep: bool = False) -> Iterator[IntegrityFinding]:
    """Check documents, clauses, indices, vectors and stored files, and repair them; yield defects.

    Others may read and write meanwhile: each check locks the library, but reading a document again
    does not. With `deep` every stored file is read again and compared. A library of another
    version counts as damaged. Raises LibraryError `locked`, and `unreadable` where nothing can be
    written.
    """
    if not library.exists:
        return
    length = vector_length(library)
    # Before all else, as every writer opens the vectors.
    with library.lock_without_cleanup():
        vectors_defect = diagnose_vectors(library, length)
        if vectors_defect:
            library.tables.drop_vectors()
        has_mended = library.tables.mend_indices()
    if has_mended:
        yield IntegrityFinding("index", "The indices were damaged: they are made again.", True)
    try:
        yield from _check_contents(library, deep)
    except LibraryError as error:
        if error.code not in ("damaged", "version"):
            raise
        aside = library.reset_index()
        where = f"; the old one is in {aside}, for you to delete" if aside else ""
        said, *_ = error.message.split(f" Run `{COMMAND} check`")  # which is just being done
        message = f"{said} It is made again from the stored files{where}."
        yield IntegrityFinding("index", message, True)
        yield from _check_contents(library, deep)
    if vectors_defect:
        yield _make_vectors(library, f"The vectors {vectors_defect}, and are removed.")
        return
    with suppress(LibraryError):  # what is damaged was told
        if library.mode != "lexical" and (missing := count_missing_vectors(library)):
            made = _make_vectors(library, f"{missing} clauses had no vectors, which search uses.")
            if made.mended:  # a model that does not answer is no damage
                yield made


def _check_contents(library: Library, deep: bool) -> Iterator[IntegrityFinding]:
    for sentence in library.clean_up_leftovers():
        yield IntegrityFinding("leftover", sentence, True)
    yield from _check_indices(library)
    with library.lock_for_writing():
        ids = library.files.read_notes() | library.tables.read_manifest()
    for document_id in ids:
        yield from _check_document(library, document_id, deep)
    yield from _check_lineages(library)


def _check_lineages(library: Library) -> Iterator[IntegrityFinding]:
    """Build what is missing of the lineages; nothing can be built of damaged documents."""
    damaged = remove_damaged_lineages(library)
    with suppress(LibraryError):
        for document in library.documents():
            read_lineage(library, document)
    if damaged:
        message = f"{damaged} records of the clauses' history were damaged: they are made again."
        yield IntegrityFinding("lineage", message, True)


def _check_indices(library: Library) -> Iterator[IntegrityFinding]:
    with library.lock_for_writing(), wrap_lancedb_errors(library.place):
        table = library.tables.clauses_table()
        if table is None or _finds_every_clause(library, table):
            return
        rebuild_indices(table)
        mended = _finds_every_clause(library, table)
    message = "The indices did not find every clause: they are made again."
    yield IntegrityFinding("index", message, mended)


def _finds_every_clause(library: Library, table: Table) -> bool:
    try:
        with wrap_lancedb_errors(library.place):
            return has_complete_indices(table)
    except LibraryError as error:
        if error.code != "damaged":
            raise
        return False


def _check_document(library: Library, document_id: str, deep: bool) -> Iterator[IntegrityFinding]:
    with library.lock_for_writing():
        entry, defect = _find_defect(library, document_id)
        if entry is None:  # it was just removed
            return
        document, name = entry
        intact = library.files.is_intact(name)
        rewrite = defect != _LOST and library.files.read_note(document_id) != entry
        if rewrite:
            library.files.write_note(document, name)
        data = library.files.files.read(name) if intact and (defect or deep) else b""
    label = document.label
    if rewrite:
        yield IntegrityFinding("note", f"The note of {label} was wrong and is written again.", True)
    if not intact:
        consequence = (
            f"The document {defect}, and cannot be read again: remove it and add it again."
            if defect
            else "Its clauses are complete, but its pages cannot be shown: add the file again."
        )
        message = f"The stored file of {label} is gone or was changed. {consequence}"
        yield IntegrityFinding("file", message, False)
    elif defect or deep:
        yield from _reread(library, document, name, data, defect)


def _find_defect(library: Library, document_id: str) -> tuple[tuple[Document, str] | None, str]:
    """Return a document as indexed, else as noted, and its defect as the end of a sentence."""
    if entry := library.tables.read_manifest().get(document_id):
        return entry, _find_clause_defect(library, entry[0])
    return library.files.read_note(document_id), _LOST


def _reread(
    library: Library, document: Document, name: str, data: bytes, defect: str
) -> Iterator[IntegrityFinding]:
    """Read a document again and replace it where it has a defect, or differs from what was read."""
    try:
        book = reread_document(library, document, data)
        if not defect and clause_rows(book[1])["digest"].equals(
            _stored_rows(library, document)["digest"]
        ):
            return
        defect = defect or _DIFFERS
    except ReadError as error:
        defect = defect or _DIFFERS
        message = f"{document.label} {defect}, and cannot be read again: {error.message}"
        yield IntegrityFinding("document", message, False)
        return
    with library.lock_for_writing():
        current, defect_now = _find_defect(library, document.document_id)
        if current is None or not (defect_now or defect == _DIFFERS):
            return  # others removed or repaired it meanwhile
        library.replace_document(name, book)
    message = f"{document.label} {defect}: it is read again from its stored file."
    yield IntegrityFinding("document", message, True)


def _make_vectors(library: Library, defect: str) -> IntegrityFinding:
    """Make the vectors that are missing; `defect` is a sentence on why they are."""
    if library.mode == "lexical":
        return IntegrityFinding("vectors", f"{defect} `{COMMAND} embed` makes them.", True)
    try:
        made = embed_clauses(library)
    except ScrutineerError as error:
        return IntegrityFinding("vectors", f"{defect} {error.message}", False)
    return IntegrityFinding("vectors", f"{defect} Those of {made} clauses are made.", True)


def _find_clause_defect(library: Library, document: Document) -> str:
    """Return what is wrong with the indexed clauses as the end of a sentence, "" for nothing."""
    with wrap_lancedb_errors(library.place):
        table = library.tables.clauses_table()
        if table is None:
            return f"lacks its {document.rows} clauses" if document.rows else ""
        return _find_row_defect(_stored_rows(library, document), document)


def _stored_rows(library: Library, document: Document) -> pa.Table:
    """Return the rows of a document, in reading order."""
    table = library.tables.clauses_table()
    if table is None:
        return CLAUSE_SCHEMA.empty_table()
    where = col("document_id") == lit(document.document_id)
    return table.search().where(where).select(CLAUSE_SCHEMA.names).to_arrow().sort_by("position")


def _find_row_defect(stored: pa.Table, document: Document) -> str:
    rows = stored.to_pylist()
    if len(rows) != document.rows:
        return f"has {len(rows)} clauses in place of {document.rows}"
    if wrong := sum(not checksum_ok(row) for row in rows):
        return f"has {wrong} clauses that differ from what was stored"
    if len({row["clause_id"] for row in rows}) != len(rows):
        return "has clauses twice"
    expected = clause_rows(clauses_from_rows(rows, {document.document_id: document}))
    derived = [name for name in CLAUSE_SCHEMA.names if name not in VALUE_COLUMNS]
    if any(stored[name].to_pylist() != expected[name].to_pylist() for name in derived):
        return "is not found by the words it was stored with"
    return ""
