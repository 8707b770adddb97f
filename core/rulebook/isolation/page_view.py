"""Looking at a page: its image, and where the words of a quote stand on it, found out in a process with limits.

The bytes are as foreign as when they were read: nothing of a PDF is opened in the process of the application.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from core.errors import ReadError
from core.rulebook.isolation.sandbox import Bounds, Broken, tell, values
from core.rulebook.isolation.worker import Refused
from core.rulebook.pdf.pages import render_page
from core.rulebook.quote_locator import find_words
from core.rulebook.types import Box

_BOUNDS = Bounds(seconds=20.0, silence=20.0, memory=1 << 30, output=64 << 20)


def page_image(data: bytes, page: int, scale: float) -> bytes:
    """Page `page` (from 1) of a PDF as PNG, `scale` pixels a point. Raises ReadError for one that cannot be shown."""
    return _look(ImageJob(data, page, scale), page).png


def words_on(data: bytes, page: int, quote: str, near: Sequence[Box] = ()) -> tuple[Box, ...]:
    """The boxes of a quote's words on a page, empty where it does not stand there (see `places.find_words`).

    Raises ReadError for a PDF or a page that cannot be read.
    """
    return _look(WordsJob(data, page, quote, tuple(near)), page).boxes


@dataclass(frozen=True, slots=True)
class Seen:
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
        tell(_answered(lambda: Seen(png=render_page(self.data, self.page, self.scale))), out)


@dataclass(frozen=True, slots=True)
class WordsJob:
    """The page on which words are looked for; see `find_words`."""

    data: bytes
    page: int
    quote: str
    near: tuple[Box, ...]

    def run(self, out: BinaryIO) -> None:
        """Find them."""
        tell(
            _answered(lambda: Seen(boxes=find_words(self.data, self.page, self.quote, self.near))),
            out,
        )


def _answered(look: Callable[[], Seen]) -> Seen | Refused:
    try:
        return look()
    except ReadError as error:
        return Refused(error.code, error.message)


def _look(job: ImageJob | WordsJob, page: int) -> Seen:
    try:
        for value in values(job, _BOUNDS):
            match value:
                case Seen():
                    return value
                case Refused():
                    raise ReadError(value.message, code=value.code)
    except Broken as broken:
        raise ReadError(f"Page {page} of this PDF cannot be shown.", code="damaged") from broken
    raise ReadError(f"Page {page} of this PDF cannot be shown.", code="damaged")
