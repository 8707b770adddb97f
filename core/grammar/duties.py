"""Words of duty: what a text obliges to, forbids, permits or advises, and where it says so."""

import re
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from core.grammar.sentences import last_clause, split_sentences
from core.grammar.vocabulary import any_word, list_words

Modality = Literal["must", "must not", "may", "should"]

_DENIAL = rf"\b(?:no(?!\s(?:{any_word('no_denial')})\b)|nobody|nothing|none|neither|nor)\b"
_ALLOWANCE = r"(?:may|shall|must|can|(?:is|are) (?:permitted|allowed))\b"
_OF_NO_CONDITION = "".join(rf"(?<!\b{word}\s)" for word in list_words("condition"))
"""Not "where no point is available, ... may", whose denial ends at the comma."""
_FORBIDDEN = (
    r"(?i)\b(?:must|shall|may|can|will|has to|have to)\s+(?:also\s+)?(?:not|never|neither)\b|"
    r"\b(?:may|can|shall) only\b|\b(?:the )?only\b(?:\s+[\w/()'’-]+){0,5}?\s+"
    r"(?:may|permitted|allowed)\b|"
    r"\bcannot\b|"
    rf"\b(?:is|are|be|being)\s+(?:not|never)\s+(?:be\s+)?(?:{any_word('permitted')}|authori[sz]ed|"
    rf"acceptable|accepted|approved)\b|(?:^|[.:–-]\s+)(?-i:Do|DO) not\b|"
    rf"\b(?:{any_word('forbidden')}|not (?:{any_word('permitted')})|banned)\b|"
    rf"{_OF_NO_CONDITION}{_DENIAL}(?:\s+[\w/()'’.,-]+){{0,12}}?\s+{_ALLOWANCE}|"
    rf"{_DENIAL}(?:\s+[\w/()'’.-]+){{0,12}}?\s+{_ALLOWANCE}|"
    r"\bno\s+(?:[\w/'’-]+\s+){1,6}(?:permitted|allowed)\b|\bat no time\b"
)
_INFORMING = any_word("informing")
_INVERTED = (
    r"(?-i:Should)\s+(?!(?:be|have|not|also|only)\b)[^.,]+,"
    r"[^.]*\b(?:will|can|must|shall|may|is|are)\b"
)
"""A condition without "if": "Should two hours elapse, the leader will be shown"."""
_PATTERNS: tuple[tuple[Modality, re.Pattern[str]], ...] = (
    ("may", re.compile(rf"(?i)\b(?:{any_word('freeing')})\b")),
    ("must not", re.compile(_FORBIDDEN)),
    (
        "should",
        re.compile(
            rf"(?i)\b(?!{_INVERTED})(?:should(?!\s+(?:the|an?|any|it|they|there)\b)|ought to|"
            r"(?:is|are) (?:strongly )?(?:recommended|advised|encouraged|discouraged))\b"
        ),
    ),
    (
        "must",
        re.compile(
            rf"(?i)\b(?:{any_word('must', 'obligatory')}|(?:is|are) to|"
            r"needs? to|(?<!not )(?<!that )(?<!which )(?<!can )(?<!may )requires?|"
            r"(?:is|are) (?:required|responsible for|limited to|restricted to|expected to))\b"
        ),
    ),
    (
        "may",
        re.compile(rf"(?i)\b(?!{_INFORMING})(?:{any_word('may', 'permitted', 'optional')})\b"),
    ),
)
_ANNOUNCING = re.compile(rf"(?i)\b(?:{any_word('announcing', 'informing')})\b")
_SUBORDINATE = re.compile(
    rf"(?i)\b(?:{any_word('condition')}|(?:in order|so) that)\b|\b(?:which|that|who)\s*$"
)
_BARE_WORD = re.compile(r"\w+(?: to)?")
_ASIDE = re.compile(
    rf"(?i)\b(?:as|{any_word('condition', 'exception', 'saving')})"
    r"(?:\s+(?:as|where|when|if|is|are|otherwise|\w+ly))*\s*$"
)
_QUOTED = re.compile("“[^”]*”|«[^»]*»")


@dataclass(frozen=True, slots=True)
class DutyWords:
    """Words of duty and their place in a text."""

    modality: Modality
    start: int
    end: int


def find_duty_words(text: str) -> tuple[DutyWords, ...]:
    """Return the words of duty of a text, in order; none is part of another."""
    found: list[DutyWords] = []
    for modality, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if not any(one.start < match.end() and match.start() < one.end for one in found):
                found.append(DutyWords(modality, *match.span()))
    return tuple(sorted(found, key=lambda one: one.start))


def announces(text: str) -> bool:
    """True of a text that says what will or can be."""
    return _ANNOUNCING.search(text) is not None


def governing_duty(left: str, right: str = "") -> Modality | None:
    """Return the duty under which words are: the last before them, else the first behind.

    What will be, in a rule, must be.
    """
    before, behind = find_duty_words(left), find_duty_words(right)
    if before:
        return before[-1].modality
    if behind:
        return behind[0].modality
    return "must" if announces(left) or announces(right) else None


def main_duty(text: str) -> DutyWords | None:
    """Return a sentence's duty: the first in no condition or relative clause, else the first.

    What is named in passing is none: "except as permitted by", what the sentence quotes.
    """
    quoted = [match.span() for match in _QUOTED.finditer(text) if match[0] != text.strip()]
    found = [
        one
        for one in find_duty_words(text)
        if not (_BARE_WORD.fullmatch(text, one.start, one.end) and _ASIDE.search(text[: one.start]))
        and not any(start < one.start < end for start, end in quoted)
    ]
    free = (one for one in found if not _SUBORDINATE.search(last_clause(text[: one.start])))
    return next(chain(free, found), None)


def led_duty(lead: str) -> DutyWords | None:
    """Return the duty of what leads to an item: that of its last sentence that has one."""
    sentences = chain.from_iterable(map(split_sentences, re.split(r"(?<=:)\s+", lead)))
    return next(filter(None, map(main_duty, reversed([*sentences]))), None)
