"""Tables with lines drawn around their cells: the grids on a page, and the tables that fill them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.rulebook.layout.blocks import Cell, Line, Span, Table
from core.rulebook.layout.lines import RowPiece, TextRow
from core.rulebook.pdf.page_content import RuledLine

_NEAR = 2.5  # points within which edges count as one
_SHORTEST = 5.0  # points of a rule that can border a cell


@dataclass(slots=True)
class TableGrid:
    """The lines of one table: x of its columns' edges, y of its rows', and what borders there are."""

    xs: list[float]
    ys: list[float]
    horizontals: list[RuledLine]
    verticals: list[RuledLine]

    @property
    def box(self) -> tuple[float, float, float, float]:
        return self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]


def find_grids(rules: Sequence[RuledLine], width: float, height: float) -> list[TableGrid]:
    """The grids that ruled lines form on a page: two cells at least, and not the frame of the page itself."""
    horizontals = _joined([r for r in rules if r.right - r.left >= r.bottom - r.top], upright=False)
    verticals = _joined([r for r in rules if r.right - r.left < r.bottom - r.top], upright=True)
    groups = _touching([*horizontals, *verticals])
    grids = [
        _grid([r for r in group if r in horizontals], [r for r in group if r in verticals])
        for group in groups
    ]
    return [
        grid
        for grid in _whole([grid for grid in grids if (len(grid.xs) - 1) * (len(grid.ys) - 1) >= 2])
        if (grid.xs[-1] - grid.xs[0]) * (grid.ys[-1] - grid.ys[0]) < 0.8 * width * height
    ]


def take_ruled_table(grid: TableGrid, rows: list[TextRow]) -> Table | None:
    """The table of a grid, filled with the pieces inside it, which are taken out of `rows`; None for a single cell."""
    left, top, right, bottom = grid.box
    inside = [
        piece
        for row in rows
        for piece in row
        if left - _NEAR <= piece.middle[0] <= right + _NEAR
        and top - _NEAR <= piece.middle[1] <= bottom + _NEAR
    ]
    cells = _cells(grid)
    by_cell: dict[int, list[RowPiece]] = {}
    for piece in inside:
        for part in _split_at(piece, grid):
            by_cell.setdefault(_cell_at(cells, grid, part), []).append(part)
    if len(by_cell) < 2:
        return None
    taken = {id(piece) for piece in inside}
    for row in rows:
        row[:] = [piece for piece in row if id(piece) not in taken]
    rows[:] = [row for row in rows if row]
    return _filled(grid, cells, by_cell)


def build_line(pieces: Sequence[RowPiece]) -> Line:
    """Pieces of one row as a line, a tab between them."""
    spans: list[Span] = []
    for piece in pieces:
        if spans:
            spans[-1] = spans[-1]._replace(text=spans[-1].text + "\t")
        spans.extend(piece.spans)
    size = max(piece.size for piece in pieces)
    return Line(tuple(spans), *bounding_box(pieces), baseline=pieces[0].baseline, size=size)


def bounding_box(pieces: Iterable[RowPiece]) -> tuple[float, float, float, float]:
    pieces = list(pieces)
    return (
        min(piece.left for piece in pieces),
        min(piece.top for piece in pieces),
        max(piece.right for piece in pieces),
        max(piece.bottom for piece in pieces),
    )


def _joined(rules: list[RuledLine], *, upright: bool) -> list[RuledLine]:
    """Rules that go on from one another, as one: cells are often bordered side by side."""

    def place(rule: RuledLine) -> tuple[int, float]:
        return (round(rule.left / 2), rule.top) if upright else (round(rule.top / 2), rule.left)

    joined: list[RuledLine] = []
    open_ends: dict[int, int] = {}
    for rule in sorted(rules, key=place):
        level = place(rule)[0]
        for near in (level, level - 1):
            at = open_ends.get(near)
            if at is None:
                continue
            last = joined[at]
            if (
                (last.top - 2 <= rule.top <= last.bottom + 2)
                if upright
                else (last.left - 2 <= rule.left <= last.right + 2)
            ):
                joined[at] = RuledLine(
                    min(last.left, rule.left),
                    min(last.top, rule.top),
                    max(last.right, rule.right),
                    max(last.bottom, rule.bottom),
                    last.color,
                )
                break
        else:
            open_ends[level] = len(joined)
            joined.append(rule)
    return [r for r in joined if (r.bottom - r.top if upright else r.right - r.left) >= _SHORTEST]


def _touching(rules: list[RuledLine]) -> list[list[RuledLine]]:
    """Groups of rules that touch one another, directly or through others."""
    groups: list[list[RuledLine]] = []
    for rule in rules:
        mine = [group for group in groups if any(_meet(rule, other) for other in group)]
        groups = [group for group in groups if group not in mine]
        groups.append([rule, *(other for group in mine for other in group)])
    return [group for group in groups if len(group) > 3]


def _meet(one: RuledLine, other: RuledLine) -> bool:
    return (
        one.left <= other.right + _NEAR
        and other.left <= one.right + _NEAR
        and one.top <= other.bottom + _NEAR
        and other.top <= one.bottom + _NEAR
    )


def _grid(across: list[RuledLine], down: list[RuledLine]) -> TableGrid:
    """The grid of rules that belong together. A table that goes on over a page end has no border there."""
    rules = [*across, *down]
    # Only a rule that runs down parts columns: where one across ends, a word may be underlined.
    xs = _clustered(
        [min(r.left for r in rules), *(r.left for r in down), max(r.right for r in rules)]
    )
    ys = _clustered(
        [min(r.top for r in rules), *(r.top for r in across), max(r.bottom for r in rules)]
    )
    return TableGrid(xs, ys, across, down)


def _whole(grids: Iterable[TableGrid]) -> list[TableGrid]:
    """The grids, those put together that are one table: a header of its own colour may stand a little off the rest."""
    whole: list[TableGrid] = []
    for grid in sorted(grids, key=lambda grid: grid.ys[0]):
        above = next((other for other in whole if _goes_on(other, grid)), None)
        if above:
            whole.remove(above)
            grid = _grid(
                [*above.horizontals, *grid.horizontals], [*above.verticals, *grid.verticals]
            )
        whole.append(grid)
    return whole


def _goes_on(above: TableGrid, below: TableGrid) -> bool:
    """No further apart than edges that count as one, and every edge of the columns of one is an edge of the other."""
    fewer, more = sorted((above.xs, below.xs), key=len)
    aligned = all(any(abs(x - edge) <= _NEAR for edge in more) for x in fewer)
    return aligned and 0 <= below.ys[0] - above.ys[-1] <= 2 * _NEAR


def _clustered(values: Iterable[float]) -> list[float]:
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > 2 * _NEAR:
            found.append(value)
    return found


def _cells(grid: TableGrid) -> list[list[int]]:
    """For each row and column of the grid the number of the cell it belongs to; cells without a border are one."""
    columns, rows = len(grid.xs) - 1, len(grid.ys) - 1
    owner = list(range(columns * rows))

    def root(cell: int) -> int:
        while owner[cell] != cell:
            cell = owner[cell]
        return cell

    for i in range(rows):
        middle_y = (grid.ys[i] + grid.ys[i + 1]) / 2
        for j in range(columns):
            middle_x = (grid.xs[j] + grid.xs[j + 1]) / 2
            if j + 1 < columns and not any(
                abs(v.left - grid.xs[j + 1]) <= 2 * _NEAR and v.top - 1 <= middle_y <= v.bottom + 1
                for v in grid.verticals
            ):
                owner[root(i * columns + j + 1)] = root(i * columns + j)
            if i + 1 < rows and not any(
                abs(h.top - grid.ys[i + 1]) <= 2 * _NEAR and h.left - 1 <= middle_x <= h.right + 1
                for h in grid.horizontals
            ):
                owner[root((i + 1) * columns + j)] = root(i * columns + j)
    return [[root(i * columns + j) for j in range(columns)] for i in range(rows)]


def _cell_at(cells: list[list[int]], grid: TableGrid, piece: RowPiece) -> int:
    x, y = piece.middle
    column = max((j for j, edge in enumerate(grid.xs[:-1]) if edge <= x + _NEAR), default=0)
    row = max((i for i, edge in enumerate(grid.ys[:-1]) if edge <= y), default=0)
    return cells[row][column]


def _split_at(piece: RowPiece, grid: TableGrid) -> list[RowPiece]:
    """A piece cut where a vertical rule runs through it."""
    y = piece.middle[1]
    cuts = [
        x
        for x in grid.xs[1:-1]
        if piece.left + 1 < x < piece.right - 1
        and any(abs(v.left - x) <= 2 * _NEAR and v.top <= y <= v.bottom for v in grid.verticals)
    ]
    parts: list[RowPiece] = []
    rest = piece.spans
    for cut in cuts:
        before = [span for span in rest if (span.left + span.right) / 2 < cut]
        if before and len(before) < len(rest):
            parts.append(slice_piece(piece, before))
            rest = rest[len(before) :]
    return [*parts, slice_piece(piece, rest)]


def slice_piece(piece: RowPiece, spans: list[Span]) -> RowPiece:
    """A piece of some of another's spans."""
    return RowPiece(
        list(spans),
        spans[0].left,
        spans[-1].right,
        piece.top,
        piece.bottom,
        piece.baseline,
        piece.size,
    )


def _filled(grid: TableGrid, cells: list[list[int]], by_cell: dict[int, list[RowPiece]]) -> Table:
    rows: list[list[Cell | None]] = []
    met: set[int] = set()
    for i, numbers in enumerate(cells):
        row: list[Cell | None] = []
        for j, number in enumerate(numbers):
            if number in met:  # also where borders are missing, so that a cell is no rectangle
                row.append(None)
                continue
            met.add(number)
            wide = sum(other == number for other in numbers[j:])
            high = sum(j < len(below) and below[j] == number for below in cells[i:])
            box = (grid.xs[j], grid.ys[i], grid.xs[j + wide], grid.ys[i + high])
            row.append(Cell(_lines(by_cell.get(number, [])), box, wide, high))
        rows.append(row)
    rows = [row for row in rows if any(cell is None or cell.lines for cell in row)]
    return Table(rows, *grid.box, ruled=True, edges=tuple(grid.xs))


def _lines(pieces: list[RowPiece]) -> list[Line]:
    by_baseline: dict[float, list[RowPiece]] = {}
    for piece in pieces:
        by_baseline.setdefault(piece.baseline, []).append(piece)
    return [build_line(sorted(row, key=lambda p: p.left)) for _, row in sorted(by_baseline.items())]
