"""Families of numbers that look alike: which count, and which only list; the order of numbers.

How well one number follows another, and the chain of numbers that fits best.
"""

import itertools
import re
from collections import defaultdict
from collections.abc import Sequence, Set
from typing import NamedTuple

from core.grammar import ROMAN_NUMERALS
from core.rulebook.structure.candidates import Heading, group_by_code
from core.rulebook.structure.line_numbers import CounterStyle, NumberKey
from core.rulebook.structure.typography import BodyPrint

FIRSTS = (1, "a", "A", "i")
BEGINNINGS = [(first,) for first in FIRSTS]
"""The keys of the first numbers of a count."""
_WINDOW = 30  # earlier candidates that one may follow
_BEST_ORDER = 1.0  # the most that `order_score` gives
_ANEW = -2.0  # order of a number that is not above the one before: it undoes two in order
_SKIP_COST = 0.02  # for each candidate passed over: 0.58 for a `_WINDOW`, less than the next number
CAPTION = re.compile(
    r"(?:fig(?:ure|ura)?|tab(?:le|elle|la|leau)?|abb(?:ildung)?|photo|image|diagram|drawing|note|"
    r"example|step|page)\b",
    re.IGNORECASE,
)
_MIN_LETTERED = 3  # numbers that end in a letter: fewer are citations
_NEAR = 4  # candidates before a number among which the one above it is
_PARENT_SHARE = 0.3  # of whole numbers that stand above deeper ones, if these are many


def best_chain(heads: Sequence[Heading]) -> list[Heading]:
    """The candidates that make the best sequence: dynamic programming over fit and order."""
    best: list[tuple[float, int | None]] = []  # the score of each chain, and its last but one
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
    chain = []
    at = max(range(len(best)), key=lambda index: best[index][0], default=None)
    while at is not None:
        chain.append(heads[at])
        at = best[at][1]
    return chain[::-1]


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
    if len(rest) == 1:
        return 1.0 if rest[0] in FIRSTS else 0.2
    return 0.7 if rest[0] in FIRSTS and rest[1] in FIRSTS else 0.0


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
    return number_before(key) in seen or (len(key) > 1 and key[-1] in FIRSTS and key[:-1] in seen)


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


class Family(NamedTuple):
    """What readings share that look alike; `as_heading` is None unless print tells them apart."""

    word: str
    style: CounterStyle
    deep: bool
    """With two counters or more."""
    ending: str
    as_heading: bool | None


def find_families(candidates: Sequence[Heading], body: BodyPrint) -> dict[Family, list[Heading]]:
    """The families of `candidates` that are numberings of the document's own."""
    codes = _counting_codes(candidates)
    above, grouped = _find_parents(candidates), _count_in_groups(candidates)
    families: dict[Family, list[Heading]] = defaultdict(list)
    for head in candidates:
        if not head.code or head.code in codes:
            families[family_of(head, body)].append(head)
    counting = [
        (family, heads)
        for family, heads in families.items()
        if _counts(family, heads, above, grouped)
    ]
    # Bare numbers are only lists in a text of many deep numbers, unless they stand above these, or
    # count from the head of an appendix or part on.
    deep = sum(len(found) for family, found in counting if family.deep)
    return {
        family: found
        for family, found in counting
        if family.as_heading is None
        or family.word
        or deep < len(found)
        or sum(head in above or head in grouped for head in found) > _PARENT_SHARE * len(found)
    }


def family_of(head: Heading, body: BodyPrint) -> Family:
    """The family of a reading; "#" stands for the codes of deep numbers, "#T" for one code."""
    word = head.lead_word.casefold().rstrip(".")
    if head.kind == "sub":
        return Family("()", "digits", False, head.ending, None)
    if len(head.counters) > 1 and not (word and head.is_inserted):
        if str(head.key[-1])[:1].islower():
            return Family(word, "letter", True, "", None)
        return Family(word or ("#" if head.code else ""), head.style, True, "", None)
    if head.lead_word or head.code:
        return Family(word or f"#{head.code}", head.style, False, "", None)
    larger = body.is_smaller_than(head.line)
    as_heading = (head.bold and not body.bold) or head.following_text.isupper() or larger
    return Family(word, head.style, False, head.ending, as_heading)


