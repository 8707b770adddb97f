"""Tables that hold a text in two languages side by side: columns of text, not rows of values."""

from collections.abc import Iterator, Sequence

from core.rulebook.layout.blocks import Block, Line, Page, Table
from core.rulebook.layout.text import line_text
from core.rulebook.metadata import detect_language

_FEWEST = 2  # such tables in a document: one alone may be a glossary
_SHARE = 0.5  # of the tables of two columns that hold two languages


def split_language_tables(pages: Sequence[Page]) -> None:
    """Put the lines of tables in two languages into the two columns of their pages, in place.

    Each language then keeps its own numbers and sentences.
    """
    tables = [
        block
        for page in pages
        for block in page.blocks
        if isinstance(block, Table) and block.ruled and len(block.edges) == 3
    ]
    mixed: dict[int, Table] = {}
    for table in tables:
        texts = (" ".join(map(line_text, _lines_of(table, column))) for column in (0, 1))
        left, right = map(detect_language, texts)
        if left and right and left != right:
            mixed[id(table)] = table
    if len(mixed) < max(_FEWEST, _SHARE * len(tables)):
        return
    for page in pages:
        blocks: list[Block] = []
        for block in page.blocks:
            if split := mixed.get(id(block)):
                page.columns, page.gutter = 2, split.edges[1]
                blocks += _column_lines(split)
            else:
                blocks.append(block)
        page.blocks = blocks


def _lines_of(table: Table, column: int) -> Iterator[Line]:
    for row in table.rows:
        if cell := row[column]:
            yield from cell.lines


def _column_lines(table: Table) -> Iterator[Line]:
    """The lines of the left column, then those of the right one, with their places set."""
    for column in (0, 1):
        lines = list(_lines_of(table, column))
        start = min((line.left for line in lines), default=0.0)
        for line in lines:
            line.column, line.start, line.edge = column, start, table.edges[column + 1]
            yield line
