"""Vectors of the clauses in force, piece by piece, in a table of their own that names their model.

They derive from the clauses, so a library without them is complete. Vectors of another model are
replaced, never mixed.
"""

import logging
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np
import pyarrow as pa
from lancedb import col, lit
from lancedb.expr import Expr
from lancedb.query import LanceVectorQueryBuilder
from lancedb.table import Table

from core.choices import SearchMode
from core.errors import LibraryError, ScrutineerError
from core.library.embedding.models import EmbeddingModel, Vectors
from core.library.storage.errors import wrap_lancedb_errors
from core.library.storage.indices import compact_table
from core.library.storage.library import Library
from core.library.storage.schema import clauses_from_rows
from core.library.types import Document, Scope
from core.program import COMMAND
from core.rulebook import Clause, OnProgress, Progress
from core.write_steps import pass_step

_BATCH_CLAUSES = 256  # embedded, stored and reported together
_EDITIONS = 3  # whose vectors are looked at for pieces that a new one shares: 5 MB each
_log = logging.getLogger("scrutineer.vectors")


def count_missing_vectors(library: Library, scope: Scope | None = None) -> int:
    """Count the clauses in force, of a scope or the library, without a vector of its model."""
    with wrap_lancedb_errors(library.place):
        vectors = _vectors_table(library)
        versions = library.version, int(vectors.version) if vectors is not None else 0
        ids = scope.ids if scope else tuple(d.document_id for d in library.documents())
        return _count_missing(library, versions, library.embedding.name, ids)


def find_search_mode(library: Library, scope: Scope, mode: SearchMode) -> SearchMode:
    """Return how a scope is searched now: by words alone while a clause of it has no vector yet."""
    waits = mode == "hybrid" and count_missing_vectors(library, scope)
    return "lexical" if waits else mode


def embed_clauses(
    library: Library, on_progress: OnProgress | None = None, scope: Scope | None = None
) -> int:
    """Make the vectors that a scope or the library lacks; return how many.

    `on_progress` gets the stage `embedding` after each batch. An interruption keeps what is done.

    Raises SettingsError and LibraryError as `EmbeddingModel`, and LibraryError `locked`.
    """
    todo = _clauses_without_vector(library, scope) if count_missing_vectors(library, scope) else []
    known = _load_vectors_of_editions(library, {clause.document_id for clause in todo})
    for start in range(0, len(todo), _BATCH_CLAUSES):
        batch = todo[start : start + _BATCH_CLAUSES]
        _embed_batch(library, batch, known)
        done = start + len(batch)
        _log.info("Embedded %d of %d clauses", done, len(todo))
        if on_progress:
            on_progress(Progress("embedding", done, len(todo)))
    if todo:
        with library.lock_for_writing():
            if (table := _vectors_table(library)) is not None:
                compact_table(table)
    return len(todo)


def _load_vectors_of_editions(library: Library, ids: Set[str]) -> dict[str, Vectors]:
    """Return, by piece, the vectors of the newest other editions of documents.

    Of two issues of a Formula 1 rulebook 82 to 92 % of the pieces are alike.
    """
    families = {one.family for one in library.documents() if one.document_id in ids} - {None}
    editions = [
        one for one in library.documents() if one.family in families and one.document_id not in ids
    ]
    held = tuple(one.document_id for one in editions[-_EDITIONS:])
    if not held:
        return {}
    with library.lock_for_writing():
        table = _vectors_table(library)
        if table is None:
            return {}
        query = table.search().where(_in_documents(held))
        stored = query.select(["clause_id", "piece", "vector"]).to_arrow()
        rows = library.tables.read_rows(_embeddable(held))
    vectors = _matrix(stored)
    pieces = zip(stored["clause_id"].to_pylist(), stored["piece"].to_pylist(), strict=True)
    places = {piece: place for place, piece in enumerate(pieces)}
    return {
        words: vectors[places[clause.clause_id, number]]
        for clause in clauses_from_rows(rows, {one.document_id: one for one in editions})
        for number, words in enumerate(split_into_pieces(clause.title, clause.text))
        if (clause.clause_id, number) in places
    }


def _embed_batch(library: Library, clauses: Sequence[Clause], known: Mapping[str, Vectors]) -> None:
    pieces = [
        (clause, number, piece)
        for clause in clauses
        for number, piece in enumerate(split_into_pieces(clause.title, clause.text))
    ]
    # Editions that are new together share pieces too: those of one length are in one batch.
    new = [piece for piece in dict.fromkeys(p for *_, p in pieces) if piece not in known]
    made = dict(zip(new, library.embedding.embed_texts(new) if new else (), strict=True))
    vectors = np.array([known.get(piece, made.get(piece)) for *_, piece in pieces], np.float32)
    _store_vectors(library, [(clause, number) for clause, number, _ in pieces], vectors)


@dataclass(frozen=True, slots=True)
class NearPiece:
    """The piece of a clause that is nearest to a query, by its number, and the cosine."""

    document_id: str
    nearness: float
    number: int


