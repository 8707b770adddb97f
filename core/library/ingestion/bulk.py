"""Ingestion of very many files in one change: read on a Ray cluster, added by this machine.

What was read is kept beside the library until all of it is added, so that a run that was killed
goes on where it was.
"""

import hashlib
import logging
import os
import secrets
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from core.atomic_files import remove_stale_parts
from core.errors import LibraryError, ReadError, ScrutineerError, SettingsError
from core.library.editions import assign_families
from core.library.ingestion.ingest import DOCUMENT_SUFFIXES, FILE_SUFFIXES, file_suffix, parse_file
from core.library.spelling import strip_unstorable
from core.library.storage.library import Library, ParsedFile
from core.library.storage.places import Files, FolderFiles, files_at
from core.library.storage.schema import (
    CLAUSE_SCHEMA,
    clause_rows,
    decode_table,
    document_from_json,
    document_to_json,
    encode_table,
)
from core.library.storage.vectors import embed_clauses
from core.library.types import IngestResult
from core.program import describe_install
from core.rulebook import MetadataOverride, OnProgress, Progress, ReadLimits

_PACKAGE = Path(__file__).parents[2]
"""What the machines of a cluster get of this program."""

Row = dict[str, Any]
_FOLDER = "bulk"
_VERSION = "-".join(value.decode() for value in CLAUSE_SCHEMA.metadata.values())
"""What another version of the program read is read again."""


@contextmanager
def use_cluster(workers: int | None = None) -> Iterator[None]:
    """Connect to the Ray cluster at `RAY_ADDRESS`, or have one on this machine during the block.

    That one has as many `workers` as there are cores, or fewer, and listens to this machine alone.
    Begin the block before tables are opened, as it starts processes. Raises SettingsError
    `missing_part`, and LibraryError `cluster` where Ray does not start or cannot be reached.
    """
    address = os.environ.get("RAY_ADDRESS", "local")
    if address == "local":
        os.environ.update(
            RAY_USAGE_STATS_ENABLED="0",
            RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER="0",  # else it listens on all addresses
            RAY_AUTH_MODE="token",
        )
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    else:
        os.environ.setdefault("RAY_NUM_REDIS_GET_RETRIES", "1")  # else it tries for a quarter hour
    try:
        import ray
        import ray.data
    except ImportError as error:
        message = f"This needs the optional part ray: {describe_install('ray')}."
        raise SettingsError(message, code="missing_part") from error
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    with TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:
        own: Row = {"num_cpus": workers, "include_dashboard": False, "_temp_dir": folder}
        try:
            with _explain_failures(), warnings.catch_warnings():
                # The processes that it starts run other programs, and no table is open yet.
                warnings.filterwarnings("ignore", "lancedb fork", RuntimeWarning)
                ray.init(
                    address,
                    runtime_env={"py_modules": [str(_PACKAGE)]},
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                    **own if address == "local" else {},
                )
            yield
        finally:
            ray.shutdown()


@contextmanager
def _explain_failures() -> Iterator[None]:
    import ray

    try:
        yield
    except (ray.exceptions.RayError, ConnectionError, RuntimeError) as error:
        raise LibraryError(
            f"Ray stopped or cannot be reached ({' '.join(str(error).split())[:200]})."
            " What was read is kept: give the same command again.",
            code="cluster",
        ) from error


def map_on_cluster(work: Callable[[Row], Row], rows: Sequence[Row]) -> Iterator[Row]:
    """Yield what `work` makes of each row, in their order, in a `use_cluster` block.

    Raises LibraryError `cluster` where Ray stops.
    """
    import ray.data

    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.execution_options.preserve_order = True
    with _explain_failures():
        blocks = ray.data.from_items(list(rows), override_num_blocks=len(rows))
        yield from blocks.map(work, num_cpus=1).iter_rows()


def add_in_bulk(
    library: Library,
    addresses: Iterable[str],
    override: MetadataOverride | None = None,
    on_progress: OnProgress | None = None,
    workers: int | None = None,
) -> Iterator[IngestResult]:
    """Read files with Ray, add them all in one change, and yield results as `add_file` does.

    An address is a folder, one in an object store (s3, gs, az), or that of a file. Refused files
    are yielded as they are read, all others at the end. `workers` is that of `use_cluster`.
    Raises ReadError `not_found` where there is no file, SettingsError and LibraryError.
    """
    sources, kept = _list_sources(addresses), _KeptFiles(library.place.files_in(_FOLDER))
    read: list[Row] = []
    with use_cluster(workers):
        for row in _read_sources(library, sources, kept):
            if on_progress:
                on_progress(Progress("files", row["number"], len(sources)))
            if row["code"]:
                failure = {"code": row["code"], "message": row["message"]}
                yield IngestResult(row["name"], "failed", row["seconds"], **failure)
            else:
                read.append(row)
    yield from _add_kept(library, kept, read, override or MetadataOverride())
    if library.mode != "lexical":
        embed_clauses(library, on_progress)


def _read_sources(library: Library, sources: Sequence[Row], kept: "_KeptFiles") -> Iterator[Row]:
    """Read files that are neither stored nor kept, and keep them. Yields the rows of all."""
    known = _stored_documents(library) | kept.digests()
    limits = replace(library.read_limits, processes=1)
    work = partial(_read_source, limits=limits, known=frozenset(known))
    for number, row in enumerate(map_on_cluster(work, sources), 1):
        content = row.pop("content")
        if content and row["digest"] not in known:  # else a copy came before it
            kept.write(row["digest"], content)
            known.add(row["digest"])
        yield {**row, "number": number}


