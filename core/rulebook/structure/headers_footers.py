"""Remove running headers and footers and repeated pictures from pages.

Headers and footers are known by repetition and position, never by wording.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.rulebook.layout.blocks import Block, Drawing, Line, Page, Table, iter_lines, lines_of
from core.rulebook.layout.geometry import contains_point
from core.rulebook.layout.lines import build_line
from core.rulebook.layout.reading_order import arrange_page
from core.rulebook.layout.text import line_text, visible_text
from core.rulebook.pdf.page_content import RuledLine
from core.rulebook.rule_signs import is_rule_like
from core.rulebook.structure.line_numbers import read_line_numbers
from core.rulebook.types import fold_line

_SHARE = 0.6  # of the pages with print at a running line's height that must have it
_DENSITY = 0.3  # of the pages from first to last that must have a running line
_RULE_DISTANCE = 36.0  # points from a running line to a rule that belongs to it
_SHORT_DOCUMENT = 4  # pages, on which hardly a line repeats often enough
_PAGE_LABEL = re.compile(
    r"(?:[^\W\d_]+\.?\s*)?\W{0,3}(?P<page>\d{1,3})(?:\s*(?:/|[^\W\d_]+)\s*(?P<pages>\d{1,3}))?\W{0,3}"
)
"""A page number, perhaps behind a word, and before the number of all pages."""
_FEWEST_LAWS = 3  # whose numbers running lines have
_PRINTED = 0.5  # of such numbers that are printed elsewhere: then they are no laws of their own
_APART = 2.0  # times its size between a page number and the text

_RowKey = tuple[int, str]
"""Height and signature of a row."""
_RulePosition = tuple[int, int, int]
"""Left and right end of a horizontal rule and its height on the page, rounded."""


@dataclass
class EdgeRow:
    """The lines on one baseline near an edge of a page; `in_table` if its table goes on inwards."""

    lines: list[Line]
    at_top: bool
    in_table: bool = False
    names_chapter: bool = False
    comes_again: bool = False

    @property
    def baseline(self) -> float:
        return self.lines[0].baseline

    @cached_property
    def height(self) -> int:
        return round(self.baseline / 3)

    @cached_property
    def key(self) -> _RowKey:
        """The height, and the text without blanks and with one sign for each number."""
        return self.height, re.sub(r"\d+", "#", "".join(self.text.split()))

    @property
    def text(self) -> str:
        """What is printed, with its gaps as they are settled by now."""
        return visible_text(sorted(self.lines, key=lambda line: line.left))

    def is_beside(self, rule: RuledLine, page: Page) -> bool:
        """True for a rule on its outer side, or a little on its inner side."""
        inwards = rule.top - self.baseline if self.at_top else self.baseline - rule.top
        return self.at_top == page.is_at_top(rule) and inwards < _RULE_DISTANCE


def remove_headers_footers(pages: Sequence[Page]) -> list[list[EdgeRow]]:
    """Remove running lines in place, and the tables made of them; return them for each page."""
    by_page = list(map(_rows_at_edges, pages))
    _mark_chapter_names(pages, by_page)
    running, bands = _find_running_rows(by_page)
    if len(pages) <= _SHORT_DOCUMENT:
        running |= set(_find_page_numbers(pages, by_page))
    positions = Counter(p for page in pages for p in set(map(_rule_position, page.edge_rules)))
    fewest = max(_fewest_repeats(pages), _DENSITY * len(pages))
    rules = {position for position, count in positions.items() if count >= fewest}
    all_gone = [_select_running(rows, running, bands) for rows in by_page]
    for page, gone in zip(pages, all_gone, strict=True):
        baselines = {line.baseline for row in gone for line in row.lines}
        if gone:
            _arrange_without(page, gone, baselines, rules)
        page.blocks = [
            block
            for block in page.blocks
            if not (isinstance(block, Line) and block.baseline in baselines)
        ]
        page.draft = None
    _restore_numbers(pages, all_gone)
    return all_gone


def _fewest_repeats(pages: Sequence[object]) -> int:
    return 3 if len(pages) > _SHORT_DOCUMENT else 2


def _restore_numbers(pages: Sequence[Page], gone: Sequence[Sequence[EdgeRow]]) -> None:
    """Put numbers that only running lines have ("LAW 12") at the start of their first pages."""
    laws: dict[str, list[tuple[int, Page, Line]]] = defaultdict(list)
    for page, rows in zip(pages, gone, strict=True):
        for word, number, part in _list_laws(rows):
            laws[word].append((number, page, part))
    for found in laws.values():
        first = {number: (page, part) for number, page, part in reversed(found)}
        numbers = [number for number, _, _ in found]
        goes_on = len({(number, page.number) for number, page, _ in found}) > len(first)
        is_count = goes_on and len({number - page.number for number, page, _ in found}) > 1
        if not is_count or numbers != sorted(numbers) or len(first) < _FEWEST_LAWS:
            continue  # page numbers, or no numbers that count
        printed = {number for number, page, _ in found if _has_printed_number(page, number)}
        if len(printed) < _PRINTED * len(first):
            for page, part in first.values():
                part.start, part.edge = part.left, page.width
                page.blocks.insert(0, part)


def _list_laws(rows: Sequence[EdgeRow]) -> Iterator[tuple[str, int, Line]]:
    """Yield the word or the code before each number of running lines, the number, and its line."""
    for part in (part for row in rows for line in row.lines for part in _cut_at_tabs(line)):
        for found in read_line_numbers(line_text(part)):
            word, number = found.lead_word or str(found.key[0]), found.key[-1]
            is_law = found.kind in ("article", "plain") and len(found.key) <= 2
            if is_law and word.isalpha() and isinstance(number, int):
                yield word.casefold(), number, part


def _cut_at_tabs(line: Line) -> list[Line]:
    for index, span in enumerate(line.spans[:-1], start=1):
        if span.text.endswith("\t"):
            before, rest = line.split_at(index)
            return [before, *_cut_at_tabs(rest)]
    return [line]


def _has_printed_number(page: Page, number: int) -> bool:
    """True if a line of a page that stands out begins with a number, or one with a number below."""
    return any(
        number in found.key[:2]
        and (len(found.key) > 1 or found.lead_word or line.spans[0].style.bold)
        for line in iter_lines(page.blocks)
        for found in read_line_numbers(line_text(line))
    )


def _select_running(rows: list[EdgeRow], running: set[_RowKey], bands: set[int]) -> list[EdgeRow]:
    """The rows of a page that are headers or footers, with the page labels beside them."""
    gone = [
        row
        for row in rows
        if any((row.height + step, row.key[1]) in running for step in (-1, 0, 1))
        or _is_in_bands(row, rows, bands)
    ]
    return gone + [row for row in rows if row not in gone and _is_page_label(row, gone)]


def _arrange_without(
    page: Page, gone: Sequence[EdgeRow], baselines: set[float], rules: Container[_RulePosition]
) -> None:
    """Lay out a page again if rows that are `gone`, or rules beside them, were in its tables."""
    running = [rule for rule in page.edge_rules if _rule_position(rule) in rules]
    idle = {rule for rule in running if any(row.is_beside(rule, page) for row in gone)}
    free = {line.baseline for line in lines_of(page.blocks)}
    if (draft := page.draft) and (idle or not baselines <= free):
        draft.rows[:] = [row for row in draft.rows if row[0].baseline not in baselines]
        draft.drawn.rules[:] = [rule for rule in draft.drawn.rules if rule not in idle]
        arrange_page(page, draft)


def _rule_position(rule: RuledLine) -> _RulePosition:
    return round(rule.left / 3), round(rule.right / 3), round(rule.top / 3)


def remove_repeated_pictures(pages: Sequence[Page]) -> None:
    """Remove logos and page design in place: pictures at one position on three pages or more."""

    def position(block: Block) -> tuple[int, ...] | None:
        is_picture = isinstance(block, Drawing) and block.kind == "figure"
        return tuple(round(edge / 12) for edge in block.box) if is_picture else None

    counts = Counter(position(block) for page in pages for block in page.blocks)
    counts[None] = 0
    for page in pages:
        page.blocks = [block for block in page.blocks if counts[position(block)] < 3]


def _rows_at_edges(page: Page) -> list[EdgeRow]:
    """The rows near the edges of a page, those in its tables and equations too."""
    rows: list[EdgeRow] = []
    lines = list(map(build_line, page.draft.rows)) if page.draft else lines_of(page.blocks)
    tables = [block for block in page.blocks if isinstance(block, Table)]
    long = [table for table in tables if not page.is_at_edge(table)]
    for line in sorted(filter(page.is_at_edge, lines), key=lambda line: line.baseline):
        if rows and abs(line.baseline - rows[-1].baseline) < 1.5:
            rows[-1].lines.append(line)
        else:
            x, y = line.left, (line.top + line.bottom) / 2
            in_table = any(contains_point(table, x, y, 1) for table in long)
            rows.append(EdgeRow([line], page.is_at_top(line), in_table))
    return rows


def _mark_chapter_names(pages: Sequence[Page], by_page: Sequence[Sequence[EdgeRow]]) -> None:
    """Mark the outermost rows whose words are a line here or on the page before, or part of one."""
    before: set[str] = set()
    for page, rows in zip(pages, by_page, strict=True):
        words = Counter(fold_line(line.visible_text) for line in lines_of(page.blocks))
        top = [row for row in rows if row.at_top]
        bottom = [row for row in rows if not row.at_top]
        for row in (*top[:1], *bottom[-1:]):
            text = fold_line(row.text)
            row.names_chapter = words[text] > 1 or text in before
            row.comes_again = row.names_chapter or "".join(words).count(text) > 1  # if wrapped
        before = set(words)


def _find_running_rows(by_page: Sequence[Sequence[EdgeRow]]) -> tuple[set[_RowKey], set[int]]:
    """Keys of rows on page after page, and the heights with hardly other print."""
    outside = [[row for row in rows if not row.in_table] for rows in by_page]
    found: dict[_RowKey, set[int]] = defaultdict(set)
    for number, rows in enumerate(outside):
        for row in rows:
            found[row.key].add(number)
    fewest = _fewest_repeats(by_page)
    # Headings may repeat at one height too ("APPENDIX 1", "APPENDIX 2"), but less densely.
    running = {
        key
        for key, numbers in found.items()
        if len(numbers) >= max(fewest, _DENSITY * (max(numbers) - min(numbers) + 1))
    }
    if len(by_page) <= _SHORT_DOCUMENT:
        return running, set()
    printed = Counter(height for rows in outside for height in {row.height for row in rows})
    counts = Counter(
        row.height for rows in outside for row in rows if row.names_chapter or row.key in running
    )
    return running, {h for h, count in counts.items() if count >= max(5, _SHARE * printed[h])}


def _find_page_numbers(
    pages: Sequence[Page], by_page: Sequence[list[EdgeRow]]
) -> Iterator[_RowKey]:
    """Yield the keys of last rows of a short document that are page numbers."""
    for page, rows in zip(pages, by_page, strict=True):
        above, last = [None, None, *rows][-2:]
        if last is None or last.at_top:
            continue
        label = _PAGE_LABEL.fullmatch(last.text.strip())
        if not label or int(label["page"]) != page.number:
            continue
        is_apart = not above or last.baseline - above.baseline > _APART * last.lines[0].size
        if is_apart and int(label["pages"] or len(pages)) == len(pages):
            yield last.key


def _is_in_bands(row: EdgeRow, rows: list[EdgeRow], bands: set[int]) -> bool:
    """True if all rows from the edge to this one are at running heights, and it is no new rule."""
    side = 1 if row.at_top else -1
    may_run = not row.in_table and (row.comes_again or not is_rule_like(row.text))
    return may_run and all(
        other.height in bands
        for other in rows
        if other.at_top == row.at_top and side * other.height <= side * row.height
    )


def _is_page_label(row: EdgeRow, gone: list[EdgeRow]) -> bool:
    """True for a short text beside a running line, in print of its own."""
    line = row.lines[0]
    return (
        not row.in_table
        and len(row.text.strip()) <= 5
        and any(
            abs(other.baseline - line.baseline) < 1.2 * max(line.size, other.size)
            for other in (running.lines[0] for running in gone)
        )
    )
