"""The clauses that define a term, in a scope or in what it leaves out. No search ranks them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from lancedb import Expr, col, lit

from core.grammar import find_definition, fold_accents, stem_term, stem_words
from core.library.retrieval.ranking import (
    IN_FORCE,
    detect_query_languages,
    scope_filter,
    select_clauses,
)
from core.library.storage.library import Library
from core.library.types import Document, Scope
from core.rulebook import Clause

_SHORTEST = 2
"""Letters of a word by which clauses are looked through; a shorter one is in all."""


@dataclass(frozen=True, slots=True)
class TermDefinition:
    """A clause and what of its text defines a term; `rank` is as in `core.grammar.Definition`."""

    clause: Clause
    words: str
    rank: int


def find_term_definitions(
    library: Library, term: str, scope: Scope, spoken: str | None = None
) -> tuple[TermDefinition, ...]:
    """Return what defines a term: of each document of a scope the surest, the surest first.

    Of a document in several languages those in the `spoken` one count, else in its main one.
    Raises LibraryError `unreadable`.
    """
    if not (stems := stem_term(term)) or not scope.documents:
        return ()
    found = _find_all(library, library.version, term, stems, scope.documents)
    languages = detect_query_languages((), scope)
    best: dict[str, tuple[bool, int]] = {}
    graded = []
    for one in found:
        wanted = spoken or languages.get(one.clause.document_id)
        grade = one.clause.language not in (None, wanted), one.rank
        graded.append((grade, one))
        best[one.clause.document_id] = min(grade, best.get(one.clause.document_id, grade))
    kept = [(grade, one) for grade, one in graded if grade == best[one.clause.document_id]]
    return tuple(one for _, one in sorted(kept, key=lambda pair: pair[0]))


@lru_cache(maxsize=64)
def _find_all(
    library: Library,
    _version: int,
    term: str,
    stems: frozenset[str],
    documents: tuple[Document, ...],
) -> list[TermDefinition]:
    """Look through the clauses that have a term's words, once for each version of the library."""
    scope = Scope(documents, "")
    where = scope_filter(scope, IN_FORCE)
    for beginning in _list_beginnings(term):
        where &= _contains("text", beginning) | _contains("title", beginning)
    order = {document.document_id: place for place, document in enumerate(documents)}
    clauses = select_clauses(library, scope, where)
    found = []
    for clause in sorted(clauses, key=lambda one: order[one.document_id]):
        if one := find_definition(stems, clause.title, clause.text, clause.breadcrumb):
            found.append(TermDefinition(clause, one.words, one.rank))
    return found


def _contains(column: str, words: str) -> Expr:
    return col(column).lower().contains(lit(words))


def _list_beginnings(term: str) -> Iterable[str]:
    """Yield letters that each clause with a term has, in any form of its words."""
    for word in re.findall(r"[^\W_]+", term.lower()):
        if not stem_term(word) & stem_term(term):
            continue
        plain = fold_accents(word)
        kept = max(_count_same(plain, stem) for stem in stem_words(word))
        same = word[:kept].removesuffix("i")  # "buggi" of "buggy" and "buggies"
        letters = max(re.findall(r"[a-z0-9]+", same) or [""], key=len)
        if len(letters) >= _SHORTEST:
            yield letters


def _count_same(word: str, stem: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, stem, strict=False)))