def _add_kept(
    library: Library, kept: "_KeptFiles", read: Sequence[Row], override: MetadataOverride
) -> Iterator[IngestResult]:
    """Add all kept files that were read, and yield the results of all, also of stored ones."""
    ids = {digest: [digest] for digest in _stored_documents(library)}
    waiting = dict.fromkeys(row["digest"] for row in read if row["digest"] not in ids)

    def load_files() -> Iterator[ParsedFile]:
        for digest in waiting:
            file = kept.load(digest, override)
            ids[digest] = [document.document_id for document, _ in file.documents]
            yield file

    new = library.add_files(load_files()) if waiting else set()
    with suppress(LibraryError):  # of a document that is damaged
        assign_families(library, new)
    documents = library.tables.read_manifest()
    for digest in waiting.keys() & (documents.keys() - new):  # PDFs whose file was gone
        library.restore_file(kept.load(digest, override).data, documents[digest][0])
    kept.remove({row["digest"] for row in read})
    for row in read:
        for document_id in ids[row["digest"]]:
            document, _ = documents[document_id]
            if document_id in new:
                new.remove(document_id)  # the next copy of its file is not new
                yield IngestResult(row["name"], "added", row["seconds"], document)
                continue
            if override.corrections:
                document = library.correct_metadata(document_id, override)
            yield IngestResult(row["name"], "unchanged", row["seconds"], document)


class _ReadFile(msgspec.Struct, frozen=True):
    """A file and what was read of it: each document as JSON, its rows as an Arrow stream."""

    data: bytes
    documents: tuple[tuple[str, bytes], ...]


@dataclass(frozen=True, slots=True)
class _KeptFiles:
    """What was read and is not yet added, by the SHA-256 of the file."""

    files: Files

    def digests(self) -> set[str]:
        """Return those of all files; remove what other versions or killed runs left."""
        if isinstance(self.files, FolderFiles):
            remove_stale_parts(self.files.folder)
        names = {name for name in self.files.names() if not name.startswith(".")}  # no parts
        own = {name for name in names if name.partition(".")[2] == _VERSION}
        self.files.remove(*(names - own))
        return {name.partition(".")[0] for name in own}

    def write(self, digest: str, content: bytes) -> None:
        self.files.write(f"{digest}.{_VERSION}", content)

    def load(self, digest: str, override: MetadataOverride) -> ParsedFile:
        """Return a file with its documents corrected. Raises LibraryError `damaged`."""
        try:
            content = self.files.read(f"{digest}.{_VERSION}")
            read = msgspec.msgpack.decode(content, type=_ReadFile)
            documents = [
                (document_from_json(document).overlay(override.corrections), decode_table(rows))
                for document, rows in read.documents
            ]
        except (FileNotFoundError, ValueError) as error:
            self.remove([digest])
            message = "Something that was read is gone or damaged: give the same command again."
            raise LibraryError(message, code="damaged") from error
        return ParsedFile(read.data, file_suffix(read.data), documents)

    def remove(self, digests: Iterable[str]) -> None:
        self.files.remove(*(f"{digest}.{_VERSION}" for digest in digests))


def _list_sources(addresses: Iterable[str]) -> list[Row]:
    """Return folder and name of each file at addresses. Raises ReadError where there is none."""
    sources = []
    for address in addresses:
        folder, slash, name = address.rpartition("/")
        if PurePosixPath(name).suffix.lower() in FILE_SUFFIXES:
            sources.append((folder if slash else ".", name))
        else:
            sources += [(address, name) for name in sorted(files_at(address).names())]
    found = [
        {"folder": folder if "://" in folder else str(Path(folder).absolute()), "name": name}
        for folder, name in sources
        if "/" not in name and PurePosixPath(name).suffix.lower() in FILE_SUFFIXES
    ]
    if not found:
        message = "There is no PDF, no .docx and no .jsonl file in the folders named."
        raise ReadError(message, code="not_found")
    return found


def _stored_documents(library: Library) -> set[str]:
    """Return the ids of documents whose PDF or Word file is stored: the SHA-256 of that file.

    Of a `.jsonl` file some documents may be missing: it is read again.
    """
    files = set(library.files.files.names())
    entries = library.tables.read_manifest().items()
    return {
        each
        for each, (_, file) in entries
        if file in files and file in {f"{each}{suffix}" for suffix in DOCUMENT_SUFFIXES}
    }


def _read_source(row: Row, limits: ReadLimits, known: frozenset[str]) -> Row:
    """Read a file, unless its bytes are known. Runs on any machine, without a library."""
    started, name = time.monotonic(), strip_unstorable(row["name"])
    result = {"name": name, "digest": "", "content": b"", "code": "", "message": ""}
    try:
        data = files_at(row["folder"]).read(row["name"])
        result["digest"] = hashlib.sha256(data).hexdigest()
        if result["digest"] not in known:
            result["content"] = _parse_and_encode(data, name, limits)
    except ScrutineerError as error:
        result |= {"code": error.code, "message": error.message}
    except OSError as error:
        reason = f"{name} cannot be opened: {error.strerror or error}."
        result |= {"code": "not_found", "message": f"{reason} Check name and permissions."}
    return {**result, "seconds": time.monotonic() - started}


def _parse_and_encode(data: bytes, name: str, limits: ReadLimits) -> bytes:
    documents = [
        (document_to_json(document), encode_table(clause_rows(clauses)))
        for document, clauses in parse_file(data, name, limits)
    ]
    return msgspec.msgpack.encode(_ReadFile(data, tuple(documents)))
