"""One call each: the bytes of a PDF, or of a JSON Lines file, become rulebooks.

The bytes of a PDF are opened in processes with limits only (see `confined`). One puts a document together, started by
the caller; it starts one a core for the pages. The caller waits, and may kill it by no longer waiting.
"""

import hashlib
import json
import os
import queue
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO

from core.errors import ReadError
from core.rulebook.isolation.sandbox import (
    FailureReason,
    ProcessLimits,
    ShouldStop,
    WorkerFailed,
    run_job,
    send_value,
)
from core.rulebook.isolation.worker import DocumentInfo, PageError, PageJob, ScanJob
from core.rulebook.layout.blocks import Page
from core.rulebook.layout.ligatures import load_english_dictionary
from core.rulebook.pdf import ocr
from core.rulebook.pipeline import DocumentSource, build_rulebook
from core.rulebook.structure.references import find_defined_terms, find_references, find_sanctions
from core.rulebook.types import (
    Clause,
    Identity,
    OnProgress,
    Progress,
    ReadingReport,
    ReadingWarning,
    Rulebook,
)

_SMALL = 150_000  # bytes: below it a second process costs more than it saves
_MOST_PROCESSES = 8
_MOST_RESTARTS = 5
_MOST_SLOW = 2
_STAMP = 100  # letters: what a page number, a date or a stamp over the image of a page has at most
_SCAN_SECONDS = 180.0  # for a page, loading the models and other work on the machine included
_SCAN_MEMORY = 6 << 30  # bytes of address space: onnxruntime reserves 2 GiB and uses about 0.9
_MOST_TOLD = 512 << 20  # bytes
_BROKEN: dict[FailureReason, str] = {
    "crash": "it ended the process that read it",
    "time": "it took too long",
    "output": "it unpacks to more than can be held",
    "stopped": "it was cancelled",
}
_CODE: dict[FailureReason, str] = {
    "crash": "damaged",
    "time": "too_slow",
    "output": "too_large",
    "stopped": "cancelled",
}


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """What reading one document may cost, so that no file can hold up or bring down anything else."""

    page_seconds: float = 10.0
    """For one page. A document with two pages that take longer is read no further."""
    seconds: float = 900.0
    memory: int = 1 << 30
    """Bytes of address space, of each process that reads."""
    max_pages: int = 5_000
    patient: bool = False
    """Other work goes first."""
    read_scans: bool = True
    """Read pages that are images too, where the optional part `ocr` is installed: seconds a page."""


def read_pdf(
    data: bytes,
    name: str,
    on_progress: OnProgress | None = None,
    limits: ReadLimits = ReadLimits(),
    should_stop: ShouldStop | None = None,
) -> Rulebook:
    """Read a PDF. `on_progress` is called with the stage `reading` as pages come in, from the calling thread.

    Once `stopping()` is true, which is asked a few times a second, reading ends at once, its processes with it.

    Raises ReadError with code `empty`, `not_pdf`, `encrypted`, `damaged`, `too_large`, `too_slow`, `no_text`,
    `no_clauses` or `cancelled`.
    """
    if not data.strip(b"\x00\t\n\f\r "):
        raise ReadError(f"{name} is empty: please choose another file.", code="empty")
    if b"%PDF-" not in data[:1024]:
        raise ReadError(f"{name} is not a PDF: please choose a PDF file.", code="not_pdf")
    bounds = ProcessLimits(
        limits.seconds, limits.seconds, limits.memory, _MOST_TOLD, limits.patient
    )
    try:
        for value in run_job(RulebookJob(data, name, limits), bounds, should_stop):
            match value:
                case ReadProgress() if on_progress is not None:
                    on_progress(Progress("reading", value.done, value.total))
                case PageError():
                    raise ReadError(value.message, code=value.code)
                case Rulebook():
                    return value
    except WorkerFailed as broken:
        raise ReadError(
            f"{name} cannot be read: {_BROKEN[broken.reason]}.", code=_CODE[broken.reason]
        ) from broken
    raise ReadError(f"{name} is damaged: reading it ended without a result.", code="damaged")


def read_jsonl(data: bytes, name: str) -> tuple[Rulebook, ...]:
    """Read rulebooks given a clause a line: `document`, `article`, `text`; optional `id title season issue family`.

    Raises ReadError with code `empty` or `bad_line` (the message names the line).
    """
    digest = hashlib.sha256(data)
    documents: dict[str, list[Mapping[str, Any]]] = {}
    for line in _records(data, name):
        documents.setdefault(str(line["document"]), []).append(line)
    if not documents:
        raise ReadError(f"{name} is empty: it holds no clause.", code="empty")
    rulebooks = []
    for document, lines in documents.items():
        own = digest.copy()
        own.update(document.encode())
        rulebooks.append(_imported(own.hexdigest(), document, lines))
    return tuple(rulebooks)


