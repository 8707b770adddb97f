"""Word stems, and how much of a question a text covers by them."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import lru_cache
from itertools import groupby, pairwise

from snowballstemmer import stemmer

from core.library import (
    STOP_WORDS,
    Document,
    Hit,
    expand_query,
    find_synonym_phrases,
    synonyms_of,
)
from core.limits.quantities import AMOUNT_ADJECTIVES
from core.limits.vocabulary import VOCABULARY, list_words
from core.rulebook import find_article_numbers, split_part

MIN_COVERAGE = 0.5
"""Share of the question's words from which a text is about it."""

_IGNORED = STOP_WORDS | frozenset(list_words("naming"))
_PAST_FORMS: Mapping[str, str] = VOCABULARY["past_forms"]
_ASKING = re.compile(
    rf"\bhow (?:{'|'.join((*AMOUNT_ADJECTIVES, 'often', 'late', 'early'))})\b|\bleads? to\b"
)


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    # A stemmer keeps state between its steps, so each call has its own: threads may not share one.
    stem: str = stemmer("english").stemWord(_PAST_FORMS.get(word, word))
    return stem


def content_words(question: str) -> dict[str, str]:
    """Return, by stem, the words of a question that a clause should hold.

    A word of a phrase that rulebooks have other words for comes with that phrase.
    """
    names = {
        name.casefold()
        for article in find_article_numbers(question)
        for name in (article, split_part(article)[0])
    }
    # "F.5.8.1" is read as the words "f" and "5.8.1".
    letters = (name.partition(".") for name in names if name[:1].isalpha())
    names |= {word for first, _, rest in letters for word in (first, rest)}
    phrases = {word: phrase for phrase in find_synonym_phrases(question) for word in phrase.split()}
    plain = _ASKING.sub(" ", fold_accents(question))
    return {
        _stem(word): phrases.get(word, word)
        for word in re.findall(r"[^\W\d_][\w'’-]*|\d+(?:\.\d+)*", plain)
        if word not in _IGNORED | names and not re.fullmatch(r"(19|20)\d\d|\w", word)
    }


def coverage(
    words: Mapping[str, str], text: str, weights: Mapping[str, float] | None = None
) -> float:
    """Return the share of question words, by stem, that a text holds; 0 to 1.

    A synonym from the rulebooks counts as the word. Without `weights` all words weigh the same.
    """
    there = stem_words(text)
    weigh = dict.fromkeys(words, 1.0) if weights is None else weights
    whole = sum(weigh[stem] for stem in words)
    part = sum(
        weigh[stem]
        for stem, word in words.items()
        if stem in there or any(synonym <= there for synonym in synonym_stems(word))
    )
    return part / whole if whole else 0.0


@lru_cache(maxsize=10_000)
def synonym_stems(word: str) -> tuple[frozenset[str], ...]:
    """Return the stems of each of a word's synonyms."""
    return tuple(stem_words(other) for other in synonyms_of(word))


@lru_cache(maxsize=10_000)
def stem_words(text: str) -> frozenset[str]:
    """Return the stems of a text's words; of "dry-weather" also those of its parts."""
    words = re.findall(r"[^\W_][\w'’-]*", fold_accents(text))
    return frozenset(_stem(part) for word in words for part in {word, *word.split("-")} if part)


def stem_pairs(text: str) -> frozenset[tuple[str, str]]:
    """Return the stems of words that stand side by side in a text, as "brake" and "light"."""
    return frozenset(
        (_stem(one), _stem(other))
        for part in re.split(r"[^\w\s-]", fold_accents(text))
        for one, other in pairwise(re.findall(r"[^\W\d_]+", part))
        if not STOP_WORDS & {one, other}
    )


def split_at_stems(text: str, stems: Set[str]) -> Iterator[tuple[bool, str]]:
    """Yield the text in runs, each with True for words with one of these stems."""
    for is_found, runs in groupby(
        re.split(r"([^\W_][\w'’-]*)", text), lambda run: not stems.isdisjoint(stem_words(run))
    ):
        yield is_found, "".join(runs)


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


def fold_accents(text: str) -> str:
    """Return a text in lower case without accents: "parc ferme" for "Parc Fermé"."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(character for character in parts if not unicodedata.combining(character))