def find_nearest(library: Library, query: str, scope: Scope, k: int) -> dict[str, NearPiece]:
    """Return, by clause id, the nearest piece of each clause of the `k` pieces nearest to a query.

    Raises LibraryError `vectors` where clauses of the scope lack one, else as `embed_query`.
    """
    if missing := count_missing_vectors(library, scope):
        raise LibraryError(
            f"{missing} clauses in scope have no vectors by {library.embedding.name} yet."
            f" Make them with `{COMMAND} embed`, or search with the mode lexical.",
            code="vectors",
        )
    vector = library.embedding.embed_query(query)
    with wrap_lancedb_errors(library.place):
        table = _vectors_table(library)
        if table is None:
            return {}
        search = cast(LanceVectorQueryBuilder, table.search(vector, vector_column_name="vector"))
        search = search.distance_type("cosine").where(_in_documents(scope.ids))
        columns = ["document_id", "clause_id", "piece", "_distance"]
        rows = search.select(columns).limit(k).to_list()
    # The first of a clause's pieces is the nearest one: later ones do not replace it.
    return {
        row["clause_id"]: NearPiece(row["document_id"], 1 - row["_distance"], row["piece"])
        for row in reversed(rows)
    }


@dataclass(frozen=True)
class DocumentMeanings:
    """The vectors of a document's clauses, to compare many short texts with all of them."""

    model: EmbeddingModel
    clause_ids: tuple[str, ...]
    starts: tuple[int, ...]
    """For each clause the number of its first piece."""
    vectors: Vectors
    """One row of length 1 for each piece, those of a clause together."""

    def nearness(self, text: str) -> Mapping[str, float]:
        """Return, by clause id, the cosine of a text and the clause's nearest piece.

        Raises as `EmbeddingModel`.
        """
        cosines = self.vectors @ self.model.embed_query(text)
        nearest = np.maximum.reduceat(cosines, self.starts)
        return dict(zip(self.clause_ids, nearest.tolist(), strict=True))

    @classmethod
    def load(cls, library: Library, document: Document) -> "DocumentMeanings | None":
        """Return the vectors of a document; None where some are missing, or search has none.

        Raises LibraryError.
        """
        scope = Scope((document,), "the document")
        if library.mode == "lexical" or count_missing_vectors(library, scope):
            return None
        with wrap_lancedb_errors(library.place):
            table = _vectors_table(library)
            if table is None:
                return None
            return _load_meanings(
                library, int(table.version), library.embedding, document.document_id
            )


@lru_cache(maxsize=16)
def _load_meanings(
    library: Library, _version: int, model: EmbeddingModel, document_id: str
) -> DocumentMeanings | None:
    """Load once for each version of the vectors."""
    table = library.tables.vectors_table()
    if table is None:
        return None
    query = table.search().where(_in_documents((document_id,)))
    pieces = query.select(["clause_id", "vector"]).to_arrow().sort_by("clause_id")
    if not pieces.num_rows:
        return None
    ids = pieces["clause_id"].to_pylist()
    starts = [place for place, one in enumerate(ids) if not place or ids[place - 1] != one]
    vectors = _matrix(pieces)
    return DocumentMeanings(model, tuple(ids[one] for one in starts), tuple(starts), vectors)


def vector_length(library: Library) -> int | None:
    """Return the length of the model's vectors; None without a model or if it does not answer."""
    try:
        return None if library.mode == "lexical" else len(library.embedding.embed_query("pit lane"))
    except ScrutineerError:  # the next search reports it
        return None


def diagnose_vectors(library: Library, length: int | None) -> str:
    """Return what is wrong with the stored vectors as the end of a sentence, "" for nothing.

    `length` is the length of the model's vectors where it is known.
    """
    try:
        with wrap_lancedb_errors(library.place):
            table = library.tables.vectors_table()
            stored = table.to_arrow() if table is not None else None
    except LibraryError as error:
        if error.code != "damaged":
            raise
        return "cannot be read"
    if stored is None or not stored.num_rows:
        return ""
    return _find_defect(library, stored, length)


def _find_defect(library: Library, stored: pa.Table, length: int | None) -> str:
    model = (stored.schema.metadata or {}).get(b"model", b"").decode()
    if not model or stored.schema.names != _schema(model, 1).names:
        return "do not say which model made them"
    vectors = _matrix(stored)
    if not np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3):
        return "are not as they were made"
    pieces = zip(stored["clause_id"].to_pylist(), stored["piece"].to_pylist(), strict=True)
    if len(set(pieces)) != stored.num_rows:
        return "are there twice"
    if length is None or model != library.embedding.name or vectors.shape[1] == length:
        return ""
    return f"are not of the length that {model} gives"


@lru_cache(maxsize=64)
def _count_missing(
    library: Library, _versions: tuple[int, int], model: str, ids: tuple[str, ...]
) -> int:
    """Count once for each version of the clauses and vectors."""
    clauses, vectors = library.tables.clauses_table(), library.tables.vectors_table()
    if clauses is None:
        return 0
    made: set[str] = set()
    if vectors is not None and _is_made_by(model, vectors.schema):
        made = _clause_ids(vectors, _in_documents(ids))
    return len(_clause_ids(clauses, _embeddable(ids)) - made)


