"""References of a document to clauses that it does not have."""

import re
from collections.abc import Sequence

from core.grammar import candidate_numbers, canonical_number, split_reference
from core.rulebook.types import Clause


def find_unresolved_references(clauses: Sequence[Clause]) -> list[tuple[str, str]]:
    """References to clauses of this document that it does not have: (citing article, reference)."""
    known = {canonical_number(clause.article) for clause in clauses}
    schemes = {_scheme(number) for number in known}
    missing = []
    for clause in clauses:
        for reference in clause.references:
            article, document = split_reference(reference)
            inside = document is None and _scheme(canonical_number(article)) in schemes
            if inside and known.isdisjoint(candidate_numbers(article, clause.article)):
                missing.append((clause.article, reference))
    return missing


def _scheme(number: str) -> str:
    """The letters that numbers of one document begin with: "C3.5" is of another one than "B1.4"."""
    found = re.match(r"((?:APPENDIX|ANNEX|SCHEDULE)?\s?[A-Z]*\.?)\d", number)
    return f"{found[1]}#" if found else number
