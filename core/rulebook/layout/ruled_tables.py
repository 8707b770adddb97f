"""Tables with drawn lines: find the grids on a page and fill their cells with text.

A grid is either closed (lines around the cells) or has lines between its rows only. Filled boxes
are cells too: a head in colour, and rows that are grey by turns.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, pairwise, product
from statistics import median

from core.rulebook.layout.blocks import Cell, RowPiece, Table, TextRow
from core.rulebook.layout.geometry import (
    HasEdges,
    are_close,
    bounding_box,
    box_area,
    contains_middle,
    contains_point,
)
from core.rulebook.layout.lines import build_line, remove_pieces
from core.rulebook.pdf.page_content import WHITE, Area, PageContent, RuledLine

_NEAR = 2.5  # points within which edges count as one
_SHORTEST = 5.0  # points of a rule that can border a cell
_LEVEL = 1.5  # points between the tops of rules side by side
_SAME_END = 8.0  # points between the ends of rules of one table
_TALLEST_ROW = 90.0  # points
_TALLEST_HEADER = 80.0  # points
_NARROWEST = 60.0  # points of a table without vertical rules
_COLUMN_GAP = 6.0  # points without print between columns
_MARGIN = 4.0  # points by which print may extend over a column's edge
_LOWEST, _TALLEST = 7.0, 80.0  # points of a filled box of a row's height
_BESIDE = 4.0  # points between a filled box and what it belongs to


@dataclass(slots=True)
class TableGrid:
    """The lines of a table: x of its column edges, y of its row edges, and the drawn borders."""

    xs: list[float]
    ys: list[float]
    horizontals: list[RuledLine]
    verticals: list[RuledLine]

    @property
    def area(self) -> Area:
        return Area(self.xs[0], self.ys[0], self.xs[-1], self.ys[-1], 0)

    def heads(self, below: "TableGrid") -> bool:
        """True if it ends where `below` begins, and the columns of one have edges in the other."""
        fewer, more = sorted((self.xs, below.xs), key=len)
        aligned = all(any(abs(x - edge) <= _NEAR for edge in more) for x in fewer)
        return aligned and 0 <= below.ys[0] - self.ys[-1] <= 2 * _NEAR

    def has_border(self, along: int, level: float, at: float, slack: float = 0.0) -> bool:
        """True if a rule along an axis (0: x, 1: y) is drawn at `level` and reaches `at`."""
        return any(
            abs(rule[1 - along] - level) <= 2 * _NEAR
            and rule[along] - slack <= at <= rule[along + 2] + slack
            for rule in (self.verticals if along else self.horizontals)
        )


def take_ruled_tables(rows: list[TextRow], content: PageContent) -> tuple[list[Table], list[Area]]:
    """Remove ruled tables from `rows`; return them, and the grids that are drawings."""
    tables: list[Table] = []
    diagrams: list[Area] = []
    pieces = list(chain.from_iterable(rows))
    fills = [fill for fill in content.fills if _may_be_cell(fill, pieces)]
    for grid in _find_grids(content.rules, content.width, content.height):
        _add_filled_cells(grid, content.fills)
        _add_filled_head(grid, fills, pieces)
        if _is_diagram(grid.area, content):
            diagrams.append(grid.area)
        elif table := _take_table(grid, rows):
            tables.append(table)
    grids: list[HasEdges] = [*tables, *diagrams]

    def is_free(shape: HasEdges) -> bool:
        return not any(contains_point(grid, shape.left, shape.top, 4) for grid in grids)

    rules = list(filter(is_free, content.rules))
    edges = _edges_of_fills(list(filter(is_free, fills)), rules)
    for grid in _find_row_ruled_grids([*rules, *edges], rows):
        if not _is_diagram(grid.area, content) and (table := _take_table(grid, rows)):
            tables.append(table)
    return tables, diagrams


def _is_diagram(grid: Area, content: PageContent) -> bool:
    """True if there are curves or slanted lines among the boxes of a grid."""
    return any(
        contains_middle(grid, area, 2) and max(area.right - area.left, area.bottom - area.top) > 5
        for area in content.drawings
    )


def _may_be_cell(fill: Area, pieces: Iterable[RowPiece]) -> bool:
    """True for a coloured box of a row's height with print in it."""
    is_row = fill.color != WHITE and _LOWEST < fill.bottom - fill.top < _TALLEST
    return is_row and any(contains_point(fill, *piece.middle, 0) for piece in pieces)


