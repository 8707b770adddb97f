"""Find the numbers that begin clauses: by the order and the look of a document's own numbering.

A number at the start of a line may begin a clause. It may also be a cross-reference, an amount, a
version, or the mark of a list item. No numbering is known beforehand. Readings that look alike make
a family; a family that counts, and does not count anew within other text as lists do, is one of the
document's own; the chain of readings that fits best in order and print is taken. Numbers that come
again elsewhere with more text below them are a list of contents.
"""

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import NamedTuple

from core.rulebook.layout.blocks import Block, Line, Span, Table
from core.rulebook.layout.text import line_text
from core.rulebook.structure.line_numbers import (
    CounterStyle,
    HeadingKind,
    LineNumber,
    NumberKey,
    read_line_numbers,
)
from core.rulebook.structure.numbering import ROMAN_NUMERALS

_UNIT = re.compile(
    r"(?:mm|cm|m|km|kg|g|s|sec|min|h|hours?|minutes?|seconds?|days?|points?|%|°|k?W|V|bar|N|laps?|"
    r"[x×])(?![\w’'])"
)
_RUNS_ON = re.compile(r"[,;)]|(?:and|or|of|to|et|ou|is|are|shall|must|may|will|above|below)\b")
_CAPTION = re.compile(
    r"(?:fig(?:ure|ura)?|tab(?:le|elle|la|leau)?|abb(?:ildung)?|photo|image|diagram|drawing|note|"
    r"example|step|page)\b",
    re.IGNORECASE,
)
_FIRSTS = (1, "a", "A", "i")
_FIRST_KEYS = {(first,) for first in _FIRSTS}
_WINDOW = 30  # earlier candidates that one may follow
_SKIP_COST = 0.02  # for each candidate passed over
_MAX_ROUNDS = 5  # of leaving out lists of contents
_MIN_ENTRIES = 3
_LISTED_SHARE = 0.6  # of the entries of a list of contents come again
_MIN_LETTERED = 3  # numbers that end in a letter: fewer are citations
_PARENT_SHARE = 0.3  # of whole numbers that stand above deeper ones, if these are many
_NEIGHBOURS = 4  # on either side of a number, whose order tells a record of changes from rules
_STRAY_ORDER = 0.2  # by which it is worse than where the number comes again
_ENTRY_LETTERS = 120
_SHORT_SHARE = 0.8  # of the entries have fewer


@dataclass(slots=True)
class Heading:
    """A line that may begin a clause: its number, as printed and as a sort key, and its text."""

    index: int
    """Of its line among the blocks."""
    kind: HeadingKind
    number: str
    key: NumberKey
    following_text: str
    lead_word: str
    ending: str
    deleted: bool
    line: Line
    has_gap: bool
    """A wide gap, a change of style or nothing follows the number."""
    bold: bool
    label: str
    """All that is printed before the text."""
    style: CounterStyle = "digits"
    fit: float = 0.0
    parent: "Heading | None" = field(default=None, repr=False)

    @property
    def is_led(self) -> bool:
        """True if a word such as "Article" or "Appendix" precedes the number."""
        return bool(self.lead_word)

    @property
    def code(self) -> str:
        """The letters that a number begins with: "T" of "T 1.2.2"."""
        return self.key[0] if len(self.key) > 1 and isinstance(self.key[0], str) else ""

    @property
    def counters(self) -> NumberKey:
        """The key without its code."""
        return self.key[1:] if self.code else self.key

    @property
    def is_code_apart(self) -> bool:
        """True for "A.1" and "AT 1", and not for "F1", which may be a name."""
        return bool(self.code) and re.search(r"[. ]\d", self.number) is not None

    @property
    def is_whole_number(self) -> bool:
        return self.kind == "plain" and self.number.isdigit()

    @property
    def stands_out(self) -> bool:
        """Bold, or in capitals."""
        return self.bold or (self.following_text.isupper() and len(self.following_text) > 3)

    @property
    def indent(self) -> int:
        """Indentation within the column, in steps of 6 points."""
        return round(self.line.left - self.line.start) // 6


