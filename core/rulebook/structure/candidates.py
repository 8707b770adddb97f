"""Candidates: lines of a document that may begin a clause, with what their print says.

Which of them do is decided in `headings`.
"""

import itertools
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, fields

from core.rulebook.layout.blocks import Block, Line, Span
from core.rulebook.layout.text import letters_of, line_text
from core.rulebook.structure.line_numbers import (
    LineNumber,
    NumberKey,
    parse_number_key,
    read_given_number,
    read_line_numbers,
)

_SMALLEST_STEP = 5  # of numbers that leave room for others between them
_MIN_COUNTERS = 3
"""Random numbers have such a step too: two of them in one case of 7, three in one of 49."""
_RISING_SHARE = 0.9


@dataclass(slots=True, eq=False)
class Heading(LineNumber):
    """A line that may begin a clause, with the reading of its number."""

    index: int
    """Of its line among the blocks."""
    line: Line
    bold: bool
    deleted: bool = False
    has_gap: bool = True
    """A wide gap, a change of style or nothing follows the number."""
    fit: float = 0.0
    parent: "Heading | None" = field(default=None, repr=False)
    chapter: int = 0
    """How many unnumbered chapters have begun before it."""
    is_counted_over: bool = False
    """Articles go on from those before it: true for the parts of a law but the first."""
    given_level: int = 0
    """The level that a person or its file gave it, 0 for none: then it surely is a heading."""

    @classmethod
    def of(cls, number: LineNumber, index: int, line: Line, bold: bool) -> "Heading":
        """Return the heading of a number that was read at the start of a line."""
        read = {part.name: getattr(number, part.name) for part in fields(LineNumber)}
        return cls(**read, index=index, line=line, bold=bold)

    def reset(self) -> None:
        """Forget what the numbers around it said."""
        self.fit, self.parent = 0.0, None
        if self.kind == "sub":
            self.kind, self.key = "plain", parse_number_key(self.number)

    @property
    def is_group(self) -> bool:
        """True for an appendix or a part: they group articles."""
        return self.kind in ("appendix", "part")

    def groups_rules(self, title: str) -> bool:
        """True for "Chapter 2", and for "B) TYRES" with its title in capitals."""
        is_named_group = self.lead_word and self.kind != "article"
        return is_named_group or (self.ending == ")" and title.isupper())

    @property
    def is_given(self) -> bool:
        """True for a number that its file puts before a heading: no print has to prove it."""
        return bool(self.line.given and self.line.given.level)

    @property
    def name(self) -> str:
        """The number with its word: "Titre II"; "第二章" has the word around it."""
        if self.number[:1] == self.lead_word[:1] and not self.number.isascii():
            return self.number
        return f"{self.lead_word.capitalize()} {self.number}".strip()

    @property
    def code(self) -> str:
        """The letters that a number begins with: "T" of "T 1.2.2"."""
        return self.key[0] if len(self.key) > 1 and isinstance(self.key[0], str) else ""

    @property
    def counters(self) -> NumberKey:
        return self.key[1:] if self.code else self.key

    @property
    def is_code_apart(self) -> bool:
        """True for "A.1", "A.II" and "AT 1", and not for "F1", which may be a name."""
        return bool(self.code) and re.search(r"[. -]\w", self.number) is not None

    @property
    def is_telling(self) -> bool:
        """True for a number that is one rule's alone: deep, or with letters before it."""
        return len(self.counters) > 1 or bool(self.code) or self.kind == "part"

    @property
    def is_whole_number(self) -> bool:
        return self.kind == "plain" and self.number.isdigit()

    @property
    def is_single(self) -> bool:
        """True in force for one number alone, "2 bis" too, behind a word or behind none."""
        is_whole = len(self.key) == 1 or self.is_inserted
        return self.kind in ("article", "plain") and is_whole and not self.deleted

    @property
    def is_inserted(self) -> bool:
        """True for "2a" and "2 bis", which come behind 2, and for "II bis"."""
        is_counted = self.kind in ("plain", "article", "part") and len(self.key) == 2
        return is_counted and "." not in self.number and str(self.key[1]).isalpha()

    @property
    def stands_out(self) -> bool:
        """Bold, or in capitals."""
        return self.bold or (self.following_text.isupper() and len(self.following_text) > 3)

    @property
    def title_letters(self) -> str:
        """The letters behind the number, without the page number that an entry of contents has."""
        return letters_of(self.following_text.casefold())

    def counts_anew_after(self, other: "Heading") -> bool:
        """True if the last counter is not above that of `other`."""
        one, last = other.key[-1], self.key[-1]
        return isinstance(one, int) and isinstance(last, int) and last <= one

    def may_have_parts(self, words: Set[str]) -> bool:
        """True for a dotted number, or an article behind one of some words: no "at most 12"."""
        if self.lead_word:
            return self.kind == "article" and self.lead_word in words
        return self.kind == "plain" and len(self.key) > 1 and self.has_gap

    @property
    def indent(self) -> int:
        """Indentation within the column, in steps of 6 points."""
        return round(self.line.left - self.line.start) // 6


def find_candidates(blocks: Sequence[Block]) -> list[Heading]:
    """All readings of the numbers at line starts."""
    lines = ((index, block) for index, block in enumerate(blocks) if isinstance(block, Line))
    heads = [head for index, line in lines for head in _read_line(line, index)]
    for code, coded in group_by_code(heads).items():
        _count_in_steps(code, coded)
    return heads


def _count_in_steps(code: str, heads: Sequence[Heading]) -> None:
    """Count numbers that rise in steps one by one in their keys: LS-010, LS-020."""
    counted = [(head, head.key[1]) for head in heads if isinstance(head.key[1], int)]
    counters = [counter for _, counter in counted]
    rises = sum(one < two for one, two in itertools.pairwise(counters))
    # There is room for others between them.
    has_steps = math.gcd(*counters) >= _SMALLEST_STEP and len(set(counters)) >= _MIN_COUNTERS
    if has_steps and rises >= _RISING_SHARE * (len(counters) - 1):
        ranks = sorted(set(counters))
        for head, counter in counted:
            head.key = (code, ranks.index(counter) + 1, *head.key[2:])


def group_by_code(heads: Iterable[Heading]) -> dict[str, list[Heading]]:
    """The numbers behind letters, by these."""
    by_code: dict[str, list[Heading]] = defaultdict(list)
    for head in heads:
        if head.code:
            by_code[head.code].append(head)
    return by_code


def _read_line(line: Line, index: int) -> Iterator[Heading]:
    live, given = line_text(line), line.given
    text = live or line_text(line, "deleted")
    if given and given.is_item:
        return
    if given and given.label:
        readings = [read_given_number(text, given.label, given.counter, given.key)]
    else:
        readings = list(read_line_numbers(text))
    for found in readings:
        if (given and given.label) or not found.number.startswith("0"):
            after = line.visible_text.lstrip()[len(found.label.rstrip()) :]
            head = Heading.of(found, index, line, line.spans[0].style.bold)
            head.deleted = not live
            head.given_level = given.level if given else 0
            changes = _style_changes_at(line.spans, len(found.label))
            is_heading = given is not None and given.outline > 0
            gap = not found.following_text or after[:1] == "\t" or changes
            head.has_gap = gap or is_heading
            yield head


def _style_changes_at(spans: Sequence[Span], length: int) -> bool:
    """True if weight or size changes just after the first `length` characters."""
    end = 0
    for span, following in itertools.pairwise(spans):
        end += len(span.text)
        if end >= length - 1:
            one, other = span.style, following.style
            return end <= length + 3 and (one.bold, one.size) != (other.bold, other.size)
    return False
