"""What is on a page but is no rule: running headers and footers, and contents pages.

Running lines are known by repetition and position, contents by what ends their lines; never by wording.
"""

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from core.rulebook.layout.blocks import Block, Drawing, Line, Page, Table
from core.rulebook.layout.text import normalize_characters
from core.rulebook.structure.headings import parse_heading_key

_ZONE = 0.14  # of the page's height, from either edge
_SHARE = 0.6  # of the pages with print in a running line's place that must have it
_LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}|_{5,}")
_PAGE_NUMBER = re.compile(r"(?:^|[\s.…\t])(?:[A-Z]{1,3}-?)?(\d{1,4})$")
_FEWEST_ENTRIES = 4
_DENSITY = 0.3  # of the pages from first to last that a running line stands on


@dataclass(slots=True)
class _Row:
    """All that stands on one baseline near an edge of a page, whatever column it was counted to."""

    lines: list[Line]
    top: bool

    @property
    def place(self) -> int:
        return round(self.lines[0].baseline / 3)

    @property
    def signature(self) -> str:
        words = "".join(
            normalize_characters(line.visible_text)
            for line in sorted(self.lines, key=lambda line: line.left)
        )
        return re.sub(r"\d+", "#", "".join(words.split()))

    @property
    def text(self) -> str:
        return "\t".join(
            normalize_characters(line.visible_text)
            for line in sorted(self.lines, key=lambda line: line.left)
        )


def remove_headers_footers(pages: Sequence[Page]) -> list[str]:
    """Takes running headers and footers off the pages, in place; returns their distinct texts, digits and all."""
    by_page = [_rows_at_edges(page) for page in pages]
    found: dict[tuple[int, str], set[int]] = defaultdict(set)
    for number, rows in enumerate(by_page):
        for row in rows:
            found[(row.place, row.signature)].add(number)
    occurrences = Counter({key: len(numbers) for key, numbers in found.items()})
    places = Counter(place for rows in by_page for place in {row.place for row in rows})
    fewest = 3 if len(pages) > 4 else 2
    # Headings may repeat in one place too ("APPENDIX 1", "APPENDIX 2"), but not on page after page.
    running = {
        key
        for key, numbers in found.items()
        if len(numbers) >= fewest and len(numbers) >= _DENSITY * (max(numbers) - min(numbers) + 1)
    }
    bands = _bands(running, occurrences, places) if len(pages) > 4 else set()
    texts: dict[str, None] = {}
    for page, rows in zip(pages, by_page, strict=True):
        gone = [row for row in rows if _is_running(row, running) or _in_bands(row, rows, bands)]
        gone += [row for row in rows if row not in gone and _is_label(row, gone)]
        texts.update(dict.fromkeys(row.text for row in gone))
        lines = {id(line) for row in gone for line in row.lines}
        page.blocks = [block for block in page.blocks if id(block) not in lines]
    return list(texts)


def remove_repeated_pictures(pages: Sequence[Page]) -> None:
    """Takes logos and page design off the pages, in place: pictures that stand in one place on page after page."""

    def place(picture: Drawing) -> tuple[int, ...]:
        return tuple(round(edge / 12) for edge in picture.box)

    counts = Counter(
        place(block) for page in pages for block in page.blocks if isinstance(block, Drawing)
    )
    for page in pages:
        page.blocks = [b for b in page.blocks if not isinstance(b, Drawing) or counts[place(b)] < 3]


def _rows_at_edges(page: Page) -> list[_Row]:
    rows: list[_Row] = []
    near = [
        block
        for block in page.blocks
        if isinstance(block, Line)
        and (block.bottom < _ZONE * page.height or block.top > (1 - _ZONE) * page.height)
    ]
    for line in sorted(near, key=lambda line: line.baseline):
        if rows and abs(line.baseline - rows[-1].lines[0].baseline) < 1.5:
            rows[-1].lines.append(line)
        else:
            rows.append(_Row([line], line.bottom < _ZONE * page.height))
    return rows


def _is_running(row: _Row, running: set[tuple[int, str]]) -> bool:
    return any(
        (near, row.signature) in running for near in (row.place - 1, row.place, row.place + 1)
    )


