"""The report of a chat, with the pictures of its cited pages."""

from collections.abc import Iterator, Sequence
from functools import partial

from core.chats import ReportPart, SavedRun, compose_report
from core.errors import ReadError
from core.library import Library
from core.verification import Citation
from pages.components.citation import citation_boxes
from pages.components.page_image import draw_page, find_pdf


def report_parts(library: Library, title: str, runs: Sequence[SavedRun]) -> Iterator[ReportPart]:
    """The parts of a report on a chat, with a picture of each cited page."""
    return compose_report(title, runs, partial(_draw_cited_page, library))


def _draw_cited_page(library: Library, citation: Citation) -> bytes | None:
    file, page = find_pdf(library, citation.document_id), citation.page
    if file is None:
        return None
    try:
        return draw_page(file, page, citation_boxes(library, file, citation, page), 1.0)
    except ReadError:  # the quote suffices
        return None
