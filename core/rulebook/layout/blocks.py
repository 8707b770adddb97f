"""What a page holds once its layout is known: lines of marked spans, tables and figures, in reading order.

Plain values, cheap to send from the reading processes to the one that puts the rulebook together.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from core.rulebook.pdf.page_content import Style, to_display_box
from core.rulebook.types import Box

State = Literal["live", "deleted", "hidden"]
Script = Literal["", "sup", "sub"]
_OVERHANG = 6.0  # points by which a line may reach over the gutter


class Span(NamedTuple):
    """A stretch of a line of one style and one state. A tab in `text` stands for a gap wider than a space."""

    text: str
    left: float
    right: float
    style: Style
    state: State = "live"
    script: Script = ""
    raw: str = ""
    """The text as extracted, where it has been mended."""


def index_after_gutter(spans: Sequence[Span], gutter: float) -> int | None:
    """Which of some spans is the first behind a wide space that stands over the gutter of two columns, if any is."""
    for index, (span, following) in enumerate(pairwise(spans), start=1):
        wide = span.text.endswith(("\t", "\u2003"))
        if wide and span.right < gutter + _OVERHANG and following.left > gutter - _OVERHANG:
            return index
    return None


@dataclass(slots=True)
class Line:
    """A line of text within its column; `edge` is the column's right edge, `start` its left one."""

    spans: tuple[Span, ...]
    left: float
    top: float
    right: float
    bottom: float
    baseline: float
    size: float
    start: float = 0.0
    edge: float = 0.0
    column: int = 0
    page: int = 0
    texts: dict[State, str] = field(default_factory=dict)
    """What `text.line_text` has made of the spans, kept: it is asked for many times."""

    def __reduce__(self) -> tuple[object, ...]:
        # Sent between processes by the thousand: without names of fields, and without what can be made again.
        return Line, (
            self.spans, self.left, self.top, self.right, self.bottom, self.baseline, self.size,
            self.start, self.edge, self.column, self.page,
        )  # fmt: skip

    def replace_spans(self, spans: tuple[Span, ...]) -> None:
        """Give the line other spans."""
        self.spans = spans
        self.texts.clear()

    def split_at(self, index: int) -> tuple["Line", "Line"]:
        """The line as two, the second beginning with span `index`."""
        return self._of(self.spans[:index]), self._of(self.spans[index:])

    def _of(self, spans: tuple[Span, ...]) -> "Line":
        left, right = spans[0].left, spans[-1].right
        return Line(
            spans,
            left,
            self.top,
            right,
            self.bottom,
            self.baseline,
            self.size,
            left,
            right,
            self.column,
            self.page,
        )

    @property
    def live_text(self) -> str:
        return "".join(span.text for span in self.spans if span.state == "live")

    @property
    def visible_text(self) -> str:
        return "".join(span.text for span in self.spans if span.state != "hidden")

    @property
    def box(self) -> Box:
        return (self.left, self.top, self.right, self.bottom)


@dataclass(slots=True)
class Cell:
    """A table cell: its lines, its box, and how many columns and rows it spans."""

    lines: list[Line]
    box: Box
    column_span: int = 1
    row_span: int = 1


@dataclass(slots=True)
class Table:
    """Rows of cells; None where a cell above or to the left reaches in. `ruled` tells whether lines were drawn."""

    rows: list[list[Cell | None]]
    left: float
    top: float
    right: float
    bottom: float
    ruled: bool
    column: int = 0
    page: int = 0
    edges: tuple[float, ...] = ()
    """The x of its columns' left edges."""

    @property
    def lines(self) -> Iterable[Line]:
        return (line for row in self.rows for cell in row if cell for line in cell.lines)

    @property
    def box(self) -> Box:
        return (self.left, self.top, self.right, self.bottom)


@dataclass(slots=True)
class Drawing:
    """A picture, a drawing or an equation: a box on the page, and the words of an equation without their layout."""

    kind: Literal["figure", "equation"]
    left: float
    top: float
    right: float
    bottom: float
    column: int = 0
    page: int = 0
    words: str = ""

    @property
    def box(self) -> Box:
        return (self.left, self.top, self.right, self.bottom)


Block: TypeAlias = Line | Table | Drawing


@dataclass(slots=True)
class Page:
    """A page in reading order. `asides` are texts that run in another direction than the page's own."""

    number: int
    width: float
    height: float
    blocks: list[Block] = field(default_factory=list)
    columns: int = 1
    gutter: float | None = None
    """The x between the two columns of a page that has two."""
    turn: int = 0
    from_ocr: bool = False
    """The words come from text recognition: they lie invisibly over an image of the page, or were read by `ocr`."""
    covered_by_images: bool = False
    """Images cover most of it."""
    letter_count: int = 0
    image_count: int = 0
    rotated_texts: list[str] = field(default_factory=list)
    picture_labels: list[str] = field(default_factory=list)
    """Lettering within pictures."""
    page_label: str = ""
    links: list[Box] = field(default_factory=list)
    """Where a click leads elsewhere."""

    def to_display(self, box: Box) -> Box:
        """A box in reading coordinates as the box that it takes of the page as displayed."""
        left, top, right, bottom = to_display_box(box, self.turn, (self.width, self.height))
        wide, high = (self.height, self.width) if self.turn % 2 else (self.width, self.height)
        left, right = sorted((min(max(left, 0.0), wide), min(max(right, 0.0), wide)))
        top, bottom = sorted((min(max(top, 0.0), high), min(max(bottom, 0.0), high)))
        return left, top, right, bottom
