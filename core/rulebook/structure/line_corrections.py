"""What a person said of a line, carried over to all lines like it: headings and furniture."""

import re
from collections.abc import Iterable, Sequence

from core.rulebook.layout.blocks import Block, Line, Page, Table, blocks_of, iter_lines
from core.rulebook.layout.lines import build_line
from core.rulebook.layout.text import line_text
from core.rulebook.structure.candidates import Heading
from core.rulebook.structure.line_numbers import LineNumber
from core.rulebook.structure.typography import BodyPrint
from core.rulebook.types import LineCorrection, fold_line

_SAME_SIZE = 0.6  # points between two sizes of one print
_SAME_HEIGHT = 6.0  # points between the places of a line that repeats
_ITEM = re.compile(r"(?P<signs>\(?)(?P<letter>[a-z]{1,4})(?P<end>[.)])\s+")
_GIVEN_FIT = 10.0  # above all that order and print can take from a heading
_MAX_NAME = 80  # letters of a heading without a number
_MOST_WORDS = 14
_FEWEST_WORDS = 4  # of a sentence


def find_corrected_line(lines: Iterable[Line], correction: LineCorrection) -> Line | None:
    on_page = (line for line in lines if line.page == correction.page)
    return next(
        (line for line in on_page if fold_line(line.visible_text).startswith(correction.key)), None
    )


def remove_given_furniture(pages: Sequence[Page], corrections: Iterable[LineCorrection]) -> None:
    """Remove in place what a person called furniture, wherever it repeats, apart from numbers."""
    for correction in corrections:
        line = find_corrected_line(iter_lines(blocks_of(pages)), correction)
        if correction.kind == "furniture" and line is not None:
            for page in pages:
                _remove_repeats(page, line)


def _remove_repeats(page: Page, line: Line) -> None:
    if page.draft:  # the page may be laid out again
        rows = page.draft.rows
        rows[:] = [row for row in rows if not _repeats(line, build_line(row))]
    page.blocks = [block for block in page.blocks if not _repeats(line, block)]
    for table in (block for block in page.blocks if isinstance(block, Table)):
        for cell in (cell for row in table.rows for cell in row if cell):
            cell.lines = [other for other in cell.lines if not _repeats(line, other)]


def mark_given_headings(
    candidates: Sequence[Heading], blocks: Sequence[Block], corrections: Iterable[LineCorrection]
) -> list[Heading]:
    """Set `given_level` of all candidates that look like a heading a person named.

    Return headings for the other lines that look like one, in order: items with a letter, and lines
    without a number.
    """
    lines = {at: block for at, block in enumerate(blocks) if isinstance(block, Line)}
    numbered = {head.index for head in candidates}
    named: dict[int, Heading] = {}
    for correction in corrections:
        line = find_corrected_line(lines.values(), correction)
        if correction.kind != "heading" or line is None:
            continue
        shapes = [head for head in candidates if head.line is line]
        for head in candidates:
            if any(_same_shape(head, shape) for shape in shapes):
                head.given_level = correction.level
        if not shapes:
            alike = _find_alike(line, lines, BodyPrint.of(blocks), numbered)
            named |= {at: _make_heading(lines[at], at, correction.level) for at in alike}
    return [named[at] for at in sorted(named)]


def include_given_headings(
    accepted: Iterable[Heading], candidates: Iterable[Heading]
) -> list[Heading]:
    """The accepted candidates in order, with those that a person called headings and their fit."""
    given = [head for head in candidates if head.given_level]
    for head in given:
        head.fit = _GIVEN_FIT
    return sorted(dict.fromkeys((*accepted, *given)), key=lambda head: head.index)


def place_given_headings(headings: Sequence[Heading]) -> None:
    """Put headings that a person gave a level below the nearest one of a lower level."""
    levels: list[tuple[int, Heading]] = []
    for head in headings:
        level = head.given_level or len(head.counters)
        while levels and levels[-1][0] >= level:
            levels.pop()
        parent = levels[-1][1] if levels else None
        if head.kind == "named" or head.is_given:
            head.parent = parent
        if parent and head.kind == "plain" and _counts_below(head, parent):
            head.parent, head.kind, head.key = parent, "sub", (*parent.key, *head.key)
        levels.append((level, head))


def _counts_below(head: Heading, parent: Heading) -> bool:
    """True for a number that counts within its parent, which it does not show: "(1)" below 5."""
    if not head.is_given:
        return len(head.counters) < head.given_level
    has_parts = parent.kind in ("article", "sub") or len(parent.key) > 1
    is_part = has_parts or head.ending in ("()", ")")
    is_labelled = head.line.given is not None and head.line.given.label != ""
    return is_labelled and head.is_whole_number and is_part and not parent.is_group


def _repeats(line: Line, block: Block) -> bool:
    """True for a line with the same words, apart from numbers, at the same height of a page."""
    return (
        isinstance(block, Line)
        and abs(block.baseline - line.baseline) < _SAME_HEIGHT
        and _signature(block) == _signature(line)
    )


def _signature(line: Line) -> str:
    return re.sub(r"\d+", "#", fold_line(line.visible_text))


def _same_shape(head: Heading, other: Heading) -> bool:

    def shape(head: Heading) -> tuple[object, ...]:
        word = head.lead_word.casefold()
        return word, bool(head.code), len(head.counters), head.style, head.ending, head.bold

    same_size = abs(head.line.size - other.line.size) <= _SAME_SIZE
    return same_size and shape(head) == shape(other)


def _find_alike(
    line: Line, lines: dict[int, Line], body: BodyPrint, numbered: set[int]
) -> list[int]:
    """Places of unnumbered lines that look like a line, of headings below each other the first.

    There are none for a sentence, which names nothing.
    """
    look, text = _look_of(line, body), line_text(line)
    alike = [
        at for at, other in lines.items() if at not in numbered and _look_of(other, body) == look
    ]
    if _ITEM.match(text):
        return alike
    ends = text.endswith((".", ";", ",")) and len(text.split()) > _FEWEST_WORDS
    if ends or len(text.split()) > _MOST_WORDS:
        return []
    return [at for at in alike if at - 1 not in alike or lines[at - 1].page != lines[at].page]


def _look_of(line: Line, body: BodyPrint) -> tuple[object, ...]:
    """The signs and the indentation of a lettered item; else the print, if it is not the usual."""
    text = line_text(line)
    if item := _ITEM.match(text):
        return item["signs"], item["end"], round((line.left - line.start) / _SAME_HEIGHT)
    bold = not body.bold and all(span.style.bold for span in line.spans if span.text.strip())
    look = bold, text.isupper(), round(line.size)
    stands_out = bold or text.isupper() or body.is_smaller_than(line)
    return look if text and stands_out else (line,)


def read_lettered_item(line: Line, index: int) -> Heading | None:
    """The heading of a line that begins with a small letter, "a)" or "(a)"."""
    if item := _ITEM.match(text := line_text(line)):
        letter, rest = item["letter"], text[item.end() :]
        number = LineNumber("plain", "", letter, (letter,), "letter", item["end"], item[0], rest)
        return Heading.of(number, index, line, bold=False)
    return None


def _make_heading(line: Line, index: int, level: int) -> Heading:
    """A heading of a lettered item, or one that its own words name."""
    text = line_text(line)
    name = " ".join(text.split())[:_MAX_NAME].rstrip(" .:")
    number = LineNumber("named", "", name, (name,), "digits", "", text, "")
    head = read_lettered_item(line, index) or Heading.of(number, index, line, bold=True)
    head.given_level = level
    return head
