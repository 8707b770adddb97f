"""The clause tree: which blocks belong to which number, titles apart from text, appendices and future parts told apart.

Works on the blocks of one language in reading order; what the words of a clause are is `clauses`' business.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.rulebook.layout.blocks import Block, Drawing, Line, Table
from core.rulebook.layout.text import line_text
from core.rulebook.structure.headings import (
    Heading,
    find_candidates,
    find_contents_lists,
    select_headings,
)
from core.rulebook.structure.numbering import has_marker

_FUTURE = re.compile(
    r"\b(?:chang|amend|modif|regulations?|rules)\w*\b.{0,60}?\b(?:for|in respect of|from|to)\b.{0,40}?"
    r"\b((?:20\d\d)|subsequent|future|following)\b",
    re.IGNORECASE | re.DOTALL,
)
_FOR_YEAR = re.compile(
    r"^(?:approved\s+)?(?:chang|amend|modif)\w*\s+(?:for|in|from)\s+(20\d\d)\b", re.IGNORECASE
)
_NO_TITLE = re.compile(
    r"\b(?:shall|must|may|will|is|are|has|have|can|doit|doivent|sont|est)\b", re.IGNORECASE
)
_CAPTION = re.compile(r"(?:figure|fig\.|table|diagram|note)\b", re.IGNORECASE)
_ENDS_SENTENCE = (".", ";", ":", ",", "?", "-", "\u00ad")


@dataclass(slots=True)
class Section:
    """A number, or a part without one, with the blocks that are its own; `parts` are numbered sub-sections."""

    article: str
    title: list[Line]
    blocks: list[Block]
    head: Heading | None
    parent: "Section | None"
    deleted: bool = False
    future: int | None = None
    heading: bool = False
    """It only groups others: a chapter, or the name of a lettered part."""
    letter: str = ""
    topic: list[Line] = field(default_factory=list)
    """An unnumbered heading that it stands under, beside others of the same parent."""
    opens_topic: bool = False
    """It is the first under that heading."""
    children: list["Section"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SkippedBlocks:
    """Blocks that are not part of any clause, with the reason."""

    reason: str
    pages: tuple[int, ...]


def build_sections(
    blocks: Sequence[Block], season: int | None
) -> tuple[list[Section], list[SkippedBlocks]]:
    """The sections of a document in reading order, and what was left out."""
    skipped = []
    heads = find_candidates(blocks)
    lists = find_contents_lists(heads, len(blocks))
    if lists:
        inside = {index for first, last in lists for index in range(first, last + 1)}
        skipped.append(
            SkippedBlocks("contents", tuple(sorted({blocks[index].page for index in inside})))
        )
        blocks = [block for index, block in enumerate(blocks) if index not in inside]
        heads = find_candidates(blocks)
    builder = _Builder(blocks, season)
    builder.build(select_headings(heads, blocks))
    return builder.sections, skipped


class _Builder:
    """Walks the chosen heads in order and hangs each below its parent."""

    def __init__(self, blocks: Sequence[Block], season: int | None) -> None:
        self._blocks = blocks
        self._season = season
        self._by_key: dict[tuple[object, ...], Section] = {}
        self._appendix: Section | None = None
        self._part = ""
        self._future: int | None = None
        self._future_from: Section | None = None
        self._letters = _lettered_headings(blocks)
        self._topic: tuple[Section | None, list[Line]] = (None, [])
        self.sections: list[Section] = []

    def build(self, heads: list[Heading]) -> None:
        first = heads[0].index if heads else len(self._blocks)
        own, later = self._until_letter(self._blocks[:first])
        self._preamble(own)
        self._lettered_parts(later)
        topic: list[Line] = []
        for head, following in zip(heads, [*heads[1:], None], strict=False):
            end = following.index if following else len(self._blocks)
            own, heading = _without_topic(self._blocks[head.index : end], following)
            self._section(head, own, topic)
            topic = heading

    def _preamble(self, blocks: Sequence[Block]) -> None:
        if any(map(_has_words, blocks)):
            self.sections.append(Section("Preamble", [], list(blocks), None, None))

    def _section(self, head: Heading, blocks: list[Block], topic: list[Line]) -> None:
        own, later = self._until_letter(blocks)
        if head.deleted:
            own = self._struck_alone(own)
        section = Section(self._article(head), [], own, head, None, deleted=head.deleted)
        if head.kind == "appendix" and not head.deleted:
            nested = (
                self._future is not None
                and self._future_from is not None
                and self._appendix is self._future_from
            )
            self._appendix = self._appendix if nested else section
            self._part = ""
            if not nested:
                self._future = None
        section.title, section.blocks = _titled(head, own)
        if not head.deleted:
            self._tell_future(section)
        section.future = self._future
        section.parent = self._parent(head, section)
        if section.parent:
            section.parent.children.append(section)
        self._put_under(topic, section)
        if not head.deleted:
            self._by_key[self._place(head)] = section
        self.sections.append(section)
        self._lettered_parts(later)

    def _put_under(self, topic: list[Line], section: Section) -> None:
        """Note the unnumbered heading of a section: the one just before it, or that of those beside it."""
        if topic:
            self._topic = section.parent, topic
        if topic or (section.parent is not None and self._topic[0] is section.parent):
            section.topic, section.opens_topic = self._topic[1], bool(topic)

    def _struck_alone(self, blocks: list[Block]) -> list[Block]:
        """The blocks of a struck number up to what is in force, which goes on with the number in force before it."""
        end = next(
            (n for n, block in enumerate(blocks) if any(map(line_text, _lines(block)))), len(blocks)
        )
        if end < len(blocks):
            before = next(
                (section for section in reversed(self.sections) if not section.deleted), None
            )
            if before is None:
                self._preamble(blocks[end:])
            else:
                before.blocks = [*before.blocks, *blocks[end:]]
        return blocks[:end]

    def _lettered_parts(self, parts: Sequence[tuple[Line, list[Block]]]) -> None:
        """Headings of lettered parts, with what stands below each."""
        for heading, rest in parts:
            letter = self._letters[id(heading)]
            group = Section(
                letter,
                [heading],
                rest,
                None,
                None,
                heading=not rest,
                letter=letter,
                future=self._future,
            )
            self._by_key[(letter,)] = group
            self._appendix = None
            self.sections.append(group)

    def _until_letter(
        self, blocks: Sequence[Block]
    ) -> tuple[list[Block], list[tuple[Line, list[Block]]]]:
        """A section's own blocks, and the headings of lettered parts that end it, with what stands below each."""
        own: list[Block] = []
        later: list[tuple[Line, list[Block]]] = []
        for block in blocks:
            if id(block) in self._letters and isinstance(block, Line):
                later.append((block, []))
            elif later:
                later[-1][1].append(block)
            else:
                own.append(block)
        return own, later

    def _article(self, head: Heading) -> str:
        if head.kind == "sub" and head.parent is not None:
            return f"{self._qualified(head.parent)}({head.number})"
        name = f"{head.lead_word.capitalize()} {head.number}".strip()
        if head.kind == "part" and self._appendix is not None and not head.deleted:
            self._part = f"{self._appendix.article}, {name}"
            return self._part
        return name if head.kind in ("appendix", "part") else self._qualified(head)

    def _qualified(self, head: Heading) -> str:
        """A bare number within an appendix that counts for itself bears the appendix' name."""
        if self._counts_for_itself(head):
            return f"{self._part or self._own_name()}, {head.number}"
        return head.number

    def _counts_for_itself(self, head: Heading) -> bool:
        """Numbers within an appendix, save those of other articles: lettered, of a later season, deep and alone."""
        if self._appendix is None or self._future is not None or not head.number[:1].isdigit():
            return False
        return len(head.key) < 3 or (self._part or self._own_name(), *head.key[:-1]) in self._by_key

    def _own_name(self) -> str:
        return self._appendix.article if self._appendix is not None else ""

    def _place(self, head: Heading) -> tuple[object, ...]:
        if head.kind in ("appendix", "part"):
            return (head.kind, head.number)
        if head.kind == "sub" and head.parent is not None:
            return (*self._place(head.parent), head.key[-1])
        return (self._part or self._own_name() if self._counts_for_itself(head) else "", *head.key)

    def _parent(self, head: Heading, section: Section) -> Section | None:
        if head.kind in ("appendix", "part"):
            return self._appendix if self._appendix is not section and head.kind == "part" else None
        own = self._place(head)[0]
        for length in range(len(head.key) - 1, 0, -1):
            found = self._by_key.get((own, *head.key[:length]))
            if found is not None and found is not section:
                return found
        if isinstance(head.key[0], str) and (head.key[0],) in self._by_key:
            return self._by_key[(head.key[0],)]
        return self._appendix if self._appendix is not section else None

    def _tell_future(self, section: Section) -> None:
        """Headings that announce changes for a later season begin a future part; it lasts as long as its appendix."""
        lines = [
            line_text(line) for line in (*section.title, *section.blocks) if isinstance(line, Line)
        ]
        title = " ".join(line_text(line) for line in section.title)
        year = _year_of(
            title, self._season, heading=bool(section.head and section.head.kind == "appendix")
        )
        if year is not None:
            self._future, self._future_from = year, self._appendix
        if self._future is not None:
            for text in lines:
                if found := _FOR_YEAR.match(text):
                    self._future = int(found[1])


