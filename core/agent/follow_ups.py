"""Questions that one would ask next of the clauses that an answer rests on."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from core.library import (
    Library,
    LibraryPlace,
    Scope,
    document_from_json,
    document_to_json,
    edition_status,
    find_counterparts,
    find_definitions,
)
from core.limits import any_word
from core.rulebook import Clause, article_label, canonical_number, find_sanctions, split_reference
from core.verification import Citation

_EXCEPTION = re.compile(
    rf"(?i)\b(?:{any_word('exception', 'saving')}|notwithstanding|except\w*|exempt\w*)\b"
)
MAX_CLAUSES = 2
"""Cited clauses that questions are made for."""


def suggest_follow_ups(
    library: Library, scope: Scope, citations: Sequence[Citation]
) -> Iterator[str]:
    """Yield a question for each clause that completes the cited ones, the weightiest first.

    Penalties and exceptions are in clauses that refer to a cited one by its number; a wording of an
    earlier edition is offered where it differs, a definition where the quote uses the term.
    Raises LibraryError `unreadable`.
    """
    cited = {citation.clause_id: citation for citation in citations}
    for clause_id, citation in list(cited.items())[:MAX_CLAUSES]:
        clause = library.clause(clause_id)
        if clause is None:
            continue
        others = [c for c in _referring_clauses(library, clause) if c.clause_id not in cited]
        label = article_label(clause.article)
        for what, completes in (
            (f"What penalty for a breach of {label}", lambda c: bool(find_sanctions(c.text))),
            (f"What exception to {label}", lambda c: bool(_EXCEPTION.search(c.text))),
        ):
            if found := next(filter(completes, others), None):
                yield f"{what} does {article_label(found.article)} set?"
        yield from _earlier_wording(library, clause)
        yield from _definition(library, scope, clause, citation.quote)


def _referring_clauses(library: Library, clause: Clause) -> Sequence[Clause]:
    """Return the clauses in force of the same document that refer to a clause by its number."""
    record = document_to_json(library.document(clause.document_id))
    referring = _clauses_by_reference(library.place, library.version, record)
    return referring.get(canonical_number(clause.article), ())


@lru_cache(maxsize=32)
def _clauses_by_reference(
    place: LibraryPlace, _version: int, record: str
) -> Mapping[str, Sequence[Clause]]:
    """Return the clauses in force of a document by the numbers in it that they refer to.

    Read once for each version of the library and record of the document: all its clauses are.
    """
    found: defaultdict[str, list[Clause]] = defaultdict(list)
    for clause in Library(place).clauses(document_from_json(record).document_id):
        if clause.status == "in_force" and clause.text:
            split = map(split_reference, clause.references)
            for number in {canonical_number(number) for number, name in split if name is None}:
                found[number].append(clause)
    return dict(found)


def _earlier_wording(library: Library, clause: Clause) -> Iterator[str]:
    documents = library.documents()
    document = library.document(clause.document_id)
    earlier = edition_status(document, documents).earlier
    if earlier is None:
        return
    for before in find_counterparts(library, clause, [earlier]):
        if before.text.split() != clause.text.split():
            yield f"What did {article_label(before.article)} say in {earlier.label}?"


def _definition(library: Library, scope: Scope, clause: Clause, quote: str) -> Iterator[str]:
    """Yield a question on the longest defined term in a quote, which says most on its own."""
    defined = (d for d in find_definitions(library, clause, scope) if d.text not in quote)
    terms = {term for definer in defined for term in definer.defines}
    used = [term for term in terms if re.search(rf"(?<!\w){re.escape(term)}(?!\w)", quote)]
    if used:
        yield f"What does “{max(sorted(used), key=len)}” mean?"
