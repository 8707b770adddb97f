"""What a query asks the index for: its telling words, what rulebooks say for them, its phrases. Knows no table."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from core.library.retrieval.query_filters import parse_query_filters
from core.library.spelling import UNITS, normalize_numbers
from core.library.types import Document

STOP_WORDS = frozenset(
    """
    a about after again all also am an and any are as at be because been before being between both but by
    can could describe did do does doing during each either explain for from further give had happen
    happened happens has have having he her here hers him his how i if in into is it its itself just let
    list many may me mean means might more most much must my of off on once one or other our ours out over
    own per please provide same say says shall she should since so some state such tell than that the their theirs
    them then there these they this those through to too under until up upon us very was we were what when
    where whether which while who whom whose why will with would you your yours according
    """.split()
)
"""Words that tell nothing of what is sought. Negations ("not", "no", "without", "only") are none of them."""

MAX_QUERY_WORDS = 64
"""Words of a query that are looked for; more say nothing more of what is meant."""
SYNONYM_WEIGHT, TERM_WEIGHT = 0.8, 0.7
"""What other words count for beside the query's own."""
SMALL_SCOPE = 8
"""Documents up to which a scope is taken to speak one language: its numbers and short forms mean one thing."""
MAX_ALTERNATIVES = 8
"""Other words for those of a query that are looked for too."""

_WORD = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"['’]s\b")
_QUOTED = re.compile(r"[\"“”«»]([^\"“”«»]{2,200})[\"“”«»]")
_AMOUNT = re.compile(rf"(?<!\w)\d+(?:dot\d+)* (?:{UNITS})(?:/[A-Za-z]+)?(?!\w)")


@dataclass(frozen=True, slots=True)
class AlternativeWords:
    """Other words for some of a query: a clause has to have all of them. `weight` is beside 1 for the query's own."""

    words: str
    weight: float


@dataclass(frozen=True, slots=True)
class ExpandedQuery:
    """What to look for, spelled as the index is."""

    words: tuple[str, ...]
    alternatives: tuple[AlternativeWords, ...] = ()
    required_phrases: tuple[str, ...] = ()
    """Phrases that a clause has to have, word for word."""
    phrases: tuple[str, ...] = ()
    """Phrases that count for more where they stand word for word: quotations, numbers with units ("80 km h")."""


def expand_query(query: str, documents: Iterable[Document]) -> ExpandedQuery:
    """The words of a query. Seasons, issues and rulebooks that it names are the scope's, not words to look for."""
    held = tuple(documents)
    rest = parse_query_filters(query, held).remaining_text
    telling = _telling(rest) or _telling(query)
    quoted = [
        phrase for found in _QUOTED.finditer(rest) if (phrase := " ".join(index_tokens(found[1])))
    ]
    amounts = [
        " ".join(index_tokens(found[0])) for found in _AMOUNT.finditer(normalize_numbers(rest))
    ]
    # In a question quotation marks are emphasis; they are a demand where there is little beside them.
    demanded = 2 * sum(len(phrase.split()) for phrase in quoted) >= len(telling)
    return ExpandedQuery(
        words=tuple(telling[:MAX_QUERY_WORDS]),
        alternatives=_alternatives(" ".join(index_tokens(rest)[:MAX_QUERY_WORDS]), held),
        required_phrases=tuple(quoted) if demanded else (),
        phrases=tuple(amounts if demanded else [*quoted, *amounts]),
    )


def _telling(text: str) -> list[str]:
    return [word for word in dict.fromkeys(index_tokens(text)) if word not in STOP_WORDS]


def index_tokens(text: str) -> list[str]:
    """All words of a text, in order, as the index spells them."""
    return _WORD.findall(_POSSESSIVE.sub("", normalize_numbers(text)).lower())


def _alternatives(query: str, documents: Sequence[Document]) -> tuple[AlternativeWords, ...]:
    """Other words for words of a query (in lower case): the field's, and short forms that the documents explain.

    Together they weigh as much as the words that they stand for.
    """
    # Among many rulebooks the short forms of one are not the words of the others.
    terms = (
        {item for document in documents for item in document.terms.items()}
        if len(documents) <= SMALL_SCOPE
        else set()
    )
    found = [
        (said, other, TERM_WEIGHT)
        for said, other in sorted(terms)
        if said in query
        and said not in STOP_WORDS
        and re.search(rf"\b{re.escape(said)}s?\b", query)
    ]
    found += [
        (said, other, SYNONYM_WEIGHT)
        for said, pattern, others in _synonyms()
        if pattern.search(query)
        for other in others
    ]
    return tuple(
        AlternativeWords(other, weight * (len(_telling(said)) or 1) / len(other.split()))
        for said, other, weight in found[:MAX_ALTERNATIVES]
    )


@lru_cache(maxsize=10_000)
def synonyms_of(word: str) -> tuple[str, ...]:
    """What rulebooks say for a word of people, by the field's synonyms: ("dry-weather tyre",) for "slicks"."""
    return tuple(
        other for _, pattern, others in _synonyms() if pattern.fullmatch(word) for other in others
    )


def find_synonym_phrases(text: str) -> tuple[str, ...]:
    """The phrases of people in a text for which rulebooks have other words: "race ban"."""
    return tuple(
        found[0]
        for said, pattern, _ in _synonyms()
        if " " in said and (found := pattern.search(text.lower()))
    )


@cache
def _synonyms() -> list[tuple[str, re.Pattern[str], list[str]]]:
    data: Mapping[str, list[str]] = tomllib.loads(
        (Path(__file__).parent / "words.toml").read_text("utf-8")
    )["synonyms"]
    return [
        (said, re.compile(rf"\b{re.escape(said)}(?:s|es|ed)?\b"), others)
        for said, others in data.items()
    ]
