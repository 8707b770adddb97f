"""Text in columns without drawn lines: tables of short pieces, and short lists in two columns."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from core.rulebook.layout.blocks import Cell, RowPiece, Span, Table, TextRow
from core.rulebook.layout.geometry import bounding_box
from core.rulebook.layout.lines import build_line
from core.rulebook.layout.text import is_bullet

_NUMBER = re.compile(
    r"\(?(?:[A-Z]{0,3}\.?\d+(?:\.\d+)+|[a-z]{1,4}|[ivx]+|[A-Z]|\d{1,2}|[A-Z]\d{1,2})[.):]{0,2}$"
)
_LIST_MARKER = re.compile(r"\(?([a-z]|\d{1,2})[.)](?=\s|$)|[•▪–](?=\s|$)")
_ROW_DISTANCE = 2.2  # line heights between rows of one table
_ALIGNED = 3.0  # points between the left edges of a list's items
_MIN_BULLETS = 2  # items on the right of a bulleted list: bullets have no order that shows the list


def find_borderless_tables(rows: list[TextRow]) -> list[tuple[int, int, list[float]]]:
    """Find tables without lines: (first row, row after the last, x of the columns' left edges).

    A table has three rows or more of short pieces at the same x, and no row that is a number
    with its text.
    """
    found: list[tuple[int, int, list[float]]] = []
    start = 0
    while start < len(rows):
        end, edges = _aligned_rows(rows, start)
        if not edges or sum(len(row) == len(edges) for row in rows[start:end]) < 3:
            start += 1
            continue
        previous_end = found[-1][1] if found else 0
        has_head = start > previous_end and _is_near(rows[start - 1], rows[start])
        has_head = has_head and bool(_column_heads(rows[start - 1], edges))
        found.append((start - has_head, end, edges))
        start = end
    return found


def build_borderless_table(rows: Sequence[TextRow], edges: list[float]) -> Table:
    """Build the table of `rows`; a row without a first cell continues the row above."""
    table: list[list[Cell | None]] = []
    if heads := _column_heads(rows[0], edges):
        table.append([_build_cell([head]) for head in heads])
    for row in rows[bool(heads) :]:
        columns = _assign_columns(row, edges)
        if columns[0] or not table or sum(map(bool, columns)) >= len(edges) - 1:
            table.append(list(map(_build_cell, columns)))
            continue
        for cell, pieces in zip(table[-1], columns, strict=True):
            if cell and pieces:
                cell.lines.append(build_line(pieces))
    box = bounding_box(chain.from_iterable(rows))
    return Table(table, *box, ruled=False, edges=tuple(edges))


def find_column_lists(rows: list[TextRow]) -> Iterator[tuple[int, int, float]]:
    """Find short lists in two columns, "a. b. c." and "d. e.": (first row, end, x between).

    They have too few rows for a gutter; the markers show that the right side continues the left.
    """
    done = 0
    for start, (first, *others) in enumerate(rows):
        if start < done or not _LIST_MARKER.match(first.text):
            continue
        x = next((p.left - _ALIGNED for p in others if _LIST_MARKER.match(p.text)), None)
        if x is None:
            continue
        end = _end_of_list(rows, start + 1, first.left, x)
        if _markers_continue(*split_columns(rows[start:end], x)):
            yield start, end, x
            done = end


def split_columns(rows: list[TextRow], x: float) -> tuple[list[TextRow], list[TextRow]]:
    left = [[piece for piece in row if piece.left < x] for row in rows]
    right = [[piece for piece in row if piece.left >= x] for row in rows]
    return list(filter(None, left)), list(filter(None, right))


def _assign_columns(row: TextRow, edges: list[float]) -> list[list[RowPiece]]:
    """The pieces of a row by column: that of the nearest left edge."""
    columns: list[list[RowPiece]] = [[] for _ in edges]
    for piece in row:
        distances = [abs(edge - piece.left) for edge in edges]
        columns[distances.index(min(distances))].append(piece)
    return columns


def _build_cell(pieces: list[RowPiece]) -> Cell:
    if not pieces:
        return Cell([], (0.0, 0.0, 0.0, 0.0))
    return Cell([build_line(pieces)], bounding_box(pieces))


def _aligned_rows(rows: list[TextRow], start: int) -> tuple[int, list[float]]:
    """The end of the rows from `start` that have the same columns, and the columns' left edges."""
    edges = [piece.left for piece in rows[start]]
    if len(edges) < 2 or not _may_be_table_row(rows[start]):
        return start + 1, []
    end = start + 1
    while (
        end < len(rows) and _is_near(rows[end - 1], rows[end]) and _fits_columns(rows[end], edges)
    ):
        end += 1
    return end, edges


def _fits_columns(row: TextRow, edges: list[float]) -> bool:
    """True for short pieces at the columns' left edges, and not in the first column alone."""
    if not _may_be_table_row(row):
        return False
    if len(row) < 2 and abs(row[0].left - edges[0]) < row[0].size:
        return False
    return all(any(abs(p.left - edge) < 1.2 * p.size for edge in edges) for p in row)


def _is_near(above: TextRow, row: TextRow) -> bool:
    return row[0].baseline - above[0].baseline <= _ROW_DISTANCE * row[0].size


def _column_heads(row: TextRow, edges: list[float]) -> list[RowPiece]:
    """A row cut at wide spaces into one head for each column; empty if the numbers differ."""
    heads = [head for piece in row for head in _cut_at_wide_spaces(piece)]
    short = all(len(head.text) <= 40 for head in heads)
    within = row[0].left > edges[0] - 3 * row[0].size
    fits = len(heads) == len(edges) and short and within and not _NUMBER.match(heads[0].text)
    return heads if fits else []


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
    if len(others) == 1 and (_NUMBER.match(first) or is_bullet(first)):
        return False
    if others and len(first) <= 9 and len(others[0]) > 25:
        return False
    return all(len(piece.text) <= 60 for piece in row)


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
