"""What the application and the processes that read send each other: jobs go in, values come back.

A job is all that a process gets to know, and its `answer` all that it may say.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from core.rulebook.types import Box, LineCorrection, Provenance, ReadingWarning, Rulebook


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """What reading one document may cost, so that no file can block or crash anything else.

    Seconds are of the processor.
    """

    page_seconds: float = 10.0
    """For one page. Reading stops after two pages that take longer."""
    seconds: float = 900.0
    """For all pages, those that are images too: what was read until then is kept."""
    memory: int = 1 << 30
    """Bytes of address space of each process."""
    max_pages: int = 5_000
    processes: int = 8
    """That read pages of one document at the same time, of the machine's cores at most."""
    patient: bool = False
    """Run at the lowest priority."""
    read_scans: bool = True
    """Recognize text on pages that are images, if the extra `ocr` is installed: seconds a page."""
    work_seconds: float = 20.0
    """Processor time for the pages of any file; each megabyte may take 50 seconds more."""


@dataclass(frozen=True, slots=True)
class PageError:
    """Why one page was not read, and the processor time that was spent on it."""

    page: int
    message: str
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """The number of pages, and the document's metadata."""

    pages: int
    metadata: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EncodedPage:
    """A page that was read, as the bytes of a `Page`: only a `BuildJob` opens them."""

    number: int
    is_scan: bool
    """It is an image without words."""
    seconds: float
    """Processor time that was spent on it."""
    data: bytes = field(repr=False)


class Job:
    """What a process is to do; its `answer` is the type of each value that it sends back."""

    __slots__ = ()
    answer: ClassVar[Any]


@dataclass(frozen=True, slots=True)
class _FileJob(Job):
    """What is to be done with the bytes of a file."""

    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class PageJob(_FileJob):
    """Read every `step`-th page from `first` (from 1) that is not in `skip`.

    Answered by a `DocumentInfo`, then an `EncodedPage` or a `PageError` for each page.
    """

    answer: ClassVar[Any] = DocumentInfo | EncodedPage | PageError
    first: int
    step: int
    skip: frozenset[int] = frozenset()
    max_pages: int = 5_000

    def page_numbers(self, page_count: int) -> list[int]:
        return [n for n in range(self.first, page_count + 1, self.step) if n not in self.skip]


@dataclass(frozen=True, slots=True)
class ScanJob(_FileJob):
    """Recognize the text on some pages. Answered by a page or a `PageError` for each."""

    answer: ClassVar[Any] = EncodedPage | PageError
    pages: tuple[int, ...]

    def page_numbers(self, page_count: int) -> list[int]:
        return [number for number in self.pages if number <= page_count]


@dataclass(frozen=True, slots=True)
class ProvenanceJob(_FileJob):
    """Find what a file brings beside its pages."""

    answer: ClassVar[Any] = Provenance


@dataclass(frozen=True, slots=True)
class BuildJob(Job):
    """Build the rulebook of pages, in their order."""

    answer: ClassVar[Any] = Rulebook
    document_id: str
    name: str
    pages: tuple[bytes, ...] = field(repr=False)
    metadata: dict[str, str]
    warnings: tuple[ReadingWarning, ...]
    corrections: tuple[LineCorrection, ...] = ()
    """What a person said of its lines."""


@dataclass(frozen=True, slots=True)
class TextJob(Job):
    """Give the text of each page, in their order, its paragraphs divided by empty lines.

    With `with_rows` each row of a table is a line of cells.
    """

    answer: ClassVar[Any] = tuple[str, ...]
    pages: tuple[bytes, ...] = field(repr=False)
    with_rows: bool = False


@dataclass(frozen=True, slots=True)
class WordJob(_FileJob):
    """Build the rulebook of a Word file."""

    answer: ClassVar[Any] = Rulebook
    document_id: str
    name: str
    corrections: tuple[LineCorrection, ...] = ()
    """What a person said of its lines."""


@dataclass(frozen=True, slots=True)
class WordTextJob(_FileJob):
    """Give the text of a Word file."""

    answer: ClassVar[Any] = str


@dataclass(frozen=True, slots=True)
class DecryptJob(_FileJob):
    """Write a PDF without its password. Answered by the bytes, none if it needs no password."""

    answer: ClassVar[Any] = bytes
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ImageJob(_FileJob):
    """Draw pages, `scale` pixels a point. Answered by the bytes of a PNG for each, in order."""

    answer: ClassVar[Any] = bytes
    pages: tuple[int, ...]
    scale: float


@dataclass(frozen=True, slots=True)
class FigureJob(_FileJob):
    """Recognize the texts of figures that are images. Answered by those of each, in order."""

    answer: ClassVar[Any] = tuple[str, ...]
    places: tuple[tuple[int, Box], ...]
    """The page (from 1) and the box of each figure."""


@dataclass(frozen=True, slots=True)
class QuoteJob(_FileJob):
    """Find a quote on a page (see `find_quote_boxes`). Answered by a tuple of boxes."""

    answer: ClassVar[Any] = tuple[Box, ...]
    page: int
    quote: str
    near: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class ProbeJob(Job):
    """Try what such a process must not be able to do. Answered by what it can do (see `probe`)."""

    answer: ClassVar[Any] = tuple[str, ...]
    canary: str
    """A file of the application's, which the process must not read."""
    application: int
    """The id of the application's process."""


@dataclass(frozen=True, slots=True)
class JobError:
    """Why the whole job failed; ends the process, and raises ReadError where it was started."""

    code: str
    message: str
