"""Rulebooks from a JSON Lines file of clauses. Its text is taken as it is: nothing is laid out."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import ReadError
from core.grammar import detect_language, find_defined_terms, find_references, find_sanctions
from core.rulebook.invisible import leave_out_invisible
from core.rulebook.types import Identity, ReadingReport, Rulebook, make_clause_id, plain_clause

_LANGUAGE_SAMPLE = 20  # records by which the language of a document is known
_FIELDS = (
    ("text", str, ("document", "article", "text")),
    ("whole number", int | None, ("season", "issue")),
    ("text", str | None, ("id", "title", "family")),
)
"""What a field holds, its type in Python, and the fields of that type."""


def read_jsonl(data: bytes, name: str) -> tuple[Rulebook, ...]:
    """Read rulebooks from one clause a line: `document`, `article` and `text`; optional are `id`,
    `title`, `season`, `issue` and `family`.

    Raises ReadError with code `empty` or `bad_line` (the message names the line).
    """
    records: dict[str, list[Mapping[str, Any]]] = {}
    for number, line in enumerate(data.splitlines(), start=1):
        if line.strip():
            record = _parse_record(line, f"Line {number} of {name}")
            records.setdefault(record["document"], []).append(record)
    if not records:
        raise ReadError(f"{name} is empty: it holds no clause.", code="empty")
    file_hash = hashlib.sha256(data)
    rulebooks = []
    for document, own_records in records.items():
        document_hash = file_hash.copy()
        document_hash.update(document.encode())
        rulebook = _build_rulebook(document_hash.hexdigest(), document, own_records)
        rulebooks.append(leave_out_invisible(rulebook))
    return tuple(rulebooks)


def _parse_record(line: bytes, place: str) -> Mapping[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{place} is not JSON: please correct it.", code="bad_line") from error
    if not isinstance(record, dict):
        raise ReadError(f"{place} is not an object: please correct it.", code="bad_line")
    for content, kind, keys in _FIELDS:
        for key in keys:
            value = record.get(key)
            if not isinstance(value, kind) or isinstance(value, bool):
                fault = f'has no {content} under "{key}": please correct it.'
                raise ReadError(f"{place} {fault}", code="bad_line")
    return record


def _build_rulebook(
    document_id: str, document: str, records: Sequence[Mapping[str, Any]]
) -> Rulebook:
    first = records[0]
    season, issue, family = first.get("season"), first.get("issue"), first.get("family")
    sources = {key: "given" for key in ("title", "season", "issue", "family") if first.get(key)}
    language = detect_language(" ".join(record["text"] for record in records[:_LANGUAGE_SAMPLE]))
    identity = Identity(
        document, family, season, issue, None, language, {"title": "given"} | sources
    )
    counts: Counter[str] = Counter()
    clauses = []
    for record in records:
        article, title, text = record["article"].strip(), record.get("title") or "", record["text"]
        clause_id = make_clause_id(document_id, article, counts)
        clause = plain_clause(
            document_id,
            clause_id,
            source_id=record.get("id") or clause_id,
            article=article,
            title=title,
            text=text,
            season=season,
            issue=issue,
            family=family,
            references=find_references(text),
            defines=find_defined_terms(title, text),
            sanctions=find_sanctions(text),
        )
        clauses.append(clause)
    report = ReadingReport({"pages": 1, "clauses": len(clauses)}, ())
    return Rulebook(document_id, identity, 1, tuple(clauses), report)