def _counting_codes(heads: Sequence[Heading]) -> set[str]:
    """The letters before several numbers that begin at 1 or mostly go on from one another."""
    apart = {head.code for head in heads if head.is_code_apart and head.counters == (1,)}
    return apart | {
        code
        for code, found in group_by_code(heads).items()
        if len({head.key for head in found}) > 1
        and (any(head.counters[0] == 1 for head in found) or _share_in_order(found) > 0.5)
    }


def _find_parents(heads: Sequence[Heading]) -> set[Heading]:
    """Numbers just before a number that is one level below: "3" before "3.1"."""
    above: set[Heading] = set()
    for at, head in enumerate(heads):
        before = reversed(heads[max(0, at - _NEAR) : at])
        if parent := next((other for other in before if other.key == head.key[:-1]), None):
            above.add(parent)
    return above


def _share_in_order(heads: Sequence[Heading], above: Set[Heading] = frozenset()) -> float:
    """The share of numbers that begin to count, follow one that was there, or are `above` one."""
    seen: set[NumberKey] = set()
    in_order = 0
    for head in heads:
        key = head.counters
        in_order += key[-1] in FIRSTS or number_before(key) in seen or head in above
        seen.add(key)
    return in_order / len(heads)


def _counts(
    family: Family, heads: Sequence[Heading], above: Set[Heading], grouped: Set[Heading]
) -> bool:
    """True for a family whose numbers are in order, and that is no list within other text."""
    if heads[0].kind in ("appendix", "part", "sub"):
        return True
    if CAPTION.match(family.word):
        return False
    share = _share_in_order(heads, above)
    if len(heads) < 2:  # it needs a witness: to begin to count, or a number below it
        is_witnessed = heads[0] in above or (family.deep and heads[0].key[-1] in FIRSTS)
        return is_witnessed and family.style == "digits"
    if family.deep:
        if family.word == "#":
            return share > 0.5
        few_letters = family.style == "letter" and len(heads) < _MIN_LETTERED
        return share > 0.55 and (share == 1 or not few_letters)
    if family.word:
        return _counts_behind_word(family, heads, share, above)
    return share > 0.6 and _is_no_list(family, heads, grouped)


def _counts_behind_word(
    family: Family, heads: Sequence[Heading], share: float, above: Set[Heading]
) -> bool:
    """True unless a name such as "F1" or "the F1" comes again and again in running text."""
    same = sum(one.key == other.key for one, other in itertools.pairwise(heads))
    repeats = same > 0.5 * (len(heads) - 1)
    if not family.word.startswith("#"):
        return share > 0.6 and not repeats
    apart = all(head.is_code_apart or head.stands_out for head in heads)
    return (apart and share > 0.5 and not repeats) or not above.isdisjoint(heads)


def _is_no_list(family: Family, heads: Sequence[Heading], grouped: Set[Heading]) -> bool:
    """True for bare numbers that count through, or look like headings: a list counts anew."""
    pairs = itertools.pairwise(heads)
    anew = sum(b.counts_anew_after(a) for a, b in pairs if b not in grouped)
    out = sum(head.stands_out for head in heads) / len(heads)
    through = anew <= 0.12 * len(heads) and (bool(family.ending) or out > 0.6)
    return through or out > 0.8


def _count_in_groups(heads: Sequence[Heading]) -> set[Heading]:
    """Whole numbers that count 1, 2, 3 from an appendix, a part or a chapter's name on."""
    grouped: set[Heading] = set()
    expected = chapter = 0
    for head in heads:
        if head.chapter != chapter:
            expected, chapter = 1, head.chapter
        if head.is_group:
            expected = 1
        elif len(head.counters) > 1 and head.counters[0] != expected - 1:
            expected = 0  # it counts its own numbers
        elif head.is_whole_number and head.key in ((expected,), (expected - 1,)):
            grouped.add(head)
            expected += head.key == (expected,)
        elif head.lead_word and head.stands_out:
            expected = 0
    return grouped
