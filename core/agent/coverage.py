"""How much of a question a text covers, by word stems. What it means for an answer is not decided here."""

import re
import unicodedata

from snowballstemmer import stemmer

from core.library.query import FUNCTION_WORDS
from core.rulebook import numbering

HALF = 0.5
"""Share of the question's words from which a text is about it."""

_NAMES = frozenset(
    """article articles rule rules regulation regulations season issue formula f1 fia one sporting technical
    allowed many much summarise summarize summary overview compare comparison compared difference differences versus vs
    explain describe list changed""".split()
)
"""Words that name a document or ask, and that the rule itself need not hold."""
_stem = stemmer("english").stemWord


def content_words(question: str) -> dict[str, str]:
    """The words of a question that a clause should hold, by their stems."""
    words = re.findall(r"[^\W\d_][\w'’-]*|\d+(?:\.\d+)*", _bare(question))
    named = {n.casefold() for n in numbering.articles_named(question)}
    return {
        _stem(word): word
        for word in words
        if word not in FUNCTION_WORDS | _NAMES and word not in named and not re.fullmatch(r"(19|20)\d\d|\w", word)
    }


def covered(words: dict[str, str], text: str) -> float:
    """The share of question words, by stem, that a text holds; 0 to 1."""
    return len(words.keys() & stems(text)) / len(words) if words else 0.0


def stems(text: str) -> set[str]:
    """The stems of a text's words."""
    return {_stem(word) for word in re.findall(r"[^\W_][\w'’-]*", _bare(text))}


def _bare(text: str) -> str:
    """Lower case without accents: "Parc Fermé" is asked for as "parc ferme"."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(character for character in parts if not unicodedata.combining(character))
