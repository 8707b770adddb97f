"""The process that reads pages: opens the PDF with pdfium and sends each page once it is read."""

import time
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from core.errors import ReadError
from core.rulebook.isolation.codec import codec_for
from core.rulebook.isolation.messages import (
    DocumentInfo,
    EncodedPage,
    FigureJob,
    PageError,
    PageJob,
    ScanJob,
)
from core.rulebook.layout.blocks import Page
from core.rulebook.layout.geometry import box_area
from core.rulebook.layout.reading_order import layout_page
from core.rulebook.pdf import ocr
from core.rulebook.pdf.page_content import Area, shared_area
from core.rulebook.pdf.pages import open_pdf
from core.rulebook.types import Box

_MAX_LETTERS = 300_000  # of one page: a dense newspaper page has a tenth


def read_pages(job: PageJob) -> Iterator[DocumentInfo | EncodedPage | PageError]:
    """Yield what the document is, and its pages. Raises ReadError for the document as a whole."""
    with open_pdf(job.data) as document:
        count = len(document)
        if count > job.max_pages:
            message = f"{count} pages, and {job.max_pages} are the most"
            raise ReadError(message, code="too_large")
        yield DocumentInfo(count, document.read_metadata())
        for number in job.page_numbers(count):
            started = time.process_time()
            try:
                page = layout_page(document.read_page(number))
                if page.letter_count > _MAX_LETTERS:
                    letters = f"{page.letter_count} letters: more than a page of rules can"
                    raise ReadError(f"This page holds {letters}.")
                yield _encode(page, time.process_time() - started)
            except ReadError as error:
                yield PageError(number, error.message, time.process_time() - started)


def recognize_pages(job: ScanJob) -> Iterator[EncodedPage | PageError]:
    """Yield pages that are images, with the words that text recognition finds on them."""
    with open_pdf(job.data) as document:
        for number in job.pages:
            started = time.process_time()
            try:
                picture, scale = document.render_pixels(number, ocr.RENDER_SCALE, ocr.MAX_SIDE)
                content, confidence = ocr.recognize_page(picture, number, scale)
                if confidence < ocr.MIN_CONFIDENCE:
                    why = "poor print, or a script that it does not know"
                    raise ReadError(f"Text recognition could not read this page: {why}.")
                page = layout_page(content)
                page.from_ocr = True
                yield _encode(page, time.process_time() - started)
            except ReadError as error:
                yield PageError(number, error.message, time.process_time() - started)


def recognize_figures(job: FigureJob) -> Iterator[tuple[str, ...]]:
    """Yield the texts of each figure; none of a drawing, whose words are text of the page.

    Each page is read and drawn once. A figure is an image where most of one is most of the other.
    """
    with open_pdf(job.data) as document:
        for number, places in groupby(job.places, key=itemgetter(0)):
            boxes = [box for _, box in places]
            try:
                images = document.read_page(number).images
                found = [any(_is_same_area(image, box) for image in images) for box in boxes]
                if any(found):
                    picture, scale = document.render_pixels(number, ocr.RENDER_SCALE, ocr.MAX_SIDE)
            except ReadError:  # a page that cannot be drawn: its rules are told as unread
                found = [False] * len(boxes)
            for is_image, box in zip(found, boxes, strict=True):
                if not is_image:
                    yield ()
                    continue
                left, top, right, bottom = (max(0, round(edge * scale)) for edge in box)
                pixels = picture[top:bottom, left:right].copy()
                yield ocr.recognize_blocks(pixels) if pixels.size else ()


def _is_same_area(image: Area, box: Box) -> bool:
    return 2 * shared_area(image[:4], box) > max(shared_area(box, box), box_area(image))


def _encode(page: Page, seconds: float) -> EncodedPage:
    return EncodedPage(page.number, page.is_unread_image, seconds, codec_for(Page).encode(page))
