"""The process that puts a document together: reads its pages in further processes, one per core.

It opens no PDF itself. A page that ends its process is given up; the others are read again.
"""

import hashlib
import os
import queue
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from core.errors import ReadError
from core.rulebook.isolation.messages import (
    DocumentInfo,
    PageError,
    PageJob,
    PlainText,
    RulebookJob,
    ScanJob,
    TextJob,
)
from core.rulebook.isolation.sandbox import ProcessLimits, ShouldStop, WorkerFailed, run_job
from core.rulebook.layout.blocks import Page
from core.rulebook.layout.ligatures import load_english_dictionary
from core.rulebook.layout.text import page_text
from core.rulebook.pdf import ocr
from core.rulebook.pipeline import DocumentSource, build_rulebook
from core.rulebook.report import format_pages
from core.rulebook.structure.headers_footers import remove_headers_footers
from core.rulebook.types import Progress, ReadingWarning, Rulebook

_SMALL_FILE = 150_000  # bytes: below, a second process costs more than it saves
_MAX_PROCESSES = 8
_MAX_RESTARTS = 5
_MAX_SLOW_PAGES = 2
_STAMP_LETTERS = 100  # most letters of a page number, a date or a stamp over the image of a page
_BYTES_A_SECOND = 20_000  # rulebooks take at most 8 seconds a megabyte (measured): 6 times as much
_SCAN_SECONDS = 180.0  # for one page, with loading the models and other work on the machine
_SCAN_MEMORY = 6 << 30  # bytes of address space: onnxruntime reserves 2 GiB and uses about 0.9
_MAX_OUTPUT = 512 << 20  # bytes
_DAMAGED = "{name} is damaged and cannot be opened: please fetch it again."
_REFUSALS = {
    "encrypted": "{name} needs a password: please give it (on the command line with --password),"
    " or add a copy without one.",
    "too_large": "{name} is too large: {reason}. Please split it and add the parts.",
}


def read_document(job: RulebookJob) -> Iterator[Progress | Rulebook]:
    """Yield progress page by page, then the rulebook. Raises ReadError."""
    if len(job.data) >= _SMALL_FILE:  # a few pages seldom need it
        threading.Thread(target=load_english_dictionary, daemon=True).start()
    reading = _Reading(job)
    yield from reading.read_pages()
    pages = [page for _, page in sorted(reading.pages.items())]
    document_id = hashlib.sha256(job.data).hexdigest()
    metadata = reading.info.metadata if reading.info else {}
    warnings = tuple(reading.warnings.values())
    yield build_rulebook(
        pages, DocumentSource(document_id, job.name, metadata, warnings, job.corrections)
    )


def read_text(job: TextJob) -> Iterator[Progress | PlainText]:
    """Yield progress page by page, then the text without headers and footers. Raises ReadError."""
    reading = _Reading(job)
    yield from reading.read_pages()
    pages = [page for _, page in sorted(reading.pages.items())]
    remove_headers_footers(pages)
    yield PlainText(tuple(page_text(page) for page in pages))


@dataclass(frozen=True, slots=True)
class _JobEnd:
    """The end of a process, the number of pages that it sent, and why it failed if it did."""

    job: PageJob | ScanJob
    pages: int
    error: WorkerFailed | ReadError | None


_Results: TypeAlias = queue.SimpleQueue[DocumentInfo | PageError | Page | _JobEnd]


