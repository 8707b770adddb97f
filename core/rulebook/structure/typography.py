"""The print of lines: what a text is mostly printed in, what stands out from it, what is apart."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from core.rulebook.layout.blocks import Block, Line, lines_of
from core.rulebook.layout.text import heaviest, is_right_to_left, line_text

_USUAL_LEADING = 1.2  # times the size: LaTeX sets 10 points on 12, and InDesign on as many
_LARGER = 1.12  # times the size of the text: larger print is that of a heading
_RAGGED = 0.35  # of the room on the left, by which that on the right may differ
SAME_SIZE = 0.5  # points between two sizes of one print
_APART = 1.45  # times the size, from baseline to baseline; 1.35 to 1.5 read the same (measured)
_WIDER = 1.15  # times the leading of the text, where that is wide: a line further down is apart
_RAGGED_LEADING = 1.05  # times the leading of the text, between the lines of a heading
_CLOSE = 1.5  # times the size of a heading, between the lines of one
_MOST_LINES = 3  # of a heading
_LETTER_WIDTH = 0.5  # ems a letter takes on average: in English 0.43 of Times, 0.48 of Helvetica


@dataclass(frozen=True, slots=True)
class BodyPrint:
    """The print of most of a document's text."""

    size: float
    bold: bool
    leading: float = _USUAL_LEADING
    """From baseline to baseline, times the size."""

    within: float = _USUAL_LEADING
    """The leading behind full lines: within paragraphs."""

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> "BodyPrint":
        spans = [(line, span) for line in lines_of(blocks) for span in line.spans]
        size = heaviest(((round(line.size, 1), len(span.text)) for line, span in spans), 10.0)
        bold = sum(len(span.text) for _, span in spans if span.style.bold)
        letters = sum(len(span.text) for _, span in spans)
        gaps = [
            ((after.baseline - before.baseline) / after.size, breaks_early(before, after))
            for before, after in pairwise(blocks)
            if isinstance(before, Line) and isinstance(after, Line) and before.page == after.page
            if 0 < after.baseline - before.baseline < 4 * after.size
        ]
        leading = _middle(gap for gap, _ in gaps)
        return cls(
            size, bold > 0.5 * letters, leading, _middle(gap for gap, early in gaps if not early)
        )

    def is_smaller_than(self, line: Line) -> bool:
        """True for a line in clearly larger print."""
        return line.size > _LARGER * self.size


def _middle(gaps: Iterable[float]) -> float:
    ordered = sorted(gaps)
    return ordered[len(ordered) // 2] if ordered else _USUAL_LEADING


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


def prominence_of(line: Line) -> Prominence:
    """The print of a line: of all its words, numbers aside."""
    words = [span for span in line.spans if any(map(str.isalpha, span.text))]
    text = line_text(line)
    bold = bool(words) and all(span.style.bold for span in words)
    capitals = text.isupper() and sum(map(str.isalpha, text)) > 3
    return Prominence(round(line.size, 1), bold, capitals)


def ends_bold(line: Line) -> bool:
    """True if the last words are bold: a number may be bold before plain text."""
    last = next((span for span in reversed(line.spans) if span.text.strip()), None)
    return last is not None and last.style.bold


def are_bold(lines: Sequence[Line]) -> bool:
    """True if nearly all letters are bold, those at the line ends included."""
    spans = [span for line in lines for span in line.spans if span.state != "hidden"]
    bold = sum(len(span.text.strip()) for span in spans if span.style.bold)
    letters = sum(len(span.text.strip()) for span in spans)
    return bold > 0.8 * letters and all(map(ends_bold, lines))


def is_larger(line: Line, other: Line) -> bool:
    return line.size > other.size + SAME_SIZE


def is_outline_above(heading: Block, number: Line) -> bool:
    """True where the file tells that a heading's outline level is no lower than a number's."""
    one = heading.given if isinstance(heading, Line) else None
    return bool(one and number.given and 0 < one.outline <= number.given.level)


def is_in_middle(line: Line) -> bool:
    """True for a line with about as much room on its left as on its right, ragged text aside."""
    left, right = line.left - line.start, line.edge - line.right
    return min(left, right) > 3 * line.size and abs(left - right) < max(line.size, _RAGGED * left)


def is_apart(before: Block | None, after: Block | None, leading: float = 0.0) -> bool:
    """True if more space than in a paragraph, or no other line, is between two blocks.

    The lines of a text that is set with much `leading` are further apart.
    """
    if not isinstance(before, Line) or not isinstance(after, Line):
        return True
    gap = after.baseline - before.baseline
    other_place = before.page != after.page or before.column != after.column
    most = max(_APART, _WIDER * leading) * max(before.size, after.size)
    return other_place or gap > most or gap < 0


def has_room_for(line: Line, word: str, size: float) -> bool:
    """True if `word`, printed in `size` points, would have fitted at the end of a line."""
    backwards = is_right_to_left(line_text(line))
    room = line.left - line.start if backwards else line.edge - line.right
    return room > (len(word) + 2) * _LETTER_WIDTH * size


def breaks_early(line: Line, following: Line) -> bool:
    """True if the first word of the next line would have fitted on this one."""
    words = line_text(following).split()
    return bool(words) and has_room_for(line, words[0], line.size)


def heading_lines(blocks: Sequence[Block], body: BodyPrint) -> list[Line]:
    """The lines of a heading: the first block, and those close below it in the same print."""
    close = max(_CLOSE, _RAGGED_LEADING * body.leading)
    lines: list[Line] = []
    for block in blocks[:_MOST_LINES]:
        if not isinstance(block, Line):
            break
        if lines and (
            prominence_of(block) != prominence_of(lines[0])
            or not 0 < block.baseline - lines[-1].baseline < close * block.size
        ):
            break
        lines.append(block)
    return lines
