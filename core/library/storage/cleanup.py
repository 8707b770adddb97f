"""Removal of what an interrupted process left in and beside a library; for lock holders only."""

import glob
import logging
import shutil
from collections.abc import Container, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import filelock
from lancedb import col
from lancedb.table import Table

from core.atomic_files import PART_SUFFIX, part_path
from core.library.storage.files import FileStore
from core.library.storage.tables import Index
from core.write_steps import pass_step

_REMOVED_TOGETHER = 1000  # documents: each removal is a version of the table
LOCK_FILE = "lock"  # in a library's folder, for its writer
DERIVED_FOLDER = "derived"  # in a library's folder: a folder a kind, in it a file a document
_log = logging.getLogger("scrutineer.library")


def clean_up_library(index: Index, files: FileStore) -> tuple[str, ...]:
    """Undo what interrupted changes left; log and return a sentence for each."""
    messages = remove_unknown_documents(index, files)
    for message in messages:
        _log.warning(message)
    return messages


def remove_unknown_documents(index: Index, files: FileStore) -> tuple[str, ...]:
    """Remove rows and files of documents that the manifest lacks; return a sentence for each."""
    manifest = index.read_manifest()
    messages = []
    table = index.clauses_table()
    expected_rows = sum(document.rows for document, _ in manifest.values())
    if table is not None and table.count_rows() != expected_rows:
        messages += [
            f"Clauses of a document that was not added completely were removed ({orphan[:12]})."
            for orphan in _remove_orphans(table, manifest)
        ]
    if (vectors := index.vectors_table()) is not None:
        _remove_orphans(vectors, manifest)
    if removed := files.clean_up_files(manifest):
        messages.append(f"{removed} stored files that belong to no document were removed.")
    return tuple(messages)


def remove_temporary_files(folder: Path) -> tuple[str, ...]:
    """Remove what interrupted LanceDB writes and backups left; return a sentence for each kind."""
    paths = [*(folder / "index").rglob(".tmp*"), *folder.glob(".*.part")]
    left = [path for path in paths if path.is_file()]
    for path in left:
        path.unlink(missing_ok=True)
    messages = [f"{len(left)} temporary files were removed."] if left else []
    if remove_partial_restores(folder.resolve()):
        messages.append("The remains of a backup that was not restored completely were removed.")
    return tuple(messages)


def remove_derived_files(folder: Path, known: Container[str]) -> tuple[str, ...]:
    """Remove what was derived from documents that are not known; return a sentence if any was."""
    paths = (folder / DERIVED_FOLDER).glob("*/*")
    left = [one for one in paths if one.name not in known and one.suffix != PART_SUFFIX]
    for path in left:
        path.unlink(missing_ok=True)
    return (f"{len(left)} files derived from removed documents were removed.",) if left else ()


@contextmanager
def make_restore_folder(folder: Path) -> Iterator[Path]:
    """Make a folder beside a library's, locked as that will be; it is removed unless moved there.

    What an interrupted restore left is removed before.
    """
    remove_partial_restores(folder)
    part = part_path(folder)
    part.mkdir(mode=0o700)
    try:
        with filelock.FileLock(part / LOCK_FILE, mode=0o600):
            yield part
    finally:
        shutil.rmtree(part, ignore_errors=True)


def remove_partial_restores(folder: Path) -> int:
    """Remove folders beside a library's that an interrupted restore left; return how many.

    A restore that is still running locks its folder, which is then skipped.
    """
    removed = 0
    for left in folder.parent.glob(f".{glob.escape(folder.name)}.*{PART_SUFFIX}"):
        with suppress(OSError), filelock.FileLock(left / LOCK_FILE, timeout=0, mode=0o600):
            shutil.rmtree(left)
            removed += 1
    return removed


def _remove_orphans(table: Table, known: Container[str]) -> list[str]:
    """Remove the rows of unknown documents; return the ids of those documents."""
    ids = table.search().select(["document_id"]).to_arrow()["document_id"].unique().to_pylist()
    orphans = [document_id for document_id in ids if document_id not in known]
    for start in range(0, len(orphans), _REMOVED_TOGETHER):
        table.delete(col("document_id").isin(orphans[start : start + _REMOVED_TOGETHER]))
        pass_step("rows removed")
    return orphans
