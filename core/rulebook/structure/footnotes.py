"""Footnotes: small print at the foot of a column, numbered like the marks in the text above it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise

from core.rulebook.layout.blocks import Block, Line, Page, Span, lines_of
from core.rulebook.layout.text import heaviest, line_text

_SMALLER = 0.93  # times the size of the text of a page: a footnote is no larger
_MARK = re.compile(r"(\d{1,3}|[*†‡§]{1,3})(?![\d.,)])\s*(?=\S|$)")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


@dataclass(slots=True)
class Footnote:
    """The lines of a footnote, and the line of the text that bears its mark."""

    mark: str
    anchor: Line
    lines: list[Line] = field(default_factory=list)

    @property
    def has_letters(self) -> bool:
        """False for a mark alone."""
        return any(any(map(str.isalpha, line_text(line))) for line in self.lines)

    def may_go_on(self, page: int) -> bool:
        """True if its last line is on the page before and ends no sentence."""
        last = self.lines[-1]
        return last.page == page - 1 and not line_text(last).endswith((".", "!", "?", ")", "”"))


def take_footnotes(pages: Sequence[Page]) -> list[Footnote]:
    """Remove footnotes from pages in place, and return them.

    A note may go on at the foot of the next page, and all may stand behind the last rule. A mark
    without its note, or small print without a mark above, stays in the text.
    """
    found: list[Footnote] = []
    small = _find_small_print(pages)
    earlier: dict[str, Line] = {}
    for page in pages:
        marks = _find_marks(page.blocks, small)
        foot = _find_foot(page.blocks, small)
        notes = list(_find_notes(page.blocks, small, marks))
        if page is pages[-1] and not notes:  # they may all stand behind the last rule
            notes = list(_find_notes(foot, small, earlier | marks))
        notes = [note for note in notes if note.has_letters]
        if found and found[-1].may_go_on(page.number):
            firsts = {id(note.lines[0]) for note in notes}
            ends = (at for at, line in enumerate(foot) if id(line) in firsts)
            found[-1].lines += foot[: next(ends, len(foot))]
        gone = {id(line) for note in (*found[-1:], *notes) for line in note.lines}
        page.blocks = [block for block in page.blocks if id(block) not in gone]
        found += notes
        earlier = marks | earlier
    return found


def _find_foot(blocks: Sequence[Block], small: set[int]) -> list[Line]:
    """The small print at the end of a page."""
    foot: list[Line] = []
    for block in reversed(blocks):
        if not isinstance(block, Line) or id(block) not in small:
            break
        foot.insert(0, block)
    return foot


def _find_small_print(pages: Sequence[Page]) -> set[int]:
    """Ids of the lines whose letters are smaller than most of the text, marks aside."""
    lines = lines_of(chain.from_iterable(page.blocks for page in pages))
    sizes = []
    for line in lines:
        spans = (span for span in line.spans if not (span.script and _is_mark(span)))
        letters = ((round(span.style.size, 1), len(span.text)) for span in spans)
        sizes.append(heaviest(letters, line.size))
    body = heaviest(zip(sizes, (len(line_text(line)) for line in lines), strict=True), 0.0)
    return {id(line) for line, size in zip(lines, sizes, strict=True) if size < _SMALLER * body}


def _is_mark(span: Span) -> bool:
    return re.fullmatch(r"\d{1,3}|[*†‡§]{1,3}", span.text.strip()) is not None


def _find_marks(blocks: Sequence[Block], small: set[int]) -> dict[str, Line]:
    """The superscript marks in the text, each with the first line that bears it.

    In close print a mark is a small line of its own; the line after it bears it.
    """
    marks: dict[str, Line] = {}
    for line, following in pairwise([*blocks, None]):
        if not isinstance(line, Line):
            continue
        mark = line.spans[0]
        if id(line) not in small:
            raised = [span for span in line.spans if span.script == "sup" and _is_mark(span)]
            marks = {span.text.strip(): line for span in raised} | marks
        elif isinstance(following, Line) and id(following) not in small and _is_mark(mark):
            marks.setdefault(mark.text.strip(), following)
    return marks


def _find_notes(
    blocks: Sequence[Block], small: set[int], marks: dict[str, Line]
) -> Iterator[Footnote]:
    """The footnotes of a page: each begins with a mark and ends at the next, or at larger print."""
    note: Footnote | None = None
    for block in blocks:
        if isinstance(block, Line) and id(block) in small:
            mark = _MARK.match(line_text(block).translate(_SUPERSCRIPTS))
            anchor = marks.get(mark[1]) if mark else None
            if mark and anchor and anchor.is_before(block):
                note = Footnote(mark[1], anchor)
                yield note
            if note:
                note.lines.append(block)
        else:
            note = None
