"""Join tables that go on over pages, and split those whose rows are numbered clauses.

A row such as "13.3.1 | Entry of a Competitor | No later ..." becomes a line that begins with the
number, and a table of its cells below the header.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from core.rulebook.layout.blocks import Block, Cell, Line, Span, Table, row_lines
from core.rulebook.layout.text import line_text
from core.rulebook.structure.families import number_before, sequence_score
from core.rulebook.structure.line_numbers import parse_number_key

_NUMBER = re.compile(r"^([A-Z]{0,3}\.?\d{1,3}(?:\.\d{1,3})+)\.?(?=\s|$)")
_LETTER = re.compile(r"[^\W\d_]")


def join_tables(blocks: Iterable[Block]) -> list[Block]:
    """The blocks, with a table and its continuation on the next page as one, under one header."""
    joined: list[Block] = []
    for block in blocks:
        last = joined[-1] if joined else None
        if isinstance(block, Table) and isinstance(last, Table) and _continues(last, block):
            pairs = zip(map(_row_words, last.rows), map(_row_words, block.rows), strict=False)
            repeated = takewhile(lambda pair: pair[0] == pair[1], pairs)
            last.rows += block.rows[len(list(repeated)) :]
        else:
            joined.append(block)
    return joined


def _row_words(row: Iterable[Cell | None]) -> list[str]:
    return list(map(line_text, row_lines(row)))


def _continues(last: Table, table: Table) -> bool:
    """True for a table of the same columns on the next page."""
    last_page = max((line.page for line in last.lines), default=last.page)
    return (
        table.page == last_page + 1
        and table.ruled == last.ruled
        and len(table.edges) == len(last.edges)
        and all(abs(a - b) < 4 for a, b in zip(table.edges, last.edges, strict=True))
    )


def split_numbered_tables(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, with the rows of tables that have numbered rows in their place."""
    return [part for index in range(len(blocks)) for part in _split_table(blocks, index)]


def _split_table(blocks: Sequence[Block], index: int) -> Sequence[Block]:
    table = blocks[index]
    numbers = list(map(_row_number, table.rows)) if isinstance(table, Table) else []
    if not isinstance(table, Table) or not any(numbers):
        return (table,)
    numbered = list(filter(None, numbers))
    # The row after a deleted one may have its number.
    live = [number for row, number in zip(table.rows, numbers, strict=True) if any(_row_words(row))]
    keys = list(map(parse_number_key, filter(None, live)))
    in_order = sum(sequence_score(this, last) > 0 for last, this in pairwise(keys))
    if len(numbered) < 0.5 * len(table.rows) or in_order < 0.8 * (len(keys) - 1):
        return (table,)
    # "11. SURVIVAL CELL" above "11.1": the table begins with the title of the parent.
    text = next(map(line_text, row_lines(table.rows[0])), "")
    is_title = text.startswith(f"{numbered[0].rpartition('.')[0]}.") and not _NUMBER.match(text)
    if len(numbered) < 2 and not is_title:
        before = next(filter(None, map(_block_number, reversed(blocks[:index]))), "")
        after = next(filter(None, map(_block_number, blocks[index + 1 :])), "")
        counted = [parse_number_key(each) for each in (before, numbered[0], after)]
        if not all(this and number_before(this) == last for last, this in pairwise(counted)):
            return (table,)
    return tuple(_split_rows(table, numbers))


def _block_number(block: Block) -> str:
    if isinstance(block, Table):
        return _row_number(block.rows[0]) if len(block.rows) == 1 else ""
    return _line_number(block) if isinstance(block, Line) else ""


def _line_number(line: Line) -> str:
    found = _NUMBER.match(line_text(line) or line_text(line, "deleted"))
    return found[1] if found else ""


def _row_number(row: Sequence[Cell | None]) -> str:
    """The number in the first cell with text, else "". A row of nothing but numbers has amounts."""
    filled = [cell for cell in row if cell and cell.lines]
    words = "".join(line.visible_text for line in row_lines(filled))
    if not filled or (len(filled) > 1 and not _LETTER.search(words)):
        return ""
    return next(filter(None, map(_line_number, filled[0].lines)), "")


