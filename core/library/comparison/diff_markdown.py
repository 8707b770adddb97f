"""Words that stand out, as Markdown: deleted ones struck out, inserted and found ones bold."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from core.language import Language
from core.library.comparison.folded_text import fold_spans, split_spaced_words
from core.library.types import DiffSegment, SegmentKind
from core.markdown_escape import style_text

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
