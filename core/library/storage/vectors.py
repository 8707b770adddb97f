"""Vectors of the clauses in force, in a table beside them that bears the name of the model that made them.

They are made from what the library holds and can always be made again: a library without them is whole, and where the
model is another one they are all replaced, never mixed. What a search makes of them is not decided here.
"""

import logging
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import cast

import numpy as np
import pyarrow as pa
from lancedb import col, lit
from lancedb.expr import Expr
from lancedb.query import LanceVectorQueryBuilder
from lancedb.table import Table

from core.errors import LibraryError, ScrutineerError
from core.library.embedding.models import Vectors
from core.library.storage.errors import wrap_lancedb_errors
from core.library.storage.library import Library
from core.library.storage.schema import clause_from_row
from core.library.types import Scope
from core.rulebook import Clause

BATCH_CLAUSES = 256
"""Clauses that are embedded, kept and told of together."""

_log = logging.getLogger("scrutineer.vectors")

OnProgress = Callable[[int, int], None]
"""Told how many of the clauses that lacked vectors have them now, and how many there are."""


def count_missing_vectors(library: Library, scope: Scope | None = None) -> int:
    """How many clauses in force, of a scope or of all the library, have no vector by the library's model yet."""
    ids = scope.ids if scope else tuple(document.document_id for document in library.documents())
    with wrap_lancedb_errors(library.folder):
        vectors = _table(library)
        versions = library.version, int(vectors.version) if vectors else 0
        return _missing(library.folder, versions, library.embedding.name, ids)


def embed_clauses(
    library: Library, on_progress: OnProgress | None = None, scope: Scope | None = None
) -> int:
    """Make the vectors that a scope, or all the library, lacks, and tell how many that was.

    What was made before an interruption is kept.

    Raises SettingsError and LibraryError as `Embedding`, and LibraryError `locked`.
    """
    todo = _without(library, scope) if count_missing_vectors(library, scope) else []
    for start in range(0, len(todo), BATCH_CLAUSES):
        batch = todo[start : start + BATCH_CLAUSES]
        _keep(
            library,
            batch,
            library.embedding.embed_texts([embedding_text(clause) for clause in batch]),
        )
        _log.info("Vectors of %d of %d clauses are made", start + len(batch), len(todo))
        if on_progress:
            on_progress(start + len(batch), len(todo))
    if todo:
        with library.lock_for_writing():
            if (table := _table(library)) is not None:
                table.optimize()
    return len(todo)


def find_nearest(library: Library, query: str, scope: Scope, k: int) -> dict[str, float]:
    """The ids of the `k` clauses in scope whose vectors are the nearest to a query's, with their cosines, falling.

    Raises LibraryError `vectors` where clauses of the scope have none yet; else as `embed`.
    """
    vector = library.embedding.embed_query(query)
    if lacking := count_missing_vectors(library, scope):
        raise LibraryError(
            f"{lacking} clauses in scope have no vectors by {library.embedding.name} yet. Make them with"
            " `python -m core embed`, or search with the mode lexical.",
            code="vectors",
        )
    with wrap_lancedb_errors(library.folder):
        table = _table(library)
        if table is None:
            return {}
        found = cast(LanceVectorQueryBuilder, table.search(vector, vector_column_name="vector"))
        rows = (
            found.distance_type("cosine")
            .where(_of(scope.ids))
            .select(["clause_id", "_distance"])
            .limit(k)
            .to_list()
        )
    return {row["clause_id"]: 1 - row["_distance"] for row in rows}


def vector_length(library: Library) -> int | None:
    """How many numbers the library's model gives now; None where no vectors are searched, or it does not answer."""
    try:
        return None if library.mode == "lexical" else len(library.embedding.embed_query("pit lane"))
    except ScrutineerError:  # whoever searches is told
        return None