def _edges_of_fills(fills: Sequence[Area], rules: Iterable[RuledLine]) -> list[RuledLine]:
    """The upper and lower edges of outermost filled boxes as rules, where no rule is drawn."""
    levels = [rule.top for rule in rules]

    def is_within(fill: Area, other: Area) -> bool:
        return other.right - other.left > fill.right - fill.left and contains_middle(other, fill)

    return [
        RuledLine(fill.left, y, fill.right, y, fill.color)
        for fill in fills
        if not any(is_within(fill, other) for other in fills)
        for y in (fill.top, fill.bottom)
        if not any(abs(y - level) < _BESIDE for level in levels)
    ]


def _add_filled_cells(grid: TableGrid, fills: Iterable[Area]) -> None:
    """Add the sides of filled boxes that lie on the columns of a grid: cells without a rule."""
    area = grid.area
    for fill in fills:
        left, top, right, bottom, color = fill
        on_columns = all(any(abs(x - side) < _BESIDE for x in grid.xs) for side in (left, right))
        is_cell = color != WHITE and bottom - top > _LOWEST and contains_middle(area, fill)
        if on_columns and is_cell:
            grid.verticals += [RuledLine(x, top, x, bottom, color) for x in (left, right)]


def _add_filled_head(grid: TableGrid, fills: Sequence[Area], pieces: Sequence[RowPiece]) -> None:
    """Add to a grid the filled boxes just above it, as its first row."""
    left, top, right, _, _ = grid.area
    within = (f for f in fills if left - _BESIDE <= f.left and f.right <= right + _BESIDE)
    head = [fill for fill in within if abs(fill.bottom - top) <= _BESIDE]
    inside = [p for p in pieces if any(contains_point(fill, *p.middle, 0) for fill in head)]
    if inside and all(_column_of(piece, grid.xs) is not None for piece in inside):
        above = min(fill.top for fill in head)
        grid.ys.insert(0, above)
        grid.horizontals += [RuledLine(left, y, right, y, 0) for y in (above, top)]
        grid.verticals += [RuledLine(x, above, x, top, 0) for x in grid.xs]


def _find_grids(rules: Sequence[RuledLine], width: float, height: float) -> list[TableGrid]:
    """Return the closed grids of a page with at least two cells, without the page's own frame."""
    horizontals = _join_collinear([r for r in rules if r.right - r.left >= r.bottom - r.top], 0)
    verticals = _join_collinear([r for r in rules if r.right - r.left < r.bottom - r.top], 1)
    grids = [
        _build_grid([r for r in group if r in horizontals], [r for r in group if r in verticals])
        for group in _group_touching([*horizontals, *verticals])
    ]
    tables = _join_grids(grid for grid in grids if (len(grid.xs) - 1) * (len(grid.ys) - 1) >= 2)
    return [grid for grid in tables if box_area(grid.area) < 0.8 * width * height]


def _find_row_ruled_grids(
    rules: Sequence[RuledLine], rows: Sequence[TextRow]
) -> Iterator[TableGrid]:
    """Yield the grids between three lines or more with the same ends, and print in columns."""
    pieces = list(chain.from_iterable(rows))
    uprights = [rule for rule in rules if rule.bottom - rule.top > rule.right - rule.left]
    levels = _group_levels(rule for rule in rules if _may_separate_rows(rule, pieces, uprights))
    while levels:
        stack = _take_stack(levels)
        if len(stack) >= 3 and (grid := _build_row_ruled_grid(stack, pieces)):
            yield grid


