"""Values as a team writes them in a sheet, in any unit, and how they compare with a limit."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any

from core.grammar import UNITS, parse_unit
from core.registers import Limit

_NUMBER = re.compile(r"[+−-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,2})?")
_GROUPED = re.compile(r"[+−-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_POINTED = re.compile(r"[+−-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?")
_COMMA = re.compile(r"[+−-]?\d+,\d+")
_NO_UNIT = frozenset(
    ("", "-", "–", "1", "pcs", "pc", "count", "no unit", "none", "ratio", ": 1", ":1")
)
_REFERENCES = (
    "length=mm, area=mm**2, second moment=mm**4, volume=ml, mass=kg, speed=km/h, flow=kg/h, "
    "volume flow=l/s, time=s, pressure=bar, voltage=V, current=A, resistance=ohm, power=W, "
    "energy=J, force=N, torque=N*m, frequency=Hz, temperature=degC, angle=degree, "
    "density=kg/m**3, stiffness=N/mm, acceleration=m/s**2, charge=A*h"
)
"""The first unit of each kind that pint knows under the same name and meaning."""


@dataclass(frozen=True, slots=True)
class SheetAmount:
    """A value with a unit; `bases` is it in the first unit of each kind that it may be of.

    A period is about so many of other kinds of periods too, which decides nothing (`converts_to`).
    """

    value: Decimal
    unit: str
    bases: Mapping[str, Decimal]
    measure: str = ""

    @property
    def is_count(self) -> bool:
        return not self.bases

    def is_comparable(self, unit: str) -> bool:
        """True where a unit of its kind is of the same measure: dBA and dB, not dBA and dBC."""
        return len({self.measure, UNITS.measure_of(unit)} - {""}) < 2

    def converts_to(self, kind: str) -> bool:
        """False of working days and days: a period of another kind may be as long or not."""
        return kind not in UNITS.periods or next(iter(self.bases), kind) == kind


def parse_value(text: str, decimal_comma: bool = False) -> Decimal | None:
    """Return a number of a sheet; None where it is none, is too long, or "1,525" has two readings.

    With `decimal_comma` a comma is always a decimal sign.
    """
    text = text.strip().replace(" ", "").replace("\u00a0", "").replace("−", "-")
    if decimal_comma and _POINTED.fullmatch(text) and ("," in text or text.count(".") > 1):
        text = text.replace(".", "").replace(",", ".")
    elif (decimal_comma and _COMMA.fullmatch(text)) or (
        _COMMA.fullmatch(text) and not _GROUPED.fullmatch(text)
    ):
        text = text.replace(",", ".")
    elif _GROUPED.fullmatch(text) and (text.count(",") > 1 or "." in text):
        text = text.replace(",", "")
    if not _NUMBER.fullmatch(text) or len(text) > 30:
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def is_ambiguous(text: str, decimal_comma: bool = False) -> bool:
    """True of "1,525", which is a thousand in one language and a decimal in another.

    Beside decimal commas "1.525" is. No thousand begins with a zero.
    """
    sign = r"\." if decimal_comma else ","
    return re.fullmatch(rf"[+−-]?[1-9]\d{{0,2}}{sign}\d{{3}}", text.strip()) is not None


def parse_amount(value: Decimal, unit: str) -> SheetAmount | None:
    """Return a value in any unit that is known here or to pint; None for an unknown unit."""
    unit = " ".join(unit.split())
    if unit.casefold() in _NO_UNIT:
        return SheetAmount(value, "", {})
    if known := parse_unit(unit):
        return express_amount(value, known)
    bases = _convert(value, unit)
    return SheetAmount(value, unit, bases) if bases else None


def express_amount(value: Decimal, unit: str) -> SheetAmount:
    """Return a value in a unit of the vocabulary, or a count where it is empty."""
    if not unit:
        return SheetAmount(value, "", {})
    kind, factor = UNITS[unit]
    bases = {kind: value * factor}
    if kind in UNITS.periods:
        days = bases[kind] * UNITS.periods[kind]
        bases |= {other: days / length for other, length in UNITS.periods.items() if other != kind}
    return SheetAmount(value, unit, bases, UNITS.measure_of(unit))


def _convert(value: Decimal, unit: str) -> dict[str, Decimal]:
    """Return a value in the first unit of every kind of its dimension; empty if pint knows none."""
    import pint

    expression = re.sub(r"(?<=[A-Za-z])([²³⁴234])(?!\d)", r"**\1", unit).replace("·", "*")
    expression = expression.translate(str.maketrans("²³⁴^", "234^")).replace("^", "**")
    try:
        amount = _registry().Quantity(value, expression)
        return {
            kind: amount.to(reference).magnitude
            for kind, reference in _references().items()
            if amount.dimensionality == reference.dimensionality
        }
    except (pint.PintError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError):
        return {}


@cache
def _registry() -> Any:
    import pint

    return pint.UnitRegistry(non_int_type=Decimal, autoconvert_offset_to_baseunit=True)


@cache
def _references() -> dict[str, Any]:
    names = (one.split("=") for one in _REFERENCES.split(", "))
    return {kind: _registry().parse_units(name) for kind, name in names}


def in_one_unit(amount: SheetAmount, limit: Limit) -> tuple[Decimal, Decimal, Decimal | None]:
    """Return a value and both ends of a limit in one unit."""
    if limit.unit not in UNITS or amount.is_count:
        return amount.value, limit.value, limit.upper
    kind, factor = UNITS[limit.unit]
    upper = None if limit.upper is None else limit.upper * factor
    return amount.bases[kind], limit.value * factor, upper


def keeps(amount: SheetAmount, limit: Limit) -> bool:
    """True of a value that keeps a limit."""
    return limit.allows(compute_margin(amount, limit))


def compute_margin(amount: SheetAmount, limit: Limit) -> Decimal:
    """Return what is left to a limit, negative beyond it, in the limit's unit."""
    value, lower, upper = in_one_unit(amount, limit)
    factor = UNITS[limit.unit][1] if limit.unit in UNITS else Decimal(1)
    match limit.relation:
        case "at most" | "less than":
            left = lower - value
        case "between" if upper is not None:
            left = min(value - lower, upper - value)
        case "equal":
            left = -abs(value - lower)
        case _:
            left = value - lower
    return left / factor
