"""The pages of a document as processes read them, one per core, and the rulebook built from them.

This runs in the application, which opens neither the PDF nor its pages: they stay bytes until a
last process builds the rulebook. A page that ends its process is given up; the others are read
again.
"""

import hashlib
import os
import queue
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from core.errors import ReadError
from core.rulebook.isolation.messages import (
    BuildJob,
    DocumentInfo,
    EncodedPage,
    PageError,
    PageJob,
    ProvenanceJob,
    ReadLimits,
    ScanJob,
    TextJob,
)
from core.rulebook.isolation.sandbox import (
    POLL_SECONDS,
    ProcessLimits,
    ShouldStop,
    Worker,
    WorkerFailed,
    run_job,
)
from core.rulebook.pdf import ocr
from core.rulebook.report import format_pages
from core.rulebook.types import LineCorrection, Progress, Provenance, ReadingWarning, Rulebook

_SMALL_FILE = 150_000  # bytes: below, a second process costs more than it saves
_MAX_RESTARTS = 5
_MAX_SLOW_PAGES = 2
_BYTES_A_SECOND = 20_000  # rulebooks take at most 8 seconds a megabyte (measured): 6 times as much
SCAN_SECONDS = 180.0  # for one page, with loading the models and other work on the machine
SCAN_MEMORY = 6 << 30  # bytes of address space: onnxruntime reserves 2 GiB and uses about 0.9
_MAX_PAGES_SIZE = 256 << 20  # bytes of all pages together; the largest rulebooks have 20 MB
_MAX_RULEBOOK_SIZE = 256 << 20  # bytes
_DAMAGED = "{name} is damaged and cannot be opened: please fetch it again."
_REFUSALS = {
    "encrypted": "{name} needs a password: please give it (on the command line with --password),"
    " or add a copy without one.",
    "too_large": "{name} is too large: {reason}. Please split it and add the parts.",
}


def read_document(
    data: bytes,
    name: str,
    limits: ReadLimits,
    corrections: tuple[LineCorrection, ...] = (),
    should_stop: ShouldStop | None = None,
) -> Iterator[Progress | Rulebook | Provenance]:
    """Yield progress page by page, then the rulebook, and what the file brings beside its pages.

    `should_stop` is called by the calling thread alone. All processes end with the iteration.
    Raises ReadError and WorkerFailed.
    """
    with Worker(BuildJob, build_limits(limits)) as builder:  # it starts up while pages are read
        pages = _PageCollection(data, name, limits, should_stop)
        try:
            yield from pages.read_all()
            pages.start_finding_provenance()  # one core is idle now
            try:
                yield from builder.run(pages.build_job(corrections), pages.has_to_end)
            except ReadError as error:  # the rules may be on pages that were not reached
                if pages.exceeds_time():
                    raise WorkerFailed("time") from error
                raise
            yield pages.wait_for_provenance()
        finally:
            pages.end()


def read_text(
    data: bytes, name: str, limits: ReadLimits, with_rows: bool = False
) -> tuple[str, ...]:
    """Return the text of each page. Raises ReadError and WorkerFailed."""
    pages = _PageCollection(data, name, limits, None)
    try:
        list(pages.read_all())
        job = TextJob(pages.build_job(()).pages, with_rows)
        for texts in run_job(job, build_limits(limits)):
            return tuple(texts)
        raise WorkerFailed("crash")
    finally:
        pages.end()


def build_limits(limits: ReadLimits) -> ProcessLimits:
    """The limits of a process that builds a rulebook."""
    seconds = limits.seconds
    return ProcessLimits(
        seconds, seconds, limits.memory, _MAX_RULEBOOK_SIZE, patient=limits.patient
    )


@dataclass(frozen=True, slots=True)
class _JobEnd:
    """The end of a process, the number of pages that it sent, and why it failed if it did."""

    job: PageJob | ScanJob
    pages: int
    error: WorkerFailed | ReadError | None


_Results: TypeAlias = queue.Queue[DocumentInfo | PageError | EncodedPage | _JobEnd]


