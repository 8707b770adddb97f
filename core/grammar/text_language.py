"""The language of a text, by its most frequent words; `text_language.toml` has these."""

import re
import tomllib
from collections import Counter
from functools import lru_cache
from pathlib import Path

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
FREQUENT_WORDS = {code: frozenset(words.split()) for code, words in _WORDS["stop_words"].items()}
"""The most frequent words of each language, by its ISO 639 code."""


@lru_cache(maxsize=4_000)
def detect_language(text: str) -> str | None:
    """The ISO 639 code of a text's language by its stop words; None if there are too few."""
    [(best, count)] = count_frequent_words(text).most_common(1)
    return best if count >= max(2, 0.05 * len(_split(text))) else None


def count_frequent_words(text: str) -> Counter[str]:
    """Return how many of a text's words are among the most frequent of each language."""
    words = Counter(_split(text))
    return Counter(
        {code: sum(map(words.__getitem__, frequent)) for code, frequent in FREQUENT_WORDS.items()}
    )


def _split(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.lower())[:4_000]
