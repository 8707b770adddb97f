"""What governs a place of a sentence: the negations and the duty of its clause, and what clause.

A clause is found from its end: the words before a place, without brackets and asides, up to where
another sentence, condition or, behind its duty, another part of the sentence begins.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

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
"""Pieces from "in no case" to the comma before its sentence."""


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
    opening = path.pop() if path and _opens_condition(sentence, path[-1]) else None
    governing = next((n for n, place in enumerate(path) if has(place, *DUTIES)), len(path))
    is_impersonal = sentence.has_any(path, "expletive")  # "Es ist verboten, mehr als ..."
    parting = next(
        (
            n
            for n, place in enumerate(path)
            if has(place, ",", "turning")
            and not (is_impersonal and has(place - 1, *DUTIES))
            and not _joins_denied_actors(sentence, place)
        ),
        len(path),
    )
    of_duty = path[governing] if governing < len(path) else -1
    duty = next((one for one in _IN_ORDER if has(of_duty, one)), "")
    denied = [n for n, place in enumerate(path) if _denies(sentence, place, at)]
    others = [n for n in denied if parting < n <= governing]
    own = [path[n] for n in denied if n not in others and not _lacks_other(sentence, path[n], at)]
    of_subject = sum(n > governing and has(path[n], "denying") for n in denied if n not in others)
    negations = len(own) or int(sentence.has_any(path, "weak_negation"))
    negations -= max(0, of_subject - 1)  # "neither the width nor the height may"
    negations += bool(duty) and _has_ban(sentence, path[-1])
    behind, has_duty_behind, is_denied_behind = 0, False, False
    if not duty and at != sentence.first:
        behind, has_duty_behind, is_denied_behind = _read_behind(sentence, at)
    is_aim = opening is not None and has(opening, "purpose")  # "shaped so that it is over 5 mm"
    is_aim = is_aim and not sentence.has_any(range(opening or 0), *NEGATIONS)
    in_condition = opening is not None and not duty and not is_aim
    lacking = (n for n, place in enumerate(path) if _lacks_other(sentence, place, at))
    doubts = {
        "an exception stands before it": sentence.has_any(path, "exception"),
        "words that weaken it": sentence.has_any(path, "doubtful"),
        "without it": next(lacking, governing) < min(governing, parting),
        "denied behind it": is_denied_behind and not in_condition,
    }
    return ClauseScope(
        negations,
        len(others),
        sum(has(place, "denial") for place in own),
        duty,
        sentence.has_any(path, "free"),
        in_condition,
        sentence.has_any(path[: min(governing, parting)], "relative"),
        next((doubt for doubt, is_so in doubts.items() if is_so), ""),
        behind,
        has_duty_behind,
        has(of_duty, "obliged"),
    )


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
        is_inside = has(place, "(") and sentence.partners.get(place, last + 1) > last
        if is_inside or sentence.is_end(place):
            return
        is_soft = has(place, ",", "turning", "⁝") or (has(place, ":") and place < sentence.first)
        if has_duty and is_soft and not _joins_denied_actors(sentence, place):
            return
        if has(place, "⁝") and sentence.has_duty:
            return
        yield place
        if _opens_condition(sentence, place):
            return
        has_duty = has_duty or has(place, *DUTIES)
        place -= 1


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


def _has_ban(sentence: ScannedSentence, first: int) -> bool:
    """True of "In no case, however, may", whose ban is before the clause that begins at `first`."""
    before = range(first - 1 - _MAX_BANNED, first - 1)
    return sentence.has(first - 1, ",") and sentence.has_any(before, "adverb_of_ban")


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
        if has(place, "free") or (has(place, *_MODALS) and has(place + 1, "free")):
            return 0, True, False
        if has(place, "forbidding") or (has(place, *_MODALS) and has(place + 1, "forbidding")):
            return 1, True, has(place - 1, "negation")
        if has(place, *_MODALS):
            is_denied = has(place + 1, "negation") or (
                has(place, "may") and place > at and has(place - 1, "negation")
            )
            return int(is_denied), True, is_doubtful
        is_doubtful = is_doubtful or (has(place, "negation") and has(place - 1, "copula"))
    return 0, False, is_doubtful
