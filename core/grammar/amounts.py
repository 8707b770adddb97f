"""The amounts of a sentence: every number in it, with what belongs to it, each once."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain
from typing import Literal

from core.grammar.cues import fold, load_lists, load_months
from core.grammar.figures import WrittenNumber
from core.grammar.number_groups import NumberGroup, OwnNumbers, find_figures_once, merge_figures
from core.grammar.numbering import find_citations
from core.grammar.numerals import SpelledNumber, find_ones, find_spelled, find_unit
from core.grammar.quantities import COUNT_KINDS, UNITS, Quantity, find_quantities
from core.grammar.vocabulary import any_word

AmountKind = Literal["amount", "reference", "date", "name", "tolerance"]
_NUMBERED = re.compile(rf"(?i)\b(?:{any_word('numbered')})\s+(?P<name>[A-Z]?[\d.-]*\d)")
_CODE = re.compile(r"\b(?<![\w.-])[A-Z]{1,2}\d{1,3}\b(?![.\d])")
_SEASON = re.compile(r"(?<=[A-Z])\s(?:19|20)\d\d(?![\w.,]\w)")
_YEAR = re.compile(r"(?<![\w.,/])(?:19|20)\d\d(?![\w.,]\w)")
_NEXT_WORDS = re.compile(r"\s?([^\W\d_]+(?:\s[^\W\d_]+)?|%|°)")
_TOLERANCE = re.compile(
    r"(?<![\w+])[+]\s?(\d+(?:[.,]\d+)?)\s*(?:mm|%|°)?\s*/\s*[-–−]\s?(\d+(?:[.,]\d+)?)\s?([^\W\d_]+|%|°)?"
)


_NAMED: tuple[tuple[re.Pattern[str], AmountKind], ...] = (
    (_NUMBERED, "reference"),
    (_CODE, "name"),
    (_SEASON, "reference"),
    (_YEAR, "date"),
)


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
    whole, text = text, _mask_tolerances(text)
    citations = [
        WrittenAmount(
            text[c.start : c.end],
            c.start,
            c.end,
            Decimal(0),
            kind="reference",
            name=c.number + (c.part or ""),
        )
        for c in find_citations(text)
    ]
    spelled = find_spelled(text, language)
    figures = list(_read_figures(text, language, axis_unit, own_numbers, spelled))
    figures = [
        f for f in figures if f.quantity or not any(c.start <= f.start < c.end for c in citations)
    ]
    citations = [
        c
        for c in citations
        if not any(f.quantity and f.start < c.end and c.start < f.end for f in figures)
    ]
    fractions = {one.start: one.fraction for one in spelled}
    numbers = [
        _write(text, one, fractions)
        for one in _join_ranges(text, merge_figures(text, figures), language)
    ]
    found = [*citations, *numbers]
    for pattern, kind in _NAMED:
        for match in pattern.finditer(text):
            if not any(one.start < match.end() and match.start() < one.end for one in found):
                found.append(
                    WrittenAmount(
                        match[0],
                        *match.span(),
                        Decimal(0),
                        kind=kind,
                        name=match["name"] if pattern is _NUMBERED else match[0],
                    )
                )
    found += _find_tolerances(whole)
    return tuple(sorted(found, key=lambda one: one.start))


def _find_tolerances(text: str) -> Iterator[WrittenAmount]:
    """Yield "+0.00 / -0.05mm": of its two sides the one that is not zero."""
    for match in _TOLERANCE.finditer(text):
        below = Decimal(match[2].replace(",", "."))
        value = -below if below else Decimal(match[1].replace(",", "."))
        yield WrittenAmount(match[0], *match.span(), value, unit=match[3] or "", kind="tolerance")


def _mask_tolerances(text: str) -> str:
    return _TOLERANCE.sub(lambda match: " " * len(match[0]), text)


_JOINTS = {
    "en": (("to", "-", "–", "through", "up to"), ("and",)),
    "de": (("bis", "bis zu", "-", "–"), ("und",)),
    "fr": (("à", "au", "-", "–"), ("et",)),
    "ar": (("الى", "إلى", "-"), ("و",)),
}


def _join_ranges(text: str, numbers: Sequence[NumberGroup], language: str) -> list[NumberGroup]:
    """Return numbers with the two ends of a range as one: "15 bis 20", "entre 45 et 60 minutes"."""
    joints, between = _JOINTS.get(language, ((), ()))
    opens = [fold(word) for word in load_lists(language).get("between", "").split(", ")]
    joined: list[NumberGroup] = []
    for one in numbers:
        last = joined[-1] if joined else None
        if last and not (last.lower or one.lower or last.tolerance or one.tolerance):
            words = fold(text[last.end : one.start]).strip()
            is_open = any(
                fold(text[: last.start]).rstrip().endswith(word) for word in opens if word
            )
            rises = last.figure.value < one.figure.value
            same = not last.unit or last.is_same_kind(one)
            if rises and same and (words in joints or (is_open and words in between)):
                joined[-1] = NumberGroup(one.figure, last.figure)
                continue
        joined.append(one)
    return joined


def _read_figures(
    text: str,
    language: str,
    axis_unit: str,
    own_numbers: OwnNumbers,
    spelled: Iterable[SpelledNumber],
) -> Iterator[WrittenNumber]:
    figures = find_figures_once(text, axis_unit, own_numbers)
    ones = find_ones(text, language)
    for one in spelled:
        figures = [f for f in figures if f.end <= one.start or one.end <= f.start]
        if _is_no_number(text, one, language):
            continue
        quantity = _measure_fraction(text, one) if one.fraction else None
        end = quantity.end if quantity else one.end
        value = quantity.value if quantity else one.value
        figures.append(WrittenNumber(value, quantity, text[one.start : end], one.start, end))
    for start, end in ones:
        if any(f.start < end and start < f.end for f in figures):
            continue
        before, behind = text[:start], _NEXT_WORDS.match(text, end)
        word = behind[1].split()[0] if behind else ""
        is_unit = bool(find_unit(language, word))
        if (_is_compared(before, language) and (is_unit or language != "en")) or (
            is_unit and language != "en"
        ):
            figures.append(WrittenNumber(Decimal(1), None, text[start:end], start, end))
    for figure in sorted(figures, key=lambda one: one.start):
        if figure.quantity is None and (behind := _NEXT_WORDS.match(text, figure.end)):
            for words in (behind[1], behind[1].split()[0]):
                if unit := find_unit(language, words):
                    end = behind.start(1) + len(words)
                    figure = replace(
                        figure,
                        quantity=Quantity(figure.value, unit, figure.start, end),
                        end=end,
                        text=text[figure.start : end],
                    )
                    break
        yield figure


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
    lists = load_lists(language)
    phrases = chain.from_iterable(
        (fold(entry.strip()) for entry in lists.get(name, "").split(","))
        for name in ("at_least", "at_most", "only", "exactly", "more", "less", "within")
    )
    words = fold(before).rstrip()
    return any(phrase and words.endswith(phrase) for phrase in phrases)


_MONTHS = "|".join(load_months())


def _write(text: str, number: NumberGroup, fractions: dict[int, str]) -> WrittenAmount:
    value, upper = number.bounds
    tolerance = None
    if number.tolerance:
        value, upper, tolerance = number.figure.value, None, number.tolerance.value
    kind: AmountKind = "amount"
    start, end = number.start, number.end
    if text.count("(", start, end) > text.count(")", start, end):  # "five (5)"
        end = text.find(")", end) + 1 or end
    if (
        re.match(
            rf"\s?(?:st|nd|rd|th)?\.?\s?(?:of\s)?(?:{_MONTHS})\b",
            text[end:],
        )
        and not number.unit
    ) or re.search(rf"\b(?:{_MONTHS})\s$", text[:start]):
        kind = "date"
    return WrittenAmount(
        text[start:end],
        start,
        end,
        value,
        upper,
        number.unit,
        kind,
        fraction=fractions.get(start, "") if number.unit == "percent" else "",
        tolerance=tolerance,
        is_spelled=number.figure.text[:1].isalpha(),
    )
