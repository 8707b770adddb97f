"""Ingestion of PDFs, Word files and JSON Lines; a file that fails does not stop the others."""

import hashlib
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePath

from core.errors import LibraryError, ReadError, ScrutineerError
from core.library.editions import assign_families, keep_family
from core.library.lineage.records import read_lineage
from core.library.samples import SAMPLES_FOLDER
from core.library.spelling import find_abbreviations, strip_unstorable
from core.library.storage.library import Library, ParsedDocument
from core.library.storage.schema import make_storable
from core.library.storage.vectors import embed_clauses
from core.library.types import Document, IngestResult, Relation, Scope
from core.rulebook import (
    LineCorrection,
    MetadataOverride,
    OnProgress,
    Progress,
    ReadLimits,
    Rulebook,
    can_recognize_text,
    decrypt_pdf,
    read_jsonl,
    read_pdf,
    read_rulings,
    read_word,
)

FILE_SUFFIXES = (".pdf", ".docx", ".jsonl")
"""Of the files in a folder that is added."""
WORD_SUFFIX = ".docx"
DOCUMENT_SUFFIXES = (".pdf", WORD_SUFFIX)
"""Of files that hold one document, whose lines a person can correct."""
RULING_SUFFIXES = (".pdf", ".docx", ".csv", ".xlsx")
"""Of files with rulings."""


@dataclass(frozen=True, slots=True)
class IngestControl:
    """How the caller follows and bounds the work on a file."""

    on_progress: OnProgress | None = None
    should_stop: Callable[[], bool] | None = None
    """Called a few times a second; once true, the work ends and the file fails as `cancelled`."""
    patient: bool = False
    """Let other work go first while reading; read pages that are images once the rest is there."""

    def report(self, progress: Progress) -> None:
        """Pass progress on. Raises LibraryError `cancelled` once vectors should stop being made."""
        if self.on_progress:
            self.on_progress(progress)
        if progress.stage == "embedding" and self.should_stop and self.should_stop():
            message = "Making vectors was cancelled; missing ones are made when needed."
            raise LibraryError(message, code="cancelled")


