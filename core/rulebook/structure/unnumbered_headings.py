"""Headings without a number: lines that stand out from the text by print or by the space around."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.rulebook.layout.blocks import Block, Line
from core.rulebook.layout.text import is_bullet, line_text
from core.rulebook.structure.families import CAPTION, BodyPrint
from core.rulebook.structure.numbering import has_marker
from core.rulebook.structure.section_titles import SENTENCE_VERB

_MOST_WORDS = 12
_LARGER = 1.12  # times the size of the text: larger print is that of a heading
_APART = 1.35  # times the size of the print, from baseline to baseline
_NO_END = (".", ";", ",", "-", "\u00ad", "…")


class Prominence(NamedTuple):
    """How much a line stands out; the larger of two headings is above the other."""

    size: float
    bold: bool
    capitals: bool

    def stands_out(self, body: BodyPrint) -> bool:
        """True for print that is larger than the text, or bold or capitals among other text."""
        larger = self.size > _LARGER * body.size
        capitals = self.capitals and self.size >= round(body.size, 1)
        return larger or capitals or (self.bold and not body.bold)


def find_unnumbered_headings(
    blocks: Sequence[Block], body: BodyPrint
) -> Iterator[tuple[int, Prominence]]:
    """Yield the index of each unnumbered heading among the blocks, and how much it stands out."""
    around = zip([None, *blocks], blocks, [*blocks[1:], None], strict=False)
    for index, (before, line, after) in enumerate(around):
        if isinstance(line, Line) and _may_name(line):
            prominence = prominence_of(line)
            is_apart = _is_apart(before, line)
            if prominence.stands_out(body):
                if _is_between_texts(before, after, prominence, is_apart=is_apart):
                    yield index, prominence
            elif is_apart and _is_apart(line, after) and _is_name(line, after, body):
                yield index, prominence


def _is_between_texts(
    before: Block | None, after: Block | None, prominence: Prominence, *, is_apart: bool
) -> bool:
    """True unless the sentence above a line, or that of the line, goes on in other print."""
    ends = is_apart
    if not is_apart and isinstance(before, Line):
        stops = line_text(before).endswith((".", ";", ":", "!", "?", "”", ")"))
        ends = stops and prominence_of(before) != prominence
    goes_on = isinstance(after, Line) and line_text(after)[:1].islower()
    return ends and not (goes_on and isinstance(after, Line) and prominence_of(after) != prominence)


def prominence_of(line: Line) -> Prominence:
    """The print of a line: of all its words, numbers aside."""
    words = [span for span in line.spans if any(map(str.isalpha, span.text))]
    text = line_text(line)
    bold = bool(words) and all(span.style.bold for span in words)
    capitals = text.isupper() and sum(map(str.isalpha, text)) > 3
    return Prominence(round(line.size, 1), bold, capitals)


def _may_name(line: Line) -> bool:
    """True for a few words that begin like a name and are not the end of a sentence."""
    text = line_text(line)
    words = text.split()
    return (
        0 < len(words) <= _MOST_WORDS
        and (text[0].isupper() or (not text[0].islower() and text[0].isalpha()))
        and not text.endswith(_NO_END)
        and not has_marker(text)
        and not is_bullet(words[0])
        and not CAPTION.match(text)
        and sum(map(str.isalpha, text)) > 2
    )


def _is_name(line: Line, after: Block | None, body: BodyPrint) -> bool:
    """True for words in the print of the text that are no sentence, above text that begins one."""
    text = line_text(line)
    long = [word for word in text.split() if len(word) > 3]
    below = line_text(after) if isinstance(after, Line) else ""
    capitals = sum(word[0].isupper() for word in long) >= 0.7 * len(long)
    return (
        bool(long)
        and capitals
        and line.size > body.size - 0.5
        and text[-1] not in "”»"
        and below[:1].isupper()
        and not text.endswith(":")
        and not SENTENCE_VERB.search(text)
    )


def _is_apart(before: Block | None, after: Block | None) -> bool:
    """True if more space than in a paragraph, or no other line, is between two blocks."""
    if not isinstance(before, Line) or not isinstance(after, Line):
        return True
    gap = after.baseline - before.baseline
    other_place = before.page != after.page or before.column != after.column
    return other_place or gap > _APART * max(before.size, after.size) or gap < 0
