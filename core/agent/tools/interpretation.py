"""What holds for every rule of a document: its own clauses of interpretation. They are found, never judged."""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from core.library import Document, Hit, Library, Scope, document_from_json, document_to_json, search
from core.rulebook import Clause

INTERPRETATION_TOOL = "interpretation"
"""The name under which these clauses are told as evidence."""
MAX_DOCUMENTS = 3
"""Documents whose clauses of interpretation are given at the most."""
MAX_CLAUSES_PER_DOCUMENT = 2
"""Clauses a document gives at the most."""
MAX_CLAUSE_WORDS = 200
"""Words of a longer clause are not shown: what holds for every rule is said in few."""
_CANDIDATES = 10
_QUERIES = (
    "definition of terms: must, shall, may, should",
    "interpretation of these regulations, definitive version of the text, headings, dispute",
)
_MODAL = frozenset({"must", "shall", "may", "should", "will"})
_TELLING = (
    (
        3,
        re.compile(
            r"\b(?:must|shall|may|should)\b[”\"’']?\s*(?:–|-\s|\b(?:shall )?mean|\bdesignates|\bindicates)",
            re.I,
        ),
    ),
    (
        2,
        re.compile(
            r"\bheadings?\b.{0,80}\b(?:reference|reading|guide|convenience|legal|affect|meaning)",
            re.I | re.S,
        ),
    ),
    (
        2,
        re.compile(
            r"\b(?:definitive|authentic|final|official) (?:version|text)\b|\b(?:prevails?|takes? precedence)\b",
            re.I,
        ),
    ),
    (
        1,
        re.compile(
            r"\b(?:all|any) (?:times|dimensions|units|measurements)\b.{0,60}\b(?:local|in|are)\b",
            re.I | re.S,
        ),
    ),
)


def find_interpretation_clauses(library: Library, documents: Sequence[Document]) -> tuple[Hit, ...]:
    """The clauses of interpretation of the first documents, a few short ones each, the most telling first.

    Raises LibraryError.
    """
    state = library.folder, library.version
    return tuple(
        hit
        for document in documents[:MAX_DOCUMENTS]
        for hit in _of(*state, document_to_json(document))
    )


@lru_cache(maxsize=256)
def _of(folder: Path, _version: int, record: str) -> list[Hit]:
    """Looked for once for each state of the clauses and of what is known of the document."""
    library, scope = Library(folder), Scope((document_from_json(record),), "one document")
    hits = [hit for query in _QUERIES for hit in search(library, query, scope, _CANDIDATES)]
    clauses = {
        hit.clause.clause_id: hit.clause
        for hit in hits
        if len(hit.clause.text.split()) <= MAX_CLAUSE_WORDS
    }
    weights = {clause_id: _weight(clause) for clause_id, clause in clauses.items()}
    ranked = sorted((key for key in clauses if weights[key] > 1), key=lambda key: -weights[key])
    return [Hit(clauses[key], 0.0, "definition") for key in ranked[:MAX_CLAUSES_PER_DOCUMENT]]


def _weight(clause: Clause) -> int:
    defines = 3 * bool(_MODAL & {term.casefold() for term in clause.defines})
    return defines + sum(weight for weight, pattern in _TELLING if pattern.search(clause.text))
