"""A clause cut to one of its items, with the pages on which that is printed."""

from bisect import bisect_right
from dataclasses import replace
from itertools import accumulate

from core.grammar import alphanumeric_only
from core.rulebook import Clause

_FOUND_BY = 60
"""Letters by which the beginning and the end of an item are found on the pages."""


def cut_to_part(clause: Clause, text: str) -> Clause:
    """Return a clause cut to the text of an item, with the pages of that alone.

    They stay those of the whole where its words are not found on them.
    """
    printed = [alphanumeric_only(place.words) for place in clause.places]
    ends = [*accumulate(map(len, printed))]
    letters, words = "".join(printed), alphanumeric_only(text)
    start = letters.find(words[:_FOUND_BY]) if words else -1
    if start < 0:
        return replace(clause, text=text)
    tail = words[-_FOUND_BY:]
    end = letters.find(tail, start)
    first_page = clause.places[bisect_right(ends, start)].page
    last_letter = end + len(tail) - 1
    last_page = (
        clause.places[bisect_right(ends, last_letter)].page if end >= 0 else clause.page_last
    )
    return replace(clause, text=text, page_first=first_page, page_last=last_page)
