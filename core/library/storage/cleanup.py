"""Removing what a process that was cut off left in a library, and beside it; only for whoever is alone with it."""

import glob
import logging
import shutil
from collections.abc import Container
from contextlib import suppress
from pathlib import Path

import filelock
from lancedb import col, lit
from lancedb.table import Table

from core.atomic_files import PART_SUFFIX
from core.library.storage.files import FileStore
from core.library.storage.tables import Index

LOCK_FILE = "lock"
"""The file in the folder of a library that whoever writes holds."""
_log = logging.getLogger("scrutineer.library")


def clean_up_library(index: Index, files: FileStore) -> tuple[str, ...]:
    """Remove clauses, vectors and files that no document in the manifest has; a sentence for each such thing."""
    entries = index.read_manifest()
    known = {document.document_id for document, _ in entries}
    told = []
    table = index.clauses_table()
    if table is not None and table.count_rows() != sum(document.clauses for document, _ in entries):
        told += [
            f"Clauses of a document that was not added to its end were removed ({orphan[:12]})."
            for orphan in _sweep_rows(table, known)
        ]
    if (vectors := index.vectors_table()) is not None:
        _sweep_rows(vectors, known)
    if removed := files.clean_up_files(entries):
        told.append(f"{removed} stored files that belong to no document were removed.")
    for sentence in told:
        _log.warning(sentence)
    return tuple(told)


def remove_temporary_files(folder: Path) -> tuple[str, ...]:
    """Remove what LanceDB, and a backup, leave in a library when they are cut off; only while nobody writes."""
    left = [path for path in (folder / "index").rglob(".tmp*") if path.is_file()]
    left += [path for path in folder.glob(".*.part") if path.is_file()]
    for path in left:
        with suppress(FileNotFoundError):
            path.unlink()
    told = [f"{len(left)} temporary files were removed."] if left else []
    if remove_partial_restores(folder.resolve()):
        told.append("What was left of a backup that was not taken back to its end was removed.")
    return tuple(told)


def remove_partial_restores(folder: Path) -> int:
    """Remove the folders beside a library's that were to take its place when a kill came; how many. One that is being
    filled is held by its lock.
    """
    removed = 0
    for left in folder.parent.glob(f".{glob.escape(folder.name)}.*{PART_SUFFIX}"):
        with suppress(OSError), filelock.FileLock(left / LOCK_FILE, timeout=0, mode=0o600):
            shutil.rmtree(left)
            removed += 1
    return removed


def _sweep_rows(table: Table, known: Container[str]) -> list[str]:
    """Remove the rows of documents that are not known, and tell which."""
    held = table.search().select(["document_id"]).to_arrow()["document_id"].unique().to_pylist()
    orphans = [document_id for document_id in held if document_id not in known]
    for orphan in orphans:
        table.delete(col("document_id") == lit(orphan))
    return orphans
