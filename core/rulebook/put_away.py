"""The account of what is put away: print that is in no clause, by place, and what proves it.

Contents and running lines are proved by words that come again, lettering by what it looks like;
records of changes, footnotes and covers were proved when they were found.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from core.rulebook.layout.blocks import Line, Page
from core.rulebook.layout.figure_labels import is_label
from core.rulebook.layout.text import letters_of, line_text
from core.rulebook.report import MAX_UNREAD, MAX_WORDS, count_letters, format_pages, partly_read
from core.rulebook.structure.contents_lists import list_titles
from core.rulebook.types import Clause, PutAway, PutAwayPlace, ReadingWarning

_Print = tuple[PutAwayPlace, int, str]
"""The place, the page and the words of print that is in no clause."""


def list_print(
    pages: Sequence[Page], running: Iterable[Sequence[str]], legend: Iterable[Line]
) -> Iterator[_Print]:
    """Yield what left the pages before clauses were made; `running` are running lines by page."""
    for page, texts in zip(pages, running, strict=True):
        yield from (("furniture", page.number, text) for text in texts)
        yield from (("lettering", page.number, text) for text in page.picture_labels)
        yield from (("turned", page.number, text) for text in page.rotated_texts)
    yield from (("legend", line.page, line_text(line)) for line in legend)


def account_for_print(
    removed: Iterable[_Print],
    clauses: Sequence[Clause],
    others: Iterable[Clause],
    is_proved: bool = False,
) -> list[PutAway]:
    """Return what is put away: lines of the same words, apart from numbers, as one.

    `is_proved` where the file itself says that all of it is no text of rules.
    """
    words = chain.from_iterable((*c.breadcrumb, c.article, c.title, c.text) for c in clauses)
    kept = letters_of("".join(words).casefold())
    found: dict[tuple[PutAwayPlace, str], list[tuple[int, str]]] = defaultdict(list)
    texts_apart = ((text.kind, text.page_first or 0, text.text) for text in others if text.kind)
    for place, page, text in chain(removed, texts_apart):
        found[place, re.sub(r"\d+", "#", text)].append((page, text))
    rules = [clause for clause in clauses if not clause.is_preamble]
    pages = [page or 0 for rule in rules for page in (rule.page_first, rule.page_last)]
    first, last = min(pages, default=0), max(pages, default=-1)
    rows = []
    for (place, _), texts in found.items():
        numbers = tuple(dict.fromkeys(page for page, _ in texts))
        is_doubted = len(numbers) < 2 and not is_proved
        inside = [text for page, text in texts if is_doubted and first <= page <= last]
        unproved = sum(_count_unproved_letters(place, text, kept) for text in inside)
        opening = " ".join(texts[0][1].split())[:MAX_WORDS]
        letters = sum(count_letters(text) for _, text in texts)
        rows.append(PutAway(place, numbers, opening, letters, unproved))
    return rows


def warn_of_unproved_letters(rows: Iterable[PutAway], letters: int) -> Iterator[ReadingWarning]:
    """Warn where too much was put away without proof, beside `letters` that are in clauses."""
    doubtful = [row for row in rows if row.unproved]
    unproved = sum(row.unproved for row in doubtful)
    if unproved > MAX_UNREAD * (letters + unproved):
        numbers = sorted(set(chain.from_iterable(row.pages for row in doubtful)))
        yield partly_read(
            f"{unproved / (letters + unproved):.0%} of the letters between its first and its last"
            f" rule, on {format_pages(numbers)}, were set aside, and nothing shows that they are no"
            " rules",
            numbers[0],
        )


def _count_unproved_letters(place: PutAwayPlace, text: str, kept: str) -> int:
    """Return how many letters of a text that is on one page nothing proves to be no rule."""
    if place == "turned":
        return 0 if is_label(text) else count_letters(text)
    if place in ("contents", "furniture"):
        lines = text.splitlines()
        lost = (s for s in lines if not any(title in kept for title in list_titles(s)))
        return sum(map(count_letters, lost))
    return 0
