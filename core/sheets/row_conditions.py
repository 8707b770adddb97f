"""Under which conditions limits hold, and whether a row of a sheet says that they do."""

import re
from collections.abc import Iterator, Sequence
from operator import ge, gt, le, lt

from core.grammar import CASE_BEFORE, find_figures, list_cues
from core.registers import Limit
from core.sheets.limit_search import ParameterWord, limit_words

MIN_CONDITION = 0.34
"""Share of a condition's words that a row must say: more than a third, so of three words two."""
_GATE = re.compile(
    rf"(?:{list_cues('gate').any}|\w+ only)\b|{CASE_BEFORE.pattern}"
    rf"|when(?:ever)?\s+(?!(?:{list_cues('observing').any})\b)",
    re.IGNORECASE,
)
"""Conditions that decide whether a limit holds; others say when or where it is measured."""
_GENERAL = frozenset(map(str, limit_words("when where used with without which provided if")))
OPERATOR = re.compile(r"(<=|>=|<|>|≤|≥)")
_COMPARISONS = {"<": lt, "<=": le, "≤": le, ">": gt, ">=": ge, "≥": ge}


def find_gates(condition: str) -> Iterator[str]:
    """Yield the parts of a condition that decide whether a limit holds."""
    gates = filter(_GATE.match, condition.split("; "))
    return (gate for gate in gates if limit_words(gate) - _GENERAL)


def is_of_case(gate: str) -> bool:
    """True of a condition that is the case of which the sentence before speaks: "For them: …".

    Of other cases the rule says nothing, whatever the value. "Except where it is electric, in which
    case …" says something of both.
    """
    return CASE_BEFORE.fullmatch(gate.partition(":")[0]) is not None


def says(text: str, said: Sequence[ParameterWord]) -> bool:
    """True where enough words of a rule's text are said."""
    words = {word for word in limit_words(text) if len(word) > 2} - _GENERAL
    held = {stem for stem in words if any(word.is_in(frozenset((stem,))) for word in said)}
    if any(stem.startswith("not") and stem not in held for stem in words - limit_words("note")):
        return False  # "without a diffuser"
    return not words or len(held) / len(words) >= MIN_CONDITION


def is_in_band(text: str, limit: Limit) -> bool | None:
    """Return whether a row is in the band of a limit ("200 V < Vmax <= 400 V"); None if unknown."""
    if not OPERATOR.search(limit.condition):
        return None
    ends = [(one, one.quantity) for one in find_figures(limit.condition) if one.quantity]
    kinds = {quantity.kind for _, quantity in ends}
    given = [one.quantity for one in find_figures(text) if one.quantity]
    mine = [one.base for one in given if one.kind in kinds]
    if len(mine) != 1 or len(kinds) != 1:
        return None
    is_kept = True
    for figure, end in ends:
        before, behind = limit.condition[: figure.start], limit.condition[figure.end :]
        if match := re.search(rf"{OPERATOR.pattern}\s*$", before):
            is_kept &= _COMPARISONS[match[1]](mine[0], end.base)
        elif match := OPERATOR.match(behind.lstrip()):
            is_kept &= _COMPARISONS[match[1]](end.base, mine[0])
    return is_kept
