"""The reading order of a page: tables apart, then columns from left to right, each from top to bottom."""

from collections.abc import Sequence

from core.rulebook.layout.blocks import Block, Drawing, Line, Page, index_after_gutter
from core.rulebook.layout.borderless_tables import build_borderless_table, find_borderless_tables
from core.rulebook.layout.column_lists import find_column_lists, split_columns
from core.rulebook.layout.equations import take_equations
from core.rulebook.layout.lined import find_row_ruled_grids
from core.rulebook.layout.lines import RowPiece, TextRow, build_text_rows
from core.rulebook.layout.marks import is_scan_with_text
from core.rulebook.layout.ruled_tables import (
    TableGrid,
    build_line,
    find_grids,
    slice_piece,
    take_ruled_table,
)
from core.rulebook.pdf.page_content import Area, PageContent, RuledLine

_FEWEST_ROWS = 5  # of text on either side of a gutter
_NARROWEST = 0.16  # of the text's width: a column of running text is no narrower
_FILLED = 0.6  # of a column's width that its longer lines fill
_BALANCE = 0.4  # of the rows of the fuller column that the other one has
_SMALLEST_PICTURE = 40.0  # points
_LEVEL = 4.0  # points by which tops of what stands side by side may differ
_LETTERING = 60.0  # points around a picture in which small print belongs to it
_PICTURED = 0.7  # of a page that images cover
_MOST_LABELS = 0.4  # of a page's letters that can be lettering in one picture


def layout_page(content: PageContent) -> Page:
    """The page in reading order."""
    rows = build_text_rows(content)
    page = Page(
        content.number,
        content.width,
        content.height,
        turn=content.turn,
        from_ocr=is_scan_with_text(content),
    )
    page.rotated_texts = [
        "".join(run.chars) for run in content.runs if not run.upright and len(run.chars) > 2
    ]
    page.letter_count = sum(len(piece.text) for row in rows for piece in row)
    page.image_count = len(content.images)
    page.covered_by_images = (
        sum((a.right - a.left) * (a.bottom - a.top) for a in content.images)
        > _PICTURED * content.width * content.height
    )
    page.links = [area[:4] for area in content.links]
    tables: list[Block] = []
    drawn: list[Area] = []
    for grid in find_grids(content.rules, content.width, content.height):
        if _is_diagram(grid, content):
            drawn.append(Area(*grid.box, 0))
        elif table := take_ruled_table(grid, rows):
            tables.append(table)
    for grid in find_row_ruled_grids(
        [rule for rule in content.rules if not _beside(rule, [*tables, *drawn])], rows
    ):
        if not _is_diagram(grid, content) and (table := take_ruled_table(grid, rows)):
            tables.append(table)
    equations = take_equations(
        rows, content, [*(table.box for table in tables), *(area[:4] for area in drawn)]
    )
    pictures = [*_pictures(content, drawn), *equations]
    page.picture_labels = _take_labels(rows, pictures)
    blocks = _with_pictures(_in_columns(rows, tables, page), pictures)
    for block in blocks:
        block.page = content.number
        if not isinstance(block, (Line, Drawing)):
            for line in block.lines:
                line.page = content.number
    page.blocks = blocks
    return page


def _in_columns(rows: list[TextRow], tables: list[Block], page: Page) -> list[Block]:
    """Rows and tables in reading order; pieces of a row that stand in different columns go apart."""
    left = min((row[0].left for row in rows), default=0.0)
    right = max((row[-1].right for row in rows), default=page.width)
    blocks: list[Block] = []
    page.gutter = _gutter(rows, left, right)
    for band in _with_listings(rows, left, right):
        columns = [column for column in band if column]
        page.columns = max(page.columns, len(columns))
        for number, column in enumerate(columns):
            for block in _column_blocks(column):
                block.column = number if len(columns) > 1 else 0
                blocks.append(block)
    for table in sorted(
        tables, key=lambda table: table.left
    ):  # of those side by side the left one comes first
        blocks.insert(_place_of(table, blocks), table)
    return blocks


def _with_listings(rows: list[TextRow], left: float, right: float) -> list[list[list[TextRow]]]:
    """The bands of a page, short lists in two columns among them."""
    bands: list[list[list[TextRow]]] = []
    done = 0
    for start, end, x in find_column_lists(rows):
        bands += _bands(rows[done:start], left, right, 0)
        bands.append(list(split_columns(rows[start:end], x)))
        done = end
    return bands + _bands(rows[done:], left, right, 0)


