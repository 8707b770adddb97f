"""The process that touches PDF bytes: it reads a job on standard input and writes pages on standard output.

Native code reads hostile files here, so that a crash ends this process and not the application. What is written is
a stream of pickles: an `Opened` or a `Refused`, then a `Page` or a `Refused` for each page of the job.
"""

import gc
import pickle
import sys
from dataclasses import dataclass, field
from typing import BinaryIO

from core.errors import ReadError
from core.rulebook.blocks import Page
from core.rulebook.layout import page_of
from core.rulebook.pdf import Document
from core.rulebook.rescue import rewritten


@dataclass(frozen=True, slots=True)
class Job:
    """Bytes of a PDF and the pages to read: `first`, `first + step` ... from 1, without those in `skip`."""

    data: bytes
    first: int
    step: int
    skip: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Opened:
    """How many pages there are, their labels, and the document's metadata."""

    pages: int
    labels: tuple[str, ...]
    metadata: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Refused:
    """Why the document (page 0) or one of its pages was not read."""

    code: str
    message: str
    page: int = 0


def work(job: Job, out: BinaryIO) -> None:
    """Read the pages of `job` one by one and write each as soon as it is done."""
    try:
        document = _opened(job.data)
    except ReadError as error:
        _send(Refused(error.code, error.message), out)
        return
    with document:
        _send(Opened(len(document), tuple(document.labels()), document.metadata()), out)
        for number in range(job.first, len(document) + 1, job.step):
            if number not in job.skip:
                _send(_read(document, number), out)


def _opened(data: bytes) -> Document:
    """The document as pdfium opens it, or as pypdf understands it where pdfium does not."""
    try:
        return Document(data)
    except ReadError:
        if (anew := rewritten(data)) is None:
            raise
        return Document(anew)


def _read(document: Document, number: int) -> Page | Refused:
    try:
        return page_of(document.sheet(number))
    except ReadError as error:
        return Refused(error.code, error.message, number)


def _send(value: Opened | Refused | Page, out: BinaryIO) -> None:
    pickle.dump(value, out, protocol=pickle.HIGHEST_PROTOCOL)
    out.flush()


def main() -> None:
    """What the process runs. It lives for one job: collecting garbage would only cost time."""
    gc.disable()
    work(pickle.load(sys.stdin.buffer), sys.stdout.buffer)
