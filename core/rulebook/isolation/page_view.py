"""Looking at a page: its image, and where the words of a quote stand on it, found out in a process with limits.

The bytes are as foreign as when they were read: nothing of a PDF is opened in the process of the application.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from core.errors import ReadError
from core.rulebook.isolation.sandbox import ProcessLimits, WorkerFailed, run_job, send_value
from core.rulebook.isolation.worker import PageError
from core.rulebook.pdf.pages import render_page
from core.rulebook.quote_locator import find_quote_boxes
from core.rulebook.types import Box

_BOUNDS = ProcessLimits(seconds=20.0, silence=20.0, memory=1 << 30, output=64 << 20)


def page_image(data: bytes, page: int, scale: float) -> bytes:
    """Page `page` (from 1) of a PDF as PNG, `scale` pixels a point. Raises ReadError for one that cannot be shown."""
    return _look(ImageJob(data, page, scale), page).png


def locate_quote(data: bytes, page: int, quote: str, near: Sequence[Box] = ()) -> tuple[Box, ...]:
    """The boxes of a quote's words on a page, empty where it does not stand there (see `places.find_words`).

    Raises ReadError for a PDF or a page that cannot be read.
    """
    return _look(QuoteJob(data, page, quote, tuple(near)), page).boxes


@dataclass(frozen=True, slots=True)
class PageView:
    """A page as PNG, or the boxes that were looked for on it."""

    png: bytes = b""
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class ImageJob:
    """The page whose image is wanted, `scale` pixels a point."""

    data: bytes
    page: int
    scale: float

    def run(self, out: BinaryIO) -> None:
        """Draw it."""
        send_value(
            _answered(lambda: PageView(png=render_page(self.data, self.page, self.scale))), out
        )


@dataclass(frozen=True, slots=True)
class QuoteJob:
    """The page on which words are looked for; see `find_words`."""

    data: bytes
    page: int
    quote: str
    near: tuple[Box, ...]

    def run(self, out: BinaryIO) -> None:
        """Find them."""
        send_value(
            _answered(
                lambda: PageView(
                    boxes=find_quote_boxes(self.data, self.page, self.quote, self.near)
                )
            ),
            out,
        )


def _answered(look: Callable[[], PageView]) -> PageView | PageError:
    try:
        return look()
    except ReadError as error:
        return PageError(error.code, error.message)


def _look(job: ImageJob | QuoteJob, page: int) -> PageView:
    try:
        for value in run_job(job, _BOUNDS):
            match value:
                case PageView():
                    return value
                case PageError():
                    raise ReadError(value.message, code=value.code)
    except WorkerFailed as broken:
        raise ReadError(f"Page {page} of this PDF cannot be shown.", code="damaged") from broken
    raise ReadError(f"Page {page} of this PDF cannot be shown.", code="damaged")
