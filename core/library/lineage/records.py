"""The lineage of each family on disk: built when an edition is added, and again where it is stale.

It can always be built again from the clauses, so it is no part of a backup.
"""

import hashlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock, Thread

from pydantic import TypeAdapter, ValidationError

from core.atomic_files import write_atomically
from core.errors import ScrutineerError
from core.library.lineage.lineage import Lineage, build_lineage
from core.library.storage.library import Library
from core.library.types import Document
from core.rulebook import READING_VERSION

LINEAGE_FOLDER = "lineage"
_FORMAT = 4  # raised when clauses are paired or compared in another way, too

_rebuilt: set[Path] = set()
"""The records that a thread of this process is building again."""
_rebuilt_lock = Lock()


@dataclass(frozen=True, slots=True)
class _Record:
    """A lineage as it is stored, with the state of the editions that it was built from."""

    states: Mapping[str, str]
    lineage: Lineage


_RECORD = TypeAdapter(_Record)


def read_lineage(library: Library, document: Document) -> Lineage:
    """Return the lineage of a document's family; it is built first where editions have changed."""
    editions = library.list_editions(document)
    path, states = _record_path(library, document), _digest_editions(editions)
    record = _find_record(path) or _Record({}, Lineage())
    if list(record.states.items()) == list(states.items()):
        return record.lineage
    same = all(states.get(known, state) == state for known, state in record.states.items())
    lineage = build_lineage(
        [(edition, library.clauses(edition.document_id)) for edition in editions],
        record.lineage if same else Lineage(),
    )
    with suppress(OSError):  # a full disk loses only the copy
        path.parent.mkdir(mode=0o700, exist_ok=True)
        data = _RECORD.dump_json(_Record(states, lineage))
        write_atomically(path, hashlib.sha256(data).hexdigest().encode() + b"\n" + data)
    return lineage


def recall_lineage(library: Library, document: Document) -> Lineage:
    """Return the lineage of a document's family as it was last built, for who cannot wait.

    Where editions have changed since, a thread builds it anew; where there is none, it is built.
    """
    path, states = (
        _record_path(library, document),
        _digest_editions(library.list_editions(document)),
    )
    if (record := _find_record(path)) is None:
        return read_lineage(library, document)
    if list(record.states.items()) != list(states.items()):
        with _rebuilt_lock:
            is_new = path not in _rebuilt
            _rebuilt.add(path)
        if is_new:
            Thread(target=_rebuild, args=(library, document), name="lineage").start()
    return record.lineage


def _rebuild(library: Library, document: Document) -> None:
    """Build the lineage of a family again; a damage is shown to who waits for it."""
    try:
        with suppress(ScrutineerError):
            read_lineage(library, document)
    finally:
        with _rebuilt_lock:
            _rebuilt.discard(_record_path(library, document))


def _digest_editions(editions: Iterable[Document]) -> dict[str, str]:
    """Return for each edition a digest of all that decides its clauses and its place."""
    states = {}
    for edition in editions:
        decisive = (_FORMAT, READING_VERSION, edition.edition, edition.corrections)
        digest = hashlib.sha256(repr((decisive, edition.rows)).encode())
        states[edition.document_id] = digest.hexdigest()
    return states


def remove_damaged_lineages(library: Library) -> int:
    """Remove what cannot be read, and what is of families that are gone; return how many."""
    known = {_record_path(library, document) for document in library.documents()}
    removed = 0
    for path in (library.folder / LINEAGE_FOLDER).glob("*.json"):
        if path not in known or _find_record(path) is None:
            path.unlink(missing_ok=True)
            removed += path in known
    return removed


def _find_record(path: Path) -> _Record | None:
    """Return the record of a file, None where it is missing or damaged."""
    try:
        return _read_record(path, path.stat().st_mtime_ns)
    except OSError:
        return None


@lru_cache(maxsize=8)
def _read_record(path: Path, written: int) -> _Record | None:  # noqa: ARG001
    """Return the record of a file, None where it is damaged; read again once it is `written`."""
    digest, _, data = path.read_bytes().partition(b"\n")
    with suppress(ValidationError):
        if hashlib.sha256(data).hexdigest().encode() == digest:
            return _RECORD.validate_json(data)
    return None


def _record_path(library: Library, document: Document) -> Path:
    name = document.family or document.document_id
    return library.folder / LINEAGE_FOLDER / f"{hashlib.sha256(name.encode()).hexdigest()}.json"
