"""The sums that a text shows, and whether a number follows from others."""

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate, chain, combinations, pairwise, product
from math import ceil, floor, isclose, pi

from core.grammar import UNITS, WrittenNumber, find_figures

MAX_TERMS, MAX_SUMMANDS = 5, 14
"""The most terms of a sum that is not written out, and the numbers of which they may be: these have
3,458 sums."""
MAX_STEP, MAX_POWER, MAX_LENGTH = 10, 6, 300
"""The largest step that numbers are rounded to, above the largest power that is computed, and the
characters of a sum."""
TOLERANCE = 0.005
"""By which part, or by how much, the result of a sum may be rounded: half of the second decimal."""
_POWER_SIGNS = {"²": "**2", "³": "**3", "⁴": "**4"}
_POWER = re.compile(r"(?<=[\d)])[²³⁴]")
_TIMES = re.compile(r"(?<=[\d)])\s?x\s?(?=[\d(])")
_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "–": "-", "−": "-", "≈": "=", "π": f"{pi} "})
_NUMBER = r"\d+(?:\.\d+)?(?!\s*\d|\.\d)"
_RUN = re.compile(
    rf"(?<![\w.*/+-])(?<![*/+-]\s)(?:{_NUMBER}|\()"
    rf"(?:{_NUMBER}|[+*/)=\s-]|(?<![\d)])(?<![\d)]\s)\()*(?<=[\d)])"
)
_TOKEN = re.compile(r"(?!0\d)\d+(?:\.\d+)?|\*\*|[-+*/()]")  # no date: "03/04/2025"


def _raise_to(value: float, power: float) -> float:
    if power not in range(MAX_POWER):
        raise ValueError("no sum")
    return pow(value, int(power))


_OPERATIONS: dict[str, tuple[int, Callable[[float, float], float]]] = {
    "+": (1, operator.add),
    "-": (1, operator.sub),
    "*": (2, operator.mul),
    "/": (2, operator.truediv),
    "**": (3, _raise_to),
}
"""What a sign does, and its rank: a higher one is computed first."""


@dataclass(frozen=True, slots=True)
class WrittenSum:
    """A sum as a text shows it: "2 min + 30 s = 150 s".

    `sides` are the values of its sides in order: by the numbers as written, where they have one
    unit, and with each amount in the first unit of its kind.
    """

    text: str
    sides: tuple[tuple[float, ...], ...]
    operands: frozenset[float]

    @property
    def is_equation(self) -> bool:
        return len(self.sides[0]) > 1

    @property
    def is_shown(self) -> bool:
        """False of what may be a range: "5-10"."""
        return self.is_equation or any(sign in self.text for sign in "+*/")

    @property
    def is_right(self) -> bool:
        """True where its sides are about equal in one reading: by a part in the first units, of
        which a small unit has little, and as written by an amount too.
        """
        return any(
            all(isclose(a, b, rel_tol=TOLERANCE, abs_tol=tolerance) for a, b in pairwise(values))
            for values, tolerance in zip(reversed(self.sides), (0, TOLERANCE), strict=False)
        )

    @property
    def values(self) -> frozenset[float]:
        return frozenset(chain(*self.sides))


def find_sums(text: str) -> list[WrittenSum]:
    """Return the sums of a text: numbers joined by signs, of which the first side has one."""
    text = _POWER.sub(lambda sign: _POWER_SIGNS[sign[0]], text).translate(_SIGNS)
    text = _TIMES.sub(" * ", text)
    figures = find_figures(text)
    texts = (_write_numbers(text, figures, way) for way in ("written", "in base", "unit"))
    runs = zip(*map(_RUN.findall, texts), strict=False)
    return [found for run in runs if (found := _read_sum(*run))]


def _write_numbers(text: str, figures: Iterable[WrittenNumber], way: str) -> str:
    """Return a text whose amounts are plain numbers: as "written", "in base", their kind's first
    unit, or how many of those their "unit" is, which is 0 for plain numbers.
    """
    for figure in reversed(list(figures)):
        value, one = figure.value, figure.quantity
        if one and one.kind == "share" and text[: figure.start].rstrip()[-1:] in ("+", "-"):
            continue  # of the number before it: "200 kg + 5 %"
        if way == "unit":
            value = UNITS[one.unit][1] if one and one.kind != "share" else Decimal(0)
        elif one and one.kind == "share":
            value /= 100
        elif one and way == "in base":
            value = one.base
        text = f"{text[: figure.start]}{value:f} {text[figure.end :]}"
    return " ".join(text.split())


