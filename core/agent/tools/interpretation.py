"""The clauses by which a document says how it is to be read; they hold for all its rules."""

import re
from collections.abc import Sequence
from functools import lru_cache

from core.grammar import list_cues
from core.library import Document, Hit, Library, Scope, search
from core.rulebook import Clause

INTERPRETATION_TOOL = "interpretation"
"""The name of these clauses in events of evidence."""
MAX_CLAUSE_WORDS = 200
"""Longer clauses are not given: what holds for every rule is said in few words."""
_QUERIES = (
    "definition of terms: must, shall, may, should",
    "interpretation of these regulations, definitive version of the text, headings, dispute",
)
_MODAL_VERBS = frozenset(list_cues("modal"))
_PATTERNS = tuple(
    (weight, re.compile(pattern, re.I | re.S))
    for weight, pattern in (
        (
            3,
            rf"\b(?:{list_cues('modal').any})\b[”\"’']?\s*"
            r"(?:–|-\s|\b(?:shall )?mean|\bdesignates|\bindicates)",
        ),
        (
            2,
            r"\bheadings?\b.{0,80}"
            r"\b(?:reference|reading|guide|convenience|legal|affect|meaning)",
        ),
        (
            2,
            r"\b(?:definitive|authentic|final|official) (?:version|text)\b"
            r"|\b(?:prevails?|takes? precedence)\b",
        ),
        (
            1,
            r"\b(?:all|any) (?:times|dimensions|units|measurements)\b.{0,60}"
            r"\b(?:local|in|are)\b",
        ),
    )
)
"""Words of a clause of interpretation, with the weight that they give it."""
_MIN_WEIGHT = 2
"""More than a clause has that only says what times or units are meant."""


def find_interpretation_clauses(library: Library, documents: Sequence[Document]) -> tuple[Hit, ...]:
    """Return the two heaviest clauses of interpretation of each of the first three documents.

    Raises LibraryError.
    """
    return tuple(
        hit
        for document in documents[:3]
        for hit in _search_document(library, library.version, document)
    )


@lru_cache(maxsize=256)
def _search_document(library: Library, _version: int, document: Document) -> list[Hit]:
    """Search one document, once for each version of the library and state of the document."""
    scope = Scope((document,), "one document")
    hits = [
        hit
        for query in _QUERIES
        for hit in search(library, query, scope, mode="lexical", is_typed=False)
    ]
    clauses = {hit.clause.clause_id: hit.clause for hit in hits}
    weights = {key: _weigh_clause(clause) for key, clause in clauses.items()}
    ranked = sorted(weights, key=lambda key: -weights[key])[:2]
    return [Hit(clauses[key], 0.0, "definition") for key in ranked if weights[key] >= _MIN_WEIGHT]


def _weigh_clause(clause: Clause) -> int:
    """Return how much a clause says about reading its document; 0 where it is too long."""
    if len(clause.text.split()) > MAX_CLAUSE_WORDS:
        return 0
    defines_modal_verb = bool(_MODAL_VERBS & {term.casefold() for term in clause.defines})
    matches = (weight for weight, pattern in _PATTERNS if pattern.search(clause.text))
    return 3 * defines_modal_verb + sum(matches)
