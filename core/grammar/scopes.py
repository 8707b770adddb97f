"""What governs a place of a sentence: the negations and the duty of its clause, and what clause.

A clause is found from its end: the words before a place, without brackets and asides, up to where
another sentence, condition or, behind its duty, another part of the sentence begins.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress

from core.grammar.cues import Piece

_MODALS = ("must", "may", "should", "will")
PLAIN_DUTIES = ("must", "must_not", "may", "should", "forbidding", "free")
DUTIES = (*PLAIN_DUTIES, "will")
NEGATIONS = ("negation", "denial", "forbidding")
_IN_ORDER = ("forbidding", "must_not", *_MODALS, "free")
"""Categories of a duty's words, the one first that decides where they have several."""
_OPENING = ("exception", "condition")
_MAX_LACKING = 3
"""Pieces from "without" to the comparison that it denies."""
_MAX_ASIDE, _MAX_PLAIN_ASIDE = 24, 5
"""Pieces of an aside between commas; fewer where no word says that it is one."""
_MAX_BANNED = 6
"""Pieces from "in no case" to the comma before its sentence.
tests/benchmarks/sentences.py counts the duties and relations that are right with these."""


class ScannedSentence:
    """The pieces of a sentence behind those of what leads to it.

    `tags` are the categories of each piece, with its kind and the sign that it is. `partners` are
    the places of brackets by those of the ones that open or close them. `amounts` are the places of
    the sentence's amounts, by their numbers. `taken` are the places of the comparisons that amounts
    have.
    """

    def __init__(self, lead: Sequence[Piece], own: Sequence[Piece]) -> None:
        boundary = [Piece("sign", "⁝", -1, -1)] if lead else []
        self.pieces: list[Piece] = [*lead, *boundary, *own]
        self.first = len(lead) + len(boundary)
        self.has_duty = any(one.has(*DUTIES) and not one.has("will") for one in own)
        self.tags = [
            one.names | {one.kind, one.text} if one.kind == "sign" else one.names | {one.kind}
            for one in self.pieces
        ]
        self.amounts = {
            one.amount: place
            for place, one in enumerate(self.pieces)
            if place >= self.first and one.kind == "amount"
        }
        self.taken: set[int] = set()
        self.partners: dict[int, int] = {}
        opened: list[int] = []
        for place, one in enumerate(self.pieces):
            if one.text == "(":
                opened.append(place)
            elif one.text == ")" and opened:
                self.partners[place] = opened[-1]
                self.partners[opened.pop()] = place

    def has(self, place: int, *tags: str) -> bool:
        """True of a place of the sentence with one of these tags."""
        return 0 <= place < len(self.tags) and not self.tags[place].isdisjoint(tags)

    def has_any(self, places: Iterable[int], *tags: str) -> bool:
        """True where one of the places has one of these tags."""
        return any(self.has(place, *tags) for place in places)

    def count(self, places: Iterable[int], *tags: str) -> int:
        """Return how many of the places have one of these tags."""
        return sum(self.has(place, *tags) for place in places)

    def find(self, places: Iterable[int], tags: Iterable[str], stops: Iterable[str] = ()) -> int:
        """Return the first of places with one of `tags`; -1 where one with `stops` is before it."""
        wanted, ends = tuple(tags), tuple(stops)
        for place in places:
            if not 0 <= place < len(self.tags) or self.has(place, *ends):
                return -1
            if self.has(place, *wanted):
                return place
        return -1

    def is_end(self, place: int) -> bool:
        """True of a sign that ends a sentence; the one that ends the lead does not."""
        return self.has(place, ";", "!", "?", ".") and place != self.first - 2


@dataclass(frozen=True, slots=True)
class ClauseScope:
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


