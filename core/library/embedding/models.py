"""The embedding models of LanceDB's registry, and e5 as one of them. Stores no vector."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import Any, cast

import numpy as np
from lancedb.embeddings import EmbeddingFunction, TextEmbeddingFunction, get_registry, register
from numpy.typing import NDArray

from core.errors import LibraryError, ScrutineerError, SettingsError
from core.library.embedding.e5 import WEIGHTS_PACKAGE, load_e5

Vectors = NDArray[np.float32]


class _E5Function(TextEmbeddingFunction):
    """multilingual-e5-small, from the weights that its package brings."""

    def ndims(self) -> int:
        return load_e5().dimensions

    def generate_embeddings(self, texts: Any, *args: Any, **kwargs: Any) -> list[Any]:  # noqa: ARG002  # LanceDB's shape
        return list(load_e5().encode_texts(texts))

    def compute_query_embeddings(self, query: str, *args: Any, **kwargs: Any) -> list[Any]:  # noqa: ARG002
        return list(load_e5().encode_query(query))


cast(Any, register)("e5")(_E5Function)  # LanceDB gives it no types


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """A model of a provider in LanceDB's registry ("e5", "openai", "ollama" ...).

    Its methods raise SettingsError for a provider that is unknown, not installed or not set up, and
    LibraryError `embedding` where the provider fails.
    """

    provider: str = "e5"
    model: str | None = None

    @property
    def name(self) -> str:
        return f"{self.provider}/{self.model}" if self.model else self.provider

    @property
    def is_installed(self) -> bool:
        """False where the weights of e5 are not: clauses are then found by words alone."""
        return self.provider != "e5" or find_spec(WEIGHTS_PACKAGE) is not None

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
            " openai, ollama, cohere, sentence-transformers and others; e5 is part of Scrutineer."
        ) from error
    field = "name" if "name" in kind.model_fields else "model_name"
    try:
        return cast(EmbeddingFunction, cast(Any, kind).create(**({field: model} if model else {})))
    except (ImportError, ValueError) as error:
        raise SettingsError(
            f"SCRUTINEER_EMBEDDING={provider} cannot be used: {str(error).rstrip('.')}."
            " Install or set up what it needs and start again."
        ) from error
