"""What the marks on a page say of each glyph: struck through, hidden, or plainly there.

Works on places alone. What a colour means is for the whole document to say (see `colors_of_insertions`).
"""

from collections.abc import Iterable, Sequence

from core.rulebook.pdf.page_content import Area, GlyphRun, PageContent, RuledLine, rgb_channels

# A stroke that deletes crosses the glyphs between their feet and the height of a capital: measured from the
# baseline upwards, in ems. Underlines lie below, table rules above or further below.
_LOWEST, _HIGHEST = 0.08, 0.50
_THICKEST = 0.30  # ems; pdfium widens a stroke's box by about its line width
_SMALLEST = 2.5  # points: smaller print cannot be read
_STROKE = 2.2  # points: what pdfium gives for the thinnest line that is stroked, not filled
_COVER = 0.5  # least part of a stroke that lies on glyphs; a table rule runs mostly over nothing
_ALIKE = 24  # of 255: colours closer than this cannot be told apart

Interval = tuple[float, float]


def find_strikethroughs(
    rules: Sequence[RuledLine], runs: Iterable[GlyphRun], baseline: float, size: float
) -> list[Interval]:
    """The stretches of a line of text that are struck through, left to right, not overlapping."""
    high, low = baseline - _HIGHEST * size, baseline - _LOWEST * size
    crossing = sorted(
        (rule.left, rule.right)
        for rule in rules
        if high <= (rule.top + rule.bottom) / 2 <= low
        and rule.bottom - rule.top <= max(_THICKEST * size, _STROKE)
        and rule.right - rule.left > 0.15 * size
    )
    if not crossing:
        return []
    inked = sorted(
        (left, right)
        for run in runs
        for char, left, right in zip(run.chars, run.lefts, run.rights, strict=True)
        if not char.isspace()
    )
    return [stroke for stroke in _merged(crossing) if _covered(stroke, inked) >= _COVER]


def is_struck(left: float, right: float, strokes: Sequence[Interval]) -> bool:
    """True where the middle of a glyph lies under a stroke."""
    middle = (left + right) / 2
    return any(start <= middle <= end for start, end in strokes)


def is_hidden(run: GlyphRun, content: PageContent) -> bool:
    """Text a reader of the page cannot see: invisible, off the page, tiny, or of its background's colour."""
    middle, height = (run.lefts[0] + run.rights[-1]) / 2, (run.top + run.bottom) / 2
    off_page = not (0 <= middle <= content.width and 0 <= height <= content.height)
    if not run.style.visible or run.style.size < _SMALLEST or off_page:
        return True
    if min(rgb_channels(run.style.color)) < 255 - _ALIKE:
        background = _fill_at(middle, height, content.fills)
        return background is not None and _alike(run.style.color, background.color)
    return not any(
        _holds(area, middle, height) for area in (*content.images, *content.drawings)
    ) and (
        (fill := _fill_at(middle, height, content.fills)) is None
        or _alike(run.style.color, fill.color)
    )


def is_scan_with_text(content: PageContent) -> bool:
    """True for the image of a page with recognised text laid invisibly over it: that text is the page's text."""
    if not content.runs or any(run.style.visible for run in content.runs):
        return False
    largest = max(((a.right - a.left) * (a.bottom - a.top) for a in content.images), default=0.0)
    return largest > 0.4 * content.width * content.height


def _merged(intervals: Iterable[Interval]) -> list[Interval]:
    merged: list[Interval] = []
    for start, end in intervals:
        if merged and start <= merged[-1][1] + 1.0:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _covered(stroke: Interval, inked: Sequence[Interval]) -> float:
    start, end = stroke
    return sum(max(0.0, min(right, end) - max(left, start)) for left, right in inked) / max(
        end - start, 0.1
    )


def _holds(area: Area, x: float, y: float) -> bool:
    return area.left <= x <= area.right and area.top <= y <= area.bottom


def _fill_at(x: float, y: float, fills: Sequence[Area]) -> Area | None:
    return next((fill for fill in reversed(fills) if _holds(fill, x, y)), None)


def _alike(one: int, other: int) -> bool:
    return all(
        abs(a - b) < _ALIKE for a, b in zip(rgb_channels(one), rgb_channels(other), strict=True)
    )
