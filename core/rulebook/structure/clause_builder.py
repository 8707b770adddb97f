"""From sections to clauses: the words in force, what was deleted or inserted, where it stands, and what it names."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.rulebook.layout.blocks import Block, Cell, Drawing, Line, Page, Span, Table
from core.rulebook.layout.text import is_bullet, join_lines, line_text, span_text, spans_text
from core.rulebook.structure.numbering import has_marker
from core.rulebook.structure.references import find_defined_terms, find_references, find_sanctions
from core.rulebook.structure.revision_colors import ColorMeaning, ColorPalette
from core.rulebook.structure.section_tree import Section
from core.rulebook.types import (
    Box,
    Clause,
    ClauseMark,
    ClauseStatus,
    Figure,
    Identity,
    MarkKind,
    TextLocation,
)

_BROKEN_LINE = 0.5  # ems a letter takes on average, to tell whether a word had fitted on a line


@dataclass(frozen=True, slots=True)
class ClauseBuilder:
    """What making clauses needs to know of the document."""

    document_id: str
    identity: Identity
    palette: ColorPalette
    pages: Mapping[int, Page]
    is_word: Callable[[str], bool]
    language: str | None = None

    def build_clauses(self, sections: Sequence[Section], numbers: Counter[str]) -> list[Clause]:
        """The clauses of `sections` in reading order; `numbers` counts how often each article has come so far."""
        return [
            self._clause(section, numbers)
            for section in sections
            if not self._is_empty_heading(section)
        ]

    def _is_empty_heading(self, section: Section) -> bool:
        """Its name stands in what it is above."""
        return section.heading and not section.blocks and bool(section.children)

    def _clause(self, section: Section, numbers: Counter[str]) -> Clause:
        numbers[section.article] += 1
        nth = numbers[section.article]
        clause_id = f"{self.document_id}:{section.article}" + (f"~{nth}" if nth > 1 else "")
        text = "" if section.deleted else self._text(section)
        title = "" if section.deleted else self.section_title(section)
        marks = tuple(self._marks(section))
        status: ClauseStatus = (
            "future" if section.future else "deleted" if section.deleted else "in_force"
        )
        if (
            not section.deleted
            and not text
            and not title
            and any(mark.kind == "deleted" for mark in marks)
        ):
            status = "future" if section.future else "deleted"
        breadcrumb = self._breadcrumb(section)
        pages = [block.page for block in (*section.title, *section.blocks) if block.page] or [1]
        return Clause(
            clause_id=clause_id,
            document_id=self.document_id,
            source_id=clause_id,
            article=section.article,
            title=title,
            breadcrumb=breadcrumb,
            text=text,
            status=status,
            deleted=tuple(self._as_extracted(section)),
            inserted=_joined_marks(marks, "inserted"),
            marks=marks,
            season=self.identity.season,
            issue=self.identity.issue,
            family=self.identity.family,
            future=section.future,
            page_first=min(pages),
            page_last=max(pages),
            references=find_references(f"{title}\n{text}"),
            places=tuple(self._places(section)),
            language=self.language,
            lead_in=self._lead_in(section),
            notes=_joined_marks(marks, "note"),
            figures=tuple(self._figures(section)),
            defines=find_defined_terms(title, text, "".join(breadcrumb[-1:])),
            sanctions=find_sanctions(text),
        )

    def section_title(self, section: Section) -> str:
        """The heading without its number, struck words left out; else the unnumbered one that stands right above it."""
        return self._own_title(section) or (self._topic(section) if section.opens_topic else "")

    def _topic(self, section: Section) -> str:
        return join_lines((self._words(line) for line in section.topic), self.is_word)

    def _own_title(self, section: Section) -> str:
        text = join_lines((self._words(line) for line in section.title), self.is_word)
        if section.letter:
            return text.removeprefix(section.letter).lstrip(" -–—")
        head = section.head
        if head is None:
            return text
        return (
            text.removeprefix(head.lead_word).lstrip().removeprefix(head.number).lstrip(" .):–—-]")
        )

    def _breadcrumb(self, section: Section) -> tuple[str, ...]:
        crumbs: list[str] = []
        while True:
            if section.topic and (not section.opens_topic or self._own_title(section)):
                crumbs.append(self._topic(section))
            if section.parent is None:
                return tuple(reversed(crumbs))
            section = section.parent
            crumbs.append(f"{section.article} {self.section_title(section)}".strip())

    def _lead_in(self, section: Section) -> tuple[str, ...]:
        """What parents say before their sub-clauses and hold for all of them: their last words, up to a colon."""
        found: list[str] = []
        parent = section.parent
        while parent is not None:
            text = self._text(parent)
            last = text.rsplit("\n", 1)[-1]
            if last.endswith(":"):
                found.append(last)
            parent = parent.parent
        return tuple(reversed(found))

    def _text(self, section: Section) -> str:
        paragraphs: list[str] = []
        for paragraph in _paragraphs(section.blocks, self._words):
            match paragraph:
                case Table():
                    table = self._markdown(paragraph)
                    follows = (
                        table.startswith("|")
                        and paragraphs
                        and paragraphs[-1].lstrip("\n").startswith("|")
                    )
                    paragraphs.append(
                        f"\n{table}" if follows else table
                    )  # else Markdown takes both for one
                case Drawing():
                    paragraphs.append(_equation_text(paragraph))
                case _:
                    text = join_lines((self._words(line) for line in paragraph), self.is_word)
                    paragraphs.append(text)
        whole = "\n".join(text for text in paragraphs if text)
        return _without_number(whole, section)

    def _words(self, line: Line) -> str:
        """The words of a line that are in force: not struck, not hidden, not a note."""
        if not self.palette.has_notes:
            return line_text(line)
        return spans_text(
            span._replace(state="hidden") if self.palette.span_meaning(span) == "note" else span
            for span in line.spans
        )

    def _markdown(self, table: Table) -> str:
        """The rows in force as a Markdown table; the first row is its header."""
        rows = [[self._cell(cell) for cell in row] for row in table.rows]
        rows = [row for row in rows if any(row)]
        if not rows:
            return ""
        filled = [
            index
            for index in range(max(map(len, rows)))
            if any(len(r) > index and r[index] for r in rows)
        ]
        rows = [[row[index] if index < len(row) else "" for index in filled] for row in rows]
        if len(filled) == 1:
            return "\n".join(row[0] for row in rows)
        lines = [f"| {' | '.join(row)} |" for row in rows]
        lines.insert(1, "|" + "---|" * len(filled))
        return "\n".join(lines)

    def _cell(self, cell: Cell | None) -> str:
        if cell is None:
            return ""
        return join_lines(_whole_numbers(map(self._words, cell.lines)), self.is_word).replace(
            "|", "\\|"
        )

    def _marks(self, section: Section) -> Iterator[ClauseMark]:
        """Runs of words of one kind in reading order, over line ends, cut at page ends."""
        for kind, run in self._runs(section):
            yield self._mark(kind, run)

    def _runs(self, section: Section) -> Iterator[tuple[MarkKind, list[tuple[Line, Span]]]]:
        run: list[tuple[Line, Span]] = []
        kind: MarkKind | None = None
        for line in iter_lines((*section.title, *section.blocks)):
            for span in line.spans:
                meaning = _mark_kind(self.palette.span_meaning(span))
                if not span.text.strip():
                    if run and meaning == kind:
                        run.append((line, span))
                    continue
                if kind is not None and run and (meaning != kind or line.page != run[-1][0].page):
                    yield kind, run
                    run = []
                kind = meaning
                if kind is not None:
                    run.append((line, span))
        if kind is not None and run:
            yield kind, run

    def _as_extracted(self, section: Section) -> Iterator[str]:
        """Deleted words letter for letter as the file has them: what is mended is what is in force."""
        for kind, run in self._runs(section):
            if kind == "deleted":
                raw = [(line, span._replace(text=span.raw or span.text)) for line, span in run]
                yield self._mark(kind, raw).text

    def _mark(self, kind: MarkKind, run: list[tuple[Line, Span]]) -> ClauseMark:
        page = self.pages[run[0][0].page]
        by_line: dict[int, list[tuple[Line, Span]]] = {}
        for line, span in run:
            by_line.setdefault(id(line), []).append((line, span))
        boxes: list[Box] = []
        texts = []
        for parts in by_line.values():
            line = parts[0][0]
            box = (
                min(s.left for _, s in parts),
                line.top,
                max(s.right for _, s in parts),
                line.bottom,
            )
            boxes.append(page.to_display(box))
            texts.append(" ".join("".join(span_text(span) for _, span in parts).split()))
        return ClauseMark(kind, join_lines(texts, self.is_word), page.number, tuple(boxes))

    def _places(self, section: Section) -> Iterator[TextLocation]:
        boxes: dict[int, list[Box]] = {}
        for block in (*section.title, *section.blocks):
            boxes.setdefault(block.page, []).append(self.pages[block.page].to_display(block.box))
        for page, found in sorted(boxes.items()):
            lines = (
                line for line in iter_lines(section.blocks) if line.page == page and len(boxes) > 1
            )
            yield TextLocation(page, tuple(found), " ".join(filter(None, map(self._words, lines))))

    def _figures(self, section: Section) -> Iterator[Figure]:
        for index, block in enumerate(section.blocks):
            if isinstance(block, Drawing):
                caption = _caption(section.blocks, index)
                yield Figure(
                    block.kind, caption, block.page, self.pages[block.page].to_display(block.box)
                )


def iter_lines(blocks: Iterable[Block]) -> Iterator[Line]:
    """Every line of text in `blocks`, those of table cells included."""
    for block in blocks:
        match block:
            case Line():
                yield block
            case Table():
                yield from block.lines
            case Drawing():
                pass


def _equation_text(drawing: Drawing) -> str:
    """The words of an equation, marked: without their layout they must not be computed with."""
    return f"[Equation, shown on page {drawing.page}: {drawing.words}]" if drawing.words else ""


def _whole_numbers(lines: Iterable[str]) -> list[str]:
    """The lines of a narrow cell, numbers that it splits put together: "3.10." and "1/0" are "3.10.1/0"."""
    whole: list[str] = []
    for line in lines:
        if whole and line and re.search(r"\d[./]$", whole[-1]) and line[0].isdigit():
            whole[-1] += line
        else:
            whole.append(line)
    return whole


def _mark_kind(meaning: ColorMeaning) -> MarkKind | None:
    return meaning if meaning != "plain" else None


def _joined_marks(marks: Iterable[ClauseMark], kind: MarkKind) -> tuple[str, ...]:
    """The words of one kind of mark; what goes on over a page end is one."""
    return tuple(mark.text for mark in marks if mark.kind == kind and mark.text)


def _without_number(text: str, section: Section) -> str:
    """A clause without a title begins with its number, which is not part of its words."""
    head = section.head
    if head is None or section.title:
        return text
    rest = text.removeprefix(head.lead_word).lstrip() if head.lead_word else text
    if head.ending == "()":
        return rest.removeprefix(f"({head.number})").lstrip()
    return rest.removeprefix(head.number).lstrip(" .):]") if rest.startswith(head.number) else rest


def _paragraphs(
    blocks: Sequence[Block], words: Callable[[Line], str]
) -> Iterator[list[Line] | Table | Drawing]:
    """Lines that belong together, tables and figures, in order. Lines without words in force are passed over."""
    lines: list[Line] = []
    for block in blocks:
        if not isinstance(block, Line):
            if lines:
                yield lines
                lines = []
            yield block
            continue
        text = words(block)
        if not text:
            continue
        if lines and _begins_paragraph(lines, block, text, words(lines[-1])):
            yield lines
            lines = []
        lines.append(block)
    if lines:
        yield lines


def _begins_paragraph(lines: list[Line], line: Line, text: str, before: str) -> bool:
    last = lines[-1]
    if has_marker(text) or is_bullet(text.split()[0]):
        return True
    if line.page != last.page or line.column != last.column:
        return before.endswith((".", ":", ";")) and not text[0].islower()
    apart = line.baseline - last.baseline
    usual = (
        lines[1].baseline - lines[0].baseline
        if len(lines) > 1 and lines[1].page == lines[0].page
        else None
    )
    if apart > 1.25 * (usual or 1.3 * line.size) and apart > 1.1 * line.size:
        return not (text[0].islower() and not before.endswith((".", ":", ";")))
    room = last.edge - last.right
    fits = room > (len(text.split()[0]) + 2) * _BROKEN_LINE * line.size
    return fits and (before.endswith((".", ":", ";")) or not text[0].islower()) and apart > 0


def _caption(blocks: Sequence[Block], index: int) -> str:
    """The line under a figure, or else above it, that names it."""
    for near in (index + 1, index - 1):
        if 0 <= near < len(blocks):
            block = blocks[near]
            if isinstance(block, Line) and line_text(block).lower().startswith(
                ("figure", "fig", "drawing", "diagram")
            ):
                return line_text(block)
    return ""
