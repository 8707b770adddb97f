"""Which model makes vectors of texts, called through LanceDB's registry of embedding functions. It keeps no vector."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import numpy as np
from lancedb.embeddings import EmbeddingFunction, TextEmbeddingFunction, get_registry, register
from numpy.typing import NDArray

from core.errors import LibraryError, ScrutineerError, SettingsError
from core.library.embedding.minilm import load_minilm

Vectors = NDArray[np.float32]


@register("minilm")  # type: ignore[no-untyped-call]  # LanceDB gives it no types
class _MiniLM(TextEmbeddingFunction):
    """all-MiniLM-L6-v2, from the weights of the optional part `dense`."""

    def ndims(self) -> int:
        return load_minilm().dimensions

    def generate_embeddings(self, texts: Any, *args: Any, **kwargs: Any) -> list[Any]:  # noqa: ARG002  # LanceDB's shape
        return list(load_minilm().encode_texts(texts))


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """A model: a provider of LanceDB's registry ("minilm", "openai", "ollama" ...), and which of its models.

    Its methods raise SettingsError for a provider that there is not or that is not installed or not set up, and
    LibraryError `embedding` where the provider fails.
    """

    provider: str = "minilm"
    model: str | None = None

    @property
    def name(self) -> str:
        """What its vectors are kept under."""
        return f"{self.provider}/{self.model}" if self.model else self.provider

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """A row a text, each of length 1."""
        return self._asked(lambda model: model.compute_source_embeddings(list(texts)))

    def embed_query(self, query: str) -> Vectors:
        """The vector of a question, of length 1."""
        return cast(Vectors, self._asked(lambda model: model.compute_query_embeddings(query))[0])

    def _asked(self, ask: Callable[[EmbeddingFunction], list[Any]]) -> Vectors:
        model = _function(self.provider, self.model)
        try:
            vectors = np.array(ask(model), np.float32)
        except ScrutineerError:
            raise
        except Exception as error:  # the clients of the providers share no class of errors
            raise LibraryError(
                f"The vectors could not be made by {self.name}: {str(error).rstrip('.')}."
                " See to that, or search with SCRUTINEER_SEARCH_MODE=lexical.",
                code="embedding",
            ) from error
        return cast(Vectors, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


@cache
def _function(provider: str, model: str | None) -> EmbeddingFunction:
    try:
        kind = get_registry().get(provider)
    except KeyError as error:
        raise SettingsError(
            f"SCRUTINEER_EMBEDDING names no provider of vectors: {provider}. LanceDB knows openai, ollama, cohere,"
            " sentence-transformers and others; minilm comes with `make run EXTRAS=dense`."
        ) from error
    field = "name" if "name" in kind.model_fields else "model_name"
    try:
        return cast(EmbeddingFunction, kind.create(**({field: model} if model else {})))  # type: ignore[no-untyped-call]  # as above
    except (ImportError, ValueError) as error:
        raise SettingsError(
            f"SCRUTINEER_EMBEDDING={provider} cannot be used: {str(error).rstrip('.')}."
            " Install or set up what it needs and start again."
        ) from error
