"""What a tube's section measures, computed from its outer measure and its wall."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path

from core.grammar import Quantity, stem_words
from core.registers import Limit

_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_WORDS = {name: stem_words(words) for name, words in _DATA["words"].items()}
_SECTIONS = {(one["shape"], one["kind"]): one for one in _DATA["sections"]}
_PI = Decimal("3.14159265358979323846264338")


def compute_section(
    question: str, given: Mapping[Limit, Quantity], row: Iterable[Limit]
) -> Iterator[tuple[Limit, Quantity, str]]:
    """Yield the limits of a table's row on a tube's section, what the tube has, and the formula.

    `given` are the values for its other limits. Nothing where they are not a width and a wall.
    """

    def measure(name: str) -> Decimal:
        of_name = (one for one in given if stem_words(one.subject) & _WORDS[name])
        return next((given[one].base for one in of_name), Decimal(0))

    outer, wall = measure("outer"), measure("wall")
    if not 0 < 2 * wall < outer:
        return
    shape = "square" if stem_words(question) & _WORDS["square"] else "round"
    inner = outer - 2 * wall
    for limit in row:
        if not (section := _SECTIONS.get((shape, limit.kind))):
            continue
        written, power, unit = section["factor"], section["power"], section["unit"]
        over, _, below = written.partition("/")
        factor = (_PI if over == "π" else Decimal(over)) / Decimal(below or 1)
        # A table rounds its limits, so the computed value is rounded to the same digits.
        digits = Decimal(1).scaleb(min(0, int(limit.value.as_tuple().exponent)))
        value = (factor * (outer**power - inner**power)).quantize(digits)
        sign = unit[-1]  # the exponent
        formula = f"{written} × ({outer:f}{sign} − {inner:f}{sign}) {unit}"
        note = f"Computed for a {shape} tube, rounded as the limit is: {formula}."
        yield limit, Quantity(value, unit, 0, 0), note
