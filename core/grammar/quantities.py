"""Amounts with their units as texts write them, how they compare, and the words that ask for them.

What an amount means in a rule is not decided here.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import ClassVar

from core.grammar.vocabulary import VOCABULARY, any_word, list_words, split_entries


def _spell_units() -> Iterator[tuple[str, tuple[str, Decimal]]]:
    with_plural, with_title = list_words("plural_kind"), list_words("title_kind")
    for kind, units in VOCABULARY["units"].items():
        for unit, factor in units.items():
            forms = [unit]
            if kind in with_plural and len(unit) > 2 and not unit.endswith("s"):
                forms.append(f"{unit}s")
            for form in forms:
                yield form, (kind, Decimal(factor))
                if kind in with_title and len(form) > 3 and form.endswith("s"):  # "Thirty Days"
                    yield form.title(), (kind, Decimal(factor))


_RING = re.compile(r"(?<=\d)([ \u00a0\u202f]*)[\u25e6\u2218]")
"""A ring that is drawn for degrees, after a number; on a line of its own it is a bullet."""
_Ratio = tuple[tuple[str, str], tuple[str, Decimal]]
_RATIO = re.compile(r"(.+?)(?:/| per )([1-9]\d*|)\s?(.+)")


_MEASURES: dict[str, str] = {
    unit: measure
    for measure, units in VOCABULARY["measures"].items()
    for unit in split_entries(units)
}


class UnitTable(dict[str, tuple[str, Decimal]]):
    """Units as they are written, and those that are made of two: "l/100 km", "mm per minute"."""

    periods: ClassVar[Mapping[str, Decimal]] = {
        "time": 1 / Decimal(86_400),
        "months": Decimal(30),
        "working days": Decimal(1),
        "clear days": Decimal(1),
    }
    """About how many days the first unit of each kind of period has. None converts to another."""

    @cached_property
    def sure(self) -> str:
        """A regular expression for units that are no other word, in upper and lower case."""
        titled = {word for word in self if word.istitle() and word[:-1].lower() in self}
        unsure = titled.union(list_words("word_unit"))
        return "|".join(
            re.escape(one) for one in sorted(self, key=len, reverse=True) if one not in unsure
        )

    @cached_property
    def currency(self) -> str:
        """A regular expression for units of money."""
        money = sorted(VOCABULARY["units"]["money"], key=len)[::-1]
        return "|".join(map(re.escape, money))

    def format(self, value: Decimal, unit: str) -> str:
        """Return an amount as people write it: "25.0 mm", "7°", "60%"."""
        return f"{value:f}{unit}" if unit in ("°", "%", "″") else f"{value:f} {unit}".strip()

    def measure_of(self, unit: str) -> str:
        """Return what a unit measures more closely than its kind: "A-weighted" of "dBA"."""
        return _MEASURES.get(unit, "")

    def symbol_of(self, unit: str) -> str:
        """Return the first unit that is the same: "ft" for "feet".

        A unit that says how it is measured stays as it is written, as does one that is unknown.
        """
        if unit in _MEASURES or unit not in self:
            return unit
        same = (one for one, meaning in self.items() if meaning == self[unit])
        return next((one for one in same if one not in _MEASURES), unit)

    def __contains__(self, unit: object) -> bool:
        return super().__contains__(unit) or (isinstance(unit, str) and _divide(unit) is not None)

    def __missing__(self, unit: str) -> tuple[str, Decimal]:
        if (found := _divide(unit)) is None:
            raise KeyError(unit)
        return found


@lru_cache(maxsize=1_000)
def _divide(unit: str) -> tuple[str, Decimal] | None:
    """Return kind and factor of a unit that is one for another; None where it is none."""
    parts = _RATIO.fullmatch(unit)
    if parts is None or not all(dict.__contains__(UNITS, parts[n]) for n in (1, 3)):
        return None
    (kind, factor), (other, divisor) = UNITS[parts[1]], UNITS[parts[3]]
    known, scale = RATIOS.get((kind, other), (f"{kind} per {other}", Decimal(1)))
    return known, factor * scale / divisor / Decimal(parts[2] or 1)


def _find_ratios(units: dict[str, tuple[str, Decimal]]) -> Iterator[_Ratio]:
    """Yield what kind a length for a time is, and its factor to that kind's first unit."""
    for unit, (kind, factor) in units.items():
        one, _, other = unit.partition("/")
        if one in units and other in units:
            kinds = units[one][0], units[other][0]
            yield kinds, (kind, factor * units[other][1] / units[one][1])