def _take_table(grid: TableGrid, rows: list[TextRow]) -> Table | None:
    """Fill a grid with the pieces inside it and remove them from `rows`; None for a single cell."""
    pieces = chain.from_iterable(rows)
    inside = [p for p in pieces if contains_point(grid.area, *p.middle, _NEAR)]
    cells = _number_cells(grid)
    contents: dict[int, list[RowPiece]] = {}
    parts = [part for piece in inside for part in _split_at_rules(piece, grid)]
    for part in sorted(parts, key=lambda part: (part.baseline, part.left)):
        x, y = part.middle
        column = max(0, bisect_right(grid.xs[:-1], x + _NEAR) - 1)
        row = max(0, bisect_right(grid.ys[:-1], y) - 1)
        contents.setdefault(cells[row][column], []).append(part)
    if len(contents) < 2:
        return None
    remove_pieces(rows, inside)
    return _build_table(grid, cells, contents)


def _join_collinear(rules: list[RuledLine], along: int) -> list[RuledLine]:
    """Join rules that continue one another along an axis: 0 for horizontal, 1 for vertical ones."""

    def level_of(rule: RuledLine) -> int:
        return round(rule[1 - along] / 2)

    joined: list[RuledLine] = []
    last_at: dict[int, int] = {}
    for rule in sorted(rules, key=lambda rule: (level_of(rule), rule[along])):
        level = level_of(rule)
        for index in (last_at[near] for near in (level, level - 1) if near in last_at):
            last = joined[index]
            if last[along] - 2 <= rule[along] <= last[along + 2] + 2:
                joined[index] = RuledLine(*bounding_box([last, rule]), last.color)
                break
        else:
            last_at[level] = len(joined)
            joined.append(rule)
    return [rule for rule in joined if rule[along + 2] - rule[along] >= _SHORTEST]


def _group_touching(rules: list[RuledLine]) -> list[list[RuledLine]]:
    """Groups of more than three rules that touch one another, directly or through others."""
    groups: list[list[RuledLine]] = []
    for rule in rules:
        touching = [g for g in groups if any(are_close(rule, other, _NEAR) for other in g)]
        groups = [group for group in groups if group not in touching]
        groups.append([rule, *chain.from_iterable(touching)])
    return [group for group in groups if len(group) > 3]


def _build_grid(horizontals: list[RuledLine], verticals: list[RuledLine]) -> TableGrid:
    """The grid of touching rules. A table that continues over a page end has no border there."""
    left, top, right, bottom = bounding_box([*horizontals, *verticals])
    # Only vertical rules separate columns: a horizontal one may underline a word.
    xs = _cluster([left, *(rule.left for rule in verticals), right])
    ys = _cluster([top, *(rule.top for rule in horizontals), bottom])
    return TableGrid(xs, ys, horizontals, verticals)


def _cluster(values: Iterable[float]) -> list[float]:
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > 2 * _NEAR:
            found.append(value)
    return found


def _join_grids(grids: Iterable[TableGrid]) -> list[TableGrid]:
    """Join the grids of one table: a coloured header may be slightly apart from the rest."""
    joined: list[TableGrid] = []
    for grid in sorted(grids, key=lambda grid: grid.ys[0]):
        above = next((other for other in joined if other.heads(grid)), None)
        if above:
            joined.remove(above)
            grid = _build_grid(
                above.horizontals + grid.horizontals, above.verticals + grid.verticals
            )
        joined.append(grid)
    return joined


def _may_separate_rows(
    rule: RuledLine, pieces: Sequence[RowPiece], uprights: Iterable[RuledLine]
) -> bool:
    """True for a flat rule that does not cross print, and is no side of a box around a note."""
    if rule.bottom - rule.top > 2.6 or rule.right - rule.left < 10:
        return False
    touching = [up for up in uprights if up.top - _NEAR <= rule.top <= up.bottom + _NEAR]
    is_side = all(
        any(abs(up.left - end) <= _NEAR for up in touching) for end in (rule.left, rule.right)
    )
    return not is_side and not any(
        piece.left < rule.right
        and rule.left < piece.right
        and 0.05 < (piece.baseline - rule.top) / piece.size < 0.6
        for piece in pieces
    )


