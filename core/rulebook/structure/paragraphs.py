"""Group lines into paragraphs by their place on the page, and write tables as Markdown."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest

from core.grammar import has_marker
from core.rulebook.layout.blocks import Block, Drawing, Line, Table
from core.rulebook.layout.text import is_bullet, is_right_to_left, line_text

_LETTER_WIDTH = 0.5  # ems a letter takes on average
_STOPS = (".", ":", ";")


def has_room_for(line: Line, word: str, size: float) -> bool:
    """True if `word`, printed in `size` points, would have fitted at the end of a line."""
    backwards = is_right_to_left(line_text(line))
    room = line.left - line.start if backwards else line.edge - line.right
    return room > (len(word) + 2) * _LETTER_WIDTH * size


def split_paragraphs(
    blocks: Sequence[Block], words: Callable[[Line], str]
) -> Iterator[list[Line] | Table | Drawing]:
    """Paragraphs, tables and figures in order; lines for which `words` is empty are left out."""
    lines: list[Line] = []
    for block in blocks:
        if not isinstance(block, Line):
            if lines:
                yield lines
                lines = []
            yield block
        elif text := words(block):
            if lines and _begins_paragraph(lines, block, text, words(lines[-1])):
                yield lines
                lines = []
            lines.append(block)
    if lines:
        yield lines


def _begins_paragraph(lines: list[Line], line: Line, text: str, before: str) -> bool:
    """True if `line`, with words `text`, does not continue `lines`, which end in `before`."""
    last, first_word = lines[-1], text.split()[0]
    if has_marker(text) or is_bullet(first_word):
        return True
    ended, lower_case = before.endswith(_STOPS), text[0].islower()
    if line.page != last.page or line.column != last.column:
        return ended and not lower_case
    return _is_set_apart(lines, line, first_word) and (ended or not lower_case)


def _is_set_apart(lines: list[Line], line: Line, first_word: str) -> bool:
    """True if `line` is further below `lines` than usual, or its first word had fitted above."""
    last = lines[-1]
    gap = line.baseline - last.baseline
    usual_gap = 1.3 * line.size
    if len(lines) > 1 and lines[1].page == lines[0].page:
        usual_gap = lines[1].baseline - lines[0].baseline or usual_gap
    apart = gap > 1.25 * usual_gap and gap > 1.1 * line.size
    broken_early = gap > 0 and has_room_for(last, first_word, line.size)
    return apart or broken_early


def join_split_numbers(lines: Iterable[str]) -> list[str]:
    """The lines of a narrow cell with split numbers joined: "3.10." and "1/0" give "3.10.1/0"."""
    joined: list[str] = []
    for line in lines:
        if joined and line and re.search(r"\d[./]$", joined[-1]) and line[0].isdigit():
            joined[-1] += line
        else:
            joined.append(line)
    return joined


def markdown_table(rows: Iterable[Sequence[str]]) -> str:
    """Rows as a Markdown table headed by the first one; a single column as plain lines.

    Empty rows and columns are left out.
    """
    columns = [column for column in zip_longest(*filter(any, rows), fillvalue="") if any(column)]
    if len(columns) < 2:
        return "\n".join(columns[0]) if columns else ""
    lines = [f"| {' | '.join(row)} |" for row in zip(*columns, strict=True)]
    return "\n".join([lines[0], "|" + "---|" * len(columns), *lines[1:]])
