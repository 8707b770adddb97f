"""Which way an amount goes, as it is allowed: comparison × negations × duty × side, and its proof.

A comparison says on which side of an amount something is. Each negation that governs it turns it
round, as does a duty that forbids; "before" and "below" turn it where it compares times or heights.
Where one of these factors is not known, the relation is not proved.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.grammar.amounts import WrittenAmount
from core.grammar.comparisons import (
    BEHIND,
    COMPARISONS,
    ON_TIME,
    AmountComparison,
    Relation,
    find_comparison,
    name_comparison,
)
from core.grammar.cues import find_language, is_cue, scan
from core.grammar.quantities import UNITS
from core.grammar.relation_doubts import (
    find_doubt,
    find_limit_doubt,
    is_allowed,
    is_given,
    is_of_provided_thing,
    is_quota,
)
from core.grammar.scopes import DUTIES, ClauseScope, ScannedSentence, read_scope

_COMPLEMENTS: dict[Relation, Relation] = {
    "at least": "less than",
    "at most": "more than",
    "more than": "at most",
    "less than": "at least",
}
_MIRRORED: dict[Relation, Relation] = {
    "at least": "at most",
    "at most": "at least",
    "more than": "less than",
    "less than": "more than",
}
_NO_SCOPE = ClauseScope()
_ENDS = (",", ";", ":", ".", "amount", "barrier", "turning", *DUTIES)
_JOINTS = (",", "/", "x", "×")
_OTHER_PARTS = (*DUTIES, "copula", "condition", "relative", "before", "after", "fixed_by", "sign")
"""What no amount goes on behind."""
_MAX_BESIDE, _MAX_OF = 8, 3
"""Words of an amount behind which another goes on from it, and of one behind "of".
tests/benchmarks/sentences.py counts the relations that are right with these."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A relation with its proof; `doubt` says which factor is not known."""

    relation: Relation
    doubt: str = ""
    side: str = ""
    """"before" or "after" what an amount of time is counted from."""
    is_direct: bool = False
    """True of one that words at the amount itself say."""
    is_conditional: bool = False
    """True in a condition, and in a clause that says which things a duty is of."""
    as_said: Relation | None = None
    """The relation without a ban behind it: "over 50 W" of "fans over 50 W are banned"."""
    limit_doubt: str = ""
    """Why it is none of a limit, where its relation is proved for a threshold."""
    scope: ClauseScope = _NO_SCOPE


def find_bounds(
    sentence: ScannedSentence, amounts: Sequence[WrittenAmount]
) -> tuple[Bound | None, ...]:
    """Return the bounds of a sentence's amounts in order; None of one that is a tolerance."""
    numbers = [n for n, amount in enumerate(amounts) if amount.kind == "amount"]
    compared = [_compare(sentence, sentence.amounts[n], amounts[n]) for n in numbers]
    sentence.taken.update(one.at for one in compared if one.name)
    bounds: list[Bound] = []
    for n, one in enumerate(compared):
        bounds.append(_find_bound(one, compared[n - 1] if n else None, bounds[-1] if n else None))
    for n, (one, other) in enumerate(pairwise(compared)):
        # "einer" in "bis zu einer Höhe von 4 m", whose comparison is of another amount
        if one.name and one.at == other.at and is_cue(one.amount.text, "one"):
            bounds[n] = _add_doubt(bounds[n], "no number, but an article")
        elif _are_apart(one, other, bounds[n].relation, bounds[n + 1].relation):
            for end in (n, n + 1):
                bounds[end] = _add_doubt(bounds[end], "one of several amounts")
    scoped = (replace(bound, scope=one.scope) for bound, one in zip(bounds, compared, strict=True))
    found = dict(zip(numbers, scoped, strict=True))
    return tuple(found.get(n) for n in range(len(amounts)))


def _add_doubt(bound: Bound, doubt: str) -> Bound:
    return replace(bound, doubt=bound.doubt or doubt)


