"""Why a relation is not proved: tables of tests, each of one kind of sentence.

A doubt of `find_doubt` is of the relation itself. One of `find_limit_doubt` is of a limit alone:
"brackets over 5 mm are rejected" says which brackets, and not how long one has to be.
"""

from collections.abc import Callable

from core.grammar.comparisons import BEHIND, COMPARISONS, NOUNS, ON_TIME, AmountComparison
from core.grammar.cues import is_cue
from core.grammar.scopes import DUTIES

_STRICT = frozenset(("more than", "less than"))
_SIGNS_OF_VALUE = ("negative", "≤", "≥", "<", ">")
_OTHER_CLAUSE = ("amount", "sign", "must", "may", "turning")
_ENDS = (";", ".", "⁝", "!", "?")
Tests = dict[str, Callable[[AmountComparison], bool]]


def find_doubt(one: AmountComparison) -> str:
    """Return why a relation is not proved; empty where it is."""
    if one.amount.upper is not None:
        return _find_first(_RANGE, one)
    return _find_first((_COMPARED if one.name else _FIXED) | _ANY, one)


def find_limit_doubt(one: AmountComparison, is_conditional: bool = False) -> str:
    """Return why the relation is none of a limit; empty where it may be one."""
    if not is_conditional and is_permitted_beyond(one):
        return "permitted beyond it"
    is_when = one.name == "within" and one.is_time
    selects = not (one.scope.duty or is_conditional or is_when) and _selects_things(one)
    return _find_first(_LIMIT, one) or ("of the things that a duty is of" if selects else "")


def _find_first(tests: Tests, one: AmountComparison) -> str:
    return next((doubt for doubt, test in tests.items() if test(one)), "")


def is_permitted_beyond(one: AmountComparison) -> bool:
    """True of "may exceed 60 km/h"."""
    is_denied = one.negations or one.scope.behind_negations
    return one.scope.duty == "may" and one.relation in _STRICT and not is_denied


def is_quota(one: AmountComparison) -> bool:
    """True of "Each team may enter two boats": of whom it is, what is done, and how many."""
    near = range(one.place - 1, one.place - 5, -1)
    stops = ("sign", "amount", "by", "turning", "negation")
    may = one.sentence.find(near, ("may",), stops)
    whose = range(max(one.sentence.first, may - 5), may)
    is_many = not one.amount.measure and not is_cue(one.amount.text, "one")
    is_object = is_many and not one.has(-1, 0, "barrier", "of") and not one.has(1, 2, "of")
    is_object = is_object and not (one.amount.value == 1 and one.has(2, 4, "barrier"))
    return is_object and one.sentence.has_any(whose, "universal", "one")


def is_allowed(one: AmountComparison) -> bool:
    """True under a permission before an amount, or behind it: "three minutes are allowed"."""
    behind = range(one.place + 1, one.place + 6)
    stops = ("sign", "amount", "must", "condition", "relative", "turning")
    return one.scope.duty == "may" or (
        not one.scope.duty and one.sentence.find(behind, ("may",), stops) >= 0
    )


def _is_denied(one: AmountComparison) -> bool:
    """True where a negation or a free choice is around an amount."""
    scope = one.scope
    return bool(scope.negations or scope.others or scope.is_free or scope.behind_negations)


def _clause_of(one: AmountComparison) -> tuple[range, range]:
    """Return the places before and behind an amount in its part of the sentence."""
    has, first, last = one.sentence.has, one.place, one.place + 1
    while first and not has(first - 1, *_ENDS):
        first -= 1
    while last < len(one.sentence.pieces) and not has(last, *_ENDS, ":"):
        last += 1
    return range(first, one.place), range(one.place + 1, last)


def _is_of_rule(one: AmountComparison) -> bool:
    """True of "rules apply to cars over 5 m"."""
    has = one.sentence.has
    return any(
        has(n, "applying", "not_applying") and has(n + 1, "barrier") and n + 1 < one.place
        for n in _clause_of(one)[0]
    )


def _selects_things(one: AmountComparison) -> bool:
    """True of "tubes of at least 5 mm must be painted", not of "... must be fitted"."""
    has, (before, behind) = one.sentence.has, _clause_of(one)
    names = range(one.start - 1, before.start - 1, -1)
    if one.sentence.find(names, ("word",), (",",)) < 0:
        return False
    for n in behind:
        if has(n, "condition", "exception"):
            return False
        if has(n, "must", "free", "should") and not has(n, "copula"):
            return not _must_be_there(one, n, behind.stop)
        if has(n, "may", "forbidding", "must_not"):
            return False
    return False


