"""The embedding models of LanceDB's registry, and MiniLM as one of them. Stores no vector."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from lancedb.embeddings import EmbeddingFunction, TextEmbeddingFunction, get_registry, register
from numpy.typing import NDArray

from core.errors import LibraryError, ScrutineerError, SettingsError

if TYPE_CHECKING:
    from core.library.embedding.minilm import MiniLMEncoder

Vectors = NDArray[np.float32]


def _load_minilm() -> "MiniLMEncoder":
    """Import the encoder where a vector is made: a list of documents does not wait for it."""
    from core.library.embedding.minilm import load_minilm

    return load_minilm()


class _MiniLMFunction(TextEmbeddingFunction):
    """all-MiniLM-L6-v2, from the weights that its package brings."""

    def ndims(self) -> int:
        return _load_minilm().dimensions

    def generate_embeddings(self, texts: Any, *args: Any, **kwargs: Any) -> list[Any]:  # noqa: ARG002  # LanceDB's shape
        return list(_load_minilm().encode_texts(texts))


cast(Any, register)("minilm")(_MiniLMFunction)  # LanceDB gives it no types


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """A model of a provider in LanceDB's registry ("minilm", "openai", "ollama" ...).

    Its methods raise SettingsError for a provider that is unknown, not installed or not set up, and
    LibraryError `embedding` where the provider fails.
    """

    provider: str = "minilm"
    model: str | None = None

    @property
    def name(self) -> str:
        return f"{self.provider}/{self.model}" if self.model else self.provider

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Return one row per text, each of length 1."""
        return self.unit_vectors(lambda model: model.compute_source_embeddings(list(texts)))

    def embed_query(self, query: str) -> Vectors:
        """Return the vector of a question, of length 1."""
        return _embed_query(self, query)

    def unit_vectors(self, compute: Callable[[EmbeddingFunction], list[Any]]) -> Vectors:
        """Return what the provider computes, each row of length 1."""
        model = _load_model(self.provider, self.model)
        try:
            vectors = np.array(compute(model), np.float32)
        except ScrutineerError:
            raise
        except Exception as error:  # the clients of the providers share no class of errors
            raise LibraryError(
                f"The vectors could not be made by {self.name}: {str(error).rstrip('.')}."
                " Correct that, or search with SCRUTINEER_SEARCH_MODE=lexical.",
                code="embedding",
            ) from error
        return cast(Vectors, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


@lru_cache(maxsize=256)
def _embed_query(model: EmbeddingModel, query: str) -> Vectors:
    """Embed a query once: tools search for the same words in several documents and ways."""
    vectors = model.unit_vectors(lambda function: function.compute_query_embeddings(query))
    return cast(Vectors, vectors[0])


@cache
def _load_model(provider: str, model: str | None) -> EmbeddingFunction:
    try:
        kind = get_registry().get(provider)
    except KeyError as error:
        raise SettingsError(
            f"SCRUTINEER_EMBEDDING names an unknown provider of vectors: {provider}. LanceDB knows"
            " openai, ollama, cohere, sentence-transformers and others; minilm is part of"
            " Scrutineer."
        ) from error
    field = "name" if "name" in kind.model_fields else "model_name"
    try:
        return cast(EmbeddingFunction, cast(Any, kind).create(**({field: model} if model else {})))
    except (ImportError, ValueError) as error:
        raise SettingsError(
            f"SCRUTINEER_EMBEDDING={provider} cannot be used: {str(error).rstrip('.')}."
            " Install or set up what it needs and start again."
        ) from error
