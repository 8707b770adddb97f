"""Why a number of a rule is no limit: a condition, a definition, an example, a name, a formula ...

Each reason is a sentence's grammar around the number, so that every number that sets no limit is
accounted for by name.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from core.grammar.directions import Relation, find_bound
from core.grammar.figures import WrittenNumber
from core.grammar.quantities import SPELLED_NUMBER
from core.grammar.sentences import last_clause
from core.grammar.vocabulary import any_word

_DUTY_WORD = rf"(?:{any_word('must', 'obliged', 'may')}|will|can|cannot)\b"
_MODAL = re.compile(rf"(?i)\b{_DUTY_WORD}")
_CONDITION = re.compile(
    rf"(?i)\b(?:{any_word('condition', 'circumstance', 'limiting_condition')})\b"
)
_COMPARES_NOW = re.compile(
    r"(?i)\b(?:within|for each|for every)\s+"
    r"(?:(?:a|an|the|of|first|last|next|period|time|distance|radius)\s+)*$"
)
_MAY = re.compile(rf"(?i)\b(?:{any_word('may', 'permitted')})\b(?! not)")
_SECOND_VERB = re.compile(r"(?i)\b(?:and|or)\s+(?:have|be)\b")
"""What goes on from the word of duty, behind a condition: "must race in June or have run 5 km"."""
_PERMITTED_IF = re.compile(
    rf"(?i)\b(?:{any_word('may', 'permitted', 'freeing')})\b.*\b(?:if|provided|as long as)\b"
)
_RELATIVE = re.compile(r"(?i)\b(?:which|that|who|whose|with|having)\b")
_RELATED = re.compile(r"(?i)\b(?:between|from|at|in|to|by|over|of the (?:first|last|final))\b")
_OPENS_SUBJECT = re.compile(
    r"(?i)^\W*(?:(?:the|a|an|at|least|most|first|last|top|bottom|front|rear|minimum|maximum|of|no|"
    r"more|less|fewer|than|only|exactly|each|up|to|between|total|and)\b\W*)*$"
)
_PLACED_WHERE = re.compile(rf"(?i)\b(?:{any_word('must')})\b[^,;:]*\bwhere\W*$")
"""What leads to a list of requirements: "must be located and adjusted where:"."""
_OPENS_ADVERBIAL = re.compile(
    rf"(?i)^\W*(?:{any_word('condition', 'circumstance')}|to|for|in|on|at|by)\b"
)
"""What ends at a comma, before the subject: "To verify walls of tubes, 4 mm holes must ..."."""
_COUNTED = re.compile(rf"^\W*(?:\[[^\]]*\]\s*)?{SPELLED_NUMBER}\s")
"""Things that must be there, with what belongs to them: "Two leads of 4 mm must be provided"."""
_ANY_ONE = re.compile(r"(?i)^\W*an?\s")
_MUST_BE_THERE = re.compile(
    rf"(?i)(?:{any_word('must')})\s+be\s+(?:{any_word('providing')})\b(?!\s+with\b)"
)
"""What is asked for with all that it is said to be: "A sticker of 750 mm² must be applied"."""
_PARTED_CONDITION = re.compile(rf"(?i)\b({any_word('condition')}),\s")
_INVERTED = re.compile(r"(?i)(?:^|[,;]\s|\band\s)should\s+(?:the|an?|any|it|they|there)\b[^,;]*$")
"""A condition that begins with its verb: "should the number fall below six"."""
_RANGE = re.compile(rf"(?i)^\W*(?:{any_word('below', 'above')}|beyond)\s+(?:(?:a|an|the)\s+)?$")
"""Where a limit holds: "Below 5,000 rpm the flow must not exceed 9 kg/h"."""
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_EXAMPLE = re.compile(
    r"(?i)(?:\be\.g\b|\bex\b\.?|\bfor (?:example|instance)\b|\bsuch as\b|\bexamples?\b)"
)
_HEADS_EXAMPLE = re.compile(r"(?i)\bexamples?\W*:(?=\s|$)")
_DEFINITION = re.compile(
    rf"(?i)\b(?:{any_word('means')}|(?:is|are|be) (?:defined|considered|deemed)|defined as)\b|"
    r"(?:^|[,;]\s)\W*for the purposes? of\b"
)
_DEFINITIONS = re.compile(r"(?i)\bdefinitions?\b")
_ADDED = re.compile(r"(?i)\b(?:plus|minus|times|multiplied by)\s+$")
_MULTIPLIED = re.compile(r"(?i)^\s*multiplied by\s+\d")
_OF_ANY = re.compile(
    rf"(?i)\b(?:any|all|those)\s+(?:(?!{_DUTY_WORD})[\w-]+\s+){{1,6}}?"
    rf"(?:with|that|which|whose|having)\b(?:(?!\b{_DUTY_WORD})[^,;:])*$"
)
"""What parts an obligation is about: "must not touch any parts with a temperature above"."""
_DEFINED = re.compile(r"(?i)\b(?:means|defined\b[^.;]{0,60}\b(?:as|by))\b")
_FORMULA = re.compile(
    r"[*×+/]\s*\(|\)\s*[*×+]|\)\s*/\s*(?:[\d(]|\w\b)|[=*]\s*\(|\w\s\*\s|\s/\s\(|=.*[*×]"
)
_MEASURED = re.compile(r"(?i)\bmeasure(?:d|ments?)\b[^.;]*$")
_ROUNDED = re.compile(r"(?i)\bround(?:ed|ing)\b[^.;]*$")
_EQUIVALENT = re.compile(
    r"(?i)\b(?:corresponding|equivalent|corresponds|(?:which|that|this) amounts) to\b[^.;,]*$"
)
_LABEL = re.compile(r"^[^:.]*[^:.\s]:\s*(?:up to\s+)?[-–−]?\s*$")
"""An entry of a list of amounts: "Cost report missing: -10 points"."""
_SET = re.compile(
    r"(?i)\b(?:the|these|those|all|both|following|other|remaining|any|of|its|their|either|"
    r"previous|next)\s+(?:[a-z]+\s+)?$"
)
_GROUP_OF = re.compile(r"(?i)\ban?\s+(?:[a-z-]+\s+)?[a-z-]+\s+of\s+$")
"""Before the number that a group has: "A system of three buttons"."""
_SAID_BEFORE = re.compile(r"(?i)\b(?:this|that|such an?|out of)\s+$")
_BETWEEN = re.compile(r"(?i)\bbetween\s+$")
_PART = re.compile(
    r"(?i)^\s*of\s+(?:the|these|those|its|their|which)\b|^\s*(?:or (?:both|more|two)|another)\b"
)
_NAME = re.compile(r"\S[\s(](?!(?:M(?:ax|in)))[A-Z][\w-]*\s(?:\d+(?:,\s|\s(?:and|or|to)\s))*$")
_FIRST_NAME = re.compile(r"^\W*[A-Z][\w-]*\s(?:\d+(?:,\s|\s(?:and|or|to)\s))*$")
_TITLED = re.compile(r"\s[A-Z][a-z]+s\b")
"""Behind "Formula 1" where it names other things: "Formula 1 Cars"."""
_VERB = re.compile(
    rf"(?i)^(?:(?:,|\s(?:and|or|to))\s\d+)*\s(?:is|are|was|were|has|have|will|"
    rf"{any_word('must', 'may')})\b"
)
_THE_ONE = re.compile(r"(?:^|\.\s)The\s(?:[a-z]+\s)?$")
_PART_DOES = re.compile(
    rf"^\s(?!of\b|to\b)[a-z]+\s(?:{any_word('must', 'may')}|will|is|are|[a-z]+ed)\b"
)
"""What is around the size by which a thing is known: "The bottom 200 mm circle will"."""
_PERIOD = re.compile(r"(?i)^[\s\w()]{0,20}\b(?:prior|before|preceding|following|after)\b")
_ROUGHLY = re.compile(r"(?i)\b(?:approximately|approx\.?|about|roughly|nominally)\s+$")
_ACRONYM = re.compile(r"(?:^|[\s(,/])(?!M(?:AX|IN)\b)[A-Z]{1,5}(?:\s[A-Z]{1,4})?\s$")
_GRADED = re.compile(rf"(?i)\s*\b(?:{any_word('graded')})\s$")
_UNLIMITED = re.compile(
    r"(?i)\b(?:not|never)\s+(?:be\s+)?(?:limited|restricted)\s+to\s+(?:an?\s+)?$"
)
_PROCEDURE = re.compile(r"(?i)\bfor\s+(?:a\s+)?(?:(?:further|another)\s+)?$")
_HEAD_NOUN = re.compile(r"(?i)^(?:\s*\([^)]*\))?\s*(?:[a-z][\w-]*\s+){0,4}?[a-z][\w-]*s\b")
_ENTRY = re.compile(r"^\s[-–—]\s")
"""Behind the number of an entry: "2 - zwei"."""
_UNIVERSAL = re.compile(r"(?i)^\W*(?:each|every)\b")
"""What is said of all is a rule without a word of duty: "Each team has four runs"."""
_HYPHENED = re.compile(r"(?i)\S+-points?\b|\S+ point-\w")
"""A number of points that is part of a name: "a 6-point harness"."""
_CLOCK_TIME = re.compile(r"0\d{3}(?![.,]?\d)")
"""A time or a telephone number: "between the hours of 2000 to 0800"."""
_JOINED = re.compile(r"^-\w")
_AT = re.compile(r"(?i)^[^,;]*\b(?:at|under)\s+(?:(?:a|an|the)\s+)?(?:[\w-]+\s+){0,3}$")
_VECTOR = re.compile(r"\[[^\]]*$")
_DATE = re.compile(rf"(?i)^\s*(?:st|nd|rd|th)?\s*(?:of\s+)?(?:{any_word('month')})\b")
_MONTH = re.compile(rf"(?i)\b(?:{any_word('month')})\s+$")
_COMPARED = re.compile(r"\b[A-Z]\w*\s*(?:[<>]=?|[≤≥])\s*$")
_COMPARES = re.compile(r"^\s*(?:[<>]=?|[≤≥])\s*[A-Z]")
_ARE = re.compile(r"(?i)^\W*(?:\([^)]*\)\s*)?(?:[a-z][\w-]*\s+){0,4}(?:is|are)\b")
_WHO = re.compile(r"(?i)\b(?:which|that|who|whose)\b")
_IS = re.compile(r"(?i)\b(?:is|are|was|were|has|have)\b")
_LISTS_CONDITIONS = re.compile(
    r"(?i)\b(?:if|when|whenever|where|while|whilst|unless|provided|once)\W*$"
)
_WORD = re.compile(r"^\s*(?:\([^)]*\)\s*)?[a-z]", re.I)
_TIMES_A_VARIABLE = re.compile(r"^\s*[*×](?!\s?\d)|^\s*of\s+[A-Z]\w*(?:max|min)\b")


STRICT = ("less than", "more than")
COUNT_KINDS = frozenset(("laps", "points", "sets", "places"))
"""Kinds of quantity that are counts of things."""


def is_clock_time(figure: WrittenNumber) -> bool:
    """True of "0800 hours": of four digits the first is a zero only where nothing is measured."""
    return bool(_CLOCK_TIME.match(figure.text))


@dataclass(frozen=True, slots=True)
class NumberPlace:
    """A number in its sentence: what is before and behind it, and what leads to the sentence."""

    figure: WrittenNumber
    left: str
    right: str
    """What is behind it up to the next number; `rest` goes on to the end of the sentence."""
    rest: str
    lead: str
    heading: str
    bound: Relation | None
    """The direction that the words at it give."""
    since: str | None = None
    """What is between it and the limit before it in its sentence; None where there is none."""
    continues: bool = False
    """True where it goes on from a limit of its kind: "or 735 mm for wet-weather tyres"."""

    @property
    def clause(self) -> str:
        """What is before it in its own part of the sentence."""
        return last_clause(_PARTED_CONDITION.sub(r"\1 ", self.left))

    @property
    def is_count(self) -> bool:
        return is_count(self.figure)

    @property
    def is_mark(self) -> bool:
        """True in brackets of its own, and at the beginning of an entry of a list."""
        in_brackets = self.left.endswith("(") and self.right.startswith(")")
        return in_brackets or bool(not self.left.strip() and _ENTRY.match(self.right))

    @property
    def is_code(self) -> bool:
        """True behind "ISO", and of a grade that is not itself compared."""
        is_grade = _GRADED.search(self.left)
        is_compared = self.bound and find_bound(_GRADED.sub(" ", self.left), self.right)
        return bool((is_grade and not is_compared) or _ACRONYM.search(self.left))

    @property
    def is_before_duty(self) -> bool:
        """True where the duty of its own sentence is still to come, or what "who" did is said."""
        if _MODAL.search(self.left):
            return False
        has_duty = bool(_MODAL.search(self.rest))
        if _MODAL.search(self.lead):  # an item goes on with what is obliged: "be at most 5 mm and"
            return has_duty and self.bound not in ("at least", "at most")
        return has_duty or bool(_WHO.search(self.left) and _IS.search(self.rest))

    @property
    def is_asked_for(self) -> bool:
        """True in the description of a thing that must be there, unless of a strict bound."""
        duty = _MODAL.search(self.rest)
        is_there = duty and _MUST_BE_THERE.match(self.rest, duty.start())
        return bool(is_there and _ANY_ONE.match(self.left)) and self.bound not in STRICT

    @property
    def is_obliged(self) -> bool:
        """True where the sentence or its lead-in has a word of duty."""
        return any(_MODAL.search(text) for text in (self.lead, self.left, self.rest))


def is_count(figure: WrittenNumber) -> bool:
    """True of a number of things or of a ratio."""
    if figure.quantity is None:
        return figure.value == figure.value.to_integral()
    return figure.quantity.kind in COUNT_KINDS


def _is_description(place: NumberPlace) -> bool:
    """True before the sentence's duty: what it says of its subject decides whom it obliges."""
    if place.continues or not place.is_before_duty:
        return False
    subject = place.clause if _OPENS_ADVERBIAL.match(place.left) else place.left
    subject = _IN_BRACKETS.sub("", subject)
    if _OPENS_SUBJECT.match(subject) or (_COUNTED.match(subject) and not _WHO.search(subject)):
        return False
    is_strict = place.bound in STRICT
    is_led = _MODAL.search(place.lead)
    is_related = place.bound is None and not is_led and _RELATED.search(subject)
    return bool(is_strict or _RELATIVE.search(subject) or is_related)


