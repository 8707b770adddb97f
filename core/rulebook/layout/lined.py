"""Tables whose rows are parted by lines, but whose columns are not: their grid, drawn as `tables` wants it."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from core.rulebook.layout.lines import RowPiece, TextRow
from core.rulebook.layout.ruled_tables import TableGrid
from core.rulebook.pdf.page_content import RuledLine

_LEVEL = 1.5  # points between the ends of one line
_SAME_END = 8.0  # points between the ends of lines of one table
_TALLEST_ROW = 90.0  # points
_TALLEST_HEADER = 80.0  # points
_NARROWEST = 60.0  # points
_COLUMN_GAP = 6.0  # points without print between columns


def find_row_ruled_grids(rules: Sequence[RuledLine], rows: Sequence[TextRow]) -> list[TableGrid]:
    """The grids of tables with lines between rows only: three lines of the same ends, print between them in columns."""
    pieces = [piece for row in rows for piece in row]
    levels = _levels([rule for rule in rules if _may_part_rows(rule, pieces)])
    grids = []
    while levels:
        stack = [levels.pop(0)]
        for level in levels[:]:
            if _goes_on(stack[-1], level):
                stack.append(level)
                levels.remove(level)
        if len(stack) >= 3 and (grid := _grid(stack, pieces)):
            grids.append(grid)
    return grids


def _may_part_rows(rule: RuledLine, pieces: Sequence[RowPiece]) -> bool:
    """A flat rule that does not cross print."""
    if rule.bottom - rule.top > 2.6 or rule.right - rule.left < 10:
        return False
    return not any(
        piece.left < rule.right
        and rule.left < piece.right
        and 0.05 < (piece.baseline - rule.top) / piece.size < 0.6
        for piece in pieces
    )


def _levels(rules: Sequence[RuledLine]) -> list[list[RuledLine]]:
    """Rules of one height, side by side, from top to bottom."""
    levels: list[list[RuledLine]] = []
    for rule in sorted(rules, key=lambda r: r.top):
        if levels and rule.top - levels[-1][0].top <= _LEVEL:
            levels[-1].append(rule)
        else:
            levels.append([rule])
    return [level for level in levels if _right(level) - _left(level) >= _NARROWEST]


def _left(level: Sequence[RuledLine]) -> float:
    return min(rule.left for rule in level)


def _right(level: Sequence[RuledLine]) -> float:
    return max(rule.right for rule in level)


def _goes_on(last: Sequence[RuledLine], level: Sequence[RuledLine]) -> bool:
    return (
        abs(_left(last) - _left(level)) < _SAME_END
        and abs(_right(last) - _right(level)) < _SAME_END
        and 6 < level[0].top - last[0].top < _TALLEST_ROW
    )


def _grid(stack: Sequence[Sequence[RuledLine]], pieces: Sequence[RowPiece]) -> TableGrid | None:
    left, right = min(map(_left, stack)), max(map(_right, stack))
    ys = [level[0].top for level in stack]
    beside = {p.baseline for p in pieces if p.right < left - 4 or p.left > right + 4}
    inside = [p for p in pieces if left - 4 <= p.left and p.right <= right + 4]
    between = [p for p in inside if ys[0] < p.middle[1] < ys[-1]]
    bands = [any(a < p.middle[1] < b for p in between) for a, b in pairwise(ys)]
    xs = _columns(stack, between, left, right)
    if len(xs) < 3 or sum(bands) < 0.7 * len(bands):
        return None
    own = [
        p for p in inside if p.baseline not in beside
    ]  # a clause's number stands outside the table
    top = _top_of_header(own, xs, ys[0])
    bottom = _bottom_of_last_row(own, xs, ys)
    first = _top_of_first_row(own, xs, ys)
    heads = [y for y in (top, first) if y < ys[0] - 4 and (y == top or y > top + 4)]
    ys = [*heads, *ys, *([bottom] if bottom > ys[-1] + 4 else [])]
    across = [RuledLine(left, y, right, y, 0) for y in ys]
    down = [RuledLine(x, ys[0], x, ys[-1], 0) for x in xs]
    return TableGrid(xs, ys, across, down)


def _columns(
    stack: Sequence[Sequence[RuledLine]], pieces: Sequence[RowPiece], left: float, right: float
) -> list[float]:
    """The columns' edges: where the lines are broken, else where no print stands in any row."""
    breaks = sorted(rule.left for rule in max(stack, key=len))[1:]
    if breaks:
        return [left, *breaks, right]
    edges: list[float] = []
    reach = left
    for piece in sorted(pieces, key=lambda p: p.left):
        if edges and piece.left - reach > _COLUMN_GAP:
            edges.append((piece.left + reach) / 2)
        elif not edges:
            edges.append(left)
        reach = max(reach, piece.right)
    return [*edges, right]


def _in_one_column(piece: RowPiece, xs: Sequence[float]) -> bool:
    return any(a - 4 <= piece.left and piece.right <= b + 4 for a, b in pairwise(xs))


def _top_of_header(pieces: Sequence[RowPiece], xs: Sequence[float], first: float) -> float:
    """How far up the heads of the columns reach: lines of print that keep to the columns, without a wide space."""
    top = first
    for piece in sorted(pieces, key=lambda p: -p.baseline):
        if piece.baseline > first or first - piece.top > _TALLEST_HEADER:
            continue
        if not _in_one_column(piece, xs) or top - piece.baseline > 1.3 * piece.size:
            break
        top = min(top, piece.top)
    return top


def _top_of_first_row(
    pieces: Sequence[RowPiece], xs: Sequence[float], ys: Sequence[float]
) -> float:
    """The header may have no line beneath it: the row right above the first line, if it fills every column."""
    height = median(b - a for a, b in pairwise(ys))
    row = [p for p in pieces if ys[0] - height < p.middle[1] < ys[0] and _in_one_column(p, xs)]
    columns = {
        next(i for i, (a, b) in enumerate(pairwise(xs)) if a - 4 <= p.left and p.right <= b + 4)
        for p in row
    }
    return min(p.top for p in row) - 0.5 if len(columns) == len(xs) - 1 else ys[0]


def _bottom_of_last_row(
    pieces: Sequence[RowPiece], xs: Sequence[float], ys: Sequence[float]
) -> float:
    """The last row may have no line beneath it: print right below that keeps to two columns at least."""
    height = ys[-1] - ys[-2]
    below = [p for p in pieces if ys[-1] < p.middle[1] < ys[-1] + height and _in_one_column(p, xs)]
    columns = {
        next(i for i, (a, b) in enumerate(pairwise(xs)) if a - 4 <= p.left and p.right <= b + 4)
        for p in below
    }
    return max((p.bottom for p in below), default=ys[-1]) if len(columns) > 1 else ys[-1]
