"""The comparison of an amount: the words before or behind it that say which side of it is meant."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from core.grammar.amounts import WrittenAmount
from core.grammar.cues import Piece, is_cue
from core.grammar.quantities import UNITS
from core.grammar.scopes import DUTIES, NEGATIONS, ClauseScope, ScannedSentence

Relation = Literal["at least", "at most", "more than", "less than", "between", "equal"]

COMPARISONS: dict[str, Relation] = {
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
"""What is on which side of an amount, by the category of a cue before it."""
BEHIND: dict[str, Relation] = {
    "behind_at_least": "at least",
    "behind_at_most": "at most",
    "behind_latest": "at most",
    "behind_earliest": "at least",
}
_PASSED = (
    *("word", "agent", "of", "fixed_by", "existing", "determiner", "named", "reference", "after"),
)
"""What may stand between an amount and the comparison behind it: "six drivers or more"."""
_VERBS_BEHIND: dict[str, Relation] = {"behind_more": "more than", "behind_less": "less than"}
ON_TIME = ("later", "earlier", "latest", "earliest", "behind_latest", "behind_earliest")
NOUNS = ("minimum", "maximum")
_REACH = {"minimum": 7, "maximum": 7, "only": 2, "within": 3}
"""Words between a comparison and its amount: "exceed a total length of"; else `_MAX_GAP`."""
_MAX_GAP = 4
_MAX_BEHIND = 3
_MAX_BRACKET = 12
_MAX_VERB = 7
"""Pieces from an amount to the verb that says that it is exceeded. tests/benchmarks/sentences.py
counts the relations that are right with these reaches."""
_OTHER_PARTS = (*DUTIES, *NEGATIONS, "condition", "relative", "turning", "exception", "copula")


@dataclass(frozen=True, slots=True)
class AmountComparison:
    """The comparison at piece `at` with the amount at piece `place`, and what governs both.

    `name` is the category of its cue, empty for an amount that nothing is compared with. `side` is
    "before" or "after" for times, "downward" or "upward" for lengths.
    """

    sentence: ScannedSentence
    place: int
    at: int
    name: str
    amount: WrittenAmount
    side: str
    scope: ClauseScope

    @property
    def relation(self) -> Relation:
        """What the words say, before anything denies them."""
        return (COMPARISONS | BEHIND | _VERBS_BEHIND)[self.name] if self.name else "equal"

    @property
    def start(self) -> int:
        """Where the words begin that go with the amount."""
        return min(self.at, self.place)

    @property
    def cue(self) -> Piece:
        """The words that compare."""
        return self.sentence.pieces[self.at]

    @property
    def is_time(self) -> bool:
        """True of a period."""
        return self.amount.measure in UNITS.periods

    @property
    def negations(self) -> int:
        """How often it is denied before it, or between its amount and its verb."""
        is_verb = self.name in _VERBS_BEHIND
        late = range(self.place + 1, self.at) if is_verb else ()
        return self.scope.negations + sum(self.sentence.has(n, "negation") for n in late)

    @property
    def is_turned(self) -> bool:
        """True of one that negations turn round; "not at least" may mean another thing."""
        if self.name in BEHIND:  # "not 5 mm or more", but not "not 5 mm at most"
            is_plain = self.cue.has("at_least", "at_most", *NOUNS)
            return not is_plain and bool(self.scope.duty or self.scope.behind_negations)
        return self.relation in ("more than", "less than") or self.name in (
            "more_or_equal",
            "less_or_equal",
            "latest",
            "earliest",
        )

    def finds_before(self, tags: Iterable[str], stops: Iterable[str]) -> bool:
        """True where one of `tags` is before the words that compare, and no stop is nearer."""
        return self.sentence.find(range(self.at - 1, -1, -1), tags, stops) >= 0

    def has(self, start: int, end: int, *tags: str) -> bool:
        """True where a piece from `start` to before `end`, counted from the amount, has a tag."""
        return self.sentence.has_any(range(self.place + start, self.place + end), *tags)


def find_comparison(
    sentence: ScannedSentence, place: int, amount: WrittenAmount
) -> tuple[int, str] | None:
    """Return place and category of the comparison that an amount has."""
    before = _find_before(sentence, place, amount)
    if before and before[1] not in ("only", "within", "borne"):
        return before
    return (
        _find_behind(sentence, place)
        or (_find_latest(sentence, place) if amount.measure in UNITS.periods else None)
        or before
        or _find_of_subject(sentence, place)
        or _find_verb_behind(sentence, place)
    )


def name_comparison(sentence: ScannedSentence, at: int) -> str:
    """Return the category of a comparison that stands before its amount; empty for another cue."""
    return next((name for name in COMPARISONS if sentence.has(at, name)), "")


def _find_before(
    sentence: ScannedSentence, place: int, amount: WrittenAmount
) -> tuple[int, str] | None:
    has = sentence.has
    first = place - (amount.value < 0)  # a minus parts nothing
    between: list[int] = []
    gap, at = 0, place - 1
    while at >= 0:
        is_adverb = has(at, "adverb") and has(at + 1, "sign") and at + 1 < first
        name = "" if is_adverb else name_comparison(sentence, at)  # "as specified below:"
        if gap <= _REACH["only"] and has(at, "must_not"):
            name = "only"  # "may only use one"
        if name and (amount.measure in UNITS.periods or name not in ON_TIME):
            return (at, name) if _reaches(sentence, name, between, place) else None
        if has(at, ")"):
            is_reworded = has(at - 1, "more", "less") and not gap
            at = (at if is_reworded else sentence.partners.get(at, 0)) - 1
            continue
        if _parts(sentence, at, gap):
            return None
        if _is_counted(sentence, at):
            between.append(at)
            gap += len(sentence.pieces[at].text.split())
        at -= 1
    return None


def _is_counted(sentence: ScannedSentence, at: int) -> bool:
    """True of a word between a comparison and its amount, and of "="."""
    return sentence.has(at, "=") or not sentence.has(at, "sign", *_OTHER_PARTS)


def _parts(sentence: ScannedSentence, at: int, gap: int) -> bool:
    """True of a piece that no comparison reaches over; `gap` are the words up to the amount."""
    has = sentence.has
    is_joint = has(at, "turning") and not has(at - 2, "amount")
    if not gap and is_joint and name_comparison(sentence, at - 1):
        return False  # "at most, however, 5 mm"
    if has(at, "⁝"):
        return gap > 1
    if has(at, "sign"):
        return has(at, ",", "|") or (has(at, ":") and gap > 0) or sentence.is_end(at)
    if has(at, "amount", "fixed_by"):
        return not is_cue(sentence.pieces[at].text, "one")  # "bis zu einer Höhe von 4 m"
    is_light = has(at, "of") or (has(at, "copula") and not gap)
    return has(at, *_OTHER_PARTS) and not is_light


def _reaches(sentence: ScannedSentence, name: str, between: list[int], place: int) -> bool:
    """True of a comparison that goes with the amount at a place; `between` are words."""
    has = sentence.has
    gap = sum(len(sentence.pieces[at].text.split()) for at in between)
    is_of = has(place - 1, "of")
    if gap > _REACH.get(name, _MAX_GAP) or (has(place - 1, "between") and not is_of):
        return False
    if name in NOUNS:
        return is_of or not any(
            (has(at, "barrier") and not has(at, "of")) or (has(at, "determiner") and n)
            for n, at in enumerate(between)
        )
    return not any(has(at, "barrier") and not has(at, "of") for at in between)


def is_name(sentence: ScannedSentence, place: int) -> bool:
    """True of a number that is the name of something: "class 3"."""
    return sentence.has(place, "amount") and sentence.has(place - 1, "named", "reference")


def _find_behind(sentence: ScannedSentence, place: int) -> tuple[int, str] | None:
    has, at, gap = sentence.has, place + 1, 0
    while gap <= _MAX_BEHIND:
        if name := next((name for name in BEHIND if has(at, name)), ""):
            return (at, name) if _goes_with_before(sentence, at, place) else None
        if has(at, "("):
            closed = sentence.partners.get(at, -1)
            is_long = closed - at > _MAX_BRACKET or sentence.has_any(range(at, closed), *BEHIND)
            at = at + 1 if is_long or closed < 0 else closed + 1
        elif is_name(sentence, at):
            at += 1
        elif has(at + 1, "amount") and sentence.pieces[at].text in ("x", "×"):
            at += 2
        elif has(at, "copula") and not gap:
            noun = sentence.find((at + 1, at + 2), NOUNS)
            return (noun, name_comparison(sentence, noun)) if noun >= 0 else None
        elif has(at, *_PASSED):
            gap += 1
            at += 1
        else:
            return None
    return None


def _find_latest(sentence: ScannedSentence, place: int) -> tuple[int, str] | None:
    """Return the "at the latest" behind all that says when: "2 h before it (on paper)"."""
    has, at = sentence.has, place + 1
    stops = ("amount", "turning", "relative", *DUTIES, *COMPARISONS)
    while at < len(sentence.pieces) and not sentence.is_end(at):
        if name := next((name for name in BEHIND if name in ON_TIME and has(at, name)), ""):
            return at, name
        is_aside = has(at, ",") and not has(at + 1, *ON_TIME)
        if is_aside or (has(at, *stops) and not has(at, "before", "after", "of")):
            return None
        at = sentence.partners.get(at, at) + 1 if has(at, "(") else at + 1
    return None


def _goes_with_before(sentence: ScannedSentence, at: int, place: int) -> bool:
    """True of "5 mm minimum", not of "all four minimum requirements" and "5 mm, minimum of 3"."""
    has = sentence.has
    if has(at, *NOUNS) and (has(at + 1, "of") or (has(place, "count") and has(at + 1, "word"))):
        return False
    following = range(at + 1, min(at + 4, len(sentence.pieces)))
    return has(at, "turning") or sentence.find(following, ("amount",), ("sign", "turning")) < 0


def _find_of_subject(sentence: ScannedSentence, place: int) -> tuple[int, str] | None:
    """Return the "maximum" that begins the clause of which the amount is the predicate."""
    has, before = sentence.has, place - 1
    while has(before, "(", "–", "-", "=") or (
        has(before, "about", "of", "determiner") and not has(before, "copula")
    ):
        before -= 1
    colon = sentence.find(range(place - 1, place - 8, -1), (":",), (*DUTIES, "amount"))
    before = colon if colon > 0 else before
    if not has(before, "copula", ":", "⁝") or has(before - 1, "relative"):
        return None  # "above the limit, that is €700"
    for at in range(before - 1, -1, -1):
        is_other = has(at, "amount") and not (has(at, "count") or is_name(sentence, at))
        if is_other or has(at, ".", ";", "negation", "condition"):
            return None
        if has(at, *NOUNS):
            return at, next(name for name in NOUNS if has(at, name))
    return None


def _find_verb_behind(sentence: ScannedSentence, place: int) -> tuple[int, str] | None:
    """Return the verb behind an amount that is exceeded or not."""
    near = range(place + 1, place + 1 + _MAX_VERB)
    at = sentence.find(near, _VERBS_BEHIND, ("amount", ";", ".", "turning"))
    is_other = any(  # "der" of "25 % der Einnahmen" opens no clause
        sentence.has(n, "relative") and not sentence.has(n, "of", "existing")
        for n in range(place, at)
    )
    name = next((name for name in _VERBS_BEHIND if sentence.has(at, name)), "")
    return (at, name) if name and not is_other else None
