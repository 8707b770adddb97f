"""Words that stand out, as Markdown, in a text whose long unchanged stretches are folded."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeVar

from core.language import Language
from core.library.types import DiffSegment, SegmentKind
from core.markdown_escape import style_text
from core.rulebook import ClauseMark

Kind = TypeVar("Kind")
Style = SegmentKind | Literal["found"]
_STYLE: dict[Style, str] = {
    "same": "{}",
    "deleted": ":red-background[~~{}~~]",
    "inserted": ":green-background[**{}**]",
    "found": ":orange-background[**{}**]",
}
_LONGEST_UNFOLDED = 60
"""Unchanged words in a row that are shown in full. Longer stretches are folded."""
_CONTEXT = 15
"""Words shown on either side of a fold."""
_BEGINNING = 120
"""Words shown of a text that is on one side only."""


def split_spaced_words(text: str) -> list[str]:
    """Return the words of a text, each with the white space after it."""
    return re.findall(r"\S+\s*", text)


def fold_spans(
    spans: Sequence[tuple[Kind, str]], folded: Kind, context: int, longest: int = 0
) -> Iterator[tuple[Kind, str] | int]:
    """Yield spans, those of the `folded` kind with a number in place of their middle words.

    `context` is how many words are shown on either side of a fold where another span follows there;
    of `longest` words and fewer nothing is folded.
    """
    for place, (kind, text) in enumerate(spans):
        words = split_spaced_words(text)
        head, tail = context * (place > 0), context * (place < len(spans) - 1)
        if kind != folded or len(words) <= max(longest, head + tail + 1):
            yield kind, text
            continue
        if head:
            yield kind, "".join(words[:head])
        yield len(words) - head - tail
        if tail:
            yield kind, "".join(words[len(words) - tail :])


def format_side(
    language: Language,
    pieces: Sequence[DiffSegment],
    own_kind: Literal["deleted", "inserted"],
    whole: bool,
) -> str:
    """Format one side of a comparison. Long unchanged stretches are folded unless `whole`."""
    spans: list[tuple[Style, str]] = [
        (piece.kind, piece.text) for piece in pieces if piece.kind in ("same", own_kind)
    ]
    shown = spans if whole else _fold(language, spans, "unchanged")
    return "".join(_style(kind, text) for kind, text in shown)


def format_found(language: Language, runs: Iterable[tuple[bool, str]]) -> str:
    """Format a text with the words that were found. Long stretches without any are folded."""
    spans: list[tuple[Style, str]] = [("found" if found else "same", text) for found, text in runs]
    return "".join(_style(kind, text) for kind, text in _fold(language, spans, "more"))


def format_single(language: Language, text: str, whole: bool) -> str:
    """Format a text without differences. A long one is cut unless `whole`."""
    words = split_spaced_words(text)
    if whole or len(words) <= _BEGINNING:
        return _style("same", text)
    beginning, rest = _style("same", "".join(words[:_BEGINNING])), len(words) - _BEGINNING
    return f"{beginning} {language.say('fold-rest', count=rest)}"


def _fold(
    language: Language, spans: Sequence[tuple[Style, str]], which: Literal["unchanged", "more"]
) -> Iterator[tuple[Style, str]]:
    for piece in fold_spans(spans, "same", _CONTEXT, _LONGEST_UNFOLDED):
        if isinstance(piece, int):
            yield "same", f" {language.say(f'fold-{which}', count=piece)} "
        else:
            yield piece


def _style(kind: Style, text: str) -> str:
    return style_text(text, _STYLE[kind])


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
