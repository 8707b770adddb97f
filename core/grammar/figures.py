"""Every number of a text, with a unit or without one, and when two of them may be the same."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise, takewhile

from core.grammar.numbering import ArticleCitation, find_citations
from core.grammar.quantities import NUMBER, UNITS, Quantity, find_quantities, parse_number
from core.grammar.series import SERIES
from core.grammar.stems import stem_content_words, stem_words
from core.grammar.vocabulary import any_word, list_words

MAX_DIGITS = 15
"""Digits of a number that is read; a longer one is a code, not an amount."""
_NUMBERED = re.compile(
    rf"(?i)\b(?:{any_word('numbered')})s?\s*\d+(?:\s*(?:,|&|and|to|or|[-–])\s*\d+)*(?!\w)|(?<![\w.,/])(?:19|20)\d\d(?![\w.,]\w)"
)
_CLOCK = re.compile(
    r"(?i)(?<![\w.:])(?P<hour>\d{1,2})(?:[:h](?P<minute>\d\d))?(?:\s?(?P<half>[ap])\.?m\b\.?)?(?:\s?Uhr)?(?!\w)"
)
_PLAIN = re.compile(
    rf"(?:(?<![\w.,/±–−°-])|(?<==[-–−])|(?<==\s[-–−])|(?<=\s[-–−])(?=\d+\s\([a-z])){NUMBER}(?!\w|[.,/-]\d)"
)
_COUNTED = re.compile(r"(?:\s?\(\d+\))?(-[^\W\d]+|(?:\s+[^\W\d]+){0,3})")
_DAY_KINDS = frozenset(list_words("day_kind"))
_SCALES: tuple[int, ...] = (1, 1_000, 1_000_000)
"""What the head of a table may say that its numbers are multiplied by."""


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """A number of a text: an amount, or a plain number with the words that it counts, by stem."""

    value: Decimal
    quantity: Quantity | None
    text: str
    start: int
    end: int
    counted: frozenset[str] = frozenset()

    def equals(self, other: "WrittenNumber") -> bool:
        """True where both may be one number; a unit may stand in a table's head."""
        if self.quantity and other.quantity:
            scales, factor = (
                _SCALES[:1],
                UNITS[self.quantity.unit][1] / UNITS[other.quantity.unit][1],
            )
            is_same_thing = self.quantity.is_comparable(other.quantity)
        else:
            units = [one.quantity.unit for one in (self, other) if one.quantity]
            counted = self.counted | other.counted if units else frozenset()
            is_same_thing = not counted or not counted.isdisjoint(stem_words(units[0]))
            scales, factor = _SCALES if units and not counted else _SCALES[:1], Decimal(1)
        ratios = {b / (a * factor) for a in self._readings() for b in other._readings() if a}
        known = {Decimal(scale) for scale in scales} | {1 / Decimal(scale) for scale in scales}
        return is_same_thing and (self.value == other.value == 0 or bool(ratios & known))

    def value_beside(self, other: "WrittenNumber") -> Decimal | None:
        """Return its value in base units, as another compares; None for another measure.

        A plain number takes the other's unit: "from 42 to 29 hours".
        """
        if self.quantity and other.quantity:
            return self.quantity.base if self.quantity.is_comparable(other.quantity) else None
        return self.value * UNITS[other.quantity.unit][1] if other.quantity else self.value

    def rivals(self, other: "WrittenNumber") -> bool:
        """True where the other says something else of the same measure or of the same things."""
        if self.quantity and other.quantity:
            return self.quantity.kind == other.quantity.kind and not self.equals(other)
        return bool(self.counted & other.counted) and not self.equals(other)

    def contains(self, other: "WrittenNumber") -> bool:
        """True where the other is part of it: "6 inches" of "5 feet 6 inches"."""
        length, part = self.end - self.start, other.end - other.start
        return self.start <= other.start and other.end <= self.end and length > part

    def with_unit(self, unit: str) -> "WrittenNumber":
        """Return it as an amount in a unit that is not printed beside it."""
        return replace(self, quantity=Quantity(self.value, unit, self.start, self.end))

    def _readings(self) -> set[Decimal]:
        """Return its values: "1,525" is a thousand in one language and a decimal in another."""
        if written := re.match(r"\d{1,3}[.,]\d{3}(?![.,\d])", self.text):
            digits = Decimal(written[0].replace(",", "").replace(".", ""))
            return {self.value, digits, digits / 1_000}
        return {self.value}


@lru_cache(maxsize=2_000)
def find_figures(text: str) -> tuple[WrittenNumber, ...]:
    """Return the numbers of a text, in order, without those of articles, pages, seasons, series."""
    spans = [(citation.start, citation.end) for citation in articles_in(text)]
    spans += SERIES.find_numbered(text)
    known = find_quantities(text)
    spans += [
        match.span()
        for match in _NUMBERED.finditer(text)
        if not any(one.start < match.end() and match.start() < one.end for one in known)
    ]  # "2000 N" is no season, "a point 1.6 m" no item
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    amounts = [*find_quantities(text), *_find_clocks(text)]
    amounts += [*_join_parts(text, amounts)]
    found = [WrittenNumber(q.value, q, text[q.start : q.end], q.start, q.end) for q in amounts]
    for match in _PLAIN.finditer(text):
        if not any(q.start < match.end() and match.start() < q.end for q in amounts):
            behind = _COUNTED.match(text, match.end())
            words = re.findall(r"[^\W\d]+", behind[1] if behind else "")
            counted = frozenset(stem_content_words(" ".join(takewhile(stem_content_words, words))))
            value, span, days = parse_number(match[0]), match.span(), None
            kind, unit, *_ = (*words, "", "")
            if kind in _DAY_KINDS and UNITS.get(unit, ("",))[0] in (*UNITS.periods, "laps"):
                days = Quantity(value, unit, *span)  # "five full days"
            found.append(WrittenNumber(value, days, match[0], *span, counted))
    readable = (figure for figure in found if abs(figure.value) < 10**MAX_DIGITS)
    return tuple(sorted(readable, key=lambda figure: figure.start))


def articles_in(text: str) -> list[ArticleCitation]:
    """Return the articles that a text names; "0.5 s)" and "V 1.6" of "50 V 1.6 mm" are none."""
    amounts = [(amount.start, amount.end) for amount in find_quantities(text)]
    return [
        citation
        for citation in find_citations(text)
        if not any(start <= citation.start < end for start, end in amounts)
    ]


def _join_parts(text: str, amounts: list[Quantity]) -> Iterator[Quantity]:
    """Yield "2 h 30 min" as one amount too."""
    for large, small in pairwise(amounts):
        between = text[large.end : small.start].strip(" ,")
        is_part = large.kind == small.kind and UNITS[small.unit][1] < UNITS[large.unit][1]
        if is_part and between in ("", "and"):
            value = (large.base + small.base) / UNITS[large.unit][1]
            yield Quantity(value, large.unit, large.start, small.end)


def _find_clocks(text: str) -> Iterator[Quantity]:
    for match in _CLOCK.finditer(text):
        if match["minute"] or match["half"]:
            later = 12 if (match["half"] or "").lower() == "p" and int(match["hour"]) < 12 else 0
            hour = int(match["hour"]) + later + Decimal(match["minute"] or 0) / 60
            yield Quantity(hour, "o'clock", *match.span())
