"""A text in spans, shown with its long unchanged stretches folded: the differences stay in view."""

import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

Kind = TypeVar("Kind")


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
