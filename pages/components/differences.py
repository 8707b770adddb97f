"""Two wordings side by side, word by word: what went is struck out, what came is bold. It finds no differences."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from core.library import DiffSegment, SegmentKind
from pages.components.text import escape_markdown

_STYLE: dict[SegmentKind, str] = {
    "same": "{}",
    "deleted": ":red-background[~~{}~~]",
    "inserted": ":green-background[**{}**]",
}
_FOLDED = 60
"""Words alike on both sides from which only their beginning and end are shown."""
_KEPT = 15
_BEGINNING = 120
"""Words shown of a text that stands on one side only."""


def format_side(
    pieces: Sequence[DiffSegment], own_kind: Literal["deleted", "inserted"], whole: bool
) -> str:
    """One side of a comparison in Markdown; long stretches that are alike are folded unless `whole`."""
    shown = [(piece.kind, piece.text) for piece in pieces if piece.kind in ("same", own_kind)]
    return "".join(_dressed(kind, text) for kind, text in (shown if whole else _folded(shown)))


def format_single(text: str, whole: bool) -> str:
    """A text without differences to show, in Markdown."""
    words = _words(text)
    if whole or len(words) <= _BEGINNING:
        return _dressed("same", text)
    return f"{_dressed('same', ''.join(words[:_BEGINNING]))} :gray[… {len(words) - _BEGINNING} more words]"


def _folded(spans: Sequence[tuple[SegmentKind, str]]) -> Iterator[tuple[SegmentKind, str]]:
    last = len(spans) - 1
    for place, (kind, text) in enumerate(spans):
        words = _words(text)
        if kind != "same" or len(words) <= _FOLDED:
            yield kind, text
            continue
        head, tail = 0 if place == 0 else _KEPT, 0 if place == last else _KEPT
        yield kind, "".join(words[:head])
        yield kind, f" … {len(words) - head - tail} words alike … "
        yield kind, "".join(words[len(words) - tail :])


def _words(text: str) -> list[str]:
    """The words of a text, each with the white space after it."""
    return re.findall(r"\S+\s*", text)


def _dressed(kind: SegmentKind, text: str) -> str:
    """A piece as Markdown, its words exactly as they read, its lines kept."""
    return "  \n".join(_line(kind, line) for line in text.split("\n"))


def _line(kind: SegmentKind, line: str) -> str:
    words = escape_markdown(line)
    if not words:
        return " " if line else ""
    before, after = (" " if edge.isspace() else "" for edge in (line[0], line[-1]))
    return f"{before}{_STYLE[kind].format(words)}{after}"