def _group_levels(rules: Iterable[RuledLine]) -> list[list[RuledLine]]:
    """Group rules side by side, from top to bottom; drop groups that are too narrow."""
    levels: list[list[RuledLine]] = []
    for rule in sorted(rules, key=lambda rule: rule.top):
        if levels and rule.top - levels[-1][0].top <= _LEVEL:
            levels[-1].append(rule)
        else:
            levels.append([rule])
    boxes = [(level, bounding_box(level)) for level in levels]
    return [level for level, box in boxes if box[2] - box[0] >= _NARROWEST]


def _take_stack(levels: list[list[RuledLine]]) -> list[list[RuledLine]]:
    """Remove the first level and those that go on below it, with the same ends; return them."""
    stack = [levels.pop(0)]
    for level in levels[:]:
        left, _, right, _ = bounding_box(stack[-1])
        ends = bounding_box(level)
        same_ends = abs(left - ends[0]) < _SAME_END and abs(right - ends[2]) < _SAME_END
        if same_ends and 6 < level[0].top - stack[-1][0].top < _TALLEST_ROW:
            stack.append(level)
            levels.remove(level)
    return stack


def _build_row_ruled_grid(
    stack: Sequence[Sequence[RuledLine]], pieces: Sequence[RowPiece]
) -> TableGrid | None:
    """The grid between lines one below the other; None if its print is not in columns."""
    left, _, right, _ = bounding_box(chain.from_iterable(stack))
    ys = [level[0].top for level in stack]
    inside = [p for p in pieces if left - _MARGIN <= p.left and p.right <= right + _MARGIN]
    between = [p for p in inside if ys[0] < p.middle[1] < ys[-1]]
    filled = [any(a < p.middle[1] < b for p in between) for a, b in pairwise(ys)]
    xs = _find_column_edges(stack, between, left, right)
    if len(xs) < 3 or sum(filled) < 0.7 * len(filled):
        return None
    ys = sorted({*ys, *_cut_between_rows(between, xs, ys)})
    # Lines with print outside the table belong to clauses: their numbers are there.
    outside = {p.baseline for p in pieces if p.right < left - _MARGIN or p.left > right + _MARGIN}
    ys = _add_unruled_rows([p for p in inside if p.baseline not in outside], xs, ys)
    horizontals = [RuledLine(left, y, right, y, 0) for y in ys]
    return TableGrid(xs, ys, horizontals, [RuledLine(x, ys[0], x, ys[-1], 0) for x in xs])


def _find_column_edges(
    stack: Sequence[Sequence[RuledLine]], pieces: Sequence[RowPiece], left: float, right: float
) -> list[float]:
    """The columns' edges: where the lines are broken, else where no row has print."""
    breaks = sorted(rule.left for rule in max(stack, key=len))[1:]
    if breaks or not pieces:
        return [left, *breaks, right]
    first, *others = sorted(pieces, key=lambda piece: piece.left)
    edges = [left]
    end = max(left, first.right)
    for piece in others:
        if piece.left - end > _COLUMN_GAP:
            edges.append((piece.left + end) / 2)
        end = max(end, piece.right)
    return [*edges, right]


def _cut_between_rows(
    pieces: Sequence[RowPiece], xs: Sequence[float], ys: Sequence[float]
) -> Iterator[float]:
    """Yield the edges of rows that have no line between them: each fills its columns by itself."""
    for top, bottom in pairwise(ys):
        lines: dict[float, dict[int | None, RowPiece]] = {}
        for piece in pieces:
            if top < piece.middle[1] < bottom:
                lines.setdefault(piece.baseline, {})[_column_of(piece, xs)] = piece
        whole = [line for line in lines.values() if len(line.keys() - {None}) == len(xs) - 1]
        if len(whole) > 1:
            tops = sorted(min(piece.top for piece in line.values()) for line in whole)
            yield from tops[whole[0] is lines[min(lines)] :]