class Family(NamedTuple):
    """What readings share that look alike; `as_heading` is None unless print tells them apart."""

    word: str
    style: CounterStyle
    deep: bool
    """With two counters or more."""
    ending: str
    as_heading: bool | None


@dataclass(frozen=True, slots=True)
class FoundHeadings:
    """The headings of a document in reading order; its blocks without lists of contents."""

    headings: list[Heading]
    blocks: list[Block]
    contents_pages: list[int]


def find_headings(blocks: Sequence[Block]) -> FoundHeadings:
    """The numbers that begin clauses, and what is left without lists of contents."""
    candidates = find_candidates(blocks)
    contents: set[int] = set()
    for _ in range(_MAX_ROUNDS):
        chosen = select_headings(candidates, blocks)
        live = [head for head in chosen if not head.deleted]
        if not live:
            break
        listed = {at for found in _find_contents(live, blocks) for at in found}
        strays = set() if listed else _find_strays(live)
        if not listed and not strays:
            break
        contents |= listed
        candidates = [
            head for head in candidates if head.index not in listed and id(head) not in strays
        ]
    kept = [index for index in range(len(blocks)) if index not in contents]
    place = {index: at for at, index in enumerate(kept)}
    for head in chosen:
        head.index = place[head.index]
    pages = sorted({blocks[index].page for index in contents})
    return FoundHeadings(chosen, [blocks[index] for index in kept], pages)


def find_candidates(blocks: Sequence[Block]) -> list[Heading]:
    """All readings of the numbers at line starts."""
    return [
        head
        for index, block in enumerate(blocks)
        if isinstance(block, Line)
        for head in _read_line(block, index)
    ]


def select_headings(candidates: list[Heading], blocks: Sequence[Block]) -> list[Heading]:
    """The candidates that begin clauses, in reading order.

    They are the chain in the best order, and deleted candidates that look like members of it.
    """
    for head in candidates:
        head.fit, head.parent = 0.0, None
        if head.kind == "sub":
            head.kind, head.key = "plain", head.key[-1:]
    body = _Body.of(blocks)
    _assign_sub_numbers(candidates)
    parents = {head.key[:-1] for head in candidates}
    families: dict[Family, list[Heading]] = defaultdict(list)
    for head in candidates:
        families[_family(head, body)].append(head)
    families = {
        family: heads for family, heads in families.items() if _counts(family, heads, parents)
    }
    families = _without_lists(families)
    codes = _counting_codes(candidates)
    candidates = [head for head in candidates if not head.code or head.code in codes]
    for family, heads in families.items():
        _score_family(family, heads, blocks, body)
    accepted = [head for heads in families.values() for head in heads]
    accepted.sort(key=lambda head: head.index)
    chain = _best_chain([head for head in accepted if not head.deleted])
    chosen = {id(head) for head in chain}
    looks = {(_family(head, body), head.indent) for head in chain}
    taken = {head.index for head in chain}
    for head in accepted:
        if head.deleted and head.index not in taken and (_family(head, body), head.indent) in looks:
            chosen.add(id(head))
            taken.add(head.index)
    return [head for head in accepted if id(head) in chosen]


@dataclass(frozen=True, slots=True)
class _Body:
    """The print of most of a document's text."""

    size: float
    bold: bool

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> "_Body":
        sizes: Counter[float] = Counter()
        bold = 0
        for block in blocks:
            for span in block.spans if isinstance(block, Line) else ():
                sizes[round(block.size, 1)] += len(span.text)
                bold += len(span.text) * span.style.bold
        size = max(sizes, key=lambda size: sizes[size], default=10.0)
        return cls(size, bold > 0.5 * sizes.total())


