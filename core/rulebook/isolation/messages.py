"""What the processes of a reading send each other: jobs go in, values come back. Plain values only.

A job is all that a process gets to know.
"""

from dataclasses import dataclass, field

from core.rulebook.types import Box, LineCorrection


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """What reading one document may cost, so that no file can block or crash anything else."""

    page_seconds: float = 10.0
    """For one page. Reading stops after two pages that take longer."""
    seconds: float = 900.0
    memory: int = 1 << 30
    """Bytes of address space of each process."""
    max_pages: int = 5_000
    patient: bool = False
    """Run at the lowest priority."""
    read_scans: bool = True
    """Recognize text on pages that are images, if the extra `ocr` is installed: seconds a page."""
    work_seconds: float = 20.0
    """Processor time for the pages of any file; each megabyte may take 50 seconds more."""


@dataclass(frozen=True, slots=True)
class RulebookJob:
    """Read a PDF. Answered by `Progress` values, then the `Rulebook`."""

    data: bytes
    name: str
    limits: ReadLimits
    corrections: tuple[LineCorrection, ...] = ()
    """What a person said of its lines."""


@dataclass(frozen=True, slots=True)
class TextJob(RulebookJob):
    """Read the text of any PDF. Answered by `Progress` values, then `PlainText`."""


@dataclass(frozen=True, slots=True)
class PlainText:
    """The text of each page, its paragraphs divided by empty lines."""

    pages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageJob:
    """Read every `step`-th page from `first` (from 1) that is not in `skip`.

    Answered by a `DocumentInfo`, then a `Page` or a `PageError` for each page.
    """

    data: bytes
    first: int
    step: int
    skip: frozenset[int] = frozenset()
    max_pages: int = 5_000

    def page_numbers(self, page_count: int) -> list[int]:
        return [n for n in range(self.first, page_count + 1, self.step) if n not in self.skip]


@dataclass(frozen=True, slots=True)
class ScanJob:
    """Recognize the text on some pages. Answered by a `Page` or a `PageError` for each."""

    data: bytes
    pages: tuple[int, ...]

    def page_numbers(self, page_count: int) -> list[int]:
        return [number for number in self.pages if number <= page_count]


@dataclass(frozen=True, slots=True)
class DecryptJob:
    """Write a PDF without its password. Answered by the bytes, none if it needs no password."""

    data: bytes = field(repr=False)
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ImageJob:
    """Draw a page, `scale` pixels a point. Answered by the bytes of a PNG."""

    data: bytes
    page: int
    scale: float


@dataclass(frozen=True, slots=True)
class QuoteJob:
    """Find a quote on a page (see `find_quote_boxes`). Answered by a tuple of boxes."""

    data: bytes
    page: int
    quote: str
    near: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class JobError:
    """Why the whole job failed; ends the process, and raises ReadError where it was started."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class PageError:
    """Why one page was not read, and the processor time that was spent on it."""

    page: int
    message: str
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """The number of pages, their labels (none or one a page), and the document's metadata."""

    pages: int
    page_labels: tuple[str, ...]
    metadata: dict[str, str] = field(default_factory=dict)
