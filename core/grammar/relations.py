"""Which way an amount goes, as it is allowed: comparison × negations × duty × side, and its proof.

A comparison says on which side of an amount something is. Each negation that governs it turns it
round, as does a duty that forbids; "before" and "below" turn it where it compares times or heights.
Where one of these factors is not known, the relation is not proved.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.grammar.amounts import WrittenAmount
from core.grammar.cues import Piece, scan
from core.grammar.relation_doubts import (
    Comparison,
    doubt_fixed,
    find_doubt,
    find_limit_doubt,
    is_permitted_beyond,
    is_range_doubted,
)

Relation = Literal["at least", "at most", "more than", "less than", "between", "equal"]

_COMPARISONS: dict[str, Relation] = {
    "more_or_equal": "at least",
    "less_or_equal": "at most",
    "at_least": "at least",
    "at_most": "at most",
    "more": "more than",
    "less": "less than",
    "later": "more than",
    "earlier": "less than",
    "latest": "at most",
    "earliest": "at least",
    "minimum": "at least",
    "maximum": "at most",
    "within": "at most",
    "borne": "at least",
    "exactly": "equal",
    "only": "at most",
}
"""What is on which side of an amount, by the category of its cue."""
_BEHIND: dict[str, Relation] = {
    "behind_at_least": "at least",
    "behind_at_most": "at most",
    "behind_latest": "at most",
    "behind_earliest": "at least",
}
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
_ON_TIME = frozenset(("later", "earlier", "latest", "earliest", "behind_latest", "behind_earliest"))
_TURNED = ("latest", "earliest", "more_or_equal", "less_or_equal")
"""Categories of inclusive comparisons that a negation turns round."""
_NOUNS = frozenset(("minimum", "maximum"))
_DUTIES = ("must", "must_not", "may", "should", "will", "forbidding", "free")
_NEGATIONS = ("negation", "denial", "forbidding")
_MAX_GAP = 4
"""Words between a comparison and its amount: "exceed a total length of"."""
_MAX_NOUN_GAP = 7
_MAX_BEHIND = 3
_MAX_LACKING = 3
"""Words from "without" to the comparison that it denies."""
_MAX_BESIDE = 8
"""Words of an amount behind which another goes on from it."""


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

    @property
    def proved(self) -> bool:
        return not self.doubt


class ScannedSentence:
    """The pieces of a sentence behind those of what leads to it."""

    def __init__(self, lead: Sequence[Piece], own: Sequence[Piece]) -> None:
        boundary = [Piece("sign", "⁝", -1, -1)] if lead else []
        self.pieces: list[Piece] = [*lead, *boundary, *own]
        self.first = len(lead) + len(boundary)
        self.has_duty = any(one.has(*_DUTIES) and not one.has("will") for one in own)

    def place_of(self, number: int) -> int:
        return next(
            place
            for place in range(self.first, len(self.pieces))
            if self.pieces[place].amount == number and self.pieces[place].kind == "amount"
        )


def find_bound(
    sentence: ScannedSentence, place: int, amount: WrittenAmount, before: Bound | None
) -> Bound:
    """Return the bound of the amount at a place; `before` is that of the amount before it."""
    side = _find_side(sentence.pieces, place, amount)
    if amount.upper is not None:
        return _govern_range(sentence, place, side)
    is_time = amount.measure in ("time", "months", "time of day")
    found = _find_comparison(sentence, place, is_time)
    if found is None:
        continued = _continues(sentence, place) if before else None
        if before and continued is not None:
            doubt = before.doubt or ("" if not continued else "words beside the comparison")
            return Bound(before.relation, doubt, before.side, before.is_direct)
        if led := _find_led_direction(sentence):
            return led
        fixed = _find_fixed(sentence, place, amount, side)
        if before and before.is_direct and not fixed.doubt and _is_beside(sentence, place):
            return replace(fixed, doubt="beside an amount that is compared")
        return fixed
    at, name, relation = found
    return _govern(sentence, place, at, name, relation, amount, side)


def _is_name(pieces: Sequence[Piece], place: int) -> bool:
    """True of a number that is the name of something: "class 3"."""
    return (
        pieces[place].kind == "amount" and place > 0 and pieces[place - 1].has("named", "reference")
    )


def _find_comparison(
    sentence: ScannedSentence, place: int, is_time: bool
) -> tuple[int, str, Relation] | None:
    """Return place, category and relation of the comparison that an amount has."""
    pieces = sentence.pieces
    before = _comparison_before(sentence, place, is_time)
    if before and before[1] not in ("only", "within", "borne"):
        return before
    if behind := _comparison_behind(pieces, place):
        return behind
    return before or _subject_comparison(sentence, place) or _verb_behind(pieces, place)


def _comparison_before(
    sentence: ScannedSentence, place: int, is_time: bool
) -> tuple[int, str, Relation] | None:
    pieces = sentence.pieces
    gap = 0
    has_article = has_barrier = False
    at = place - 1
    while at >= 0:
        one = pieces[at]
        name = "" if one.has("neutral") else next((n for n in _COMPARISONS if n in one.names), "")
        is_adverb = one.has("adverb") and pieces[at + 1].kind == "sign"  # "as specified below:"
        if is_adverb or (name in _ON_TIME and not is_time):
            name = ""
        if one.has("must_not") and gap <= 2:
            name = "only"  # "may only use one"
        if name:
            is_noun = name in _NOUNS
            limit = _MAX_NOUN_GAP if is_noun else _MAX_GAP
            is_far = (
                gap > limit
                or pieces[place - 1].has("between")
                or (has_barrier and not (is_noun and _is_of(pieces[place - 1])))
            )
            if is_far or (is_noun and has_article and not _is_of(pieces[place - 1])):
                return None
            if name == "only" and gap > 2:
                return None
            if "barrier" in one.names and name == "within" and gap > 3:
                return None
            return at, name, _COMPARISONS[name]
        if one.kind == "amount" or one.has("fixed_by"):
            return None
        if one.kind == "sign" and one.text != "=":
            if one.text == ")":
                opened = _opening_bracket(pieces, at)
                if opened is None:
                    return None
                is_other_wording = pieces[at - 1].has("more", "less") and not gap
                at = at - 1 if is_other_wording else opened - 1
                continue
            if one.text == "⁝":
                if gap > 1:
                    return None
            elif (one.text in ",;.!?|" or (one.text == ":" and gap)) and not (
                one.text == "." and at == sentence.first - 2
            ):
                return None
        elif one.kind == "cue" and one.has(
            *_DUTIES, *_NEGATIONS, "condition", "relative", "turning", "exception", "copula"
        ):
            if not one.has("of") and not (one.has("copula") and gap == 0):
                return None
        else:
            gap += len(one.text.split())
            has_article = has_article or (one.has("determiner") and gap > 1)
            has_barrier = has_barrier or (one.has("barrier") and not one.has("of"))
        at -= 1
    return None


def _is_of(piece: Piece) -> bool:
    return piece.has("of")


def _opening_bracket(pieces: Sequence[Piece], closed: int) -> int | None:
    depth = 0
    for at in range(closed, -1, -1):
        depth += (pieces[at].text == ")") - (pieces[at].text == "(")
        if depth == 0:
            return at
    return None


def _comparison_behind(pieces: Sequence[Piece], place: int) -> tuple[int, str, Relation] | None:
    at, gap = place + 1, 0
    while at < len(pieces) and gap <= _MAX_BEHIND:
        one = pieces[at]
        name = next((n for n in _BEHIND if n in one.names), "")
        is_noun = one.has(*_NOUNS) and pieces[place].has("count") and at + 1 < len(pieces)
        if name and is_noun and pieces[at + 1].kind == "word":
            return None  # "all four minimum requirements"
        if name:
            following = pieces[at + 1 : at + 4]
            is_others = any(piece.kind == "amount" for piece in following) and not one.has(
                "turning"
            )
            is_of = bool(following) and following[0].has("of") and one.has(*_NOUNS)
            return (
                None
                if (is_others and _is_joined(following)) or is_of
                else (at, name, _BEHIND[name])
            )
        if one.text in ("x", "×") and at + 1 < len(pieces) and pieces[at + 1].kind == "amount":
            at += 2
            continue
        if one.text == "(":
            closed = next((n for n in range(at, len(pieces)) if pieces[n].text == ")"), None)
            if closed is None or closed - at > 12:
                at += 1
                continue
            inner = pieces[at + 1 : closed]
            if any(n in piece.names for piece in inner for n in _BEHIND):
                at += 1
                continue
            at = closed + 1
            continue
        if _is_name(pieces, at):
            at += 1
            continue
        if one.has("copula") and not gap:
            for noun in pieces[at + 1 : at + 3]:
                if found := next((n for n in _NOUNS if n in noun.names), ""):
                    return at, found, _COMPARISONS[found]
            return None
        if one.kind != "word" and not (
            one.kind == "cue"
            and one.has("of", "fixed_by", "existing", "determiner", "named", "reference", "after")
        ):
            return None
        gap += 1
        at += 1
    return None


def _is_joined(following: Sequence[Piece]) -> bool:
    """True where the words go on to another amount without a break."""
    first = next(n for n, piece in enumerate(following) if piece.kind == "amount")
    return not any(piece.kind == "sign" or piece.has("turning") for piece in following[:first])


def _subject_comparison(sentence: ScannedSentence, place: int) -> tuple[int, str, Relation] | None:
    """Return the "maximum" that begins the clause of which the amount is the predicate."""
    pieces = sentence.pieces
    before = place - 1
    while before >= 0 and (
        pieces[before].text in "(–-="
        or (pieces[before].has("about", "of", "determiner") and not pieces[before].has("copula"))
    ):
        before -= 1
    colon = next((n for n in range(place - 1, max(-1, place - 8), -1) if pieces[n].text == ":"), -1)
    if colon > 0 and not any(one.has(*_DUTIES) for one in pieces[colon:place]):
        before = colon
    if before < 0 or not (pieces[before].has("copula") or pieces[before].text in (":", "⁝")):
        return None
    for at in range(before - 1, -1, -1):
        one = pieces[at]
        is_beside = one.has("count") or _is_name(pieces, at)
        if (one.kind == "amount" and not is_beside) or one.text in (".", ";"):
            return None
        if one.has("negation", "condition"):
            return None
        if name := next((n for n in _NOUNS if n in one.names), ""):
            return at, name, _COMPARISONS[name]
    return None


def _verb_behind(pieces: Sequence[Piece], place: int) -> tuple[int, str, Relation] | None:
    """Return the verb behind an amount that is exceeded or not."""
    for at in range(place + 1, min(place + 8, len(pieces))):
        one = pieces[at]
        if one.kind == "amount" or one.text in (";", ".") or one.has("relative", "turning"):
            return None
        if one.has("behind_more"):
            return at, "behind_more", "more than"
        if one.has("behind_less"):
            return at, "behind_less", "less than"
    return None


def _find_side(pieces: Sequence[Piece], place: int, amount: WrittenAmount) -> str:
    """Return the side of an event that an amount of time is on, or of a place one of length."""
    is_time = amount.measure in ("time", "months")
    names = ("before", "after") if is_time else ("downward", "upward")
    if not is_time and amount.measure not in ("length", "angle"):
        return ""
    for one in pieces[place + 1 : place + (6 if is_time else 3)]:
        if one.text in (",", ";", ".", "⁝") or one.kind == "amount" or one.has("must"):
            return ""
        for name in names:
            if one.has(name):
                return name
        if one.text == "(":
            return ""
    return ""


_STOPS = (*_DUTIES, "copula", "condition", "relative", "before", "after", "fixed_by")


def _find_led_direction(sentence: ScannedSentence) -> Bound | None:
    """Return the bound that what leads to a list gives to all its amounts: "The maxima are:"."""
    lead, own = sentence.pieces[: max(sentence.first - 1, 0)], sentence.pieces[sentence.first :]
    is_open = bool(lead) and lead[-1].text in (":", "—", "–")
    is_governed = any(one.has(*_DUTIES, *_COMPARISONS, *_BEHIND) for one in own)
    if not is_open or is_governed or any(one.kind == "amount" for one in lead):
        return None
    relation = _one_direction(ScannedSentence((), lead))
    return Bound(relation, is_direct=True) if relation else None


def _is_beside(sentence: ScannedSentence, place: int) -> bool:
    """True where no duty and no condition parts an amount from the one before it."""
    for at in range(place - 1, sentence.first - 1, -1):
        one = sentence.pieces[at]
        if one.kind == "amount":
            return True
        if one.has("must", "may", "should", "condition") or one.text == ";":
            return False
    return False


def _continues(sentence: ScannedSentence, place: int) -> int | None:
    """Return how many words an amount has of its own that goes on from the one before it.

    None of "5 mm, 6 mm and 7 mm", and of "100 mm high and 200 mm wide", whose comparison is said
    once; None (the value) for an amount that does not go on.
    """
    pieces = sentence.pieces
    joints = words = 0
    is_joined = pieces[place - 1].text in (",", "/", "x", "×") or pieces[place - 1].has("turning")
    is_of = pieces[place - 1].has("of", "determiner")
    for at in range(place - 1, sentence.first - 1, -1):
        one = pieces[at]
        if one.kind == "amount":
            if is_joined:
                return 0 if words <= _MAX_BESIDE else None
            return words if joints and words <= (3 if is_of else 0) else None
        if one.text in (",", "(", ")", "/", "x", "×") or one.has("turning"):
            joints += 1
        elif one.has("of", "determiner") and not one.has("copula"):
            continue
        elif is_joined and one.has("condition") and not one.has("before", "after"):
            words += 1
        elif one.kind == "sign" or one.has(*_STOPS):
            return None
        else:
            words += 1
    return None


def _govern_range(sentence: ScannedSentence, place: int, side: str) -> Bound:
    scope = read_scope(sentence, place, place)
    is_denied = scope.negations or scope.others or scope.behind_negations or scope.is_free
    doubt = "what is denied of a range" if is_denied else ""
    if is_range_doubted(sentence.pieces, place):
        doubt = doubt or "what is outside of a range"
    limit_doubt = find_limit_doubt(sentence.pieces, place, place, scope.duty)
    return Bound("between", doubt, side, is_direct=True, limit_doubt=limit_doubt)


@dataclass(frozen=True, slots=True)
class _Scope:
    """What governs a comparison: how often it is denied, by which duty, in which kind of clause.

    `others` are negations of which it is not known whether they are of the comparison.
    """

    negations: int = 0
    others: int = 0
    denials: int = 0
    duty: str = ""
    is_free: bool = False
    in_condition: bool = False
    in_relative: bool = False
    doubt: str = ""
    behind_negations: int = 0
    has_duty_behind: bool = False
    is_obliged: bool = False
    """True of a duty that "no" lifts: "nobody is required to"."""


def read_scope(sentence: ScannedSentence, at: int, amount_place: int) -> _Scope:
    """Return what governs the words at a place, from the start of their clause."""
    pieces = sentence.pieces
    negations = others = denials = weak = 0
    duty = doubt = ""
    is_free = in_condition = in_relative = is_parted = is_obliged = False
    place = at - 1
    while place >= 0:
        one = pieces[place]
        if one.text == ")":
            opened = _opening_bracket(pieces, place)
            place = (opened if opened is not None else place) - 1
            continue
        if one.text == "(":
            closed = next(
                (n for n in range(place, len(pieces)) if pieces[n].text == ")"), len(pieces)
            )
            if closed > amount_place:
                break
        elif one.text in (";", "!", "?") or (one.text == "." and place != sentence.first - 2):
            break
        elif one.text == "⁝":
            if duty or sentence.has_duty:
                break
        elif one.text == ":" and duty and place < sentence.first:
            break
        elif one.text == ",":
            opened = _opening_comma(pieces, place)
            if opened is not None:
                place = opened - 1
                continue
            if duty:
                negations += any(p.has("forbidding") for p in pieces[max(0, place - 6) : place])
                break
            is_parted = True
        elif one.has("exception"):
            doubt = doubt or "an exception stands before it"
        elif is_condition(pieces, place):
            if not duty:
                in_condition = True
                doubt = doubt or ("behind “unless”" if one.has("exception") else "")
            break
        elif one.has("free"):
            is_free, duty = True, duty or "free"
        elif one.has("doubtful"):
            doubt = doubt or f"“{one.text}”"
        elif one.has("relative") and duty in ("", "forbidding"):
            in_relative = True
        elif one.has("turning"):
            if duty:
                break
            is_parted = True
        if one.has("negation", "denial", "forbidding") and not (
            one.has("no_negation", "free") or _denies_other(pieces, place, at)
        ):
            if is_parted and not duty:
                others += 1
            else:
                negations += 1
                denials += one.has("denial")
        if one.has("lacking") and (duty or at - place > _MAX_LACKING):
            negations -= not (is_parted and not duty)  # "without its rider" denies nothing else
            if not duty and not is_parted:
                doubt = doubt or "without it"
        if one.has("weak_negation"):
            weak = 1
        for name in ("forbidding", "must_not", "must", "may", "should", "will"):
            if one.has(name) and not duty:
                duty = name
                is_parted = False
                is_obliged = one.has("obliged")
        place -= 1
    negations = max(negations, weak)
    behind, has_duty_behind, is_doubtful = (
        _read_behind(sentence, at) if not duty and at != sentence.first else (0, False, False)
    )
    if is_doubtful and not in_condition:
        doubt = doubt or "denied behind it"
    return _Scope(
        negations,
        others,
        denials,
        duty,
        is_free,
        in_condition,
        in_relative,
        doubt,
        behind,
        has_duty_behind,
        is_obliged,
    )


def _denies_other(pieces: Sequence[Piece], place: int, at: int) -> bool:
    """True of the negation of another comparison: "no fewer than two exits from ... more than"."""
    if place + 2 > at or not pieces[place + 1].has("more", "less", "later", "earlier"):
        return False
    return any(one.kind == "amount" for one in pieces[place + 2 : at])


def is_condition(pieces: Sequence[Piece], place: int) -> bool:
    """True of a word that opens a condition, not of "be provided" and of "an hour before"."""
    one = pieces[place]
    opens = not place or pieces[place - 1].text in ("⁝", ";", ".")
    if opens and one.has("inverted"):  # "Should be painted" obliges
        return not (
            one.has("should") and pieces[place + 1 : place + 2] and pieces[place + 1].has("copula")
        )
    if not one.has("condition") or opens:
        return one.has("condition")
    before = pieces[place - 1]
    if one.has("before", "after", "latest") and any(
        p.kind == "amount" for p in pieces[max(0, place - 2) : place]
    ):
        return False
    return (
        not before.has("copula", "must", "may", "will", "should", "negation") or before.text == ","
    )


def _opening_comma(pieces: Sequence[Piece], comma: int) -> int | None:
    """Return where the aside begins that a comma ends: ", in any case," and ", unless told,"."""
    for at in range(comma - 1, max(comma - 25, -1), -1):
        one = pieces[at]
        if one.text in (";", ".", ":", "⁝"):
            return at + 1 if pieces[at + 1].has("exception", "condition") else None
        if one.text == ",":
            if comma == at + 2 and pieces[at + 1].has("exception", "condition"):
                return None  # "unless," opens what comes next
            is_aside = pieces[at + 1].has("exception", "condition", "relative") or comma - at <= 5
            return (
                at
                if is_aside
                and not any(
                    p.has(*_DUTIES, *_NEGATIONS) and not p.has("exception")
                    for p in pieces[at + 1 : comma]
                )
                else None
            )
        if at == 0:
            return 0 if one.has("exception", "condition") else None
    return None


def _read_behind(sentence: ScannedSentence, at: int) -> tuple[int, bool, bool]:
    """Return how often the duty behind a place is denied, whether it is there, and a doubt."""
    pieces = sentence.pieces
    before, is_doubtful = pieces[at], False
    for place in range(at + 1, len(pieces)):
        one = pieces[place]
        if one.text in (".", ";") or one.has("exception") or is_condition(pieces, place):
            break
        if one.has("free"):
            return 0, True, False
        if one.has("forbidding"):
            return 1, True, before.has("negation")
        if before.has("must", "may", "should", "will"):
            return int(one.has("negation")), True, is_doubtful
        if one.has("may") and before.has("negation"):
            return 1, True, False
        is_doubtful = is_doubtful or (one.has("negation") and before.has("copula"))
        before = one
    return 0, before.has("must", "may", "should", "will"), is_doubtful


def _govern(
    sentence: ScannedSentence,
    place: int,
    at: int,
    name: str,
    relation: Relation,
    amount: WrittenAmount,
    side: str,
) -> Bound:
    """Return a comparison as it is allowed, after what denies it and the side that it is on."""
    pieces = sentence.pieces
    scope = read_scope(sentence, min(at, place), place)
    doubt = scope.doubt
    if scope.is_free:
        doubt = "nothing is required"
    late = sum(one.has("negation") for one in pieces[place + 1 : at])
    turns = scope.negations + (late if name in ("behind_more", "behind_less") else 0)
    compared = Comparison(
        pieces,
        place,
        at,
        name,
        relation,
        amount.measure,
        side,
        "" if scope.in_condition else scope.duty,
        turns + scope.behind_negations,
        scope.is_obliged,
    )
    doubt = doubt or find_doubt(compared)
    is_strict = relation in ("more than", "less than") or name in _TURNED
    if name in (
        "minimum",
        "maximum",
        "exactly",
        "borne",
        "only",
        "at_least",
        "at_most",
        "behind_at_least",
        "behind_at_most",
        "behind_latest",
        "behind_earliest",
    ):
        is_exceeded = any(one.has("more", "less") for one in pieces[max(0, at - 4) : at])
        is_denied = name.startswith("behind") and scope.duty and not scope.in_condition
        if turns and not is_exceeded and not is_denied:
            doubt = doubt or "an inclusive bound is denied"
        turns = turns if is_denied else 0
    elif name == "within" and turns and not scope.duty:
        doubt, turns = doubt or "denied", 0
    if scope.denials and scope.duty == "may" and turns == 1:
        doubt = doubt or "it may be refused"
    if any(one.has("not_applying") for one in pieces[place + 1 : place + 6]):
        doubt = doubt or "it does not apply"
    if any(one.has("choice") for one in pieces[place:]):
        doubt = doubt or "one of several amounts"
    if scope.others:
        doubt = doubt or "a negation that may be of it"
    as_said = None
    if scope.behind_negations and not scope.in_condition:
        if is_strict or name.startswith("behind"):
            as_said = _COMPLEMENTS[relation] if turns % 2 else relation
            turns += scope.behind_negations
        elif not _is_kept_behind(pieces, place, relation):
            doubt = doubt or "forbidden behind it"
    elif turns % 2 and is_strict and _is_denied_before_things(pieces, at, scope):
        as_said = relation
    if turns > 1 and not (turns == 2 and scope.denials == 1):
        doubt = doubt or "denied more than once"
    if turns % 2:
        if relation in ("at least", "at most") and not (
            name in _ON_TIME or name.startswith("behind") or name.endswith("or_equal")
        ):
            doubt = doubt or "an inclusive bound is denied"
        relation = (_MIRRORED if name in ("latest", "earliest") else _COMPLEMENTS).get(
            relation, relation
        )
    if name == "within" and side == "before":
        doubt = doubt or "within a time before"
    if name == "only":
        is_plain = at == place - 1 and scope.duty in ("may", "must_not", "") and not amount.measure
        if scope.in_condition or not is_plain:
            doubt = doubt or "“only” of something else"
    if name in _ON_TIME:
        if side == "before":
            relation = _MIRRORED[relation]
            as_said = _MIRRORED[as_said] if as_said else None
    elif name == "at_most" and side == "before" and not scope.in_condition:
        relation = "at least"  # "up to 36 hours before the start": no later
        is_until = pieces[at].has("until")
        if not is_until or (scope.duty != "may" and not _is_allowed(pieces, scope, place)):
            doubt = doubt or "up to a time before"
    elif name in ("more", "less") and side == "downward" and pieces[at].has("height"):
        relation = _MIRRORED[relation]
        as_said = _MIRRORED[as_said] if as_said else None
    if amount.value < 0 and not any(
        w in pieces[at].text.casefold() for w in ("negative", "≤", "≥", "<", ">")
    ):
        doubt = doubt or "of a negative amount"
    opens = at == 0 and name in ("more", "less")  # "Below 6,800 rpm it must"
    is_conditional = scope.in_condition or opens or (scope.in_relative and scope.has_duty_behind)
    start = min(at, place)
    limit_doubt = "permitted beyond it" if is_permitted_beyond(compared) else ""
    duty = "if" if is_conditional else scope.duty
    limit_doubt = limit_doubt or find_limit_doubt(pieces, place, start, duty, name != "within")
    return Bound(relation, doubt, side, True, is_conditional, as_said, limit_doubt)


def _is_kept_behind(pieces: Sequence[Piece], place: int, relation: Relation) -> bool:
    """True of "the limit of 60 km/h must not be exceeded"."""
    verb = ("more", "denied_exceed") if relation == "at most" else ("less",)
    following = pieces[place + 1 : place + 6]
    return relation in ("at most", "at least") and any(one.has(*verb) for one in following)


def _is_denied_before_things(pieces: Sequence[Piece], at: int, scope: _Scope) -> bool:
    """True of "no brackets over 5 mm may be used", not of "brackets not over 5 mm"."""
    if scope.in_relative:
        for one in reversed(pieces[:at]):
            if one.has("relative", "negation"):
                return one.has("relative")
    return not scope.duty and scope.has_duty_behind and not pieces[at - 1].has("negation")


def _is_allowed(pieces: Sequence[Piece], scope: _Scope, place: int) -> bool:
    """True where a permission stands before or behind an amount, and no duty."""
    return scope.duty == "may" or (not scope.duty and _is_allowed_behind(pieces, place))


def _find_fixed(sentence: ScannedSentence, place: int, amount: WrittenAmount, side: str) -> Bound:
    """Return the relation of an amount that nothing is compared with."""
    pieces = sentence.pieces
    scope = read_scope(sentence, place, place)
    doubt = scope.doubt
    if scope.negations or scope.others or scope.is_free or scope.behind_negations:
        doubt = doubt or "denied"
    if _has_comparison_near(sentence, place):
        doubt = doubt or "a comparison that is not read"
    doubt = doubt or doubt_fixed(pieces, place)
    previous = pieces[place - 1] if place else None
    if place > 1 and pieces[place - 1].text == "=" and _is_axis(pieces[place - 2].text):
        doubt = doubt or "a coordinate"
    if previous is not None and previous.has("about"):
        doubt = doubt or "about so much"
    if _is_counted_off(pieces, place):
        return Bound("at least", doubt or "of a quorum or majority", side)
    if previous is not None and previous.has("fixed_by") and amount.measure:
        return Bound("at most", doubt or "how often", side)
    is_time = amount.measure in ("time", "months")
    if is_time and previous is not None and previous.has("turning"):
        doubt = doubt or "one of two times"
    is_given = any(one.has("time_allowed") for one in pieces[max(0, place - 2) : place])
    if is_given and not is_time and scope.duty != "must":
        doubt = doubt or "a number that is allowed"
    is_given = any(one.has("time_allowed") for one in pieces[max(0, place - 3) : place])
    if is_time and is_given and scope.duty != "must":
        return Bound("at most", doubt, side)
    if side:
        return Bound("equal", doubt or "a time or place beside another", side)
    if scope.in_condition:
        return Bound("equal", doubt or "a number in a condition", side)
    if amount.fraction:
        return Bound("at least", doubt or "a share", side)
    if previous is not None and previous.has("ordinal") and not amount.measure:
        doubt = doubt or "of the first so many"
    if any(one.has("choice") for one in pieces):
        doubt = doubt or "one of several amounts"
    if _is_allowed(pieces, scope, place):
        is_counted = not amount.measure or is_time or amount.measure in ("laps", "sets")
        return Bound(
            "at most" if is_counted else "equal", doubt or "a number that is permitted", side
        )
    return Bound("equal", doubt, side)


def _is_axis(word: str) -> bool:
    """True of the name of a coordinate: "Z", "X_PU"."""
    return word[:1] in "XYZ" and word.isupper()


def _has_comparison_near(sentence: ScannedSentence, place: int) -> bool:
    """True where words compare that no amount between them and this one has taken."""
    pieces = sentence.pieces
    names = (*_COMPARISONS, *_BEHIND, "between")
    for step in (-1, 1):
        at = place + step
        while sentence.first <= at < len(pieces) and abs(at - place) < 9:
            one = pieces[at]
            if one.kind == "amount" or one.text in (";", "."):
                break
            if one.has(*names) and not one.has(
                "copula", "before", "after", "determiner", "neutral"
            ):
                return step < 0 or one.has(*_BEHIND)
            at += step
    return False


def _is_counted_off(pieces: Sequence[Piece], place: int) -> bool:
    """True of the number of a quorum or of the share of a majority."""
    near = (*pieces[max(0, place - 3) : place], *pieces[place + 1 : place + 6])
    own = pieces[place].text.casefold()
    return any(one.has("counting") for one in near) or "mehrheit" in own


def _is_allowed_behind(pieces: Sequence[Piece], place: int) -> bool:
    """True of "three minutes are allowed"."""
    for one in pieces[place + 1 : place + 6]:
        if one.kind in ("sign", "amount") or one.has("must", "condition", "relative", "turning"):
            return False
        if one.has("may"):
            return True
    return False


def find_direction(words: str, language: str) -> Relation | None:
    """Return the one direction that words give to all amounts below them; None for none or both."""
    return _one_direction(ScannedSentence((), scan(words, language)))


def _one_direction(sentence: ScannedSentence) -> Relation | None:
    pieces = sentence.pieces
    found: set[Relation] = set()
    for place, one in enumerate(pieces):
        name = "" if one.has("neutral") else next((n for n in _COMPARISONS if n in one.names), "")
        is_adverb = one.has("adverb") and place + 2 > len(pieces) - 1
        is_other = is_adverb or name in ("", "only", "exactly", "within", *_ON_TIME)
        if is_other or any(piece.text[:1].isdigit() for piece in pieces[place:]):
            continue
        is_turned = read_scope(sentence, place, place).negations % 2 and name in ("more", "less")
        relation = _COMPARISONS[name]
        found.add(_COMPLEMENTS[relation] if is_turned else relation)
    return found.pop() if len(found) == 1 else None
