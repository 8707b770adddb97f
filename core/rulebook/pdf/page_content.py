"""A page as it is drawn: runs of glyphs with positions and styles, rules, fills, images, links.

Values only. Reading coordinates are points from the top left corner of the page, turned so that
most of its text runs from left to right.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from core.rulebook.types import Box

Point: TypeAlias = tuple[float, float]
PdfBox: TypeAlias = tuple[float, float, float, float]
"""Left, bottom, right, top in PDF user space, where y grows upwards."""


def box_around(boxes: Iterable[Box]) -> Box:
    """Return the box around all boxes."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def intersection(one: Box, other: Box) -> Box:
    """Return the box that is in both; its edges are in the wrong order for boxes apart."""
    left, top, right, bottom = one
    return max(left, other[0]), max(top, other[1]), min(right, other[2]), min(bottom, other[3])


def shared_area(one: Box, other: Box) -> float:
    """Return the area that two boxes share, 0 for boxes apart."""
    left, top, right, bottom = intersection(one, other)
    return max(0.0, right - left) * max(0.0, bottom - top)


class Style(NamedTuple):
    """How glyphs look. `size` is points as printed, `color` 0xRRGGBB."""

    font: str
    size: float
    bold: bool
    italic: bool
    color: int
    visible: bool


def rgb_channels(color: int) -> tuple[int, int, int]:
    """Return red, green and blue of a colour, 0 to 255."""
    return color >> 16 & 255, color >> 8 & 255, color & 255


WHITE = 0xFFFFFF
_LIGHT = 175  # of 255: a darker colour is clear on white paper, and 255 is white


def is_light_color(color: int) -> bool:
    """True for a colour that is not clear on white paper."""
    return min(rgb_channels(color)) > _LIGHT


def color_distance(one: int, other: int) -> int:
    """The largest difference of a channel."""
    channels = zip(rgb_channels(one), rgb_channels(other), strict=True)
    return max(abs(a - b) for a, b in channels)


class Area(NamedTuple):
    """A box that is filled, or taken by an image or a drawing."""

    left: float
    top: float
    right: float
    bottom: float
    color: int


STRIKE_HEIGHTS = 0.08, 0.50
"""Ems above the baseline between which a rule deletes: it crosses letters between their feet and
the height of a capital. Underlines lie below, table rules above or further below. The strokes of
`tests/rulebook/test_any_marks.py` lie at 0.12 to 0.46, its other lines up to 0.02 and from 0.62."""


class RuledLine(Area):
    """A thin straight line or bar, horizontal or vertical."""

    __slots__ = ()


class PageNote(NamedTuple):
    """What a person should know of the page, as a warning of this code."""

    code: str
    message: str


FlawKind: TypeAlias = Literal["hidden", "deleted", "differs"]


class Flaw(NamedTuple):
    """A part of a run, from `left` to `right`, whose words are not what a person sees there."""

    left: float
    right: float
    kind: FlawKind
    shown: str = ""
    """What the page shows in its place, if that is known."""


@dataclass(slots=True)
class GlyphRun:
    """Glyphs of one style on one baseline, left to right, without a gap as wide as a space.

    `lefts` and `rights` are the edges of the glyphs; `space_before` is true if pdfium saw a space.
    """

    chars: list[str]
    lefts: list[float]
    rights: list[float]
    top: float
    bottom: float
    baseline: float
    style: Style
    space_before: bool
    upright: bool
    in_one_box: bool = False
    """True if only the blanks at its ends were placed apart: there is no gap among its words."""
    flaws: list[Flaw] = field(default_factory=list)
    """Empty for nearly all runs; with any, each glyph has its own edges."""

    def flaw_at(self, x: float) -> Flaw | None:
        """Return the flaw of the glyph there, which is not seen as it is stored; None for none."""
        return next((flaw for flaw in self.flaws if flaw.left <= x <= flaw.right), None)

    def add_flaws(self, flaws: Sequence[Flaw], edges: tuple[list[float], list[float]]) -> None:
        """Add flaws, if there are any, with the left and right edges of all glyphs."""
        if flaws:
            self.flaws += flaws
            self.lefts, self.rights = edges
            self.in_one_box = False


@dataclass(slots=True)
class PageContent:
    """One page, in reading coordinates.

    `turn` counts clockwise quarter turns from the page as displayed to the page as read.
    """

    number: int
    width: float
    height: float
    turn: int
    runs: list[GlyphRun]
    rules: list[RuledLine] = field(default_factory=list)
    fills: list[Area] = field(default_factory=list)
    images: list[Area] = field(default_factory=list)
    drawings: list[Area] = field(default_factory=list)
    links: list[Area] = field(default_factory=list)
    strokes: list[RuledLine] = field(default_factory=list)
    """The horizontal rules that can be seen, and other strokes through print."""
    notes: list[PageNote] = field(default_factory=list)

    def to_display(self, box: Box) -> Box:
        return to_display_box(box, self.turn, (self.width, self.height))


def to_display_box(box: Box, turn: int, size: tuple[float, float]) -> Box:
    """Map a box in reading coordinates to the page as displayed; `size` is of the page as read."""
    (left, top, right, bottom), (width, height) = box, size
    return (
        (left, top, right, bottom),
        (height - bottom, left, height - top, right),
        (width - right, height - bottom, width - left, height - top),
        (top, width - right, bottom, width - left),
    )[turn]


class AffineTransform(NamedTuple):
    """The map x' = a*x + c*y + e, y' = b*x + d*y + f."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def map_point(self, x: float, y: float) -> Point:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def map_direction(self, x: float, y: float) -> Point:
        return self.a * x + self.c * y, self.b * x + self.d * y

    def map_box(self, left: float, bottom: float, right: float, top: float) -> Box:
        if not self.b and not self.c and self.a > 0 > self.d:
            a, d, e, f = self.a, self.d, self.e, self.f
            return a * left + e, d * top + f, a * right + e, d * bottom + f
        x0, y0 = self.map_point(left, bottom)
        x1, y1 = self.map_point(right, top)
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)

    def map_boxes(self, boxes: Iterable[PdfBox]) -> list[Box]:
        """Map many boxes, as most pages have them without a call for each."""
        a, b, c, d, e, f = self
        if b or c or a < 0 or d > 0:
            return [self.map_box(*box) for box in boxes]
        return [
            (a * left + e, d * top + f, a * right + e, d * bottom + f)
            for left, bottom, right, top in boxes
        ]

    def compose(self, other: "AffineTransform") -> "AffineTransform":
        """Return the map that applies `other` first."""
        a, b = self.map_direction(other.a, other.b)
        c, d = self.map_direction(other.c, other.d)
        return AffineTransform(a, b, c, d, *self.map_point(other.e, other.f))


def display_transform(rotation: int, box: PdfBox) -> AffineTransform:
    """Map user space to the page as displayed: `rotation` in quarter turns, `box` of the page."""
    left, bottom, right, top = box
    return (
        AffineTransform(1, 0, 0, -1, -left, top),
        AffineTransform(0, 1, 1, 0, -bottom, -left),
        AffineTransform(-1, 0, 0, 1, right, -bottom),
        AffineTransform(0, -1, -1, 0, top, right),
    )[rotation]


def reading_transform(turn: int, width: float, height: float) -> AffineTransform:
    """Map the page as displayed, of `width` and `height`, to reading coordinates."""
    return (
        AffineTransform(1, 0, 0, 1, 0, 0),
        AffineTransform(0, -1, 1, 0, 0, width),
        AffineTransform(-1, 0, 0, -1, width, height),
        AffineTransform(0, 1, -1, 0, height, 0),
    )[turn]
