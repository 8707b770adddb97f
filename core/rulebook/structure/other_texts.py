"""Footnotes, and other texts of a document that are no rules."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import groupby, pairwise, takewhile
from statistics import median

from core.rulebook.layout.blocks import Block, Line, Page, Span, blocks_of, iter_lines, lines_of
from core.rulebook.layout.text import heaviest, line_text
from core.rulebook.rule_signs import binds
from core.rulebook.structure.section_tree import Section
from core.rulebook.types import PREAMBLE, TextKind

_SMALLER = 0.93
"""Times the size of the text of a page: a footnote is no larger. LaTeX sets it at 0.80 to 0.83."""
_MARK = re.compile(r"(\d{1,3}|[*†‡§]{1,3})(?![\d.,)])\s*(?=\S|$)")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_COVER_SHARE = 0.5  # of the letters of a usual page: a cover has fewer
_MIN_PAGES = 4  # of a document with a cover
_SENTENCE_END = re.compile(r"\w{3,}[.;。](?=\s+\w|\s*$)")
_MAX_SENTENCES = 3  # of a cover, which may name a publisher; more are a foreword


@dataclass(slots=True)
class Footnote:
    """The lines of a footnote, and the line of the text that bears its mark."""

    anchor: Line
    lines: list[Line] = field(default_factory=list)

    @property
    def has_letters(self) -> bool:
        """False for a mark alone."""
        return any(map(str.isalpha, "".join(map(line_text, self.lines))))

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
        end = takewhile(lambda b: isinstance(b, Line) and b in small, reversed(page.blocks))
        foot = lines_of(end)[::-1]
        notes = list(_find_notes(page.blocks, small, marks))
        if page is pages[-1] and not notes:  # they may all stand behind the last rule
            notes = list(_find_notes(foot, small, earlier | marks))
        notes = [note for note in notes if note.has_letters]
        if found and found[-1].may_go_on(page.number):
            firsts = {note.lines[0] for note in notes}
            ends = (at for at, line in enumerate(foot) if line in firsts)
            found[-1].lines += foot[: next(ends, len(foot))]
        gone = {line for note in (*found[-1:], *notes) for line in note.lines}
        page.blocks = [b for b in page.blocks if not (isinstance(b, Line) and b in gone)]
        found += notes
        earlier = marks | earlier
    return found


def _find_small_print(pages: Sequence[Page]) -> set[Line]:
    """The lines whose letters are smaller than most of the text, marks aside."""
    lines = lines_of(blocks_of(pages))
    sizes = []
    for line in lines:
        spans = (span for span in line.spans if not (span.script and _is_mark(span)))
        letters = ((round(span.style.size, 1), len(span.text)) for span in spans)
        sizes.append(heaviest(letters, line.size))
    body = heaviest(zip(sizes, (len(line_text(line)) for line in lines), strict=True), 0.0)
    return {line for line, size in zip(lines, sizes, strict=True) if size < _SMALLER * body}


def _is_mark(span: Span) -> bool:
    return re.fullmatch(r"\d{1,3}|[*†‡§]{1,3}", span.text.strip()) is not None


def _find_marks(blocks: Sequence[Block], small: Set[Line]) -> dict[str, Line]:
    """The superscript marks in the text, each with the first line that bears it."""
    marks: dict[str, Line] = {}
    for line, following in pairwise([*blocks, None]):
        if not isinstance(line, Line):
            continue
        mark = line.spans[0]
        if line not in small:
            raised = [span for span in line.spans if span.script == "sup" and _is_mark(span)]
            marks = {span.text.strip(): line for span in raised} | marks
        elif isinstance(following, Line) and following not in small and _is_mark(mark):
            marks.setdefault(mark.text.strip(), following)
    return marks


def _find_notes(
    blocks: Sequence[Block], small: Set[Line], marks: dict[str, Line]
) -> Iterator[Footnote]:
    """The footnotes of a page: each begins with a mark and ends at the next, or at larger print."""
    note: Footnote | None = None
    for block in blocks:
        if isinstance(block, Line) and block in small:
            mark = _MARK.match(line_text(block).translate(_SUPERSCRIPTS))
            anchor = marks.get(mark[1]) if mark else None
            if anchor and anchor.is_before(block):
                note = Footnote(anchor)
                yield note
            if note:
                note.lines.append(block)
        else:
            note = None


def sections_by_page(
    kind: TextKind, blocks: Iterable[Block], title: Sequence[Line] = ()
) -> list[Section]:
    """A section of a kind for each page of some blocks, all with the same title."""
    return [
        Section("", list(title), list(group), kind=kind)
        for _, group in groupby(blocks, key=lambda block: block.page)
    ]


def usual_letters(pages: Sequence[Page]) -> float:
    """How many letters a usual page has, 0 for a document that is too short to have a cover."""
    return median(page.letter_count for page in pages) if len(pages) >= _MIN_PAGES else 0


def split_cover(sections: list[Section], first: int, usual: float) -> list[Section]:
    """Take the cover out of the preamble, in place: a first page with little print and no rule.

    `first` is the number of that page, `usual` the letters of another one.
    """
    if not usual or not sections or sections[0].article != PREAMBLE:
        return []
    preamble = sections[0]
    cover = [block for block in preamble.blocks if block.page == first]
    others = (block for section in sections[1:] for block in (*section.title, *section.blocks))
    if any(block.page == first for block in others) or not _has_little_print(cover, usual):
        return []
    preamble.blocks = [block for block in preamble.blocks if block.page != first]
    return sections_by_page("cover", cover)


def _has_little_print(cover: Iterable[Block], usual: float) -> bool:
    """True for fewer letters than on a usual page, hardly a sentence, and none that binds."""
    texts = list(map(line_text, iter_lines(cover)))
    if binds(" ".join(texts)) or len(_SENTENCE_END.findall(" ".join(texts))) > _MAX_SENTENCES:
        return False
    return sum(map(len, texts)) <= _COVER_SHARE * usual


def attach_footnotes(footnotes: Sequence[Footnote], sections: Sequence[Section]) -> None:
    """Hang each footnote on the section whose text bears its mark."""
    bearers = {
        line: section
        for section in sections
        for line in iter_lines((*section.title, *section.blocks))
    }
    for note in footnotes:
        if section := bearers.get(note.anchor):
            section.footnotes.append(note.lines)