def expand_paths(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Replace each folder by the files directly in it that can be read, sorted by name."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = [file for file in path.iterdir() if file.suffix.lower() in FILE_SUFFIXES]
            files += sorted(file for file in inside if file.is_file())
        else:
            files.append(path)
    return tuple(files)


def add_file(
    library: Library,
    path: Path,
    override: MetadataOverride | None = None,
    on_progress: OnProgress | None = None,
    password: str = "",
    interprets: Sequence[str] = (),
) -> Iterator[IngestResult]:
    """Add a file; yield a result for each document in it. Failures are results too.

    A PDF that needs the password is stored as a copy that needs none. A file of rulings
    `interprets` documents, by their ids.
    """
    started = time.monotonic()
    try:
        data = path.read_bytes()
        data = decrypt_pdf(data, path.name, password) if password and is_pdf(data) else data
    except OSError as error:
        message = f"{path} cannot be opened: {error.strerror or error}. Check name and permissions."
        yield _failure(path.name, started, ReadError(message, code="not_found"))
    except ReadError as error:
        yield _failure(path.name, started, error)
    else:
        control = IngestControl(on_progress)
        yield from add_bytes(library, data, path.name, override, control, interprets)


def add_sample_rulebooks(library: Library) -> Generator[tuple[int, int, str]]:
    """Add the sample rulebooks; yield the number of each, their count and its name before it.

    They are added to the end if the caller stops: one with some of them is not like one that was
    never used, and would get no others. They are searched by words until vectors are made.
    """
    by_words = Library(library.place, read_limits=library.read_limits)
    files = sorted(SAMPLES_FOLDER.glob("*.pdf"))
    added = (list(add_file(by_words, file)) for file in files)
    try:
        for number, file in enumerate(files, 1):
            yield number, len(files), file.name
            next(added)
    finally:
        for _ in added:
            pass


def add_bytes(
    library: Library,
    data: bytes,
    name: str,
    override: MetadataOverride | None = None,
    control: IngestControl = IngestControl(),
    interprets: Sequence[str] = (),
) -> Iterator[IngestResult]:
    """Add the content of a file that its sender calls `name`; yield results as `add_file` does.

    A known document is not read again, but `override` applies to it, and it becomes one of rulings
    where it `interprets` others. Of a new one it is decided
    which rulebook it is an edition of, and its lineage is built. What waits (images of pages, and
    vectors if the library searches by them) is made last; its failure is one more result.
    """
    started, name = time.monotonic(), strip_unstorable(name)
    try:
        override = override or MetadataOverride()
        documents = (
            [_add_rulings(library, data, name, override, interprets)]
            if interprets
            else _add_rulebooks(library, data, name, override, control)
        )
    except ScrutineerError as error:
        proposal = _propose_rulings(library, data, name, error)
        yield _failure(name, started, proposal or error)
        return
    new = [one.document_id for one, is_new in documents if is_new and not interprets]
    with suppress(LibraryError):  # what is damaged is told when the lineage is asked for
        assign_families(library, new)
        documents = [(library.document(one.document_id), is_new) for one, is_new in documents]
        for document_id in new:
            read_lineage(library, library.document(document_id))
    seconds = (time.monotonic() - started) / len(documents)
    for document, is_new in documents:
        yield IngestResult(name, "added" if is_new else "unchanged", seconds, document)
    own = Scope(tuple(document for document, _ in documents), "of this file")
    try:
        _read_images(library, data, own, control)
    except ScrutineerError as error:
        yield _failure(name, started, error)
    if library.mode != "lexical":
        try:
            embed_clauses(library, control.report, own)
        except ScrutineerError as error:
            yield _failure(name, started, error)


def _read_images(library: Library, data: bytes, own: Scope, control: IngestControl) -> None:
    """Read a document again, with the pages that are images, where these were left for later.

    What was decided of it meanwhile stays.
    """

    def report(progress: Progress) -> None:
        control.report(replace(progress, stage="scans"))

    following = replace(control, on_progress=report)
    left = _leaves_images(library.read_limits, control)
    waiting = [one for one in own.documents if left and one.counts.get("images_unread")]
    while waiting:
        read = waiting.pop()
        document, clauses = reread_document(library, read, data, following)
        with library.lock_for_writing():
            current, name = library.find_entry(read.document_id)
            if current.corrections != read.corrections:
                waiting.append(current)
                continue
            library.replace_document(name, (keep_decisions(current, document), clauses))
        read_lineage(library, library.document(read.document_id))


def _add_rulebooks(
    library: Library, data: bytes, name: str, override: MetadataOverride, control: IngestControl
) -> list[tuple[Document, bool]]:
    """Add what is not yet known; return the documents of a file, each with whether it is new."""
    digest = hashlib.sha256(data).hexdigest()  # the id of a PDF or Word file, known unread
    known = _find_known(library, digest)
    if known:
        library.restore_file(data, known)
        documents = [(known, False)]
    else:
        parsed = [
            (document.overlay(override.corrections), clauses)
            for document, clauses in _parse_text(data, name, library.read_limits, control)
        ]
        control.report(Progress("storing", 0, 0))  # it has no steps to count
        documents = library.add_documents(data, file_suffix(data), parsed)
    if not override.corrections:
        return documents
    return [
        (doc if is_new else library.correct_metadata(doc.document_id, override), is_new)
        for doc, is_new in documents
    ]


def _propose_rulings(
    library: Library, data: bytes, name: str, error: ScrutineerError
) -> ReadError | None:
    """Return a proposal for a file without rules that has questions with answers, or decisions."""
    if error.code != "no_clauses":
        return None
    try:
        book = read_rulings(data, name, library.read_limits)
    except ScrutineerError:
        return None
    if not book.report.counts["answers"]:
        return None
    message = (
        f"{name} holds no numbered rules, but questions with answers, or decisions: if these are"
        " rulings, say on which rulebook, and it is read as such."
    )
    return ReadError(message, code="maybe_rulings")


def _find_known(library: Library, digest: str) -> Document | None:
    every = library.list_every_document()
    return next((one for one in every if one.document_id == digest), None)


def _add_rulings(
    library: Library, data: bytes, name: str, override: MetadataOverride, interprets: Sequence[str]
) -> tuple[Document, bool]:
    """Add a document of rulings, or read a known one as such; return it, and whether it is new.

    Raises ReadError, SheetError and LibraryError `relation`.
    """
    if _find_known(library, digest := hashlib.sha256(data).hexdigest()):
        interpret_rulebooks(library, digest, interprets)
        return library.correct_metadata(digest, override), False
    relations = _make_relations(library, interprets)
    document, texts = parse_rulings(data, name, library.read_limits)
    document = replace(document.overlay(override.corrections), relations=relations)
    suffix = PurePath(name).suffix.lower()
    suffix = ".pdf" if is_pdf(data) else suffix if suffix in RULING_SUFFIXES else ".csv"
    return library.add_documents(data, suffix, [(document, texts)])[0]


def interpret_rulebooks(
    library: Library, document_id: str, interprets: Sequence[str], by: str = ""
) -> Document:
    """Read a document again as one of rulings on these rulebooks; without any, as a rulebook.

    Raises LibraryError `relation` and `no_pdf`, ReadError and SheetError; then nothing is changed.
    """
    document, file = library.document(document_id), library.stored_file(document_id)
    if file is None:
        message = f"The file of {document.label} is not there: add it again first."
        raise LibraryError(message, code="no_pdf")
    others = tuple(one for one in document.relations if one.kind != "interprets")
    relations = (*others, *_make_relations(library, interprets, by))
    related = replace(document, relations=relations)
    book = reread_document(library, related, file.read_bytes())
    library.replace_document(file.name, book)
    return book[0]


def _make_relations(
    library: Library, interprets: Sequence[str], by: str = ""
) -> tuple[Relation, ...]:
    """Return that a document interprets others. Raises LibraryError `relation`."""
    at = datetime.now(UTC).isoformat(timespec="seconds")
    ids = dict.fromkeys(library.rulebook(one).document_id for one in interprets)
    return tuple(Relation("interprets", one, by=by, at=at) for one in ids)


def parse_rulings(data: bytes, name: str, limits: ReadLimits) -> ParsedDocument:
    """Read a document of rulings; needs no library. Raises ReadError and SheetError."""
    book = read_rulings(data, name, limits)
    return _make_document(book, name, len(data)), book.other_texts


def _parse_text(
    data: bytes, name: str, limits: ReadLimits, control: IngestControl
) -> list[ParsedDocument]:
    """Read the documents of a file; patiently without images of pages, unless they hold all rules.

    Raises ReadError.
    """
    if _leaves_images(limits, control):
        try:
            return parse_file(data, name, replace(limits, read_scans=False), control)
        except ReadError as error:
            if error.code not in ("no_text", "no_clauses"):
                raise
    return parse_file(data, name, limits, control)


def _leaves_images(limits: ReadLimits, control: IngestControl) -> bool:
    """True where pages that are images are read once the rest of their file is there."""
    return control.patient and limits.read_scans and can_recognize_text()


def reread_document(
    library: Library, stored: Document, data: bytes, control: IngestControl = IngestControl()
) -> ParsedDocument:
    """Read a document again from its stored bytes, and keep what a person corrected.

    Raises ReadError, with code `damaged` where the bytes hold another document.
    """
    limits = library.read_limits
    parsed: Sequence[ParsedDocument] = (
        [parse_rulings(data, stored.file, limits)]
        if stored.interprets
        else parse_file(data, stored.file, limits, control, stored.corrections)
    )
    for document, clauses in parsed:
        if document.document_id == stored.document_id:
            return keep_decisions(stored, document), clauses
    raise ReadError(f"{stored.file} no longer contains {stored.label}.", code="damaged")


def keep_decisions(stored: Document, read: Document) -> Document:
    """Return a document as it was read again, with what a person or a comparison decided of it."""
    fields = (*MetadataOverride.FIELDS, *MetadataOverride.VALIDITY)
    given = [name for name in fields if stored.sources.get(name) == "given"]
    read = read.overlay({name: getattr(stored, name) for name in given})
    kept = replace(
        read,
        added_at=stored.added_at,
        corrections=stored.corrections,
        relations=stored.relations,
    )
    return keep_family(stored, kept)


def correct_lines(
    library: Library, document_id: str, corrections: Sequence[LineCorrection]
) -> Document:
    """Read a document again with these corrections of its lines in place of earlier ones.

    Raises LibraryError, with code `no_pdf` where its file is gone or has no lines, and ReadError
    where it cannot be read so; then nothing is changed.
    """
    document, file = library.document(document_id), library.stored_file(document_id)
    if file is None or file.suffix not in DOCUMENT_SUFFIXES:
        message = f"The file of {document.label} is not there: add it again first."
        raise LibraryError(message, code="no_pdf")
    corrected = replace(document, corrections=tuple(dict.fromkeys(corrections)))
    book = reread_document(library, corrected, file.read_bytes())
    library.document(document.document_id)  # somebody may have removed it meanwhile
    library.replace_document(file.name, book)
    if library.mode != "lexical":
        embed_clauses(library)
    return book[0]


def parse_file(
    data: bytes,
    name: str,
    limits: ReadLimits,
    control: IngestControl = IngestControl(),
    corrections: tuple[LineCorrection, ...] = (),
) -> list[ParsedDocument]:
    """Read the documents of a file; needs no library. Raises ReadError."""
    books: tuple[Rulebook, ...]
    limits = replace(limits, patient=control.patient)
    stop = control.should_stop
    if name.lower().endswith(".jsonl") and not (is_pdf(data) or is_word(data)):
        books = read_jsonl(data, name)
    elif is_word(data) or name.lower().endswith(WORD_SUFFIX):
        books = (read_word(data, name, limits, stop, corrections),)
    else:
        books = (read_pdf(data, name, control.on_progress, limits, stop, corrections),)
    return [
        (_make_document(book, name, len(data)), (*book.clauses, *book.other_texts))
        for book in books
    ]


def is_pdf(data: bytes) -> bool:
    """True where the first kilobyte holds the signature of a PDF."""
    return b"%PDF" in data[:1024]


def is_word(data: bytes) -> bool:
    """True for a package of parts, as Word files are, and for Word files of before 2007."""
    return data.startswith((b"PK\3\4", b"\xd0\xcf\x11\xe0"))


def file_suffix(data: bytes) -> str:
    """Return the suffix of a stored file."""
    return ".pdf" if is_pdf(data) else WORD_SUFFIX if is_word(data) else ".jsonl"


def _make_document(book: Rulebook, name: str, size: int) -> Document:
    return Document(
        **make_storable(asdict(book.identity)),
        document_id=book.document_id,
        file=name,
        pages=book.pages,
        clauses=len(book.clauses),
        size=size,
        added_at=datetime.now(UTC).isoformat(timespec="seconds"),
        counts=dict(book.report.counts),
        warnings=book.report.warnings,
        account=book.report.account,
        terms=find_abbreviations(f"{clause.title} {clause.text}" for clause in book.clauses),
    )


def _failure(file: str, started: float, error: ScrutineerError) -> IngestResult:
    seconds = time.monotonic() - started
    return IngestResult(file, "failed", seconds, code=error.code, message=error.message)
