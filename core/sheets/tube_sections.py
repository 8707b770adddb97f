"""What a tube's section measures, computed from its outer measure and its wall."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal

from core.grammar import Quantity, stem_words
from core.registers import Limit

_OUTER_WORDS = stem_words("diameter od width")
_WALL_WORDS = stem_words("thickness thick wall")
_PI = Decimal("3.14159265358979323846264338")
_SECTIONS = {
    ("round", "area"): (_PI / 4, "π/4", 2, "²", "mm²"),
    ("square", "area"): (Decimal(1), "1", 2, "²", "mm²"),
    ("round", "second moment"): (_PI / 64, "π/64", 4, "⁴", "mm⁴"),
    ("square", "second moment"): (Decimal(1) / 12, "1/12", 4, "⁴", "mm⁴"),
}
"""Factor (as a number and in words), power and unit of what a tube's section measures: the factor
times (Dⁿ − dⁿ), with the inner measure d = D − 2t."""


def compute_section(
    is_square: bool, given: Mapping[Limit, Quantity], row: Iterable[Limit]
) -> Iterator[tuple[Limit, Quantity, str]]:
    """Yield the limits of a table's row on a tube's section, what the tube has, and the formula.

    `given` are the values for its other limits. Nothing where they are not a width and a wall.
    """

    def measure(words: frozenset[str]) -> Decimal:
        bases = (value.base for one, value in given.items() if stem_words(one.subject) & words)
        return next(bases, Decimal(0))

    outer, wall = measure(_OUTER_WORDS), measure(_WALL_WORDS)
    if not 0 < 2 * wall < outer:
        return
    shape, inner = "square" if is_square else "round", outer - 2 * wall
    for limit in row:
        if (shape, limit.kind) not in _SECTIONS:
            continue
        factor, written, power, sign, unit = _SECTIONS[shape, limit.kind]
        # A table rounds its limits, so the computed value is rounded to the same digits.
        digits = Decimal(1).scaleb(min(0, int(limit.value.as_tuple().exponent)))
        value = (factor * (outer**power - inner**power)).quantize(digits)
        formula = f"{written} × ({outer:f}{sign} − {inner:f}{sign}) {unit}"
        note = f"Computed for a {shape} tube, rounded as the limit is: {formula}."
        yield limit, Quantity(value, unit, 0, 0), note
