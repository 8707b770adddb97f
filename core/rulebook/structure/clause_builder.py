"""Build clauses from sections: text in force, deleted and inserted words, places and references."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from typing import Literal

from core.grammar import find_defined_terms, find_references, find_sanctions, has_marker
from core.rulebook.layout.blocks import Block, Cell, Drawing, Line, Page, Span, Table, iter_lines
from core.rulebook.layout.text import is_bullet, join_lines, line_text, span_text, spans_text
from core.rulebook.structure.revision_colors import ColorPalette
from core.rulebook.structure.section_tree import Section
from core.rulebook.structure.titles import without_label
from core.rulebook.structure.typography import has_room_for
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
_MarkedRun = tuple[MarkKind, list[tuple[Line, Span]]]


@dataclass(frozen=True, slots=True)
class ClauseBuilder:
    """What building clauses requires of the document."""

    document_id: str
    identity: Identity
    palette: ColorPalette
    pages: Mapping[int, Page]
    is_word: Callable[[str], bool]
    language: str | None
    leading: float = 0.0
    """From baseline to baseline within its paragraphs, times the size, where that is known."""
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
            inserted=_texts_of(marks, "inserted"),
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
            notes=_texts_of(marks, "note"),
            figures=tuple(self._figures(section.blocks)),
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
        return without_label(text, section.head).lstrip(_MARKS) if section.head else text

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
            text = self._texts[section] = self._compose_text(section)
        return text

    def _compose_text(self, section: Section) -> str:
        paragraphs: list[str] = []
        for paragraph in self._split_paragraphs(section.blocks):
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

    def _split_paragraphs(self, blocks: Sequence[Block]) -> list[list[Line] | Table | Drawing]:
        """Return paragraphs, tables and figures in order; lines without words are left out."""
        parts: list[list[Line] | Table | Drawing] = []
        counts: set[str] = set()  # of the items so far
        for block in blocks:
            last = parts[-1] if parts else None
            if not isinstance(block, Line):
                parts.append(block)
            elif text := self._read_words(block):
                if isinstance(last, list) and not self._begins_paragraph(last, block, text, counts):
                    last.append(block)
                else:
                    parts.append([block])
                    counts.add(_read_count(text))
        return parts

    def _begins_paragraph(
        self, lines: list[Line], line: Line, text: str, counts: Collection[str]
    ) -> bool:
        """True if `line`, with words `text`, does not continue `lines`.

        A number that no item before it counts to may go on from a full line: "vom / 14. März".
        """
        last, first_word = lines[-1], text.split()[0]
        if line.given and line.given.begins:
            return True
        ended = self._read_words(last).endswith((".", ":", ";", "…"))
        count = _read_count(text)
        is_stray = count not in ("", "1") and str(int(count) - 1) not in counts
        may_go_on = is_stray and not ended and not has_room_for(last, first_word, line.size)
        if is_bullet(first_word) or (has_marker(text) and not may_go_on):
            return True
        if line.page != last.page or line.column != last.column:
            return ended and not text[0].islower()
        leading = 0.0 if ended else self.leading
        return (ended or not text[0].islower()) and _is_set_apart(lines, line, first_word, leading)

    def _paragraph_text(self, paragraph: list[Line] | Table | Drawing) -> str:
        match paragraph:
            case Table(rows=rows):
                return _markdown_table([list(map(self._cell_text, row)) for row in rows])
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
        """The text of a narrow cell: lines "3.10." and "1/0" are one number."""
        joined: list[str] = []
        for text in map(self._read_words, cell.lines if cell else ()):
            if joined and text[:1].isdigit() and re.search(r"\d[./]$", joined[-1]):
                joined[-1] += text
            else:
                joined.append(text)
        return join_lines(joined, self.is_word).replace("|", "\\|")

    def _marked_runs(self, section: Section) -> list[_MarkedRun]:
        """Runs of words that are not plainly in force, by kind; a run ends with its page."""
        runs: list[tuple[MarkKind | Literal["plain"], list[tuple[Line, Span]]]] = []
        for line in iter_lines((*section.title, *section.blocks)):
            for span in line.spans:
                kind, blank = self.palette.span_meaning(span), not span.text.strip()
                last_kind, run = runs[-1] if runs else (None, [])
                goes_on = kind == last_kind and _is_one_change(run[-1][1], span)
                if goes_on and (blank or run[-1][0].page == line.page):
                    run.append((line, span))
                elif not blank:
                    runs.append((kind, [(line, span)]))
        return [(kind, run) for kind, run in runs if kind != "plain"]

    def _mark(self, kind: MarkKind, run: list[tuple[Line, Span]]) -> ClauseMark:
        page = self.pages[run[0][0].page]
        boxes = []
        for line, spans in _by_line(run):
            left, right = min(span.left for span in spans), max(span.right for span in spans)
            boxes.append(page.to_display((left, line.top, right, line.bottom)))
        text = self._run_text(run)
        if shown := " ".join(dict.fromkeys(span.shown for _, span in run if span.shown)):
            text = f"{text} (the page shows: {shown})"
        return ClauseMark(kind, text, page.number, tuple(boxes), run[0][1].change)

    def _run_text(self, run: list[tuple[Line, Span]], *, raw: bool = False) -> str:
        """The words of a run; with `raw` letter for letter as the file has them, unrepaired."""
        texts = []
        for _, spans in _by_line(run):
            if raw:
                spans = [span._replace(text=span.raw or span.text) for span in spans]
            texts.append(" ".join("".join(map(span_text, spans)).split()))
        return join_lines(texts, self.is_word)

    def _figures(self, blocks: Sequence[Block]) -> Iterator[Figure]:
        """Yield the figures with their captions: the line below that names one, else above it."""
        for at, block in enumerate(blocks):
            if isinstance(block, Drawing):
                near = (*blocks[at + 1 : at + 2], *blocks[max(0, at - 1) : at])
                texts = (line_text(line) for line in near if isinstance(line, Line))
                names = (t for t in texts if t.lower().startswith(("fig", "drawing", "diagram")))
                box = self.pages[block.page].to_display(block.box)
                yield Figure(block.kind, next(names, ""), block.page, box)

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


def _is_one_change(one: Span, other: Span) -> bool:
    """True for spans that one person changed, and that both moved or did not."""
    first, second = one.change, other.change
    if first is None or second is None:
        return first is second
    return (first.by, first.moved) == (second.by, second.moved)


def _texts_of(marks: Iterable[ClauseMark], kind: MarkKind) -> tuple[str, ...]:
    return tuple(mark.text for mark in marks if mark.kind == kind and mark.text)


def _by_line(run: Iterable[tuple[Line, Span]]) -> Iterator[tuple[Line, list[Span]]]:
    for line, parts in groupby(run, key=lambda part: part[0]):
        yield line, [span for _, span in parts]


def _read_count(text: str) -> str:
    """Return the number that a line begins with as an item of a list: "14" of "14. März"."""
    mark = text.split()[0].strip("().")
    return mark if has_marker(text) and mark.isdecimal() else ""


def _is_set_apart(lines: list[Line], line: Line, first_word: str, leading: float) -> bool:
    """True if `line` is further below `lines` than usual, or its first word had fitted above."""
    last = lines[-1]
    gap = line.baseline - last.baseline
    usual_gap = max(1.3, leading) * line.size
    if len(lines) > 1 and lines[1].page == lines[0].page:
        usual_gap = lines[1].baseline - lines[0].baseline or usual_gap
    apart = gap > 1.25 * usual_gap and gap > 1.1 * line.size
    return apart or (gap > 0 and has_room_for(last, first_word, line.size))


def _markdown_table(rows: Iterable[Sequence[str]]) -> str:
    """Rows as a Markdown table without empty ones; a single column as plain lines."""
    columns = [column for column in zip_longest(*filter(any, rows), fillvalue="") if any(column)]
    if len(columns) < 2:
        return "\n".join(columns[0]) if columns else ""
    lines = [f"| {' | '.join(row)} |" for row in zip(*columns, strict=True)]
    return "\n".join([lines[0], "|" + "---|" * len(columns), *lines[1:]])
