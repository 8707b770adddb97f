"""Remove lists of contents from pages: rows that lead to where their titles come again.

They are known by the ends of their rows and by what they lead to, never by wording.
"""

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from core.rulebook.layout.blocks import Block, Drawing, Line, Page, Table, iter_lines, row_lines
from core.rulebook.layout.text import letters_of, visible_text
from core.rulebook.rule_signs import binds
from core.rulebook.structure.line_numbers import NumberKey, read_line_numbers

_LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}|_{5,}")
_PAGE_NUMBER = re.compile(r"(?:^|(?<!\d)\.|[\s…\t])(?:[A-Z]{1,3}-?)?(\d{1,4})$")
_PARTED = re.compile(rf"[\t\d|]|{_LEADERS.pattern}")
_SHORTEST = 4  # letters of a title that can be told from others
_PROVED = 0.5  # of the entries lead to their titles: others are wrapped, or worded otherwise
_NEAR = 1  # pages between where a title is and where it should be


def remove_contents_tables(pages: Sequence[Page]) -> list[Block]:
    """Remove lists of contents in place; return them. Rows that bind stay unless printed again."""
    found: list[Block] = []
    letters = dict(map(_letters_on, pages))
    for page in pages[: max(12, len(pages) // 8)]:
        units = [(at, text) for at, block in enumerate(page.blocks) for text in _entry_texts(block)]
        texts = [text for _, text in units]
        behind = {number: text for number, text in letters.items() if number > page.number}
        entries = _find_entries(texts, pages, behind)
        if not entries:
            continue
        # Up to three short lines above are a title and column headings.
        before = reversed(texts[max(0, entries[0] - 3) : entries[0]])
        above = itertools.takewhile(lambda text: len(text) < 40 and text.isupper(), before)
        listed = units[entries[0] - len(list(above)) : entries[-1] + 1]
        kept = {at for at, text in listed if binds(text) and not any(_pages_of(text, behind))}
        inside = {at for at, _ in listed} - kept
        found += [page.blocks[at] for at in sorted(inside)]
        page.blocks = [block for at, block in enumerate(page.blocks) if at not in inside]
    return found


def _letters_on(page: Page) -> tuple[int, str]:
    text = "".join(line.visible_text for line in iter_lines(page.blocks))
    return page.number, letters_of(text.casefold())


def list_titles(text: str) -> list[str]:
    """Return the letters of the titles of an entry: a row may hold two."""
    parts = (letters_of(part.casefold()) for part in _PARTED.split(text))
    return [part for part in parts if len(part) >= _SHORTEST]


def _pages_of(text: str, letters: Mapping[int, str]) -> Iterator[int]:
    """Yield the pages on which a title of an entry comes again."""
    titles = list_titles(text)
    return (number for number in letters if any(title in letters[number] for title in titles))


def _find_entries(texts: list[str], pages: Sequence[Page], behind: Mapping[int, str]) -> list[int]:
    """Which rows of a page are entries of a list of contents.

    They end in page numbers that rise, behind leaders or at their titles' pages, or they are
    numbered headings, one below the other, and all come again on later pages with their titles.
    """
    numbered = {
        at: number
        for at, text in enumerate(texts)
        if (number := _entry_page(text)) is not None and number <= len(pages) + 20
    }
    steps = [one <= other for one, other in itertools.pairwise(numbered.values())]
    if _is_dense(numbered, 0.4) and sum(steps) >= 0.8 * len(steps):
        lead = _count_leading(numbered, texts, behind)
        return list(numbered) if lead >= _PROVED * len(numbered) else []
    led = {at: heading for at, text in enumerate(texts) if (heading := _read_heading(text))}
    return list(led) if _is_dense(led, 0.6) and _come_again(led.values(), pages, behind) else []


def _come_again(
    entries: Collection[tuple[NumberKey, str]], pages: Sequence[Page], behind: Mapping[int, str]
) -> bool:
    """True if all numbers come again on later pages, and most titles."""
    later = [line for page in pages if page.number in behind for line in iter_lines(page.blocks)]
    keys = {heading[0] for line in later if (heading := _read_heading(visible_text([line])))}
    proved = sum(any(_pages_of(title, behind)) for _, title in entries)
    return proved >= _PROVED * len(entries) and all(key in keys for key, _ in entries)


def _count_leading(
    numbered: Mapping[int, int], texts: Sequence[str], behind: Mapping[int, str]
) -> int:
    """How many rows lead to their titles, as far from the page named if without leaders."""
    steps = [
        {page - number for page in _pages_of(texts[at], behind)} for at, number in numbered.items()
    ]
    [(offset, _)] = Counter(itertools.chain([0], *steps)).most_common(1)
    if all(_LEADERS.search(texts[at]) for at in numbered):
        return sum(map(bool, steps))
    return sum(any(abs(step - offset) <= _NEAR for step in to) for to in steps)


def _read_heading(text: str) -> tuple[NumberKey, str] | None:
    """The number after a word ("ARTICLE 3 ...") and its title, None for no such heading."""
    led = (number for number in read_line_numbers(text) if number.lead_word and number.number)
    return next(((number.key, number.following_text) for number in led), None)


def _is_dense(entries: Collection[int], share: float) -> bool:
    """True for four entries or more that make up `share` of the lines from first to last."""
    return len(entries) >= 4 and len(entries) >= share * (max(entries) - min(entries) + 1)


def _entry_texts(block: Block) -> list[str]:
    match block:
        case Line():
            return [visible_text([block])]
        case Table() if not block.ruled or len(block.rows) > 5:
            return [visible_text(row_lines(row)) for row in block.rows]
        case Table():
            return [visible_text(block.lines, separator="")]
        case Drawing():
            return []


def _entry_page(text: str) -> int | None:
    """The page number of "TITLE ...... 12" or "TITLE [tab] 12", None if it is no such entry."""
    number = _PAGE_NUMBER.search(text.rstrip())
    if not number:
        return None
    before = text[: number.start()]
    has_title = re.search(r"[^\W\d]{3}", before) and not before.rstrip().endswith((".", ";", ":"))
    is_entry = _LEADERS.search(text) or ("\t" in text and has_title)
    return int(number[1]) if is_entry else None