def diagnose_vectors(library: Library, length: int | None) -> str:
    """What is wrong with the vectors that there are, as the end of a sentence; empty for nothing.

    `length` is that of the vectors of the library's model, where it is known.
    """
    try:
        with wrap_lancedb_errors(library.folder):
            table = library.tables.vectors_table()
            held = table.to_arrow() if table is not None else None
    except LibraryError as error:
        if error.code != "damaged":
            raise
        return "cannot be read"
    if held is None or not held.num_rows:
        return ""
    model = (held.schema.metadata or {}).get(b"model", b"").decode()
    if not model or held.schema.names != _schema(model, 1).names:
        return "do not say which model made them"
    vectors = held["vector"].combine_chunks().flatten().to_numpy().reshape(held.num_rows, -1)
    if not np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3):
        return "are not as they were made"
    if len(set(held["clause_id"].to_pylist())) != held.num_rows:
        return "are there twice"
    if length is None or model != library.embedding.name or vectors.shape[1] == length:
        return ""
    return f"are not of the length that {model} gives"


def embedding_text(clause: Clause) -> str:
    """What of a clause is embedded: its words after its title."""
    return "\n".join(filter(None, (clause.title, clause.text)))


@lru_cache(maxsize=64)
def _missing(folder: Path, _versions: tuple[int, int], model: str, ids: tuple[str, ...]) -> int:
    """Counted once for each state of clauses and vectors, which their versions tell."""
    library = Library(folder)
    clauses, vectors = library.tables.clauses_table(), library.tables.vectors_table()
    if clauses is None:
        return 0
    made = len(_ids(vectors, _of(ids))) if vectors is not None and _model(vectors) == model else 0
    return len(_ids(clauses, _embeddable(ids))) - made


def _without(library: Library, scope: Scope | None) -> list[Clause]:
    """The clauses that have no vector, the longest first: texts of about one length are embedded the fastest."""
    with wrap_lancedb_errors(library.folder):
        table = _table(library)
        within = scope.documents if scope else library.documents()
        documents = {document.document_id: document for document in within}
        made = set() if table is None else _ids(table, _of(tuple(documents)))
        rows = library.tables.read_rows(_embeddable(tuple(documents)))
    clauses = [clause_from_row(row, documents[row["document_id"]]) for row in rows]
    return sorted((c for c in clauses if c.clause_id not in made), key=lambda c: -len(c.text))


def _keep(library: Library, clauses: Sequence[Clause], vectors: Vectors) -> None:
    with library.lock_for_writing():
        held = {document.document_id for document in library.documents()}
        table = _table(library)
        if table is None:
            table = library.tables.create_vectors_table(
                _schema(library.embedding.name, vectors.shape[1])
            )
        ids = [clause.clause_id for clause in clauses]
        made = _ids(table, col("clause_id").isin(ids))
        rows = [
            {"document_id": clause.document_id, "clause_id": clause.clause_id, "vector": vector}
            for clause, vector in zip(clauses, vectors, strict=True)
            if clause.document_id in held and clause.clause_id not in made
        ]
        if rows:
            table.add(pa.Table.from_pylist(rows, schema=table.schema))


def _table(library: Library) -> Table | None:
    """The vectors by the library's model, None where there are none or another model's."""
    table = library.tables.vectors_table()
    return table if table is not None and _model(table) == library.embedding.name else None


def _ids(table: Table, where: Expr) -> set[str]:
    return set(
        table.search().where(where).select(["clause_id"]).to_arrow()["clause_id"].to_pylist()
    )


def _model(table: Table) -> str:
    metadata: dict[bytes, bytes] = table.schema.metadata or {}
    return metadata.get(b"model", b"").decode()


def _schema(model: str, dimensions: int) -> pa.Schema:
    return pa.schema(
        [
            pa.field("document_id", pa.string(), nullable=False),
            pa.field("clause_id", pa.string(), nullable=False),
            pa.field("vector", pa.list_(pa.float32(), dimensions), nullable=False),
        ],
        metadata={"model": model},
    )


def _embeddable(ids: tuple[str, ...]) -> Expr:
    return _of(ids) & (col("status") == lit("in_force")) & (col("heading") == lit(False))


def _of(ids: tuple[str, ...]) -> Expr:
    return col("document_id").isin(ids)