@dataclass(slots=True)
class _Reading:
    """The pages of one document as processes send them; `warnings` is by page that was given up."""

    job: RulebookJob
    info: DocumentInfo | None = None
    pages: dict[int, Page] = field(default_factory=dict)
    warnings: dict[int, ReadingWarning] = field(default_factory=dict)
    slow_pages: int = 0
    seconds: float = 0.0
    """Processor time spent on pages."""

    def read_pages(self) -> Iterator[Progress]:
        """Read all pages, and note those that cannot be read. Raises ReadError if none can."""
        data, own = self.job.data, self.job.limits
        limits = ProcessLimits(own.seconds, own.page_seconds, own.memory, _MAX_OUTPUT, nested=True)
        count = 1 if len(data) < _SMALL_FILE else min(os.cpu_count() or 1, _MAX_PROCESSES)
        starts = range(1, count + 1)
        jobs = [PageJob(data, start, count, frozenset(), own.max_pages) for start in starts]
        yield from self._run(jobs, limits)
        for _ in range(_MAX_RESTARTS):
            if not self._missing_pages() or self._has_to_stop():
                break
            done = frozenset([*self.pages, *self.warnings])
            yield from self._run([PageJob(data, 1, 1, done, own.max_pages)], limits)
        if own.read_scans and ocr.is_available() and not self._exceeds_work():
            yield from self._recognize_scans(
                replace(limits, silence=_SCAN_SECONDS, memory=_SCAN_MEMORY)
            )
        self._note_missing_pages()

    def _exceeds_work(self) -> bool:
        """True once the pages took more time than a file of this size can reasonably need."""
        allowed = self.job.limits.work_seconds + len(self.job.data) / _BYTES_A_SECOND
        return self.seconds > allowed

    def _has_to_stop(self) -> bool:
        return self.slow_pages >= _MAX_SLOW_PAGES or self._exceeds_work()

    def _note_missing_pages(self) -> None:
        """Warn of pages that were not reached. Raises ReadError if these are most of the pages."""
        missing, name = self._missing_pages(), self.job.name
        why = "too many before failed"
        if self._exceeds_work():
            size = max(1, len(self.job.data) // 1000)
            why = f"those before unpack to more than a file of {size} KB can reasonably hold"
        reason = f"{format_pages(missing)} not reached, {why}" if missing else ""
        if self._exceeds_work() and len(missing) > len(self.pages):
            message = _REFUSALS["too_large"].format(name=name, reason=reason)
            raise ReadError(message, code="too_large")
        if not self.pages:
            message = f"{name} is damaged: none of its pages could be read."
            raise ReadError(message, code="damaged")
        if missing:
            message = f"This document was read in part: {reason}."
            self.warnings[missing[0]] = ReadingWarning("partly_read", missing[0], message)

    def _recognize_scans(self, limits: ProcessLimits) -> Iterator[Progress]:
        for _ in range(_MAX_RESTARTS):
            scans = tuple(
                number
                for number, page in sorted(self.pages.items())
                if page.covered_by_images
                and not page.from_ocr
                and page.letter_count < _STAMP_LETTERS
                and number not in self.warnings
            )
            if not scans or self._has_to_stop():
                break
            yield from self._run([ScanJob(self.job.data, scans)], limits)

    def _missing_pages(self) -> list[int]:
        if self.info is None:
            raise ReadError(_DAMAGED.format(name=self.job.name), code="damaged")
        done = self.pages.keys() | self.warnings.keys()
        return [number for number in range(1, self.info.pages + 1) if number not in done]

    def _run(self, jobs: Sequence[PageJob | ScanJob], limits: ProcessLimits) -> Iterator[Progress]:
        """Run jobs until all have ended; if the document is refused, they end with this process."""
        results: _Results = queue.SimpleQueue()
        for job in jobs:
            threading.Thread(
                target=_follow_job, args=(job, limits, results, self._exceeds_work), daemon=True
            ).start()
        running = len(jobs)
        while running:
            match results.get():
                case DocumentInfo() as info:
                    self.info = info
                case Page() as page if self.info:
                    labels = self.info.page_labels
                    page.page_label = labels[page.number - 1] if labels else ""
                    self.pages[page.number] = page
                    self.seconds += page.seconds
                    yield Progress("reading", len(self.pages), self.info.pages)
                case PageError(number, message, seconds):
                    self.seconds += seconds
                    self._give_up(number, message)
                case _JobEnd(job=PageJob(), error=ReadError() as error):
                    template = _REFUSALS.get(error.code, _DAMAGED)
                    message = template.format(name=self.job.name, reason=error.message)
                    raise ReadError(message, code=error.code)
                case _JobEnd() as end:
                    running -= 1
                    self._note_failure(end)

    def _note_failure(self, end: _JobEnd) -> None:
        """Give up the page at which a process failed."""
        if end.error is None or self.info is None or self._exceeds_work():
            return
        failure = end.error if isinstance(end.error, WorkerFailed) else WorkerFailed("crash")
        numbers = end.job.page_numbers(self.info.pages)
        if end.pages < len(numbers):
            self.slow_pages += failure.reason == "time"
            self._give_up(numbers[end.pages], f"This page was given up: {failure.explanation}.")

    def _give_up(self, page: int, message: str) -> None:
        self.warnings[page] = ReadingWarning("page_unread", page, message)


def _follow_job(
    job: PageJob | ScanJob, limits: ProcessLimits, results: _Results, should_stop: ShouldStop
) -> None:
    """Put what a process sends on a queue, and last its end."""
    pages = 0
    error: WorkerFailed | ReadError | None = None
    try:
        for value in run_job(job, limits, should_stop):
            pages += not isinstance(value, DocumentInfo)
            results.put(value)
    except (WorkerFailed, ReadError) as failure:
        error = failure
    finally:
        results.put(_JobEnd(job, pages, error))