def _family(head: Heading, body: _Body) -> Family:
    word = head.lead_word.casefold().rstrip(".")
    if head.kind == "sub":
        return Family("()", "digits", False, head.ending, None)
    if len(head.counters) > 1:
        if str(head.key[-1])[:1].islower():
            return Family(word, "letter", True, "", None)
        return Family(word or ("#" if head.code else ""), head.style, True, "", None)
    if head.lead_word or head.code:
        return Family(word or f"#{head.code}", head.style, False, "", None)
    larger = head.line.size > 1.12 * body.size
    as_heading = (head.bold and not body.bold) or head.following_text.isupper() or larger
    return Family(word, head.style, False, head.ending, as_heading)


def _counting_codes(heads: Sequence[Heading]) -> set[str]:
    """The letters before several numbers that begin at 1 or mostly go on from one another."""
    numbers: dict[str, list[NumberKey]] = defaultdict(list)
    for head in heads:
        if head.code:
            numbers[head.code].append(head.counters)
    several = {code: keys for code, keys in numbers.items() if len(set(keys)) > 1}
    apart = {head.code for head in heads if head.is_code_apart and head.counters == (1,)}
    return apart | {
        code
        for code, keys in several.items()
        if any(key[0] == 1 for key in keys) or _share_in_order(keys) > 0.5
    }


def _share_in_order(keys: Sequence[NumberKey]) -> float:
    """The share of numbers that begin to count, or that follow one that was there before."""
    seen: set[NumberKey] = set()
    in_order = 0
    for key in keys:
        in_order += key[-1] in _FIRSTS or _number_before(key) in seen
        seen.add(key)
    return in_order / len(keys)


def _number_before(key: NumberKey) -> NumberKey:
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


def _counts(family: Family, heads: Sequence[Heading], parents: set[NumberKey]) -> bool:
    """True for a family whose numbers are in order, and that is no list within other text."""
    if heads[0].kind in ("appendix", "part", "sub"):
        return True
    if _CAPTION.match(family.word):
        return False
    share = _share_in_order([head.key for head in heads])
    if family.word == "#":
        return share > 0.5
    if family.word.startswith("#"):
        # "F1" in running text comes again and again, and nothing is below it.
        below = any(head.key in parents for head in heads)
        apart = all(head.is_code_apart or head.stands_out for head in heads)
        return below or (apart and share > 0.5 and not _repeats(heads))
    if len(heads) < 2:  # it needs a witness: to begin to count, or a number below it
        is_first = heads[0].key[-1] in _FIRSTS or heads[0].key in parents
        return is_first and family.style == "digits"
    if family.deep:
        return share > 0.55 and (family.style == "digits" or len(heads) >= _MIN_LETTERED)
    if family.word:  # "the F1" in running text comes again and again
        return share > 0.6 and not _repeats(heads)
    # A bare number: it counts through, or it looks like a heading. A list counts anew.
    values = [head.key[-1] for head in heads]
    anew = sum(
        isinstance(one, int) and isinstance(other, int) and other <= one
        for one, other in itertools.pairwise(values)
    )
    out = sum(head.stands_out for head in heads) / len(heads)
    through = anew <= 0.12 * len(heads) and (bool(family.ending) or out > 0.6)
    return share > 0.6 and (through or out > 0.8)


def _repeats(heads: Sequence[Heading]) -> bool:
    """True if most numbers are the same as the one before."""
    same = sum(one.key == other.key for one, other in itertools.pairwise(heads))
    return same > 0.5 * (len(heads) - 1)