def _must_be_there(one: AmountComparison, duty: int, end: int) -> bool:
    """True of the duty of a thing itself: "must be fitted", "is required"."""
    has, has_any = one.sentence.has, one.sentence.has_any
    if has(duty, "free") or has_any((duty + 1, duty + 2), "negation"):
        return False
    is_there = has(duty, "obliged") and (has(duty + 1, "sign") or duty + 1 >= end)
    return is_there or has_any(range(duty + 1, end), "providing")


def is_of_provided_thing(one: AmountComparison) -> bool:
    """True of "a plate with at least 3 mm is required", whose plate has to be there so."""
    behind = _clause_of(one)[1]
    duty = one.sentence.find(behind, ("must", "may", "forbidding", "free"), ("condition",))
    return one.sentence.has(duty, "must") and _must_be_there(one, duty, behind.stop)


def _has_second_verb(one: AmountComparison) -> bool:
    """True of "darf 5 mm weder über- noch unterschreiten", which denies both."""
    return (
        one.at > one.place
        and one.name not in BEHIND
        and one.has(1, one.at - one.place, "more", "less")
    )


def _has_opposite_noun(one: AmountComparison) -> bool:
    """True of "the minimum number of maximum scores"."""
    if one.name not in NOUNS:
        return False
    return one.finds_before({*NOUNS} - {one.name}, (*_OTHER_CLAUSE, "negation", one.name))


def _is_exceeded_otherwise(one: AmountComparison) -> bool:
    """True of "must not exceed the length by at least 10 mm"."""
    if one.relation not in ("at least", "at most") or one.at > one.place or not one.negations:
        return False
    same, other = ("more", "less") if one.relation == "at most" else ("less", "more")
    near, has_any = range(one.at - 4, one.at), one.sentence.has_any
    return has_any(near, other) or (has_any(near, "by") and has_any(near, same))


def _may_exceed(one: AmountComparison) -> bool:
    """True of "the limit of 10 mm may be exceeded"."""
    near = range(one.place + 1, one.place + 6)
    allowed = one.sentence.find(near, ("may",), ("turning", "relative"))
    verbs = ("more", "less", "denied_exceed", "behind_more", "behind_less")
    return (
        allowed >= 0
        and one.sentence.has_any(range(allowed, near.stop), *verbs)
        and not one.has(1, 6, "negation", "weak_negation")
    )


def _is_denied_unclearly(one: AmountComparison) -> bool:
    """True of negations that may mean less, or that nobody has to: "not at least 5 mm"."""
    scope, turns = one.scope, one.negations + one.scope.behind_negations
    if scope.others or not turns:
        return bool(scope.others)
    is_time = one.name in ON_TIME[2:] and not one.cue.has("until")
    is_exceeded = one.sentence.has_any(range(one.at - 4, one.at), "more", "less")
    is_kept = (one.negations, scope.denials) == (2, 1)  # "must not fail to"
    doubts = (
        scope.is_obliged,
        one.negations != 0 and not (is_kept or one.is_turned or is_exceeded),
        one.is_turned and turns > 1 and (turns, scope.denials) != (2, 1),
        scope.duty == "may" and scope.denials > 0 and one.negations == 1,
        is_time and turns % 2 == 1,
        _is_forbidden_behind(one),
    )
    return any(doubts)


def _is_forbidden_behind(one: AmountComparison) -> bool:
    """True where a ban behind an inclusive bound is not "must not be exceeded"."""
    if not one.scope.behind_negations or one.scope.in_condition or one.is_turned:
        return False
    verbs = ("more", "denied_exceed") if one.relation == "at most" else ("less",)
    is_kept = one.relation in ("at most", "at least") and one.has(1, 6, *verbs)
    return not (one.name in BEHIND or is_kept)


