"""The numbers of a text, each once with what belongs to it: signs, ranges, tolerances, twins."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from core.grammar.figures import WrittenNumber, find_figures
from core.grammar.quantities import UNITS, find_quantities, parse_number
from core.grammar.vocabulary import STOP_WORDS

OwnNumbers = Callable[[str], bool]
_TWIN = re.compile(r"^\s*(?:(?:and a half\s*)?\((?:minus\s)?|or\s+\(|/)\s*(?:approx\w*\.?\s*)?$")
TOLERANCE = re.compile(r"(?:±|\+\s?/\s?[-−–])\s*$")
AXIS = re.compile(r"\b[XYZ](?:_?[A-Z]+)?\s*=\s*[-−–]?\s*$|(?:\bR|Ø)$")
"""What is written before a coordinate ("Z=90"), a radius and a diameter."""
_TO = re.compile(
    r"^\s*[^\w\s]{0,2}\s*(?:to|up to|and|through|[-–−])\s*"
    r"(?:[XYZ](?:_?[A-Z]+)?\s*=\s*)?[-−–+]?\s*$",
    re.I,
)
_RANGE_OPENING = re.compile(
    r"(?i)\b(?:between|from|ranging from|range of)\s+"
    r"(?:two\s+[\w\s]{1,20}\bat\s+|an?\s[a-z]+\sof\s)?"
    r"(?:[XYZ](?:_?[A-Z]+)?\s*=\s*)?[-−–+]?\s*$"
)
_JOINED_RANGE = re.compile(r"(?<![\w.,/-])(\d+(?:[.,]\d+)?)\s?[-–−]\s?$")
_LETTERED = re.compile(r"\b[A-Z]{1,4}\s?\d+(?:\.\d+)*\b")
_LISTED = re.compile(
    r"(?i)(?<![\w.,])(?:(?P<see>see)\s)?\d+(?:\.\d+)*(?:(?:,|,?\s(?:and|or|to))\s\d+(?:\.\d+)*)*"
    r"(?!\w|[.,]\d|\s?[%°])"
)
"""Numbers that stand together, as those of articles do: "44.2 and 57", "see 8"."""
_ITEM = re.compile(r"(?<!\()\b\d+(?:\.\d+)+[a-z]\)|\(\d{1,2}[a-z]\)")
_OWN_NUMBER = re.compile(
    r"\W*(?:\d+(?:\.\d+)+[a-z]?\.?\s+(?=[A-ZÀ-Ý](?:\s+(?P<noun>[a-zà-ÿ]+)\s|[a-zà-ÿ]))"
    r"|\d{1,2}\s+(?=A\s+[a-z]+(?<!s)\s))(?=[^|]*\s\S+\s[^|]*[.:;]\W*$)"
)
"""The number of a rule before its sentence, whose first letter is no unit: "4.2 A push" is no
current, nor is "3.4 V belts" a voltage, as "3.4 V must" is.
"""
_MINUS = re.compile(r"(?:^|[\s=(\[<>≤≥:])[-−–]$|=\s?[-−–]\s?$")
ROUNDED = Decimal("0.05")
"""Part by which the same amount in other units may differ: of 75 mm, 3 inches do by 0.016."""
_MAX_GAP = 12
"""Characters between a number and its tolerance, or the end of its bracket."""


@dataclass(frozen=True, slots=True)
class NumberGroup:
    """A number with what belongs to it: the lower end of a range, a tolerance."""

    figure: WrittenNumber
    lower: WrittenNumber | None = None
    tolerance: WrittenNumber | None = None

    @property
    def start(self) -> int:
        return (self.lower or self.figure).start

    @property
    def end(self) -> int:
        return (self.tolerance or self.figure).end

    @property
    def unit(self) -> str:
        quantity = self.figure.quantity or (self.tolerance and self.tolerance.quantity)
        return quantity.unit if quantity else ""

    @property
    def bounds(self) -> tuple[Decimal, Decimal | None]:
        """Its value, or both ends of its range; a tolerance is not added."""
        if self.lower and not self.tolerance:
            return self.lower.value, self.figure.value
        return self.figure.value, None

    def is_same_kind(self, other: "NumberGroup") -> bool:
        """True where both have units of one kind, or none."""
        kinds = {UNITS[one.unit][0] if one.unit in UNITS else one.unit for one in (self, other)}
        return len(kinds) == 1

    def rises_to(self, other: "NumberGroup") -> bool:
        """True where both are plain numbers that may be the ends of a range."""
        is_plain = not (self.lower or other.lower or self.tolerance or other.tolerance)
        is_same = not self.unit or self.is_same_kind(other)
        return is_plain and is_same and self.figure.value < other.figure.value

    def has_tolerance(self, figure: WrittenNumber, between: str) -> bool:
        """True of a tolerance that directly follows it: "80 mm (+/- 0.1 mm)"."""
        is_next = self.tolerance is None and len(between) < _MAX_GAP
        is_same_kind = not self.unit or self.is_same_kind(NumberGroup(figure))
        return is_next and is_same_kind and bool(TOLERANCE.search(between))

    def has_twin(self, other: WrittenNumber, between: str) -> bool:
        """True of the same amount in brackets: "203.2 mm (8.0 inches)", "sixteen (16)"."""
        if self.repeats(other, between):
            return True
        kinds = {one.quantity.kind for one in (self.figure, other) if one.quantity}
        return len(kinds) < 2 and bool(_TWIN.match(between))

    def repeats(self, other: WrittenNumber, between: str) -> bool:
        """True of the same number in figures right behind it: "ten 10 minutes"."""
        is_spelled = self.figure.quantity is None and self.figure.text[:1].isalpha()
        is_same = is_spelled and other.value == self.figure.value and not between.strip()
        # "eight 8 mm bolts" have two numbers: what comes before a noun has no plural.
        return is_same and (other.quantity is None or other.quantity.unit.endswith("s"))


def find_figures_once(text: str, axis_unit: str, own_numbers: OwnNumbers) -> list[WrittenNumber]:
    """Return the numbers of a text with their signs, none of them part of another.

    `axis_unit` is the unit of coordinates ("Z=90"), which print none; `own_numbers` is true of the
    numbers of the document's own articles.
    """
    taken = [match.span() for match in _LETTERED.finditer(text) if own_numbers(match[0])]
    taken += _listed_articles(text, own_numbers)
    taken += [match.span() for match in _ITEM.finditer(text)]
    own = _OWN_NUMBER.match(text)
    figures = [
        figure
        for figure in find_figures(text)
        if figure.quantity or not any(start <= figure.start < end for start, end in taken)
        if not own or own["noun"] in STOP_WORDS or figure.start >= own.end()
    ]
    return [
        _complete_figure(text, figure, axis_unit)
        for figure in figures
        if not any(one.contains(figure) for one in figures)
    ]


def _listed_articles(text: str, own_numbers: OwnNumbers) -> list[tuple[int, int]]:
    """Return where a text lists numbers of articles, which have no unit."""
    found = []
    amounts = find_quantities(text)
    for match in _LISTED.finditer(text):
        listed = re.findall(r"\d+(?:\.\d+)*", match[0])
        is_list = match["see"] or (len(listed) > 1 and "." in match[0])
        has_unit = any(match.start() <= one.start < match.end() for one in amounts)
        if is_list and not has_unit and all(map(own_numbers, listed)):
            found.append(match.span())
    return found


def _complete_figure(text: str, figure: WrittenNumber, axis_unit: str) -> WrittenNumber:
    """Return a number with the minus sign before it, a coordinate ("Z=90") with its unit."""
    before = text[: figure.start]
    if _MINUS.search(before):
        figure = replace(figure, value=-figure.value)
    if figure.quantity or not AXIS.search(before):
        return figure
    return figure.with_unit(axis_unit)


def merge_figures(text: str, figures: Sequence[WrittenNumber]) -> list[NumberGroup]:
    """Return numbers once, without their twins in brackets; ranges and tolerances are one."""
    merged: list[NumberGroup] = []
    reached = 0  # the end of the last one and its twin
    for figure in figures:
        last = merged[-1] if merged else None
        between = text[last.end : figure.start] if last else ""
        if last and last.has_twin(figure, between):
            merged[-1] = _choose_twin(last, figure, between)
            closed = text.find(")", figure.end, figure.end + _MAX_GAP)
            reached = max(figure.end, closed + 1)
            continue
        if _converts(text, merged, figure):
            continue
        if last and last.has_tolerance(figure, between):
            merged[-1] = replace(last, tolerance=figure)
        elif last and _opens_range(text, last, figure, text[reached : figure.start]):
            low, high = sorted((last.figure.value, figure.value))
            merged[-1] = NumberGroup(replace(figure, value=high), replace(last.figure, value=low))
        else:
            merged.append(NumberGroup(figure, _joined_lower(text, figure)))
        reached = figure.end
    return merged


def _converts(text: str, merged: Sequence[NumberGroup], figure: WrittenNumber) -> bool:
    """True in brackets of what is before them in other units: "3 m long (10 ft long)"."""
    opened = text.rfind("(", 0, figure.start)
    if opened < 0 or ")" in text[opened : figure.start] or not (inner := figure.quantity):
        return False
    outer = [one.figure.quantity for one in merged if one.end <= opened]
    return any(
        one.unit != inner.unit
        and one.is_comparable(inner)
        and abs(one.base - inner.base) <= ROUNDED * abs(one.base)
        for one in outer
        if one
    )


def _choose_twin(last: NumberGroup, figure: WrittenNumber, between: str) -> NumberGroup:
    """Return the one of "seven (7) days", "one and a half (1.5) hours" that has the unit."""
    first = last.figure
    is_half = "half" in between
    if first.quantity or not (is_half or abs(first.value) == abs(figure.value)):
        return last
    value = figure.value if is_half else first.value
    return replace(last, figure=replace(figure, value=value, start=first.start, text=first.text))


def _joined_lower(text: str, figure: WrittenNumber) -> WrittenNumber | None:
    """Return the lower end of "3.0-3.5 inches"."""
    match = _JOINED_RANGE.search(text[: figure.start]) if figure.quantity else None
    if match is None or (value := parse_number(match[1])) >= figure.value:
        return None
    return WrittenNumber(value, None, match[1], *match.span(1))


def _opens_range(text: str, last: NumberGroup, other: WrittenNumber, between: str) -> bool:
    """True where a number is the upper end of a range that the last one opens."""
    one = last.figure
    is_whole = last.lower is not None or last.tolerance is not None
    is_led = bool(_RANGE_OPENING.search(text[: one.start]))
    is_rising = one.value < other.value or (is_led and one.value != other.value)
    if is_whole or not _TO.match(between) or not is_rising:
        return False
    units = {q.kind for q in (one.quantity, other.quantity) if q}
    if len(units) > 1 or (one.quantity and not other.quantity):
        return False
    is_and = between.strip().casefold().startswith("and")
    return is_led if is_and or not units else True
