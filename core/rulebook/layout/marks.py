"""Marks on single glyphs: whether print is struck through, hidden or in force.

Only positions and backgrounds count here. The meaning of colours depends on the whole document
(see `structure.revision_colors`).
"""

from collections.abc import Iterable, Sequence

from core.rulebook.layout.blocks import RowPiece
from core.rulebook.layout.geometry import box_area
from core.rulebook.pdf.page_content import STRIKE_HEIGHTS, GlyphRun, PageContent, RuledLine

_THICKEST = 0.30  # ems; pdfium widens a stroke's box by about its line width
_MIN_SIZE = 2.5  # points: smaller print cannot be read
_STROKE = 2.2  # points: pdfium's box of the thinnest line that is stroked, not filled
_COVERAGE = 0.5  # least part of a stroke that lies on glyphs; most of a table rule lies on nothing

Interval = tuple[float, float]


def find_strikethroughs(
    rules: Sequence[RuledLine], runs: Iterable[GlyphRun], baseline: float, size: float
) -> list[Interval]:
    """Return the intervals (x) in which `rules` strike print of this `baseline` and `size`.

    They run from left to right and do not overlap. Most of each lies on glyphs of `runs`.
    """
    strokes: list[Interval] = []
    crossing = [rule for rule in rules if _may_strike(rule, baseline, size)]
    for rule in sorted(crossing, key=lambda rule: (rule.left, rule.right)):
        if strokes and rule.left <= strokes[-1][1] + 1.0:
            strokes[-1] = (strokes[-1][0], max(rule.right, strokes[-1][1]))
        else:
            strokes.append((rule.left, rule.right))
    return [stroke for stroke in strokes if stroke_coverage(stroke, runs) >= _COVERAGE]


def stroke_coverage(stroke: Interval, runs: Iterable[GlyphRun]) -> float:
    """The part of a stroke (0 to 1) that lies on glyphs of `runs`."""
    start, end = stroke
    covered = sum(
        max(0.0, min(right, end) - max(left, start))
        for run in runs
        for char, left, right in zip(run.chars, run.lefts, run.rights, strict=True)
        if not char.isspace()
    )
    return covered / max(end - start, 0.1)


def _may_strike(rule: RuledLine, baseline: float, size: float) -> bool:
    """True for a thin rule at the height of letters."""
    lowest, highest = STRIKE_HEIGHTS
    high, low = baseline - highest * size, baseline - lowest * size
    return (
        high <= (rule.top + rule.bottom) / 2 <= low
        and rule.bottom - rule.top <= max(_THICKEST * size, _STROKE)
        and rule.right - rule.left > 0.15 * size
    )


def strikes_piece(bar: RuledLine, piece: RowPiece) -> bool:
    """True if the bar is the stroke that deletes words of the piece."""
    return bar.top < piece.baseline < bar.bottom + 0.6 * piece.size and any(
        span.state == "deleted" and span.left < bar.right and bar.left < span.right
        for span in piece.spans
    )


def is_hidden(run: GlyphRun, content: PageContent) -> bool:
    """True for print that is invisible, tiny or off the page."""
    x, y = (run.lefts[0] + run.rights[-1]) / 2, (run.top + run.bottom) / 2
    off_page = not (0 <= x <= content.width and 0 <= y <= content.height)
    return not run.style.visible or run.style.size < _MIN_SIZE or off_page


def is_scan_with_text(content: PageContent) -> bool:
    """True for a page image under invisible recognised text, which is then the page's text."""
    if not content.runs or any(run.style.visible for run in content.runs):
        return False
    return max(map(box_area, content.images), default=0.0) > 0.4 * content.width * content.height
