"""Rank clauses for a query by words, by meaning (vectors) or by both. Ignores article numbers.

Both kinds of score are added: BM25 relative to the best clause, and the cosine. On ObliQA this
beats rank fusion; tests/benchmarks/search.py has the figures.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import islice

from lancedb import col, lit
from lancedb.expr import Expr
from lancedb.query import (
    BooleanQuery,
    FullTextOperator,
    FullTextQuery,
    MatchQuery,
    Occur,
    PhraseQuery,
)

from core.choices import SearchMode
from core.library.retrieval.query_expansion import SMALL_SCOPE, ExpandedQuery, index_tokens
from core.library.storage.library import Library
from core.library.storage.schema import clauses_from_rows
from core.library.storage.vectors import (
    NearPiece,
    find_nearest,
    find_search_mode,
    split_into_pieces,
)
from core.library.types import Hit, Scope
from core.rulebook import Clause, ClauseStatus

IN_FORCE: tuple[ClauseStatus, ...] = ("in_force",)
HYBRID_CANDIDATES = 100
"""Clauses of each kind to consider when words and meaning are combined."""
DENSE_WEIGHT, LARGE_DENSE_WEIGHT = 0.8, 0.7
"""Share of the meaning in a combined score, and that in a scope of more than SMALL_SCOPE documents.
tests/benchmarks/languages.py and search.py have the figures."""
_BEST_BY_WORDS = 20
"""Clauses by which it is known whether the scope has the words of a question. Without that hit@5 of
German questions on German rules is 0.71 for 0.79 (tests/benchmarks/languages.py)."""
LANGUAGE_SWITCH_RATIO = 1.5
"""A question is in another language if its best clause there scores this many times the best one
in the document's main language."""


def rank_clauses(
    library: Library,
    query: str,
    expanded: ExpandedQuery,
    scope: Scope,
    k: int,
    mode: SearchMode,
    statuses: Collection[ClauseStatus],
) -> list[Hit]:
    """Return the best `k` clauses in scope, each rule in one language.

    The mode `hybrid` ranks by words alone while clauses of the scope have no vectors yet. Raises
    LibraryError and SettingsError as `find_nearest` unless the mode is `lexical`.
    """
    mode = find_search_mode(library, scope, mode)
    wide = 2 * k  # half of them may be in another language
    candidates = wide if mode == "lexical" else max(wide, HYBRID_CANDIDATES)
    # What rulebooks say for the words of a question brings it nearer to their clauses.
    meant = " ".join((query, *(other.words for other in expanded.alternatives)))
    near = {} if mode == "lexical" else find_nearest(library, meant, scope, candidates)
    by_words: list[Hit] = []
    if mode != "dense":
        text_query = build_text_query(expanded)
        by_words = search_full_text(library, text_query, scope, candidates, statuses)
    share = _share_of_words(expanded, by_words)
    hits = (
        by_words if mode == "lexical" else _join_hits(library, scope, by_words, near, wide, share)
    )
    # Word scores separate languages best.
    return _keep_languages(detect_query_languages(by_words or hits, scope), hits)[:k]


def _join_hits(
    library: Library,
    scope: Scope,
    by_words: Collection[Hit],
    near: Mapping[str, NearPiece],
    count: int,
    share: float,
) -> list[Hit]:
    known = {hit.clause.clause_id: hit for hit in by_words}
    nearness = {clause_id: piece.nearness for clause_id, piece in near.items()}
    by_word = {clause_id: share * hit.words for clause_id, hit in known.items()}
    weight = DENSE_WEIGHT if len(scope.documents) <= SMALL_SCOPE else LARGE_DENSE_WEIGHT
    scores = fuse_scores(by_word, nearness, weight) if by_word else nearness
    best = sorted(scores, key=scores.__getitem__, reverse=True)[:count]
    where = scope_filter(scope, IN_FORCE) & col("clause_id").isin([k for k in best if k in near])
    clauses = {clause.clause_id: clause for clause in select_clauses(library, scope, where)}
    clauses |= {clause_id: hit.clause for clause_id, hit in known.items()}
    joined = []
    for clause in (clauses[clause_id] for clause_id in best if clause_id in clauses):
        found, piece = known.get(clause.clause_id), near.get(clause.clause_id)
        hit = replace(found or Hit(clause, 0.0, "vector"), score=scores[clause.clause_id])
        if piece:
            words = split_into_pieces("", hit.clause.text)[piece.number]
            hit = replace(hit, nearness=piece.nearness, near_words=words)
        joined.append(hit)
    return joined


def _share_of_words(expanded: ExpandedQuery, by_words: Collection[Hit]) -> float:
    """Return the largest share of a query's words that one of the best clauses has, 0 to 1.

    Words in another language than the scope's are in none: what few are met then says little.
    """
    asked = set(expanded.words)
    best = (hit.clause for hit in islice(by_words, _BEST_BY_WORDS))
    shares = (len(asked & {*index_tokens(f"{one.title} {one.text}")}) for one in best)
    return max(shares, default=0) / (len(asked) or 1)


