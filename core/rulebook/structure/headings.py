"""Finds the numbers that begin clauses: the document's own numbering scheme, told from its order and its look.

A number at the start of a line may begin a clause, or be a cross-reference, a measure, or a list in a text. What
decides is that the numbers of clauses run in order and look alike: the chain of candidates that fits best is taken.
"""

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from core.rulebook.layout.blocks import Line, Span
from core.rulebook.layout.text import line_text
from core.rulebook.structure.numbering import ROMAN_NUMERALS

HeadingKind = Literal["article", "appendix", "part", "plain", "sub"]
NumberKey: TypeAlias = tuple[str | int, ...]

_ARTICLE = r"(?i:article|art\.|rule|section|§{1,2}|άρθρο|αρθρο)"
_APPENDIX = r"(?i:appendix|annex|annexe|appendice|schedule|παραρτημα|παράρτημα)"
_PART = r"(?i:chapter|chapitre|part|partie|title|book|division|κεφαλαιο|κεφάλαιο|μερος|μέρος)"
_DOTTED = r"\d{1,3}[A-Z]?(?:\.\d{1,3}[A-Z]?)*"
_NUMBER = rf"(?:[A-Z]{{1,3}}\.?(?=\d))?{_DOTTED}"
_ROMAN = r"[IVXLC]{1,6}"
_AFTER = r"(?=[\s:.)\]–—-]|$)"
_LED = re.compile(
    rf"^({_ARTICLE})\s*({_NUMBER}(?:\.[a-z])?|{_ROMAN}){_AFTER}\s*[:.)–—-]*\s*(.*)$", re.DOTALL
)
_LED_APPENDIX = re.compile(
    rf"^({_APPENDIX})(?:\s+({_NUMBER}|{_ROMAN}|[A-Z]){_AFTER})?\s*[:.)–—-]*\s*(.*)$", re.DOTALL
)
_LED_PART = re.compile(
    rf"^({_PART})\s+({_NUMBER}|{_ROMAN}|[A-Z]){_AFTER}\s*[:.)–—-]*\s*(.*)$", re.DOTALL
)
_BARE = re.compile(
    rf"^({_NUMBER}(?:\.[a-z]{{1,2}}(?:\.[ivx]+)?(?![a-z]))?)(\.?[):]|\.|)(?:\s+|$)(.*)$", re.DOTALL
)
_BRACKETED = re.compile(r"^\((\d{1,3})\)()\s*(.*)$", re.DOTALL)
_UNIT = re.compile(
    r"^(?:mm|cm|m|km|kg|g|s|sec|min|h|hours?|minutes?|seconds?|days?|points?|%|°|k?W|V|bar|N|laps?)(?![\w’'])"
)
_RUNS_ON = re.compile(r"^(?:[,;)]|(?:and|or|of|to|et|ou|is|are|shall|must|may|will|above|below)\b)")
_FIRSTS = (1, "a", "A", "i")
_FEWEST_ENTRIES = 4
_CONTENTS_SHARE = 0.2  # of the blocks: contents stand in the first ones
_HEADING_WORDS = 10
_WINDOW = 24  # candidates back that one may follow on


@dataclass(slots=True)
class Heading:
    """A line that may begin a clause: its number as printed and as a key to order by, and what follows it."""

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
    """A wide gap, or nothing, stands between the number and the text."""
    bold: bool
    fit: float = 0.0
    parent: "Heading | None" = field(default=None, repr=False)

    @property
    def shape(self) -> tuple[HeadingKind, bool, int, str]:
        """Candidates of one shape are of one level: kind, lettered prefix, depth, ending."""
        depth = len(self.key)
        return (
            self.kind,
            isinstance(self.key[0], str) if self.key else False,
            depth,
            self.ending if depth < 2 else "",
        )


def find_candidates(blocks: Sequence[object]) -> list[Heading]:
    """Every line whose beginning reads like the number of a clause."""
    found = []
    for index, block in enumerate(blocks):
        if isinstance(block, Line) and (head := _parsed(block, index)):
            found.append(head)
    return [
        head
        for head, following in itertools.zip_longest(found, found[1:])
        if not _bare_number(head)
        or (_in_capitals(head.following_text) and _is_first_below(head, following))
    ]


def _bare_number(head: Heading) -> bool:
    """True where a whole number runs into the text behind it: mostly an amount, a date or a list."""
    return head.kind == "plain" and head.number.isdigit() and not head.ending and not head.has_gap