UNITS = UnitTable(_spell_units())
"""Kind and factor to the kind's first unit, by unit as it is written."""
RATIOS = dict(reversed([*_find_ratios(dict(UNITS))]))
COUNT_KINDS = frozenset(("laps", "points", "sets", "places"))
"""Kinds of quantity that are counts of things."""
_SYMBOLS = frozenset(
    unit
    for unit, (kind, _) in UNITS.items()
    if len(unit) < 4 and kind not in list_words("plural_kind")
)
"""Units that are no words: after a number in words they are part of a name."""
_SAME_SIGNS = str.maketrans('\u2126\u00b5\u02da”"º\u00a0\u202f', "\u03a9\u03bc°″″°  ")
_PASSAGE = re.compile(r"((?<![\w.,])\"(?=\S)|“)([^\"“”\n]*)[\"”]")
_POWERS = str.maketrans({sign: rf"(?:{sign}|\^?{n}\b)" for n, sign in enumerate("²³⁴", start=2)})
_SUPERSCRIPTS = str.maketrans("234", "²³⁴", "^")
_UNIT = "|".join(map(re.escape, sorted(UNITS, key=len, reverse=True)))
_UNIT = _UNIT.replace(r"\ ", r"\s").translate(_POWERS)
# "in" is a unit right behind a figure or where nothing goes on: "5in", "(8.0 in)".
_UNIT = _UNIT.replace(
    "|in|", r"|(?<=\d)in|(?<=/\d\s)in|(?<=/\d\d\s)in|(?<=\d[\s-])in(?=\.?\s*(?:[),;:x×]|$))|"
)
_UNIT = rf"(?:{_UNIT})(?:(?:\s?/\s?|\sper\s)(?:10{{1,3}}\s?)?(?:{_UNIT}))?"
NUMBER_WORDS: dict[str, int] = VOCABULARY["numbers"]
_WORD = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_TIMES = "|".join(_LARGE := [word for word, value in NUMBER_WORDS.items() if value >= 100])
_AND = "|".join(rf"(?<={word})\sand\s(?!\w+\s{word})" for word in _LARGE)
"""Only behind these "and" goes on with the same number: "one hundred and five"."""
SPELLED_NUMBER = (
    rf"(?i:(?:{_WORD})\b(?:(?:[\s-]|{_AND})(?:{_WORD})\b)*"
    rf"(?:\spoint(?:\s(?:{_WORD})\b)+)?)"
)
_FRACTION = r"(?:\d+[\s-])?[1-9]\d?/[1-9]\d?(?=[\s-]?(?:in\b|inch|″|\"))"
"""Inches are written so: "1 1/16 in"."""
_DIGITS = (
    rf"(?:\d{{1,3}}(?:[,\s'’]\d{{3}})+(?:\.\d+)?|\d+(?:[.,]\d+)?)"
    rf"(?:\s(?:{_TIMES})\b)?"
)
NUMBER = rf"(?:{_DIGITS}|{SPELLED_NUMBER})"
_BY = rf"(?:\s?(?:{_UNIT}))?\s?(?:[x×]|by)\s?"
_SIGNS = "".join(unit for unit in VOCABULARY["units"]["money"] if len(unit) == 1)
_EACH = rf"(?<=[{_SIGNS}]/)[a-z]"
"""What a sum of money is for: "70€/person"."""
_NO_SEASON = (
    rf"(?!(?<=[A-Z]\s)(?:19|20)\d\d\s(?:{UNITS.currency}|{any_word('word_unit')})(?!\w))"
    rf"(?!(?:19|20)\d\d\s[{_SIGNS}]\s?\d)"
)
"""At no year of a name: "FSA 2024 euros", "2024 € 500"."""
_AMOUNT = re.compile(
    rf"(?:(?<![\w.,/])(?<!\d:)|(?<=\bR)|(?<=Ø)){_NO_SEASON}(?:(?P<currency>{UNITS.currency})\s?(?P<sum>{_DIGITS})|"
    rf"(?:(?P<opened>\()?(?P<numbers>{_FRACTION}|{_DIGITS}(?:{_BY}{_DIGITS})*)(?(opened)\)?)"
    rf"(?:\s\({SPELLED_NUMBER}\))?[\s-]?|"
    rf"(?P<spelled>{SPELLED_NUMBER})[\s-]"
    rf"(?![A-Z](?!\w)))(?P<unit>{_UNIT})(?![\w⁰-⁹²³⁴]|/(?!\s|\d+\s?(?:{_UNIT})|{_EACH})))"
)
_UNIT_BEHIND = re.compile(
    rf"[\s-]?(?:(?:{any_word('day_kind')})\s)?(?![A-Z][a-z]{{3}}|A\s+[a-z])(?:{_UNIT})(?!\w)"
)
_NUMBER_WITH_UNIT = re.compile(rf"(?P<number>{NUMBER})(?:\s?(?P<unit>{_UNIT})(?!\w))?")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, from `start` to `end` of a text; `unit` is empty for a count."""

    value: Decimal
    unit: str
    start: int
    end: int

    @property
    def kind(self) -> str:
        """What it measures: "length", "mass" ...; empty for a count."""
        return UNITS[self.unit][0] if self.unit else ""

    @property
    def measure(self) -> str:
        """What its unit measures more closely: "A-weighted"; empty where it says no more."""
        return UNITS.measure_of(self.unit)

    def is_comparable(self, other: "Quantity") -> bool:
        """True where both are amounts of the same measure: dBA and dB, not dBA and dBC."""
        measures = {self.measure, other.measure} - {""}
        return self.kind == other.kind and len(measures) < 2

    @property
    def base(self) -> Decimal:
        """Its value in the first unit of its kind."""
        return self.value * UNITS[self.unit][1] if self.unit else self.value

    @property
    def key(self) -> tuple[str, Decimal]:
        """What two spellings of one amount share."""
        return self.kind, self.base.normalize()

    def __str__(self) -> str:
        return UNITS.format(self.value, self.unit)


@lru_cache(maxsize=4_000)
def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Return every amount with a unit in a text, in order; of "25.0 x 2.0 mm" both, each in mm."""
    # A quotation mark that closes a passage is no sign of inches.
    text = _PASSAGE.sub(lambda passage: f" {passage[2]} ", text)
    found = []
    for match in _AMOUNT.finditer(_unify_signs(text)):
        if match["spelled"] and match["unit"] in _SYMBOLS:
            continue  # "a four bar linkage"
        if match["sum"]:
            value = parse_number(match["sum"])
            found.append(Quantity(value, match["currency"], *match.span()))
            continue
        start, stop = match.span("numbers" if match["numbers"] else "spelled")
        if "/" in (match["numbers"] or ""):
            value = parse_number(match["numbers"])
            found.append(Quantity(value, match["unit"], start, match.end()))
            continue
        *others, last = _NUMBER_WITH_UNIT.finditer(match.string, start, stop)
        for one in (*others, last):
            unit = " ".join((one["unit"] or match["unit"]).translate(_SUPERSCRIPTS).split())
            unit = re.sub(r"\s?/\s?", "/", unit)  # as the table of units writes it
            end = match.end() if one is last else one.end()
            found.append(Quantity(parse_number(one["number"]), unit, one.start(), end))
    return tuple(found)


