"""What an amount is for in its sentence: a limit, a threshold, a name, a date ...

`roles.json` holds the weights that `tests/benchmarks/learn_roles.py` learns.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from math import exp, fsum
from pathlib import Path
from typing import Literal

from core.grammar.amounts import WrittenAmount
from core.grammar.cues import Piece, fold
from core.grammar.quantities import UNITS
from core.grammar.relations import Bound
from core.grammar.scopes import ScannedSentence, read_scope

Role = Literal[
    "limit", "threshold", "size_name", "fact", "date", "reference", "sanction", "tolerance", "other"
]
_NEAR = 6
"""Pieces on each side of an amount whose cues are features. Their weights are learned with it, by
tests/benchmarks/learn_roles.py."""
_FILE = Path(__file__).with_name("roles.json")


def find_features(
    sentence: ScannedSentence, place: int, amount: WrittenAmount, bound: Bound | None
) -> frozenset[str]:
    """Return what the words around an amount say of its role, by name."""
    own = sentence.pieces[sentence.first :]
    return frozenset(
        chain(
            _describe_amount(amount),
            _describe_neighbours(sentence.pieces, place),
            _describe_words(own, place - sentence.first),
            _describe_place(sentence, place),
            _describe_bound(sentence, place, amount, bound) if bound else (),
        )
    )


def _describe_amount(amount: WrittenAmount) -> Iterator[str]:
    yield f"kind {amount.kind}"
    yield f"measures {'count' if amount.is_count else amount.measure or 'unit'}"
    unit = amount.unit  # "the 30 foot line", of which a number of feet is no amount
    plurals = {f"{unit}s", f"{unit}es"} if unit else set()
    marks = {
        "in words": amount.is_spelled,
        "one": not amount.measure and amount.value == 1,
        "has decimals": amount.value != amount.value.to_integral(),
        "range": amount.upper is not None,
        "share": bool(amount.fraction),
        "zero": amount.kind == "amount" and amount.value == 0,
        "of a name": amount.value != 1 and (unit == "foot" or any(one in UNITS for one in plurals)),
    }
    yield from (name for name, is_so in marks.items() if is_so)


def _describe_neighbours(pieces: Sequence[Piece], place: int) -> Iterator[str]:
    if any(one.has("between") for one in pieces[max(0, place - 2) : place]):
        yield f"between near, {'count' if pieces[place].has('count') else 'measure'}"
    for step in (1, 2):
        yield from _neighbour(pieces, place - step, f"before {step}")
        yield from _neighbour(pieces, place + step, f"behind {step}")
    if place + 1 < len(pieces) and pieces[place + 1].text.casefold() in ("or", "of", "of the"):
        yield "one of" if pieces[place].text.casefold() == "one" else "some of"


def _describe_words(own: Sequence[Piece], at: int) -> Iterator[str]:
    """Yield the words and cues of a sentence, and which of them are near the amount."""
    parts = own, own[max(0, at - _NEAR) : at], own[at + 1 : at + 1 + _NEAR]
    for where, part in zip(("in sentence", "before", "behind"), parts, strict=True):
        names = {name for piece in part for name in piece.names}
        yield from (f"{name} {where}" for name in _TELLING & names)
    for where, part in (("before", own[max(0, at - 4) : at]), ("behind", own[at + 1 : at + 5])):
        words = (piece for piece in part if piece.kind in ("word", "cue"))
        yield from (f"word {where} {fold(piece.text)}" for piece in words)
    yield from (f"word {fold(piece.text)}" for piece in own if piece.kind == "word")
    following = (piece.names & _TELLING for piece in own[at + 1 :])
    yield from (f"next {name}" for name in next(filter(None, following), ()))
    yield from (f"opens {name}" for name in own[0].names)


def _describe_place(sentence: ScannedSentence, place: int) -> Iterator[str]:
    pieces, first = sentence.pieces, sentence.first
    own, at = pieces[first:], place - first
    lead = {name for piece in pieces[:first] for name in piece.names}
    yield from (f"{name} lead" for name in _TELLING & lead)
    signs = Counter(one.text for one in own[:at])
    marks = {
        "no duty at all": not any(piece.has(*_DUTIES) for piece in pieces),
        "not first": any(piece.kind == "amount" for piece in own[:at]),
        "opens": at <= 2,
        "closes": at >= len(own) - 2,
        "listed": bool(first) and pieces[first - 2].text in (":", "—", "–"),
        "in brackets": signs["("] > signs[")"],
        "in square brackets": signs["["] > signs["]"],
    }
    yield from (name for name, is_so in marks.items() if is_so)


def _describe_bound(
    sentence: ScannedSentence, place: int, amount: WrittenAmount, bound: Bound
) -> Iterator[str]:
    measure, scope = amount.measure or "count", read_scope(sentence, place, place)
    how = "compared" if bound.is_direct else "not compared"
    yield from (how, f"relation {bound.relation}", f"relation {bound.relation}, {measure}")
    yield from (f"measures {measure}, {how}", f"duty {scope.duty or 'none'}")
    for name in ("is_free", "in_condition", "in_relative", "has_duty_behind"):
        if getattr(scope, name):
            yield f"{name}{' compared' if bound.is_direct else ''}"
    if scope.negations:
        yield "denied"
    if scope.behind_negations:
        yield "forbidden behind"
    if place:
        yield from (f"before 1 {name}, {measure}" for name in sentence.pieces[place - 1].names)


_DUTIES = ("must", "may", "must_not", "should", "forbidding")
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
    yield from (f"{where} {name}" for name in one.names)
    if one.kind in ("word", "cue") and where.endswith("1"):
        yield f"{where} is {fold(one.text)}"
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
