"""A value beside a limit: the verdict, and the row that reports it.

Where it is not plain which limit is meant the verdict is "cannot tell": better than a wrong one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from core.grammar import UNITS

Verdict = Literal["legal", "not legal", "cannot tell"]


@dataclass(frozen=True, slots=True)
class QuotedWords:
    """Words of a clause."""

    clause_id: str
    words: str


@dataclass(frozen=True, slots=True)
class CheckedLimit:
    """A value compared with a limit on the `subject` of a clause.

    `limit`, `yours` and `margin` are amounts with units. A margin is the distance to the limit,
    negative beyond it.
    """

    subject: str
    limit: str
    yours: str
    margin: str
    verdict: Verdict
    note: str = ""
    """How a value was computed, a condition of the rule, or why there is no verdict."""
    alternative: bool = False
    """One of several limits that the question can mean ("at the front", "at the rear")."""


@dataclass(frozen=True, slots=True)
class ValueCheck(CheckedLimit):
    """A checked limit; the first of `quotes` contains it, the others what leads to it."""

    quotes: tuple[QuotedWords, ...] = ()


def overall_verdict(rows: Sequence[CheckedLimit]) -> Verdict:
    """Return the verdict on all rows: legal only where every one is.

    Alternatives that differ decide nothing.
    """
    verdicts = {row.verdict for row in rows if not row.alternative}
    alternatives = {row.verdict for row in rows if row.alternative}
    verdicts |= {"cannot tell"} if len(alternatives) > 1 else alternatives
    if "not legal" in verdicts:
        return "not legal"
    return "legal" if verdicts == {"legal"} else "cannot tell"


def format_margin(margin: Decimal, unit: str) -> str:
    """Return what is left to a limit, in its unit; negative where it is passed."""
    sign = "−" if margin < 0 else "+" if margin > 0 else "±"
    is_whole = margin == margin.to_integral()
    rounded = margin.to_integral() if is_whole else margin.quantize(Decimal("0.0001")).normalize()
    return sign + UNITS.format(abs(rounded), unit)