def _names_set(place: NumberPlace) -> bool:
    if _SAID_BEFORE.search(place.left) or _leaves_free(place):
        return True
    is_one = place.figure.text.casefold() == "one"
    if not place.is_count:
        is_spelled = place.figure.text[:1].isalpha()
        is_named = is_spelled and place.left.casefold().endswith("the ")
        is_known = _THE_ONE.search(place.left) and _PART_DOES.match(place.rest)
        is_named = is_named or bool(is_known and place.bound is None)
        return is_named and not _PERIOD.match(place.rest)
    if place.bound is not None and not (is_one and _PART.match(place.right)):
        return False
    is_set = _SET.search(place.left) and not _GROUP_OF.search(place.left)
    return is_one or bool(is_set or _PART.match(place.right))


def _leaves_free(place: NumberPlace) -> bool:
    """True of "between two cones", and of "may be made of more than one piece"."""
    no_range = place.figure.quantity is None and place.bound != "between"
    is_between = no_range and _BETWEEN.search(place.left)
    more_than_one = place.bound == "more than" and place.figure.text.casefold() == "one"
    may_be = more_than_one and _MAY.search(f"{place.lead} {place.left}")
    return bool(is_between or may_be)


def _is_name(place: NumberPlace) -> bool:
    if is_clock_time(place.figure):
        return True
    if place.figure.quantity is not None:
        words = f"{place.figure.text}{place.rest}"
        return place.is_count and bool(_HYPHENED.match(words))  # "a 3-point-bend test"
    if place.is_mark or place.is_code or _JOINED.match(place.right):
        return True
    if place.bound is not None or not place.is_count:
        return False
    is_plural = (
        place.figure.value <= 1 or not _WORD.match(place.rest) or _HEAD_NOUN.match(place.rest)
    )
    is_named = _VERB.match(place.rest) or _TITLED.match(place.rest)
    is_first = _FIRST_NAME.match(place.left) and is_named
    return bool(is_first or _NAME.search(place.left)) or not is_plural


