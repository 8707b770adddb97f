"""Short lists printed in two columns: "a. b. c." on the left, "d. e." beside them, between lines of full width.

Too few rows for the layout to see columns; the markers of the items tell that the right side goes on from the left.
"""

import re
from collections.abc import Iterator

from core.rulebook.layout.lines import RowPiece, TextRow

_MARKER = re.compile(r"\(?([a-z]|\d{1,2})[.)](?=\s|$)|[•▪–](?=\s|$)")
_ALIGNED = 3.0  # points by which the items of a list may differ in where they begin
_BULLETS = (
    2  # items on the right, from which bullets make a list: they have no order that could tell
)


def find_column_lists(rows: list[TextRow]) -> Iterator[tuple[int, int, float]]:
    """Where such lists stand among a page's rows: the first row, the one after the last, the x between the sides."""
    start = 0
    while start < len(rows):
        end = start + 1
        if (x := _second(rows[start])) is not None:
            last = _end(rows, start, x)
            if _goes_on(*_sides(rows[start:last], x)):
                yield start, last, x
                end = last
        start = end


def split_columns(rows: list[TextRow], x: float) -> tuple[list[TextRow], list[TextRow]]:
    """The rows of the left side, and those of the right."""
    left, right = _sides(rows, x)
    return [row for row in left if row], [row for row in right if row]


def _sides(rows: list[TextRow], x: float) -> tuple[list[TextRow], list[TextRow]]:
    return (
        [[piece for piece in row if piece.left < x] for row in rows],
        [[piece for piece in row if piece.left >= x] for row in rows],
    )


def _second(row: TextRow) -> float | None:
    """Where a row has its second item, if it begins with one and has another."""
    if not _MARKER.match(row[0].text):
        return None
    return next((piece.left - _ALIGNED for piece in row[1:] if _MARKER.match(piece.text)), None)


def _end(rows: list[TextRow], start: int, x: float) -> int:
    """The row that is no longer of the list: it runs over both sides, or begins as far left without an item."""
    margin = rows[start][0].left
    for number in range(start + 1, len(rows)):
        first = rows[number][0]
        outside = first.left < margin - _ALIGNED or (
            first.left < margin + _ALIGNED and not _MARKER.match(first.text)
        )
        if outside or any(piece.left < x < piece.right for piece in rows[number]):
            return number
    return len(rows)


def _goes_on(left: list[TextRow], right: list[TextRow]) -> bool:
    """True where the items of the right follow on those of the left."""
    before, after = (
        [mark for row in side if row and (mark := _mark(row[0]))] for side in (left, right)
    )
    if not before or not after:
        return False
    if before[-1] == after[0] and not after[0].isalnum():
        return len(after) >= _BULLETS
    return _next(before[-1]) == after[0]


def _mark(piece: RowPiece) -> str:
    found = _MARKER.match(piece.text)
    return "" if found is None else found[1] or found[0]


def _next(mark: str) -> str:
    if mark.isdigit():
        return str(int(mark) + 1)
    return chr(ord(mark) + 1) if mark.isalpha() else ""
