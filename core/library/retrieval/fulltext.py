"""The words of a query as LanceDB is asked for them: which columns, at what weight. It opens no table."""

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
"""What a word counts for in each column; near, as rules that go together follow each other. Measured, with the
alternatives, by tests/benchmarks/search.py."""
WHOLE_TITLE_WEIGHT = 1.0
"""What a title counts for in which all of a query's words stand, beside what they count for one by one."""


def build_text_query(
    expanded: ExpandedQuery,
    weights: Mapping[str, float] = COLUMN_WEIGHTS,
    whole_title_weight: float = WHOLE_TITLE_WEIGHT,
) -> FullTextQuery:
    """Any of the words, in the clause or beside it, each column for itself; required phrases have to be there."""
    asked = " ".join(expanded.words)
    any_of: list[FullTextQuery] = [
        _match(column, asked, weight) for column, weight in weights.items() if asked
    ]
    if whole_title_weight and len(expanded.words) > 1:
        any_of.append(_match("title", asked, whole_title_weight, FullTextOperator.AND))
    any_of += [
        _match(column, other.words, weight * other.weight, FullTextOperator.AND)
        for other in expanded.alternatives
        for column, weight in weights.items()
    ]
    any_of += [_phrase("text", phrase) for phrase in expanded.phrases]
    # What must be there costs four times the time of what may be, so only what was demanded must.
    needed = [
        (
            Occur.MUST,
            BooleanQuery(
                [(Occur.SHOULD, _phrase(column, phrase)) for column in ("text", "title", "trail")]
            ),
        )
        for phrase in expanded.required_phrases
    ]
    return BooleanQuery([*needed, *((Occur.SHOULD, query) for query in any_of)])


def _match(
    column: str, words: str, weight: float, operator: FullTextOperator = FullTextOperator.OR
) -> MatchQuery:
    return MatchQuery(words, column, boost=weight, operator=operator)  # type: ignore[call-arg]  # all have defaults


def _phrase(column: str, phrase: str) -> PhraseQuery:
    return PhraseQuery(phrase, column)  # type: ignore[call-arg]  # all have defaults
