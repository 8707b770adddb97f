"""The limits that sentences set on amounts, with their direction.

A text that does not plainly say the direction gives an `unclear` limit. A condition ("if it exceeds
60 km/h") sets no limit.
"""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from core.grammar.directions import Relation, find_relation
from core.grammar.quantities import Quantity, find_quantities
from core.grammar.vocabulary import any_word

_BETWEEN = re.compile(
    r"(?i)\bbetween\s+(?P<low>\d+(?:[.,]\d+)*)\s*[^\d\s]{0,6}\s*(?:[a-z/]+)?\s*and\s*$"
)
_NO_LIMIT = re.compile(r"(?:±|\+/-|\+/−)\s*$")
_RANGE_OPENS, _RANGE_GOES_ON = re.compile(r"\bbetween\s*$", re.I), re.compile(r"\s*and\s+\d", re.I)
OPEN_CHOICE = re.compile(rf"\b(?:{any_word('open_choice')})\b", re.I)
_ALTERNATIVE = re.compile(r"^[^.;]{0,60}\b(?:or|and)\s*$")


@dataclass(frozen=True, slots=True)
class QuantityLimit:
    """A limit on an amount; `upper` is the other end where it goes `between` two."""

    relation: Relation
    amount: Quantity
    upper: Quantity | None = None

    @property
    def kind(self) -> str:
        return self.amount.kind

    def __str__(self) -> str:
        match self.relation:
            case "between":
                return f"{self.amount} to {self.upper}"
            case "unclear":
                return str(self.amount)
            case relation:
                return f"{relation} {self.amount}"


MAX_SENTENCE_LENGTH = 2_000
"""Characters of a sentence that are read; the longest of the published rulebooks has fewer."""


def find_limits(sentence: str) -> tuple[QuantityLimit, ...]:
    """Return the limits of a sentence or lettered item, in order.

    Only its first MAX_SENTENCE_LENGTH characters are read.
    """
    if len(sentence) > MAX_SENTENCE_LENGTH:  # cut between words: "10 mm" must not become "10 m"
        sentence = sentence[:MAX_SENTENCE_LENGTH].rpartition(" ")[0]
    amounts = _amounts_once(sentence)
    found: list[QuantityLimit] = []
    for before, amount, after in zip([None, *amounts], amounts, [*amounts[1:], None], strict=False):
        left = sentence[: amount.start]
        right = sentence[amount.end : after.start if after else None]
        opens_range = _RANGE_OPENS.search(left) and _RANGE_GOES_ON.match(sentence, amount.end)
        if opens_range or _NO_LIMIT.search(left):
            continue
        if limit := _find_range(sentence, amount):
            found.append(limit)
            continue
        relation = find_relation(left, right)
        if relation in (None, "unclear") and before and found:
            inherits = _ALTERNATIVE.match(sentence[before.end : amount.start])
            relation = found[-1].relation if inherits else relation
        if relation:
            found.append(QuantityLimit(relation, amount))
    return tuple(found)


def _amounts_once(sentence: str) -> list[Quantity]:
    """Return the amounts of a sentence; of "203.2 mm (8.0 inches)" the first.

    None where something else decides which holds: "the voltage or 750 V, whichever is higher".
    """
    choice = OPEN_CHOICE.search(sentence)
    amounts = [one for one in find_quantities(sentence) if not choice or one.start > choice.start()]
    again = {b.start for a, b in pairwise(amounts) if sentence[a.end : b.start].strip() == "("}
    return [amount for amount in amounts if amount.start not in again]


def _find_range(sentence: str, upper: Quantity) -> QuantityLimit | None:
    """Return the limit "between 10 and 15 mm" that ends with an amount."""
    match = _BETWEEN.search(sentence[: upper.start])
    if match is None:
        return None
    written = (q for q in find_quantities(sentence) if q.start == match.start("low"))
    with_unit_of_upper = iter(find_quantities(f"{match['low']} {upper.unit}"))
    lower = next(written, None) or next(with_unit_of_upper, None)
    if lower is None or lower.kind != upper.kind or lower.base > upper.base:
        return None
    return QuantityLimit("between", replace(lower, start=match.start("low")), upper)