def search_full_text(
    library: Library,
    query: FullTextQuery,
    scope: Scope,
    k: int,
    statuses: Collection[ClauseStatus] = IN_FORCE,
) -> list[Hit]:
    """Return the best `k` clauses in scope for a full-text query, without bare headings."""
    if not scope.documents:
        return []
    where = scope_filter(scope, statuses) & (col("heading") == lit(False))
    rows = library.tables.rank_rows(query, where, k)
    clauses = zip(clauses_from_rows(rows, scope.by_id), rows, strict=True)
    return [
        Hit(clause, row["_score"], "words", row["_score"] / rows[0]["_score"])
        for clause, row in clauses
    ]


def fuse_scores(
    word_scores: Mapping[str, float], vector_scores: Mapping[str, float], weight: float
) -> dict[str, float]:
    """Combine scores from 0 to 1 by clause id, where `weight` is the share of the vectors.

    A missing score counts as the lowest of its kind.
    """
    last = min(word_scores.values())
    furthest = min(vector_scores.values(), default=0.0)
    return {
        clause_id: (1 - weight) * word_scores.get(clause_id, last)
        + weight * vector_scores.get(clause_id, furthest)
        for clause_id in dict.fromkeys((*word_scores, *vector_scores))  # ties in one order always
    }


def detect_query_languages(hits: Iterable[Hit], scope: Scope) -> dict[str, str | None]:
    """Return the language of a question by document id, from the best hit in each language.

    It is the document's main language unless another one scores LANGUAGE_SWITCH_RATIO times more.
    """
    best_scores: dict[str, dict[str, float]] = {}
    for hit in hits:
        if hit.clause.language is not None:
            scores = best_scores.setdefault(hit.clause.document_id, {})
            scores.setdefault(hit.clause.language, hit.score)
    languages = {document.document_id: document.language for document in scope.documents}
    for document_id, scores in best_scores.items():
        best = max(scores, key=scores.__getitem__)
        main_score = scores.get(languages[document_id] or best, 0.0)
        if scores[best] > LANGUAGE_SWITCH_RATIO * main_score:
            languages[document_id] = best
    return languages


def scope_filter(scope: Scope, statuses: Collection[ClauseStatus]) -> Expr:
    return col("document_id").isin(scope.ids) & col("status").isin(sorted(statuses))


def select_clauses(library: Library, scope: Scope, where: Expr) -> list[Clause]:
    """Return the clauses that a filter selects; it must select only clauses in scope."""
    known = scope.by_id
    return clauses_from_rows(library.tables.read_rows(where), known) if known else []


def _keep_languages(languages: Mapping[str, str | None], hits: Iterable[Hit]) -> list[Hit]:
    """Drop clauses that a document prints in another language than the question's."""
    return [
        hit
        for hit in hits
        if hit.clause.language in (None, languages.get(hit.clause.document_id, hit.clause.language))
    ]


COLUMN_WEIGHTS = {"text": 1.0, "title": 0.5, "trail": 0.35, "near": 0.15}
"""Weight of a word by column; `near` counts because related rules follow each other.
tests/benchmarks/search.py measures these and the alternatives."""
WHOLE_TITLE_WEIGHT = 1.0
"""Added weight of a title that contains all words of the query. On 35 questions of first users it
gives MRR 0.61 for 0.56, hit@5 0.83 for 0.77 (tests/benchmarks/search.py)."""


def build_text_query(
    expanded: ExpandedQuery,
    weights: Mapping[str, float] = COLUMN_WEIGHTS,
    whole_title_weight: float = WHOLE_TITLE_WEIGHT,
) -> FullTextQuery:
    """Match any word, each column by itself; required phrases must occur in text or headings."""
    words = " ".join(expanded.words)
    optional: list[FullTextQuery] = [
        _match(column, words, weight) for column, weight in weights.items() if words
    ]
    if whole_title_weight and len(expanded.words) > 1:
        optional.append(_match("title", words, whole_title_weight, FullTextOperator.AND))
    optional += [
        _match(column, other.words, weight * other.weight, FullTextOperator.AND)
        for other in expanded.alternatives
        for column, weight in weights.items()
    ]
    optional += [_phrase("text", phrase) for phrase in expanded.phrases]
    # A MUST clause takes four times as long as a SHOULD clause: only required phrases get one.
    anywhere = (
        BooleanQuery(
            [(Occur.SHOULD, _phrase(column, phrase)) for column in ("text", "title", "trail")]
        )
        for phrase in expanded.required_phrases
    )
    required = [(Occur.MUST, query) for query in anywhere]
    return BooleanQuery([*required, *((Occur.SHOULD, query) for query in optional)])


def _match(
    column: str, words: str, weight: float, operator: FullTextOperator = FullTextOperator.OR
) -> MatchQuery:
    return MatchQuery(words, column, boost=weight, operator=operator)  # type: ignore[call-arg]  # all have defaults


def _phrase(column: str, phrase: str) -> PhraseQuery:
    return PhraseQuery(phrase, column)  # type: ignore[call-arg]  # all have defaults