def _bands(
    running: set[tuple[int, str]], occurrences: Counter[tuple[int, str]], places: Counter[int]
) -> set[int]:
    """Heights at which nearly all print is a running line: what else stands there is one too, of another chapter."""
    total: Counter[int] = Counter()
    for key in running:
        total[key[0]] += occurrences[key]
    return {
        place for place, count in total.items() if count >= _SHARE * places[place] and count >= 5
    }


def _in_bands(row: _Row, rows: list[_Row], bands: set[int]) -> bool:
    """A row at the height of running lines with nothing but such rows between it and the edge."""
    outer = [
        r
        for r in rows
        if r.top == row.top and (r.place <= row.place if row.top else r.place >= row.place)
    ]
    return all(other.place in bands for other in outer)


def _is_label(row: _Row, gone: list[_Row]) -> bool:
    """A page's label at the height of its running lines, in print of its own."""
    return len(row.text.strip()) <= 5 and any(
        abs(other.lines[0].baseline - row.lines[0].baseline)
        < 1.2 * max(row.lines[0].size, other.lines[0].size)
        for other in gone
    )


def remove_contents_tables(pages: Sequence[Page]) -> list[int]:
    """Takes tables of contents off the pages, in place; returns the numbers of the pages that had one."""
    found = []
    for page in pages[: max(12, len(pages) // 8)]:
        units = [(block, text) for block in page.blocks for text in _entry_texts(block)]
        entries = _entries(units, page, pages)
        if not entries:
            continue
        found.append(page.number)
        inside = {id(block) for block, _ in units[_title(units, entries[0]) : entries[-1] + 1]}
        page.blocks = [block for block in page.blocks if id(block) not in inside]
    return found


def _entries(units: list[tuple[Block, str]], page: Page, pages: Sequence[Page]) -> list[int]:
    """Which of a page's lines and rows are entries of a table of contents: they end in page numbers that rise, or
    they are numbered headings, one under the other, that all come again on later pages."""
    texts = [text for _, text in units]
    numbered = [index for index, text in enumerate(texts) if _is_entry(text, len(pages))]
    if _dense(numbered, 0.4) and _rising(texts, numbered):
        return numbered
    led = [index for index, text in enumerate(texts) if parse_heading_key(text)]
    if not _dense(led, 0.6):
        return []
    later = {
        parse_heading_key(text)
        for other in pages
        if other.number > page.number
        for block in other.blocks
        if isinstance(block, Line)
        for text in _entry_texts(block)
    }
    return led if all(parse_heading_key(texts[index]) in later for index in led) else []


def _dense(entries: list[int], share: float) -> bool:
    return len(entries) >= _FEWEST_ENTRIES and len(entries) >= share * (
        entries[-1] - entries[0] + 1
    )


def _entry_texts(block: Block) -> list[str]:
    match block:
        case Line():
            return [normalize_characters(block.visible_text)]
        case Table() if not block.ruled or len(block.rows) > 5:
            return [
                "\t".join(
                    normalize_characters(line.visible_text) for c in row if c for line in c.lines
                )
                for row in block.rows
            ]
        case Table():
            return ["".join(normalize_characters(line.visible_text) for line in block.lines)]
        case Drawing():
            return []


def _is_entry(text: str, pages: int) -> bool:
    number = _PAGE_NUMBER.search(text.rstrip())
    if number is None or int(number[1]) > pages + 20:
        return False
    before = text[: number.start()]
    return bool(_LEADERS.search(text)) or (
        "\t" in text
        and bool(re.search(r"[^\W\d]{3}", before))
        and not before.rstrip().endswith((".", ";", ":"))
    )


def _rising(texts: list[str], entries: list[int]) -> bool:
    numbers = [
        int(found[1]) for index in entries if (found := _PAGE_NUMBER.search(texts[index].rstrip()))
    ]
    steps = list(itertools.pairwise(numbers))
    return bool(steps) and sum(a <= b for a, b in steps) >= 0.8 * len(steps)


def _title(units: list[tuple[Block, str]], first: int) -> int:
    """Where the contents begin: up to three short lines above the first entry are their title and column heads."""
    start = first
    while (
        start > 0
        and first - start < 3
        and len(units[start - 1][1]) < 40
        and units[start - 1][1].isupper()
    ):
        start -= 1
    return start
