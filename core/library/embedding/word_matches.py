"""How near single words of a question and of a text are in meaning, each where it stands.

A vector of a whole text says that two texts are on one subject. The vectors of their words say
whether each thing that a question asks is there (as BERTScore by Zhang et al., 2020, and ColBERT by
Khattab and Zaharia, 2020, compare texts).
"""

from dataclasses import dataclass
from functools import lru_cache

from core.library.embedding.minilm import Array, load_minilm


@dataclass(frozen=True, slots=True)
class WordMatch:
    """For each word the nearness of its nearest word in the other text, a cosine."""

    question: tuple[tuple[str, float], ...]
    """Each word of the question, in lower case, with its nearness."""
    text_mean: float
    """The mean of the text's words."""


def match_words(question: str, text: str) -> WordMatch:
    """Compare two texts word by word. Raises SettingsError where MiniLM is not installed."""
    words, asked = _encode_words(question)
    _, there = _encode_words(text)
    if not (asked.size and there.size):
        return WordMatch(tuple((word, 0.0) for word in words), 0.0)
    near = asked @ there.T
    return WordMatch(
        tuple(zip(words, map(float, near.max(axis=1)), strict=True)), float(near.max(axis=0).mean())
    )


@lru_cache(maxsize=256)
def _encode_words(text: str) -> tuple[tuple[str, ...], Array]:
    words, vectors = load_minilm().encode_words(text)
    return tuple(words), vectors