def _split_rows(table: Table, numbers: Sequence[str]) -> Iterator[Block]:
    header: list[Cell | None] | None = None
    open_cells: dict[int, Cell] = {}
    for at, (row, number) in enumerate(zip(table.rows, numbers, strict=True)):
        cells = _fill_from_above(row, open_cells)
        filled = [cell for cell in cells if cell and cell.lines]
        parent = next(filter(None, numbers[at:]), "").rpartition(".")[0]
        words = _row_words(filled)
        if number:
            yield from _split_row(table, header, cells)
        elif len(words) == 2 and words[0].rstrip(".") == parent:  # "2 | TYRES" above "2.1"
            yield _join_lines(*row_lines(filled))
        elif header is None and (len(filled) > 1 or (filled and len(table.edges) == 3)):
            header = _split_header(row)
        else:
            yield from row_lines(filled)


def _split_header(row: Sequence[Cell | None]) -> list[Cell | None]:
    """The cells of a header; column headings in one cell, side by side, become several cells."""
    cells = [cell for cell in row if cell and cell.lines]
    if len(cells) != 1 or len(cells[0].lines) > 1:
        return list(row)
    line, box = cells[0].lines[0], cells[0].box
    ends = [at for at, span in enumerate(line.spans[:-1], start=1) if span.text.endswith("\t")]
    parts = pairwise((0, *ends, len(line.spans)))
    return [Cell([_replace_spans(line, line.spans[start:end])], box) for start, end in parts]


def _fill_from_above(row: Sequence[Cell | None], open_cells: dict[int, Cell]) -> list[Cell | None]:
    """The cells of a row and those that span it from above: `open_cells`, by column."""
    cells: list[Cell | None] = []
    for column, cell in enumerate(row):
        above = open_cells.get(column)
        if cell is None and above and above.row_span > 1:
            cell = replace(above, row_span=above.row_span - 1)
        if cell:
            open_cells[column] = cell
        cells.append(cell)
    return cells


def _split_row(
    table: Table, header: list[Cell | None] | None, cells: list[Cell | None]
) -> Iterator[Block]:
    """The line with the number, and the words of the row: lines, or a table if there are more.

    A header with as many cells loses those before the words: each stays above its column.
    """
    filled = [(at, cell) for at, cell in enumerate(cells) if cell and cell.lines]
    (at, first), *more_cells = filled
    lead, *more = _number_first(first.lines)
    text = line_text(lead) or line_text(lead, "deleted")
    if more_cells and not _NUMBER.sub("", text).strip():
        (at, second), *more_cells = more_cells
        lead, more = _join_lines(lead, second.lines[0]), [*more, *second.lines[1:]]
    if not more_cells:
        yield from (lead, *more)
        return
    number, words = _cut_number(lead)
    yield number
    if header and len(header) == len(cells):
        header = header[at:]
    row: list[Cell | None] = [Cell([*words, *more], first.box), *cells[at + 1 :]]
    lines = row_lines(row)
    yield replace(
        table,
        rows=[header, row] if header and len(row_lines(header)) > 1 else [row],
        top=min(line.top for line in lines),
        bottom=max(line.bottom for line in lines),
        page=number.page,
    )


def _number_first(lines: list[Line]) -> list[Line]:
    """The lines of a cell, beginning with its number: the number may be half-way down the cell."""
    index = next((index for index, line in enumerate(lines) if _line_number(line)), 0)
    if index == 0:
        return lines
    number, words = _cut_number(lines[index])
    first, *rest = [*lines[:index], *words, *lines[index + 1 :]]
    return [_join_lines(number, first), *rest]


def _cut_number(line: Line) -> tuple[Line, list[Line]]:
    """The number of a line, and a line of the words after it if there are any."""
    text = ""
    for index, span in enumerate(line.spans):
        text += span.text
        found = _NUMBER.match(text.lstrip())
        if found and len(text.strip()) > len(found[0]):
            behind = len(text.lstrip()) - len(found[0])
            cut = max(0, len(span.text) - behind)  # the number may have ended in the span before
            before = (*line.spans[:index], span._replace(text=span.text[:cut]))
            after = (span._replace(text=span.text[cut:].lstrip()), *line.spans[index + 1 :])
            words = tuple(span for span in after if span.text.strip())
            return _replace_spans(line, before), [_replace_spans(line, words)] if words else []
    return line, []


def _join_lines(one: Line, other: Line) -> Line:
    last = one.spans[-1]
    spans = (*one.spans[:-1], last._replace(text=f"{last.text}\t"), *other.spans)
    return replace(_replace_spans(one, spans), right=other.right)


def _replace_spans(line: Line, spans: tuple[Span, ...]) -> Line:
    start, edge = line.start or line.left, line.edge or line.right
    return replace(line, spans=spans, start=start, edge=edge)
