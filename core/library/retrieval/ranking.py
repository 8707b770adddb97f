"""Which clauses come first for a query: by words, by meaning, or by both. It knows no article numbers.

Words and meaning are joined by their scores: BM25 beside that of the best clause, and the cosine. On
ObliQA that is better than joining by ranks; tests/benchmarks/search.py has the figures.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from lancedb import col, lit
from lancedb.expr import Expr
from lancedb.query import FullTextQuery

from core.library.retrieval.fulltext import build_text_query
from core.library.retrieval.query_expansion import ExpandedQuery
from core.library.storage.library import Library
from core.library.storage.schema import clause_from_row
from core.library.storage.vectors import find_nearest
from core.library.types import Hit, HitReason, Scope, SearchMode
from core.rulebook import Clause, ClauseStatus

IN_FORCE: tuple[ClauseStatus, ...] = ("in_force",)
HYBRID_CANDIDATES = 100
"""Clauses of each kind that are looked at where words and meaning are joined."""
DENSE_WEIGHT = 0.4
"""The share of the meaning, where the two are joined."""
LANGUAGE_SWITCH_RATIO = 1.5
"""How much better the best clause in another language has to be than that in a document's main language for the
question to count as asked in the other."""


def rank_clauses(
    library: Library,
    query: str,
    expanded: ExpandedQuery,
    scope: Scope,
    k: int,
    mode: SearchMode,
    statuses: Collection[ClauseStatus],
) -> list[Hit]:
    """The `k` clauses in scope that come first, each rule in one language.

    Raises LibraryError and SettingsError as `nearest`, where the mode is not `lexical`.
    """
    wide = 2 * k  # as half of them may be of another language
    if mode == "lexical":
        hits = search_full_text(library, build_text_query(expanded), scope, wide, statuses)
        return _in(detect_query_languages(hits, scope), hits)[:k]
    near = find_nearest(library, query, scope, max(wide, HYBRID_CANDIDATES))
    by_words = (
        []
        if mode == "dense"
        else search_full_text(
            library, build_text_query(expanded), scope, max(wide, HYBRID_CANDIDATES), statuses
        )
    )
    scores = (
        fuse_scores({hit.clause.clause_id: hit.score for hit in by_words}, near)
        if by_words
        else near
    )
    found = {hit.clause.clause_id: hit.clause for hit in by_words}
    why: dict[str, HitReason] = {
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
    return _in(detect_query_languages(by_words or hits, scope), hits)[:k]


def search_full_text(
    library: Library,
    query: FullTextQuery,
    scope: Scope,
    k: int,
    statuses: Collection[ClauseStatus] = IN_FORCE,
) -> list[Hit]:
    """The `k` clauses in scope that a full-text query ranks first. A heading without words of its own is no rule."""
    if not scope.documents:
        return []
    rows = library.tables.rank_rows(
        query, scope_filter(scope, statuses) & (col("heading") == lit(False)), k
    )
    known = {document.document_id: document for document in scope.documents}
    return [
        Hit(clause_from_row(row, known[row["document_id"]]), row["_score"], "words") for row in rows
    ]


def fuse_scores(
    word_scores: Mapping[str, float], vector_scores: Mapping[str, float]
) -> dict[str, float]:
    """One score of two, by clause id: of what only one of them found, the other counts as its last."""
    top, last = max(word_scores.values()), min(word_scores.values())
    furthest = min(vector_scores.values(), default=0.0)
    return {
        clause_id: (1 - DENSE_WEIGHT) * word_scores.get(clause_id, last) / top
        + DENSE_WEIGHT * vector_scores.get(clause_id, furthest)
        for clause_id in (*word_scores, *vector_scores)
    }


def detect_query_languages(hits: Iterable[Hit], scope: Scope) -> dict[str, str | None]:
    """Of each document in scope the language a question is asked in, judged by its best hit in each: the document's
    main language, unless another is found much better."""
    heard: dict[str, dict[str, float]] = {}
    for hit in hits:
        if hit.clause.language is not None:
            heard.setdefault(hit.clause.document_id, {}).setdefault(hit.clause.language, hit.score)
    spoken = {document.document_id: document.language for document in scope.documents}
    for document_id, scores in heard.items():
        foremost = max(scores, key=scores.__getitem__)
        if scores[foremost] > LANGUAGE_SWITCH_RATIO * scores.get(
            spoken[document_id] or foremost, 0.0
        ):
            spoken[document_id] = foremost
    return spoken


def scope_filter(scope: Scope, statuses: Collection[ClauseStatus]) -> Expr:
    """The filter that lets only a scope's clauses of some statuses through."""
    return col("document_id").isin(scope.ids) & col("status").isin(sorted(statuses))


def select_clauses(library: Library, scope: Scope, where: Expr) -> list[Clause]:
    """The clauses that a filter lets through, which has to let through only those of the scope."""
    known = {document.document_id: document for document in scope.documents}
    if not known:
        return []
    return [
        clause_from_row(row, known[row["document_id"]]) for row in library.tables.read_rows(where)
    ]


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
    wanted = scope_filter(scope, IN_FORCE) & col("clause_id").isin(ids)
    return {clause.clause_id: clause for clause in select_clauses(library, scope, wanted)}