def _without_lists(families: dict[Family, list[Heading]]) -> dict[Family, list[Heading]]:
    """The families without bare numbers that are only lists in a text of many deep numbers.

    No list is what stands above deep numbers, or counts from the head of an appendix or part on.
    """
    heads = sorted((h for found in families.values() for h in found), key=lambda h: h.index)
    deep = sum(len(found) for family, found in families.items() if family.deep)
    witnessed: set[int] = set()
    expected = 0
    for head, following in itertools.pairwise(heads):
        if following.key[:-1] == head.key:
            witnessed.add(id(head))
        if head.kind in ("appendix", "part"):
            expected = 1
        elif head.is_whole_number and head.key == (expected,):
            witnessed.add(id(head))
            expected += 1
        elif head.is_led and head.stands_out:
            expected = 0
    return {
        family: found
        for family, found in families.items()
        if family.as_heading is None
        or family.word
        or deep < len(found)
        or sum(id(head) in witnessed for head in found) > _PARENT_SHARE * len(found)
    }


def _score_family(
    family: Family,
    heads: Sequence[Heading],
    blocks: Sequence[Block],
    body: _Body,
) -> None:
    """Set `fit`: the evidence for each reading apart from the order of the numbers."""
    usual = Counter(round((head.line.left - head.line.start) / 6) for head in heads)
    edge = max(usual, key=lambda left: usual[left])
    mostly_bold = sum(head.bold for head in heads) > 0.6 * len(heads)
    begins = any(head.key[-1:] in _FIRST_KEYS for head in heads)
    for head in heads:
        left = round((head.line.left - head.line.start) / 6)
        head.fit = 0.5 if len(heads) > 2 else 0.0
        head.fit += 0.15 if left == edge else -0.2
        if head.bold and not body.bold:
            head.fit += 0.5
        elif mostly_bold and not head.bold:
            head.fit -= 0.6
        if not begins and head.kind not in ("appendix", "part", "sub"):
            head.fit -= 0.8
        head.fit += sum(_weights(head, blocks))


def _weights(head: Heading, blocks: Sequence[Block]) -> Iterator[float]:
    """Weights of the text and the number of one candidate."""
    text = head.following_text
    yield 0.3 * (head.has_gap and bool(text))
    yield -0.5 * text[:1].islower()
    yield -1.5 * (_UNIT.match(text) is not None)
    yield (-0.3 if head.has_gap else -1.0) * (_RUNS_ON.match(text) is not None)
    yield -1.6 * _continues_line_above(head, blocks)
    yield -1.5 * head.lead_word[:1].islower()
    if head.kind == "plain" and len(head.key) == 1:
        yield -1.2 * (not head.ending and not head.has_gap and not head.following_text.isupper())
        yield -0.4 * (not head.stands_out)
        yield -2.0 * (isinstance(head.key[0], int) and head.key[0] > 300)
    yield -1.0 * any(isinstance(part, int) and part > 200 for part in head.counters[1:])


def _continues_line_above(head: Heading, blocks: Sequence[Block]) -> bool:
    """True if the line above is full, ends without a stop and has the same left edge."""
    before = blocks[head.index - 1] if head.index else None
    line = head.line
    if not isinstance(before, Line) or before.page != line.page or before.column != line.column:
        return False
    close = line.baseline - before.baseline < 1.45 * line.size
    room = 0.2 * (before.edge - before.start)
    full = not head.following_text or before.right > before.edge - room
    ends = line_text(before).endswith((".", ";", ":", ".)", "?"))
    return close and full and not ends and abs(line.left - before.left) < 3 and not head.bold


def _best_chain(heads: list[Heading]) -> list[Heading]:
    """The candidates that make the best sequence: dynamic programming over fit and order."""
    best: list[tuple[float, int | None]] = []  # score of the best chain to here, link back
    for index, head in enumerate(heads):
        begins = all(part == 1 or isinstance(part, str) for part in head.key)
        score, link = head.fit + (0.5 if begins else -0.5), None
        for other in range(max(0, index - _WINDOW), index):
            if heads[other].index == head.index:
                continue
            distance = _SKIP_COST * (index - other - 1)
            value = best[other][0] + head.fit + _order_score(head, heads[other]) - distance
            if value > score:
                score, link = value, other
        best.append((score, link))
    chain = []
    at = max(range(len(best)), key=lambda index: best[index][0], default=None)
    while at is not None:
        chain.append(heads[at])
        at = best[at][1]
    return chain[::-1]