def _is_definition(place: NumberPlace) -> bool:
    """True where a term is defined: before the number, behind it, or in what leads to it."""
    if _DEFINITION.search(place.left):
        return True
    behind = None if _MODAL.search(place.left) else _DEFINITION.search(place.rest)
    if behind and not _MODAL.search(place.rest[: behind.start()]):
        return True
    return bool(_DEFINITIONS.search(place.lead) or _DEFINED.search(place.lead))


def _is_condition(place: NumberPlace) -> bool:
    """True of a number in a condition, its sentence's own or that of a list ("..., whilst:")."""
    if place.continues or _COMPARES_NOW.search(place.left):
        return False
    if _INVERTED.search(place.left) or (_RANGE.match(place.left) and _MODAL.search(place.rest)):
        return True
    is_bound = place.bound in ("at least", "at most")
    if is_bound and _PERMITTED_IF.search(f"{place.lead} {place.left}"):
        return False
    if is_bound and _PLACED_WHERE.search(place.lead):
        return False
    if _LISTS_CONDITIONS.search(place.lead):
        return not _MODAL.search(place.left)
    *before, last = _CONDITION.split(place.clause)
    return bool(before) and not (_MODAL.search(last) or _SECOND_VERB.search(last))


ROLES: dict[str, Callable[[NumberPlace], bool]] = {
    "example": lambda place: bool(
        _EXAMPLE.search(_IN_BRACKETS.sub("", place.left))
        or _EXAMPLE.search(place.heading)
        or _HEADS_EXAMPLE.search(place.lead)
    ),
    "formula": lambda place: bool(
        _FORMULA.search(f"{place.left}{place.figure.text}{place.right}")
        or _TIMES_A_VARIABLE.match(place.rest)
        or (place.figure.quantity is None and place.left.rstrip().endswith("="))
    ),
    "part of a sum": lambda place: bool(_ADDED.search(place.left) or _MULTIPLIED.match(place.rest)),
    "rounding": lambda place: bool(_ROUNDED.search(place.left)),
    "equivalent": lambda place: bool(_EQUIVALENT.search(place.left)),
    "no direction": lambda place: bool(_UNLIMITED.search(place.left)),
    "vector": lambda place: bool(_VECTOR.search(place.left)),
    "date": lambda place: bool(
        (place.figure.quantity and place.figure.quantity.kind == "time of day")
        or (place.is_count and (_DATE.match(place.right) or _MONTH.search(place.left)))
    ),
    "condition": _is_condition,
    # As in a row "200 V < Vmax <= 400 V".
    "band": lambda place: (
        bool(_COMPARED.search(place.left) or _COMPARES.match(place.rest))
        and not _MODAL.search(place.left)
    ),
    # Where a limit holds: "at least 80 km/h at 15,000 rpm".
    "operating point": lambda place: (
        place.since is not None and place.bound is None and bool(_AT.match(place.since))
    ),
    "definition": _is_definition,
    "measurement": lambda place: (
        bool(_MEASURED.search(f"{place.lead} {place.left}")) and place.bound is None
    ),
    "threshold": lambda place: (
        (_is_description(place) and not place.is_asked_for)
        or (place.bound in STRICT and bool(_OF_ANY.search(place.left)))
    ),
    "name": _is_name,
    "names a set": _names_set,
    "estimate": lambda place: not place.is_obliged and bool(_ROUGHLY.search(place.left)),
    # How long is waited, where nobody is obliged by a word.
    "procedure": lambda place: (
        place.bound is None and not place.is_obliged and bool(_PROCEDURE.search(place.left))
    ),
    # A plain number that no duty and no comparison makes a limit.
    "no duty": lambda place: (
        place.is_count
        and place.bound is None
        and not place.is_obliged
        and not (place.figure.quantity and _LABEL.match(place.left))
        and place.figure.value >= 0
        and not _UNIVERSAL.match(place.left)
        and not (_OPENS_SUBJECT.match(place.left) and _ARE.match(place.rest))
    ),
    "number without a unit": lambda place: (
        place.figure.quantity is None and not place.is_count and place.bound is None
    ),
}
"""Roles of a number that is no limit, in the order in which they are looked for."""


def find_role(place: NumberPlace) -> str | None:
    """Return why a number is no limit; None where it is one."""
    return next((name for name, is_role in ROLES.items() if is_role(place)), None)