@dataclass(slots=True)
class _PageCollection:
    """The pages of one document as processes send them; `warnings` is by page that was given up."""

    data: bytes
    name: str
    limits: ReadLimits
    should_stop: ShouldStop | None
    info: DocumentInfo | None = None
    provenance: Provenance = field(default_factory=Provenance)
    pages: dict[int, EncodedPage] = field(default_factory=dict)
    warnings: dict[int, ReadingWarning] = field(default_factory=dict)
    slow_pages: int = 0
    seconds: float = 0.0
    """Processor time spent on pages, without those that are recognized."""
    scan_seconds: float = 0.0
    ended: threading.Event = field(default_factory=threading.Event)
    threads: list[threading.Thread] = field(default_factory=list)

    def read_all(self) -> Iterator[Progress]:
        """Read all pages, and note those that cannot be read. Raises ReadError if none can."""
        data, own, limits = self.data, self.limits, self._process_limits
        count = 1 if len(data) < _SMALL_FILE else min(os.cpu_count() or 1, own.processes)
        starts = range(1, count + 1)
        jobs = [PageJob(data, start, count, frozenset(), own.max_pages) for start in starts]
        yield from self._run(jobs, limits)
        for _ in range(_MAX_RESTARTS):
            if not self._missing_pages() or self._should_give_up():
                break
            done = frozenset([*self.pages, *self.warnings])
            yield from self._run([PageJob(data, 1, 1, done, own.max_pages)], limits)
        can_recognize = own.read_scans and ocr.is_available() and not self._exceeds_work()
        limits = replace(limits, silence=SCAN_SECONDS, memory=SCAN_MEMORY)
        for _ in range(_MAX_RESTARTS if can_recognize else 0):
            scans = tuple(self._unread_scans())
            if not scans or self._should_give_up():
                break
            yield from self._run([ScanJob(data, scans)], limits)
        self._note_missing_pages()

    def start_finding_provenance(self) -> None:
        """Begin to look, in a process of its own, for what the file brings beside its pages."""

        def find() -> None:
            with suppress(ReadError, WorkerFailed):
                job = ProvenanceJob(self.data)
                for found in run_job(job, self._process_limits, self.ended.is_set):
                    self.provenance = found

        self.threads.append(threading.Thread(target=find))
        self.threads[-1].start()

    def wait_for_provenance(self) -> Provenance:
        """Return what was found: nothing where the process failed. Raises WorkerFailed."""
        while self.threads[-1].is_alive():
            if self.has_to_end():
                raise WorkerFailed("stopped")
            self.threads[-1].join(POLL_SECONDS)
        return self.provenance

    @property
    def _process_limits(self) -> ProcessLimits:
        own = self.limits
        seconds = own.seconds + own.page_seconds  # with its start, and the page it is at
        return ProcessLimits(
            seconds, own.page_seconds, own.memory, _MAX_PAGES_SIZE, patient=own.patient
        )

    def build_job(self, corrections: tuple[LineCorrection, ...]) -> BuildJob:
        """What the last process needs to know of the pages that were read."""
        assert self.info is not None
        return BuildJob(
            hashlib.sha256(self.data).hexdigest(),
            self.name,
            tuple(self.pages[number].data for number in sorted(self.pages)),
            self.info.metadata,
            tuple(self.warnings.values()),
            corrections,
        )

    def has_to_end(self) -> bool:
        """True once the result is not wanted."""
        return self.should_stop is not None and self.should_stop()

    def end(self) -> None:
        """End all processes that still read pages."""
        self.ended.set()
        for thread in self.threads:
            thread.join()

    def _exceeds_work(self) -> bool:
        """True once the pages took more time than a file of this size can reasonably need."""
        allowed = self.limits.work_seconds + len(self.data) / _BYTES_A_SECOND
        return self.seconds > allowed

    def exceeds_time(self) -> bool:
        """True if pages took all the time for a document: some may be missing."""
        return self.seconds + self.scan_seconds > self.limits.seconds

    def _should_give_up(self) -> bool:
        is_slow = self.slow_pages >= _MAX_SLOW_PAGES
        return is_slow or self._exceeds_work() or self.exceeds_time()

    def _note_missing_pages(self) -> None:
        """Warn of pages that were not reached. Raises ReadError if these are most of the pages."""
        missing, name = self._missing_pages(), self.name
        is_most = len(missing) > len(self.pages)
        why = "too many before failed"
        if self.exceeds_time():
            allowed = f"SCRUTINEER_READING_SECONDS ({self.limits.seconds:g})"
            why = f"the others took the time that is set as {allowed}"
            missing = sorted([*missing, *self._unread_scans()])
        if self._exceeds_work():
            size = max(1, len(self.data) // 1000)
            why = f"those before unpack to more than a file of {size} KB can reasonably hold"
        reason = f"{format_pages(missing)} not reached, {why}" if missing else ""
        if self._exceeds_work() and is_most:
            message = _REFUSALS["too_large"].format(name=name, reason=reason)
            raise ReadError(message, code="too_large")
        if not self.pages and self.exceeds_time():
            raise WorkerFailed("time")
        if not self.pages:
            message = f"{name} is damaged: none of its pages could be read."
            raise ReadError(message, code="damaged")
        if missing:
            message = f"This document was read in part: {reason}."
            self.warnings[missing[0]] = ReadingWarning("partly_read", missing[0], message)

    def _unread_scans(self) -> list[int]:
        """The pages that are images, and that text recognition has not read."""
        scans = (number for number, page in sorted(self.pages.items()) if page.is_scan)
        return [number for number in scans if number not in self.warnings]

    def _missing_pages(self) -> list[int]:
        if self.info is None:
            raise ReadError(_DAMAGED.format(name=self.name), code="damaged")
        done = self.pages.keys() | self.warnings.keys()
        return [number for number in range(1, self.info.pages + 1) if number not in done]

    def _run(self, jobs: Sequence[PageJob | ScanJob], limits: ProcessLimits) -> Iterator[Progress]:
        """Run jobs until all have ended."""
        results: _Results = queue.Queue()
        for job in jobs:
            thread = threading.Thread(target=self._follow_job, args=(job, limits, results))
            self.threads.append(thread)
            thread.start()
        running = len(jobs)
        while running:
            if self.has_to_end():
                raise WorkerFailed("stopped")
            try:
                value = results.get(timeout=POLL_SECONDS)
            except queue.Empty:
                continue
            match value:
                case DocumentInfo(pages=pages) if pages > self.limits.max_pages:
                    raise WorkerFailed("crash")
                case DocumentInfo() as info:  # what it said first holds
                    self.info = self.info or info
                case EncodedPage(number, _, seconds, _) as page if self.info:
                    self._count_seconds(number, seconds)
                    self.pages[number] = page  # text recognition replaces one
                    if sum(len(each.data) for each in self.pages.values()) > _MAX_PAGES_SIZE:
                        raise WorkerFailed("output")
                    yield Progress("reading", len(self.pages), self.info.pages)
                case PageError(number, message, seconds):
                    self._count_seconds(number, seconds)
                    self._give_up(number, message)
                case _JobEnd(job=PageJob(), error=ReadError() as error):
                    template = _REFUSALS.get(error.code, _DAMAGED)
                    message = template.format(name=self.name, reason=error.message)
                    raise ReadError(message, code=error.code)
                case _JobEnd() as end:
                    running -= 1
                    self._note_failure(end)

    def _count_seconds(self, number: int, seconds: float) -> None:
        """Count what a page took; one that is known by now is recognized."""
        if number in self.pages:
            self.scan_seconds += seconds
        else:
            self.seconds += seconds

    def _note_failure(self, end: _JobEnd) -> None:
        """Give up the page at which a process failed."""
        if end.error is None or self._exceeds_work() or self.exceeds_time():
            return
        failure = end.error if isinstance(end.error, WorkerFailed) else WorkerFailed("crash")
        if self.info is None:
            if failure.reason == "time":
                raise failure
            return
        numbers = end.job.page_numbers(self.info.pages)
        if end.pages < len(numbers):
            self.slow_pages += failure.reason == "time"
            self._give_up(numbers[end.pages], f"This page was given up: {failure.explanation}.")

    def _give_up(self, page: int, message: str) -> None:
        self.warnings[page] = ReadingWarning("page_unread", page, message)

    def _follow_job(self, job: PageJob | ScanJob, limits: ProcessLimits, results: _Results) -> None:
        """Put what a process sends on a queue, and last its end.

        A process has to answer for the pages that it was given, in their order.
        """
        sent, error = 0, None
        numbers = list(job.pages) if isinstance(job, ScanJob) else []
        try:
            for value in run_job(job, limits, self._is_enough):
                match value:
                    case DocumentInfo(count) if isinstance(job, PageJob) and not numbers:
                        numbers = job.page_numbers(count)
                    case EncodedPage(number=number) | PageError(page=number) if numbers[
                        sent : sent + 1
                    ] == [number]:
                        sent += 1
                    case _:
                        raise WorkerFailed("crash")
                results.put(value)
        except (WorkerFailed, ReadError) as failure:
            error = failure
        finally:
            results.put(_JobEnd(job, sent, error))

    def _is_enough(self) -> bool:
        return self.ended.is_set() or self._exceeds_work() or self.exceeds_time()
