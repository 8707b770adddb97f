"""What a query asks the index for: its words without function words and without what only names a document."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.library.named import named_in
from core.library.types import Document
from core.library.words import spell

FUNCTION_WORDS = frozenset(
    """a about after again all also am an and any are as at be because been before being between both but by can could
    describe did do does doing during each either explain for from further give had has have having he her here hers
    him his how i if in into is it its itself just let list may me might more most much must my of off on once one or
    other our ours out over own per please provide same say says shall she should so some state such tell than that the
    their theirs them then there these they this those through to too under until up upon us very was we were what when
    where whether which while who whom whose why will with would you your yours according""".split()
)
"""Words that carry no meaning of their own in a question. Negations ("not", "no", "without", "only") are none of them."""

QUERY_WORDS = 64
"""More distinct words than this say nothing more of what is meant."""

_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r"[\"“”«»]([^\"“”«»]{2,200})[\"“”«»]")


@dataclass(frozen=True, slots=True)
class Words:
    """What to look for, spelled as the index is: single words, and phrases that were in quotation marks."""

    words: tuple[str, ...]
    phrases: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join(self.words)


def words_of(query: str, documents: Iterable[Document]) -> Words:
    """The words of a query. Seasons, issues and rulebooks that it names are the scope's, not words to look for."""
    rest = named_in(query, documents).rest
    phrases = tuple(phrase for found in _QUOTED.finditer(rest) if (phrase := " ".join(_words(found[1]))))
    words = _telling(rest) or _telling(query)
    return Words(tuple(words[:QUERY_WORDS]), phrases)


def _telling(text: str) -> list[str]:
    return [word for word in dict.fromkeys(_words(text)) if word not in FUNCTION_WORDS]


def _words(text: str) -> list[str]:
    return _WORD.findall(spell(text).lower())