def _add_unruled_rows(
    pieces: Sequence[RowPiece], xs: Sequence[float], ys: list[float]
) -> list[float]:
    """Add the edges of rows without a line above or below them: header, first and last row."""
    columns = [(p, column) for p in pieces if (column := _column_of(p, xs)) is not None]
    height = median(b - a for a, b in pairwise(ys))
    first = [(p.top, column) for p, column in columns if ys[0] - height < p.middle[1] < ys[0]]
    height = ys[-1] - ys[-2]
    last = [(p.bottom, column) for p, column in columns if ys[-1] < p.middle[1] < ys[-1] + height]
    header = _find_header_top(pieces, xs, ys[0])
    tops = [header]
    if len({column for _, column in first}) == len(xs) - 1 and min(first)[0] - 0.5 > header + 4:
        tops.append(min(first)[0] - 0.5)
    has_last = len({column for _, column in last}) > 1 and max(last)[0] > ys[-1] + 4
    return [*(y for y in tops if y < ys[0] - 4), *ys, *([max(last)[0]] if has_last else ())]


def _column_of(piece: RowPiece, xs: Sequence[float]) -> int | None:
    for index, (left, right) in enumerate(pairwise(xs)):
        if left - _MARGIN <= piece.left and piece.right <= right + _MARGIN:
            return index
    return None


def _find_header_top(pieces: Sequence[RowPiece], xs: Sequence[float], bottom: float) -> float:
    """The top of the column heads above `bottom`: lines of print, each within its column."""
    top = bottom
    for piece in sorted(pieces, key=lambda piece: -piece.baseline):
        if piece.baseline > bottom or bottom - piece.top > _TALLEST_HEADER:
            continue
        if _column_of(piece, xs) is None or top - piece.baseline > 1.3 * piece.size:
            break
        top = min(top, piece.top)
    return top


def _number_cells(grid: TableGrid) -> list[list[int]]:
    """The number of the cell at each row and column; cells without a border between are one."""
    columns, rows = len(grid.xs) - 1, len(grid.ys) - 1
    owner = list(range(columns * rows))

    def root(cell: int) -> int:
        while owner[cell] != cell:
            cell = owner[cell]
        return cell

    for i, j in product(range(rows), range(columns)):
        x, y = (grid.xs[j] + grid.xs[j + 1]) / 2, (grid.ys[i] + grid.ys[i + 1]) / 2
        cell = i * columns + j
        if j + 1 < columns and not grid.has_border(1, grid.xs[j + 1], y, slack=1):
            owner[root(cell + 1)] = root(cell)
        if i + 1 < rows and not grid.has_border(0, grid.ys[i + 1], x, slack=1):
            owner[root(cell + columns)] = root(cell)
    return [[root(i * columns + j) for j in range(columns)] for i in range(rows)]


def _split_at_rules(piece: RowPiece, grid: TableGrid) -> list[RowPiece]:
    inside = (x for x in grid.xs[1:-1] if piece.left + 1 < x < piece.right - 1)
    parts: list[RowPiece] = []
    rest = piece.spans
    for cut in [x for x in inside if grid.has_border(1, x, piece.middle[1])]:
        before = [span for span in rest if (span.left + span.right) / 2 < cut]
        if before and len(before) < len(rest):
            parts.append(piece.slice_spans(before))
            rest = rest[len(before) :]
    return [*parts, piece.slice_spans(rest)]


def _build_table(
    grid: TableGrid, cells: list[list[int]], contents: dict[int, list[RowPiece]]
) -> Table:
    rows: list[list[Cell | None]] = []
    placed: set[int] = set()
    for i, numbers in enumerate(cells):
        row: list[Cell | None] = []
        for j, number in enumerate(numbers):
            if number in placed:  # missing borders may also make a cell that is no rectangle
                row.append(None)
                continue
            placed.add(number)
            wide = numbers[j:].count(number)
            high = sum(below[j] == number for below in cells[i:])
            box = (grid.xs[j], grid.ys[i], grid.xs[j + wide], grid.ys[i + high])
            by_line = groupby(contents.get(number, []), lambda part: part.baseline)
            row.append(Cell([build_line(list(parts)) for _, parts in by_line], box, high))
        rows.append(row)
    rows = [row for row in rows if any(cell is None or cell.lines for cell in row)]
    return Table(*grid.area[:4], rows, ruled=True, edges=tuple(grid.xs))
