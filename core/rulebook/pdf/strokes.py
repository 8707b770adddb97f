"""Strokes through print, by what is drawn: those that can be seen, of whatever shape they are.

Rules that lie where a stroke would delete print must change the picture of the page without its
text. Where drawings, images or annotations lie on print, that picture is searched for strokes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from core.rulebook.pdf.glyph_shapes import UNKNOWN
from core.rulebook.pdf.page_content import (
    STRIKE_HEIGHTS,
    Point,
    RuledLine,
    box_around,
    intersection,
    shared_area,
)
from core.rulebook.pdf.page_pictures import InkMap
from core.rulebook.pdf.visibility import MIDDLE_HEIGHT, TALLEST, PagePrint, PrintedRun
from core.rulebook.types import Box

_LOWEST, _HIGHEST = 0.05, 0.70
"""Ems above the baseline, between which letters have their bodies: capitals of the standard fonts
reach 0.56 to 0.72."""
_MARGIN = 3.0  # points around a rule in which its edges are: pdfium tells the middle of some
_MIN_VISIBLE = 0.25  # of a rule's length: a dashed line shows less than half
_CROSSED = 0.6  # of the letters of a run
_TEXTURE = 0.45  # of the area of letters: so much is a picture behind them, not a stroke
_FILLED = 0.45  # of the box of a slanted line: lines of text with usual spaces between them
_MOST = 0.7  # of a run in a box, and of the points of a line that are drawn
_SAMPLES = 24  # points of a line
_NEAR, _BEND = 1.5, 0.04  # points, and part of its height, by which a line may be beside a diagonal
_BESIDE = 0.5  # of the points beside it: another line crosses there
_DENSER = 2.0  # times the ink beside print has a stroke that is drawn for it
_WORD = re.compile(r"\S+")
_THICKEST = 0.6  # ems: a higher bar is a background


def select_strokes(page: PagePrint) -> list[RuledLine]:
    """Return the horizontal rules and bars of a page without those through print that are unseen.

    Rules away from print are not looked at.
    """
    content = page.content
    rules = [rule for rule in content.rules if rule.right - rule.left > rule.bottom - rule.top]
    for fill in content.fills:  # a bar as high as the body of letters
        middle = (fill.top + fill.bottom) / 2
        bar = RuledLine(fill.left, middle - 0.5, fill.right, middle + 0.5, fill.color)
        height = fill.bottom - fill.top
        if any(height <= _THICKEST * printed.size for printed in _runs_on_stroke(bar, page)):
            rules.append(bar)
    selected = []
    for rule in rules:
        box = (rule.left, rule.top - _MARGIN, rule.right, rule.bottom + _MARGIN)
        shares = (_ink_share(edges.columns(box)) for edges in page.pictures.edges_around(box))
        if not any(_runs_on_stroke(rule, page)) or any(s >= _MIN_VISIBLE for s in shares):
            selected.append(rule)
    return selected


def _runs_on_stroke(rule: RuledLine, page: PagePrint) -> Iterator[PrintedRun]:
    """The runs that a stroke lies on where it would delete print."""
    middle = (rule.top + rule.bottom) / 2
    for printed in page.runs_between(rule.top, rule.bottom + TALLEST):
        above, size = printed.baseline - middle, printed.size
        beside = rule.left >= printed.box[2] or rule.right <= printed.box[0]
        lowest, highest = STRIKE_HEIGHTS
        if lowest * size <= above <= highest * size and not beside:
            yield printed


def mark_struck(
    doubtful: Iterable[PrintedRun],
    rings: Iterable[Sequence[Point]],
    drawings: Iterable[Box],
    page: PagePrint,
) -> None:
    """Add flaws to doubtful print that a stroke crosses, whole runs or some of their words.

    A closed line around words, of the `rings` among the `drawings`, is none: a mark of attention.
    A stroke has edges in most columns of the print, and is thin: a texture behind it is not. One
    through a single word has no gaps, which the letters of other words there have.
    """
    around = {box_around(point * 2 for point in ring): ring for ring in rings}
    others = set(drawings) - around.keys()
    for printed in doubtful:
        if printed.is_unseen or _has_only_rings(printed, around, others):
            continue
        crossing = _Crossing(printed, page)
        left, _, right, _ = printed.box
        body = crossing.body_between(left, right)
        if not page.pictures.edges_in(body).has_ink(body):
            continue
        if crossing.crosses(left, right):
            printed.doubt_whole("deleted")
            continue
        lefts, rights = printed.edges
        for word in _WORD.finditer("".join(char[:1] or " " for char in printed.run.chars)):
            span = slice(*word.span())
            left, right = min(lefts[span]), max(rights[span])
            if crossing.crosses(left, right, unbroken=True):
                printed.doubt(left, right, "deleted")
                continue
            digits = [
                index
                for index in range(*word.span())
                if printed.run.chars[index].isdigit()
                and crossing.crosses(lefts[index], rights[index], unbroken=True)
            ]
            if len(digits) == 1:  # a shadow crosses several
                printed.doubt(lefts[digits[0]], rights[digits[0]], "differs", UNKNOWN)


def _has_only_rings(
    printed: PrintedRun, rings: Mapping[Box, Sequence[Point]], others: Iterable[Box]
) -> bool:
    """True for print that only closed lines around words are drawn over."""
    around = [ring for box, ring in rings.items() if shared_area(box, printed.box)]
    is_free = not any(shared_area(box, printed.box) for box in others)
    return bool(around) and is_free and all(_goes_around(ring, printed) for ring in around)


def _goes_around(ring: Sequence[Point], printed: PrintedRun) -> bool:
    """True for a line as high as the letters that crosses them at its two ends at most."""
    middle = printed.baseline - MIDDLE_HEIGHT * printed.size
    left, _, right, _ = printed.box
    crossed = sum(
        min(y0, y1) <= middle < max(y0, y1) and max(x0, x1) > left and min(x0, x1) < right
        for (x0, y0), (x1, y1) in pairwise([*ring, ring[0]])
    )
    reach = MIDDLE_HEIGHT * printed.size
    _, top, _, bottom = box_around(point * 2 for point in ring)
    return crossed <= 2 and top <= middle - reach and bottom >= middle + reach


@dataclass
class _Crossing:
    """What crosses a run, at one pixel a point and then enlarged."""

    printed: PrintedRun
    page: PagePrint

    def body_between(self, left: float, right: float) -> Box:
        """Where the letters between two edges have their bodies."""
        baseline, size = self.printed.baseline, self.printed.size
        return left, baseline - _HIGHEST * size, right, baseline - _LOWEST * size

    def crosses(self, left: float, right: float, *, unbroken: bool = False) -> bool:
        """Return True if a stroke, or one without a gap, crosses the letters between two edges."""
        body = self.body_between(left, right)
        if _ink_share(self.page.pictures.drawn_edges.columns(body)) < _CROSSED:
            return False
        if self._goes_on_beside(body):
            return False
        if self._close.share(body) > _TEXTURE:
            return False
        columns = self._close.columns(body)
        longest = max(map(len, columns.split(b"\0")))
        share = longest / max(1, len(columns)) if unbroken else _ink_share(columns)
        return share >= _CROSSED

    @cached_property
    def _close(self) -> InkMap:
        left, _, right, _ = self.printed.box
        return self.page.pictures.close_edges(self.body_between(left, right))

    def _goes_on_beside(self, body: Box) -> bool:
        """True if what crosses print is about as dense beside it: the background, no stroke."""
        size = self.printed.size
        left, top, right, bottom = self.page.pictures.faintest_edges.reach(body)
        around = (left - size, top - size, right + size, bottom + size)
        boxes = [intersection(each.box, around) for each in self.page.runs_under(around)]
        areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in boxes]
        share = self.page.pictures.drawn_edges.share
        on_print = sum(share(box) * area for box, area in zip(boxes, areas, strict=True))
        whole = (around[2] - around[0]) * (around[3] - around[1])
        beside = share(around) * whole - on_print
        return beside * sum(areas) * _DENSER > on_print * (whole - sum(areas))


def mark_crossed_out(boxes: Iterable[Box], page: PagePrint) -> None:
    """Add flaws to the lines of a text that a cross or a slanted line crosses out as a whole.

    `boxes` are those of drawings, pictures and annotations. Their ink runs along a diagonal, and
    the lines fill the box; the lettering of a drawing does not.
    """
    for box in boxes:
        if lines_in(box, page):
            around = page.pictures.drawn_edges.ink_within(box)
            inside = lines_in(around, page)
            if inside and _has_diagonal(around, page.pictures.drawn_edges):
                for printed in inside:
                    printed.doubt_whole("deleted")


def lines_in(box: Box, page: PagePrint) -> list[PrintedRun]:
    """Return the runs in a box if they are several lines that fill it."""
    left, top, right, bottom = box
    inside = [
        printed
        for printed in page.runs_under(box)
        if top <= (printed.box[1] + printed.box[3]) / 2 <= bottom
        and printed.shared_width(box) >= _MOST * printed.width
    ]
    filled = sum(printed.width * printed.size for printed in inside)
    several = len({round(printed.baseline) for printed in inside}) > 1
    full = filled >= _FILLED * (right - left) * (bottom - top)
    return inside if several and full else []


def _has_diagonal(box: Box, edges: InkMap) -> bool:
    """True if there is ink at most points of a diagonal, and little beside it."""
    left, top, right, bottom = box
    height = bottom - top
    beside = height / 4
    for start, end in ((top, bottom), (bottom, top)):
        on, above, below = (
            _drawn_share((left, start + shift), (right, end + shift), box, edges)
            for shift in (0.0, -beside, beside)
        )
        if on >= _MOST and max(above, below) <= _BESIDE:
            return True
    return False


def _drawn_share(start: Point, end: Point, box: Box, edges: InkMap) -> float:
    """Which part of a line, where it is in a box, has ink."""
    (x0, y0), (x1, y1) = start, end
    near = _NEAR + _BEND * (box[3] - box[1])
    points = [
        (x0 + (x1 - x0) * part / _SAMPLES, y0 + (y1 - y0) * part / _SAMPLES)
        for part in range(1, _SAMPLES)
    ]
    points = [point for point in points if box[1] <= point[1] <= box[3]]
    found = sum(edges.has_ink((x - 1, y - near, x + 1, y + near)) for x, y in points)
    return found / max(1, len(points))


def _ink_share(columns: bytes) -> float:
    return 1 - columns.count(0) / len(columns) if columns else 0.0
