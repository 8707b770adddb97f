"""Why the relation of a comparison is not proved: a table of tests, each of one kind of sentence.

A doubt of `find_doubt` is of the relation itself. One of `find_limit_doubt` is of a limit alone:
"brackets over 5 mm are rejected" says which brackets, and not how long one has to be.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.grammar.cues import Piece

_NOUNS = frozenset(("minimum", "maximum"))
_STRICT = frozenset(("more than", "less than"))
_LOADS = frozenset(("", "length", "area", "angle"))
"""Measures of what is carried; "carry a label 10 mm wide" bears nothing."""
_MAX_EXCEEDED = 6
"""Words from a limit to "may be exceeded"."""
_MAX_CHANGED = 6
"""Words from "is raised" to the range "from 10 to 15"."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison at piece `at` with the amount at piece `place`, and what governs both.

    `duty` is the category of the duty before it, `turns` how often it is denied.
    """

    pieces: Sequence[Piece]
    place: int
    at: int
    name: str
    relation: str
    measure: str
    side: str
    duty: str
    turns: int
    is_obliged: bool

    @property
    def cue(self) -> Piece:
        """The words that compare."""
        return self.pieces[self.at]


def find_doubt(one: Comparison) -> str:
    """Return why a relation is not proved; empty where it is."""
    return next((doubt for doubt, test in _DOUBTS.items() if test(one)), "")


def find_limit_doubt(
    pieces: Sequence[Piece], place: int, at: int, duty: str, selects: bool = True
) -> str:
    """Return why the relation at a place is none of a limit; empty where it may be one.

    `at` is where the words begin that go with the amount, `duty` the category of the duty before.
    `selects` is false of a comparison that says when, and not which things.
    """
    first, last = _find_clause(pieces, place)
    if any(one.has("averse") for one in pieces[first:last]):
        return "of what is refused"
    if any(one.has("definition") for one in pieces[place:last]):
        return "of what a word means"
    if any(
        one.has("applying", "not_applying") and following.has("barrier")
        for one, following in pairwise(pieces[first:place])
    ):
        return "of what a rule applies to"
    if pieces[first].has("whoever") and not any(one.text == "," for one in pieces[first:place]):
        return "of whom it is"
    if not duty and selects and _selects_things(pieces, first, at, place, last):
        return "of the things that a duty is of"
    return ""


def doubt_fixed(pieces: Sequence[Piece], place: int) -> str:
    """Return why an amount that nothing is compared with is not proved to be the one allowed."""
    beside = pieces[max(0, place - 1) : place + 2]
    if any(one.has("multiplied") for one in beside):
        return "an amount that is added or subtracted"
    if any(one.has("or") for one in beside):
        return "one of several amounts"
    if any(one.has("reaching") for one in pieces[max(0, place - 5) : place + 6]):
        return "an amount that has to be reached"
    return ""


def is_range_doubted(pieces: Sequence[Piece], place: int) -> bool:
    """True of "outside of 10 to 15 mm", and of what is changed from one to the other."""
    before = pieces[max(0, place - _MAX_CHANGED) : place]
    return any(one.has("outside", "changing") for one in before)


def _find_clause(pieces: Sequence[Piece], place: int) -> tuple[int, int]:
    """Return where the part of a sentence begins and ends that an amount is in."""
    ends = [n for n, one in enumerate(pieces) if one.text in (";", ".", "⁝", "!", "?")]
    first = max((n + 1 for n in ends if n < place), default=0)
    colons = (n for n, one in enumerate(pieces) if one.text == ":")
    return first, min((n for n in (*ends, *colons) if n > place), default=len(pieces))


def _selects_things(pieces: Sequence[Piece], first: int, at: int, place: int, last: int) -> bool:
    """True of "tubes of at least 5 mm must be painted", not of "... must be fitted"."""
    if not any(one.kind == "word" for one in pieces[first:at]):
        return False
    for number in range(place + 1, last):
        one = pieces[number]
        if one.has("condition", "exception"):
            return False
        if one.has("must", "free", "should") and not one.has("copula"):
            following = pieces[number + 1 : last]
            is_denied = one.has("free") or any(p.has("negation") for p in following[:2])
            return is_denied or not any(p.has("providing") for p in following)
        if one.has("may", "forbidding", "must_not"):
            return False
    return False


def is_permitted_beyond(one: Comparison) -> bool:
    """True of "may exceed 60 km/h"."""
    return one.duty == "may" and one.relation in _STRICT and not one.turns


def _has_second_verb(one: Comparison) -> bool:
    """True of "darf 5 mm weder über- noch unterschreiten", which denies both."""
    between = one.pieces[one.place + 1 : one.at]
    is_verb = one.name in ("behind_more", "behind_less")
    return is_verb and any(piece.has("more", "less") for piece in between)


def _is_calculated(one: Comparison) -> bool:
    """True of a part of "10 mm plus 15 mm"."""
    beside = one.pieces[max(0, one.place - 1) : one.place + 2]
    return any(piece.has("multiplied") for piece in beside)


def _is_difference(one: Comparison) -> bool:
    """True of the second amount of "10 mm longer than 15 mm"."""
    if one.name not in ("more", "less") or not one.at or one.cue.has("or"):
        return False
    return one.pieces[one.at - 1].kind == "amount"


def _has_opposite_noun(one: Comparison) -> bool:
    """True of "the minimum number of maximum scores"."""
    if one.name not in _NOUNS:
        return False
    [opposite] = _NOUNS - {one.name}
    for piece in reversed(one.pieces[: one.at]):
        if piece.has(opposite) and not piece.has(one.name):
            return True
        if piece.kind in ("amount", "sign") or piece.has("must", "may", "turning", "negation"):
            return False
    return False


def _is_exceeded_otherwise(one: Comparison) -> bool:
    """True of "must not exceed the length by at least 10 mm"."""
    if one.relation not in ("at least", "at most") or one.at > one.place:
        return False
    same = "more" if one.relation == "at most" else "less"
    other = "less" if same == "more" else "more"
    near = one.pieces[max(0, one.at - 4) : one.at]
    is_by = any(piece.has("by") for piece in near)
    return bool(one.turns) and any(p.has(other) or (is_by and p.has(same)) for p in near)


def _bears_no_load(one: Comparison) -> bool:
    return one.name == "borne" and one.measure in _LOADS


def _is_of_ability(one: Comparison) -> bool:
    """True of "must withstand up to 10 kN", which more may be withstood than."""
    if one.turns or one.measure in ("time", "months") or one.relation == "at least":
        return False
    for piece in reversed(one.pieces[: one.at]):
        if piece.has("borne", "capable"):
            return True
        if piece.kind in ("amount", "sign") or piece.has("must", "may", "turning", "relative"):
            return False
    return False


def _may_be_exceeded(one: Comparison) -> bool:
    """True of "the limit of 10 mm may be exceeded"."""
    following = one.pieces[one.place + 1 : one.place + _MAX_EXCEEDED]
    allowed = next((n for n, piece in enumerate(following) if piece.has("may")), None)
    if allowed is None or any(piece.has("turning", "relative") for piece in following[:allowed]):
        return False
    rest = following[allowed:]
    is_denied = any(piece.has("negation", "weak_negation") for piece in following)
    return not is_denied and any(
        piece.has("more", "less", "denied_exceed", "behind_more", "behind_less") for piece in rest
    )


def _is_negative_behind(one: Comparison) -> bool:
    return any(p.has("negative") for p in one.pieces[one.place + 1 : one.place + 3])


def _is_choice_before(one: Comparison) -> bool:
    """True of "at least the greater of 10 mm and 15 mm"."""
    return any(p.has("choice") for p in one.pieces[min(one.at, one.place) : one.place])


def _is_above_and_below(one: Comparison) -> bool:
    """True of "above a line 30 mm below the top"."""
    return one.side == "downward" and one.cue.has("adverb")


def _is_latest_denied(one: Comparison) -> bool:
    """True of "may not be sent at the latest 14 days", not of "not until"."""
    names = ("latest", "earliest", "behind_latest", "behind_earliest")
    later = one.name in names and one.turns % 2
    return bool(later) and not one.cue.has("until")


_DOUBTS: dict[str, Callable[[Comparison], bool]] = {
    "an amount that is added or subtracted": _is_calculated,
    "so much more than another amount": _is_difference,
    "a minimum of maxima": _has_opposite_noun,
    "exceeded by so much": _is_exceeded_otherwise,
    "no load": _bears_no_load,
    "what has to be possible": _is_of_ability,
    "it may be exceeded": _may_be_exceeded,
    "of a negative amount": _is_negative_behind,
    "one of several amounts": _is_choice_before,
    "above something that is below": _is_above_and_below,
    "two verbs behind it": _has_second_verb,
    "a time that is denied": _is_latest_denied,
    "nobody is obliged": lambda one: one.is_obliged and one.turns > 0,
}
