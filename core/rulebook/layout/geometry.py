"""Geometry of boxes in reading coordinates: points from the top left of the page."""

from collections.abc import Iterable
from typing import Protocol

from core.rulebook.pdf.page_content import box_around
from core.rulebook.types import Box


class HasEdges(Protocol):
    """Anything with a box on the page: a line, a rule, a picture."""

    @property
    def left(self) -> float: ...
    @property
    def top(self) -> float: ...
    @property
    def right(self) -> float: ...
    @property
    def bottom(self) -> float: ...


def bounding_box(shapes: Iterable[HasEdges]) -> Box:
    """The smallest box around all of `shapes`. Raises ValueError if there are none."""
    return box_around((shape.left, shape.top, shape.right, shape.bottom) for shape in shapes)


def box_area(shape: HasEdges) -> float:
    return (shape.right - shape.left) * (shape.bottom - shape.top)


def contains_point(shape: HasEdges, x: float, y: float, margin: float = 0.0) -> bool:
    """True if the point is within `shape` or at most `margin` points outside."""
    return (
        shape.left - margin <= x <= shape.right + margin
        and shape.top - margin <= y <= shape.bottom + margin
    )


def contains_middle(shape: HasEdges, other: HasEdges, margin: float = 0.0) -> bool:
    """True if the middle of `other` is within `shape`, or at most `margin` points outside."""
    x, y = (other.left + other.right) / 2, (other.top + other.bottom) / 2
    return contains_point(shape, x, y, margin)


def are_close(one: HasEdges, other: HasEdges, distance: float) -> bool:
    """True if two boxes overlap or are at most `distance` points apart."""
    return (
        one.left <= other.right + distance
        and other.left <= one.right + distance
        and one.top <= other.bottom + distance
        and other.top <= one.bottom + distance
    )