def _is_only_of_other(one: AmountComparison) -> bool:
    """True of "only", but for "may only use two" and "Only two may"."""
    if one.name != "only":
        return one.relation in _STRICT and one.sentence.has(one.at - 1, "only")
    is_duty = one.cue.has("must_not") or one.scope.duty == "may"
    behind = one.sentence.find(_clause_of(one)[1], ("obliged", "free"), (",", "may"))
    is_count = one.amount.is_count and one.at == one.place - 1  # "only one is needed" may be more
    is_fact = one.has(-2, -1, "copula") and not one.sentence.has(one.place - 3, "expletive")
    is_count = is_count and behind < 0 and not is_fact and one.has(1, 2, "word", "agent")
    is_plain = is_duty or (not one.scope.duty and (is_count or one.at <= one.sentence.first))
    is_near = one.at >= one.place - (2 if one.cue.has("must_not") else 1)
    is_near = is_near and one.amount.measure in ("", "sets", "laps")
    return one.scope.in_condition or not (is_plain and is_near)


def _is_negative(one: AmountComparison) -> bool:
    if one.has(1, 3, "negative"):
        return True
    text = one.cue.text.casefold()
    is_size = one.amount.value < 0 and one.amount.measure != "temperature"
    return is_size and not any(sign in text for sign in _SIGNS_OF_VALUE)


def _has_comparison_near(one: AmountComparison) -> bool:
    """True where words compare that no amount has taken, and that are no prepositions."""
    sentence, names = one.sentence, (*COMPARISONS, *BEHIND, "between")
    others = ("copula", "before", "after", "determiner", "neutral", "of")
    before = range(one.place - 1, max(sentence.first - 1, one.place - 11), -1)
    inside = {n for opened, closed in sentence.partners.items() for n in range(opened + 1, closed)}
    behind = [n for n in _clause_of(one)[1] if n not in inside]
    late = (behind, (*BEHIND, *ON_TIME)) if one.is_time else (behind[:8], tuple(BEHIND))
    for places, wanted in ((before, names), late):
        for at in places:
            if sentence.has(at, "amount", ";", "."):
                break
            if sentence.has(at, *wanted) and not sentence.has(at, *others):
                if at not in sentence.taken:
                    return True
                break
    return False


def _is_coordinate(one: AmountComparison) -> bool:
    """True behind the name of an axis: "Z = 5", "X_PU = 10"."""
    before = [piece.text for piece in one.sentence.pieces[max(0, one.place - 3) : one.place]]
    axis = "".join(before[:-1])[-3:].partition("_")[0]
    return before[-1:] == ["="] and axis[-1:] in ("X", "Y", "Z")


def is_given(one: AmountComparison, reach: int) -> bool:
    """True of "has five minutes"; of "must have" it is not."""
    return one.scope.duty != "must" and one.has(-reach, 0, "time_allowed")


def _is_of_times(one: AmountComparison) -> bool:
    """True of "100 times a second" and of "up to three times.", not of "three times the width"."""
    ends = ("sign", "barrier", "turning", "condition", "circumstance")
    is_rate = one.has(2, 3, "fixed_by") or (
        one.has(2, 3, "determiner") and not one.has(2, 3, "existing")
    )
    is_last = one.place + 2 >= len(one.sentence.pieces)
    return is_rate or is_last or (one.has(2, 3, *ends) and not one.has(2, 3, "aside"))


def _is_place_beside(one: AmountComparison) -> bool:
    """True of "30 bar below the limit", and of times that do not say when something is done."""
    if not one.is_time:
        return bool(one.side) or one.has(1, 2, "more", "less", "downward", "upward")
    if is_given(one, 3):
        return False
    is_when = one.has(1, 2, one.side) and not one.has(1, 2, "of", "barrier")
    is_event = not one.has(-1, 0, "barrier", "after", "existing") and not one.has(
        -4, 0, "time_allowed"
    )
    return bool(one.side) and not (is_when and is_event)


