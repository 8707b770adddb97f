"""A value beside a limit: the verdict, the margin, and the row that reports both.

All arithmetic is exact. Where a text does not plainly say the direction of its limit, or a question
what it measures, the verdict is "cannot tell": better than a wrong one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from operator import ge, gt, le, lt
from typing import Any, Literal, Protocol, TypeVar

from core.limits.limits import QuantityLimit
from core.limits.quantities import UNITS, Quantity, amount_keys, format_quantity

Verdict = Literal["legal", "not legal", "cannot tell"]
T = TypeVar("T")

_COMPARE = {"at least": ge, "at most": le, "more than": gt, "less than": lt}
_NO_DIRECTION = "The clause does not say plainly which way this limit goes."
NO_LIMIT_FOUND = "No clause that is quoted sets a limit for it."


class ClauseText(Protocol):
    """A clause, as a check needs it."""

    @property
    def clause_id(self) -> str: ...
    @property
    def article(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def breadcrumb(self) -> tuple[str, ...]: ...
    @property
    def text(self) -> str: ...
    @property
    def lead_in(self) -> tuple[str, ...]: ...
    @property
    def nearness(self) -> float:
        """The cosine of its meaning and the question's; 0 where it is not known."""
        ...


QuotedClauses = Sequence[tuple[ClauseText, str]]
"""Clauses with the words quoted of each."""


@dataclass(frozen=True, slots=True)
class QuotedWords:
    """Words of a clause."""

    clause_id: str
    words: str


@dataclass(frozen=True, slots=True)
class LocatedLimit:
    """A limit with the sentence or table row that sets it, and what led to that."""

    limit: QuantityLimit
    words: str
    label: str
    source: ClauseText
    leading: tuple[QuotedWords, ...] = ()


@dataclass(frozen=True, slots=True)
class ValueCheck:
    """A value compared with a limit on the `subject` of a quoted clause.

    `limit`, `yours` and `margin` are amounts with units. A margin is the distance to the limit,
    negative beyond it. The first of `quotes` contains the limit, the others what leads to it.
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
    quotes: tuple[QuotedWords, ...] = ()


class HasVerdict(Protocol):
    """A row with a verdict."""

    @property
    def verdict(self) -> Verdict: ...
    @property
    def alternative(self) -> bool: ...


def overall_verdict(rows: Sequence[HasVerdict]) -> Verdict:
    """Return the verdict on all rows: legal only where every one is.

    Alternatives that differ decide nothing.
    """
    verdicts = {row.verdict for row in rows if not row.alternative}
    alternatives = {row.verdict for row in rows if row.alternative}
    verdicts |= {"cannot tell"} if len(alternatives) > 1 else alternatives
    if "not legal" in verdicts:
        return "not legal"
    return "legal" if verdicts == {"legal"} else "cannot tell"


def list_undecided(
    values: Iterable[Quantity], rows: Sequence[ValueCheck], decided: Sequence[ValueCheck]
) -> Iterator[ValueCheck]:
    """Yield the rows of each value that no row decides, or one that says that there is no limit."""
    # A value that the rule itself names ("under a load of 1,200 N") is a condition of the limit.
    named = amount_keys(*(quote.words for row in decided for quote in row.quotes))
    named -= amount_keys(*(row.limit for row in decided))
    known = named | amount_keys(*(row.yours for row in decided))
    for value in {value.key: value for value in values if value.key not in known}.values():
        none = ValueCheck(
            f"({value.kind})", "none found", str(value), "", "cannot tell", NO_LIMIT_FOUND
        )
        yield from [row for row in rows if row.yours == str(value)] or [none]


def build_check(
    value: Quantity, located: LocatedLimit, note: str = "", decided: bool = True
) -> ValueCheck:
    """Return the row of a value and a limit; one that is not `decided` cannot tell."""
    limit, label = located.limit, located.label
    verdict = _judge(value, limit) if decided else "cannot tell"
    return ValueCheck(
        subject=f"{label}: {limit.subject}" if label != limit.subject else label,
        limit=str(limit),
        yours=str(value),
        margin="" if verdict == "cannot tell" else _format_margin(value, limit),
        verdict=verdict,
        note=note or (_NO_DIRECTION if limit.relation == "unclear" else ""),
        quotes=(QuotedWords(located.source.clause_id, located.words), *located.leading),
    )


def _judge(value: Quantity, limit: QuantityLimit) -> Verdict:
    if compare := _COMPARE.get(limit.relation):
        return "legal" if compare(value.base, limit.amount.base) else "not legal"
    if limit.upper is None:
        return "cannot tell"
    within = limit.amount.base <= value.base <= limit.upper.base
    return "legal" if within else "not legal"


def _format_margin(value: Quantity, limit: QuantityLimit) -> str:
    """Return what is left to the limit, in its unit; negative where it is passed."""
    low, high = limit.amount, limit.upper or limit.amount
    above = ((value.base - low.base) / UNITS[low.unit][1], low.unit)
    below = ((high.base - value.base) / UNITS[high.unit][1], high.unit)
    sides = {"at least": above, "more than": above, "at most": below, "less than": below}
    margin, unit = sides.get(limit.relation) or min(above, below)
    sign = "−" if margin < 0 else "+" if margin > 0 else "±"
    is_whole = margin == margin.to_integral()
    rounded = margin.to_integral() if is_whole else margin.quantize(Decimal("0.0001")).normalize()
    return sign + format_quantity(abs(rounded), unit)


def select_highest(items: Sequence[T], score: Callable[[T], Any]) -> list[T]:
    """Return the items with the highest score, in order."""
    scores = list(map(score, items))
    return [item for item, one in zip(items, scores, strict=True) if one == max(scores)]
