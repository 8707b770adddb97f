"""How near single words of a question and of a text are in meaning, each where it stands.

A vector of a whole text says that two texts are on one subject. The vectors of their words say
whether each thing that a question asks is there (as BERTScore by Zhang et al., 2020, and ColBERT by
Khattab and Zaharia, 2020, compare texts).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Lock

from core.library.embedding.minilm import Array, load_minilm

_KEPT_TEXTS = 256
"""Texts whose words stay encoded: the next try of a question compares most of them again."""


@dataclass(frozen=True, slots=True)
class WordMatch:
    """For each word the nearness of its nearest word in the other text, a cosine."""

    question: tuple[tuple[str, float], ...] = ()
    """Each word of the question, in lower case, with its nearness."""
    text_mean: float = 0.0
    """The mean of the text's words."""


def match_words(question: str, texts: Sequence[str]) -> Iterator[WordMatch]:
    """Compare a question with texts word by word, and yield a match for each text.

    Raises SettingsError where MiniLM is not installed.
    """
    (words, asked), *others = _encode_texts((question, *texts))
    for _, there in others:
        if asked.size and there.size:
            near = asked @ there.T
            nearest = tuple(zip(words, map(float, near.max(axis=1)), strict=True))
            yield WordMatch(nearest, float(near.max(axis=0).mean()))
        else:
            yield WordMatch(tuple((word, 0.0) for word in words), 0.0)


_Words = tuple[Sequence[str], Array]
_encoded: dict[str, _Words] = {}
"""The words of the texts that were compared last, each with its vector, the latest at the end."""
_encoded_lock = Lock()


def _encode_texts(texts: Sequence[str]) -> list[_Words]:
    """Encode the texts that were not compared lately, together; return the words of all."""
    with _encoded_lock:
        found = {text: _encoded[text] for text in texts if text in _encoded}
    new = [text for text in dict.fromkeys(texts) if text not in found]
    if new:
        found |= zip(new, load_minilm().encode_words(new), strict=True)
    with _encoded_lock:
        _encoded.update(found)
        for text in list(_encoded)[:-_KEPT_TEXTS]:
            del _encoded[text]
    return [found[text] for text in texts]
