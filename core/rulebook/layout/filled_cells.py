"""Filled boxes as cells of tables: a head in colour, and rows that are grey by turns."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from core.rulebook.layout.blocks import RowPiece
from core.rulebook.layout.geometry import contains_middle, contains_point
from core.rulebook.layout.ruled_tables import TableGrid
from core.rulebook.pdf.page_content import Area, RuledLine

_WHITE = 0xFFFFFF
_LOWEST, _TALLEST = 7.0, 80.0  # points
_NEAR = 4.0  # points between a head and its table
_MARGIN = 4.0  # points by which print may extend over a column's edge


def may_be_cell(fill: Area, pieces: Iterable[RowPiece]) -> bool:
    """True for a coloured box of a row's height with print in it."""
    height = fill.bottom - fill.top
    return (
        fill.color != _WHITE
        and _LOWEST < height < _TALLEST
        and any(contains_point(fill, *piece.middle, 0) for piece in pieces)
    )


def edges_of_fills(fills: Sequence[Area], rules: Iterable[RuledLine]) -> list[RuledLine]:
    """The upper and lower edges of filled boxes as rules, where no rule is drawn.

    A box within another one is the background of words.
    """
    levels = [rule.top for rule in rules]

    def is_within(fill: Area, other: Area) -> bool:
        return other.right - other.left > fill.right - fill.left and contains_middle(other, fill)

    return [
        RuledLine(fill.left, y, fill.right, y, fill.color)
        for fill in fills
        if not any(is_within(fill, other) for other in fills)
        for y in (fill.top, fill.bottom)
        if not any(abs(y - level) < _NEAR for level in levels)
    ]


def add_borders_of_fills(grid: TableGrid, fills: Iterable[Area]) -> None:
    """Add the sides of filled boxes that lie on the columns of a grid: cells without a rule."""
    area = grid.area
    for fill in fills:
        left, top, right, bottom, color = fill
        on_columns = all(any(abs(x - side) < _NEAR for x in grid.xs) for side in (left, right))
        is_cell = color != _WHITE and bottom - top > _LOWEST and contains_middle(area, fill)
        if on_columns and is_cell:
            grid.verticals += [RuledLine(x, top, x, bottom, color) for x in (left, right)]


def add_filled_head(grid: TableGrid, fills: Sequence[Area], pieces: Sequence[RowPiece]) -> None:
    """Add to a grid the filled boxes just above it, as its first row."""
    left, top, right, _, _ = grid.area
    within = (f for f in fills if left - _NEAR <= f.left and f.right <= right + _NEAR)
    head = [fill for fill in within if abs(fill.bottom - top) <= _NEAR]
    inside = [p for p in pieces if any(contains_point(fill, *p.middle, 0) for fill in head)]
    columns = [(x - _MARGIN, edge + _MARGIN) for x, edge in pairwise(grid.xs)]
    fits = all(any(x <= p.left and p.right <= edge for x, edge in columns) for p in inside)
    if not inside or not fits:
        return
    above = min(fill.top for fill in head)
    grid.ys.insert(0, above)
    grid.horizontals.append(RuledLine(left, above, right, above, 0))
    grid.horizontals.append(RuledLine(left, top, right, top, 0))
    grid.verticals += [RuledLine(x, above, x, top, 0) for x in grid.xs]
