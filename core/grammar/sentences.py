"""Split a text into the sentences that can be quoted, and fold texts to compare them."""

import re
from functools import lru_cache

from core.grammar.numbering import has_marker

_SENTENCE_END = re.compile(r"(?<=[.;!?])[\"”’)]*\s+(?=[\"“‘(]?[A-Z0-9])")
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|etc|cf|No|Nos|Art|Arts|Abs|al|approx|min|max|vs|Mr|Mrs|Ltd|(?<!\d\s)[A-Z])\.$|\d\s?(?:in|ins|ft|lb|lbs|sq)\.$"
)


@lru_cache(maxsize=4_000)
def split_sentences(text: str) -> tuple[str, ...]:
    """Split a clause's text into sentences, each within one line; a table row is one."""
    lines = map(str.strip, text.splitlines())
    return tuple(piece for line in lines for piece in _split_line(line) if piece)


def _split_line(line: str) -> list[str]:
    if line.startswith("|"):
        return [line]
    pieces: list[list[str]] = []
    for piece in _SENTENCE_END.split(line):
        before = pieces[-1] if pieces else [""]
        is_item_mark = before[0] and len(before) == 1 and has_marker(f"{before[0]} x")
        if (is_item_mark and " " not in before[0]) or _ABBREVIATION.search(before[-1]):
            before.append(piece)
        else:
            pieces.append([piece])
    return list(map(" ".join, pieces))


@lru_cache(maxsize=4_000)
def alphanumeric_only(text: str) -> str:
    """Return letters and digits in lower case, to compare texts apart from spaces and signs."""
    return "".join(filter(str.isalnum, text.casefold()))
