"""What a question asks a verdict on: the values it brings, the words of what they are of, what they measure.

Nothing here reads a rule's limits; it tells which rules and limits may be meant.
"""

import re
from dataclasses import dataclass

from core.agent.text.amounts import LENGTH_WORDS
from core.agent.text.limits import QuantityLimit
from core.agent.text.quantities import Quantity, find_quantities, remove_quantities
from core.agent.text.stems import content_words, coverage

_ASKS = re.compile(
    r"^\W*(?:is|are|was|may|can|could|does|do|would|will|should|must)\b|"
    r"\b(?:legal|illegal|allowed|permitted|ok|okay|compliant|comply|complies|conform\w*|acceptable|enough|sufficient|"
    r"too \w+|within the (?:limit|rules)|pass(?:es)?)\b",
    re.I,
)
_OPEN = re.compile(r"^\W*(?:what|how|which|when|who|whom|whose|why|where)\b", re.I)
"""Questions for something else than a verdict."""
_NOISE = frozenset(
    "run use used using fit fitted have has ok okay compliant comply complies conform conforms acceptable enough"
    " sufficient too pass passes size sized value limit limits rules check still".split()
)
"""Words with which one asks for a verdict; no rule need hold them."""
_KIND_WORDS = {"mass": "mass weight", "sound": "sound noise", "share": "percentage"}
"""What an amount is of where a question says nothing else and the name of its kind will not do."""
ABOUT_VALUE_SHARE = 0.6
"""Share of a question's words that a rule with its headings must hold to be about its value."""
BARE_SIZE_FACTOR, SIZE_FACTOR = 2, 10
"""Only limits up to so many times as large or small as a value are meant for it: where a question says nothing but its
value, and else."""


@dataclass(frozen=True, slots=True)
class ComplianceQuestion:
    """A question with its values and the words of what they are of."""

    question: str
    values: tuple[Quantity, ...]
    words: dict[str, str]

    @property
    def _bare(self) -> bool:
        """True where the question says nothing but its value."""
        return self.words == kind_words(self.values[0].kind)

    def matches_rule(self, heading: str, words: tuple[str, ...] = ()) -> bool:
        """True where a rule is about what the question is about."""
        text = " ".join((heading, *words))
        plain = {stem: word for stem, word in self.words.items() if not find_length_words(word)}
        if not plain:
            return is_same_measure(find_length_words(self.question), find_length_words(text))
        share = coverage(plain, text)
        return share > 0 if self._bare else share >= ABOUT_VALUE_SHARE

    def matches_limit(self, limit: QuantityLimit) -> bool:
        """True where a limit is of a kind with a value, and of its size where nothing else tells."""
        own = [value for value in self.values if value.kind == limit.kind]
        low, high, times = (
            limit.amount.base,
            (limit.upper or limit.amount).base,
            BARE_SIZE_FACTOR if self._bare else SIZE_FACTOR,
        )
        return any(low / times <= value.base <= high * times for value in own)


def values_in_question(question: str) -> tuple[Quantity, ...]:
    """The values that a question asks a verdict on; none where it asks something else."""
    return (
        find_quantities(question) if _ASKS.search(question) and not _OPEN.search(question) else ()
    )


def subject_words(question: str) -> dict[str, str]:
    """The words, by stem, of what a value is of: those of the question but the value itself and the words of asking."""
    words = {
        stem: word
        for stem, word in content_words(remove_quantities(question)).items()
        if word not in _NOISE
    }
    values = find_quantities(question)
    return words if words or not values else kind_words(values[0].kind)


def kind_words(kind: str) -> dict[str, str]:
    """The words, by stem, that amounts of a kind go by."""
    return content_words(_KIND_WORDS.get(kind, kind))


def find_length_words(text: str) -> set[str]:
    """The words of a text that tell what a length is of."""
    said = set(re.findall(r"[a-z]+", text.casefold()))
    return {word for group in LENGTH_WORDS for word in group if word in said}


def is_same_measure(one: set[str], other: set[str]) -> bool:
    return any(one & group and other & group for group in LENGTH_WORDS)
