"""The amounts of a sentence: every number in it, with what belongs to it, each once."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain
from typing import Literal

from core.grammar.cues import any_cue, fold, load_lists, load_months, load_table, split_list
from core.grammar.figures import WrittenNumber
from core.grammar.number_groups import NumberGroup, OwnNumbers, find_figures_once, merge_figures
from core.grammar.numbering import find_citations
from core.grammar.numerals import SpelledNumber, find_ones, find_spelled, find_unit
from core.grammar.quantities import COUNT_KINDS, UNITS, Quantity, find_quantities
from core.grammar.vocabulary import any_word

AmountKind = Literal["amount", "reference", "date", "name", "tolerance"]
_NUMBERED = rf"(?i:\b(?:{any_word('numbered')}))\s+(?P<name>[A-Z]?[\d.-]*\d)"
_DAY = r"\d{1,2}(?:\s?(?:st|nd|rd|th|er)\b|\.)?"
_DAYS = rf"{_DAY}(?:\s?(?:{any_cue('joint', 'joint_between')})\s?{_DAY})?\s?(?:of\s)?"
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
_NEXT_WORDS = re.compile(r"\s?([^\W\d_]+(?:\s[^\W\d_]+)?|%|°)")
_TOLERANCE = re.compile(
    r"(?<![\w+])[+]\s?(\d+(?:[.,]\d+)?)\s*(?:mm|%|°)?\s*/\s*[-–−]\s?(\d+(?:[.,]\d+)?)\s?([^\W\d_]+|%|°)?"
)


_NAMED: tuple[tuple[re.Pattern[str], AmountKind], ...] = (
    (re.compile(_DATE), "date"),
    (re.compile(_STANDARD), "reference"),
)
"""What has figures in it that are no numbers."""
_NAMED_APART: tuple[tuple[re.Pattern[str], AmountKind], ...] = (
    (re.compile(_NUMBERED), "reference"),
    (re.compile(_CODE), "name"),
    (re.compile(_SEASON), "reference"),
    (re.compile(_YEAR), "date"),
)
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
    named = [*tolerances, *_find_named(text, _NAMED, tolerances)]
    masked = _mask(text, named)
    citations = [
        _cite(masked, c.start, c.end, c.number + (c.part or "")) for c in find_citations(masked)
    ]
    citations += _find_named(masked, ((_RULE, "reference"),), citations)
    spelled = find_spelled(masked, language)
    figures = list(_read_figures(masked, language, axis_unit, own_numbers, spelled))
    measured = [f for f in figures if f.quantity]
    citations = [
        c for c in citations if not any(f.start < c.end and c.start < f.end for f in measured)
    ]
    figures = [
        f for f in figures if f.quantity or not any(c.start <= f.start < c.end for c in citations)
    ]
    fractions = {one.start: one.fraction for one in spelled}
    groups = _join_ranges(masked, merge_figures(masked, figures), language)
    found = [*named, *citations, *(_write(masked, one, fractions) for one in groups)]
    found += _find_named(masked, _NAMED_APART, found)
    return tuple(sorted(found, key=lambda one: one.start))


def _cite(text: str, start: int, end: int, name: str) -> WrittenAmount:
    return WrittenAmount(text[start:end], start, end, Decimal(0), kind="reference", name=name)


def _find_named(
    text: str, kinds: Iterable[tuple[re.Pattern[str], AmountKind]], found: Sequence[WrittenAmount]
) -> list[WrittenAmount]:
    """Return dates, references and names that no amount found before overlaps."""
    named: list[WrittenAmount] = []
    for pattern, kind in kinds:
        for match in pattern.finditer(text):
            if not any(o.start < match.end() and match.start() < o.end for o in (*found, *named)):
                name = match.groupdict().get("name") or match[0]
                named.append(
                    WrittenAmount(match[0], *match.span(), Decimal(0), kind=kind, name=name)
                )
    return named


def _mask(text: str, taken: Iterable[WrittenAmount]) -> str:
    for one in taken:
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return text


def _find_tolerances(text: str) -> Iterator[WrittenAmount]:
    """Yield "+0.00 / -0.05mm": of its two sides the one that is not zero."""
    for match in _TOLERANCE.finditer(text):
        below = Decimal(match[2].replace(",", "."))
        value = -below if below else Decimal(match[1].replace(",", "."))
        yield WrittenAmount(match[0], *match.span(), value, unit=match[3] or "", kind="tolerance")


def _join_ranges(text: str, numbers: Sequence[NumberGroup], language: str) -> list[NumberGroup]:
    """Return numbers with the two ends of a range as one: "15 bis 20", "entre 45 et 60 minutes"."""
    words = load_table(language, "words")
    joints, between = (split_list(str(words.get(name, ""))) for name in ("joint", "joint_between"))
    opens = [fold(word) for word in load_lists(language).get("between", "").split(", ")]
    joined: list[NumberGroup] = []
    for one in numbers:
        last = joined[-1] if joined else None
        if last and not (last.lower or one.lower or last.tolerance or one.tolerance):
            joint = fold(text[last.end : one.start]).strip()
            is_open = any(
                fold(text[: last.start]).rstrip().endswith(word) for word in opens if word
            )
            rises = last.figure.value < one.figure.value
            same = not last.unit or last.is_same_kind(one)
            if rises and same and (joint in joints or (is_open and joint in between)):
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
        quantity = _measure_fraction(text, one) if one.fraction else None
        is_share = quantity is None or quantity.unit == "percent"  # not "half an hour"
        if is_share and _is_no_number(text, one, language):
            continue
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


def _write(text: str, number: NumberGroup, fractions: dict[int, str]) -> WrittenAmount:
    value, upper = number.bounds
    tolerance = None
    if number.tolerance:
        value, upper, tolerance = number.figure.value, None, number.tolerance.value
    start, end = number.start, number.end
    if text.count("(", start, end) > text.count(")", start, end):  # "five (5)"
        end = text.find(")", end) + 1 or end
    return WrittenAmount(
        text[start:end],
        start,
        end,
        value,
        upper,
        number.unit,
        fraction=fractions.get(start, "") if number.unit == "percent" else "",
        tolerance=tolerance,
        is_spelled=number.figure.text[:1].isalpha(),
    )