def _without_topic(
    blocks: Sequence[Block], following: Heading | None
) -> tuple[list[Block], list[Line]]:
    """The blocks of a section, and the unnumbered heading at their end that belongs to the plain number after it."""
    own = list(blocks)
    if (
        following is None
        or following.kind != "plain"
        or following.deleted
        or len(following.key) < 2
        or len(own) < 2
    ):
        return own, []
    line, before = own[-1], own[-2]
    if not isinstance(line, Line) or isinstance(before, Drawing) or _wholly_bold([following.line]):
        return own, []
    text = line_text(line)
    alone = (isinstance(before, Table) or _apart(before, line)) and _apart(line, following.line)
    named = text[:1].isupper() and len(text.split()) <= 10 and not text.endswith(_ENDS_SENTENCE)
    if (
        alone
        and named
        and _wholly_bold([line])
        and not has_marker(text)
        and not _CAPTION.match(text)
    ):
        return own[:-1], [line]
    return own, []


def _apart(line: Line, following: Line) -> bool:
    """True where more space than within a paragraph, or a new page, parts two lines."""
    return following.page != line.page or following.baseline - line.baseline > 1.5 * line.size


def _year_of(title: str, season: int | None, *, heading: bool) -> int | None:
    """The season that a heading like "Approved changes for 2025" speaks of, if it is later than the document's own."""
    found = _FUTURE.search(title)
    if not found or not (heading or _FOR_YEAR.match(title)):
        return None
    if not found[1].isdigit():
        return season + 1 if season else None
    return int(found[1]) if season is None or int(found[1]) > season else None