def _order_score(head: Heading, previous: Heading) -> float:
    if head.kind in ("appendix", "part"):
        if head.kind == previous.kind and head.key and previous.key:
            return max(sequence_score(head.key, previous.key), 0.2)
        return 0.5
    if previous.kind in ("appendix", "part"):
        return 0.8 if head.key[-1] == 1 or isinstance(head.key[0], str) else 0.1
    words = head.lead_word.casefold(), previous.lead_word.casefold()
    if all(words) and words[0] != words[1]:
        return 0.6 if head.key[-1] in _FIRSTS else 0.0
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
    first = rest[0] in _FIRSTS
    if len(rest) == 1:
        return 1.0 if first else 0.2
    return 0.7 if first and rest[1] in _FIRSTS else 0.0


def _sibling_score(rest: NumberKey, last: str | int, *, outermost: bool) -> float:
    """`sequence_score` of a number that goes on with `rest` where the previous one has `last`."""
    step = _step_between(last, rest[0])
    begins = all(part in _FIRSTS for part in rest[1:])
    new_letter = outermost and isinstance(rest[0], str) and len(rest) > 1
    if step is None or (step < 0 and new_letter):
        return 0.4 if begins or rest[0] in _FIRSTS else -0.3
    if step <= 0:
        return -2.0
    if outermost and step > 2 and not begins:
        return -1.3
    return (1.0 if step == 1 else max(0.6 - 0.15 * step, -0.6)) - (0.0 if begins else 0.3)


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


def _find_contents(chain: Sequence[Heading], blocks: Sequence[Block]) -> list[range]:
    """Blocks of stretches whose numbers come again elsewhere, with their words and more text."""
    ends = [*(head.index for head in chain[1:]), len(blocks)]
    letters = [
        sum(map(_letters, blocks[head.index : end])) for head, end in zip(chain, ends, strict=True)
    ]
    most: dict[object, int] = defaultdict(int)
    titles: dict[object, list[str]] = defaultdict(list)
    for head, count in zip(chain, letters, strict=True):
        most[_name(head)] = max(most[_name(head)], count)
        titles[head.kind, head.key].append(_title_words(head))

    def is_entry(at: int) -> bool:
        title = _title_words(chain[at])
        again = sum(other.startswith(title) for other in titles[chain[at].kind, chain[at].key])
        return again > 1 and letters[at] < most[_name(chain[at])]

    return [
        range(chain[stretch[0]].index, chain[stretch[-1]].index + 1)
        for stretch in _stretches(chain)
        if len(stretch) >= _MIN_ENTRIES
        and sum(map(is_entry, stretch)) >= _LISTED_SHARE * len(stretch)
        and sum(letters[at] < _ENTRY_LETTERS for at in stretch) >= _SHORT_SHARE * len(stretch)
    ]


def _name(head: Heading) -> object:
    """What tells a number from others: a bare one has the same in each appendix."""
    bare = head.kind == "plain" and len(head.key) == 1
    return (head.kind, head.key, _title_words(head) if bare else "")


def _title_words(head: Heading) -> str:
    """The letters behind a number, without the page number that an entry of contents ends in."""
    return "".join(re.findall(r"[^\W\d_]", head.following_text.casefold()))


