"""Expand a query: its content words, synonyms and phrases; and how much of it a text covers.

Reads no table.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from core.grammar import STOP_WORDS, UNITS, stem_content_words, stem_words
from core.library.retrieval.query_filters import load_vocabulary, parse_query_filters
from core.library.spelling import normalize_numbers
from core.library.types import Document

MAX_QUERY_WORDS = 64
"""More distinct words say nothing more of what is meant."""
SYNONYM_WEIGHT, TERM_WEIGHT = 0.8, 0.7
"""Weight of synonyms and of documents' short forms; the query's own words weigh 1. Without both the
best clause is right for 0.40 of 15 questions, with them for 0.80 (tests/benchmarks/search.py)."""
SMALL_SCOPE = 8
"""Largest number of documents in which numbers and short forms are taken to mean one thing. Among
forty, short forms lower the MAP by up to 0.03, numbers by 0.03 (tests/benchmarks/search.py)."""

_WORD = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"['’]s\b")
_QUOTED = re.compile(r"[\"“”«»]([^\"“”«»]{2,200})[\"“”«»]")
_AMOUNT = re.compile(rf"(?<!\w)\d+(?:dot\d+)* (?:{UNITS.sure})(?:/[A-Za-z]+)?(?!\w)")
MIN_COVERAGE = 0.5
"""Share of the words of a question or statement from which a text is about it.
tests/benchmarks/pairs.py counts the drafts that are judged wrongly with it."""
MIN_SAME = 0.75
"""Share of each other's words from which two sentences are on one thing, counted there too."""


@dataclass(frozen=True, slots=True)
class AlternativeWords:
    """Words that may replace some of the query's; a clause must contain all of them."""

    words: str
    weight: float


@dataclass(frozen=True, slots=True)
class ExpandedQuery:
    """What to search for, spelled as in the index. Clauses must contain the required phrases.

    `phrases` (quotations, numbers with units: "80 km h") only raise the score.
    """

    words: tuple[str, ...]
    alternatives: tuple[AlternativeWords, ...] = ()
    required_phrases: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()


def expand_query(query: str, documents: Iterable[Document]) -> ExpandedQuery:
    """Expand a query without the seasons, issues and rulebooks it names (they set the scope)."""
    known = tuple(documents)
    rest = parse_query_filters(query, known).remaining_text
    words = _content_words(rest) or _content_words(query)
    phrases = (" ".join(index_tokens(match[1])) for match in _QUOTED.finditer(rest))
    quotes = list(filter(None, phrases))
    amounts = [" ".join(index_tokens(m[0])) for m in _AMOUNT.finditer(normalize_numbers(rest))]
    # Quotation marks in a longer question are emphasis; around most of its words, a requirement.
    required = 2 * sum(len(phrase.split()) for phrase in quotes) >= len(words)
    return ExpandedQuery(
        words=tuple(words[:MAX_QUERY_WORDS]),
        alternatives=_find_alternatives(" ".join(index_tokens(rest)[:MAX_QUERY_WORDS]), known),
        required_phrases=tuple(quotes) if required else (),
        phrases=tuple(amounts if required else [*quotes, *amounts]),
    )


def _content_words(text: str) -> list[str]:
    ignored = STOP_WORDS.of(text)
    return [word for word in dict.fromkeys(index_tokens(text)) if word not in ignored]


def index_tokens(text: str) -> list[str]:
    """Return all words of a text, in order, spelled as in the index."""
    return _WORD.findall(_POSSESSIVE.sub("", normalize_numbers(text)).lower())


def _find_alternatives(query: str, documents: Sequence[Document]) -> tuple[AlternativeWords, ...]:
    """Return up to eight short forms of documents, or synonyms, for words of a lower-case query.

    Together, the words of an alternative weigh as much as the words they replace.
    """
    # In a large scope, the short forms of one rulebook mean other things in the others.
    found = list(_find_short_forms(query, documents)) if len(documents) <= SMALL_SCOPE else []
    found += [
        (word, other, SYNONYM_WEIGHT)
        for word, pattern, others in _synonyms()
        if pattern.search(query)
        for other in others
    ]
    return tuple(
        AlternativeWords(other, weight * (len(_content_words(word)) or 1) / len(other.split()))
        for word, other, weight in found[:8]
    )


