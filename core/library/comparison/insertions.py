"""Which words of a clause its document marks as inserted."""

import re
from collections.abc import Sequence

from core.library.types import DiffSegment
from core.rulebook import ClauseMark


def split_insertions(
    text: str, marks: Sequence[ClauseMark]
) -> tuple[tuple[DiffSegment, ...], list[ClauseMark]]:
    """Split a text at the inserted words that occur in it exactly once.

    Returns the segments, and the marks that they do not show.
    """
    spans: list[tuple[int, int]] = []
    unplaced: list[ClauseMark] = []
    for mark in marks:
        pattern = r"\s+".join(map(re.escape, mark.text.split()))
        searched = mark.kind == "inserted" and pattern
        found = list(re.finditer(rf"(?<!\w){pattern}(?!\w)", text)) if searched else []
        if len(found) == 1:
            spans.append(found[0].span())
        else:
            unplaced.append(mark)
    pieces: list[DiffSegment] = []
    end = 0
    for start, stop in sorted(spans):
        if start >= end:
            pieces.append(DiffSegment("same", text[end:start]))
            pieces.append(DiffSegment("inserted", text[start:stop]))
            end = stop
    return (*pieces, DiffSegment("same", text[end:])), unplaced
