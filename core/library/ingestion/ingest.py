"""Adding files to a library: PDFs and JSON Lines of clauses, one failure never stopping the others. Reads no page."""

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from core.errors import LibraryError, ReadError, ScrutineerError
from core.library.spelling import find_abbreviations, strip_unstorable
from core.library.storage.library import METADATA_FIELDS, Library, ParsedDocument, override_metadata
from core.library.storage.vectors import OnProgress, embed_clauses
from core.library.types import Document, IngestResult
from core.rulebook import Clause, MetadataOverride, Rulebook, decrypt_pdf, read_jsonl, read_pdf

OnPage = Callable[[int, int], None]
"""Told of the page just read and of how many there are."""


@dataclass(frozen=True, slots=True)
class ProgressCallbacks:
    """How whoever adds a file follows the work on it, and bounds it."""

    on_page: OnPage | None = None
    on_storing: Callable[[], None] | None = None
    """Told when all is read, before it is written into the library."""
    on_vectors: OnProgress | None = None
    should_stop: Callable[[], bool] | None = None
    """Asked a few times a second; once it says True reading ends, and the addition fails as `cancelled`."""
    patient: bool = False
    """Reading lets other work go first."""


_HEAD = 1024
"""Bytes within which a PDF names itself."""


def expand_paths(paths: Iterable[Path]) -> tuple[Path, ...]:
    """The files that paths mean: a folder is the rulebooks right in it, by name; anything else stands for itself."""
    return tuple(
        file for path in paths for file in (_rulebooks_in(path) if path.is_dir() else [path])
    )


def add_file(
    library: Library,
    path: Path,
    override: MetadataOverride | None = None,
    callbacks: ProgressCallbacks = ProgressCallbacks(),
    password: str = "",
) -> Iterator[IngestResult]:
    """Add a file, yielding what came of each document in it. What fails is an Addition too; nothing is raised.

    Of a PDF that needs the password the library keeps a copy that needs none.
    """
    started = time.monotonic()
    try:
        data = path.read_bytes()
        data = decrypt_pdf(data, path.name, password) if password and is_pdf(data) else data
    except OSError as error:
        message = f"{path} cannot be opened: {error.strerror or error}. Check the name and the permissions."
        yield _failed(path.name, started, ReadError(message, code="not_found"))
    except ReadError as error:
        yield _failed(path.name, started, error)
    else:
        yield from add_bytes(library, data, path.name, override, callbacks)


def add_bytes(
    library: Library,
    data: bytes,
    name: str,
    override: MetadataOverride | None = None,
    callbacks: ProgressCallbacks = ProgressCallbacks(),
) -> Iterator[IngestResult]:
    """Add the bytes of a file; `name` is what its sender calls it. Yields as `add_file` does.

    A document that the library holds already is not read again; what is `given` of it is noted.
    Where the library searches by vectors, those that it lacks are made last; a failure of that is one more Addition.
    """
    started, name = time.monotonic(), strip_unstorable(name)
    try:
        # A PDF's id is known without reading it.
        held = _held(library, hashlib.sha256(data).hexdigest())
        if held is None:
            books = _read(library, data, name, callbacks)
            read = [(_document(book, name, len(data), override), book.clauses) for book in books]
            if callbacks.on_storing:
                callbacks.on_storing()
            kept = library.add_documents(data, ".pdf" if is_pdf(data) else ".jsonl", read)
        else:
            library.restore_file(data, held)
            kept = [(held, False)]
        kept = [
            (document if is_new else _said(library, document, override), is_new)
            for document, is_new in kept
        ]
    except ScrutineerError as error:
        yield _failed(name, started, error)
        return
    seconds = (time.monotonic() - started) / len(kept)
    for document, is_new in kept:
        yield IngestResult(name, "added" if is_new else "unchanged", seconds, document)
    if library.mode != "lexical":
        try:
            embed_clauses(library, _following(callbacks))
        except ScrutineerError as error:
            yield _failed(name, started, error)


def reread_document(library: Library, stored: Document, data: bytes) -> ParsedDocument:
    """A document that the library holds, read anew from its stored bytes; what a person said of it stays.

    Raises ReadError, `damaged` too where the bytes are not of that document.
    """
    books = _read(library, data, stored.file, ProgressCallbacks())
    book = next((book for book in books if book.document_id == stored.document_id), None)
    if book is None:
        raise ReadError(f"{stored.file} does not hold {stored.label} any more.", code="damaged")
    said = {
        name: getattr(stored, name)
        for name in METADATA_FIELDS
        if stored.sources.get(name) == "given"
    }
    cleared = [name for name, value in said.items() if value is None]
    document = _document(book, stored.file, len(data), None)
    return replace(
        override_metadata(document, MetadataOverride(**said), cleared), added_at=stored.added_at
    ), book.clauses


def is_pdf(data: bytes) -> bool:
    """True where the bytes say that they are a PDF, whatever their name."""
    return b"%PDF" in data[:_HEAD]


def _rulebooks_in(folder: Path) -> list[Path]:
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix.lower() in (".pdf", ".jsonl") and path.is_file()
    )


def _held(library: Library, document_id: str) -> Document | None:
    return next((d for d in library.documents() if d.document_id == document_id), None)


def _said(library: Library, held: Document, given: MetadataOverride | None) -> Document:
    """A document that was there already, as whoever adds it again says that it is."""
    return (
        library.correct_metadata(held.document_id, given)
        if given and given != MetadataOverride()
        else held
    )


def _following(watch: ProgressCallbacks) -> OnProgress:
    def on_vectors(done: int, of: int) -> None:
        if watch.on_vectors:
            watch.on_vectors(done, of)
        if watch.should_stop and watch.should_stop():
            raise LibraryError(
                "Making vectors was cancelled; those that lack are made when needed.",
                code="cancelled",
            )

    return on_vectors


def _read(
    library: Library, data: bytes, name: str, watch: ProgressCallbacks
) -> tuple[Rulebook, ...]:
    if name.lower().endswith(".jsonl") and not is_pdf(data):
        return read_jsonl(data, name)
    allowance = replace(library.allowance, patient=watch.patient)
    on_page = watch.on_page
    on_progress = (lambda at: on_page(at.done, at.total)) if on_page else None
    return (read_pdf(data, name, on_progress, allowance, watch.should_stop),)


def _document(book: Rulebook, name: str, size: int, given: MetadataOverride | None) -> Document:
    identity = book.identity
    document = Document(
        document_id=book.document_id,
        file=name,
        title=strip_unstorable(identity.title),
        family=identity.family,
        season=identity.season,
        issue=identity.issue,
        date=identity.date,
        pages=book.pages,
        clauses=len(book.clauses),
        size=size,
        added_at=datetime.now(UTC).isoformat(timespec="seconds"),
        language=identity.language,
        sources=dict(identity.sources),
        counts=dict(book.report.counts),
        warnings=book.report.warnings,
        legend=strip_unstorable(identity.legend),
        terms=find_abbreviations(_texts(clause) for clause in book.clauses),
    )
    return override_metadata(document, given or MetadataOverride())


def _texts(clause: Clause) -> str:
    return " ".join((clause.title, clause.text))


def _failed(file: str, started: float, error: ScrutineerError) -> IngestResult:
    return IngestResult(
        file, "failed", time.monotonic() - started, code=error.code, message=error.message
    )