def _find_short_forms(
    query: str, documents: Iterable[Document]
) -> Iterator[tuple[str, str, float]]:
    """Yield the terms of documents that a query has, their other forms and the weight of these."""
    terms = {item for document in documents for item in document.terms.items()}
    for term, other in sorted(terms):
        is_word = term in query and re.search(rf"\b{re.escape(term)}s?\b", query)
        if is_word and term not in STOP_WORDS:
            yield term, other, TERM_WEIGHT


@lru_cache(maxsize=10_000)
def synonyms_of(word: str) -> tuple[str, ...]:
    """Return what rulebooks say for an everyday word: ("dry-weather tyre",) for "slicks"."""
    matching = (others for _, pattern, others in _synonyms() if pattern.fullmatch(word))
    return tuple(other for others in matching for other in others)


@cache
def everyday_words() -> Mapping[str, int]:
    """Return the single words that rulebooks have other words for, each counted as 0."""
    singular = [word for word, _, _ in _synonyms() if " " not in word]
    return dict.fromkeys((*singular, *(f"{word}s" for word in singular)), 0)


def find_synonym_phrases(text: str) -> tuple[str, ...]:
    """Return the everyday phrases of a text that rulebooks word differently: "race ban"."""
    patterns = (pattern for phrase, pattern, _ in _synonyms() if " " in phrase)
    return tuple(found[0] for pattern in patterns if (found := pattern.search(text.lower())))


@cache
def _synonyms() -> list[tuple[str, re.Pattern[str], list[str]]]:
    """Return each everyday word, the pattern of its forms, and what rulebooks say for it."""
    synonyms: Mapping[str, list[str]] = load_vocabulary()["synonyms"]
    ending = "(?:s|es|ed|ing)?"  # of each word of a phrase: "jumps the start"
    forms = {word: f"{ending} ".join(map(re.escape, word.split())) for word in synonyms}
    return [
        (word, re.compile(rf"\b{forms[word]}{ending}\b"), others)
        for word, others in synonyms.items()
    ]


@lru_cache(maxsize=4_000)
def content_words(question: str) -> Mapping[str, str]:
    """Return, by stem, the words of a question that a clause should hold.

    A word of a phrase that rulebooks have other words for comes with that phrase.
    """
    phrases = {word: phrase for phrase in find_synonym_phrases(question) for word in phrase.split()}
    return {stem: phrases.get(word, word) for stem, word in stem_content_words(question).items()}


def coverage(
    words: Mapping[str, str], text: str, weights: Mapping[str, float] | None = None
) -> float:
    """Return the share of question words, by stem, that a text holds; 0 to 1.

    A synonym from the rulebooks counts as the word. Without `weights` all words weigh the same.
    """
    weigh = dict.fromkeys(words, 1.0) if weights is None else weights
    whole = sum(weigh[stem] for stem in words)
    return sum(weigh[stem] for stem in held_stems(words, text)) / whole if whole else 0.0


def held_stems(words: Mapping[str, str], text: str) -> list[str]:
    """Return the stems of question words that a text holds, itself or a synonym, in their order."""
    there = stem_words(text)
    return [
        stem
        for stem, word in words.items()
        if stem in there or any(stem_words(other) <= there for other in synonyms_of(word))
    ]


def query_stems(query: str, documents: Iterable[Document]) -> frozenset[str]:
    """Return the stems of what a query searches for, with words that mean the same."""
    expanded = expand_query(query, documents)
    words = (*expanded.words, *(other.words for other in expanded.alternatives))
    return stem_words(" ".join(words))