def parse_number(number: str) -> Decimal:
    """Parse "1,525", "1 525" and "1'525" as thousands, "1,3" as a decimal, numbers in words."""
    if fraction := re.match(r"(?:(\d+)[\s-])?(\d+)/(\d+)", number):
        return int(fraction[1] or 0) + Decimal(fraction[2]) / Decimal(fraction[3])
    digits = re.match(r"[\d.,\s'’]*\d", number)
    words = re.findall(r"[a-z]+", number.casefold())
    if digits is None:
        return _parse_words(words)
    figures = digits[0]
    if re.fullmatch(r"\d{1,3}(?:[,\s'’]\d{3})+(?:\.\d+)?", figures):
        figures = re.sub(r"[,\s'’]", "", figures)
    zeros = sum(len(str(NUMBER_WORDS[word])) - 1 for word in words)
    return Decimal(figures.replace(",", ".")).scaleb(zeros)


def _parse_words(words: Sequence[str]) -> Decimal:
    """Return the value of "one hundred and five": a larger word multiplies what is before it."""
    if "point" in words:  # "two point five"
        place = words.index("point")
        decimals = "".join(str(NUMBER_WORDS[word]) for word in words[place + 1 :])
        return _parse_words(words[:place]) + Decimal(f"0.{decimals}")
    whole = part = 0
    for value in (NUMBER_WORDS[word] for word in words if word != "and"):
        if value < 100:
            part += value
        elif value == 100:
            part = (part or 1) * value
        else:
            whole, part = whole + (part or 1) * value, 0
    return Decimal(whole + part)


