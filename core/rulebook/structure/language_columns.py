"""Texts in two languages side by side: one stream of blocks for each language."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import median

from core.grammar import detect_language
from core.rulebook.layout.blocks import (
    Block,
    Line,
    Page,
    Table,
    blocks_of,
    index_after_gutter,
    iter_lines,
)
from core.rulebook.layout.text import line_text

_FEWEST_MIXED = 2  # such tables in a document: one alone may be a glossary
_MIXED_SHARE = 0.5  # of the tables of two columns that hold two languages
_SIDE_BY_SIDE_SHARE = 0.5  # of the letters of a text without pages
_BILINGUAL_SHARE = 0.4  # of the pages in columns that must have two languages side by side


def split_languages(pages: Sequence[Page]) -> tuple[str | None, dict[str, list[Block]]]:
    """The main language, and the blocks of each language; all under "" if not side by side."""
    by_column = _column_languages(pages)
    if not by_column:
        return _detect(iter_lines(blocks_of(pages[:60]))), {"": list(blocks_of(pages))}
    languages = by_column.values()
    main = "en" if "en" in languages else by_column[min(by_column)]
    streams: dict[str, list[Block]] = {code: [] for code in (main, *languages)}
    gutter = median(page.gutter for page in pages if page.gutter)
    for page in pages:
        if page.columns == 1:
            page.blocks = [part for block in page.blocks for part in _split_at(gutter, block)]
    for block in blocks_of(pages):
        across = block.left < gutter - 10 and block.right > gutter + 10
        streams[main if across else by_column.get(block.column, main)].append(block)
    return main, streams


def _split_at(gutter: float, block: Block) -> tuple[Block, ...]:
    """A block of a page with undetected columns: with its column set, or cut at the gutter."""
    block.column = int(block.left > gutter - 10)
    if not isinstance(block, Line) or not block.left < gutter < block.right:
        return (block,)
    if (index := index_after_gutter(block.spans, gutter)) is None:
        return (block,)
    one, other = block.split_at(index)
    other.column = 1
    return one, other


def _column_languages(pages: Sequence[Page]) -> dict[int, str]:
    """Column to language, if on enough pages the two columns have different languages."""
    in_columns = [page for page in pages if page.columns == 2]
    pairs = []
    for page in in_columns:
        sides = ([block for block in page.blocks if block.column == side] for side in (0, 1))
        if pair := _pair(*map(iter_lines, sides)):
            pairs.append(pair)
    if len(in_columns) < 2 or len(pairs) < _BILINGUAL_SHARE * len(in_columns):
        return {}
    columns = enumerate(zip(*pairs, strict=True))
    return {column: Counter(codes).most_common(1)[0][0] for column, codes in columns}


def _detect(lines: Iterable[Line]) -> str | None:
    return detect_language(" ".join(map(line_text, lines)))


def _pair(left: Iterable[Line], right: Iterable[Line]) -> tuple[str, str] | None:
    one, other = _detect(left), _detect(right)
    return (one, other) if one and other and one != other else None


def split_language_tables(pages: Sequence[Page]) -> None:
    """Put tables in two languages into two columns of their pages, in place."""
    tables = [
        (page, at, block)
        for page in pages
        for at, block in enumerate(page.blocks)
        if isinstance(block, Table) and block.ruled and len(block.edges) == 3
    ]
    mixed = [found for found in tables if _pair(*(_lines_in(found[2], side) for side in (0, 1)))]
    if len(mixed) >= max(_FEWEST_MIXED, _MIXED_SHARE * len(tables)):
        for page, at, table in reversed(mixed):  # from behind, so that the places hold
            page.columns, page.gutter = 2, table.edges[1]
            page.blocks[at : at + 1] = _column_lines(table)


def split_language_rows(blocks: Sequence[Block]) -> tuple[str | None, dict[str, list[Block]]]:
    """The main language and the blocks of each, for a text without pages.

    Its tables of two columns have to hold most of its letters in two languages side by side; else
    all is under "".
    """
    pairs = {
        at: pair
        for at, block in enumerate(blocks)
        if isinstance(block, Table) and len(block.edges) == 3
        if (pair := _pair(*(_lines_in(block, side) for side in (0, 1))))
    }
    letters = [sum(len(line_text(line)) for line in iter_lines([block])) for block in blocks]
    if not pairs or sum(letters[at] for at in pairs) < _SIDE_BY_SIDE_SHARE * sum(letters):
        return _detect(iter_lines(blocks)), {"": list(blocks)}
    languages, _ = Counter(pairs.values()).most_common(1)[0]
    main = "en" if "en" in languages else languages[0]
    streams: dict[str, list[Block]] = {code: [] for code in (main, *languages)}
    for at, block in enumerate(blocks):
        if isinstance(block, Table) and at in pairs:
            for side, code in enumerate(languages):
                streams[code] += _lines_in(block, side)
        else:
            streams[main].append(block)
    return main, streams


def _lines_in(table: Table, column: int) -> list[Line]:
    return [line for row in table.rows if (cell := row[column]) for line in cell.lines]


def _column_lines(table: Table) -> Iterator[Line]:
    """The lines of the left column, then those of the right one, with their places set."""
    for column in (0, 1):
        lines = _lines_in(table, column)
        start = min((line.left for line in lines), default=0.0)
        for line in lines:
            line.column, line.start, line.edge = column, start, table.edges[column + 1]
            yield line
