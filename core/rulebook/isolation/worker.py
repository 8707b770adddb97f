"""The processes that touch PDF bytes: each reads a job on standard input and tells what comes of it on standard output.

Native code reads hostile files here, so that a crash ends this process and not the application; `confined` starts it
and holds it to its limits. A page job tells an `Opened` or a `Refused`, then a `Page` or a `Refused` for each page.
"""

import gc
import pickle
import sys
from dataclasses import dataclass, field
from typing import BinaryIO, Protocol

from core.errors import ReadError
from core.rulebook.isolation.sandbox import confine, tell
from core.rulebook.layout.blocks import Page
from core.rulebook.layout.reading_order import page_of
from core.rulebook.pdf import ocr
from core.rulebook.pdf.pages import Document

_ILLEGIBLE = (
    "Text recognition could not make out this page: poor print, or a script that it does not know."
)
MOST_LETTERS = 300_000
"""Letters of one page: a dense newspaper page has a tenth of them."""


class Work(Protocol):
    """A job: what it holds is all that a process gets to know."""

    def run(self, out: BinaryIO) -> None:
        """Do it, and `tell` what comes of it."""


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


@dataclass(frozen=True, slots=True)
class PageJob:
    """Bytes of a PDF and the pages to read: `first`, `first + step` ... from 1, without those in `skip`."""

    data: bytes
    first: int
    step: int
    skip: frozenset[int] = frozenset()
    most_pages: int = 5_000

    def run(self, out: BinaryIO) -> None:
        """Read the pages one by one and tell each as soon as it is done."""
        try:
            document = opened(self.data)
        except ReadError as error:
            tell(Refused(error.code, error.message), out)
            return
        with document:
            if len(document) > self.most_pages:
                tell(
                    Refused(
                        "too_large", f"{len(document)} pages, and {self.most_pages} are the most"
                    ),
                    out,
                )
                return
            tell(Opened(len(document), tuple(document.labels()), document.metadata()), out)
            for number in self.numbers(len(document)):
                tell(_read(document, number), out)

    def numbers(self, pages: int) -> list[int]:
        """The pages of this job in a document of so many."""
        return [
            number for number in range(self.first, pages + 1, self.step) if number not in self.skip
        ]


@dataclass(frozen=True, slots=True)
class ScanJob:
    """Bytes of a PDF and those of its pages to read by text recognition."""

    data: bytes
    pages: tuple[int, ...]

    def run(self, out: BinaryIO) -> None:
        """Read the pages one by one and tell each as soon as it is done."""
        with opened(self.data) as document:
            for number in self.pages:
                tell(_recognised(document, number), out)

    def numbers(self, pages: int) -> list[int]:
        """The pages of this job in a document of so many."""
        return [number for number in self.pages if number <= pages]


def opened(data: bytes) -> Document:
    """The document as pdfium opens it, or as pypdf understands it where pdfium does not. Raises ReadError."""
    try:
        return Document(data)
    except ReadError:
        from core.rulebook.pdf.pypdf_fallback import rewritten

        if (anew := rewritten(data)) is None:
            raise
        return Document(anew)


def _read(document: Document, number: int) -> Page | Refused:
    try:
        page = page_of(document.sheet(number))
    except ReadError as error:
        return Refused(error.code, error.message, number)
    if page.letters > MOST_LETTERS:
        return Refused(
            "too_large",
            f"This page holds {page.letters} letters: more than a page of rules can.",
            number,
        )
    return page


def _recognised(document: Document, number: int) -> Page | Refused:
    try:
        picture, scale = document.picture(number, ocr.SCALE, ocr.LARGEST)
    except ReadError as error:
        return Refused(error.code, error.message, number)
    sheet, sureness = ocr.sheet_of(picture, number, scale)
    if sureness < ocr.LEGIBLE:
        return Refused("illegible", _ILLEGIBLE, number)
    page = page_of(sheet)
    page.scanned = True
    return page


def main() -> None:
    """What the process runs: one job. It lives for that alone: collecting garbage would only cost time."""
    memory, seconds, niceness = map(int, sys.argv[1:])
    confine(memory, seconds, niceness)
    gc.disable()
    job: Work = pickle.load(sys.stdin.buffer)
    job.run(sys.stdout.buffer)
    tell(None, sys.stdout.buffer)
