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
    words = re.findall(r"[^\W\d_]+", text.lower())[:4_000]
    counts = {code: sum(word in stop for word in words) for code, stop in FREQUENT_WORDS.items()}
    best = max(counts, key=lambda code: counts[code])
    return best if counts[best] >= max(2, 0.05 * len(words)) else None
