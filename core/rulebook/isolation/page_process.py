"""The process that reads pages: opens the PDF with pdfium and sends each page once it is read."""

import time
from collections.abc import Iterator
from dataclasses import replace

from core.errors import ReadError
from core.rulebook.isolation.messages import DocumentInfo, PageError, PageJob, ScanJob
from core.rulebook.layout.blocks import Page
from core.rulebook.layout.reading_order import layout_page
from core.rulebook.pdf import ocr
from core.rulebook.pdf.pages import PdfFile, open_pdf

_MAX_LETTERS = 300_000  # of one page: a dense newspaper page has a tenth


def read_pages(job: PageJob) -> Iterator[DocumentInfo | Page | PageError]:
    """Yield what the document is, then its pages. Raises ReadError for the document as a whole."""
    with open_pdf(job.data) as document:
        count = len(document)
        if count > job.max_pages:
            message = f"{count} pages, and {job.max_pages} are the most"
            raise ReadError(message, code="too_large")
        yield DocumentInfo(count, document.read_metadata())
        for number in job.page_numbers(count):
            started = time.process_time()
            page = _read_page(document, number)
            yield replace(page, seconds=time.process_time() - started)


def recognize_pages(job: ScanJob) -> Iterator[Page | PageError]:
    """Yield pages that are images, with the words that text recognition finds on them."""
    with open_pdf(job.data) as document:
        for number in job.pages:
            yield _recognize_page(document, number)


def _read_page(document: PdfFile, number: int) -> Page | PageError:
    try:
        page = layout_page(document.read_page(number))
    except ReadError as error:
        return PageError(number, error.message)
    if page.letter_count <= _MAX_LETTERS:
        return page
    letters = f"{page.letter_count} letters: more than a page of rules can"
    return PageError(number, f"This page holds {letters}.")


def _recognize_page(document: PdfFile, number: int) -> Page | PageError:
    try:
        picture, scale = document.render_pixels(number, ocr.RENDER_SCALE, ocr.MAX_SIDE)
    except ReadError as error:
        return PageError(number, error.message)
    content, confidence = ocr.recognize_page(picture, number, scale)
    if confidence < ocr.MIN_CONFIDENCE:
        why = "poor print, or a script that it does not know"
        return PageError(number, f"Text recognition could not read this page: {why}.")
    page = layout_page(content)
    page.from_ocr = True
    return page