def has_unit_behind(text: str, end: int) -> bool:
    """True where the number that ends there has a unit: "60 V", "5 working days".

    "Article 5 A team" and "Article 5 Days of rest" begin with the word of a sentence and a title.
    """
    return _UNIT_BEHIND.match(text, end) is not None


def amount_keys(*texts: str) -> set[tuple[str, Decimal]]:
    """Return the amounts of texts as they compare: 1.5 m and 1500 mm are one."""
    return {amount.key for text in texts for amount in find_quantities(text)}


def remove_quantities(text: str) -> str:
    """Return a text without its amounts."""
    return _AMOUNT.sub(" ", _unify_signs(text))


def unify_degree_signs(text: str) -> str:
    """Return a text of the same length with "°" for rings after numbers: "60 ◦C" as "60 °C"."""
    return _RING.sub(r"\1°", text)


def _unify_signs(text: str) -> str:
    """Return a text of the same length with one sign for each that looks like it."""
    return unify_degree_signs(text).translate(_SAME_SIGNS)


_EXTENTS = frozenset(list_words("extent"))


@dataclass(frozen=True, slots=True)
class AmountWords:
    """An amount that a question may ask for: the kinds of quantity that answer it, and its words.

    `adjectives` follow "how" ("heavy") and `nouns` "what is the"; `related` are further words of a
    text about it. Only one thing has it where `owner` names that: a car has a wheelbase.
    """

    name: str
    kinds: frozenset[str]
    adjectives: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    owner: tuple[str, ...] = ()

    @property
    def is_extent(self) -> bool:
        """True for a length, a height and the like: how far something reaches."""
        return self.name in _EXTENTS

    @property
    def comparatives(self) -> tuple[str, ...]:
        """What its adjectives become in a comparison: "wider"."""
        return tuple(f"{word.removesuffix('e')}er" for word in self.adjectives)


class AmountTable(tuple[AmountWords, ...]):
    """The amounts that a question may ask for, and their words."""

    @cached_property
    def adjectives(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(word for one in self for word in one.adjectives))

    @cached_property
    def nouns(self) -> tuple[str, ...]:
        """Nouns for amounts, without those that say what they are of."""
        return tuple(dict.fromkeys(word for one in self for word in one.nouns if not one.owner))

    def list_named(self, words: Iterable[str], how: str) -> list[AmountWords]:
        """Return those that are asked for by a noun among words, or by the adjective of "how"."""
        return [one for one in self if {*words} & {*one.nouns} or how in one.adjectives]


_COLUMNS = ("adjectives", "nouns", "related", "of")
AMOUNTS = AmountTable(
    AmountWords(
        amount["name"],
        frozenset(split_entries(amount["kinds"])),
        *(split_entries(amount.get(column, "")) for column in _COLUMNS),
    )
    for amount in VOCABULARY["amounts"]
)
