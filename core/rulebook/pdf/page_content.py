"""A page as it is drawn: runs of glyphs with places and styles, rules, filled areas, images, links. Values only.

Reading coordinates: points from the top left corner, the page turned so that most of its text runs left to right.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from core.rulebook.types import Box


class Style(NamedTuple):
    """How glyphs look. `size` in points as printed, `color` 0xRRGGBB, `seen` False for invisible rendering."""

    font: str
    size: float
    bold: bool
    italic: bool
    color: int
    visible: bool


def rgb_channels(color: int) -> tuple[int, int, int]:
    """Red, green and blue of a colour, 0 to 255."""
    return color >> 16 & 255, color >> 8 & 255, color & 255


class RuledLine(NamedTuple):
    """A thin straight line or bar, horizontal or vertical, in reading coordinates."""

    left: float
    top: float
    right: float
    bottom: float
    color: int


class Area(NamedTuple):
    """A box that is filled, or taken by an image or a drawing."""

    left: float
    top: float
    right: float
    bottom: float
    color: int


@dataclass(slots=True)
class GlyphRun:
    """Glyphs of one style on one baseline, left to right, without a gap as wide as a space.

    `lefts` and `rights` are the glyphs' edges; `spaced` tells that pdfium saw a space before the run.
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


@dataclass(slots=True)
class PageContent:
    """One page. Reading coordinates: points from the top left corner, turned so that most text runs left to right.

    `turn` counts the quarter turns (clockwise) from the page as displayed to the page as read.
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

    def to_display(self, box: Box) -> Box:
        """A box in reading coordinates as a box on the page as displayed."""
        return to_display_box(box, self.turn, (self.width, self.height))


def to_display_box(box: Box, turn: int, size: tuple[float, float]) -> Box:
    """A box on a page that was turned to be read (`turn` quarter turns, `size` as read), on the page as displayed."""
    (left, top, right, bottom), (width, height) = box, size
    match turn:
        case 1:
            return height - bottom, left, height - top, right
        case 2:
            return width - right, height - bottom, width - left, height - top
        case 3:
            return top, width - right, bottom, width - left
    return box


class AffineTransform(NamedTuple):
    """The affine map from PDF user space to reading coordinates: x' = a*x + c*y + e, y' = b*x + d*y + f."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def map_point(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def map_box(
        self, left: float, bottom: float, right: float, top: float
    ) -> tuple[float, float, float, float]:
        if not self.b and not self.c and self.a > 0 > self.d:
            return (
                self.a * left + self.e,
                self.d * top + self.f,
                self.a * right + self.e,
                self.d * bottom + self.f,
            )
        x0, y0 = self.map_point(left, bottom)
        x1, y1 = self.map_point(right, top)
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)

    def compose(self, other: "AffineTransform") -> "AffineTransform":
        """The map that applies `other` first."""
        e, f = self.map_point(other.e, other.f)
        a, b = self.a * other.a + self.c * other.b, self.b * other.a + self.d * other.b
        c, d = self.a * other.c + self.c * other.d, self.b * other.c + self.d * other.d
        return AffineTransform(a, b, c, d, e, f)


def display_transform(rotation: int, box: tuple[float, float, float, float]) -> AffineTransform:
    """From user space to the page as displayed: `rotation` in quarter turns, `box` its left, bottom, right, top."""
    left, bottom, right, top = box
    return (
        AffineTransform(1, 0, 0, -1, -left, top),
        AffineTransform(0, 1, 1, 0, -bottom, -left),
        AffineTransform(-1, 0, 0, 1, right, -bottom),
        AffineTransform(0, -1, -1, 0, top, right),
    )[rotation]


def reading_transform(turn: int, width: float, height: float) -> AffineTransform:
    """From the page as displayed, of `width` and `height`, to reading coordinates, `turn` quarter turns away."""
    return (
        AffineTransform(1, 0, 0, 1, 0, 0),
        AffineTransform(0, -1, 1, 0, 0, width),
        AffineTransform(-1, 0, 0, -1, width, height),
        AffineTransform(0, 1, -1, 0, height, 0),
    )[turn]
