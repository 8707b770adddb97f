"""Amounts with their units as texts write them, and how they compare. What one means in a rule is not decided here.

Factors are exact (the metric definitions; inch and pound by the agreement of 1959), so amounts compare as decimals.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

_TABLE = """
length: mm 1, cm 10, m 1000, metre 1000, meter 1000, km 1000000, inch 25.4, inches 25.4, ″ 25.4, ft 304.8
area: mm² 1, cm² 100, m² 1000000
second moment: mm⁴ 1, cm⁴ 10000
mass: kg 1, kilogram 1, g 0.001, mg 0.000001, lb 0.45359237, lbs 0.45359237
speed: km/h 1, kph 1, kmh 1, m/s 3.6, mph 1.609344
flow: kg/h 1, g/s 3.6
time: s 1, sec 1, second 1, ms 0.001, min 60, minute 60, h 3600, hr 3600, hour 3600, day 86400, week 604800
months: month 1, year 12
pressure: bar 1, mbar 0.001, kPa 0.01, MPa 10, GPa 10000, Pa 0.00001
voltage: V 1, mV 0.001, kV 1000, VDC 1, volt 1, volts 1
current: A 1, mA 0.001
charge: Ah 1, mAh 0.001
power: W 1, kW 1000, MW 1000000
energy: J 1, kJ 1000, MJ 1000000, Wh 3600, kWh 3600000
force: N 1, kN 1000
torque: Nm 1
frequency: Hz 1, kHz 1000, MHz 1000000
rotation: rpm 1
temperature: °C 1
angle: ° 1, degree 1
share: % 1, percent 1
sound: dB 1, dBA 1, dBC 1
volume: ml 1, cc 1, cm³ 1, l 1000, L 1000, litre 1000, liter 1000
laps: lap 1
points: point 1
sets: set 1
places: grid place 1, grid position 1
"""
_COUNTED = frozenset("length volume time months laps points sets places mass angle".split())
"""Kinds with units that are words, and so have a plural."""


def _read(table: str) -> Iterator[tuple[str, tuple[str, Decimal]]]:
    for line in table.strip().splitlines():
        kind, units = line.split(": ")
        for unit, factor in (entry.rsplit(" ", 1) for entry in units.split(", ")):
            yield unit, (kind, Decimal(factor))
            if kind in _COUNTED and len(unit) > 2 and not unit.endswith("s"):
                yield f"{unit}s", (kind, Decimal(factor))


UNITS = dict(_read(_TABLE))
"""Kind and factor to the kind's first unit, by unit as it is written."""
_SPELLED = str.maketrans({"”": "″", '"': "″", "º": "°", "\u00a0": " ", "\u202f": " "})
_POWERS = (("²", r"(?:²|\^?2\b)"), ("³", r"(?:³|\^?3\b)"), ("⁴", r"(?:⁴|\^?4\b)"))


def _pattern(unit: str) -> str:
    escaped = re.escape(unit).replace(r"\ ", r"\s")
    for power, pattern in _POWERS:
        escaped = escaped.replace(power, pattern)
    return escaped


_UNIT = "|".join(_pattern(unit) for unit in sorted(UNITS, key=len, reverse=True))
_NUMBER = r"\d{1,3}(?:[,\s]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?"
_BY = rf"(?:\s?(?:{_UNIT}))?\s?(?:[x×]|by)\s?"
_AMOUNT = re.compile(
    rf"(?<![\w.,/])\(?(?P<numbers>(?:{_NUMBER})(?:{_BY}(?:{_NUMBER}))*)\)?[\s-]?"
    rf"(?P<unit>{_UNIT})(?![\w⁰-⁹²³⁴]|/(?!\s))"
)
_EACH = re.compile(_NUMBER)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit where it stands in a text: from `start` to `end`."""

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
        """What two ways of writing one amount share."""
        return self.kind, self.base.normalize()

    def __str__(self) -> str:
        return format_quantity(self.value, self.unit)


def format_quantity(value: Decimal, unit: str) -> str:
    """An amount as people write it: "25.0 mm", "7°", "60%"."""
    return f"{value:f}{unit}" if unit in ("°", "%", "″") else f"{value:f} {unit}"


def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Every amount with a unit in a text, in order; of "25.0 x 2.0 mm" both, each in mm."""
    return tuple(_amounts(text.translate(_SPELLED)))


def remove_quantities(text: str) -> str:
    """A text with its amounts taken out."""
    return _AMOUNT.sub(" ", text.translate(_SPELLED))


def _amounts(text: str) -> Iterator[Quantity]:
    for match in _AMOUNT.finditer(text):
        unit = _known(match["unit"])
        for number in _EACH.finditer(match["numbers"]):
            start = match.start("numbers") + number.start()
            yield Quantity(_value(number[0]), unit, start, match.end())


def _known(unit: str) -> str:
    """A unit as the table writes it."""
    for power, pattern in _POWERS:
        unit = re.sub(rf"(?<=m){pattern}", power, unit)
    return unit if unit in UNITS else " ".join(unit.split())


def _value(number: str) -> Decimal:
    """ "1,525" and "1 525" are thousands, "1,3" is a decimal."""
    if re.fullmatch(r"\d{1,3}(?:[,\s]\d{3})+(?:\.\d+)?", number):
        return Decimal(re.sub(r"[,\s]", "", number))
    return Decimal(number.replace(",", "."))