def _are_apart(
    one: AmountComparison, other: AmountComparison, low: Relation, high: Relation
) -> bool:
    """True of two bounds that nothing keeps: "at most 5 mm or at least 10 mm"."""
    if one.amount.measure != other.amount.measure:
        return False
    lower, upper = ("at least", "more than"), ("at most", "less than")
    bottom, top = one.amount.value, other.amount.value
    if low in upper:
        low, high, bottom, top = high, low, top, bottom
    is_pair = low in lower and high in upper and top < bottom
    return is_pair and one.sentence.has_any(range(one.place, other.place), "or")


def _compare(sentence: ScannedSentence, place: int, amount: WrittenAmount) -> AmountComparison:
    found = None if amount.upper is not None else find_comparison(sentence, place, amount)
    at, name = found or (place, "")
    scope = read_scope(sentence, min(at, place), place)
    side = _find_side(sentence, place, amount)
    return AmountComparison(sentence, place, at, name, amount, side, scope)


def _find_bound(
    one: AmountComparison, before: AmountComparison | None, bound: Bound | None
) -> Bound:
    """Return the bound of an amount; `before` is the amount before it, with its `bound`."""
    if one.amount.upper is not None:
        limit_doubt = find_limit_doubt(one)
        return Bound("between", find_doubt(one), one.side, True, limit_doubt=limit_doubt)
    if one.name:
        return _govern(one)
    if before and bound and (continued := _continue_bound(one, before, bound)):
        return continued
    if led := _find_led_direction(one.sentence):
        return Bound(led, is_direct=True)
    fixed = _find_plain_bound(one)
    if not before or not bound or not bound.is_direct or fixed.doubt:
        return fixed
    is_alike = before.amount.measure == one.amount.measure or one.has(-1, 0, "turning", ",")
    between = range(one.place - 1, one.sentence.first - 1, -1)
    parting = ("must", "may", "should", "condition", ";")
    if is_alike and one.sentence.find(between, ("amount",), parting) >= 0:
        return _add_doubt(fixed, "beside an amount that is compared")
    return fixed


def _continue_bound(one: AmountComparison, before: AmountComparison, bound: Bound) -> Bound | None:
    """Return the bound of an amount that goes on from the one before it; None where it does not."""
    is_of_condition = bound.is_conditional and one.has(-1, 0, ",")
    is_other = is_of_condition and before.amount.measure != one.amount.measure
    if bound.relation == "between" or is_other:  # "42 to 29 h before (13 h)"
        return None
    own = _find_own_words(one.sentence, one.place)
    is_part = one.amount.value == 1 and one.has(1, 2, "of", "by")  # "two persons, one of whom"
    if own is None or (not bound.is_direct and (own or is_part)):
        return None
    is_alike = before.has(-1, 0, "of") and one.has(-1, 0, "of")  # "a size of 5 and mass of 6"
    doubt = bound.doubt or ("words beside the comparison" if own and not is_alike else "")
    return Bound(bound.relation, doubt, bound.side, bound.is_direct)


def _find_side(sentence: ScannedSentence, place: int, amount: WrittenAmount) -> str:
    """Return the side of an event that an amount of time is on, or of a place one of length."""
    is_time = amount.measure in UNITS.periods
    if not is_time and amount.measure not in ("length", "angle"):
        return ""
    names = ("before", "after") if is_time else ("downward", "upward")
    near = range(place + 1, place + (6 if is_time else 3))
    at = sentence.find(near, names, (",", ";", ".", "⁝", "(", "amount", "must"))
    return next((name for name in names if sentence.has(at, name)), "")


def _find_led_direction(sentence: ScannedSentence) -> Relation | None:
    """Return the relation that what leads to a list gives to all its amounts: "The maxima are:"."""
    last = max(sentence.first - 1, 0)
    own = range(sentence.first, len(sentence.pieces))
    if not sentence.has(last - 1, ":", "—", "–") or sentence.has_any(range(last), "amount"):
        return None
    if sentence.has_any(own, *DUTIES, *COMPARISONS, *BEHIND):
        return None
    return _find_one_direction(ScannedSentence((), sentence.pieces[:last]))


