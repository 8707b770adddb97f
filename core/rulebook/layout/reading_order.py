"""The reading order of a page: columns from left to right, each from top to bottom.

Tables, equations and the lettering of pictures are taken out of the text first.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby, islice

from core.rulebook.layout.blocks import (
    Block,
    Drawing,
    Page,
    PageDraft,
    RowPiece,
    Table,
    TextRow,
    index_after_gutter,
    iter_lines,
)
from core.rulebook.layout.borderless_tables import cut_borderless_tables, find_column_lists
from core.rulebook.layout.equations import take_equations
from core.rulebook.layout.figure_labels import take_lettering
from core.rulebook.layout.geometry import are_close, bounding_box, box_area
from core.rulebook.layout.lines import build_line, build_text_rows
from core.rulebook.layout.marks import is_scan_with_text
from core.rulebook.layout.ruled_tables import take_ruled_tables
from core.rulebook.pdf.page_content import Area, PageContent

_MIN_ROWS = 5  # of text on either side of a gutter
_NARROWEST = 0.16  # of the text's width: a column of running text is no narrower
_FILLED = 0.6  # of a column's width that its longer lines fill
_BALANCE = 0.4  # of the rows of the fuller column that the other one has
_MIN_PICTURE = 40.0  # points
_LEVEL = 4.0  # points by which the tops of blocks side by side may differ
_COVERED = 0.7  # of a page that is all images

_Column = list[TextRow]


def layout_page(content: PageContent) -> Page:
    """Return the page in reading order."""
    rows = build_text_rows(content)
    size = content.width * content.height
    rotated = [run.chars for run in content.runs if not run.upright and len(run.chars) > 2]
    page = Page(
        content.number,
        content.width,
        content.height,
        turn=content.turn,
        from_ocr=is_scan_with_text(content),
        covered_by_images=sum(map(box_area, content.images)) > _COVERED * size,
        letter_count=sum(len(piece.text) for piece in chain.from_iterable(rows)),
        image_count=len(content.images),
        rotated_texts=list(map("".join, rotated)),
        links=[area[:4] for area in content.links],
        notes=content.notes,
    )
    flat = (rule for rule in content.rules if rule.right - rule.left > rule.bottom - rule.top)
    page.edge_rules = list(filter(page.is_at_edge, flat))
    draft = PageDraft(rows, replace(content, runs=[], links=[]))
    arrange_page(page, draft)
    if any(
        page.reaches_edges(block)
        for block in page.blocks
        if isinstance(block, Table) or (isinstance(block, Drawing) and block.kind == "equation")
    ):
        page.draft = draft
    return page


def arrange_page(page: Page, draft: PageDraft) -> None:
    """Set the blocks of `page` in reading order, and what is found with them."""
    rows = [list(row) for row in draft.rows]
    page.columns = 1
    tables, diagrams = take_ruled_tables(rows, draft.drawn)
    equations = take_equations(rows, draft.drawn.rules, [*tables, *diagrams])
    pictures = [*_find_pictures(draft.drawn, diagrams), *equations]
    shapes = [*draft.drawn.images, *draft.drawn.drawings, *diagrams]
    page.picture_labels = take_lettering(rows, pictures, shapes)
    page.blocks = _order_text(rows, page)
    # Of blocks side by side the left one comes first.
    placed: list[Block] = sorted(tables, key=lambda table: table.left)
    placed += sorted(pictures, key=lambda picture: picture.left)
    for block in placed:
        page.blocks.insert(_find_position(block, page.blocks), block)
    for part in (*page.blocks, *iter_lines(page.blocks)):
        part.page = page.number


def _order_text(rows: list[TextRow], page: Page) -> list[Block]:
    """The blocks of text in reading order; sets the gutter and the number of columns of `page`."""
    left = min((row[0].left for row in rows), default=0.0)
    right = max((row[-1].right for row in rows), default=page.width)
    page.gutter = _find_gutter(rows, left, right)
    bands: list[list[_Column]] = []
    done = 0
    for start, end, sides in find_column_lists(rows):
        bands += [*_split_bands(rows[done:start], left, right), list(sides)]
        done = end
    bands += _split_bands(rows[done:], left, right)
    blocks: list[Block] = []
    for band in bands:
        columns = list(filter(None, band))
        page.columns = max(page.columns, len(columns))
        for number, column in enumerate(columns):
            for block in _column_blocks(column):
                block.column = number
                blocks.append(block)
    return blocks


def _find_position(placed: Block, blocks: Sequence[Block]) -> int:
    """The index after the last block of its column that begins above it; sets `placed.column`."""
    has_columns = any(block.column for block in blocks)
    position = 0
    for index, block in enumerate(blocks, start=1):
        beside = not has_columns or (block.left < placed.right and placed.left < block.right)
        if beside and block.top <= placed.top + _LEVEL:
            position = index
            placed.column = block.column
    return position


def _split_bands(
    rows: list[TextRow], left: float, right: float, depth: int = 0
) -> list[list[_Column]]:
    gutter = _find_gutter(rows, left, right) if depth < 2 else None
    if gutter is None:
        return [[rows]]
    rows = [list(chain(*(_cut_at_gutter(piece, gutter) for piece in row))) for row in rows]
    bands: list[list[_Column]] = []
    for crosses, group in groupby(rows, lambda row: _crosses(row, gutter)):
        band = list(group)
        sides = _split_sides(band, gutter)
        if crosses or not all(sides):
            bands.append([band])
        else:
            inner = _split_bands(sides[0], left, gutter, depth + 1)
            inner += _split_bands(sides[1], gutter, right, depth + 1)
            bands.append(list(chain.from_iterable(inner)))
    return bands


def _crosses(row: TextRow, gutter: float) -> bool:
    return any(piece.left < gutter < piece.right for piece in row)


def _split_sides(rows: list[TextRow], gutter: float) -> tuple[_Column, _Column]:
    before = [[piece for piece in row if piece.right <= gutter + 1] for row in rows]
    after = [[piece for piece in row if piece.right > gutter + 1] for row in rows]
    return list(filter(None, before)), list(filter(None, after))


def _cut_at_gutter(piece: RowPiece, gutter: float) -> list[RowPiece]:
    """A piece in two parts if it crosses the gutter with a wide space."""
    crosses = piece.left < gutter < piece.right
    index = index_after_gutter(piece.spans, gutter) if crosses else None
    if index is None:
        return [piece]
    return [piece.slice_spans(piece.spans[:index]), piece.slice_spans(piece.spans[index:])]


def _find_gutter(rows: list[TextRow], left: float, right: float) -> float | None:
    """The x of an empty strip with running text on both sides."""
    width = right - left
    if len(rows) < _MIN_ROWS or width <= 0:
        return None
    lefts = [piece.left for piece in chain.from_iterable(rows)]
    counts = Counter(round(x / 3) for x in lefts if x > left + _NARROWEST * width)
    candidates = [
        min(x for x in lefts if round(x / 3) == key) - 2.5
        for key, count in counts.most_common(6)
        if count >= _MIN_ROWS
    ]
    score, x = max(((_score_gutter(rows, x, left, right), x) for x in candidates), default=(0, 0))
    return x if score > 0 else None


def _score_gutter(rows: list[TextRow], x: float, left: float, right: float) -> int:
    """How many rows `x` separates, less those that cross it; 0 if it is no gutter."""
    whole = [row for row in rows if not _crosses(row, x)]
    crossing = len(rows) - len(whole)
    before, after = sides = _split_sides(whole, x)
    fewer, more = sorted(map(len, sides))
    if fewer < max(_MIN_ROWS, _BALANCE * more) or crossing > 0.6 * (fewer + more):
        return 0
    edge = max(row[-1].right for row in before)
    narrowest = _NARROWEST * (right - left)
    fits = _fills_column(before, min(x, edge) - left, narrowest)
    fits = fits and _fills_column(after, right - x, narrowest)
    return fewer + more - 2 * crossing if fits else 0


def _fills_column(rows: list[TextRow], width: float, narrowest: float) -> bool:
    """True if rows are running text in a column of `width` points: no short pieces or lines."""
    if width < narrowest:
        return False
    lengths = sorted(row[-1].right - row[0].left for row in rows)
    longer = lengths[int(0.75 * (len(lengths) - 1))]
    letters = sorted(len(piece.text) for piece in chain.from_iterable(rows))
    return longer >= _FILLED * width and letters[len(letters) // 2] >= 12


def _column_blocks(rows: list[TextRow]) -> Iterator[Block]:
    rows = sorted(
        (sorted(row, key=lambda piece: piece.left) for row in rows), key=lambda row: row[0].baseline
    )
    start = min(row[0].left for row in rows)
    edge = sorted(row[-1].right for row in rows)[-1 - len(rows) // 50]
    for part in cut_borderless_tables(rows):
        if isinstance(part, Table):
            yield part
        else:
            line = build_line(part)
            line.start, line.edge = start, edge
            yield line


def _find_pictures(content: PageContent, diagrams: list[Area]) -> list[Drawing]:
    """Images and groups of drawn shapes large enough for figures, without the page's background."""

    def is_picture(area: Area) -> bool:
        smaller = min(area.right - area.left, area.bottom - area.top)
        return smaller >= _MIN_PICTURE and box_area(area) < 0.85 * content.width * content.height

    shapes = [*content.images, *_group_close([*content.drawings, *diagrams])]
    return [Drawing(*area[:4], "figure") for area in _group_close(filter(is_picture, shapes))]


def _group_close(areas: Iterable[Area]) -> list[Area]:
    groups: list[Area] = []
    for area in islice(areas, 2_000):
        near = [group for group in groups if are_close(group, area, 4)]
        groups = [group for group in groups if group not in near]
        groups.append(Area(*bounding_box([area, *near]), area.color))
    return groups