def read_scope(sentence: ScannedSentence, at: int, amount_place: int) -> ClauseScope:
    """Return what governs the words at a place, from the start of their clause."""
    has, path = sentence.has, [*_trace_clause(sentence, at, amount_place)]
    opening = path.pop() if path and _opens_condition(sentence, path[-1]) else -1
    of_duty = next((place for place in path if has(place, *DUTIES)), -1)
    governing = [*path, of_duty].index(of_duty)
    parting = _find_parting(sentence, path)
    duty = next((one for one in _IN_ORDER if has(of_duty, one)), "")
    denied = {place for place in path if _denies(sentence, place, at)}
    others = denied.intersection(path[parting + 1 : governing + 1])
    own = {place for place in denied - others if not _lacks_other(sentence, place, at)}
    negations = max(len(own), sentence.has_any(path, "weak_negation"))
    of_subject = denied.difference(others, path[: governing + 1])
    negations -= max(0, sentence.count(of_subject, "denying") - 1)  # "neither width nor height"
    ban = range(path[-1] - 1 - _MAX_BANNED, path[-1] - 1) if duty else ()
    is_banned = sentence.has_any(ban, "adverb_of_ban")  # "In no case, however, may"
    negations += is_banned and has(path[-1] - 1, ",")
    is_whole = bool(duty) or at == sentence.first
    behind = (0, False, False) if is_whole else _read_behind(sentence, at)
    is_denied_before = sentence.has_any(range(opening), *NEGATIONS)
    is_aim = has(opening, "purpose") and not is_denied_before  # "shaped so that it is over 5 mm"
    in_condition = opening >= 0 and not (duty or is_aim)
    near = path[: min(governing, parting)]
    doubts = {
        "an exception stands before it": sentence.has_any(path, "exception"),
        "words that weaken it": sentence.has_any(path, "doubtful"),
        "without it": any(_lacks_other(sentence, place, at) for place in near),
        "denied behind it": behind[2] and not in_condition,
    }
    return ClauseScope(
        negations,
        others=len(others),
        denials=sentence.count(own, "denial"),
        duty=duty,
        is_free=sentence.has_any(path, "free"),
        in_condition=in_condition,
        in_relative=sentence.has_any(near, "relative"),
        doubt=next(compress(doubts, doubts.values()), ""),
        behind_negations=behind[0],
        has_duty_behind=behind[1],
        is_obliged=has(of_duty, "obliged"),
    )


def _find_parting(sentence: ScannedSentence, path: Sequence[int]) -> int:
    """Return how many places of a clause's path are before a comma or "or" that parts it."""
    is_impersonal = sentence.has_any(path, "expletive")  # "Es ist verboten, mehr als ..."
    for n, place in enumerate(path):
        is_mark = sentence.has(place, ",", "turning")
        is_joint = is_impersonal and sentence.has(place - 1, *DUTIES)
        if is_mark and not is_joint and not _joins_denied_actors(sentence, place):
            return n
    return len(path)


def _trace_clause(sentence: ScannedSentence, at: int, last: int) -> Iterator[int]:
    """Yield the places before `at` in its clause, nearest first; the amount is at `last`."""
    has, place, has_duty = sentence.has, at - 1, False
    while place >= 0:
        aside = sentence.partners.get(place, place) if has(place, ")") else -1
        aside = _find_aside(sentence, place) if has(place, ",") else aside
        if aside >= 0:
            is_chained = has(aside, ",") and _find_aside(sentence, aside) >= 0
            place = aside - (not is_chained)
            continue
        if _begins_clause(sentence, place, last, has_duty):
            return
        yield place
        if _opens_condition(sentence, place):
            return
        has_duty = has_duty or has(place, *DUTIES)
        place -= 1


def _begins_clause(sentence: ScannedSentence, place: int, last: int, has_duty: bool) -> bool:
    """True where a clause begins behind a place; `has_duty` if its duty is behind that too."""
    has = sentence.has
    if sentence.is_end(place) or (has(place, "⁝") and sentence.has_duty):
        return True
    if has(place, "(") and sentence.partners.get(place, last + 1) > last:
        return True
    is_soft = has(place, ",", "turning", "⁝") or (has(place, ":") and place < sentence.first)
    return has_duty and is_soft and not _joins_denied_actors(sentence, place)


def _joins_denied_actors(sentence: ScannedSentence, place: int) -> bool:
    """True of "or" in "no driver or mechanic may"."""
    before = range(place - 1, -1, -1)
    start = sentence.find(before, (",", ";", ":", ".", "⁝"), (*DUTIES, "copula", "relative"))
    is_start = start >= 0 or not sentence.has_any(before, *DUTIES, "copula", "relative")
    opening = sentence.has(start + 1, "negation", "doubtful") and not sentence.has(
        start + 1, "free"
    )
    return sentence.has(place, "turning") and is_start and opening


