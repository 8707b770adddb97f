"""Whether the direction of a number is proved: every word that could turn it has been counted.

A sentence turns a comparison with each word that denies: "no driver may fail to stop within 30 m"
has two. What is counted is the duty and the comparison itself; a denial beside them leaves open
which way the limit goes.
"""

import re
from dataclasses import dataclass

from core.grammar.directions import (
    denied_comparisons,
    follows_inclusive_bound,
    is_compared_behind,
    is_strict,
)
from core.grammar.duties import DutyWords, find_duty_words
from core.grammar.vocabulary import any_word

_DENYING = rf"(?<!\bor )(?:{any_word('denying')})"
_DENIAL = re.compile(
    r"(?i)(?!\bwhether or not\b|\bor not\b|\bnot only\b|\bif not\b|\bno matter\b|\bno\.?\s?\d|"
    rf"\bneither\b[^.;]*\bnor\b)\b(?:(?:does|do|did) not {_DENYING}|"
    rf"(?P<denial>{any_word('negation')}|{_DENYING}))\b"
)
"""What denies; "does not fail" denies nothing."""
_FREEING = re.compile(rf"(?i)(?:{any_word('freeing')})")
_NOT_ALL = re.compile(r"(?i)\bnot (?:all|every|each|necessarily)\b")
_ANNOUNCING = re.compile(r"(?i)\bwill\b")
_PARTED = re.compile(
    rf"(?i)[,;:.!?]\s|\b(?:{any_word('condition', 'circumstance')}|provided|as long as|"
    r"(?:and|but)(?=\s(?:the|its|their|it|each|all)\b))\b"
)
"""Where the part of a sentence ends that a denial is about."""
_GOES_ON = re.compile(rf"(?i)\b(?:{any_word('condition', 'exception')}|but|and|for|only|without)\b")
_OPEN_LEAD = re.compile(r"\s*[:—–]\s*$")
_VERB = r"\b(?:is|are|was|were|has|have|will|can|does|do|leads?|results?)\b"
_PREDICATE = re.compile(_VERB, re.I)
_PREDICATE_ENDS = re.compile(r"[.;:]|,\s(?=(?:which|that|if|where|when|unless|but)\b)")
_DENIED = re.compile(rf"(?i)[^.,;:]*?{_VERB}\s(?:not|never|no)\b")
_NOUN = re.compile(r"(?:\s*[^\W\d]+){5}")
_COUNTS = re.compile(
    r"(?i)\W*(?:(?:and|or|in|for|at|on)\s(?:[a-z]+\s){0,2})?(?:a total of\s)?"
    r"(?:at least|at most|up to|within|an? (?:minimum|maximum) of)\b"
)
"""Before a number of things that are the subject: "up to five points will be deducted"."""
DOUBT = "direction that is not proved"


@dataclass(frozen=True, slots=True)
class NumberScope:
    """What governs a number: its duty, and the words between that and the number.

    `duty` is the last before it, else the first behind. `words` is what is before the number, with
    what leads to its sentence where that has the duty; `own` goes on from the duty or "will".
    """

    words: str
    rest: str
    duty: DutyWords | None
    is_behind: bool
    """True of a duty behind the number, in the `rest` of its sentence."""
    own: str

    @classmethod
    def around(cls, lead: str, left: str, rest: str) -> "NumberScope":
        """Return the scope of a number from its sentence and what leads to it."""
        is_led = not find_duty_words(left) and (find_duty_words(lead) or _DENIAL.search(lead))
        words = f"{_OPEN_LEAD.sub('', lead)} {left}" if is_led else left
        if before := find_duty_words(words):
            return cls(words, rest, before[-1], is_behind=False, own=words[before[-1].end :])
        duty = next(iter(find_duty_words(rest)), None)
        return cls(words, rest, duty, is_behind=True, own=_ANNOUNCING.split(words)[-1])

    @property
    def duty_words(self) -> str:
        text = self.rest if self.is_behind else self.words
        return text[self.duty.start : self.duty.end] if self.duty else ""

    @property
    def own_clause(self) -> str:
        """The part of its own words that a denial in it is about."""
        return _PARTED.split(self.own)[-1]

    @property
    def is_governed(self) -> bool:
        """True behind a duty or an announcement."""
        return len(self.own) < len(self.words)

    @property
    def is_forbidden(self) -> bool:
        return self.duty is not None and self.duty.modality == "must not"

    @property
    def has_denial_left(self) -> bool:
        """True where words deny what is neither the duty nor a comparison: "not more than"."""
        spans = denied_comparisons(self.own_clause)
        denials = [match for match in _DENIAL.finditer(self.own_clause) if match["denial"]]
        if self.is_forbidden and not is_strict(self.own_clause):  # "not without two lamps"
            denials = [match for match in denials if match[0].casefold() != "without"]
        counts = [sum(start <= one.start() < end for one in denials) for start, end in spans]
        return sum(counts) < len(denials) or any(count > 1 for count in counts)

    @property
    def denies_all(self) -> bool:
        """True where not all of them are obliged."""
        if self.duty is None or self.is_behind:
            return False
        return bool(_NOT_ALL.search(_PARTED.split(self.words[: self.duty.start])[-1]))

    @property
    def forbids_what_is_enough(self) -> bool:
        """True of "nobody may be within 2 m": what is at most so much is forbidden."""
        if (
            self.duty is None
            or not self.is_forbidden
            or not follows_inclusive_bound(self.own_clause)
        ):
            return False
        is_announced = self.is_behind and _ANNOUNCING.search(self.rest, 0, self.duty.start)
        return not is_announced and not _GOES_ON.search(f"{self.duty_words}{self.own_clause}")

    @property
    def is_without_effect(self) -> bool:
        """True of "the limit of 5 mm does not apply"."""
        return self.duty is None and _DENIED.match(self.rest) is not None


def find_doubt(lead: str, left: str, right: str, rest: str, *, is_bound: bool) -> str | None:
    """Return why the direction of a number is not proved; None where it is.

    `left` and `rest` are its sentence before and behind it, `right` what is behind it up to the
    next number, and `lead` what leads to the sentence. `is_bound` of one that is compared.
    """
    scope = NumberScope.around(lead, left, rest)
    if _FREEING.fullmatch(scope.duty_words) and scope.own_clause == scope.own:
        return "nothing is required"
    is_compared = is_bound or scope.is_governed
    is_in_doubt = (
        (is_compared and scope.has_denial_left)
        or scope.denies_all
        or scope.forbids_what_is_enough
        or (is_bound and scope.is_without_effect)
        or (scope.duty is None and _is_of_subject(scope, right))
    )
    return DOUBT if is_in_doubt else None


def _is_of_subject(scope: NumberScope, right: str) -> bool:
    """True of an amount that a subject has, where no known duty says what follows from it."""
    clause = scope.own_clause
    if _PREDICATE.search(clause) or (scope.is_governed and not is_strict(clause)):
        return False
    is_noun = is_strict(clause) and _NOUN.match(clause)
    if not is_noun and not _PREDICATE.search(_PREDICATE_ENDS.split(scope.rest)[0]):
        return False
    if _COUNTS.match(clause) or denied_comparisons(clause):
        return False
    return follows_inclusive_bound(clause) or is_strict(clause) or is_compared_behind(right)
