"""Build the tree of sections: the blocks of each number, and its parent.

Works on the blocks of one language in reading order; `clause_builder` makes clauses of sections.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.rulebook.layout.blocks import Block, Drawing, Line, iter_lines, lines_of
from core.rulebook.layout.text import line_text
from core.rulebook.structure.candidates import Heading
from core.rulebook.structure.families import sequence_score
from core.rulebook.structure.groups import FOR_YEAR, announced_season, proposed_season
from core.rulebook.structure.headings import FoundHeadings
from core.rulebook.structure.titles import (
    find_lettered_headings,
    find_names_of_chapters,
    split_headings_of_next,
    split_title,
)
from core.rulebook.structure.typography import is_in_middle, is_larger, prominence_of
from core.rulebook.types import PREAMBLE, TextKind


@dataclass(slots=True, eq=False)
class Section:
    """A number, or a part without one, with its own blocks; sub-sections are `children`."""

    article: str
    title: list[Line]
    blocks: list[Block]
    head: Heading | None = None
    parent: "Section | None" = None
    deleted: bool = False
    future: int | None = None
    run_in: str = ""
    """The words of its title, if they begin the text itself."""
    heading: bool = False
    """It only groups others: the name of a lettered part."""
    letter: str = ""
    topics: list[list[Line]] = field(default_factory=list)
    """Unnumbered headings over it and over others of the same parent, outermost first."""
    opened: int = 0
    """How many of them begin with it."""
    part: str = ""
    """The heading or the term that names it, if it is a part of another section."""
    footnotes: list[list[Line]] = field(default_factory=list)
    """The lines of each footnote whose mark it bears."""
    kind: TextKind = ""
    """Not empty for a text that is no rule."""
    children: list["Section"] = field(default_factory=list)

    @property
    def is_unnumbered(self) -> bool:
        """True below a heading without a number that is part of no article."""
        return bool(self.part) and self.part == self.article

    @property
    def counts_on(self) -> bool:
        """True for a number in force that the next one goes on from, which a part may not be."""
        is_numbered = self.head is not None and self.head.kind != "part"
        return is_numbered and not self.future and not self.deleted

    @property
    def untitled_line(self) -> Line | None:
        """The first line below a number in force that has no title."""
        first = self.blocks[0] if self.blocks else None
        is_open = self.head is not None and not self.title and not self.deleted
        return first if is_open and isinstance(first, Line) else None

    @property
    def is_named_by_topic(self) -> bool:
        """True for the first below an unnumbered heading within an article."""
        above = self.parent.head if self.opened and self.parent else None
        if above is None or above.is_group:
            return False
        return not is_larger(self.topics[-1][0], above.line)

    @property
    def ancestors(self) -> Iterator["Section"]:
        """The sections above, innermost first."""
        section = self.parent
        while section:
            yield section
            section = section.parent


def build_sections(found: FoundHeadings, season: int | None) -> list[Section]:
    """The sections of all headings in order, after what comes before the first."""
    return _TreeBuilder(found, season).build(found.headings)


class _TreeBuilder:
    """Adds a section for each heading, in order, and puts it below its parent."""

    def __init__(self, found: FoundHeadings, season: int | None) -> None:
        self._blocks, self._body, self._season = found.blocks, found.body, season
        self._by_key: dict[tuple[object, ...], Section] = {}
        self._appendix: Section | None = None
        self._part: Section | None = None
        """Of the appendix, or of the document outside of one."""
        self._part_words = _find_part_words(found.headings)
        self._top_part: Heading | None = None
        """The last part outside an appendix."""
        self._future: int | None = None
        self._future_from: Section | None = None
        """The appendix in which the future part began."""
        self._letters = find_lettered_headings(found.blocks)
        self._topics: dict[Section | None, list[list[Line]]] = {}
        """The unnumbered headings over the sections to come, by their parent."""
        self._sections: list[Section] = []

    def build(self, heads: list[Heading]) -> list[Section]:
        first = heads[0].index if heads else len(self._blocks)
        own, lettered_parts = self._split_at_letters(self._blocks[:first])
        topics: list[list[Line]] = []
        if heads and not lettered_parts:
            own, topics = split_headings_of_next(own, heads[0], self._body)
        self._add_preamble(own)
        self._add_lettered_parts(lettered_parts)
        for head, following in zip(heads, [*heads[1:], None], strict=False):
            end = following.index if following else len(self._blocks)
            topics = self._add_section(head, following, self._blocks[head.index : end], topics)
        return self._sections

    def _add_preamble(self, blocks: Sequence[Block]) -> None:
        words = (line.visible_text.strip() for line in iter_lines(blocks))
        equations = (block.words for block in blocks if isinstance(block, Drawing))
        if any(words) or any(equations):
            self._sections.append(Section(PREAMBLE, [], list(blocks)))

    def _add_section(
        self,
        head: Heading,
        following: Heading | None,
        blocks: Sequence[Block],
        topics: list[list[Line]],
    ) -> list[list[Line]]:
        """Add the section of a heading below some topics; return those over the next section."""
        own, lettered_parts = self._split_at_letters(blocks)
        if head.deleted:
            own = self._move_live_blocks(own)
        else:
            self._leave_part(head, topics)
        title, own = split_title(head, own, self._body)
        section = Section(self._article_of(head), title, own, head, deleted=head.deleted)
        if not head.deleted:
            self._enter_group(head, section)
            self._enter_season(head, section)
        parent = section.parent = self._find_parent(head)
        proposed = proposed_season(" ".join(map(line_text, title)), self._season)
        section.future = self._future or (parent and parent.future) or proposed
        if parent:
            parent.children.append(section)
        self._place_below_topics(section, head, topics)
        if not head.deleted:
            self._by_key[self._section_key(head)] = section
        self._sections.append(section)
        self._add_lettered_parts(lettered_parts)
        if following is None or lettered_parts:
            return []
        return self._take_topics_of_next(section, head, following)

    def _take_topics_of_next(
        self, section: Section, head: Heading, following: Heading
    ) -> list[list[Line]]:
        """Take the unnumbered headings over the next section from the end of a section."""
        blocks, topics = split_headings_of_next(section.blocks, following, self._body)
        if topics and not blocks and not is_larger(topics[0][0], head.line):
            return []  # the rest of its own title
        section.blocks = blocks
        if self._part and self._part.head and not self._appendix:
            names = find_names_of_chapters(blocks, head.line, self._body).values()
            if any(name >= prominence_of(self._part.head.line) for name in names):
                self._part = None
        return topics

    def _leave_part(self, head: Heading, topics: Sequence[list[Line]]) -> None:
        """Leave an appendix before the next part, a part before as large a heading of no number."""
        top, part = self._top_part, self._part.head if self._part else None
        if head.kind == "part" and top and self._is_above_appendix(head, top, part):
            self._appendix = self._part = None
        elif part and topics and not self._appendix:
            ends = prominence_of(topics[0][0]) >= prominence_of(part.line)
            self._part = None if ends else self._part

    def _is_above_appendix(self, head: Heading, top: Heading, part: Heading | None) -> bool:
        """True for a part that goes on from the last one before the appendix, or looks like it."""
        if sequence_score(head.key, top.key) >= 1 or self._appendix is None:
            return True
        begins = head.number in ("1", "A", "I")
        goes_on = part is not None and sequence_score(head.key, part.key) > 0
        alike = prominence_of(head.line) == prominence_of(top.line)
        return alike and head.lead_word == top.lead_word and not begins and not goes_on

    def _place_below_topics(
        self, section: Section, head: Heading, topics: Sequence[list[Line]]
    ) -> None:
        """Set the unnumbered headings over a section; a larger one ends those before it."""
        over = self._topics.setdefault(section.parent, [])
        ending = [lines[0] for lines in topics]
        if head.is_group:
            ending += [head.line, *section.title]
        for line in ending:
            while over and prominence_of(over[-1][0]) <= prominence_of(line):
                over.pop()
        over += topics
        section.topics, section.opened = list(over), len(topics)

    def _enter_group(self, head: Heading, section: Section) -> None:
        """Note the appendix or the part that begins with a section."""
        if head.kind == "appendix":
            self._part = None
            if not (self._future and self._appendix and self._appendix is self._future_from):
                self._appendix, self._future = section, None
        elif head.kind == "part":
            stands_out = prominence_of(head.line).stands_out(self._body) or is_in_middle(head.line)
            is_heading = stands_out and head.lead_word.casefold() in self._part_words
            self._part = section if self._appendix or is_heading else None
            if not self._appendix and (is_heading or self._top_part is None):
                self._top_part = head

    def _enter_season(self, head: Heading, section: Section) -> None:
        """Note the later season that a section announces, for as long as its appendix lasts."""
        title = " ".join(map(line_text, section.title))
        year = announced_season(title, self._season, is_appendix=head.kind == "appendix")
        if year is not None:
            self._future, self._future_from = year, self._appendix
        if self._future is not None:
            for line in lines_of((*section.title, *section.blocks)):
                if found := FOR_YEAR.match(line_text(line)):
                    self._future = int(found[1])

    def _move_live_blocks(self, blocks: list[Block]) -> list[Block]:
        """The blocks of a deleted number; from words in force on they go to the section before."""
        with_words = (at for at, b in enumerate(blocks) if any(map(line_text, iter_lines([b]))))
        end = next(with_words, len(blocks))
        live = (section for section in reversed(self._sections) if not section.deleted)
        before = next(live, None)
        if before:
            before.blocks = [*before.blocks, *blocks[end:]]
        else:
            self._add_preamble(blocks[end:])
        return blocks[:end]

    def _split_at_letters(
        self, blocks: Sequence[Block]
    ) -> tuple[list[Block], list[tuple[Line, list[Block]]]]:
        """A section's own blocks; then each heading of a lettered part with the blocks below it."""
        own: list[Block] = []
        parts: list[tuple[Line, list[Block]]] = []
        for block in blocks:
            if isinstance(block, Line) and block in self._letters:
                parts.append((block, []))
            else:
                (parts[-1][1] if parts else own).append(block)
        return own, parts

    def _add_lettered_parts(self, parts: Sequence[tuple[Line, list[Block]]]) -> None:
        for line, rest in parts:
            letter = self._letters[line]
            part = Section(letter, [line], rest, heading=not rest, letter=letter)
            part.future = self._future
            self._by_key[(letter,)] = part
            self._appendix = self._part = None
            self._sections.append(part)

    def _article_of(self, head: Heading) -> str:
        """The number as it is cited: "Appendix 3, 1.2" for one that counts within an appendix."""
        if head.kind == "sub" and head.parent:
            return f"{self._article_of(head.parent)}({head.number})"
        scope, name = self._scope(head), head.number
        if head.is_group:
            nested = self._appendix if head.kind == "part" and not head.deleted else None
            scope = nested.article if nested else ""
            name = head.name
        return f"{scope}, {name}" if scope else name

    def _scope(self, head: Heading) -> str:
        """The appendix, or the part of it, whose own numbering a number belongs to; "" for none.

        Numbers in an appendix that are lettered, of a later season, or deep and alone belong to
        other articles.
        """
        if not self._appendix or self._future is not None or not head.number[:1].isdigit():
            return ""
        scope = (self._part or self._appendix).article
        return scope if len(head.key) < 3 or (scope, *head.key[:-1]) in self._by_key else ""

    def _section_key(self, head: Heading) -> tuple[object, ...]:
        if head.is_group:
            return (head.kind, head.number)
        if head.kind == "named":
            return ("", head.number)
        if head.kind == "sub" and head.parent:
            return (*self._section_key(head.parent), *head.key[len(head.parent.key) :])
        return (self._scope(head), *head.key)

    def _find_parent(self, head: Heading) -> Section | None:
        if head.is_group:
            return self._appendix if head.kind == "part" else None
        around = self._part or self._appendix
        if head.is_given and head.parent:
            above = self._by_key.get(self._section_key(head.parent))
            if above:
                return above
        if head.kind == "named":
            return self._by_key.get(self._section_key(head.parent)) if head.parent else around
        scope = self._section_key(head)[0]
        longest = len(head.parent.key) if head.parent else len(head.key) - 1
        keys = [(scope, *head.key[:length]) for length in range(longest, 0, -1)]
        keys.append((head.key[0],))
        found = next((self._by_key[key] for key in keys if key in self._by_key), around)
        if head.lead_word and self._part and found and self._part not in found.ancestors:
            return around  # "88-1" below a part that begins behind 88
        return found


def _find_part_words(heads: Sequence[Heading]) -> set[str]:
    """The words before the numbers of several parts, most of which have articles below them."""
    has_articles: dict[str, list[bool]] = defaultdict(list)
    for head, following in zip(heads, [*heads[1:], None], strict=False):
        if head.kind == "part":
            below = following is not None and following.kind != "part"
            has_articles[head.lead_word.casefold()].append(below)
    return {word for word, have in has_articles.items() if sum(have) > max(1, len(have) / 2)}