def _find_strays(chain: Sequence[Heading]) -> set[int]:
    """Ids of headings whose number is also elsewhere, where it is in better order.

    They are named there, as in a record of changes or a list of questions. Numbers count anew in
    each appendix, and without a code in each part too.
    """
    orders = [_order_score(head, before) for before, head in itertools.pairwise(chain)]
    places: dict[object, list[tuple[float, Heading]]] = defaultdict(list)
    scope: Heading | None = None
    for at, head in enumerate(chain):
        if head.kind in ("appendix", "part"):
            scope = head
        elif scope and scope.kind == "appendix":
            continue  # changes to come are announced in one, with the numbers of others
        elif len(head.counters) > 1 or head.code:
            around = orders[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS]
            home = scope.index if scope and not head.code else None
            places[home, head.key].append((fmean(around or [0.0]), head))
    strays: set[int] = set()
    for found in places.values():
        best = max(order for order, _ in found)
        strays |= {id(head) for order, head in found if order <= best - _STRAY_ORDER}
    return strays


def _stretches(chain: Sequence[Heading]) -> list[list[int]]:
    """Positions in the chain, cut where the numbers do not go on, or one comes again."""
    stretches: list[list[int]] = []
    seen: set[tuple[HeadingKind, NumberKey]] = set()
    for at, head in enumerate(chain):
        number = head.kind, head.key
        if not at or number in seen or _order_score(head, chain[at - 1]) < 0:
            stretches.append([])
            seen = set()
        stretches[-1].append(at)
        seen.add(number)
    return stretches


def _letters(block: Block) -> int:
    match block:
        case Line():
            return len(line_text(block))
        case Table():
            return sum(len(line_text(line)) for line in block.lines)
        case _:
            return 0


def _read_line(line: Line, index: int) -> Iterator[Heading]:
    live = line_text(line)
    text = live or line_text(line, "deleted")
    for found in read_line_numbers(text):
        if found.number.startswith("0"):
            continue
        yield Heading(
            index, found.kind, found.number, found.key, found.rest, found.lead_word, found.ending,
            not live, line, _has_gap(line, found), line.spans[0].style.bold, found.label,
            found.style,
        )  # fmt: skip


def _has_gap(line: Line, found: LineNumber) -> bool:
    """True if a wide gap, a change of print or nothing follows the number."""
    after = line.visible_text.lstrip()[len(found.label.rstrip()) :]
    return not found.rest or after[:1] == "\t" or _style_changes_at(line.spans, len(found.label))


def _style_changes_at(spans: Sequence[Span], length: int) -> bool:
    """True if weight or size changes just after the first `length` characters."""
    end = 0
    for span, following in itertools.pairwise(spans):
        end += len(span.text)
        if end >= length - 1:
            one, other = span.style, following.style
            return end <= length + 3 and (one.bold, one.size) != (other.bold, other.size)
    return False


def _assign_sub_numbers(heads: list[Heading]) -> None:
    """Make `(1)`, `1)` or `1.` that begin anew below many numbers parts of them: "5(1)"."""
    for ending in ("()", ")", ".", ""):
        mine = [head for head in heads if head.is_whole_number and head.ending == ending]
        if sum(head.number == "1" for head in mine) < 3:
            continue
        pairs = _pair_with_parents(mine, heads)
        if len({id(parent) for _, parent in pairs}) >= 3 and len(pairs) >= 0.6 * len(mine):
            for head, parent in pairs:
                head.parent, head.kind, head.key = parent, "sub", (*parent.key, *head.key)


def _pair_with_parents(mine: list[Heading], heads: list[Heading]) -> list[tuple[Heading, Heading]]:
    """Those of `mine` that count 1, 2, 3 below an article or a dotted number, with that number."""
    wanted = {id(head) for head in mine}
    pairs: list[tuple[Heading, Heading]] = []
    parent: Heading | None = None
    expected = 1
    for head in heads:
        if id(head) in wanted:
            if parent and head.deleted == parent.deleted and int(head.number) == expected:
                pairs.append((head, parent))
                expected += 1
        elif head.is_led:
            parent, expected = head if head.kind == "article" else None, 1
        elif head.kind == "plain" and len(head.key) > 1 and head.has_gap:
            parent, expected = head, 1
    return pairs
