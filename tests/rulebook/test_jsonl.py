"""Rulebooks from JSON Lines: their values, and the line that an error names."""

import json
from hashlib import sha256

import pytest

from core.errors import ReadError
from core.rulebook import read_jsonl


def test_json_lines_may_hold_several_rulebooks():
    rows = [
        {"document": "Rules A", "article": "1.", "text": "First.", "id": "x1", "season": 2024},
        {"document": "Rules B", "article": "1.", "text": "Other."},
        {"document": "Rules A", "article": "1.", "text": "First again, see Article 2.1."},
    ]
    data = "\n".join(json.dumps(row) for row in rows).encode()
    one, other = read_jsonl(data, "rules.jsonl")
    assert one.document_id == sha256(data + b"Rules A").hexdigest()
    assert [c.clause_id.split(":")[1] for c in one.clauses] == ["1.", "1.~2"]
    assert one.clauses[0].source_id == "x1"
    assert (one.identity.season, one.identity.title) == (2024, "Rules A")
    assert one.clauses[1].references == ("2.1",)
    assert other.clauses[0].source_id == other.clauses[0].clause_id


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"[" * 200_000,
        b"[]",
        b'{"document": "A", "article": "1"}',
        b'{"document": "A", "article": "1", "text": "x", "season": "y"}',
    ],
)
def test_the_error_names_a_bad_line(line):
    good = b'{"document": "A", "article": "1", "text": "x"}\n'
    with pytest.raises(ReadError, match=r"Line 2 of rules\.jsonl") as refusal:
        read_jsonl(good + line, "rules.jsonl")
    assert refusal.value.code == "bad_line"
