"""Tables without any lines: short pieces that stand one under the other in columns."""

import re
from collections.abc import Sequence

from core.rulebook.layout.blocks import Cell, Span, Table
from core.rulebook.layout.lines import RowPiece, TextRow
from core.rulebook.layout.ruled_tables import bounding_box, build_line, slice_piece
from core.rulebook.layout.text import is_bullet

_MARK = re.compile(
    r"\(?(?:[A-Z]{0,3}\.?\d+(?:\.\d+)+|[a-z]{1,4}|[ivx]+|[A-Z]|\d{1,2}|[A-Z]\d{1,2})[.):]{0,2}$"
)
_ROW_REACH = 2.2  # line heights between rows of one table without lines


def find_borderless_tables(rows: list[TextRow]) -> list[tuple[int, int, list[float]]]:
    """Tables without lines: (first row, row after the last, x of the columns' left edges).

    Three rows or more, one under the other, of short pieces that begin at the same places, none of which is a
    number before its text.
    """
    found: list[tuple[int, int, list[float]]] = []
    start = 0
    while start < len(rows):
        end, edges = _aligned_rows(rows, start)
        if edges and sum(len(row) == len(edges) for row in rows[start:end]) >= 3:
            above = (
                start - 1
                if start and (not found or found[-1][1] < start) and _heads(rows[start - 1], edges)
                else start
            )
            close = (
                rows[start][0].baseline - rows[above][0].baseline
                <= _ROW_REACH * rows[start][0].size
            )
            found.append((above if close else start, end, edges))
            start = end
        else:
            start += 1
    return found


def build_borderless_table(rows: Sequence[TextRow], edges: list[float]) -> Table:
    """The table of `rows` with columns beginning at `edges`; a row without a first cell goes on with the last."""
    table_rows: list[list[Cell | None]] = []
    for row in rows:
        cells: list[list[RowPiece]] = [[] for _ in edges]
        if row is rows[0] and (heads := _heads(row, edges)):
            table_rows.append([_cell([head]) for head in heads])
            continue
        for piece in row:
            away = [abs(edge - piece.left) for edge in edges]
            cells[away.index(min(away))].append(piece)
        if not cells[0] and table_rows and sum(map(bool, cells)) < len(edges) - 1:
            for cell, pieces in zip(table_rows[-1], cells, strict=True):
                if cell and pieces:
                    cell.lines.append(build_line(pieces))
            continue
        table_rows.append([_cell(pieces) for pieces in cells])
    pieces = [piece for row in rows for piece in row]
    return Table(table_rows, *bounding_box(pieces), ruled=False, edges=tuple(edges))


def _cell(pieces: list[RowPiece]) -> Cell:
    if not pieces:
        return Cell([], (0.0, 0.0, 0.0, 0.0))
    return Cell([build_line(pieces)], bounding_box(pieces))


def _aligned_rows(rows: list[TextRow], start: int) -> tuple[int, list[float]]:
    """How far rows from `start` stand in the same columns, and where these begin."""
    edges = [piece.left for piece in rows[start]]
    if len(edges) < 2 or not _tabular(rows[start]):
        return start + 1, []
    end = start + 1
    while end < len(rows):
        row, above = rows[end], rows[end - 1]
        if row[0].baseline - above[0].baseline > _ROW_REACH * row[0].size:
            break
        fits = all(
            any(abs(piece.left - edge) < 1.2 * piece.size for edge in edges) for piece in row
        )
        if (
            not fits
            or (len(row) < 2 and abs(row[0].left - edges[0]) < row[0].size)
            or not _tabular(row)
        ):
            break
        end += 1
    return end, edges


def _heads(row: TextRow, edges: list[float]) -> list[RowPiece]:
    """A row as the heads of columns, one each, cut where a space is wide; empty where they do not come out even."""
    heads = [part for piece in row for part in _cut_at_wide_spaces(piece)]
    short = all(len(head.text) <= 40 for head in heads)
    within = row[0].left > edges[0] - 3 * row[0].size
    return (
        heads
        if len(heads) == len(edges) and short and within and not _MARK.match(heads[0].text)
        else []
    )


def _cut_at_wide_spaces(piece: RowPiece) -> list[RowPiece]:
    parts: list[list[Span]] = [[]]
    for span in piece.spans:
        parts[-1].append(span)
        if span.text.endswith("\u2003"):
            parts.append([])
    return [slice_piece(piece, spans) for spans in parts if spans]


def _tabular(row: TextRow) -> bool:
    """Short pieces, and not a number or a bullet with its text behind it."""
    if len(row) == 2 and (_MARK.match(row[0].text) or is_bullet(row[0].text)):
        return False
    if len(row) >= 2 and len(row[0].text) <= 9 and len(row[1].text) > 25:
        return False
    return all(len(piece.text) <= 60 for piece in row)
