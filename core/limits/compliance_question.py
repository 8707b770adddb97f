"""What a question asks a verdict on: its values, the words of what they are of, what they measure.

A rule's limits are read elsewhere; here is which rules and limits may be meant.
"""

import re
from dataclasses import dataclass

from core.limits.limits import QuantityLimit
from core.limits.quantities import (
    AMOUNTS,
    LENGTH_WORDS,
    Quantity,
    find_quantities,
    remove_quantities,
)
from core.limits.stems import content_words, coverage, stem_words
from core.limits.vocabulary import VOCABULARY, any_word, list_words

_ASKS_ELSE = re.compile(rf"(?i)(?:^|[.,;:?!–-]\s+|\s[–-]\s)(?:and\s+)?(?:{any_word('question')})\b")
"""A sentence, or a part of one, that asks for something else than a verdict."""
_CHECKING_WORDS = frozenset(list_words("checking"))
ABOUT_VALUE_SHARE = 0.6
"""Share of a question's words that a rule with its headings must hold to be about its value."""
BARE_SIZE_FACTOR, SIZE_FACTOR = 2, 10
"""How many times as large or small as a value its limits may be, where the question says only its
value and elsewhere."""


@dataclass(frozen=True, slots=True)
class ComplianceQuestion:
    """A question with its values and, by stem, the words of what they are of."""

    text: str
    values: tuple[Quantity, ...]
    words: dict[str, str]

    @property
    def _says_only_its_value(self) -> bool:
        return self.words == kind_words(self.values[0].kind)

    def count_words(self, text: str) -> int:
        """Count the question's words, by stem, that are in a text."""
        return len(self.words.keys() & stem_words(text))

    def matches_rule(self, heading: str, words: tuple[str, ...] = ()) -> bool:
        """True where a rule is about what the question is about."""
        rule = " ".join((heading, *words))
        plain = {stem: word for stem, word in self.words.items() if not find_length_words(word)}
        if not plain:
            return is_same_measure(find_length_words(self.text), find_length_words(rule))
        share = coverage(plain, rule)
        return share > 0 if self._says_only_its_value else share >= ABOUT_VALUE_SHARE

    def may_measure(self, words: str) -> bool:
        """True unless the question says what its length is of, and the words do not say the same:
        a distance is not held against a height.
        """
        asked = find_length_words(self.text)
        return not asked or is_same_measure(asked, find_length_words(words))

    def matches_limit(self, limit: QuantityLimit, times: int | None = None) -> bool:
        """True where a limit is of the measure of a value and near enough to it in size.

        `times` is how many times as large or small it may be; by default that depends on whether
        the question says what its value is of.
        """
        low, high = limit.amount.base, (limit.upper or limit.amount).base
        times = times or (BARE_SIZE_FACTOR if self._says_only_its_value else SIZE_FACTOR)
        return any(
            low / times <= value.base <= high * times
            for value in self.values
            if value.is_comparable(limit.amount)
        )


def values_in_question(question: str) -> tuple[Quantity, ...]:
    """Return the values that a question asks a verdict on; none where it asks something else.

    A number in words is mostly no value: "from one set", "the first three laps".
    """
    if _ASKS_ELSE.search(question):
        return ()
    values = find_quantities(question)
    return tuple(v for v in values if any(map(str.isdigit, question[v.start : v.end])))


def subject_words(question: str) -> dict[str, str]:
    """Return, by stem, the words of what a value is of: neither the value nor words of asking."""
    found = content_words(remove_quantities(question))
    words = {stem: word for stem, word in found.items() if word not in _CHECKING_WORDS}
    values = find_quantities(question)
    kinds = {value.kind for value in values} - {"length"}  # whose words tell limits apart
    said = {word for one in AMOUNTS if one.kinds <= kinds for word in one.adjectives}
    words = {stem: word for stem, word in words.items() if word not in said}
    return words if words or not values else kind_words(values[0].kind)


def kind_words(kind: str) -> dict[str, str]:
    """Return, by stem, the words for amounts of a kind."""
    return content_words(VOCABULARY["kind_words"].get(kind, kind))


def find_length_words(text: str) -> set[str]:
    """Return the words of a text that say what a length is of."""
    words = set(re.findall(r"[a-z]+", text.casefold()))
    return {word for group in LENGTH_WORDS for word in group & words}


def is_same_measure(one: set[str], other: set[str]) -> bool:
    """True where words of two texts say that a length is of the same: "diameter" and "od"."""
    return any(one & group and other & group for group in LENGTH_WORDS)
