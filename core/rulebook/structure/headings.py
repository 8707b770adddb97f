"""Find the numbers that begin clauses by the order and the look of a document's own numbering.

A number at the start of a line may begin a clause. It may also be a cross-reference, an amount or
the mark of a list item. The numbers of clauses run in order and look alike, so the chain of
candidates that fits best is taken.
"""

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from core.rulebook.layout.blocks import Line, Span
from core.rulebook.layout.text import line_text
from core.rulebook.structure.numbering import ROMAN_NUMERALS

HeadingKind = Literal["article", "appendix", "part", "plain", "sub"]
NumberKey: TypeAlias = tuple[str | int, ...]
Shape: TypeAlias = tuple[HeadingKind, bool, int, str]

_ARTICLE = r"(?i:article|art\.|rule|section|§{1,2}|άρθρο|αρθρο)"
_APPENDIX = r"(?i:appendix|annex|annexe|appendice|schedule|παραρτημα|παράρτημα)"
_PART = r"(?i:chapter|chapitre|part|partie|title|book|division|κεφαλαιο|κεφάλαιο|μερος|μέρος)"
_NUMBER = r"(?:[A-Z]{1,3}\.?(?=\d))?\d{1,3}[A-Z]?(?:\.\d{1,3}[A-Z]?)*"
_ROMAN = r"[IVXLC]{1,6}"
_AFTER = r"(?=[\s:.)\]–—-]|$)"
_REST = r"\s*[:.)–—-]*\s*(?P<rest>(?s:.*))"
_LED_PATTERNS: dict[HeadingKind, str] = {
    "article": rf"(?P<word>{_ARTICLE})\s*(?P<number>{_NUMBER}(?:\.[a-z])?|{_ROMAN}){_AFTER}",
    "appendix": rf"(?P<word>{_APPENDIX})(?:\s+(?P<number>{_NUMBER}|{_ROMAN}|[A-Z]){_AFTER})?",
    "part": rf"(?P<word>{_PART})\s+(?P<number>{_NUMBER}|{_ROMAN}|[A-Z]){_AFTER}",
}
_LED = {kind: re.compile(pattern + _REST) for kind, pattern in _LED_PATTERNS.items()}
"""Numbers after a word, by the kind of clause that the word names."""
_BARE = re.compile(
    rf"(?P<number>{_NUMBER}(?:\.[a-z]{{1,2}}(?:\.[ivx]+)?(?![a-z]))?)(?P<ending>\.?[):]|\.|)"
    r"(?:\s+|$)(?P<rest>(?s:.*))"
)
_BRACKETED = re.compile(r"\((?P<number>\d{1,3})\)\s*(?P<rest>(?s:.*))")
_UNIT = re.compile(
    r"(?:mm|cm|m|km|kg|g|s|sec|min|h|hours?|minutes?|seconds?|days?|points?|%|°|k?W|V|bar|N|laps?)"
    r"(?![\w’'])"
)
_RUNS_ON = re.compile(r"[,;)]|(?:and|or|of|to|et|ou|is|are|shall|must|may|will|above|below)\b")
_FIRSTS = (1, "a", "A", "i")
_CONTENTS_SHARE = 0.2  # of the blocks: lists of contents are among the first ones
_WINDOW = 24  # earlier candidates that one may follow


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
    fit: float = 0.0
    parent: "Heading | None" = field(default=None, repr=False)

    @property
    def shape(self) -> Shape:
        """Kind, lettered prefix, depth and ending: the same for all numbers of one level."""
        depth = len(self.key)
        lettered = depth > 0 and isinstance(self.key[0], str)
        return self.kind, lettered, depth, self.ending if depth < 2 else ""

    @property
    def indent(self) -> int:
        """Indentation within the column, in steps of 6 points."""
        return round(self.line.left - self.line.start) // 6

    @property
    def is_led(self) -> bool:
        """True if a word such as "Article" or "Appendix" precedes the number."""
        return self.kind in _LED

    @property
    def is_whole_number(self) -> bool:
        return self.kind == "plain" and self.number.isdigit()