@dataclass(frozen=True, slots=True)
class ReadProgress:
    """So many pages of so many are read."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class RulebookJob:
    """The bytes of a PDF to become a rulebook: tells `Progress`, and last the `Rulebook` or why it was `Refused`."""

    data: bytes
    name: str
    limits: ReadLimits

    def run(self, out: BinaryIO) -> None:
        """Read the pages in further processes, one a core, and put together what they find."""
        threading.Thread(
            target=load_english_dictionary, daemon=True
        ).start()  # the word list is loaded while pages are read
        reading = _Reading(self, out)
        try:
            pages = reading.pages()
            source = DocumentSource(
                hashlib.sha256(self.data).hexdigest(),
                self.name,
                reading.metadata,
                tuple(reading.warnings),
            )
            send_value(build_rulebook(pages, source), out)
        except ReadError as error:
            send_value(PageError(error.code, error.message), out)


@dataclass(frozen=True, slots=True)
class _Left:
    """A process that has ended; `reason` is None where it had done its work."""

    job: PageJob | ScanJob
    pages: int
    """How many it has told of."""
    reason: FailureReason | None


@dataclass(slots=True)
class _Reading:
    """The processes at work on the pages of one PDF, and what they have found so far."""

    job: RulebookJob
    out: BinaryIO
    metadata: Mapping[str, str] = field(default_factory=dict)
    warnings: list[ReadingWarning] = field(default_factory=list)
    _found: dict[int, Page] = field(default_factory=dict)
    _failed: set[int] = field(default_factory=set)
    _opened: DocumentInfo | None = None
    _slow: int = 0

    def pages(self) -> list[Page]:
        """All pages in order; those that could not be read are warned of. Raises ReadError where none could."""
        data, most = self.job.data, self.job.limits.max_pages
        processes = 1 if len(data) < _SMALL else min(os.cpu_count() or 1, _MOST_PROCESSES)
        self._run(
            [PageJob(data, first + 1, processes, max_pages=most) for first in range(processes)],
            self._bounds,
        )
        for _ in range(_MOST_RESTARTS):
            if not self._missing() or self._slow >= _MOST_SLOW:
                break
            self._run(
                [PageJob(data, 1, 1, frozenset(self._found) | frozenset(self._failed), most)],
                self._bounds,
            )
        self._read_scans()
        for number in self._missing():
            self._fail(
                number, "This page was not reached: too many pages before it could not be read."
            )
        if not self._found:
            raise ReadError(
                f"{self.job.name} is damaged: none of its pages could be read.", code="damaged"
            )
        return [self._found[number] for number in sorted(self._found)]

    def _read_scans(self) -> None:
        """Pages that are images of text, where the optional part `ocr` is there to read them."""
        if not (self.job.limits.read_scans and ocr.is_available()):
            return
        bounds = replace(self._bounds, silence=_SCAN_SECONDS, memory=_SCAN_MEMORY)
        for _ in range(_MOST_RESTARTS):
            scans = [
                n
                for n, page in sorted(self._found.items())
                if _is_scan(page) and n not in self._failed
            ]
            if not scans or self._slow >= _MOST_SLOW:
                break
            self._run([ScanJob(self.job.data, tuple(scans))], bounds)

    @property
    def _bounds(self) -> ProcessLimits:
        allowance = self.job.limits
        return ProcessLimits(
            allowance.seconds, allowance.page_seconds, allowance.memory, _MOST_TOLD, nested=True
        )

    def _missing(self) -> list[int]:
        if self._opened is None:
            raise ReadError(f"{self.job.name} is damaged and cannot be opened.", code="damaged")
        return [
            n
            for n in range(1, self._opened.pages + 1)
            if n not in self._found and n not in self._failed
        ]

    def _run(self, jobs: Sequence[PageJob | ScanJob], bounds: ProcessLimits) -> None:
        """Until all jobs have ended; the processes of a document that is refused end with this one."""
        results: queue.SimpleQueue[DocumentInfo | PageError | Page | _Left] = queue.SimpleQueue()
        for job in jobs:
            threading.Thread(target=_follow, args=(job, bounds, results), daemon=True).start()
        running = len(jobs)
        while running:
            match results.get():
                case _Left() as left:
                    running -= 1
                    self._leave(left)
                case DocumentInfo() as opened:
                    self._opened, self.metadata = opened, opened.metadata
                case PageError(page=0) as refused:
                    raise ReadError(self._refusal(refused), code=refused.code)
                case PageError() as refused:
                    self._fail(refused.page, refused.message)
                case Page() as page:
                    self._take(page)

    def _take(self, page: Page) -> None:
        assert self._opened is not None
        page.page_label = (
            self._opened.page_labels[page.number - 1] if self._opened.page_labels else ""
        )
        self._found[page.number] = page
        send_value(ReadProgress(len(self._found), self._opened.pages), self.out)

    def _leave(self, left: _Left) -> None:
        """The page that a process was at when it broke off is not tried again."""
        if left.reason is None or self._opened is None:
            return
        numbers = left.job.page_numbers(self._opened.pages)
        if left.pages < len(numbers):
            self._slow += left.reason == "time"
            self._fail(
                numbers[left.pages], f"Reading this page was given up: {_BROKEN[left.reason]}."
            )

    def _fail(self, page: int, message: str) -> None:
        self._failed.add(page)
        self.warnings.append(ReadingWarning("page_unread", page, message))

    def _refusal(self, refused: PageError) -> str:
        match refused.code:
            case "encrypted":
                return (
                    f"{self.job.name} needs a password: please give it (on the command line with --password),"
                    " or add a copy without one."
                )
            case "too_large":
                return f"{self.job.name} is too large: {refused.message}. Please split it and add the parts."
            case _:
                return f"{self.job.name} is damaged and cannot be opened: please fetch it again."


def _is_scan(page: Page) -> bool:
    return page.covered_by_images and not page.from_ocr and page.letter_count < _STAMP


def _follow(
    job: PageJob | ScanJob,
    bounds: ProcessLimits,
    results: "queue.SimpleQueue[DocumentInfo | PageError | Page | _Left]",
) -> None:
    reason: FailureReason | None = None
    pages = 0
    try:
        for value in run_job(job, bounds):
            pages += not isinstance(value, DocumentInfo)
            results.put(value)
    except WorkerFailed as broken:
        reason = broken.reason
    finally:
        results.put(_Left(job, pages, reason))


def _records(data: bytes, name: str) -> Iterator[Mapping[str, Any]]:
    for number, raw in enumerate(data.splitlines(), start=1):
        if not raw.strip():
            continue
        try:
            line = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise ReadError(
                f"Line {number} of {name} is not JSON: please correct it.", code="bad_line"
            ) from error
        wrong = _wrong_with(line)
        if wrong:
            raise ReadError(f"Line {number} of {name} {wrong}: please correct it.", code="bad_line")
        yield line


def _wrong_with(line: object) -> str:
    if not isinstance(line, dict):
        return "is not an object"
    for key in ("document", "article", "text"):
        if not isinstance(line.get(key), str):
            return f'has no text under "{key}"'
    for key in ("season", "issue"):
        if not isinstance(line.get(key), int | None) or isinstance(line.get(key), bool):
            return f'has no whole number under "{key}"'
    for key in ("id", "title", "family"):
        if not isinstance(line.get(key), str | None):
            return f'has no text under "{key}"'
    return ""


def _imported(document_id: str, document: str, lines: list[Mapping[str, Any]]) -> Rulebook:
    first = lines[0]
    season, issue, family = first.get("season"), first.get("issue"), first.get("family")
    given = {
        key: "given"
        for key in ("title", "season", "issue", "family")
        if key == "title" or first.get(key)
    }
    identity = Identity(document, family, season, issue, None, None, given)
    seen: dict[str, int] = {}
    clauses = []
    for line in lines:
        article = line["article"].strip()
        seen[article] = seen.get(article, 0) + 1
        clause_id = f"{document_id}:{article}" + (f"~{seen[article]}" if seen[article] > 1 else "")
        clauses.append(_imported_clause(clause_id, document_id, article, line, identity))
    report = ReadingReport({"pages": 1, "clauses": len(clauses)}, ())
    return Rulebook(document_id, identity, 1, tuple(clauses), report)


def _imported_clause(
    clause_id: str, document_id: str, article: str, line: Mapping[str, Any], identity: Identity
) -> Clause:
    text, title = line["text"], line.get("title") or ""
    return Clause(
        clause_id=clause_id,
        document_id=document_id,
        source_id=line.get("id") or clause_id,
        article=article,
        title=title,
        breadcrumb=(),
        text=text,
        status="in_force",
        deleted=(),
        inserted=(),
        marks=(),
        season=identity.season,
        issue=identity.issue,
        family=identity.family,
        future=None,
        page_first=1,
        page_last=1,
        references=find_references(text),
        defines=find_defined_terms(title, text),
        sanctions=find_sanctions(text),
    )