def _opens_condition(sentence: ScannedSentence, place: int) -> bool:
    return is_condition(sentence.pieces, place) and not sentence.has(place, "exception")


def _find_aside(sentence: ScannedSentence, comma: int) -> int:
    """Return where the aside begins that a comma ends: ", in any case,"; -1 where none does."""
    has = sentence.has
    before = range(comma - 1, comma - _MAX_ASIDE - 1, -1)
    opened = sentence.find(before, ("exception",), (",", ";", ".", ":", "⁝", *DUTIES))
    if opened > 0 and not has(opened - 1, ",") and comma > opened + 1:
        return opened
    start = sentence.find(before, (",", ";", ".", ":", "⁝"))
    is_opened = has(start + 1, *_OPENING)
    if start < 0 and comma > _MAX_ASIDE:
        return -1
    if not has(start, ","):
        return start + 1 if is_opened else -1
    if is_opened and comma == start + 2:
        return -1  # "unless," opens what comes next
    is_aside = is_opened or has(start + 1, "relative") or comma - start <= _MAX_PLAIN_ASIDE
    is_clause = any(
        has(place, *DUTIES, *NEGATIONS) and not has(place, "exception")
        for place in range(start + 1, comma)
    )
    return start if is_aside and not is_clause else -1


def _denies(sentence: ScannedSentence, place: int, at: int) -> bool:
    """True of a negation that may be of what is at a later place."""
    has = sentence.has
    is_attribute = has(place - 1, "determiner") and not has(place, "denying")  # "a not closed door"
    if is_attribute or not has(place, *NEGATIONS) or has(place, "no_negation", "free"):
        return False
    is_compared = has(place + 1, "more", "less", "later", "earlier")  # "no fewer than two exits"
    return not (is_compared and sentence.has_any(range(place + 2, at), "amount"))


def _lacks_other(sentence: ScannedSentence, place: int, at: int) -> bool:
    """True of "without its rider", which denies nothing else."""
    return sentence.has(place, "lacking") and at - place > _MAX_LACKING


def is_condition(pieces: Sequence[Piece], place: int) -> bool:
    """True of a word that opens a condition, not of "be provided" and of "an hour before"."""
    one = pieces[place]
    opens = not place or pieces[place - 1].text in ("⁝", ";", ".")
    if opens and one.has("inverted"):  # "Should be painted" obliges
        following = pieces[place + 1 : place + 2]
        return not (one.has("should") and following and following[0].has("copula"))
    if not one.has("condition") or opens:
        return one.has("condition")
    before = pieces[place - 1]
    is_time = one.has("before", "after", "latest")
    if is_time and any(two.kind == "amount" for two in pieces[max(0, place - 2) : place]):
        return False
    is_whole = before.text == "," or " " in before.text  # "are required where"
    return is_whole or not before.has("copula", *_MODALS, "negation")


def _read_behind(sentence: ScannedSentence, at: int) -> tuple[int, bool, bool]:
    """Return how often the duty behind a place is denied, whether it is there, and a doubt."""
    has, is_doubtful = sentence.has, False
    for place in range(at, len(sentence.pieces)):
        is_aside = has(place, "relative") and has(place - 1, ",")
        if place > at and (
            is_aside or has(place, ".", ";", "exception") or is_condition(sentence.pieces, place)
        ):
            break
        is_modal = has(place, *_MODALS)
        verb = range(place, place + 1 + is_modal)
        if sentence.has_any(verb, "free"):
            return 0, True, False
        if sentence.has_any(verb, "forbidding"):
            return 1, True, has(place - 1, "negation")
        if is_modal:
            is_denied = has(place, "may") and place > at and has(place - 1, "negation")
            return int(is_denied or has(place + 1, "negation")), True, is_doubtful
        is_doubtful = is_doubtful or (has(place, "negation") and has(place - 1, "copula"))
    return 0, False, is_doubtful
