"""What callers use to open a PDF or a Word file: read it, draw a page, find a quote ...

Everything here runs in the process of the caller, which never opens the file: each call sends a job
to a process with limits (see `isolation`) and waits for what comes back.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TypeVar

from core.errors import ReadError
from core.rulebook.isolation.messages import (
    DecryptJob,
    FigureJob,
    ImageJob,
    Job,
    QuoteJob,
    ReadLimits,
    WordJob,
    WordTextJob,
)
from core.rulebook.isolation.page_collection import (
    SCAN_MEMORY,
    SCAN_SECONDS,
    build_limits,
    read_document,
    read_text,
)
from core.rulebook.isolation.sandbox import ProcessLimits, ShouldStop, WorkerFailed, run_job
from core.rulebook.pdf import ocr
from core.rulebook.provenance import add_provenance, signed_part, warn_of_changes
from core.rulebook.types import (
    Box,
    Figure,
    LineCorrection,
    OnProgress,
    Progress,
    Provenance,
    Rulebook,
)

_MAX_OUTPUT = 512 << 20  # bytes
_DECRYPT_LIMITS = ProcessLimits(60.0, 60.0, memory=1 << 30, output=_MAX_OUTPUT)
_READ_LIMITS = ReadLimits()
_WORD_BYTES_A_SECOND = 20_000  # the text of a rulebook of 1 MB takes 10 seconds
_VIEW_LIMITS = ProcessLimits(20.0, 20.0, memory=1 << 30, output=64 << 20)
_IMAGES_LIMITS = ProcessLimits(120.0, 20.0, memory=1 << 30, output=256 << 20)
_FIGURE_LIMITS = ProcessLimits(
    300.0, SCAN_SECONDS, memory=SCAN_MEMORY, output=1 << 20, patient=True
)
"""For all figures of a document: a second or two each."""
_T = TypeVar("_T")


def read_pdf(
    data: bytes,
    name: str,
    on_progress: OnProgress | None = None,
    limits: ReadLimits = _READ_LIMITS,
    should_stop: ShouldStop | None = None,
    corrections: tuple[LineCorrection, ...] = (),
) -> Rulebook:
    """Read a PDF. `on_progress` is called after each page, from the calling thread.

    `corrections` are what a person said of its lines.
    `should_stop` is called a few times a second; once it is true, all processes are killed.
    Raises ReadError with code `empty`, `not_pdf`, `encrypted`, `damaged`, `too_large`, `too_slow`,
    `no_text`, `no_clauses` or `cancelled`.
    """
    _require_pdf(data, name)
    with _name_failures(name):
        values = read_document(data, name, limits, corrections, should_stop)
        book, provenance = _take_rulebook(values, data, on_progress)
        if part := signed_part(data, provenance):
            signed = None
            with suppress(ReadError, WorkerFailed):
                limits = replace(limits, read_scans=False)
                signed, _ = _take_rulebook(read_document(part, name, limits, (), should_stop), part)
            book = warn_of_changes(book, signed)
        return add_provenance(book, provenance)


def read_word(
    data: bytes,
    name: str,
    limits: ReadLimits = _READ_LIMITS,
    should_stop: ShouldStop | None = None,
    corrections: tuple[LineCorrection, ...] = (),
) -> Rulebook:
    """Read a Word file (.docx); parameters are those of `read_pdf`.

    Raises ReadError with code `empty`, `not_word`, `encrypted`, `damaged`, `too_large`, `too_slow`,
    `macros`, `external`, `no_text`, `no_clauses` or `cancelled`.
    """
    _require_content(data, name)
    own = hashlib.sha256(data).hexdigest()
    seconds = min(limits.seconds, limits.work_seconds + len(data) / _WORD_BYTES_A_SECOND)
    limits = replace(limits, seconds=seconds)
    with _name_word_failures(name):
        books = run_job(WordJob(data, own, name, corrections), build_limits(limits), should_stop)
        book = next((book for book in books if isinstance(book, Rulebook)), None)
        if book is None or not _is_own(book, own):
            raise WorkerFailed("crash")
        return book


def _take_rulebook(
    values: Iterable[Progress | Rulebook | Provenance],
    data: bytes,
    on_progress: OnProgress | None = None,
) -> tuple[Rulebook, Provenance]:
    """Return a rulebook and what its file brings; no ids but its own are accepted."""
    own = hashlib.sha256(data).hexdigest()
    book: Rulebook | None = None
    for value in values:
        match value:
            case Progress():
                if on_progress:
                    on_progress(value)
            case Rulebook() as book:
                if not _is_own(book, own):
                    break
            case Provenance() if book is not None:
                return book, value
    raise WorkerFailed("crash")


def _is_own(book: Rulebook, own: str) -> bool:
    """True for a rulebook all of whose ids are of the document `own`, and none is there twice."""
    clauses = (*book.clauses, *book.other_texts)
    owners = {book.document_id, *(clause.document_id for clause in clauses)}
    ids = {clause.clause_id for clause in clauses}
    is_own = owners == {own} and all(id_.startswith(f"{own}:") for id_ in ids)
    return is_own and len(ids) == len(clauses)


@contextmanager
def _name_failures(name: str) -> Iterator[None]:
    try:
        yield
    except WorkerFailed as error:
        raise ReadError(f"{name} cannot be read: {error.explanation}.", code=error.code) from error


def read_pdf_text(
    data: bytes, name: str, limits: ReadLimits = _READ_LIMITS, with_rows: bool = False
) -> tuple[str, ...]:
    """Return the text of each page of any PDF, but running lines and struck words.

    With `with_rows` each row of a table is a line: "| cell | cell |".
    """
    _require_pdf(data, name)
    with _name_failures(name):
        return read_text(data, name, limits, with_rows)


def read_word_text(data: bytes, name: str) -> str:
    """Return the text of a Word file, quotes and tables as Markdown. Raises ReadError."""
    with _name_word_failures(name):
        return _run_single(str, WordTextJob(data), _VIEW_LIMITS)


@contextmanager
def _name_word_failures(name: str) -> Iterator[None]:
    try:
        yield
    except (ReadError, WorkerFailed) as error:
        reason = error.message if isinstance(error, ReadError) else error.explanation
        if error.code in ("no_text", "no_clauses"):  # these name the file
            raise
        raise ReadError(f"{name} cannot be read: {reason}.", code=error.code) from error


def _require_content(data: bytes, name: str) -> None:
    if not data.strip(b"\x00\t\n\f\r "):
        raise ReadError(f"{name} is empty: please choose another file.", code="empty")


def _require_pdf(data: bytes, name: str) -> None:
    _require_content(data, name)
    if b"%PDF-" not in data[:1024]:
        raise ReadError(f"{name} is not a PDF: please choose a PDF file.", code="not_pdf")


def decrypt_pdf(data: bytes, name: str, password: str) -> bytes:
    """Return a PDF that needs no password: a copy, or `data` itself if it needs none.

    The same file gives the same copy. The password is sent to the process through its standard
    input and stored nowhere. Raises ReadError with code `wrong_password` or `damaged`.
    """
    try:
        return _run_single(bytes, DecryptJob(data, password), _DECRYPT_LIMITS) or data
    except (ReadError, WorkerFailed) as error:
        if error.code == "encrypted":
            message = "does not open with this password: please check it and give it again"
            raise ReadError(f"{name} {message}.", code="wrong_password") from error
        message = "cannot be unlocked: please save a copy without a password and add that"
        raise ReadError(f"{name} {message}.", code="damaged") from error


def page_image(data: bytes, page: int, scale: float) -> bytes:
    """Draw page `page` (from 1) of a PDF as PNG, `scale` pixels a point. Raises ReadError."""
    return _view_page(bytes, ImageJob(data, (page,), scale), page)


def page_images(data: bytes, pages: Sequence[int], scale: float) -> dict[int, bytes]:
    """Draw pages as `page_image` does, by their number; the rest is missing after a failure."""
    images: list[bytes] = []
    with suppress(ReadError, WorkerFailed):
        images.extend(run_job(ImageJob(data, tuple(pages), scale), _IMAGES_LIMITS))
    return dict(zip(pages, images, strict=False))


def can_recognize_text() -> bool:
    """True if the extra `ocr` is installed."""
    return ocr.is_available()


def read_figures(data: bytes, figures: Sequence[Figure]) -> dict[Figure, tuple[str, ...]]:
    """Return the texts on each figure that is an image, as the extra `ocr` finds them."""
    texts: list[tuple[str, ...]] = []
    job = FigureJob(data, tuple((figure.page, figure.box) for figure in figures))
    with suppress(ReadError, WorkerFailed):
        texts.extend(run_job(job, _FIGURE_LIMITS))
    return dict(zip(figures, texts, strict=False))


def locate_quote(data: bytes, page: int, quote: str, near: Sequence[Box] = ()) -> tuple[Box, ...]:
    """Return the boxes of a quote's words on a page (see `find_quote_boxes`)."""
    return _view_page(tuple, QuoteJob(data, page, quote, tuple(near)), page)


def _view_page(kind: type[_T], job: ImageJob | QuoteJob, page: int) -> _T:
    try:
        return _run_single(kind, job, _VIEW_LIMITS)
    except WorkerFailed as error:
        message = f"Page {page} of this PDF cannot be shown."
        raise ReadError(message, code="damaged") from error


def _run_single(kind: type[_T], job: Job, limits: ProcessLimits) -> _T:
    values = (value for value in run_job(job, limits) if isinstance(value, kind))
    if (found := next(values, None)) is None:
        raise WorkerFailed("crash")
    return found