_ANY: Tests = {
    "the name of something": lambda one: one.name in BEHIND and one.has(-1, 0, "named"),
    "of an example": lambda one: one.sentence.has_any(
        range(one.sentence.first + 1), "example"
    ),  # in the lead, or first
    "an amount that is added or subtracted": lambda one: (
        one.has(-1, 1, "multiplied") or (one.has(1, 2, "multiplied") and not _is_of_times(one))
    ),
    "one of several amounts": lambda one: one.sentence.has_any(
        range(one.start, len(one.sentence.pieces)), "choice"
    ),
}
_COMPARED: Tests = {
    "nothing is required": lambda one: one.scope.is_free,
    "so much more than another amount": lambda one: (  # "10 mm longer than 15 mm"
        one.name in ("more", "less")
        and not one.cue.has("or")
        and one.sentence.has(one.at - 1, "amount")
    ),
    "a minimum of maxima": _has_opposite_noun,
    "exceeded by so much": _is_exceeded_otherwise,
    "no load": lambda one: (
        one.name == "borne" and one.amount.measure in ("", "length", "area", "angle")
    ),
    "what has to be possible": lambda one: (  # "must withstand up to 10 kN", and may more
        not (one.negations or one.is_time or one.relation == "at least")
        and one.finds_before(("borne", "capable"), (*_OTHER_CLAUSE, "relative"))
    ),
    "it may be exceeded": _may_exceed,
    "of a negative amount": _is_negative,
    "above something that is below": lambda one: one.side == "downward" and one.cue.has("adverb"),
    "within something that reaches so far": lambda one: (
        one.name == "within" and one.sentence.has_any(range(one.at, one.place), "reaching")
    ),
    "two verbs behind it": _has_second_verb,
    "denied in a way that is not read": _is_denied_unclearly,
    "it does not apply": lambda one: one.has(1, 6, "not_applying"),
    "so near to another amount": lambda one: (
        one.name == "within" and one.amount.measure == "share" and one.has(1, 2, "of")
    ),
    "within a time before": lambda one: one.name == "within" and one.side == "before",
    "“only” of something else": _is_only_of_other,
    "up to a time before": lambda one: (
        one.name == "at_most"
        and one.cue.has("until")
        and one.side == "before"
        and not (one.scope.in_condition or is_allowed(one))
    ),
}
_FIXED: Tests = {
    "denied": _is_denied,
    "a comparison that is not read": _has_comparison_near,
    "one of two amounts": lambda one: (
        one.has(-1, 2, "or")
        or (one.has(-1, 0, "turning") and one.has(-2, -1, "amount"))
        or (one.has(1, 2, "turning") and one.has(2, 3, "amount"))
        or one.sentence.has_any(range(len(one.sentence.pieces)), "choice")
    ),
    "an amount that has to be reached": lambda one: one.has(-5, 6, "reaching"),
    "a coordinate": lambda one: _is_coordinate(one) or "=" in one.amount.text,
    "one of them": lambda one: (
        one.amount.text.isalpha()
        and (one.amount.value == 1 or one.has(2, 3, "relative"))
        and one.has(1, 2, "of", "by")
    ),
    "a time or place beside another": _is_place_beside,
    "about so much": lambda one: one.has(-1, 0, "about"),
    "a number that is allowed": lambda one: not one.is_time and is_given(one, 2),
    "of the first so many": lambda one: (
        one.has(-1, 0, "ordinal") and not one.amount.measure and not one.side
    ),
}
_RANGE: Tests = {
    "what is denied of a range": _is_denied,
    "what is outside of a range": lambda one: one.has(-6, 0, "outside", "changing"),
}


def _is_of_sanction(one: AmountComparison) -> bool:
    """True of "Late by up to 10 minutes: 5 points" in a list of penalties."""
    pieces, last = range(len(one.sentence.pieces)), one.place
    colon = one.sentence.find(pieces[last + 1 :], (":",))
    around = (*pieces[: one.sentence.first], *pieces[colon:])
    is_told = colon > 0 and one.sentence.has_any(pieces[colon:], "amount", "sanction")
    written = one.sentence.pieces[max(colon, 0) :][:2]
    is_told = is_told and written[0].end < written[-1].start  # not "3.5:1"
    return is_told and one.sentence.has_any(around, "sanction")


_LIMIT: Tests = {
    "of what a sanction is for": _is_of_sanction,
    "of when a limit holds": lambda one: (  # "bei Höhen von mehr als 12 m"
        one.relation in _STRICT
        and not (one.negations or one.scope.behind_negations)
        and one.finds_before(("circumstance",), ("amount", "sign", "turning", *DUTIES))
    ),
    "of what is refused": lambda one: any(
        one.sentence.has_any(part, "averse") for part in _clause_of(one)
    ),
    "of what a word means": lambda one: one.sentence.has_any(_clause_of(one)[1], "definition"),
    "of what a rule applies to": _is_of_rule,
    "of whom it is": lambda one: (
        one.sentence.has_any(_clause_of(one)[0][:1], "whoever")
        and not one.sentence.has_any(_clause_of(one)[0], ",")
    ),
}
