"""Build clauses from sections: text in force, deleted and inserted words, places and references."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal

from core.grammar import find_defined_terms, find_references, find_sanctions
from core.rulebook.layout.blocks import Block, Cell, Drawing, Line, Page, Span, Table, iter_lines
from core.rulebook.layout.text import join_lines, line_text, span_text, spans_text
from core.rulebook.structure.paragraphs import join_split_numbers, markdown_table, split_paragraphs
from core.rulebook.structure.revision_colors import ColorPalette
from core.rulebook.structure.section_tree import Section
from core.rulebook.structure.titles import without_label
from core.rulebook.types import (
    Box,
    Clause,
    ClauseMark,
    ClauseStatus,
    Figure,
    Identity,
    MarkKind,
    TextKind,
    TextLocation,
    make_clause_id,
)

_KIND_TITLES: dict[TextKind, str] = {"cover": "Cover", "contents": "Contents"}
"""Titles of texts that have none of their own."""
_MARKS = " .:)–—-]"
"""What may be printed between a number, a title and the text."""


@dataclass(frozen=True, slots=True)
class ClauseBuilder:
    """What building clauses requires of the document."""

    document_id: str
    identity: Identity
    palette: ColorPalette
    pages: Mapping[int, Page]
    is_word: Callable[[str], bool]
    language: str | None
    _texts: dict[Section, str] = field(default_factory=dict)
    """Those that were put together, as a section is named by each one below it."""
    _titles: dict[Section, str] = field(default_factory=dict)
    _line_words: dict[Line, str] = field(default_factory=dict)

    def build_clauses(self, sections: Sequence[Section], numbers: Counter[str]) -> list[Clause]:
        """The clauses of `sections` in reading order; `numbers` counts each article so far.

        A heading without blocks of its own makes no clause: its children name it.
        """
        return [
            self._build_clause(section, numbers)
            for section in sections
            if section.blocks or not (section.heading and section.children)
        ]

    def _build_clause(self, section: Section, numbers: Counter[str]) -> Clause:
        clause_id = make_clause_id(self.document_id, section.article or section.kind, numbers)
        text = title = ""
        if not section.deleted:
            text, title = self._section_text(section), self._title(section)
        runs = self._marked_runs(section)
        marks = tuple(self._mark(kind, run) for kind, run in runs)
        breadcrumb = self._breadcrumb(section)
        places = tuple(self._places(section))
        last_lines = [self._section_text(level).rsplit("\n", 1)[-1] for level in section.ancestors]
        first, last = (places[0].page, places[-1].page) if places else (1, 1)
        return Clause(
            clause_id=clause_id,
            document_id=self.document_id,
            source_id=clause_id,
            article=section.article,
            title=title,
            breadcrumb=breadcrumb,
            text=text,
            status=_find_status(section, text or title, marks),
            deleted=tuple(self._run_text(run, raw=True) for kind, run in runs if kind == "deleted"),
            inserted=_texts(marks, "inserted"),
            marks=marks,
            season=self.identity.season,
            issue=self.identity.issue,
            family=self.identity.family,
            future=section.future,
            page_first=first,
            page_last=last,
            references=find_references(f"{title}\n{text}"),
            places=places,
            language=self.language,
            lead_in=tuple(line for line in reversed(last_lines) if line.endswith(":")),
            notes=_texts(marks, "note"),
            figures=tuple(
                Figure(
                    block.kind,
                    _caption(section.blocks, index),
                    block.page,
                    self.pages[block.page].to_display(block.box),
                )
                for index, block in enumerate(section.blocks)
                if isinstance(block, Drawing)
            ),
            defines=find_defined_terms(title or section.part, text, "".join(breadcrumb[-1:])),
            footnotes=tuple(map(self._join, section.footnotes)),
            kind=section.kind,
            part=section.part,
            ocr=any(n in self.pages and self.pages[n].from_ocr for n in range(first, last + 1)),
            sanctions=find_sanctions(text),
        )

    def _title(self, section: Section) -> str:
        """The title in force without its number, or the unnumbered heading just above."""
        if (title := self._titles.get(section)) is None:
            title = self._own_title(section) or _KIND_TITLES.get(section.kind, "")
            title = title or (self._join(section.topics[-1]) if section.is_named_by_topic else "")
            self._titles[section] = title
        return title

    def _own_title(self, section: Section) -> str:
        if section.run_in:
            return section.run_in
        text = self._join(section.title)
        if section.letter:
            return text.removeprefix(section.letter).lstrip(" -–—")
        if not (head := section.head):
            return text
        return without_label(text, head).lstrip(_MARKS)

    def _breadcrumb(self, section: Section) -> tuple[str, ...]:
        crumbs: list[str] = []
        for level in (section, *section.ancestors):
            if level is not section:
                crumbs.append(f"{level.article} {self._title(level)}".strip())
            is_named = level.is_named_by_topic and not self._own_title(level)
            topics = level.topics[:-1] if is_named else level.topics
            crumbs += map(self._join, reversed(topics))
        return tuple(reversed(crumbs))

    def _section_text(self, section: Section) -> str:
        if (text := self._texts.get(section)) is None:
            text = self._texts[section] = self._put_together(section)
        return text

    def _put_together(self, section: Section) -> str:
        paragraphs: list[str] = []
        for paragraph in split_paragraphs(section.blocks, self._read_words):
            text = self._paragraph_text(paragraph)
            before = "".join(paragraphs[-1:]).lstrip("\n")
            if isinstance(paragraph, Table) and text.startswith("|") and before.startswith("|"):
                text = f"\n{text}"  # else Markdown takes both for one table
            paragraphs.append(text)
        text = "\n".join(filter(None, paragraphs))
        if section.head is None or section.title:
            return text
        text = without_label(text, section.head)
        behind = text.lstrip(_MARKS).removeprefix(section.run_in)
        return behind.lstrip(_MARKS) if section.run_in and behind != text else text

    def _paragraph_text(self, paragraph: list[Line] | Table | Drawing) -> str:
        match paragraph:
            case Table():
                return markdown_table([list(map(self._cell_text, row)) for row in paragraph.rows])
            case Drawing(words=words):
                # Without its layout an equation must not be computed with.
                return f"[Equation, shown on page {paragraph.page}: {words}]" if words else ""
            case _:
                return self._join(paragraph)

    def _read_words(self, line: Line) -> str:
        """The words of a line that are in force: not deleted, not hidden, not a note."""
        if not self.palette.has_notes:
            return line_text(line)
        if (words := self._line_words.get(line)) is None:
            meaning = self.palette.span_meaning
            words = self._line_words[line] = spans_text(
                span._replace(state="hidden") if meaning(span) == "note" else span
                for span in line.spans
            )
        return words

    def _join(self, lines: Iterable[Line]) -> str:
        return join_lines(map(self._read_words, lines), self.is_word)

    def _cell_text(self, cell: Cell | None) -> str:
        lines = join_split_numbers(map(self._read_words, cell.lines)) if cell else ()
        return join_lines(lines, self.is_word).replace("|", "\\|")

    def _marked_runs(self, section: Section) -> list[tuple[MarkKind, list[tuple[Line, Span]]]]:
        """Runs of words that are not plainly in force, by kind; a run ends with its page."""
        runs: list[tuple[MarkKind | Literal["plain"], list[tuple[Line, Span]]]] = []
        for line in iter_lines((*section.title, *section.blocks)):
            for span in line.spans:
                kind, blank = self.palette.span_meaning(span), not span.text.strip()
                last_kind, run = runs[-1] if runs else (None, [])
                if kind == last_kind and (blank or run[-1][0].page == line.page):
                    run.append((line, span))
                elif not blank:
                    runs.append((kind, [(line, span)]))
        return [(kind, run) for kind, run in runs if kind != "plain"]

    def _mark(self, kind: MarkKind, run: list[tuple[Line, Span]]) -> ClauseMark:
        page = self.pages[run[0][0].page]
        boxes = []
        for parts in _by_line(run):
            line = parts[0][0]
            left = min(span.left for _, span in parts)
            right = max(span.right for _, span in parts)
            boxes.append(page.to_display((left, line.top, right, line.bottom)))
        text = self._run_text(run)
        if shown := " ".join(dict.fromkeys(span.shown for _, span in run if span.shown)):
            text = f"{text} (the page shows: {shown})"
        return ClauseMark(kind, text, page.number, tuple(boxes))

    def _run_text(self, run: list[tuple[Line, Span]], *, raw: bool = False) -> str:
        """The words of a run; with `raw` letter for letter as the file has them, unrepaired."""
        texts = []
        for parts in _by_line(run):
            spans = [span for _, span in parts]
            if raw:
                spans = [span._replace(text=span.raw or span.text) for span in spans]
            texts.append(" ".join("".join(map(span_text, spans)).split()))
        return join_lines(texts, self.is_word)

    def _places(self, section: Section) -> Iterator[TextLocation]:
        boxes: dict[int, list[Box]] = {}
        for block in (*(() if section.kind else section.title), *section.blocks):
            boxes.setdefault(block.page, []).append(self.pages[block.page].to_display(block.box))
        for page, found in sorted(boxes.items()):
            lines = [line for line in iter_lines(section.blocks) if line.page == page]
            words = " ".join(filter(None, map(self._read_words, lines))) if len(boxes) > 1 else ""
            yield TextLocation(page, tuple(found), words)


def _find_status(section: Section, live: str, marks: Iterable[ClauseMark]) -> ClauseStatus:
    """The status of a clause with the words `live`, of which deleted ones may have left none."""
    if section.kind:
        return "no_rule"
    if section.future:
        return "future"
    emptied = not live and any(mark.kind == "deleted" for mark in marks)
    return "deleted" if section.deleted or emptied else "in_force"


def _texts(marks: Iterable[ClauseMark], kind: MarkKind) -> tuple[str, ...]:
    return tuple(mark.text for mark in marks if mark.kind == kind and mark.text)


def _by_line(run: Iterable[tuple[Line, Span]]) -> list[list[tuple[Line, Span]]]:
    return [list(parts) for _, parts in groupby(run, key=lambda part: id(part[0]))]


def _caption(blocks: Sequence[Block], index: int) -> str:
    """The line below a figure, or else above it, that names it."""
    for block in (*blocks[index + 1 : index + 2], *blocks[max(0, index - 1) : index]):
        text = line_text(block) if isinstance(block, Line) else ""
        if text.lower().startswith(("fig", "drawing", "diagram")):
            return text
    return ""