def _read_sum(run: str, in_base: str, units: str) -> WrittenSum | None:
    """Return a run of numbers and signs as a sum; None where it is none."""
    operands = set[float]()
    is_of_one = len({*map(float, re.findall(_NUMBER, units))} - {0}) < 2
    if len(run) > MAX_LENGTH:
        return None
    try:
        sides = [
            tuple(_compute(side, operands) for side in _drop_bracket(one).split("="))
            for one in (run, in_base)
        ]  # "2 min + 30 s" is not 32
    except (ValueError, ArithmeticError):
        return None
    if len({*map(len, sides)}) > 1 or not re.search(r"\d\s*[*/+-]|\)", run.split("=")[0]):
        return None
    return WrittenSum(run, tuple(sides[not is_of_one :]), frozenset(operands))


def _drop_bracket(run: str) -> str:
    """Return a run without a bracket that opens or closes around it and more."""
    surplus = run.count("(") - run.count(")")
    return run.replace("(", "", surplus) if surplus > 0 else run[: surplus or None]


def _compute(side: str, operands: set[float]) -> float:
    """Return the value of numbers joined by signs. Raises ValueError for anything else."""
    tokens = ["", *reversed(_TOKEN.findall(side))]
    value = _compute_last(tokens, operands)
    if tokens != [""] or _TOKEN.sub("", side).strip():
        raise ValueError("no sum")
    return value


def _compute_last(tokens: list[str], operands: set[float], rank: int = 0) -> float:
    """Take from the end what signs above a rank join, and return its value; "" stays."""
    token = tokens.pop()
    if token == "(":
        value = _compute_last(tokens, operands)
        if tokens.pop() != ")":
            raise ValueError("no sum")
    else:
        value = float(token)
        operands.add(value)
    while (found := _OPERATIONS.get(tokens[-1])) and found[0] > rank:
        tokens.pop()
        value = found[1](value, _compute_last(tokens, operands, found[0]))
    return value


def follows_from(
    figure: WrittenNumber,
    own: Sequence[WrittenNumber],
    others: Sequence[WrittenNumber],
    sums: Iterable[WrittenSum] = (),
) -> bool:
    """True of the result of a sum, of up to five `own` numbers added, of two numbers computed with
    each other of which one is own, and of any of these rounded.
    """
    unit = float(UNITS[figure.quantity.unit][1]) if figure.quantity else 1.0
    written, whole = float(figure.value), float(figure.value) * unit
    mine, known = (
        [one for one in numbers if not figure.equals(one)] for numbers in (own, (*own, *others))
    )
    results = [value for one in sums for value in one.values]
    values = [*(value * unit for value in results), *_values_beside(figure, mine)]
    exact = chain(
        results,
        chain.from_iterable(
            map(sum, combinations(values[:MAX_SUMMANDS], size)) for size in range(2, MAX_TERMS + 1)
        ),
        _join_pairs(figure, mine, known),
        _add_products(mine),
    )
    if any(isclose(one, whole) or isclose(one, written) for one in exact):
        return True
    steps = [10.0 ** int(figure.value.as_tuple().exponent)]
    steps += [float(one.value) for one in known if 0 < one.value <= MAX_STEP]
    steps = [step for step in steps if abs(written / step - round(written / step)) < 1e-9]
    shown = [*_values_beside(figure, known), *(value * unit for value in results)]
    return any(0 < abs(one / unit - written) < step for one, step in product(shown, steps))


def _values_beside(figure: WrittenNumber, numbers: Iterable[WrittenNumber]) -> list[float]:
    found = (one.value_beside(figure) for one in numbers)
    return [float(value) for value in found if value is not None]


def _add_products(numbers: Sequence[WrittenNumber]) -> Iterator[float]:
    """Yield what pairs of numbers that follow each other add up to: "three at 90, two at 70"."""
    values = [float(one.value) for one in numbers]
    for first in (0, 1):  # "five wines: three at ..."
        pairs = zip(values[first::2], values[first + 1 :: 2], strict=False)
        yield from accumulate(one * other for one, other in pairs)


def _join_pairs(
    figure: WrittenNumber, own: Sequence[WrittenNumber], known: Sequence[WrittenNumber]
) -> Iterator[float]:
    """Yield what two numbers make of which one is own, in the base unit of a figure."""
    mine, values = _values_beside(figure, own), _values_beside(figure, known)
    for one, other in product(mine, values):
        yield from (one + other, one - other, other - one)
    factors = [float(one.value) for one in own if not one.quantity and one.value not in (0, 1)]
    factors += [float(f.value) / 100 for f in own if f.quantity and f.quantity.kind == "share"]
    yield from (one * factor for one, factor in product(values, factors))
    more = [float(f.value) / 100 for f in known if f.quantity and f.quantity.kind == "share"]
    yield from (one * factor for one, factor in product(mine, more))
    if figure.quantity:
        return
    for top, bottom in product(own, known):
        value = top.value_beside(bottom)
        if value and bottom.quantity and bottom.quantity.base:
            ratio = float(value / bottom.quantity.base)
            yield from (ratio, float(ceil(ratio)), float(floor(ratio)), 1 / ratio)
