"""How much of a question a text covers, by word stems. What it means for an answer is not decided here."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import log

from snowballstemmer import stemmer

from core.agent.text.amounts import AMOUNT_ADJECTIVES
from core.library import STOP_WORDS, find_synonym_phrases, synonyms_of
from core.rulebook import find_article_numbers, split_part

MIN_COVERAGE = 0.5
"""Share of the question's words from which a text is about it."""

_NAMES = frozenset(
    """article articles rule rules regulation regulations season issue formula f1 fia fsae sae one sporting technical
    allowed many much summarise summarize summary overview compare comparison compared difference differences versus
    vs explain describe list changed bring brings apply applies happen happens allow allows permitted permit prohibit
    prohibited forbidden banned legal illegal mandatory compulsory obligatory required get gets got need needs worth
    chapter struck lose loses send sends sent impose imposed kind kinds sort sorts still ever
    never""".split()
)
"""Words that name a document or ask, and that the rule itself need not hold."""
_LEADS = re.compile(r"\bleads? to\b")
_HOW = re.compile(rf"\bhow (?:{'|'.join((*AMOUNT_ADJECTIVES, 'often', 'late', 'early'))})\b")


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    # A stemmer keeps state between its steps, so each call has its own: threads may not share one.
    stem: str = stemmer("english").stemWord(word)
    return stem


def content_words(question: str) -> dict[str, str]:
    """The words of a question that a clause should hold, by their stems; for a word of a phrase that rulebooks have
    other words for, the phrase."""
    words = re.findall(
        r"[^\W\d_][\w'’-]*|\d+(?:\.\d+)*", _LEADS.sub(" ", _HOW.sub(" ", fold_accents(question)))
    )
    articles = find_article_numbers(question)
    named = {name.casefold() for article in articles for name in (article, split_part(article)[0])}
    for name in tuple(named):  # "F.5.8.1" is read as the words "f" and "5.8.1"
        named |= {name.partition(".")[0], name.partition(".")[2]} if name[:1].isalpha() else set()
    phrases = {word: phrase for phrase in find_synonym_phrases(question) for word in phrase.split()}
    return {
        _stem(word): phrases.get(word, word)
        for word in words
        if word not in STOP_WORDS | _NAMES
        and word not in named
        and not re.fullmatch(r"(19|20)\d\d|\w", word)
    }


def coverage(
    words: Mapping[str, str], text: str, weights: Mapping[str, float] | None = None
) -> float:
    """The share of question words, by stem, that a text holds, as they are or as rulebooks say them; 0 to 1.

    Words weigh the same, or as `weights` say.
    """
    there = stem_words(text)
    held = [
        stem
        for stem, word in words.items()
        if stem in there or any(said <= there for said in _otherwise(word))
    ]
    weigh = dict.fromkeys(words, 1.0) if weights is None else weights
    whole = sum(weigh[stem] for stem in words)
    return sum(weigh[stem] for stem in held) / whole if whole else 0.0


def idf(words: Mapping[str, str], texts: Sequence[str]) -> dict[str, float]:
    """What each question word tells, by stem: the more, the fewer of the texts hold it (inverse document frequency)."""
    held = [stem_words(text) for text in texts]
    return {stem: log(1 + len(held) / (1 + sum(stem in there for there in held))) for stem in words}


@lru_cache(maxsize=10_000)
def _otherwise(word: str) -> tuple[frozenset[str], ...]:
    """The stems of what rulebooks say for a word."""
    return tuple(frozenset(stem_words(other)) for other in synonyms_of(word))


def stem_words(text: str) -> set[str]:
    """The stems of a text's words; of "dry-weather" those of its parts, too."""
    found = re.findall(r"[^\W_][\w'’-]*", fold_accents(text))
    return {
        _stem(word)
        for whole in found
        for word in (whole, *(whole.split("-") if "-" in whole else ()))
        if word
    }


def fold_accents(text: str) -> str:
    """Lower case without accents: "Parc Fermé" is asked for as "parc ferme"."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(character for character in parts if not unicodedata.combining(character))
