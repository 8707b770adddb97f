"""Documents and clauses as rows of the index: its schemas, and the way there and back. Opens no table.

A row holds its value whole, as JSON in `record`, with the SHA-256 of that in `digest`: LanceDB reads back what the disk
gives it, a flipped bit included. The other columns are only there to be filtered or searched.
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
from core.rulebook import READING_VERSION, Clause

SEARCH_COLUMNS = ("text", "title", "trail", "near")
"""The columns with a full-text index: a clause's words, its title, the headings above it, and its neighbours' words."""
NEAR_WORDS = 200
"""Words of a neighbour that count as near."""
_FORMAT = {"format": "3", "reading": str(READING_VERSION)}
"""Of the tables; the format is raised with every change of what stands in them."""
VALUE_COLUMNS = ("record", "digest")
"""The columns that a value is read from."""

CLAUSE_SCHEMA = pa.schema(
    [
        pa.field("document_id", pa.string(), nullable=False),
        pa.field("position", pa.int32(), nullable=False),
        pa.field("clause_id", pa.string(), nullable=False),
        pa.field("key", pa.string(), nullable=False),
        pa.field("status", pa.string(), nullable=False),
        pa.field("heading", pa.bool_(), nullable=False),
        *(pa.field(column, pa.string(), nullable=False) for column in SEARCH_COLUMNS),
        *(pa.field(column, pa.string(), nullable=False) for column in VALUE_COLUMNS),
    ],
    metadata=_FORMAT,
)
DOCUMENT_SCHEMA = pa.schema(
    [
        pa.field("document_id", pa.string(), nullable=False),
        pa.field("file", pa.string(), nullable=False),
        *(pa.field(column, pa.string(), nullable=False) for column in VALUE_COLUMNS),
    ],
    metadata=_FORMAT,
)

_CLAUSE = TypeAdapter(Clause)
_DOCUMENT = TypeAdapter(Document)


def clause_rows(clauses: Iterable[Clause]) -> pa.Table:
    """Clauses of one document, in reading order, as rows."""
    rows = [_clause_row(position, clause) for position, clause in enumerate(clauses)]
    for before, after in pairwise(rows):
        if (
            before["status"] == after["status"]
            and article_steps(before["key"])[:-1] == article_steps(after["key"])[:-1]
        ):
            before["near"] += " " + _first_words(after["text"])
            after["near"] += " " + _first_words(before["text"])
    return pa.Table.from_pylist(rows, schema=CLAUSE_SCHEMA)


def document_rows(documents: Iterable[tuple[Document, str]]) -> pa.Table:
    """Documents with the name of the stored file that each was read from, as rows."""
    return pa.Table.from_pylist(
        [
            {"document_id": document.document_id, "file": file, **document_value(document)}
            for document, file in documents
        ],
        schema=DOCUMENT_SCHEMA,
    )


def document_to_json(document: Document) -> str:
    """A document as JSON."""
    return json.dumps(_storable(_DOCUMENT.dump_python(document)))


def document_value(document: Document) -> dict[str, str]:
    """A document as the columns of its value."""
    return _value(document_to_json(document))


@lru_cache(maxsize=4096)
def document_from_json(record: str) -> Document:
    """The document of its JSON."""
    return _DOCUMENT.validate_json(record)


def checksum_ok(row: Mapping[str, Any]) -> bool:
    """True where the value of a row is as it was written."""
    return bool(hashlib.sha256(row["record"].encode()).hexdigest() == row["digest"])


def clause_from_row(row: Mapping[str, Any], document: Document) -> Clause:
    """The clause of a row; what it shares with its document is the document's to say.

    Raises LibraryError `damaged` where it is not as it was written.
    """
    if not checksum_ok(row):
        raise LibraryError(
            f"A clause of {document.label} is not as it was written: `python -m core check` reads the document again.",
            code="damaged",
        )
    clause = _CLAUSE.validate_json(row["record"])
    return replace(clause, season=document.season, issue=document.issue, family=document.family)


def _clause_row(position: int, clause: Clause) -> dict[str, Any]:
    value = _storable(_CLAUSE.dump_python(clause))
    words = " ".join(value["deleted"]) if value["status"] == "deleted" else value["text"]
    return {
        "document_id": value["document_id"],
        "position": position,
        "clause_id": value["clause_id"],
        "key": article_key(value["article"]),
        "status": value["status"],
        "heading": not words,
        "text": normalize_numbers(words),
        "title": normalize_numbers(value["title"]),
        "trail": normalize_numbers(" ".join(value["breadcrumb"])),
        "near": "",
        **_value(json.dumps(value)),
    }


def _value(record: str) -> dict[str, str]:
    return {"record": record, "digest": hashlib.sha256(record.encode()).hexdigest()}


def _first_words(text: str) -> str:
    return " ".join(text.split()[:NEAR_WORDS])


def _storable(value: Any) -> Any:
    match value:
        case str():
            return strip_unstorable(value)
        case dict():
            return {name: _storable(inner) for name, inner in value.items()}
        case tuple() | list():
            return [_storable(inner) for inner in value]
        case _:
            return value
