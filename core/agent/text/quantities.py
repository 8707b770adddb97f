"""Amounts with their units as texts write them, how they compare, and the words that ask for them.

What an amount means in a rule is not decided here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from core.agent.text.vocabulary import VOCABULARY, list_words, split_entries


def _spell_units() -> Iterator[tuple[str, tuple[str, Decimal]]]:
    with_plural = list_words("plural_kind")
    for kind, units in VOCABULARY["units"].items():
        for unit, factor in units.items():
            yield unit, (kind, Decimal(factor))
            if kind in with_plural and len(unit) > 2 and not unit.endswith("s"):
                yield f"{unit}s", (kind, Decimal(factor))


UNITS = dict(_spell_units())
"""Kind and factor to the kind's first unit, by unit as it is written."""
_SAME_SIGNS = str.maketrans({"”": "″", '"': "″", "º": "°", "\u00a0": " ", "\u202f": " "})
_POWERS = str.maketrans({sign: rf"(?:{sign}|\^?{n}\b)" for n, sign in enumerate("²³⁴", start=2)})
_SUPERSCRIPTS = str.maketrans("234", "²³⁴", "^")
_UNIT = "|".join(map(re.escape, sorted(UNITS, key=len, reverse=True)))
_UNIT = _UNIT.replace(r"\ ", r"\s").translate(_POWERS)
_NUMBER = r"\d{1,3}(?:[,\s]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?"
_BY = rf"(?:\s?(?:{_UNIT}))?\s?(?:[x×]|by)\s?"
_AMOUNT = re.compile(
    rf"(?<![\w.,/])\(?(?P<numbers>(?:{_NUMBER})(?:{_BY}(?:{_NUMBER}))*)\)?[\s-]?"
    rf"(?P<unit>{_UNIT})(?![\w⁰-⁹²³⁴]|/(?!\s))"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, from `start` to `end` of a text."""

    value: Decimal
    unit: str
    start: int
    end: int

    @property
    def kind(self) -> str:
        """What it measures: "length", "mass" ..."""
        return UNITS[self.unit][0]

    @property
    def base(self) -> Decimal:
        """Its value in the first unit of its kind."""
        return self.value * UNITS[self.unit][1]

    @property
    def key(self) -> tuple[str, Decimal]:
        """What two spellings of one amount share."""
        return self.kind, self.base.normalize()

    def __str__(self) -> str:
        return format_quantity(self.value, self.unit)


def format_quantity(value: Decimal, unit: str) -> str:
    """Return an amount as people write it: "25.0 mm", "7°", "60%"."""
    return f"{value:f}{unit}" if unit in ("°", "%", "″") else f"{value:f} {unit}"


def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Return every amount with a unit in a text, in order; of "25.0 x 2.0 mm" both, each in mm."""
    found = []
    for match in _AMOUNT.finditer(text.translate(_SAME_SIGNS)):
        unit = " ".join(match["unit"].translate(_SUPERSCRIPTS).split())
        for number in re.finditer(_NUMBER, match["numbers"]):
            start = match.start("numbers") + number.start()
            found.append(Quantity(_parse_number(number[0]), unit, start, match.end()))
    return tuple(found)


def _parse_number(number: str) -> Decimal:
    """Parse "1,525" and "1 525" as thousands, "1,3" as a decimal."""
    if re.fullmatch(r"\d{1,3}(?:[,\s]\d{3})+(?:\.\d+)?", number):
        return Decimal(re.sub(r"[,\s]", "", number))
    return Decimal(number.replace(",", "."))


def amount_keys(*texts: str) -> set[tuple[str, Decimal]]:
    """Return the amounts of texts as they compare: 1.5 m and 1500 mm are one."""
    return {amount.key for text in texts for amount in find_quantities(text)}


def remove_quantities(text: str) -> str:
    """Return a text without its amounts."""
    return _AMOUNT.sub(" ", text.translate(_SAME_SIGNS))


@dataclass(frozen=True, slots=True)
class AmountWords:
    """An amount that a question may ask for: the kinds of quantity that answer it, and its words.

    `adjectives` follow "how" ("heavy") and `nouns` "what is the"; `related` are further words of a
    text about it.
    """

    name: str
    kinds: frozenset[str]
    adjectives: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    related: tuple[str, ...] = ()


AMOUNTS = tuple(
    AmountWords(
        amount["name"],
        frozenset(split_entries(amount["kinds"])),
        *(split_entries(amount.get(column, "")) for column in ("adjectives", "nouns", "related")),
    )
    for amount in VOCABULARY["amounts"]
)
AMOUNT_ADJECTIVES = tuple(dict.fromkeys(word for one in AMOUNTS for word in one.adjectives))
AMOUNT_NOUNS = tuple(dict.fromkeys(word for one in AMOUNTS for word in one.nouns))
LENGTH_WORDS = tuple(
    frozenset(one.adjectives + one.nouns + one.related)
    for one in AMOUNTS
    if one.kinds == {"length"}
)
"""Words for what a length may be of. Two limits on different ones never bound the same value."""
