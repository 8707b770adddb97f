"""Word stems, and the words of a text that say what it is about."""

import re
from collections.abc import Mapping
from functools import lru_cache

from snowballstemmer import stemmer

from core.grammar.numbering import find_article_numbers, split_part
from core.grammar.quantities import AMOUNTS
from core.grammar.vocabulary import STOP_WORDS, VOCABULARY, fold_accents, list_words

_IGNORED = STOP_WORDS | frozenset(list_words("naming"))
_PAST_FORMS: Mapping[str, str] = VOCABULARY["past_forms"]
_ISO_DAY = re.compile(r"\b(?:19|20)\d\d-[01]\d-[0-3]\d\b")
_ASKING = re.compile(
    rf"\bhow (?:{'|'.join((*AMOUNTS.adjectives, 'often', 'late', 'early'))})\b|\bleads? to\b"
)


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    # A stemmer keeps state between its steps, so each call has its own: threads may not share one.
    stem: str = stemmer("english").stemWord(_PAST_FORMS.get(word, word))
    return stem


def stem_content_words(text: str) -> dict[str, str]:
    """Return, by stem, the words of a text that say what it is about."""
    names = {
        name.casefold()
        for article in find_article_numbers(text)
        for name in (article, split_part(article)[0])
    }
    # "F.5.8.1" is read as the words "f" and "5.8.1".
    letters = (name.partition(".") for name in names if name[:1].isalpha())
    names |= {word for first, _, rest in letters for word in (first, rest)}
    names |= STOP_WORDS.of(text)
    plain = _ASKING.sub(" ", fold_accents(_ISO_DAY.sub(" ", text)))
    return {
        _stem(word): word
        for word in re.findall(r"[^\W\d_][\w'’-]*|\d+(?:\.\d+)*", plain)
        if word not in _IGNORED | names and not re.fullmatch(r"(19|20)\d\d|\w", word)
    }


@lru_cache(maxsize=10_000)
def stem_words(text: str) -> frozenset[str]:
    """Return the stems of a text's words; of "dry-weather" also those of its parts."""
    words = re.findall(r"[^\W_][\w'’-]*", fold_accents(text))
    return frozenset(_stem(part) for word in words for part in {word, *word.split("-")} if part)
