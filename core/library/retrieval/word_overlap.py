"""How many of a question's words a text has, by their stems and by synonyms."""

from collections.abc import Iterable, Mapping, Set
from functools import lru_cache

from core.grammar import stem_content_words, stem_words
from core.library.retrieval.query_expansion import expand_query, find_synonym_phrases, synonyms_of
from core.library.types import Document, Hit

MIN_COVERAGE = 0.5
"""Share of the question's words from which a text is about it."""


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
        if stem in there or any(synonym <= there for synonym in synonym_stems(word))
    ]


@lru_cache(maxsize=10_000)
def synonym_stems(word: str) -> tuple[frozenset[str], ...]:
    """Return the stems of each of a word's synonyms."""
    return tuple(stem_words(other) for other in synonyms_of(word))


def query_stems(query: str, documents: Iterable[Document]) -> frozenset[str]:
    """Return the stems of what a query searches for, with words that mean the same."""
    expanded = expand_query(query, documents)
    words = (*expanded.words, *(other.words for other in expanded.alternatives))
    return stem_words(" ".join(words))


def has_own_words(hit: Hit, stems: Set[str]) -> bool:
    """True unless only its neighbours, which count a little, have words that were searched."""
    clause = hit.clause
    own = " ".join((*clause.breadcrumb, clause.title, clause.text or " ".join(clause.deleted)))
    return hit.why == "exact" or not stems.isdisjoint(stem_words(own))
