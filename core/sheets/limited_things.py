"""What a limit is on, and what a parameter is of: by the grammar of their words."""

import re

from core.grammar import AMOUNTS, list_cues, list_words, stem_words
from core.library import content_words
from core.registers import Limit

_COMPARED = list_cues("extreme", "comparing", "smaller", "larger", "place").any
_VERB = list_cues("modal", "auxiliary", "obliged").pattern
_RELATIVE = re.compile(
    rf"(?i)\b(?:that|which)\s+(?:{list_cues('auxiliary').any})\b(?:\s+(?:an?|at|of|than|{_COMPARED}))*\s*$"
)
"""Right before a number, what it is of: "a tube that is at least"."""
_PART_OF = re.compile(r"(?i)\sof\s+(?:an?|the|each|any|all|every)\b")
_AND = re.compile(r"(?i)\s(?:and|or)\s")
_CLAUSES = re.compile(r"(?i),?\s(?:and|but|while|whereas)\s+(?=(?:an?|the|each|all)\s)")
_NO = re.compile(r"(?i)no\b")
_NAME_ENDS = re.compile(
    r"(?i)[,;:(…]|\b(?:of|for|in|on|at|to|with|from|by|per|before|after|who|whose|that|which|and|"
    rf"{list_cues('case').any})\b"
)
_SIZED_ENDS = re.compile(rf"{_NAME_ENDS.pattern}|\b(?:{list_cues('adverb').any})\b")
_THINGS = frozenset(("wheelbase", "deflection", "track", "area", "chord"))
"""Amounts that name what they are of, unlike a width."""
LENGTH_WORDS = tuple(
    frozenset(one.adjectives + one.nouns + one.related + one.comparatives)
    for one in AMOUNTS
    if one.kinds == {"length"}
)
"""Words for what a length may be of. Two limits on different ones never bound the same value."""
_MEASURES = stem_words(
    " ".join(
        word
        for one in AMOUNTS
        if one.name not in _THINGS
        for word in (one.name, *one.nouns, *one.adjectives, *one.related, *one.comparatives)
    )
) | stem_words(
    " ".join((*list_cues("extreme", "comparing", "smaller", "larger"), *list_words("whole")))
)


_CHECKING = stem_words(
    " ".join((*list_words("checking", "opposite"), "measured weigh")).replace("/", " ")
)
"""What is done with a value, and the side of a thing, which name none: "we measured 780 kg"."""


def find_thing(limit: Limit) -> frozenset[str]:
    """Return the stem of what a limit is on, where its grammar says so: of "a strap must be held by
    a tube that is at least … wide" the tube, of "the zone of each wheel must have" the zone.
    """
    left, _, right = limit.subject.partition("…")
    *before, clause = _CLAUSES.split(left)
    verb = _VERB.search(clause)
    if verb and (before or any(map(_VERB.search, _CLAUSES.split(right)[1:]))):
        parts = map(_last_names, _NAME_ENDS.split(clause[: verb.start()].rpartition(",")[2]))
        return next(filter(None, parts), frozenset())
    verb = _VERB.search(left)
    if limit.label or verb is None:
        return frozenset()
    if relative := _RELATIVE.search(left):
        return _last_names(left[: relative.start()])
    end = _NAME_ENDS.search(left, 1)
    is_whole = end is None or not _PART_OF.match(left[: verb.start()], end.start() - 1)
    if end is None or is_whole or _NO.match(left):
        return frozenset()
    return _last_name(left[: end.start()].split()[-1]) - stem_words(limit.kind)


def names_thing(limit: Limit) -> bool:
    """True of a plain size before the verb, which says of which things a rule is: "24 inch wheels
    must have cranks of at least 125 mm".
    """
    left, _, right = limit.subject.partition("…")
    is_before = not _VERB.search(left) and bool(_VERB.search(right))
    return limit.relation == "equal" and is_before and not limit.label


def find_head(name: str) -> frozenset[str]:
    """Return the stem of what a name is of: of "end plate height" the plate, of "mass of the car"
    the car.
    """
    parts = (_last_name(part) for part in _NAME_ENDS.split(name))
    return next(filter(None, parts), frozenset())


def find_measured_thing(name: str) -> frozenset[str]:
    """Return the stems of what a measure is of: of "camera height above ground" the camera."""
    for part in _SIZED_ENDS.split(name):
        if stem_words(part) & _MEASURES and (names := _names(part)):
            return frozenset(names)
    return frozenset()


def _names(text: str) -> list[str]:
    known = _MEASURES | _CHECKING
    return [stem for stem in content_words(text) if stem not in known and stem.isalpha()]


def _last_names(text: str) -> frozenset[str]:
    """Return the stems of the last things that a text names: of "the pin or bolt" both."""
    return frozenset().union(*map(_last_name, _AND.split(text)[-2:]))


def _last_name(text: str) -> frozenset[str]:
    """Return the last word of a text that names a thing, as a stem."""
    return frozenset(_names(text)[-1:])