def _in_capitals(text: str) -> bool:
    return text.isupper() and len(text.split()) <= _HEADING_WORDS


def _is_first_below(head: Heading, following: Heading | None) -> bool:
    """True where the next number is the first below it: "2 FLAGS", "2.1 ..."."""
    return following is not None and following.key == (*head.key, 1)


def find_contents_lists(heads: Sequence[Heading], blocks: int) -> list[tuple[int, int]]:
    """Lists of headings that come again later with text beneath: (first block, last block) of each such list.

    Four headings or more, one under the other, in the first of the document's `blocks`.
    """
    last_seen = {(head.kind, head.key): position for position, head in enumerate(heads)}
    lists = []
    start = 0
    while start < len(heads) and heads[start].index < _CONTENTS_SHARE * blocks:
        end = start
        while (
            end + 1 < len(heads)
            and heads[end + 1].index - heads[end].index <= 2
            and last_seen[(heads[end].kind, heads[end].key)] > end
        ):
            end += 1
        run = heads[start:end]
        if len(run) >= _FEWEST_ENTRIES and all(last_seen[(h.kind, h.key)] >= end for h in run):
            lists.append((run[0].index, heads[end].index - 1))
        start = end + 1
    return lists


def select_headings(heads: list[Heading], blocks: Sequence[object]) -> list[Heading]:
    """The candidates that begin clauses, in reading order: the chain in best order, and struck ones that look alike."""
    _tell_sub_numbers(heads)
    _weigh(heads, blocks)
    live = [head for head in heads if not head.deleted]
    chain = _without_lists(_best_chain(live))
    shapes = {(head.shape, round(head.line.left - head.line.start) // 6) for head in chain}
    kept = {id(head) for head in chain}
    kept |= {
        id(h)
        for h in heads
        if h.deleted and (h.shape, round(h.line.left - h.line.start) // 6) in shapes and h.fit > 0
    }
    return [head for head in heads if id(head) in kept]


def parse_number_key(number: str) -> NumberKey:
    """ "B1.4.2" as ("B", 1, 4, 2), "V.1.1" as ("V", 1, 1), "2.1.5.c" as (2, 1, 5, "c")."""
    parts = re.findall(r"\d+[A-Z]?|[A-Za-z]+", number)
    return tuple(int(part) if part.isdigit() else part for part in parts)


def parse_heading_key(text: str) -> NumberKey | None:
    """The key of a number that is led by a word ("ARTICLE 3 ..."), else None."""
    found = _LED.match(text) or _LED_APPENDIX.match(text)
    return parse_number_key(found[2]) if found and found[2] else None


def sequence_score(key: NumberKey, previous: NumberKey) -> float:
    """How well `key` follows `last` in a numbering: 1 for the next number or a first child, below 0 for disorder."""
    common = 0
    while common < min(len(key), len(previous)) and key[common] == previous[common]:
        common += 1
    rest = key[common:]
    if not rest:
        return -2.0
    if common == len(previous):
        first = rest[0] in _FIRSTS
        return (
            (1.0 if first else 0.2)
            if len(rest) == 1
            else (0.7 if first and rest[1] in _FIRSTS else 0.0)
        )
    step = _step(previous[common], rest[0])
    begins = all(part in _FIRSTS for part in rest[1:])
    if step is None or (step < 0 and common == 0 and isinstance(rest[0], str) and len(rest) > 1):
        return 0.4 if begins or rest[0] in _FIRSTS else -0.3
    if step <= 0:
        return -2.0
    if common == 0 and step > 2 and not begins:
        return -1.5
    return (1.0 if step == 1 else max(0.6 - 0.15 * step, -0.6)) - (0.0 if begins else 0.3)


def _step(last: str | int, this: str | int) -> int | None:
    """How far one part of a number is from another; None where they cannot be compared."""
    if isinstance(last, int) and isinstance(this, int):
        return this - last
    if isinstance(last, str) and isinstance(this, str):
        if (
            len(last) == len(this) == 1
            and last.islower() == this.islower()
            and ord(this) - ord(last) == 1
        ):
            return 1
        if last in ROMAN_NUMERALS and this in ROMAN_NUMERALS:
            return ROMAN_NUMERALS[this] - ROMAN_NUMERALS[last]
        return (
            ord(this) - ord(last)
            if len(last) == len(this) == 1 and last.islower() == this.islower()
            else None
        )
    one, other = re.match(r"\d+", str(last)), re.match(r"\d+", str(this))
    if one and other:  # 37, 37A, 38
        difference = int(other[0]) - int(one[0])
        return difference if difference else 1
    return None


def _parsed(line: Line, index: int) -> Heading | None:
    live = line_text(line)
    deleted = not live
    text = line_text(line, "deleted") if deleted else live
    if not text or not (text[0].isalnum() or text[0] in "§("):
        return None
    for pattern, kind in ((_LED, "article"), (_LED_APPENDIX, "appendix"), (_LED_PART, "part")):
        if found := pattern.match(text):
            word, number, rest = found.groups()
            if kind == "appendix" and not number and (not word.isupper() or rest.upper() != rest):
                return None
            if kind != "article" and rest[:1].islower():
                return None
            return _head(line, index, kind, number or "", rest, word, "", deleted)  # type: ignore[arg-type]  # a Literal from a loop
    found = _BARE.match(text) or _BRACKETED.match(text)
    if not found:
        return None
    number, ending, rest = found.groups()
    if _UNIT.match(rest) or (len(number) == 4 and number.isdigit()) or number.startswith("0"):
        return None
    ending = "()" if found.re is _BRACKETED else ending
    return _head(line, index, "plain", number, rest, "", ending, deleted)


def _head(
    line: Line,
    index: int,
    kind: HeadingKind,
    number: str,
    rest: str,
    word: str,
    ending: str,
    deleted: bool,
) -> Heading:
    bold = line.spans[0].style.bold
    return Heading(
        index,
        kind,
        number,
        parse_number_key(number),
        rest,
        word,
        ending,
        deleted,
        line,
        _number_apart(line, number),
        bold,
    )


def _number_apart(line: Line, number: str) -> bool:
    """True where a gap stands behind the number, or its style changes there."""
    text = "".join(span.text for span in line.spans if span.state != "hidden")
    after = text[len(number) :].lstrip(").:]")
    return not after.strip() or after[:1] == "\t" or _restyled(line.spans, len(number))


def _restyled(spans: Sequence[Span], length: int) -> bool:
    seen = 0
    for span, following in itertools.pairwise(spans):
        seen += len(span.text)
        if seen >= length:
            return seen <= length + 3 and (span.style.bold, span.style.size) != (
                following.style.bold,
                following.style.size,
            )
    return False


def _tell_sub_numbers(heads: list[Heading]) -> None:
    """`(1)`, `1)` or `1.` that begin anew below many numbers count within them: "5(1)", "3.1.6.4.(1)"."""
    for ending in ("()", ")", ".", ""):
        mine = [
            head
            for head in heads
            if head.kind == "plain" and head.number.isdigit() and head.ending == ending
        ]
        if sum(head.number == "1" for head in mine) < 3:
            continue
        parents = _counted_within(mine, heads)
        if len({id(parent) for _, parent in parents}) >= 3 and len(parents) >= 0.6 * len(mine):
            for head, parent in parents:
                head.parent, head.kind, head.key = parent, "sub", (*parent.key, *head.key)


def _counted_within(mine: list[Heading], heads: list[Heading]) -> list[tuple[Heading, Heading]]:
    """Which of `mine` count 1, 2, 3 below a number that is led by a word or dotted, with that number."""
    wanted = {id(head) for head in mine}
    found: list[tuple[Heading, Heading]] = []
    parent: Heading | None = None
    expected = 1
    for head in heads:
        if id(head) in wanted:
            if (
                parent is not None
                and head.deleted == parent.deleted
                and int(head.number) == expected
            ):
                found.append((head, parent))
                expected += 1
        elif head.kind == "article" or (
            head.kind == "plain" and len(head.key) > 1 and head.has_gap
        ):
            parent, expected = head, 1
        elif head.kind in ("appendix", "part"):
            parent = None
    return found


def _weigh(heads: list[Heading], blocks: Sequence[object]) -> None:
    """What speaks for each candidate apart from the order: words, gaps, print, place, and how its line stands."""
    places: dict[tuple[HeadingKind, bool, int, str], Counter[int]] = defaultdict(Counter)
    for head in heads:
        places[head.shape][round(head.line.left - head.line.start) // 6] += 1
    body_bold = _mostly_bold(blocks)
    lettered = sum(head.number[-1:].islower() for head in heads if head.kind == "plain")
    for head in heads:
        mine = places[head.shape]
        bucket = round(head.line.left - head.line.start) // 6
        share = (mine[bucket] + mine[bucket - 1] + mine[bucket + 1]) / sum(mine.values())
        fit = 0.8 if share >= 0.3 else -0.6
        fit += 0.7 * (head.kind in ("article", "appendix", "part")) + 0.7 * (
            head.has_gap and bool(head.following_text or head.bold)
        )
        fit += 0.6 * (head.bold and not body_bold)
        if head.following_text and (
            head.following_text[0].islower() or _RUNS_ON.match(head.following_text)
        ):
            deep = head.has_gap or len(head.key) > 3
            fit -= 0.5 if deep else 2.0 if _RUNS_ON.match(head.following_text) else 0.5
        if _goes_on(head, blocks):
            fit -= 1.6
        if (
            isinstance(head.key[-1] if head.key else 0, str)
            and head.number[-1:].islower()
            and lettered < 3
        ):
            fit -= 1.5
        if head.kind == "plain" and len(head.key) == 1 and not isinstance(head.key[0], str):
            fit -= (
                0.7
                if head.ending == "()" or not (head.bold or head.following_text.isupper())
                else 0.0
            )
        if (
            head.kind in ("article", "appendix", "part")
            and re.search(r"[a-z,;]$|^[,;]", head.following_text)
            and not head.bold
        ):
            fit -= 0.6
        head.fit = fit


def _mostly_bold(blocks: Sequence[object]) -> bool:
    letters = [(len(s.text), s.style.bold) for b in blocks if isinstance(b, Line) for s in b.spans]
    return sum(n for n, bold in letters if bold) > 0.5 * sum(n for n, _ in letters)


def _goes_on(head: Heading, blocks: Sequence[object]) -> bool:
    """The line reads on from the one above: same left edge, no extra space, and that one is full without a stop."""
    before = blocks[head.index - 1] if head.index else None
    line = head.line
    if not isinstance(before, Line) or before.page != line.page or before.column != line.column:
        return False
    close = line.baseline - before.baseline < 1.45 * line.size
    full = not head.following_text or before.right > before.edge - 0.2 * (
        before.edge - before.start
    )
    ends = line_text(before).endswith((".", ";", ":", ".)", "?"))
    return close and full and not ends and abs(line.left - before.left) < 3 and not head.bold


def _best_chain(heads: list[Heading]) -> list[Heading]:
    """The candidates that make the best sequence: dynamic programming over fit and order."""
    best: list[float] = []
    back: list[int | None] = []
    for index, head in enumerate(heads):
        score, link = head.fit + _opening(head), None
        for other in range(max(0, index - _WINDOW), index):
            value = best[other] + head.fit + _order(head, heads[other]) - 0.02 * (index - other - 1)
            if value > score:
                score, link = value, other
        best.append(score)
        back.append(link)
    if not best:
        return []
    chain = []
    at: int | None = max(range(len(best)), key=lambda index: best[index])
    while at is not None:
        chain.append(heads[at])
        at = back[at]
    return chain[::-1]


def _without_lists(chain: list[Heading]) -> list[Heading]:
    """The chain less numbered lists within a clause: runs of another shape that the numbering goes on behind."""
    kept: list[Heading] = []
    index = 0
    while index < len(chain):
        head = chain[index]
        if kept and _order(head, kept[-1]) < 0 and head.shape != kept[-1].shape:
            behind = next(
                (
                    later
                    for later in range(index + 1, min(index + _WINDOW, len(chain)))
                    if chain[later].shape != head.shape and _order(chain[later], kept[-1]) >= 0.9
                ),
                None,
            )
            if behind is not None and all(h.shape == head.shape for h in chain[index:behind]):
                index = behind
                continue
        kept.append(head)
        index += 1
    return kept


def _opening(head: Heading) -> float:
    return 0.5 if all(part in (1, "a") or isinstance(part, str) for part in head.key) else -0.5


def _order(head: Heading, last: Heading) -> float:
    if head.kind in ("appendix", "part"):
        if head.kind == last.kind and head.key and last.key:
            return max(sequence_score(head.key, last.key), 0.2)
        return 0.5
    if last.kind in ("appendix", "part"):
        return 0.8 if head.key[-1] == 1 or isinstance(head.key[0], str) else 0.1
    return sequence_score(head.key, last.key)