def _titled(head: Heading, blocks: list[Block]) -> tuple[list[Line], list[Block]]:
    """A section's blocks with the lines of its title taken off."""
    lines = _first_paragraph(blocks)
    text = " ".join(line_text(line, "deleted" if head.deleted else "live") for line in lines)
    rest = text.removeprefix(head.lead_word).strip().removeprefix(head.number).lstrip(" \t.):–—-")
    if (
        head.kind == "article"
        and rest.endswith((".", ";"))
        and len(rest.split()) > 4
        and not _wholly_bold(lines)
    ):
        return [], blocks
    if head.kind in ("article", "appendix", "part") or (head.ending == ")" and rest.isupper()):
        if not rest and len(blocks) > len(lines):
            lines += _first_paragraph(blocks[len(lines) :])
        return lines, blocks[len(lines) :]
    if not rest:
        following = _first_paragraph(blocks[len(lines) :])
        if following and _looks_like_title(following, "", blocks[len(lines) + len(following) :]):
            lines += following
        return lines, blocks[len(lines) :]
    if _looks_like_title(lines, rest, blocks[len(lines) :]):
        return lines, blocks[len(lines) :]
    return [], blocks


def _first_paragraph(blocks: Sequence[Block]) -> list[Line]:
    """The first line and those that go on from it: same print, no more space between than within."""
    lines: list[Line] = []
    for block in blocks:
        if not isinstance(block, Line):
            break
        if lines:
            last = lines[-1]
            apart = block.baseline - last.baseline
            if (
                block.page != last.page
                or block.column != last.column
                or not 0 < apart < 1.5 * last.size
            ):
                break
            if _bold(block) != _bold(last) or abs(block.size - last.size) > 0.6 or len(lines) > 3:
                break
            if _ends_early(last, block):
                break
        lines.append(block)
    return lines


