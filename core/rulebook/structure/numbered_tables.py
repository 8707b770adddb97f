"""Tables whose rows are numbered clauses ("13.3.1 | Entry of a Competitor | No later than two hours ...").

Such a row is a clause like any other: its number begins a line, and its cells stand below under the table's header.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.rulebook.layout.blocks import Block, Cell, Line, Span, Table
from core.rulebook.layout.text import line_text
from core.rulebook.structure.headings import parse_number_key, sequence_score

_NUMBERED = re.compile(r"^([A-Z]{0,3}\.?\d{1,3}(?:\.\d{1,3})+)\.?(?=\s|$)")
_FEWEST = 2
_SHARE = 0.5  # of the rows


def split_numbered_tables(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, tables with numbered rows taken apart."""
    return [
        part
        for block in blocks
        for part in (_parts(block) if isinstance(block, Table) else (block,))
    ]


def _parts(table: Table) -> Sequence[Block]:
    numbers = [_number_of(row) for row in table.rows]
    numbered = [number for number in numbers if number]
    keys = [parse_number_key(number) for number in numbered]
    ordered = sum(sequence_score(b, a) > 0 for a, b in itertools.pairwise(keys))
    if len(numbered) < _FEWEST and not (numbered and _is_titled(table, numbered[0])):
        return (table,)
    if len(numbered) < _SHARE * len(table.rows) or ordered < 0.8 * (len(keys) - 1):
        return (table,)
    return tuple(_taken_apart(table, numbers))


def _is_titled(table: Table, number: str) -> bool:
    """True where a table begins with the title of what its number belongs to: "11. SURVIVAL CELL" above "11.1"."""
    above = f"{number.rpartition('.')[0]}."
    return any(
        text.startswith(above) and not _NUMBERED.match(text) for text in _texts(table.rows[0])[:1]
    )


def _number_of(row: Sequence[Cell | None]) -> str:
    for cell in row:
        if cell and cell.lines:
            for line in cell.lines:
                if found := _NUMBERED.match(line_text(line) or line_text(line, "deleted")):
                    return found[1]
            return ""
    return ""


def _taken_apart(table: Table, numbers: Sequence[str]) -> Iterator[Block]:
    header: list[Cell | None] | None = None
    reaching: dict[int, Cell] = {}
    for row, number in zip(table.rows, numbers, strict=True):
        cells = _filled_from_above(row, reaching)
        present = [cell for cell in cells if cell and cell.lines]
        if not number:
            if (len(present) > 1 or (present and len(table.edges) == 3)) and header is None:
                header = _header(row)
                continue
            yield from (line for cell in present for line in cell.lines)
            continue
        yield from _numbered_row(table, header, [cell for cell in cells if cell is not None])


def _header(row: Sequence[Cell | None]) -> list[Cell | None]:
    """The cells of a header; heads that stand in one cell side by side are told apart."""
    cells = [cell for cell in row if cell and cell.lines]
    if len(cells) > 1 or len(cells[0].lines) > 1:
        return list(row)
    heads: list[Cell | None] = []
    line = cells[0].lines[0]
    start = 0
    for index, span in enumerate(line.spans, start=1):
        if span.text.endswith("\t") or index == len(line.spans):
            heads.append(Cell([_with(line, line.spans[start:index])], cells[0].box))
            start = index
    return heads


def _filled_from_above(row: Sequence[Cell | None], reaching: dict[int, Cell]) -> list[Cell | None]:
    """A row with the cells that reach into it from above: they hold for it too."""
    cells: list[Cell | None] = []
    for column, cell in enumerate(row):
        if cell is None and (above := reaching.get(column)) and above.row_span > 1:
            reaching[column] = Cell(above.lines, above.box, above.column_span, above.row_span - 1)
            cells.append(reaching[column])
        else:
            if cell is not None:
                reaching[column] = cell
            cells.append(cell)
    return cells


def _numbered_row(
    table: Table, header: list[Cell | None] | None, cells: list[Cell]
) -> Iterator[Block]:
    """The line with the number first; then plain lines, or a table under the header where there are more cells."""
    first = next(index for index, cell in enumerate(cells) if cell.lines)
    lead = _number_first(cells[first].lines)
    rest = [cell for cell in cells[first + 1 :] if cell.lines]
    if (
        _NUMBERED.sub("", line_text(lead[0]) or line_text(lead[0], "deleted")).strip() == ""
        and rest
    ):
        lead = [_side_by_side(lead[0], rest[0].lines[0]), *lead[1:], *rest[0].lines[1:]]
        rest = rest[1:]
    if not rest:
        yield from lead
        return
    number, words = _cut_number(lead[0])
    yield number
    row: list[Cell | None] = [
        Cell([*([words] if words else []), *lead[1:]], cells[first].box),
        *rest,
    ]
    rows = [header, row] if header and len(_texts(header)) > 1 else [row]
    lines = [line for cell in row if cell for line in cell.lines]
    yield Table(
        [list(r) for r in rows if r],
        table.left,
        min(line.top for line in lines),
        table.right,
        max(line.bottom for line in lines),
        table.ruled,
        table.column,
        number.page,
        table.edges,
    )


def _texts(row: Sequence[Cell | None]) -> list[str]:
    return [line_text(line) for cell in row if cell for line in cell.lines]


def _number_first(lines: list[Line]) -> list[Line]:
    """Lines of a cell with the number's line first: it may stand half-way down the cell."""
    for index, line in enumerate(lines):
        if _NUMBERED.match(line_text(line) or line_text(line, "deleted")):
            if index == 0:
                return lines
            number, words = _cut_number(line)
            rest = [*lines[:index], *([words] if words else []), *lines[index + 1 :]]
            return [_side_by_side(number, rest[0]), *rest[1:]]
    return lines


def _cut_number(line: Line) -> tuple[Line, Line | None]:
    """The number of a line, and the words behind it."""
    seen = ""
    for index, span in enumerate(line.spans):
        seen += span.text
        found = _NUMBERED.match(seen.lstrip())
        if found and len(seen.strip()) > len(found[0]):
            behind = len(seen.lstrip()) - len(found[0])
            cut = max(0, len(span.text) - behind)  # the number may have ended in the span before
            before = (*line.spans[:index], span._replace(text=span.text[:cut]))
            after = (span._replace(text=span.text[cut:].lstrip()), *line.spans[index + 1 :])
            kept = tuple(s for s in after if s.text.strip())
            return _with(line, before), _with(line, kept) if kept else None
    return line, None


def _side_by_side(one: Line, other: Line) -> Line:
    spans = (*one.spans[:-1], one.spans[-1]._replace(text=one.spans[-1].text + "\t"), *other.spans)
    line = _with(one, spans)
    line.right = other.right
    return line


def _with(line: Line, spans: tuple[Span, ...]) -> Line:
    return replace(
        line, spans=spans, start=line.start or line.left, edge=line.edge or line.right, texts={}
    )
