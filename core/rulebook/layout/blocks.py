"""The contents of a page after layout: lines of marked spans, tables and figures in reading order.

Plain values, cheap to send from the reading processes to the one that builds the rulebook.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from typing import Literal, NamedTuple, TypeAlias

from core.rulebook.layout.geometry import HasEdges
from core.rulebook.pdf.page_content import PageContent, PageNote, RuledLine, Style, to_display_box
from core.rulebook.types import Box, TrackedChange

State = Literal["live", "deleted", "hidden", "differs"]
Script = Literal["", "sup", "sub"]
_OVERHANG = 6.0  # points by which a line may extend over the gutter
_STAMP_LETTERS = 100  # most letters of a page number, a date or a stamp over the image of a page
_ZONE = 0.14  # of the page's height, from either edge, where running lines are


class GivenParagraph(NamedTuple):
    """What a file says of a paragraph, so that print need not tell it; its first line has this."""

    begins: bool = True
    """False for a further line of a paragraph."""
    label: str = ""
    """The number that is put before it."""
    counter: Literal["digits", "roman", "letter", "none"] = "digits"
    """How the first counter of the number is written."""
    key: tuple[str | int, ...] = ()
    """The counters of the number: letters for those that are written as letters."""
    level: int = 0
    """Of a number that surely is a heading's, from 1."""
    outline: int = 0
    """The outline level of a heading, from 1."""
    is_item: bool = False
    """Its number is that of an item of a list."""
    is_quote: bool = False


class Span(NamedTuple):
    """Part of a line in one style and one state. A tab in `text` is a gap wider than a space."""

    text: str
    left: float
    right: float
    style: Style
    state: State = "live"
    script: Script = ""
    raw: str = ""
    """The text as extracted, if it was repaired."""
    shown: str = ""
    """What the page shows instead, if that is known."""
    change: TrackedChange | None = None
    """The tracked change that inserted or deleted it."""


def index_after_gutter(spans: Sequence[Span], gutter: float) -> int | None:
    """Index of the first span behind a wide space over the gutter of two columns."""
    for index, (span, following) in enumerate(pairwise(spans), start=1):
        wide = span.text.endswith(("\t", "\u2003"))
        if wide and span.right < gutter + _OVERHANG and following.left > gutter - _OVERHANG:
            return index
    return None


def span_edges(spans: Sequence[Span]) -> tuple[float, float]:
    """Left and right edge of spans in either direction, or in both by turns."""
    return min(span.left for span in spans), max(span.right for span in spans)


@dataclass(slots=True)
class RowPiece:
    """A part of a row without a wide gap."""

    spans: list[Span]
    left: float
    right: float
    top: float
    bottom: float
    baseline: float
    size: float

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, self.baseline - 0.3 * self.size

    def slice_spans(self, spans: list[Span]) -> "RowPiece":
        left, right = span_edges(spans)
        return RowPiece(list(spans), left, right, self.top, self.bottom, self.baseline, self.size)


TextRow = list[RowPiece]
"""The pieces on one baseline, from left to right."""


@dataclass(slots=True, eq=False)
class Region:
    """A box in reading coordinates, in points."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def box(self) -> Box:
        return (self.left, self.top, self.right, self.bottom)


@dataclass(slots=True, eq=False)
class Line(Region):
    """A line of text in its column; `start` and `edge` are the column's left and right edge."""

    spans: tuple[Span, ...]
    baseline: float
    size: float
    start: float = 0.0
    edge: float = 0.0
    column: int = 0
    page: int = 0
    given: GivenParagraph | None = None
    texts: dict[State, str] = field(default_factory=dict, init=False)
    """Cache of `text.line_text`, which is called many times a line."""

    def replace_spans(self, spans: tuple[Span, ...]) -> None:
        self.spans = spans
        self.texts.clear()

    def is_before(self, other: "Line") -> bool:
        """True for one on an earlier page, in another column, or above the other."""
        return self.page < other.page or self.column != other.column or self.top < other.top

    def split_at(self, index: int) -> tuple["Line", "Line"]:
        """Cut the line in two; the second part begins with span `index`."""
        return self._with_spans(self.spans[:index]), self._with_spans(self.spans[index:])

    def _with_spans(self, spans: tuple[Span, ...]) -> "Line":
        left, right = spans[0].left, spans[-1].right
        return replace(self, spans=spans, left=left, right=right, start=left, edge=right)

    @property
    def visible_text(self) -> str:
        return "".join(span.text for span in self.spans if span.state != "hidden")