def _find_own_words(sentence: ScannedSentence, place: int) -> int | None:
    """Return how many words an amount has of its own that goes on from the one before it.

    None of "5 mm, 6 mm and 7 mm", and of "100 mm high and 200 mm wide", whose comparison is said
    once; None (the value) for an amount that does not go on.
    """
    has = sentence.has
    last = sentence.pieces[place - 1]
    is_last = last.text in _JOINTS or last.has("turning")
    most = _MAX_BESIDE if is_last else _MAX_OF if last.has("of", "determiner") else 0
    words = count = 0
    for at in range(place - 1, sentence.first - 1, -1):
        if has(at, "amount"):
            if words > most or not count:
                return None
            return 0 if is_last else words
        if sentence.pieces[at].text in (*_JOINTS, "(", ")") or has(at, "turning"):
            count += 1
        elif not has(at, "of", "determiner") or has(at, "copula"):
            if name_comparison(sentence, at) or _parts_amounts(sentence, at, is_last):
                return None
            words += 1
    return None


def _parts_amounts(sentence: ScannedSentence, at: int, is_last: bool) -> bool:
    """True of a word that nothing goes on behind; not of "75 mm if convex, or 50 mm if concave"."""
    is_condition = sentence.has(at, "condition") and not sentence.has(at, "before", "after")
    return sentence.has(at, *_OTHER_PARTS) and not (is_last and is_condition)


def _govern(one: AmountComparison) -> Bound:
    """Return a comparison as it is allowed, after what denies it and the side that it is on."""
    scope, relation, as_said = one.scope, one.relation, None
    doubt = ("" if scope.is_free else scope.doubt) or find_doubt(one)
    turns = one.negations if one.is_turned else 0
    if one.is_turned and scope.behind_negations and not scope.in_condition:
        as_said = _COMPLEMENTS[relation] if turns % 2 else relation
        turns += scope.behind_negations
    elif turns % 2 and _is_denied_before_things(one):
        as_said = relation
    if turns % 2:
        relation = (_MIRRORED if one.name in ("latest", "earliest") else _COMPLEMENTS)[relation]
    if _is_mirrored(one):
        relation, as_said = _MIRRORED[relation], as_said and _MIRRORED[as_said]
    is_conditional = _is_conditional(one)
    limit_doubt = find_limit_doubt(one, is_conditional)
    return Bound(relation, doubt, one.side, True, is_conditional, as_said, limit_doubt)


def _is_conditional(one: AmountComparison) -> bool:
    """True in a condition, and of "tubes that are over 5 mm must", which says what tubes."""
    scope, is_banned = one.scope, one.is_turned and one.scope.behind_negations
    opens = one.at == 0 and one.name in ("more", "less")  # "Below 6,800 rpm it must"
    is_selected = scope.in_relative and scope.has_duty_behind and not is_banned
    return scope.in_condition or opens or (is_selected and not is_of_provided_thing(one))


def _is_mirrored(one: AmountComparison) -> bool:
    """True of times before an event, where more is earlier, and of heights below a place."""
    is_until = one.name == "at_most" and one.cue.has("until") and not one.scope.in_condition
    if one.name in ON_TIME or is_until:
        return one.side == "before"  # "up to 36 hours before the start": no later
    return one.name in ("more", "less") and one.side == "downward" and one.cue.has("height")


def _is_denied_before_things(one: AmountComparison) -> bool:
    """True of "no brackets over 5 mm may be used", not of "brackets not over 5 mm"."""
    scope, has = one.scope, one.sentence.has
    if scope.in_relative:
        return one.finds_before(("relative",), ("negation",))
    is_own = has(one.at - 1, "negation") and not has(one.at - 1, "denying")
    return not scope.duty and scope.has_duty_behind and not is_own


