"""Text in columns without drawn lines: tables of short pieces, and short lists in two columns."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from core.rulebook.layout.blocks import Cell, RowPiece, Span, Table, TextRow
from core.rulebook.layout.geometry import bounding_box
from core.rulebook.layout.lines import build_line
from core.rulebook.layout.text import is_bullet

_NUMBER = re.compile(
    r"\(?(?:[A-Z]{0,3}[. ]?\d+(?:\.\d+)+|[a-z]{1,4}|[ivx]+|[A-Z]|\d{1,2}|[A-Z]\d{1,2})[.):]{0,2}$"
)
_LIST_MARKER = re.compile(r"\(?([a-z]|\d{1,2})[.)](?=\s|$)|[•▪–](?=\s|$)")
_LONGEST_CELL, _LONGEST_HEAD = 60, 40  # letters
_LONGEST_TEXT = 140  # letters of the last of three columns or more
_MOST_HEADS = 4  # rows
_SAME_HEAD = 0.8
"""Ems between rows of heads beside each other that have different heights. Lines of one text are an
em apart or more."""
_ROW_DISTANCE = 2.2  # line heights between rows of one table
_ALIGNED = 3.0  # points between the left edges of a list's items
_MIN_BULLETS = 2  # items on the right of a bulleted list: bullets have no order that shows the list


class _TableRows(NamedTuple):
    """The rows of a table without lines: its first head, its first row, the row after its end.

    `edges` are the x of the columns' left edges. What is left of them in the first row is the
    number of the clause that the table is in.
    """

    head: int
    start: int
    end: int
    edges: list[float]


_Columns = list[tuple[float, float]]
"""The left and the right edge of the print in each column."""


def cut_borderless_tables(rows: list[TextRow]) -> Iterator[TextRow | Table]:
    """Yield the rows of a column, and its tables without lines in the place of theirs."""
    done = 0
    for head, start, end, edges in _find_tables(rows):
        yield from rows[done:head]
        beside = {at: [p for p in rows[at] if p.right < edges[0]] for at in sorted({head, start})}
        yield from filter(None, beside.values())
        table = [
            [piece for piece in row if piece not in beside.get(at, ())]
            for at, row in enumerate(rows[head:end], head)
        ]
        yield _build_table(table, start - head, edges)
        done = end
    yield from rows[done:]


def _find_tables(rows: list[TextRow]) -> list[_TableRows]:
    """Find tables without lines: rows of short pieces in the same columns.

    A table has three such rows or more, or two of three columns below their heads, and no row that
    is a number with its text.
    """
    found: list[_TableRows] = []
    start = 0
    while start < len(rows):
        end, columns = _aligned_rows(rows, start)
        head, columns = _add_heads(rows, found[-1].end if found else 0, start, columns)
        full = sum(len(row) >= len(columns) for row in rows[start:end])
        if len(columns) > 1 and full >= (2 if head < start and len(columns) > 2 else 3):
            found.append(_TableRows(head, start, end, [left for left, _ in columns]))
            start = end
        else:
            start += 1
    return found


def _build_table(rows: Sequence[TextRow], heads: int, edges: Sequence[float]) -> Table:
    """Build a table; its first `heads` rows are one. A row without a first cell continues one."""
    table: list[list[Cell | None]] = []
    for number, row in enumerate(rows):
        columns: list[list[RowPiece]] = [[] for _ in edges]
        for part in chain.from_iterable(map(_cut_at_wide_spaces, row)):
            columns[max(bisect_right(edges, part.left + _ALIGNED) - 1, 0)].append(part)
        is_whole = bool(columns[0]) or sum(map(bool, columns)) >= len(edges) - 1
        if number in (0, heads) or (is_whole and number > heads):
            table.append([Cell([], (0.0, 0.0, 0.0, 0.0)) for _ in edges])
        for cell, parts in zip(table[-1], columns, strict=True):
            if cell and parts:
                cell.lines.append(build_line(parts))
                cell.box = bounding_box(cell.lines)
    return Table(*bounding_box(chain.from_iterable(rows)), table, ruled=False, edges=tuple(edges))


def find_column_lists(
    rows: list[TextRow],
) -> Iterator[tuple[int, int, tuple[list[TextRow], list[TextRow]]]]:
    """Find lists in two columns, "a. b." and "c.", by markers: first row, end, columns."""
    done = 0
    for start, (first, *others) in enumerate(rows):
        if start < done or not _LIST_MARKER.match(first.text):
            continue
        x = next((p.left - _ALIGNED for p in others if _LIST_MARKER.match(p.text)), None)
        if x is None:
            continue
        end = _end_of_list(rows, start + 1, first.left, x)
        left = [[piece for piece in row if piece.left < x] for row in rows[start:end]]
        right = [[piece for piece in row if piece.left >= x] for row in rows[start:end]]
        sides = list(filter(None, left)), list(filter(None, right))
        if _markers_continue(*sides):
            yield start, end, sides
            done = end


def _aligned_rows(rows: list[TextRow], start: int) -> tuple[int, _Columns]:
    """The end of the rows from `start` that have the same columns, and these."""
    columns = [(piece.left, piece.right) for piece in rows[start]]
    end = start + 1
    if len(columns) < 2 or not _may_be_table_row(rows[start]):
        return end, []
    in_first = 1
    while end < len(rows) and _is_near(rows[end - 1], rows[end]):
        parts = _place_parts(rows[end], columns)
        may_go_on = bool(parts.keys() - {0}) and _may_be_table_row(rows[end])
        if not may_go_on or not _fits_columns(parts, columns):
            break
        in_first += 0 in parts
        columns = _extend(columns, parts)
        end += 1
    # The number of the clause that the table is in stands before its first row.
    return end, columns[1:] if in_first == 1 and _NUMBER.match(rows[start][0].text) else columns


def _place_parts(row: TextRow, columns: _Columns) -> dict[int, RowPiece]:
    """The parts of a row by column; none unless each overlaps one column, and no two the same."""

    def find_column(part: RowPiece) -> int | None:
        over = [
            n for n, (left, right) in enumerate(columns) if part.left < right and left < part.right
        ]
        return over[0] if len(over) == 1 else None

    placed: dict[int, RowPiece] = {}
    for piece in row:
        is_whole = find_column(piece) is not None
        for part in [piece] if is_whole else _cut_at_wide_spaces(piece):
            column = find_column(part)
            if column is None or column in placed:
                return {}
            placed[column] = part
    return placed


def _extend(columns: _Columns, parts: Mapping[int, RowPiece]) -> _Columns:
    return [
        (min(left, parts[n].left), max(right, parts[n].right)) if n in parts else (left, right)
        for n, (left, right) in enumerate(columns)
    ]


def _fits_columns(parts: Mapping[int, RowPiece], columns: _Columns) -> bool:
    """True if all have the left edge, the right edge or the middle of their column."""
    for number, part in parts.items():
        left, right = columns[number]
        off = part.left - left, part.right - right, (part.left + part.right - left - right) / 2
        if abs(off[0]) > 1.2 * part.size and min(map(abs, off)) > 0.5 * part.size:
            return False
    return True


def _is_near(above: TextRow, row: TextRow) -> bool:
    return row[0].baseline - above[0].baseline <= _ROW_DISTANCE * row[0].size


def _add_heads(
    rows: list[TextRow], done: int, start: int, columns: _Columns
) -> tuple[int, _Columns]:
    """The first row of the heads above a table, and its columns with them.

    All columns have heads, but for the first, in rows after `done`. A row of one head is level with
    another. The number of the table's clause may stand before them.
    """
    head, wider, named = start, columns, set[int]()
    while columns and done < head > start - _MOST_HEADS and _is_near(rows[head - 1], rows[head]):
        parts, has_number = _place_heads(rows[head - 1], columns)
        if not parts or len(named) == len(columns) == len(parts):  # no heads, or two table rows
            break
        head, wider, named = head - 1, _extend(wider, parts), named | parts.keys()
        if has_number:
            break
    while head < start and len(rows[head]) == 1:
        gap = rows[head + 1][0].baseline - rows[head][0].baseline
        if gap < _SAME_HEAD * rows[head][0].size:
            break
        head += 1
    if head == start or len(named) < len(columns) - (0 not in named and len(columns) > 2):
        return start, columns
    return head, wider


def _place_heads(row: TextRow, columns: _Columns) -> tuple[dict[int, RowPiece], bool]:
    """The parts of a row of heads by column, and whether the number of a clause is before them."""
    first, *others = row
    has_number = bool(others and _NUMBER.match(first.text)) and first.right < columns[0][0]
    parts = _place_parts(others if has_number else row, columns)
    too_long = any(len(part.text) > _LONGEST_HEAD for part in parts.values())
    is_item = 0 in parts and _NUMBER.match(parts[0].text)
    return ({} if too_long or is_item else parts), has_number


def _cut_at_wide_spaces(piece: RowPiece) -> Iterator[RowPiece]:
    spans: list[Span] = []
    for span in piece.spans:
        spans.append(span)
        if span.text.endswith("\u2003") or span is piece.spans[-1]:
            yield piece.slice_spans(spans)
            spans = []


def _may_be_table_row(row: TextRow) -> bool:
    """True for short pieces, unless they are a number or a bullet with its text."""
    first, *others = (piece.text for piece in row)
    is_item = bool(_NUMBER.match(first)) or is_bullet(first)
    if len(others) == 1 and is_item:
        return False
    if others and len(first) <= 9 and len(others[0]) > 25 and (is_item or len(others) < 3):
        return False
    longest = _LONGEST_TEXT if len(others) > 1 and not is_item else _LONGEST_CELL
    *cells, last = (len(piece.text) for piece in row)
    return max(cells, default=0) <= _LONGEST_CELL and last <= longest


def _end_of_list(rows: list[TextRow], start: int, margin: float, x: float) -> int:
    """The first row that runs over both sides, or begins at the margin without a marker."""
    for number, row in enumerate(rows[start:], start):
        outside = row[0].left < margin - _ALIGNED or (
            row[0].left < margin + _ALIGNED and not _LIST_MARKER.match(row[0].text)
        )
        if outside or any(piece.left < x < piece.right for piece in row):
            return number
    return len(rows)


def _markers_continue(left: list[TextRow], right: list[TextRow]) -> bool:
    """True if the markers on the right follow on those on the left."""
    before, after = (
        [found[1] or found[0] for row in side if (found := _LIST_MARKER.match(row[0].text))]
        for side in (left, right)
    )
    if not before or not after:
        return False
    last, first = before[-1], after[0]
    if last == first and not first.isalnum():
        return len(after) >= _MIN_BULLETS
    following = str(int(last) + 1) if last.isdigit() else chr(ord(last[0]) + 1)
    return last.isalnum() and following == first