@dataclass(slots=True)
class Cell:
    """A table cell: its lines, its box, and how many rows it spans."""

    lines: list[Line]
    box: Box
    row_span: int = 1


@dataclass(slots=True)
class Table(Region):
    """Rows of cells; None where a cell from above or from the left extends into the place."""

    rows: list[list[Cell | None]]
    ruled: bool
    """True if lines are drawn around its cells."""
    column: int = 0
    page: int = 0
    edges: tuple[float, ...] = ()
    """The x of its columns' left edges."""

    @property
    def lines(self) -> Iterable[Line]:
        return (line for row in self.rows for cell in row if cell for line in cell.lines)


@dataclass(slots=True)
class Drawing(Region):
    """The box of a picture, drawing or equation; `words` are an equation's words without layout."""

    kind: Literal["figure", "equation"]
    column: int = 0
    page: int = 0
    words: str = ""


Block: TypeAlias = Line | Table | Drawing


def lines_of(blocks: Iterable[Block]) -> list[Line]:
    """The blocks that are lines, without those of tables."""
    return [block for block in blocks if isinstance(block, Line)]


def iter_lines(blocks: Iterable[Block]) -> Iterator[Line]:
    """Every line of text in `blocks`, including those of table cells."""
    for block in blocks:
        match block:
            case Line():
                yield block
            case Table():
                yield from block.lines


def row_lines(row: Iterable[Cell | None]) -> list[Line]:
    return [line for cell in row if cell for line in cell.lines]


@dataclass(slots=True)
class PageDraft:
    """A page before its tables and equations are found: its rows, and what is drawn but glyphs."""

    rows: list[TextRow]
    drawn: PageContent


@dataclass(slots=True)
class Page:
    """A page in reading order."""

    number: int
    width: float
    height: float
    blocks: list[Block] = field(default_factory=list)
    columns: int = 1
    gutter: float | None = None
    """The x between the columns of a page with two."""
    turn: int = 0
    from_ocr: bool = False
    """The words come from text recognition, by us or invisible in the PDF over a page image."""
    covered_by_images: bool = False
    """Images cover most of the page."""
    letter_count: int = 0
    image_count: int = 0
    rotated_texts: list[str] = field(default_factory=list)
    """Texts that run in another direction than most of the page."""
    picture_labels: list[str] = field(default_factory=list)
    """Lettering within pictures."""
    links: list[Box] = field(default_factory=list)
    """The areas of hyperlinks."""
    notes: list[PageNote] = field(default_factory=list)
    """What a person should know of it."""
    edge_rules: list[RuledLine] = field(default_factory=list)
    """Horizontal rules near the upper and the lower edge."""
    draft: PageDraft | None = None
    """Kept if a table or an equation near an edge may hold running lines."""

    @property
    def is_unread_image(self) -> bool:
        """True where an image covers the page, with no more text beside it than a stamp has."""
        has_text = self.from_ocr or self.letter_count >= _STAMP_LETTERS
        return self.covered_by_images and not has_text

    def is_at_top(self, shape: HasEdges) -> bool:
        """True for what lies near the upper edge of the page, where headers are."""
        return shape.bottom < _ZONE * self.height

    def is_at_bottom(self, shape: HasEdges) -> bool:
        """True for what lies near the lower edge of the page, where footers are."""
        return shape.top > (1 - _ZONE) * self.height

    def is_at_edge(self, shape: HasEdges) -> bool:
        """True for what lies where headers or footers are."""
        return self.is_at_top(shape) or self.is_at_bottom(shape)

    def reaches_edges(self, shape: HasEdges) -> bool:
        """True for what lies near an edge of the page, if only in part."""
        return shape.top < _ZONE * self.height or shape.bottom > (1 - _ZONE) * self.height

    def to_display(self, box: Box) -> Box:
        """Convert a box to the displayed page; beyond an edge it is a strip of a point there."""
        left, top, right, bottom = to_display_box(box, self.turn, (self.width, self.height))
        wide, high = (self.height, self.width) if self.turn % 2 else (self.width, self.height)
        left, right = sorted((min(max(left, 0.0), wide - 1), max(min(right, wide), 1.0)))
        top, bottom = sorted((min(max(top, 0.0), high - 1), max(min(bottom, high), 1.0)))
        return left, top, right, bottom


def blocks_of(pages: Iterable[Page]) -> Iterator[Block]:
    """All blocks of some pages, in reading order."""
    return chain.from_iterable(page.blocks for page in pages)