def _is_counted_off(one: AmountComparison) -> bool:
    """True of the number of a quorum or of the share of a majority."""
    is_near = one.has(-3, 0, "counting") or one.has(1, 6, "counting")
    return is_near and not one.has(-3, 0, "announcement")


def _is_of_each(one: AmountComparison) -> bool:
    """True of "each overdue 24 hours"."""
    each = one.place - 2 - one.has(-1, 0, "of")
    opens = each == one.sentence.first or one.sentence.has(each - 1, "barrier", "turning")
    is_each = one.sentence.has(each, "fixed_by") and opens
    return bool(one.amount.measure) and is_each and not one.has(-1, 0, "amount")


def _is_of_notice(one: AmountComparison) -> bool:
    """True of "a one month notice" and "notice of 14 days", which may be longer."""
    is_behind = one.sentence.find(range(one.place + 1, one.place + 4), ("notice",), _ENDS) >= 0
    is_named = is_behind or (one.has(-2, -1, "notice") and one.has(-1, 0, "of"))
    return one.is_time and one.side != "after" and is_named


_FIXED: tuple[tuple[Callable[[AmountComparison], bool], Relation, str], ...] = (
    (lambda one: "mehrheit" in one.amount.text.casefold(), "at least", ""),
    (lambda one: bool(one.amount.fraction) and _is_counted_off(one), "at least", ""),
    (_is_of_notice, "at least", ""),
    (_is_counted_off, "at least", "of a quorum or majority"),
    (lambda one: one.has(-1, 0, "fixed_by") and one.amount.measure == "length", "at most", ""),
    (lambda one: one.has(-1, 0, "fixed_by") and bool(one.amount.measure), "at most", "how often"),
    (_is_of_each, "equal", "how often"),
    (lambda one: one.is_time and is_given(one, 3), "at most", ""),
    (lambda one: bool(one.side) or one.scope.in_condition, "equal", ""),
    (lambda one: bool(one.amount.fraction), "at least", "a share"),
    (is_quota, "at most", ""),
    (lambda one: is_allowed(one) and one.is_time and one.has(1, 2, "may"), "at most", ""),
    (
        lambda one: is_allowed(one) and one.amount.measure in ("", *UNITS.periods, "laps", "sets"),
        "at most",
        "a number that is permitted",
    ),
    (is_allowed, "equal", "a number that is permitted"),
)
"""The relation of an amount that nothing is compared with, and its doubt; else it is fixed."""


def _find_plain_bound(one: AmountComparison) -> Bound:
    """Return the relation of an amount that nothing is compared with."""
    kinds = ((relation, doubt) for test, relation, doubt in _FIXED if test(one))
    relation, doubt = next(kinds, ("equal", ""))
    doubt = one.scope.doubt or find_doubt(one) or doubt
    return Bound(relation, doubt, one.side, is_conditional=one.scope.in_condition)


def find_direction(words: str, language: str = "") -> Relation | None:
    """Return the one direction that words give to all amounts below them; None for none or both."""
    pieces = scan(words, language or find_language(words))
    return _find_one_direction(ScannedSentence((), pieces))


def _find_one_direction(sentence: ScannedSentence) -> Relation | None:
    pieces, found = sentence.pieces, set[Relation]()
    for place in range(len(pieces)):
        name = name_comparison(sentence, place)
        is_adverb = sentence.has(place, "adverb") and place >= len(pieces) - 2
        if is_adverb or name in ("", "only", "exactly", "within", *ON_TIME):
            continue
        if any(one.text[:1].isdigit() for one in pieces[place:]):
            continue
        is_denied = read_scope(sentence, place, place).negations % 2 and name in ("more", "less")
        relation = COMPARISONS[name]
        found.add(_COMPLEMENTS[relation] if is_denied else relation)
    return found.pop() if len(found) == 1 else None
