"""The text of a Word file as blocks of lines, as the structure of rules is read from pages.

There are no pages: places are made up so that paragraphs lie apart, as print does. What print
leaves open, a file says: numbers and their levels, headings, where a paragraph begins.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from typing import TypeAlias

from core.grammar import find_article_numbers
from core.rulebook.layout.blocks import (
    Block,
    Cell,
    GivenParagraph,
    Line,
    Page,
    Span,
    State,
    Table,
    iter_lines,
)
from core.rulebook.layout.text import heaviest, line_text
from core.rulebook.pdf.page_content import Style
from core.rulebook.structure.line_numbers import read_line_numbers
from core.rulebook.structure.other_texts import Footnote
from core.rulebook.types import TextKind
from core.rulebook.word.numbering import NumberCounter, ShownNumber
from core.rulebook.word.styles import ParagraphLook, RunLook, color_of, size_of
from core.rulebook.word.text import (
    CellText,
    Content,
    NoteText,
    Paragraph,
    Piece,
    TableText,
    WordText,
    list_objects,
)

FRONT, BODY = 0, 1
"""Numbers of the pages that are made up: what is before the rules, and these. A person's word on a
line is of page 1."""
_WIDTH = 500.0  # points of the text
_OPENING = 40  # paragraphs of a document whose first heading is not known, at most
_LETTER = 0.5  # ems of a letter, on average
_LEADING, _PARAGRAPH_GAP = 1.2, 5.0  # times the size; `BodyPrint` leaves out gaps from 4 on
_ROOM = 1000.0  # points that are free after a line: none has to go on below
_STEP = 0.6  # points between the sizes of two outline levels, at least: more than `SAME_SIZE`
FEWEST_HEADINGS = 3
"""Without numbers that part a document: a file says which they are, so a few are enough."""
_TYPED_SHARE = 0.8  # of the headings of a level that have typed numbers: "24 Hours" has none
_NO_RULE = ("title", "subtitle")
"""Styles of what names a document: a year that it begins with is no number."""
_LEAD_WORD = re.compile(r"[^\W\d_]{2,}\.?\s*\S|[A-Z]\s?\d")
_DOTTED = re.compile(r"\w+\.\w")
_SENTENCE_END = (".", ";", ":", ",")


_Apart: TypeAlias = tuple[TextKind, list[Line], list[Block]]


@dataclass(slots=True)
class WordPages:
    """A Word file as two pages, what is before the rules and these, and all that is apart."""

    front: Page
    body: Page
    has_cover: bool
    """A page ends before the rules."""
    running: list[str]
    """The words of headers and footers."""
    footnotes: list[Footnote]
    contents: list[Block]
    apart: list[_Apart]
    """Comments, text boxes and an index: kind, title and text of each."""
    metadata: dict[str, str]


@dataclass(slots=True)
class _Numbered:
    """The line of a numbered paragraph or of a heading."""

    line: Line
    number: ShownNumber | None
    outline: int


@dataclass
class _Composer:
    """Turns paragraphs into lines, counting their numbers."""

    final: NumberCounter
    original: NumberCounter
    """Counts as before the tracked changes: numbers of what is deleted."""
    page: Page
    y: float = 0.0
    numbered: list[_Numbered] = field(default_factory=list)
    anchors: dict[str, Line] = field(default_factory=dict)
    """The line that bears the mark of each note."""

    def compose(self, content: Content) -> Iterator[tuple[Paragraph | None, Block]]:
        """Yield the blocks of some content, each with the paragraph that it begins with."""
        waiting: list[Paragraph] = []
        for one in content:
            if isinstance(one, Paragraph):
                waiting.append(one)
                if one.goes_on or (len(waiting) > 1 and one.mark_deleted):
                    continue
            yield from self._compose_paragraphs(waiting)
            waiting = []
            if isinstance(one, TableText):
                yield from ((None, block) for block in self._compose_table(one))
        yield from self._compose_paragraphs(waiting)

    def _compose_paragraphs(self, joined: Sequence[Paragraph]) -> Iterator[tuple[Paragraph, Block]]:
        """Yield the lines of paragraphs that are one, as their marks are deleted or hidden."""
        if not joined:
            return
        keeper = joined[0]
        if keeper.mark_deleted and any(one.has_live_text for one in joined[1:]):
            keeper = joined[-1]
        pieces: list[Piece] = []
        for one in joined:
            if pieces and pieces[-1].state == "deleted":  # a deleted mark parted the words
                pieces.append(pieces[-1]._replace(text=" ", note=""))
            pieces += one.pieces
        number = self._count_number(
            joined, keeper, is_unseen={p.state for p in pieces} <= {"hidden"}
        )
        if number and number.label:
            state: State = "deleted" if joined[0].is_gone else "live"
            change = keeper.mark_deleted if joined[0].is_gone else keeper.mark_inserted
            label = number.label + number.suffix
            pieces.insert(0, Piece(label, keeper.mark_look, state, change))
        yield from ((keeper, line) for line in self._compose_lines(pieces, keeper, number))

    def _count_number(
        self, joined: Sequence[Paragraph], keeper: Paragraph, *, is_unseen: bool
    ) -> ShownNumber | None:
        """Count paragraphs that are one; return their number, the old one of what is deleted."""
        kept = [one.old_look for one in joined if not one.mark_inserted]
        old = next(filter(None, [self._count(self.original, look) for look in kept]), None)
        if joined[0].is_gone:
            return old if joined[0].has_text else None
        if is_unseen and joined[-1].mark_look.hidden:
            return None
        number = self._count(self.final, keeper.look)
        return None if is_unseen and keeper.mark_look.is_unseen(keeper.ground) else number

    def _count(self, counter: NumberCounter, look: ParagraphLook) -> ShownNumber | None:
        number_id, level, _ = look.numbers
        if not number_id or number_id == "0":
            return None
        return counter.count(number_id, level or 0)

    def _compose_lines(
        self, pieces: Sequence[Piece], keeper: Paragraph, number: ShownNumber | None
    ) -> Iterator[Line]:
        look = keeper.look
        outline = look.outline or 0
        label = number.label if number else ""
        is_quote = any("quote" in name for name in look.names)
        is_name = look.names[:1] and look.names[0] in _NO_RULE
        if outline:  # a heading is one line, wherever it is broken
            pieces = [p._replace(text=" ") if p.text == "\n" else p for p in pieces]
        lines = [
            list(group)
            for is_break, group in groupby(pieces, lambda p: p.text == "\n")
            if not is_break
        ]
        self.y += (_PARAGRAPH_GAP - _LEADING) * size_of(keeper.mark_look)
        for at, parts in enumerate(lines):
            line = self._compose_line(parts, look)
            if at == 0:
                counter, key = (number.counter, number.key) if number else ("digits", ())
                line.given = GivenParagraph(
                    True,
                    label,
                    counter,
                    key,
                    outline=outline,
                    is_item=bool(is_name),
                    is_quote=is_quote,
                )
                if number or outline:
                    self.numbered.append(_Numbered(line, number, outline))
            else:
                line.given = GivenParagraph(False, is_quote=is_quote)
            self.anchors |= {piece.note: line for piece in parts if piece.note}
            yield line

    def _compose_line(self, parts: Sequence[Piece], look: ParagraphLook) -> Line:
        left = x = look.indent or 0.0
        size = heaviest(((size_of(p.look), len(p.text)) for p in parts), 10.0)
        spans: list[Span] = []
        links: list[tuple[float, float]] = []
        for part in parts:
            end = x + len(part.text) * _LETTER * size
            spans.append(_make_span(part, x, end))
            if part.is_link:
                links.append((x, end))
            x = end
        spans = _strip_gone(_strip_ends(spans)) or [_make_span(Piece("", RunLook()), x, x)]
        self.y += _LEADING * size
        top, bottom = self.y - size, self.y + 0.2 * size
        self.page.links += [(start, top, end, bottom) for start, end in links]
        start, edge = 0.0, x + _ROOM
        if look.is_centred:
            start, edge = left - _WIDTH, x + _WIDTH
        return Line(
            left, top, x, bottom, tuple(spans), self.y, size, start, edge, page=self.page.number
        )

    def _compose_table(self, table: TableText) -> Iterator[Block]:
        """Yield a table; the lines of one with a single column, which only frames them."""
        top = self.y
        rows = [[self._compose_cell(cell) for cell in row] for row in table.rows]
        columns = len(rows[0]) if rows else 0
        filled = {at for row in rows for at, cell in enumerate(row) if cell}
        if len(filled) < 2:
            for row in rows:
                yield from (line for cell in row if cell for line in cell.lines)
            return
        edges = tuple(at * _WIDTH / columns for at in range(columns + 1))
        self.y += _LEADING
        yield Table(0.0, top, _WIDTH, self.y, rows, True, 0, self.page.number, edges)

    def _compose_cell(self, cell: CellText | None) -> Cell | None:
        if cell is None:
            return None
        top = self.y
        lines = list(iter_lines(block for _, block in self.compose(cell.content)))
        return Cell(lines, (0.0, top, _WIDTH, self.y), cell.row_span)


def lay_out_text(text: WordText) -> WordPages:
    """Make pages of the text of a Word file, and set apart what is no text of rules."""
    front, body = (Page(number, _WIDTH, 10.0**7) for number in (FRONT, BODY))
    composer = _Composer(text.counter, text.counter.copy(), body)
    flow = [(one, block, _kind_of(one)) for one, block in composer.compose(text.body)]
    main = [(one, block) for one, block, kind in flow if not kind]
    blocks = [block for _, block in main]
    _settle_typed_numbers(composer.numbered)
    _settle_roles(composer.numbered)
    _raise_headings(composer.numbered, blocks)
    end, has_cover = _find_end_of_front(main)
    front.blocks, body.blocks = blocks[:end], blocks[end:]
    for place in (*front.blocks, *iter_lines(front.blocks)):
        place.page = FRONT
    front.links = body.links
    letters = (sum(map(str.isalnum, line.visible_text)) for line in iter_lines(blocks))
    front.letter_count = body.letter_count = sum(letters)
    footnotes = [
        Footnote(composer.anchors[key], _compose_note(composer, note))
        for key, note in text.notes.items()
        if key in composer.anchors
    ]
    running = chain.from_iterable(
        map(line_text, iter_lines(_compose_apart(composer, content))) for content in text.headers
    )
    index = [block for _, block, kind in flow if kind == "index"]
    return WordPages(
        front,
        body,
        has_cover,
        list(dict.fromkeys(filter(None, running))),
        footnotes,
        [block for _, block, kind in flow if kind == "contents"],
        [one for one in _list_apart(composer, text, index) if any(_words_in(one[2]))],
        text.metadata,
    )


def leave_out_signs(lines: Iterable[Line]) -> list[Line]:
    """Return lines without the signs of what has no words, and none that holds nothing else."""
    kept = ((line, tuple(s for s in line.spans if not list_objects(s.text))) for line in lines)
    return [replace(line, spans=spans) for line, spans in kept if spans]


def _kind_of(paragraph: Paragraph | None) -> TextKind:
    if paragraph is None:
        return ""
    return "contents" if paragraph.is_contents else "index" if paragraph.is_index else ""


def _list_apart(composer: _Composer, text: WordText, index: list[Block]) -> Iterator[_Apart]:
    """Yield comments, text boxes and the index."""
    for note in text.comments:
        yield "comment", [_make_line(note.title)], _compose_apart(composer, note.content)
    for box in text.boxes:
        yield "text_box", [], _compose_apart(composer, box)
    yield "index", [], index


def _words_in(blocks: Sequence[Block]) -> Iterator[str]:
    return map(line_text, iter_lines(blocks))


def _compose_apart(composer: _Composer, content: Content) -> list[Block]:
    counter = composer.final
    own = _Composer(
        NumberCounter(counter.numbering), NumberCounter(counter.numbering), composer.page
    )
    return [block for _, block in own.compose(content)]


def _compose_note(composer: _Composer, note: NoteText) -> list[Line]:
    """The lines of a note, which begins with its number as at the foot of a page."""
    lines = list(iter_lines(_compose_apart(composer, note.content)))
    if lines and note.title:
        first = lines[0]
        mark = _make_span(Piece(f"{note.title} ", RunLook()), first.left, first.left)
        first.replace_spans((mark, *first.spans))
    return lines


def _make_line(words: str) -> Line:
    span = _make_span(Piece(words, RunLook()), 0.0, 0.0)
    return Line(0.0, 0.0, 0.0, 0.0, (span,), 0.0, span.style.size, page=BODY)


def _make_span(piece: Piece, left: float, right: float) -> Span:
    look = piece.look
    style = Style(
        look.font or "",
        size_of(look),
        bool(look.bold),
        bool(look.italic),
        color_of(look),
        visible=piece.state != "hidden",
    )
    return Span(piece.text, left, right, style, piece.state, look.script or "", change=piece.change)


def _strip_ends(spans: list[Span]) -> list[Span]:
    """Spans without blanks at both ends, as lines of print have none."""
    inked = [at for at, span in enumerate(spans) if span.text.strip()]
    if not inked:
        return []
    spans = spans[inked[0] : inked[-1] + 1]
    spans[0] = spans[0]._replace(text=spans[0].text.lstrip())
    spans[-1] = spans[-1]._replace(text=spans[-1].text.rstrip())
    return spans


def _strip_gone(spans: Sequence[Span]) -> list[Span]:
    """Spans of which those that are not in force have no blanks beside what is.

    Print may lose the blank between words around a struck one; a file holds it.
    """
    kept: list[Span] = []
    around = zip([None, *spans], spans, [*spans[1:], None], strict=False)
    for before, span, after in around:
        text = span.text
        if span.state != "live" and (before is None or before.state == "live"):
            text = text.lstrip()
        if span.state != "live" and (after is None or after.state == "live"):
            text = text.rstrip()
        kept.append(span._replace(text=text))
    return kept


def _settle_roles(numbered: Sequence[_Numbered]) -> None:
    """Set which numbers surely are headings' and which surely are items of lists.

    A list is a numbering of the document's own if headings count in it, if its numbers show those
    above them ("2.1"), or if they name articles ("Rule 2").
    """
    labelled = [(one, one.number) for one in numbered if one.number]
    for one, number in labelled:
        if number.last == "none" or (number.is_small and len(number.key) < 2):
            _give(one.line, is_item=True)
    own = {number.list_id for one, number in labelled if _is_numbering(one, number)}
    others: list[tuple[Line, ShownNumber]] = []
    for one, number in labelled:
        if one.outline or number.list_id in own:
            _give(one.line, one.outline or number.level + 1)
        elif one.line.given and not one.line.given.is_item:
            others.append((one.line, number))
    _settle_lists(numbered, others)


def _settle_lists(
    numbered: Sequence[_Numbered], others: Sequence[tuple[Line, ShownNumber]]
) -> None:
    """Settle lists whose numbers are not known to be headings', by where they lie.

    Those with a word before their numbers are headings' if they count on through the document.
    Where there are headings, another one with a word ("Step 2") is text, and so is any list that
    lies below one of them.
    """
    leading = {number.list_id for _, number in others if _LEAD_WORD.match(number.label)}
    runs = _follow_lists(numbered)
    for line, number in others:
        if number.list_id in leading and (not runs or runs[number.list_id].counts_on):
            _give(line, number.level + 1)
    runs = _follow_lists(numbered)
    for line, number in others:
        if number.list_id in runs:
            is_text = number.list_id in leading or len(runs[number.list_id].below) == 1
            _give(line, is_item=is_text)


def _is_numbering(one: _Numbered, number: ShownNumber) -> bool:
    names_article = _LEAD_WORD.match(number.label) and find_article_numbers(number.label)
    return bool(one.outline or len(number.key) > 1 or names_article)


@dataclass(slots=True)
class _ListRun:
    """How a list runs through a document: below which headings, and whether it counts on."""

    below: set[int] = field(default_factory=set)
    keys: set[tuple[str | int, ...]] = field(default_factory=set)
    counts_on: bool = True


def _follow_lists(numbered: Sequence[_Numbered]) -> dict[str, _ListRun]:
    """The lists that are not known to number headings, if there are any of these.

    A list counts on if it is in no clause, goes on below the next heading, and begins anew right
    below a chapter's heading alone, as articles do: steps follow on "2 Start". What is a level of
    it below those with a word says nothing of that.
    """
    runs: dict[str, _ListRun] = {}
    headings, in_clause, begins_chapter = 0, False, False
    for one in numbered:
        number, given = one.number, one.line.given
        is_below_chapter, begins_chapter = begins_chapter, False
        if given and given.level:
            headings += 1
            in_clause = len(number.key) > 1 if number else bool(_DOTTED.match(line_text(one.line)))
            begins_chapter = not (number.label if number else line_text(one.line))[:1].isdigit()
        elif number and given and not given.is_item:
            run = runs.setdefault(number.list_id, _ListRun())
            run.below.add(headings)
            is_old = one.line.spans[0].state != "live"  # the number of what is deleted
            if is_old or not _LEAD_WORD.match(number.label):
                continue
            if is_below_chapter:
                run.keys.clear()
            run.counts_on &= number.key not in run.keys and not in_clause
            run.keys.add(number.key)
    for run in runs.values():
        run.counts_on &= headings < 2 or len(run.below) > 1
    return runs if headings else {}


def _settle_typed_numbers(numbered: Sequence[_Numbered]) -> None:
    """Set the level of headings with typed numbers, if most of their outline level have one."""
    by_level: dict[int, list[Line]] = {}
    for one in numbered:
        if one.outline and one.number is None:
            by_level.setdefault(one.outline, []).append(one.line)
    for level, lines in by_level.items():
        found = {
            line: number
            for line in lines
            for number in read_line_numbers(line_text(line) or line_text(line, "deleted"))
            if number.style == "digits"
        }
        words = {number.lead_word.casefold() for number in found.values()}
        begins = any(number.key[-1] == 1 for number in found.values())
        if begins and len(words) == 1 and len(found) > max(1, _TYPED_SHARE * len(lines)):
            for line in found:
                _give(line, level)


def _give(line: Line, level: int = 0, *, is_item: bool = False) -> None:
    assert line.given is not None
    is_item = is_item or line.given.is_item
    level = 0 if is_item else level or line.given.level
    line.given = line.given._replace(level=level, is_item=is_item)


def _raise_headings(numbered: Sequence[_Numbered], blocks: Sequence[Block]) -> None:
    """Print headings bold, and each outline level larger than those below it.

    A heading's style may look like the text; a sentence in such a style stays a sentence.
    """
    sizes = ((line.size, len(span.text)) for line in iter_lines(blocks) for span in line.spans)
    size = heaviest(sizes, 10.0)
    by_level: dict[int, list[Line]] = {}
    for one in numbered:
        if one.outline and not line_text(one.line).endswith(_SENTENCE_END):
            by_level.setdefault(one.outline, []).append(one.line)
    for level in sorted(by_level, reverse=True):
        size = max(size, *(line.size for line in by_level[level]))
        for line in by_level[level]:
            line.size = size
            line.replace_spans(
                tuple(
                    span._replace(style=span.style._replace(bold=True, size=size))
                    for span in line.spans
                )
            )
        size += _STEP


def _find_end_of_front(flow: Sequence[tuple[Paragraph | None, Block]]) -> tuple[int, bool]:
    """How many blocks come before the rules, and whether a page ends there."""
    for at, (paragraph, block) in enumerate(flow):
        given = block.given if isinstance(block, Line) else None
        before = flow[at - 1][0] if at else None
        ends = before is not None and (
            before.breaks_page or before.ends_section in ("nextPage", "oddPage", "evenPage")
        )
        if at and (ends or (paragraph and paragraph.look.breaks_page)):
            return at, True
        if at >= _OPENING or (given and given.level):
            return at, False
    return len(flow), False


def write_plain_text(text: WordText) -> str:
    """Write the text as Markdown: paragraphs, block quotes and tables; what is in force alone."""
    page = Page(BODY, _WIDTH, 10.0**7)
    composer = _Composer(text.counter, text.counter.copy(), page)
    paragraphs: list[str] = []
    for _, block in composer.compose(text.body):
        if isinstance(block, Table):
            cells = (
                [" ".join(map(line_text, cell.lines)) for cell in row if cell] for row in block.rows
            )
            paragraphs.append("\n".join(f"| {' | '.join(row)} |" for row in cells))
        elif isinstance(block, Line) and block.given:
            mark = "> " if block.given.is_quote else ""
            words = f"{mark}{line_text(block)}"
            if paragraphs and not block.given.begins:
                paragraphs[-1] += f"\n{words}"
            else:
                paragraphs.append(words)
    return "\n\n".join(paragraphs)
