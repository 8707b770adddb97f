"""What a document lost before it was read: pages that are not there, letters without a meaning.

Its own print is the witness: the page numbers in its headers and footers, and its fonts.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from core.rulebook.layout.blocks import Page, iter_lines
from core.rulebook.layout.text import line_text
from core.rulebook.report import format_pages, partly_read
from core.rulebook.types import ReadingWarning

_PRIVATE = re.compile("[\ue000-\uf8ff\ufffd\U000f0000-\U0010fffd]")
_MAX_UNREADABLE = 0.01  # of all signs; rulebooks with brackets of a symbol font have 0.004
_MAX_ON_PAGE = 0.1  # of the signs of one page
_FEWEST = 4  # page numbers that show how pages are counted
_COVERED = 0.6  # of the pages that have one
_BY_ONE, _RISING = 0.4, 0.8  # of page numbers: that rise by one, and that rise a little
_PREFIX = 2  # signs before a page number that are the same on all pages
_LONGEST_STEP = 4  # of a little rise
_NUMBER = re.compile(
    r"(?<![\d.])(?P<number>\d{1,4})(?:\s*[^\d\s.]{1,3}\s*(?P<total>\d{1,4}))?(?![\d.])"
)
"""A page number, with the number of pages if it is printed after it: "12/34", "12 of 34"."""
_MOST = 4  # times as many pages as there are: more is no number of pages


class _PrintedNumber(NamedTuple):
    """A number in a running line of a page, and the total that is printed after it or 0."""

    page: int
    number: int
    total: int


def warn_of_unreadable_letters(pages: Sequence[Page]) -> Iterator[ReadingWarning]:
    """Warn of print for which the fonts of the file name no letters."""
    lost: dict[int, int] = {}
    signs: dict[int, int] = {}
    for page in pages:
        text = "".join("".join(map(line_text, iter_lines(page.blocks))).split())
        lost[page.number], signs[page.number] = len(_PRIVATE.findall(text)), len(text)
    everywhere = sum(lost.values()) > _MAX_UNREADABLE * sum(signs.values())
    most = _MAX_UNREADABLE if everywhere else _MAX_ON_PAGE
    if poor := [number for number in lost if lost[number] > most * signs[number]]:
        yield partly_read(
            f"its fonts do not say which letters some signs on {format_pages(poor)} are. Numbers or"
            " words are missing there",
            poor[0],
        )


def warn_of_missing_pages(running: Sequence[Sequence[str]]) -> Iterator[ReadingWarning]:
    """Warn of pages that the numbers in the running lines of each page pass over."""
    if gaps := dict(_find_gaps(running)):
        count = sum(gaps.values())
        are = f"page{'s are' if count > 1 else ' is'} not in the file"
        after = format_pages(sorted(gaps))
        yield partly_read(f"its page numbers show that {count} {are}, after {after}", min(gaps))


def _find_gaps(running: Sequence[Sequence[str]]) -> Iterator[tuple[int, int]]:
    """Pages of the file with the number of pages that are missing after each."""
    for numbers in _read_series(running):
        if len(numbers) < _COVERED * len(running) or not _counts_pages(numbers):
            continue
        for (page, number, _), (after, following, _) in pairwise(numbers):
            missing = following - number - (after - page)
            if 0 < missing <= _MOST * len(running):
                yield page, missing
        page, number, total = numbers[-1]
        if page == len(running) and number < total <= _MOST * page:
            yield page, total - number


def _read_series(running: Sequence[Sequence[str]]) -> list[list[_PrintedNumber]]:
    """The numbers in running lines by the words and the numbers before them: one a page."""
    series: dict[tuple[str, int, int], dict[int, _PrintedNumber]] = defaultdict(dict)
    for page, texts in enumerate(running, start=1):
        for found in (list(_NUMBER.finditer(text)) for text in texts):
            for place, match in enumerate(found):
                before = match.string[: match.start()].strip()[-_PREFIX:]
                printed = _PrintedNumber(page, int(match["number"]), int(match["total"] or 0))
                series[before, place, len(found)].setdefault(page, printed)
    return [list(found.values()) for found in series.values()]


def _counts_pages(numbers: Sequence[_PrintedNumber]) -> bool:
    """True if these numbers rise from page to page, and often by one or up to a total."""
    steps = [(b.page - a.page, b.number - a.number) for a, b in pairwise(numbers)]
    by_one = sum(0 < pages == risen for pages, risen in steps)
    rising = sum(0 < pages <= risen <= _LONGEST_STEP * pages for pages, risen in steps)
    has_total = numbers[-1].total > numbers[-1].page
    often = has_total or by_one >= _BY_ONE * len(steps)
    return len(numbers) >= _FEWEST and often and rising >= _RISING * len(steps)
