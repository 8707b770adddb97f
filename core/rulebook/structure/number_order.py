"""The order of numbers: how well one follows another, and the chain of them that fits best."""

import re
from collections.abc import Sequence, Set

from core.grammar import ROMAN_NUMERALS
from core.rulebook.structure.candidates import Heading
from core.rulebook.structure.line_numbers import NumberKey

FIRSTS = (1, "a", "A", "i")
BEGINNINGS = [(first,) for first in FIRSTS]
"""The keys of the first numbers of a count."""
_WINDOW = 30  # earlier candidates that one may follow
_BEST_ORDER = 1.0  # the most that `order_score` gives
_ANEW = -2.0  # order of a number that is not above the one before
_SKIP_COST = 0.02  # for each candidate passed over


def best_chain(heads: Sequence[Heading]) -> list[Heading]:
    """The candidates that make the best sequence: dynamic programming over fit and order."""
    best = _link_back(heads)
    chain = []
    at = max(range(len(best)), key=lambda index: best[index][0], default=None)
    while at is not None:
        chain.append(heads[at])
        at = best[at][1]
    return chain[::-1]


def _link_back(heads: Sequence[Heading]) -> list[tuple[float, int | None]]:
    """The score of the best chain to each candidate, and the one before it in that chain."""
    best: list[tuple[float, int | None]] = []
    for index, head in enumerate(heads):
        begins = all(part == 1 or isinstance(part, str) for part in head.key)
        score, link = head.fit + (0.5 if begins else -0.5), None
        for other in range(index - 1, max(0, index - _WINDOW) - 1, -1):
            before = best[other][0] + head.fit - _SKIP_COST * (index - other - 1)
            if before + _BEST_ORDER <= score or heads[other].index == head.index:
                continue
            value = before + order_score(head, heads[other])
            if value > score:
                score, link = value, other
        best.append((score, link))
    return best


def order_score(head: Heading, previous: Heading) -> float:
    """How well a heading follows another, from -2 to 1: a word or a group may begin a new count."""
    if head.is_group:
        if head.kind == previous.kind and head.key and previous.key:
            return max(sequence_score(head.key, previous.key), 0.2)
        return 0.5
    if previous.is_counted_over:
        return _ANEW if head.counters in BEGINNINGS else 0.8
    if previous.is_group:
        return 0.8 if head.key[-1] == 1 or isinstance(head.key[0], str) else 0.1
    if head.chapter != previous.chapter and head.counters in BEGINNINGS:
        return 0.8
    words = head.lead_word.casefold(), previous.lead_word.casefold()
    if all(words) and words[0] != words[1]:
        return 0.6 if head.key[-1] in FIRSTS else 0.0
    return sequence_score(head.key, previous.key)


def sequence_score(key: NumberKey, previous: NumberKey) -> float:
    """How well `key` follows `previous`: 1 for the next number or a first child, below 0 if not."""
    pairs = enumerate(zip(key, previous, strict=False))
    shorter = min(len(key), len(previous))
    common = next((at for at, (this, last) in pairs if this != last), shorter)
    rest = key[common:]
    if not rest:
        return -1.0
    if common < len(previous):
        return _sibling_score(rest, previous[common], outermost=common == 0)
    first = rest[0] in FIRSTS
    if len(rest) == 1:
        return 1.0 if first else 0.2
    return 0.7 if first and rest[1] in FIRSTS else 0.0


def number_before(key: NumberKey) -> NumberKey:
    """The number that one follows: 4.1 before 4.2, "b" before "c", "ii" before "iii"."""
    match key[-1]:
        case int() as last:
            return (*key[:-1], last - 1)
        case str() as last if len(last) == 1:
            return (*key[:-1], chr(ord(last) - 1))
        case str() as last if number := re.match(r"\d+", last):
            return (*key[:-1], int(number[0]))
        case last:
            return (*key[:-1], last[:-1])


def goes_on_from(key: NumberKey, seen: Set[object]) -> bool:
    """True for the next number behind one that was seen, or the first below one."""
    if number_before(key) in seen:
        return True
    return len(key) > 1 and key[-1] in FIRSTS and key[:-1] in seen


def _sibling_score(rest: NumberKey, last: str | int, *, outermost: bool) -> float:
    """`sequence_score` of a number that goes on with `rest` where the previous one has `last`."""
    step = _step_between(last, rest[0])
    begins = set(rest[1:]).issubset(FIRSTS)
    new_letter = outermost and isinstance(rest[0], str) and len(rest) > 1
    if step is None or (step < 0 and new_letter):
        return 0.4 if begins or rest[0] in FIRSTS else -0.3
    if step <= 0:
        return _ANEW
    if outermost and step > 2 and not begins:
        return -1.3
    return (1.0 if step == 1 else max(0.6 - 0.15 * step, -0.6)) - 0.3 * (not begins)


def _step_between(last: str | int, this: str | int) -> int | None:
    """The distance between two parts of a number, None if they cannot be compared."""
    match last, this:
        case int(), int():
            return this - last
        case str(), str():
            letters = len(last) == len(this) == 1 and last.islower() == this.islower()
            step = ord(this) - ord(last) if letters else None
            if step != 1 and last in ROMAN_NUMERALS and this in ROMAN_NUMERALS:
                return ROMAN_NUMERALS[this] - ROMAN_NUMERALS[last]
            return step
    one, other = re.match(r"\d+", str(last)), re.match(r"\d+", str(this))
    return (int(other[0]) - int(one[0]) or 1) if one and other else None  # 37, 37A, 38