def _ends_early(line: Line, following: Line) -> bool:
    """A line with room left for the next one's first word was broken on purpose."""
    words = line_text(following).split()
    room = line.edge - line.right
    return bool(words) and room > (len(words[0]) + 2) * 0.5 * line.size


def _bold(line: Line) -> bool:
    """Bold in the last of its print: a number may be bold before plain text."""
    spans = [span for span in line.spans if span.text.strip()]
    return bool(spans) and spans[-1].style.bold


def _wholly_bold(lines: Sequence[Line]) -> bool:
    """Bold throughout, the number apart: a bold word in plain text makes no heading."""
    letters = [
        (len(s.text.strip()), s.style.bold)
        for line in lines
        for s in line.spans
        if s.state != "hidden"
    ]
    bold = sum(count for count, is_bold in letters if is_bold)
    return bold > 0.8 * sum(count for count, _ in letters) and all(_bold(line) for line in lines)


def _looks_like_title(lines: list[Line], rest: str, following: Sequence[Block]) -> bool:
    text = rest or " ".join(line_text(line) for line in lines)
    if len(text) > 160 or len(lines) > 3 or not text:
        return False
    if _wholly_bold(lines) or (text.isupper() and len(text) > 3):
        return not text.endswith((".", ";")) or len(text) < 60
    more = bool(following) and isinstance(following[0], (Line, Table))
    return (
        len(lines) == 1
        and len(text.split()) <= 10
        and more
        and not text.endswith(_ENDS_SENTENCE)
        and not _NO_TITLE.search(text)
        and text[0].isupper()
        and _set_apart(lines[0], following)
    )


def _has_words(block: Block) -> bool:
    return (
        bool(block.words)
        if isinstance(block, Drawing)
        else any(line.visible_text.strip() for line in _lines(block))
    )


def _lines(block: Block) -> Iterable[Line]:
    match block:
        case Line():
            return (block,)
        case Table():
            return block.lines
        case _:
            return ()


def _set_apart(line: Line, following: Sequence[Block]) -> bool:
    """The line was broken with room left, or space follows it."""
    after = following[0]
    if not isinstance(after, Line):
        return True
    return _apart(line, after) or _ends_early(line, after)


def _lettered_headings(blocks: Sequence[Block]) -> dict[int, str]:
    """Headings such as "GR - GENERAL REGULATIONS" over clauses "GR.1", "GR.2": the line's id and its letters."""
    letters = {
        found[1]
        for block in blocks
        if isinstance(block, Line)
        and (found := re.match(r"([A-Z]{1,3})\.?\d+(?:\.\d+)*\s", line_text(block)))
    }
    headings: dict[int, str] = {}
    for block in blocks:
        if not isinstance(block, Line):
            continue
        found = re.match(r"([A-Z]{1,3})\s+[-–—]\s+\S", line_text(block))
        if found and found[1] in letters and _bold(block):
            headings[id(block)] = found[1]
    return headings
