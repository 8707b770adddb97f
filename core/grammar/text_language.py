"""The language of a text, by its most frequent words; `text_language.toml` has these."""

import re
import tomllib
from functools import lru_cache
from pathlib import Path

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
FREQUENT_WORDS = {code: frozenset(words.split()) for code, words in _WORDS["stop_words"].items()}
"""The most frequent words of each language, by its ISO 639 code."""


@lru_cache(maxsize=4_000)
def detect_language(text: str) -> str | None:
    """The ISO 639 code of a text's language by its stop words; None if there are too few."""
    words = _split(text)
    counts = {code: _count(words, code) for code in FREQUENT_WORDS}
    best = max(counts, key=lambda code: counts[code])
    return best if counts[best] >= max(2, 0.05 * len(words)) else None


def count_frequent_words(text: str, language: str) -> int:
    """Return how many of a text's words are among the most frequent of a language."""
    return _count(_split(text), language)


def _split(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.lower())[:4_000]


def _count(words: list[str], language: str) -> int:
    frequent = FREQUENT_WORDS.get(language, frozenset())
    return sum(word in frequent for word in words)