def find_candidates(blocks: Sequence[object]) -> list[Heading]:
    """Lines whose beginning reads like the number of a clause."""
    lines = ((index, block) for index, block in enumerate(blocks) if isinstance(block, Line))
    found = [head for index, line in lines if (head := _parse_heading(line, index))]
    pairs = itertools.zip_longest(found, found[1:])
    return [head for head, following in pairs if _can_begin_clause(head, following)]


def _can_begin_clause(head: Heading, following: Heading | None) -> bool:
    """False for a whole number that runs into its text: mostly an amount, a date or a list item.

    Headings in capitals above their first sub-clause are excepted: "2 FLAGS", "2.1 ...".
    """
    if not head.is_whole_number or head.ending or head.has_gap:
        return True
    text = head.following_text
    in_capitals = text.isupper() and len(text.split()) <= 10
    return in_capitals and following is not None and following.key == (*head.key, 1)


def find_contents_lists(heads: Sequence[Heading], block_count: int) -> list[tuple[int, int]]:
    """Lists of headings that come again later with text below: first and last block of each.

    A list has four headings or more, one under the other, in the first blocks of the document.
    """
    last_seen = {(head.kind, head.key): position for position, head in enumerate(heads)}
    lists = []
    start = 0
    while start < len(heads) and heads[start].index < _CONTENTS_SHARE * block_count:
        end = start
        while (
            end + 1 < len(heads)
            and heads[end + 1].index - heads[end].index <= 2
            and last_seen[(heads[end].kind, heads[end].key)] > end
        ):
            end += 1
        run = heads[start:end]
        if len(run) >= 4 and all(last_seen[(h.kind, h.key)] >= end for h in run):
            lists.append((run[0].index, heads[end].index - 1))
        start = end + 1
    return lists


def select_headings(heads: list[Heading], blocks: Sequence[object]) -> list[Heading]:
    """The candidates that begin clauses, in reading order.

    They are the chain in the best order, and deleted candidates that look like members of it.
    """
    _assign_sub_numbers(heads)
    _score_candidates(heads, blocks)
    chain = _without_lists(_best_chain([head for head in heads if not head.deleted]))
    chosen = {id(head) for head in chain}
    looks = {(head.shape, head.indent) for head in chain}
    for head in heads:
        if head.deleted and head.fit > 0 and (head.shape, head.indent) in looks:
            chosen.add(id(head))
    return [head for head in heads if id(head) in chosen]


def parse_number_key(number: str) -> NumberKey:
    """The number as a sort key: "B1.4.2" gives ("B", 1, 4, 2), "2.1.5.c" (2, 1, 5, "c")."""
    parts = re.findall(r"\d+[A-Z]?|[A-Za-z]+", number)
    return tuple(int(part) if part.isdigit() else part for part in parts)


def parse_heading_key(text: str) -> NumberKey | None:
    """The key of a number after a word ("ARTICLE 3 ..."), else None."""
    found = _LED["article"].match(text) or _LED["appendix"].match(text)
    return parse_number_key(found["number"]) if found and found["number"] else None


def sequence_score(key: NumberKey, previous: NumberKey) -> float:
    """How well `key` follows `previous`: 1 for the next number or a first child, below 0 if not."""
    pairs = enumerate(zip(key, previous, strict=False))
    shorter = min(len(key), len(previous))
    common = next((at for at, (this, last) in pairs if this != last), shorter)
    rest = key[common:]
    if not rest:
        return -2.0
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
        return -1.5
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


def _parse_heading(line: Line, index: int) -> Heading | None:
    live = line_text(line)
    text = live or line_text(line, "deleted")
    if not text or not (text[0].isalnum() or text[0] in "§("):
        return None
    kind: HeadingKind = next((kind for kind in _LED if _LED[kind].match(text)), "plain")
    patterns = (_LED[kind],) if kind in _LED else (_BARE, _BRACKETED)
    found = next(filter(None, (pattern.match(text) for pattern in patterns)), None)
    if found is None:
        return None
    parts = found.groupdict("")
    number, word, rest = parts["number"], parts.get("word", ""), parts["rest"]
    ending = "()" if found.re is _BRACKETED else parts.get("ending", "")
    if not _is_plausible(kind, word, number, rest):
        return None
    after = line.visible_text[len(number) :].lstrip(").:]")
    gap = not after.strip() or after[0] == "\t" or _style_changes_at(line.spans, len(number))
    key, bold = parse_number_key(number), line.spans[0].style.bold
    return Heading(index, kind, number, key, rest, word, ending, not live, line, gap, bold)


