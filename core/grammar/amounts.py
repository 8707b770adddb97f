"""The amounts of a sentence: every number in it, with what belongs to it, each once."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Literal

from core.grammar.cues import fold, list_cues, load_lists, load_months, load_table, spell_out
from core.grammar.figures import WrittenNumber
from core.grammar.number_groups import NumberGroup, OwnNumbers, find_figures_once, merge_figures
from core.grammar.numbering import find_citations
from core.grammar.numerals import (
    SpelledNumber,
    find_ones,
    find_spelled_numbers,
    find_unit,
    use_decimal_points,
)
from core.grammar.quantities import COUNT_KINDS, UNITS, Quantity, find_quantities
from core.grammar.vocabulary import any_word, split_entries

AmountKind = Literal["amount", "reference", "date", "name", "tolerance"]
_NUMBERED = rf"(?i:\b(?:{any_word('numbered')}))\s+(?P<name>[A-Z]?[\d.-]*\d)"
_DAY = r"\d{1,2}(?:\s?(?:st|nd|rd|th|er)\b|\.)?"
_DAYS = rf"{_DAY}(?:\s?(?:{list_cues('joint', 'joint_between').any})\s?{_DAY})?\s?(?:of\s)?"
_MONTHS = rf"(?:{'|'.join(load_months())})\b"
_DATE = (
    rf"(?<![\w.,/])(?:\d{{4}}-\d\d-\d\d\b|(?:{_DAYS}{_MONTHS}|{_MONTHS}\s(?:{_DAY}(?![\w,]?\w)|(?=20\d\d)))"
    r"(?:,?\s?(?:19|20)\d\d\b)?)(?:,\s?\d\d:?\d\d\s?[A-Z]{3,4}\b)?"
)
_STANDARD = r"\b[A-Z]{2,}\s?\d{3,}(?:[-–:][A-Z]*\d+)+\b|(?<=\bChapter\s)\d+:\d+"
_RULE = re.compile(r"(?<![\w.])[A-W]{1,2}\s?\d{1,2}(?:\.\d{1,2})+(?![\w°]|\s?[%°])")
_CODE = r"\b(?<![\w.-])[A-Z]{1,2}\d{1,3}\b(?![.\d])"
_SEASON = r"(?<=[A-Z])\s(?:19|20)\d\d(?![\w.,]\w)"
_YEAR = r"(?<![\w.,/])(?:19|20)\d\d(?![\w.,]\w)"
_PRONOUN = re.compile(
    rf"(?i)(?<!\w)(?:{list_cues('pronoun_one').any})(?!\w)".replace(r"\ ", r"[\s-]+")
)
"""Phrases with the word "one" that count nothing."""
_NEXT_WORDS = re.compile(r"\s?([^\W\d_]+(?:\s[^\W\d_]+)?|%|°)")
_TOLERANCE = re.compile(
    r"(?<![\w+])[+]\s?(\d+(?:[.,]\d+)?)\s*(?:mm|%|°)?\s*/\s*[-–−]\s?(\d+(?:[.,]\d+)?)\s?([^\W\d_]+|%|°)?"
)


_Patterns = Mapping[re.Pattern[str], AmountKind]
_NAMED: _Patterns = {re.compile(_DATE): "date", re.compile(_STANDARD): "reference"}
"""What has figures in it that are no numbers."""
_NAMED_APART: _Patterns = {
    re.compile(_NUMBERED): "reference",
    re.compile(_CODE): "name",
    re.compile(_SEASON): "reference",
    re.compile(_YEAR): "date",
}
"""What is named where no number is found: "drawing 4", "M8"."""


@dataclass(frozen=True, slots=True)
class WrittenAmount:
    """A number of a sentence, from `start` to `end` of its text.

    `unit` is as the vocabulary writes it, empty for a count; `upper` is the other end of a range;
    `fraction` is "2/3" where the value is that share in per cent. `name` is what is cited or dated.
    """

    text: str
    start: int
    end: int
    value: Decimal
    upper: Decimal | None = None
    unit: str = ""
    kind: AmountKind = "amount"
    name: str = ""
    fraction: str = ""
    tolerance: Decimal | None = None
    is_spelled: bool = False

    @property
    def is_count(self) -> bool:
        """True of a number of things."""
        return not self.unit or self.measure in COUNT_KINDS

    @property
    def ends(self) -> tuple[Decimal, Decimal | None]:
        """Its value, or both ends of its range or of its tolerance."""
        if self.tolerance is None:
            return self.value, self.upper
        return self.value - self.tolerance, self.value + self.tolerance

    @property
    def measure(self) -> str:
        """What it measures: "length", "time" ...; empty for a count."""
        return UNITS[self.unit][0] if self.unit in UNITS else ""


def find_amounts(
    text: str,
    language: str = "en",
    axis_unit: str = "mm",
    own_numbers: OwnNumbers = lambda _: False,
) -> tuple[WrittenAmount, ...]:
    """Return the amounts, dates and references of a sentence in order."""
    tolerances = [*_find_tolerances(text)]
    named = [*tolerances, *_find_named_places(text, _NAMED, tolerances)]
    written, text = text, use_decimal_points(text, language)
    for one in named:
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    citations = [
        _name_amount(text, (c.start, c.end), "reference", c.number + (c.part or ""))
        for c in find_citations(text)
    ]
    citations += _find_named_places(text, {_RULE: "reference"}, citations)
    spelled = find_spelled_numbers(text, language)
    figures = list(_read_figures(text, language, axis_unit, own_numbers, spelled))
    measured = [f for f in figures if f.quantity]
    citations = [c for c in citations if not _overlaps(c.start, c.end, measured)]
    figures = [
        f for f in figures if f.quantity or not any(c.start <= f.start < c.end for c in citations)
    ]
    fractions = {one.start: one.fraction for one in spelled}
    groups = _join_ranges(text, merge_figures(text, figures), language)
    found = [*named, *citations, *(_write(written, one, fractions) for one in groups)]
    found = [
        _name_amount(text, (one.start, one.end), "date") if one.measure == "time of day" else one
        for one in found
    ]
    found += _find_named_places(text, _NAMED_APART, found)
    return tuple(sorted(found, key=lambda one: one.start))


def _name_amount(
    text: str, span: tuple[int, int], kind: AmountKind, name: str = ""
) -> WrittenAmount:
    words = text[slice(*span)]
    return WrittenAmount(words, *span, Decimal(0), kind=kind, name=name or words)


def _overlaps(start: int, end: int, others: Iterable[WrittenAmount | WrittenNumber]) -> bool:
    return any(other.start < end and start < other.end for other in others)


def _find_named_places(
    text: str, kinds: _Patterns, found: Sequence[WrittenAmount]
) -> list[WrittenAmount]:
    """Return dates, references and names that no amount found before overlaps."""
    named: list[WrittenAmount] = []
    for pattern, kind in kinds.items():
        for match in pattern.finditer(text):
            if not _overlaps(*match.span(), (*found, *named)):
                name = match.groupdict().get("name", "")
                named.append(_name_amount(text, match.span(), kind, name))
    return named


def _find_tolerances(text: str) -> Iterator[WrittenAmount]:
    """Yield "+0.00 / -0.05mm": of its two sides the one that is not zero."""
    for match in _TOLERANCE.finditer(text):
        below = Decimal(match[2].replace(",", "."))
        value = -below if below else Decimal(match[1].replace(",", "."))
        yield WrittenAmount(match[0], *match.span(), value, unit=match[3] or "", kind="tolerance")


def _join_ranges(text: str, numbers: Iterable[NumberGroup], language: str) -> list[NumberGroup]:
    """Return numbers with the two ends of a range as one: "15 bis 20"."""
    words = load_table(language, "words")
    joints, pair = (split_entries(str(words.get(name, ""))) for name in ("joint", "joint_between"))
    opening, *_ = split_entries(load_lists(language).get("between", "-"))
    joined: list[NumberGroup] = []
    for one in numbers:
        last = joined[-1] if joined else None
        between = fold(text[last.end : one.start]).strip() if last else ""
        is_led = last and between in pair and fold(text[: last.start]).rstrip().endswith(opening)
        if last and last.rises_to(one) and (is_led or between in joints):
            joined[-1] = NumberGroup(one.figure, last.figure)
        else:
            joined.append(one)
    return joined


def _read_figures(
    text: str,
    language: str,
    axis_unit: str,
    own_numbers: OwnNumbers,
    spelled: Iterable[SpelledNumber],
) -> Iterator[WrittenNumber]:
    """Yield the numbers of a text in figures and words, with the units of its language."""
    figures = find_figures_once(text, axis_unit, own_numbers)
    pronouns = [
        one.span()
        for one in _PRONOUN.finditer(text)
        if not _is_compared(text[: one.start()], language)
    ]
    figures = [one for one in figures if not _is_within(one, pronouns)]
    for one in (one for one in spelled if not _is_within(one, pronouns)):
        figures = [f for f in figures if not _overlaps(one.start, one.end, (f,))]
        quantity = _measure_fraction(text, one) if one.fraction else None
        is_share = quantity is None or quantity.unit == "percent"  # not "half an hour"
        if not (is_share and _is_no_number(text, one, language)):
            end, value = (quantity or one).end, (quantity or one).value
            figures.append(WrittenNumber(value, quantity, text[one.start : end], one.start, end))
    figures += _find_articles_that_count(text, language, figures)
    for figure in sorted(figures, key=lambda one: one.start):
        yield figure if figure.quantity else _find_own_unit(text, figure, language)


def _find_articles_that_count(
    text: str, language: str, figures: Sequence[WrittenNumber]
) -> list[WrittenNumber]:
    """Return the ones of a text that are written as the article: "at least a metre"."""
    found = []
    for start, end in find_ones(text, language):
        behind = _NEXT_WORDS.match(text, end)
        is_unit = bool(behind and find_unit(language, behind[1].split()[0]))
        signs = (is_unit, language != "en", _is_compared(text[:start], language))
        if sum(signs) > 1 and not _overlaps(start, end, figures):
            found.append(WrittenNumber(Decimal(1), None, text[start:end], start, end))
    return found


def _find_own_unit(text: str, figure: WrittenNumber, language: str) -> WrittenNumber:
    """Return a number with the unit behind it that is one in this language alone."""
    behind = _NEXT_WORDS.match(text, figure.end)
    for words in (behind[1], behind[1].split()[0]) if behind else ():
        if behind and (unit := find_unit(language, words)):
            end = behind.start(1) + len(words)
            return replace(figure, end=end, text=text[figure.start : end]).with_unit(unit)
    return figure


def _is_within(number: WrittenNumber | SpelledNumber, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= number.start < end for start, end in spans)


def _is_no_number(text: str, spelled: SpelledNumber, language: str) -> bool:
    """True of "twice the time", and of a half or quarter that nothing is compared with."""
    words = text[spelled.start : spelled.end].casefold()
    if words in ("twice", "thrice"):
        return bool(re.match(r"\s(?:as|the|that|its|their)\b", text[spelled.end :]))
    return words in ("half", "quarter") and not _is_compared(text[: spelled.start], language)


def _measure_fraction(text: str, spelled: SpelledNumber) -> Quantity:
    """Return "half an inch" as so much of its unit, and another fraction as a share."""
    part = re.match(r"[\s-](?:of\s)?(?:(?:an?|one)\s)?", text[spelled.end :])
    rest = spelled.end + (part.end() if part else 0)
    units = find_quantities(f"1 {text[rest:]}") if part else ()
    if units and units[0].start == 0:
        end = rest + units[0].end - len("1 ")
        return Quantity(spelled.value / 100, units[0].unit, spelled.start, end)
    return Quantity(spelled.value, "percent", spelled.start, spelled.end)


def _is_compared(before: str, language: str) -> bool:
    return fold(before).rstrip().endswith(_comparing_phrases(language))


@cache
def _comparing_phrases(language: str) -> tuple[str, ...]:
    lists, names = load_lists(language), "at_least at_most only exactly more less within".split()
    phrases = (words for name in names for words in spell_out(lists.get(name, ""), lists))
    return tuple(fold(" ".join(words)) for words in phrases if "*" not in words)


def _write(text: str, number: NumberGroup, fractions: dict[int, str]) -> WrittenAmount:
    value, upper = number.bounds
    tolerance = number.tolerance.value if number.tolerance else None
    start, end = number.start, number.end
    if text.count("(", start, end) > text.count(")", start, end):  # "five (5)"
        end = text.find(")", end) + 1 or end
    fraction = fractions.get(start, "") if number.unit == "percent" else ""
    is_spelled = number.figure.text[:1].isalpha()
    span = text[start:end], start, end
    return WrittenAmount(
        *span, value, upper, number.unit, "amount", "", fraction, tolerance, is_spelled
    )
