"""Build the full-text query for LanceDB: columns and weights. Opens no table."""

from collections.abc import Mapping

from lancedb.query import (
    BooleanQuery,
    FullTextOperator,
    FullTextQuery,
    MatchQuery,
    Occur,
    PhraseQuery,
)

from core.library.retrieval.query_expansion import ExpandedQuery

COLUMN_WEIGHTS = {"text": 1.0, "title": 0.5, "trail": 0.35, "near": 0.15}
"""Weight of a word by column; `near` counts because related rules follow each other.
tests/benchmarks/search.py measures these and the alternatives."""
WHOLE_TITLE_WEIGHT = 1.0
"""Added weight of a title that contains all words of the query."""


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
