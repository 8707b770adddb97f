"""Texts of a document that are no rules, such as lists of contents, as sections of a kind."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from statistics import median

from core.rulebook.layout.blocks import Block, Line, Page, iter_lines
from core.rulebook.layout.text import line_text
from core.rulebook.structure.footnotes import Footnote
from core.rulebook.structure.section_tree import Section
from core.rulebook.types import PREAMBLE, TextKind

_COVER_SHARE = 0.5  # of the letters of a usual page: a cover has fewer
_MIN_PAGES = 4  # of a document with a cover
_SENTENCE_END = re.compile(r"\w{3,}[.;。](?=\s+\w|\s*$)")
_MAX_SENTENCES = 3  # of a cover, which may name a publisher; more are a foreword


def sections_by_page(
    kind: TextKind, blocks: Iterable[Block], title: Sequence[Line] = ()
) -> list[Section]:
    """A section of a kind for each page of some blocks, all with the same title."""
    return [
        Section("", list(title), list(group), kind=kind)
        for _, group in groupby(blocks, key=lambda block: block.page)
    ]


def split_cover(sections: list[Section], pages: Sequence[Page]) -> list[Section]:
    """Take the cover out of the preamble, in place: a first page with little print and no rule."""
    if len(pages) < _MIN_PAGES or not sections or sections[0].article != PREAMBLE:
        return []
    preamble, first = sections[0], pages[0].number
    cover = [block for block in preamble.blocks if block.page == first]
    others = (block for section in sections[1:] for block in (*section.title, *section.blocks))
    if any(block.page == first for block in others) or not _has_little_print(cover, pages):
        return []
    preamble.blocks = [block for block in preamble.blocks if block.page != first]
    return sections_by_page("cover", cover)


def _has_little_print(cover: Iterable[Block], pages: Sequence[Page]) -> bool:
    """True for fewer letters than on a usual page, and hardly a sentence."""
    texts = list(map(line_text, iter_lines(cover)))
    if len(_SENTENCE_END.findall(" ".join(texts))) > _MAX_SENTENCES:
        return False
    usual = median(page.letter_count for page in pages)
    return sum(map(len, texts)) <= _COVER_SHARE * usual


def attach_footnotes(footnotes: Sequence[Footnote], sections: Sequence[Section]) -> None:
    """Hang each footnote on the section whose text bears its mark."""
    bearers = {
        id(line): section
        for section in sections
        for line in iter_lines((*section.title, *section.blocks))
    }
    for note in footnotes:
        if section := bearers.get(id(note.anchor)):
            section.footnotes.append(note.lines)
