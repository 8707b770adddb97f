"""Words that are numbers where something is compared with them: "at least half", "twice"."""

import re
from collections.abc import Iterator
from decimal import Decimal

from core.grammar.figures import WrittenNumber
from core.grammar.quantities import Quantity, find_quantities
from core.grammar.vocabulary import VOCABULARY, any_word

_FRACTIONS: dict[str, int] = VOCABULARY["fractions"]
_TIMES: dict[str, int] = VOCABULARY["times"]
FRACTION = re.compile(
    r"(?i)\b(?:than|least|most|up to|limited to|exceed(?:ing)?|(?:minimum|maximum) of)\s"
    rf"(?P<words>(?:(?:an?|one)[\s-])?(?P<fraction>{'|'.join(_FRACTIONS)}))\b"
    r"(?P<joint>[\s-](?:of\s)?(?:(?:an?|one)\s)?)?"
)
_REPETITION = re.compile(
    rf"(?i)\b(?:than|least|most|to|only|is|be|done|exceed)\s(?P<words>{'|'.join(_TIMES)})\b"
    r"(?!\s(?:as|the|that|its|their)\b)"
)
_OF_WHOLE = re.compile(
    r"(?i)\s*(?:[.,;:)]|$)|\sof\s(?!an?\b|one\b|\d)|\s(?:the|its|their|all|these|those)\b|"
    rf"\s(?:{any_word('must', 'may', 'announcing')})\b"
)
"""Behind a share of something; a half of anything else is no number: "half a dozen"."""


def find_fractions(text: str) -> Iterator[WrittenNumber]:
    """Yield parts of a unit, "half an inch", shares in per cent, and how often something is."""
    for match in FRACTION.finditer(text):
        if amount := _read_fraction(text, match):
            span = amount.start, amount.end
            yield WrittenNumber(amount.value, amount, text[slice(*span)], *span)
    for match in _REPETITION.finditer(text):
        value = Decimal(_TIMES[match["words"].casefold()])
        yield WrittenNumber(value, None, match["words"], *match.span("words"))


def _read_fraction(text: str, match: re.Match[str]) -> Quantity | None:
    share = Decimal(_FRACTIONS[match["fraction"].casefold()])
    start, end = match.span("words")
    units = find_quantities(f"1 {text[match.end() :]}") if match["joint"] else ()
    if units and units[0].start == 0:
        return Quantity(share / 100, units[0].unit, start, match.end() + units[0].end - len("1 "))
    return Quantity(share, "per cent", start, end) if _OF_WHOLE.match(text, end) else None