def _is_plausible(kind: HeadingKind, word: str, number: str, rest: str) -> bool:
    """False for an amount, or for an appendix or a part that is only named in a sentence."""
    match kind:
        case "article":
            return True
        case "appendix" if not number:
            return word.isupper() and rest.upper() == rest
        case "appendix" | "part":
            return not rest[:1].islower()
        case _:
            return not _UNIT.match(rest) and not number.startswith("0")


def _style_changes_at(spans: Sequence[Span], length: int) -> bool:
    """True if weight or size changes just after the first `length` characters."""
    end = 0
    for span, following in itertools.pairwise(spans):
        end += len(span.text)
        if end >= length:
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


def _score_candidates(heads: list[Heading], blocks: Sequence[object]) -> None:
    """Set `fit`: the evidence for each candidate apart from the order of the numbers."""
    indents: dict[Shape, Counter[int]] = defaultdict(Counter)
    for head in heads:
        indents[head.shape][head.indent] += 1
    letters = [(len(s.text), s.style.bold) for b in blocks if isinstance(b, Line) for s in b.spans]
    bold_body = sum(n for n, bold in letters if bold) > 0.5 * sum(n for n, _ in letters)
    lettered = sum(head.number[-1:].islower() for head in heads if head.kind == "plain")
    for head in heads:
        counts = indents[head.shape]
        aligned = sum(counts[head.indent + step] for step in (0, -1, 1)) / sum(counts.values())
        for weight in _weights(head, blocks, aligned, bold_body, lettered < 3):
            head.fit += weight


def _weights(
    head: Heading, blocks: Sequence[object], aligned: float, bold_body: bool, few_lettered: bool
) -> Iterator[float]:
    """Weights of print, text and number; `aligned` is the share of its shape at its indentation."""
    text = head.following_text
    yield 0.7 * head.is_led
    yield 0.7 * (head.has_gap and bool(text or head.bold))
    yield 0.8 if aligned >= 0.3 else -0.6
    yield 0.6 * (head.bold and not bold_body)
    runs_on = _RUNS_ON.match(text) is not None
    if runs_on and not head.has_gap and len(head.key) <= 3:
        yield -2.0
    else:
        yield -0.5 * (runs_on or text[:1].islower())
    yield -1.6 * _continues_line_above(head, blocks)
    yield -1.5 * (few_lettered and head.number[-1:].islower())
    plain_print = head.ending == "()" or not (head.bold or text.isupper())
    yield -0.7 * (head.is_whole_number and plain_print)
    in_sentence = re.search(r"[a-z,;]$|^[,;]", text) is not None
    yield -0.6 * (head.is_led and not head.bold and in_sentence)


def _continues_line_above(head: Heading, blocks: Sequence[object]) -> bool:
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
            distance = 0.02 * (index - other - 1)
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


def _without_lists(chain: list[Heading]) -> list[Heading]:
    """The chain without numbered lists in clauses: runs of another shape within the numbering."""
    kept: list[Heading] = []
    index = 0
    while index < len(chain):
        head = chain[index]
        if kept and _order_score(head, kept[-1]) < 0 and head.shape != kept[-1].shape:
            window = range(index + 1, min(index + _WINDOW, len(chain)))
            behind = next((at for at in window if chain[at].shape != head.shape), None)
            if behind is not None and _order_score(chain[behind], kept[-1]) >= 0.9:
                index = behind
                continue
        kept.append(head)
        index += 1
    return kept


def _order_score(head: Heading, previous: Heading) -> float:
    if head.kind in ("appendix", "part"):
        if head.kind == previous.kind and head.key and previous.key:
            return max(sequence_score(head.key, previous.key), 0.2)
        return 0.5
    if previous.kind in ("appendix", "part"):
        return 0.8 if head.key[-1] == 1 or isinstance(head.key[0], str) else 0.1
    return sequence_score(head.key, previous.key)
