"""Chapters without a number, below which numbers or letters count anew."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from core.rulebook.layout.blocks import Block, Line
from core.rulebook.structure.candidates import Heading
from core.rulebook.structure.line_corrections import read_lettered_item
from core.rulebook.structure.number_order import BEGINNINGS, best_chain
from core.rulebook.structure.typography import SAME_SIZE, BodyPrint, prominence_of
from core.rulebook.structure.unnumbered_headings import find_unnumbered_headings

_MIN_CHAPTERS = 2
_NEAR = 4  # blocks from the name of a chapter to its first number
_MAX_DEEP = 0.1  # of the numbers of a document whose chapters have no number
_MIN_LETTERS = 3
_FIT = 0.5


def mark_chapters(heads: Sequence[Heading], blocks: Sequence[Block], body: BodyPrint) -> None:
    """Set `chapter`: how many names of chapters are above a number.

    Such a name stands out more than the number just below it, which begins to count; in larger
    print it may have text of its own above that number. In a text of deep numbers what counts
    below a name is a list.
    """
    deep = sum(head.kind == "plain" and head.is_telling for head in heads)
    if deep > _MAX_DEEP * len(heads):
        return
    starts = list(_find_starts(heads, blocks, body))
    if len(starts) >= _MIN_CHAPTERS:
        for head in heads:
            head.chapter = bisect_right(starts, head.index)


def _find_starts(
    heads: Sequence[Heading], blocks: Sequence[Block], body: BodyPrint
) -> Iterator[int]:
    lines = {head.index: head.line for head in heads}
    firsts = {head.index for head in heads if head.counters in BEGINNINGS}
    indexes = [*sorted(lines), len(blocks)]
    for at, prominence in find_unnumbered_headings(blocks, body):
        following = indexes[bisect_right(indexes, at)]
        if following in firsts and prominence.stands_out(body):
            number = lines[following]
            is_near = following - at <= _NEAR and prominence > prominence_of(number)
            if is_near or prominence.size > number.size + SAME_SIZE:
                yield at


def find_lettered_rules(blocks: Sequence[Block], body: BodyPrint) -> list[Heading]:
    """The items "a)", "b)" of a document that counts nothing else, and hardly has a heading."""
    lines = ((at, block) for at, block in enumerate(blocks) if isinstance(block, Line))
    heads = [head for at, line in lines if (head := read_lettered_item(line, at))]
    mark_chapters(heads, blocks, body)
    for head in heads:
        head.fit = _FIT
    chain = best_chain(heads)
    headings = sum(1 for _ in find_unnumbered_headings(blocks, body))
    return chain if len(chain) >= max(_MIN_LETTERS, headings) else []
