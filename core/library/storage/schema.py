"""Documents and clauses as rows of the index: schemas and conversion in both directions.

A row holds its value as JSON in `record` and the SHA-256 of that in `digest`, as LanceDB does not
notice a flipped bit on the disk. The other columns only serve filters and searches.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

import pyarrow as pa
from pydantic import TypeAdapter

from core.errors import LibraryError
from core.library.article_path import article_key, article_steps
from core.library.spelling import normalize_numbers, strip_unstorable
from core.library.types import Document
from core.program import COMMAND
from core.rulebook import READING_VERSION, Clause
from core.sanitize import map_texts

SEARCH_COLUMNS = ("text", "title", "trail", "near")
"""The full-text columns: a clause's words, its title, its breadcrumb, words of its neighbours."""
VALUE_COLUMNS = ("record", "digest")
_NEIGHBOUR_WORDS = 200
"""Of each neighbour, in the column `near`. Without neighbours recall is 0.769 for 0.778
(tests/benchmarks/search.py)."""


def _schema(**columns: pa.DataType) -> pa.Schema:
    """A schema of required columns, ending in the value columns, with the version of the format."""
    texts = dict.fromkeys(VALUE_COLUMNS, pa.string())
    return pa.schema(
        [pa.field(name, kind, nullable=False) for name, kind in (columns | texts).items()],
        # Raise the format with every change of what the columns hold.
        metadata={"format": "3", "reading": str(READING_VERSION)},
    )


DOCUMENT_SCHEMA = _schema(document_id=pa.string(), file=pa.string())
CLAUSE_SCHEMA = _schema(
    document_id=pa.string(),
    position=pa.int32(),
    clause_id=pa.string(),
    key=pa.string(),
    status=pa.string(),
    heading=pa.bool_(),
    **dict.fromkeys(SEARCH_COLUMNS, pa.string()),
)

_CLAUSE = TypeAdapter(Clause)
_DOCUMENT = TypeAdapter(Document)


def clause_rows(clauses: Iterable[Clause]) -> pa.Table:
    """Convert the clauses of one document, in reading order."""
    rows = [_clause_row(position, clause) for position, clause in enumerate(clauses)]
    for before, after in pairwise(rows):
        parent, other_parent = (article_steps(row["key"])[:-1] for row in (before, after))
        if before["status"] == after["status"] and parent == other_parent:
            before["near"] += " " + _first_words(after["text"])
            after["near"] += " " + _first_words(before["text"])
    return pa.Table.from_pylist(rows, schema=CLAUSE_SCHEMA)


def document_rows(entries: Iterable[tuple[Document, str]]) -> pa.Table:
    """Convert documents with the names of their stored files."""
    rows = [
        {"document_id": document.document_id, "file": file, **document_value(document)}
        for document, file in entries
    ]
    return pa.Table.from_pylist(rows, schema=DOCUMENT_SCHEMA)


def document_to_json(document: Document) -> str:
    return json.dumps(make_storable(_DOCUMENT.dump_python(document)))


@lru_cache(maxsize=4096)
def document_from_json(record: str) -> Document:
    """Parse a document. Raises pydantic's ValidationError."""
    return _DOCUMENT.validate_json(record)


def document_value(document: Document) -> dict[str, str]:
    return _value_columns(document_to_json(document))


def checksum_ok(row: Mapping[str, Any]) -> bool:
    return bool(hashlib.sha256(row["record"].encode()).hexdigest() == row["digest"])


def clauses_from_rows(
    rows: Iterable[Mapping[str, Any]], documents: Mapping[str, Document]
) -> list[Clause]:
    """Return the clauses of rows, with season, issue and family of their documents, by id.

    Raises LibraryError `damaged` where the checksum is wrong, or the row of another document than
    was asked for: a damaged index leads to rows elsewhere.
    """
    found = []
    for row in rows:
        clause, document = (
            _parse_clause(row["record"], row["digest"]),
            documents.get(row["document_id"]),
        )
        if clause is None or document is None or clause.document_id != document.document_id:
            raise LibraryError(
                f"A clause of {document.label if document else 'a document'} differs from what was"
                f" stored: `{COMMAND} check` reads the document again.",
                code="damaged",
            )
        season, issue, family = document.season, document.issue, document.family
        found.append(replace(clause, season=season, issue=issue, family=family))
    return found


@lru_cache(maxsize=4096)
def _parse_clause(record: str, digest: str) -> Clause | None:
    """Return the clause of a record, None where its checksum is wrong."""
    intact = checksum_ok({"record": record, "digest": digest})
    return _CLAUSE.validate_json(record) if intact else None


def encode_table(table: pa.Table) -> bytes:
    """Return a table as an Arrow stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def decode_table(stream: bytes) -> pa.Table:
    return pa.ipc.open_stream(stream).read_all()


def make_storable(value: Any) -> Any:
    """Replace unstorable characters in all texts of a nested value; tuples become lists."""
    return map_texts(value, strip_unstorable)


def _clause_row(position: int, clause: Clause) -> dict[str, Any]:
    value = make_storable(_CLAUSE.dump_python(clause))
    words = " ".join(value["deleted"]) if value["status"] == "deleted" else value["text"]
    if clause.kind:  # it is kept to be shown and exported: no search finds it
        words = ""
    return {
        "document_id": value["document_id"],
        "position": position,
        "clause_id": value["clause_id"],
        "key": article_key(value["article"]),
        "status": value["status"],
        "heading": not words,
        "text": normalize_numbers(words),
        "title": "" if clause.kind else normalize_numbers(value["title"]),
        "trail": normalize_numbers(" ".join(value["breadcrumb"])),
        "near": "",
        **_value_columns(json.dumps(value)),
    }


def _value_columns(record: str) -> dict[str, str]:
    return {"record": record, "digest": hashlib.sha256(record.encode()).hexdigest()}


def _first_words(text: str) -> str:
    return " ".join(text.split()[:_NEIGHBOUR_WORDS])