def _clauses_without_vector(library: Library, scope: Scope | None) -> list[Clause]:
    """Return the clauses, longest first: batches of texts of similar length are fastest."""
    within = scope.documents if scope else library.documents()
    documents = {document.document_id: document for document in within}
    ids = tuple(documents)
    with wrap_lancedb_errors(library.place):
        table = _vectors_table(library)
        made = set() if table is None else _clause_ids(table, _in_documents(ids))
        rows = library.tables.read_rows(_embeddable(ids))
    clauses = clauses_from_rows(rows, documents)
    return sorted((c for c in clauses if c.clause_id not in made), key=lambda c: -len(c.text))


def _store_vectors(
    library: Library, pieces: Sequence[tuple[Clause, int]], vectors: Vectors
) -> None:
    """Store the vectors of pieces, which are clauses with the number of the piece."""
    with library.lock_for_writing():
        known = {document.document_id: document for document in library.documents()}
        table = _vectors_table(library)
        if table is None:
            schema = _schema(library.embedding.name, vectors.shape[1])
            table = library.tables.create_vectors_table(schema)
        ids = dict.fromkeys(clause.clause_id for clause, _ in pieces)
        chosen = col("clause_id").isin(list(ids))
        made = _clause_ids(table, chosen)
        held = [row for row in library.tables.read_rows(chosen) if row["document_id"] in known]
        stored = clauses_from_rows(held, known)
        words = {one.clause_id: (one.title, one.text) for one in stored}
        rows = [
            {
                "document_id": clause.document_id,
                "clause_id": clause.clause_id,
                "piece": number,
                "vector": vector,
            }
            for (clause, number), vector in zip(pieces, vectors, strict=True)
            if words.get(clause.clause_id) == (clause.title, clause.text)  # else read again since
            and clause.clause_id not in made
        ]
        if rows:
            table.add(pa.Table.from_pylist(rows, schema=table.schema))
            pass_step("vectors added")


def _vectors_table(library: Library) -> Table | None:
    """Return the vectors of the library's model; None where there are none or another model's."""
    table = library.tables.vectors_table()
    is_current = table is not None and _is_made_by(library.embedding.name, table.schema)
    return table if is_current else None


def _clause_ids(table: Table, where: Expr) -> set[str]:
    found = table.search().where(where).select(["clause_id"]).to_arrow()
    return set(found["clause_id"].to_pylist())


def _matrix(rows: pa.Table) -> Vectors:
    """Return the vectors of rows, a row each."""
    flat = rows["vector"].combine_chunks().flatten().to_numpy()
    return cast(Vectors, flat.reshape(rows.num_rows, -1))


def _is_made_by(model: str, schema: pa.Schema) -> bool:
    """True for vectors of this model, made of pieces as they are cut now."""
    return cast(bool, schema.metadata == _metadata(model))


def _metadata(model: str) -> dict[bytes, bytes]:
    return {b"model": model.encode(), b"piece_words": str(PIECE_WORDS).encode()}


def _schema(model: str, dimensions: int) -> pa.Schema:
    columns = {
        "document_id": pa.string(),
        "clause_id": pa.string(),
        "piece": pa.int32(),
        "vector": pa.list_(pa.float32(), dimensions),
    }
    fields = [pa.field(name, kind, nullable=False) for name, kind in columns.items()]
    return pa.schema(fields, metadata=_metadata(model))


def _embeddable(ids: tuple[str, ...]) -> Expr:
    return _in_documents(ids) & (col("status") == lit("in_force")) & (col("heading") == lit(False))


def _in_documents(ids: tuple[str, ...]) -> Expr:
    return col("document_id").isin(ids)


PIECE_WORDS = 60
"""Words of the longest piece: of 40, 60 and 100 the best on questions to 12 rulebooks, and far
below the 256 tokens that e5 reads."""
_BREAK = re.compile(r"(?<=[.;:!?])\s+|\n+")


@lru_cache(maxsize=4_000)
def split_into_pieces(title: str, text: str) -> tuple[str, ...]:
    """Return the text in pieces of up to PIECE_WORDS, cut between sentences, each with the title.

    A longer sentence is cut between words.
    """
    pieces: list[list[str]] = [[]]
    for sentence in filter(None, _BREAK.split(text)):
        words = sentence.split()
        if len(pieces[-1]) + len(words) > PIECE_WORDS and pieces[-1]:
            pieces.append([])
        pieces[-1] += words
        while len(pieces[-1]) > PIECE_WORDS:
            pieces.append(pieces[-1][PIECE_WORDS:])
            del pieces[-2][PIECE_WORDS:]
    texts = (" ".join(words) for words in pieces if words or title)
    return tuple("\n".join(filter(None, (title, words))) for words in texts)
