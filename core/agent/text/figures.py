"""Every number of a text, with a unit or without one, and when two of them may be the same."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise, takewhile

from core.agent.text.quantities import NUMBER, UNITS, Quantity, find_quantities, parse_number
from core.agent.text.stems import content_words, stem_words
from core.agent.text.vocabulary import any_word
from core.rulebook import ArticleCitation, find_citations

_NUMBERED = re.compile(
    rf"(?i)\b(?:{any_word('numbered')})\s*\d+|(?<![\w.,])(?:19|20)\d\d(?![\w.,]\w)"
)
_CLOCK = re.compile(
    r"(?i)(?<![\w.:])(?P<hour>\d{1,2})(?:[:h](?P<minute>\d\d))?(?:\s?(?P<half>[ap])\.?m\b\.?)?(?!\w)"
)
_PLAIN = re.compile(rf"(?<![\w.,/±-]){NUMBER}(?!\w|[.,/-]\d)")
_THOUSANDS = (1, 1_000, 1_000_000)
"""What the head of a table may say that its numbers are multiplied by."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of a text: an amount, a time of day, or a plain number with the words it counts."""

    value: Decimal
    quantity: Quantity | None
    text: str
    start: int
    end: int
    counted: frozenset[str] = frozenset()
    """Stems of the words behind it."""
    is_clock: bool = False

    def equals(self, other: "Figure") -> bool:
        """True where both may be one number; a unit may stand in a table's head."""
        if self.quantity and other.quantity:
            same = not self._readings(base=True).isdisjoint(other._readings(base=True))
            return same and self.quantity.is_comparable(other.quantity)
        counted = self.counted | other.counted
        units = [figure.quantity.unit for figure in (self, other) if figure.quantity]
        if units and counted and counted.isdisjoint(stem_words(units[0])):
            return False
        scales = _THOUSANDS if units and not counted else _THOUSANDS[:1]
        readings = (self._readings(), other._readings())
        return any(
            a in (b * scale, b / scale)
            for a in readings[0]
            for b in readings[1]
            for scale in scales
        )

    def _readings(self, base: bool = False) -> set[Decimal]:
        """Return its values: "1,525" is a thousand in one language and a decimal in another."""
        factor = self.quantity.base / self.value if base and self.quantity and self.value else 1
        values = {self.value}
        if written := re.match(r"\d{1,3}[.,]\d{3}(?![.,\d])", self.text):
            digits = Decimal(re.sub(r"[.,]", "", written[0]))
            values |= {digits, digits / 1_000}
        return {value * factor for value in values}

    def rivals(self, other: "Figure") -> bool:
        """True where the other says something else of the same measure or of the same things."""
        if self.equals(other) or self.is_clock != other.is_clock:
            return False
        if self.quantity and other.quantity:
            return self.quantity.kind == other.quantity.kind
        return self.is_clock or bool(self.counted & other.counted)


@lru_cache(maxsize=2_000)
def find_figures(text: str) -> tuple[Figure, ...]:
    """Return every number of a text, in order, without those of articles, pages and seasons."""
    spans = [(citation.start, citation.end) for citation in articles_in(text)]
    spans += [match.span() for match in _NUMBERED.finditer(text)]
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    found = [
        Figure(q.value, q, text[q.start : q.end], q.start, q.end) for q in find_quantities(text)
    ]
    found += _join_parts(text, found)
    found += _find_clocks(text)
    taken = [(figure.start, figure.end) for figure in found]
    for match in _PLAIN.finditer(text):
        if not any(start < match.end() and match.start() < end for start, end in taken):
            value, counted = parse_number(match[0]), _counted_words(text[match.end() :])
            found.append(Figure(value, None, match[0], *match.span(), counted))
    return tuple(sorted(found, key=lambda figure: figure.start))


def articles_in(text: str) -> list[ArticleCitation]:
    """Return the articles that a text names; "0.5 s)" is an amount, no item of one."""
    amounts = [(amount.start, amount.end) for amount in find_quantities(text)]
    return [
        citation
        for citation in find_citations(text)
        if not text[citation.start].isdigit()
        or not any(start <= citation.start < end for start, end in amounts)
    ]


def _join_parts(text: str, found: Sequence[Figure]) -> Iterator[Figure]:
    """Yield "2 h 30 min" as one amount too."""
    for one, other in pairwise(figure for figure in found if figure.quantity):
        large, small = one.quantity, other.quantity
        between = text[one.end : other.start].strip(" ,")
        if large and small and large.kind == small.kind and between in ("", "and"):
            value = (large.base + small.base) / UNITS[large.unit][1]
            whole = Quantity(value, large.unit, one.start, other.end)
            yield Figure(value, whole, text[one.start : other.end], one.start, other.end)


def _find_clocks(text: str) -> Iterator[Figure]:
    for match in _CLOCK.finditer(text):
        if match["minute"] or match["half"]:
            later = 12 if (match["half"] or "").lower() == "p" and int(match["hour"]) < 12 else 0
            value = int(match["hour"]) + later + Decimal(match["minute"] or 0) / 60
            yield Figure(value, None, match[0], *match.span(), is_clock=True)


def _counted_words(behind: str) -> frozenset[str]:
    match = re.match(r"(?:\s?\(\d+\))?(-[^\W\d]+|(?:\s+[^\W\d]+){0,3})", behind)
    words = re.findall(r"[^\W\d]+", match[1]) if match else []
    return frozenset(content_words(" ".join(takewhile(content_words, words))))