def _place_of(placed: Block, blocks: Sequence[Block]) -> int:
    """Where a table or picture comes in reading order: after the last block that begins above it in its own column.

    Where a page has no columns, that is any block: a short line may end before what stands below it begins.
    """
    columned = any(block.column for block in blocks)
    place = 0
    for index, block in enumerate(blocks):
        beside = not columned or (block.left < placed.right and placed.left < block.right)
        if beside and block.top <= placed.top + _LEVEL:
            place = index + 1
            placed.column = block.column
    return place


def _bands(rows: list[TextRow], left: float, right: float, depth: int) -> list[list[list[TextRow]]]:
    """The page from top to bottom as bands, each a list of columns, each a list of rows."""
    gutter = _gutter(rows, left, right) if depth < 2 else None
    if gutter is None:
        return [[rows]]
    bands: list[list[list[TextRow]]] = []
    start = 0
    rows = [[part for piece in row for part in _cut_at(piece, gutter)] for row in rows]
    crossing = [any(piece.left < gutter < piece.right for piece in row) for row in rows]
    while start < len(rows):
        end = start
        while end < len(rows) and crossing[end] == crossing[start]:
            end += 1
        part = rows[start:end]
        sides: list[list[TextRow]] = [
            [
                half
                for row in part
                if (half := [piece for piece in row if piece.right <= gutter + 1])
            ],
            [
                half
                for row in part
                if (half := [piece for piece in row if piece.right > gutter + 1])
            ],
        ]
        if crossing[start] or not (sides[0] and sides[1]):
            bands.append([part])
        else:
            columns: list[list[TextRow]] = []
            for side, edges in zip(sides, ((left, gutter), (gutter, right)), strict=True):
                for band in _bands(side, *edges, depth + 1):
                    columns.extend(band)
            bands.append(columns)
        start = end
    return bands


def _cut_at(piece: RowPiece, gutter: float) -> list[RowPiece]:
    """A piece that runs over the gutter, cut there if a wide space stands in it."""
    if not piece.left < gutter < piece.right:
        return [piece]
    index = index_after_gutter(piece.spans, gutter)
    return (
        [slice_piece(piece, piece.spans[:index]), slice_piece(piece, piece.spans[index:])]
        if index
        else [piece]
    )


def _gutter(rows: list[TextRow], left: float, right: float) -> float | None:
    """The x of an empty strip with running text on both sides of it, or None."""
    width = right - left
    if len(rows) < _FEWEST_ROWS or width <= 0:
        return None
    counts: dict[int, int] = {}
    for row in rows:
        for piece in row:
            if piece.left > left + _NARROWEST * width:
                counts[round(piece.left / 3)] = counts.get(round(piece.left / 3), 0) + 1
    candidates = [
        min(p.left for r in rows for p in r if round(p.left / 3) == key) - 2.5
        for key, count in sorted(counts.items(), key=lambda item: -item[1])[:6]
        if count >= _FEWEST_ROWS
    ]
    scored = [(score, x) for x in candidates if (score := _gutter_score(rows, x, left, right)) > 0]
    return max(scored)[1] if scored else None


def _gutter_score(rows: list[TextRow], x: float, left: float, right: float) -> float:
    lefts: list[RowPiece] = []
    rights: list[RowPiece] = []
    crossed = 0
    left_rows: list[tuple[float, float]] = []
    right_rows: list[tuple[float, float]] = []
    for row in rows:
        if any(piece.left < x < piece.right for piece in row):
            crossed += 1
            continue
        before = [piece for piece in row if piece.right <= x + 1]
        after = [piece for piece in row if piece.right > x + 1]
        lefts += before
        rights += after
        if before:
            left_rows.append((before[0].left, before[-1].right))
        if after:
            right_rows.append((after[0].left, after[-1].right))
    if min(len(left_rows), len(right_rows)) < _FEWEST_ROWS:
        return 0.0
    if min(len(left_rows), len(right_rows)) < _BALANCE * max(len(left_rows), len(right_rows)):
        return 0.0
    if crossed > 0.6 * (len(left_rows) + len(right_rows)):
        return 0.0
    edge = max(end for _, end in left_rows)
    for spans, low, high in ((left_rows, left, min(x, edge)), (right_rows, x, right)):
        column = high - low
        filled = sorted(end - start for start, end in spans)[int(0.75 * (len(spans) - 1))]
        if column < _NARROWEST * (right - left) or filled < _FILLED * column:
            return 0.0
    if _median_length(lefts) < 12 or _median_length(rights) < 12:
        return 0.0
    return len(left_rows) + len(right_rows) - 2 * crossed


