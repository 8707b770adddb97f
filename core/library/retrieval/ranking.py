"""Which clauses come first for a query: by words, by meaning, or by both. It knows no article numbers.

Words and meaning are joined by their scores: BM25 beside that of the best clause, and the cosine. On
ObliQA that is better than joining by ranks; tests/benchmarks/search.py has the figures.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from lancedb import col, lit
from lancedb.expr import Expr
from lancedb.query import FullTextQuery

from core.library.retrieval.fulltext import full_text
from core.library.retrieval.query_expansion import Words
from core.library.storage.library import Library
from core.library.storage.schema import clause_of
from core.library.storage.vectors import nearest
from core.library.types import Hit, Scope, SearchMode, Why
from core.rulebook.types import Clause, Status

IN_FORCE: tuple[Status, ...] = ("in_force",)
CANDIDATES = 100
"""Clauses of each kind that are looked at where words and meaning are joined."""
MEANING = 0.4
"""The share of the meaning, where the two are joined."""
TURNS = 1.5
"""How much better the best clause in another language has to be than that in a document's main language for the
question to count as asked in the other."""


def ranked(
    library: Library,
    query: str,
    words: Words,
    scope: Scope,
    k: int,
    mode: SearchMode,
    statuses: Collection[Status],
) -> list[Hit]:
    """The `k` clauses in scope that come first, each rule in one language.

    Raises LibraryError and SettingsError as `nearest`, where the mode is not `lexical`.
    """
    wide = 2 * k  # as half of them may be of another language
    if mode == "lexical":
        hits = best(library, full_text(words), scope, wide, statuses)
        return _in(languages(hits, scope), hits)[:k]
    near = nearest(library, query, scope, max(wide, CANDIDATES))
    by_words = (
        []
        if mode == "dense"
        else best(library, full_text(words), scope, max(wide, CANDIDATES), statuses)
    )
    scores = (
        joined({hit.clause.clause_id: hit.score for hit in by_words}, near) if by_words else near
    )
    found = {hit.clause.clause_id: hit.clause for hit in by_words}
    why: dict[str, Why] = {
        clause_id: "words" if clause_id in found else "vector" for clause_id in scores
    }
    first = sorted(scores, key=scores.__getitem__, reverse=True)[:wide]
    found |= _clauses(library, scope, [clause_id for clause_id in first if clause_id not in found])
    hits = [
        Hit(found[clause_id], scores[clause_id], why[clause_id])
        for clause_id in first
        if clause_id in found
    ]
    # Scores of words tell languages apart the best.
    return _in(languages(by_words or hits, scope), hits)[:k]


def best(
    library: Library,
    asked: FullTextQuery,
    scope: Scope,
    k: int,
    statuses: Collection[Status] = IN_FORCE,
) -> list[Hit]:
    """The `k` clauses in scope that a full-text query ranks first. A heading without words of its own is no rule."""
    if not scope.documents:
        return []
    rows = library.tables.rank(asked, within(scope, statuses) & (col("heading") == lit(False)), k)
    known = {document.document_id: document for document in scope.documents}
    return [Hit(clause_of(row, known[row["document_id"]]), row["_score"], "words") for row in rows]


def joined(words: Mapping[str, float], near: Mapping[str, float]) -> dict[str, float]:
    """One score of two, by clause id: of what only one of them found, the other counts as its last."""
    top, last = max(words.values()), min(words.values())
    furthest = min(near.values(), default=0.0)
    return {
        clause_id: (1 - MEANING) * words.get(clause_id, last) / top
        + MEANING * near.get(clause_id, furthest)
        for clause_id in (*words, *near)
    }


def languages(hits: Iterable[Hit], scope: Scope) -> dict[str, str | None]:
    """Of each document in scope the language a question is asked in, judged by its best hit in each: the document's
    main language, unless another is found much better."""
    heard: dict[str, dict[str, float]] = {}
    for hit in hits:
        if hit.clause.language is not None:
            heard.setdefault(hit.clause.document_id, {}).setdefault(hit.clause.language, hit.score)
    spoken = {document.document_id: document.language for document in scope.documents}
    for document_id, scores in heard.items():
        foremost = max(scores, key=scores.__getitem__)
        if scores[foremost] > TURNS * scores.get(spoken[document_id] or foremost, 0.0):
            spoken[document_id] = foremost
    return spoken


def within(scope: Scope, statuses: Collection[Status]) -> Expr:
    """The filter that lets only a scope's clauses of some statuses through."""
    return col("document_id").isin(scope.ids) & col("status").isin(sorted(statuses))


def clauses_where(library: Library, scope: Scope, where: Expr) -> list[Clause]:
    """The clauses that a filter lets through, which has to let through only those of the scope."""
    known = {document.document_id: document for document in scope.documents}
    if not known:
        return []
    return [clause_of(row, known[row["document_id"]]) for row in library.tables.rows(where)]


def _in(spoken: Mapping[str, str | None], hits: Iterable[Hit]) -> list[Hit]:
    """Hits without the clauses that a document prints in another language than is spoken of it."""
    return [
        hit
        for hit in hits
        if hit.clause.language in (None, spoken.get(hit.clause.document_id, hit.clause.language))
    ]


def _clauses(library: Library, scope: Scope, ids: Sequence[str]) -> dict[str, Clause]:
    if not ids:
        return {}
    wanted = within(scope, IN_FORCE) & col("clause_id").isin(ids)
    return {clause.clause_id: clause for clause in clauses_where(library, scope, wanted)}
