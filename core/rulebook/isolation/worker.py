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
from core.rulebook.isolation.sandbox import send_value, set_rlimits
from core.rulebook.layout.blocks import Page
from core.rulebook.layout.reading_order import layout_page
from core.rulebook.pdf import ocr
from core.rulebook.pdf.pages import PdfFile

_ILLEGIBLE = (
    "Text recognition could not make out this page: poor print, or a script that it does not know."
)
MAX_PAGE_LETTERS = 300_000
"""Letters of one page: a dense newspaper page has a tenth of them."""


class Job(Protocol):
    """A job: what it holds is all that a process gets to know."""

    def run(self, out: BinaryIO) -> None:
        """Do it, and `tell` what comes of it."""


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """How many pages there are, their labels, and the document's metadata."""

    pages: int
    page_labels: tuple[str, ...]
    metadata: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PageError:
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
    max_pages: int = 5_000

    def run(self, out: BinaryIO) -> None:
        """Read the pages one by one and tell each as soon as it is done."""
        try:
            document = open_document(self.data)
        except ReadError as error:
            send_value(PageError(error.code, error.message), out)
            return
        with document:
            if len(document) > self.max_pages:
                send_value(
                    PageError(
                        "too_large", f"{len(document)} pages, and {self.max_pages} are the most"
                    ),
                    out,
                )
                return
            send_value(
                DocumentInfo(
                    len(document), tuple(document.page_labels()), document.read_metadata()
                ),
                out,
            )
            for number in self.page_numbers(len(document)):
                send_value(_read(document, number), out)

    def page_numbers(self, pages: int) -> list[int]:
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
        with open_document(self.data) as document:
            for number in self.pages:
                send_value(_recognised(document, number), out)

    def page_numbers(self, pages: int) -> list[int]:
        """The pages of this job in a document of so many."""
        return [number for number in self.pages if number <= pages]


def open_document(data: bytes) -> PdfFile:
    """The document as pdfium opens it, or as pypdf understands it where pdfium does not. Raises ReadError."""
    try:
        return PdfFile(data)
    except ReadError:
        from core.rulebook.pdf.pypdf_fallback import rewrite_pdf

        if (anew := rewrite_pdf(data)) is None:
            raise
        return PdfFile(anew)


def _read(document: PdfFile, number: int) -> Page | PageError:
    try:
        page = layout_page(document.read_page(number))
    except ReadError as error:
        return PageError(error.code, error.message, number)
    if page.letter_count > MAX_PAGE_LETTERS:
        return PageError(
            "too_large",
            f"This page holds {page.letter_count} letters: more than a page of rules can.",
            number,
        )
    return page


def _recognised(document: PdfFile, number: int) -> Page | PageError:
    try:
        picture, scale = document.render_pixels(number, ocr.RENDER_SCALE, ocr.MAX_SIDE)
    except ReadError as error:
        return PageError(error.code, error.message, number)
    sheet, sureness = ocr.recognize_page(picture, number, scale)
    if sureness < ocr.MIN_CONFIDENCE:
        return PageError("illegible", _ILLEGIBLE, number)
    page = layout_page(sheet)
    page.from_ocr = True
    return page


def main() -> None:
    """What the process runs: one job. It lives for that alone: collecting garbage would only cost time."""
    memory, seconds, niceness = map(int, sys.argv[1:])
    set_rlimits(memory, seconds, niceness)
    gc.disable()
    job: Job = pickle.load(sys.stdin.buffer)
    job.run(sys.stdout.buffer)
    send_value(None, sys.stdout.buffer)
