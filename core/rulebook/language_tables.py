"""Tables that hold a text in two languages side by side: columns of text, not rows of values."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from core.rulebook.layout.blocks import Block, Line, Page, Table
from core.rulebook.metadata import language_pair

_FEWEST = 2  # such tables in a document: one alone may be a glossary
_SHARE = 0.5  # of the tables of two columns that hold two languages


def split_language_tables(pages: Sequence[Page]) -> None:
    """Put the lines of tables in two languages into the two columns of their pages, in place.

    Each language then keeps its own numbers and sentences.
    """
    blocks = chain.from_iterable(page.blocks for page in pages)
    tables = [
        block
        for block in blocks
        if isinstance(block, Table) and block.ruled and len(block.edges) == 3
    ]
    mixed = {
        id(table): table
        for table in tables
        if language_pair(_lines_of(table, 0), _lines_of(table, 1))
    }
    if len(mixed) >= max(_FEWEST, _SHARE * len(tables)):
        _put_into_columns(mixed, pages)


def _put_into_columns(mixed: Mapping[int, Table], pages: Iterable[Page]) -> None:
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
