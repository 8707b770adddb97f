"""Headings without a number: lines that stand out from the text by print or by the space around."""

from collections.abc import Iterator, Sequence

from core.grammar import has_marker
from core.rulebook.layout.blocks import Block, Line
from core.rulebook.layout.text import is_bullet, is_formula, line_text
from core.rulebook.structure.candidates import Heading
from core.rulebook.structure.families import CAPTION
from core.rulebook.structure.titles import SENTENCE_VERB
from core.rulebook.structure.typography import (
    SAME_SIZE,
    BodyPrint,
    Prominence,
    heading_lines,
    is_apart,
    is_centred,
    is_larger,
    prominence_of,
)

_MOST_WORDS = 12
_NO_END = (".", ";", ",", "-", "\u00ad", "…")
_SAME_EDGE = 6.0  # points between the left edges of headings
_TAIL = 8  # blocks at the end of a section among which the headings of the next one are


def find_unnumbered_headings(
    blocks: Sequence[Block], body: BodyPrint
) -> Iterator[tuple[int, Prominence]]:
    """Yield the index of each unnumbered heading among the blocks, and how much it stands out."""
    around = zip([None, *blocks], blocks, [*blocks[1:], None], strict=False)
    for index, (before, line, after) in enumerate(around):
        if isinstance(line, Line) and _may_name(line):
            prominence = prominence_of(line)
            apart_above = is_apart(before, line)
            if prominence.stands_out(body):
                if _is_between_texts(before, after, prominence, is_apart=apart_above):
                    yield index, prominence
            elif apart_above and is_apart(line, after) and _is_name(line, after, body):
                yield index, prominence


def find_names_of_chapters(
    blocks: Sequence[Block], number: Line, body: BodyPrint
) -> dict[int, Prominence]:
    """The unnumbered headings in larger print than a number above them, by their index."""
    return {
        at: prominence
        for at, prominence in find_unnumbered_headings(blocks, body)
        if prominence.stands_out(body)
        and prominence.size > number.size + SAME_SIZE
        and isinstance(line := blocks[at], Line)
        and not is_formula(line_text(line))
    }


def split_headings_of_next(
    blocks: Sequence[Block], following: Heading, body: BodyPrint
) -> tuple[list[Block], list[list[Line]]]:
    """The blocks of a section, and the unnumbered headings at their end that are for the next one.

    They are in larger print than the number that follows, or stand out as much, apart from the
    text and no further right. Of several each is above the next; two that look alike are one.
    """
    if following.deleted:
        return list(blocks), []
    start = max(0, len(blocks) - _TAIL)
    tail = [*blocks[start:], following.line]
    headings: list[list[Line]] = []
    end = len(tail) - 1
    for at, prominence in reversed(list(find_unnumbered_headings(tail, body))):
        lines = heading_lines(tail[at:end], body)
        if at + len(lines) != end or not lines or not prominence.stands_out(body):
            continue
        is_apart_above = is_apart(tail[at - 1] if at else None, lines[0])
        apart = is_apart_above and is_apart(lines[-1], tail[end])
        below = prominence_of(headings[0][0]) if headings else prominence
        if prominence < below or not _is_above(lines[0], following.line, apart=apart):
            break
        if headings and prominence == below:
            headings[0] = lines + headings[0]
        else:
            headings.insert(0, lines)
        end = at
    return list(blocks[: start + end]), headings


def _is_above(heading: Line, number: Line, *, apart: bool) -> bool:
    """True for larger print than a number's, or as prominent and apart, no further right."""
    if is_larger(heading, number):
        return True
    own, other = prominence_of(heading), prominence_of(number)
    as_far = heading.left < number.left + _SAME_EDGE or is_centred(heading)
    return apart and own >= other and (as_far or own.bold > other.bold)


def _is_between_texts(
    before: Block | None, after: Block | None, prominence: Prominence, *, is_apart: bool
) -> bool:
    """True unless the sentence above a line, or that of the line, goes on in other print."""
    ends = is_apart
    if not is_apart and isinstance(before, Line):
        stops = line_text(before).endswith((".", ";", ":", "!", "?", "”", ")"))
        ends = stops and prominence_of(before) != prominence
        ends |= prominence.size > before.size + SAME_SIZE
    goes_on = isinstance(after, Line) and line_text(after)[:1].islower()
    return ends and not (goes_on and isinstance(after, Line) and prominence_of(after) != prominence)


def _may_name(line: Line) -> bool:
    """True for a few words that begin like a name and are not the end of a sentence."""
    text = line_text(line)
    first = text[:1]
    if text.endswith(_NO_END) or first.islower() or not (first.isupper() or first.isalpha()):
        return False
    words = text.split()
    return (
        len(words) <= _MOST_WORDS
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
        and ":" not in text
        and not SENTENCE_VERB.search(text)
    )