def _median_length(pieces: list[RowPiece]) -> int:
    return sorted(len(piece.text) for piece in pieces)[len(pieces) // 2]


def _column_blocks(rows: list[TextRow]) -> list[Block]:
    """The lines of one column, tables without drawn lines put together."""
    rows = sorted(
        (sorted(row, key=lambda p: p.left) for row in rows), key=lambda row: row[0].baseline
    )
    if not rows:
        return []
    start = min(row[0].left for row in rows)
    edge = sorted(row[-1].right for row in rows)[-1 - len(rows) // 50]
    blocks: list[Block] = []
    done = 0
    for first, after, edges in find_borderless_tables(rows):
        blocks += [_line(row, start, edge) for row in rows[done:first]]
        blocks.append(build_borderless_table(rows[first:after], edges))
        done = after
    return blocks + [_line(row, start, edge) for row in rows[done:]]


def _line(row: TextRow, start: float, edge: float) -> Line:
    line = build_line(row)
    line.start, line.edge = start, edge
    return line


def _beside(rule: RuledLine, boxes: Sequence[Block | Area]) -> bool:
    """A rule that belongs to one of `boxes`."""
    return any(
        box.left - 4 <= rule.left <= box.right + 4 and box.top - 4 <= rule.top <= box.bottom + 4
        for box in boxes
    )


def _is_diagram(grid: TableGrid, sheet: PageContent) -> bool:
    """Boxes with curves or slanted lines among them are a drawing, not a table."""
    left, top, right, bottom = grid.box
    return any(
        left - 2 <= (area.left + area.right) / 2 <= right + 2
        and top - 2 <= (area.top + area.bottom) / 2 <= bottom + 2
        and max(area.right - area.left, area.bottom - area.top) > 5
        for area in sheet.drawings
    )


def _take_labels(rows: list[TextRow], pictures: list[Drawing]) -> list[str]:
    """Takes the lettering of pictures out of `rows`; a picture with much of the page's text on it is a background."""
    total = sum(len(piece.text) for row in rows for piece in row)
    common = max((piece.size for row in rows for piece in row if len(piece.text) > 40), default=0.0)
    labels: list[str] = []
    for picture in pictures:
        inside = [
            p for row in rows for p in row if _letters(picture, p, common) and not _is_struck(p)
        ]
        if sum(len(piece.text) for piece in inside) > _MOST_LABELS * total:
            continue
        taken = {id(piece) for piece in inside}
        labels += [piece.text for piece in inside]
        for row in rows:
            row[:] = [piece for piece in row if id(piece) not in taken]
    rows[:] = [row for row in rows if row]
    return labels


def _is_struck(piece: RowPiece) -> bool:
    return all(span.state == "deleted" or not span.text.strip() for span in piece.spans)


def _letters(picture: Drawing, piece: RowPiece, common: float) -> bool:
    """A piece within a picture, or in much smaller print than the text beside it."""
    x, y = piece.middle
    margin = _LETTERING if piece.size < 0.7 * common else 0.0
    return (
        picture.left - margin <= x <= picture.right + margin
        and picture.top - margin <= y <= picture.bottom + margin
    )


def _pictures(sheet: PageContent, drawn: list[Area]) -> list[Drawing]:
    """Images and groups of drawn shapes that are large enough to be figures, and not the page's background."""
    boxes = [area for area in sheet.images if _is_picture(area, sheet)]
    boxes += [area for area in _grouped([*sheet.drawings, *drawn]) if _is_picture(area, sheet)]
    return [Drawing("figure", *box[:4]) for box in _grouped(boxes)]


def _is_picture(area: Area, sheet: PageContent) -> bool:
    wide, high = area.right - area.left, area.bottom - area.top
    return min(wide, high) >= _SMALLEST_PICTURE and wide * high < 0.85 * sheet.width * sheet.height


def _grouped(areas: Sequence[Area]) -> list[Area]:
    groups: list[Area] = []
    for area in areas[:2_000]:
        near = [g for g in groups if _overlap(g, area)]
        groups = [g for g in groups if g not in near]
        for other in near:
            area = Area(
                min(area.left, other.left),
                min(area.top, other.top),
                max(area.right, other.right),
                max(area.bottom, other.bottom),
                area.color,
            )
        groups.append(area)
    return groups


def _overlap(one: Area, other: Area) -> bool:
    return (
        one.left <= other.right + 4
        and other.left <= one.right + 4
        and one.top <= other.bottom + 4
        and other.top <= one.bottom + 4
    )


def _with_pictures(blocks: list[Block], pictures: list[Drawing]) -> list[Block]:
    for picture in sorted(pictures, key=lambda picture: picture.left):
        blocks.insert(_place_of(picture, blocks), picture)
    return blocks
