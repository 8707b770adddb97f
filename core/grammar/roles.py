"""What an amount is for in its sentence: a limit, a threshold, a name, a date ...

`roles.json` holds the weights that `tests/benchmarks/learn_roles.py` learns.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import exp, fsum
from pathlib import Path
from typing import Literal

from core.grammar.amounts import WrittenAmount
from core.grammar.cues import Piece, fold
from core.grammar.relations import Bound
from core.grammar.scopes import ScannedSentence, read_scope

Role = Literal[
    "limit", "threshold", "size_name", "fact", "date", "reference", "sanction", "tolerance", "other"
]
_NEAR = 6
_FILE = Path(__file__).with_name("roles.json")


def find_features(
    sentence: ScannedSentence, place: int, amount: WrittenAmount, bound: Bound | None
) -> frozenset[str]:
    """Return what the words around an amount say of its role, by name."""
    return frozenset(_features(sentence, place, amount, bound))


def _features(
    sentence: ScannedSentence, place: int, amount: WrittenAmount, bound: Bound | None
) -> Iterator[str]:
    pieces = sentence.pieces
    yield f"kind {amount.kind}"
    measures = "count" if amount.is_count else amount.measure or "unit"
    yield f"measures {measures}"
    if any(one.has("between") for one in pieces[max(0, place - 2) : place]):
        yield "between near"
    if amount.is_spelled:
        yield "in words"
    if not amount.measure and amount.value == 1:
        yield "one"
    if amount.value != amount.value.to_integral():
        yield "has decimals"
    if amount.upper is not None:
        yield "range"
    if amount.fraction:
        yield "share"
    if amount.kind == "amount" and amount.value == 0:
        yield "zero"
    for step in (1, 2):
        yield from _neighbour(pieces, place - step, f"before {step}")
        yield from _neighbour(pieces, place + step, f"behind {step}")
    if bound is not None:
        yield f"relation {bound.relation}"
        yield "compared" if bound.is_direct else "not compared"
        scope = read_scope(sentence, place, place)
        yield f"duty {scope.duty or 'none'}"
        for name in ("is_free", "in_condition", "in_relative", "has_duty_behind"):
            if getattr(scope, name):
                yield f"{name}{' compared' if bound.is_direct else ''}"
        if scope.negations:
            yield "denied"
        if scope.behind_negations:
            yield "forbidden behind"
    own = pieces[sentence.first :]
    at = place - sentence.first
    for where, part in (
        ("before", own[max(0, at - _NEAR) : at]),
        ("behind", own[at + 1 : at + 1 + _NEAR]),
        ("lead", pieces[: sentence.first]),
    ):
        names = {name for piece in part for name in piece.names}
        for name in _TELLING & names:
            yield f"{name} {where}"
    names = {name for piece in own for name in piece.names}
    for name in _TELLING & names:
        yield f"{name} in sentence"
    for where, part in (("before", own[max(0, at - 4) : at]), ("behind", own[at + 1 : at + 5])):
        for piece in part:
            if piece.kind in ("word", "cue"):
                yield f"word {where} {fold(piece.text)}"
    for piece in own:
        if piece.kind == "word":
            yield f"word {fold(piece.text)}"
    how = "compared" if bound and bound.is_direct else "plain"
    yield f"measures {amount.measure or 'count'}, {how}"
    if bound is not None and place:
        for name in pieces[place - 1].names:
            yield f"before 1 {name}, {amount.measure or 'count'}"
    if not any(piece.has("must", "may", "must_not", "should", "forbidding") for piece in pieces):
        yield "no duty at all"
    if any(piece.kind == "amount" for piece in own[:at]):
        yield "not first"
    if at <= 2:
        yield "opens"
    if at >= len(own) - 2:
        yield "closes"
    if sentence.first and pieces[sentence.first - 2].text in (":", "—", "–"):
        yield "listed"
    depth = sum((one.text == "(") - (one.text == ")") for one in own[:at])
    if depth > 0:
        yield "in brackets"
    if sum((one.text == "[") - (one.text == "]") for one in own[:at]) > 0:
        yield "in square brackets"
    if place + 1 < len(pieces) and pieces[place + 1].text.casefold() in ("or", "of", "of the"):
        yield "one of" if amount.value == 1 else "some of"


_TELLING = frozenset(
    """sanction definition definitions example announcement counting condition requires circumstance
    relative exception time_allowed measured multiplied roughly about universal must may must_not
    forbidding will should""".split()
)
"""Cues that say something of a role from anywhere in a sentence."""


def _neighbour(pieces: Sequence[Piece], place: int, where: str) -> Iterator[str]:
    if not 0 <= place < len(pieces):
        yield f"{where} end"
        return
    one = pieces[place]
    for name in one.names:
        yield f"{where} {name}"
    if one.kind == "amount":
        yield f"{where} amount"
    elif one.kind == "sign":
        yield f"{where} {one.text}"
    elif one.kind == "word":
        yield f"{where} {'name' if one.text[:1].isupper() else 'word'}"
        if where.startswith("behind") and one.text.endswith("s"):
            yield f"{where} plural"


@cache
def load_weights() -> Mapping[Role, Mapping[str, float]]:
    """Return the weights of features, by role."""
    weights: dict[Role, dict[str, float]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return weights


def weigh_roles(
    features: frozenset[str], weights: Mapping[Role, Mapping[str, float]] | None = None
) -> dict[Role, float]:
    """Return how likely each role is, 0 to 1, by features; `weights` are those of the file."""
    sums = {
        role: fsum((own.get("bias", 0.0), *(own.get(one, 0.0) for one in features)))
        for role, own in (weights or load_weights()).items()
    }
    top = max(sums.values())
    powers = {role: exp(value - top) for role, value in sums.items()}
    whole = sum(powers.values())
    return {role: power / whole for role, power in powers.items()}
