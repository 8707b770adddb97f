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

from core.library.retrieval.query_expansion import Words

WEIGHTS = {"text": 1.0, "title": 0.5, "trail": 0.35, "near": 0.15}
"""What a word counts for in each column; near, as rules that go together follow each other. Measured, with the
alternatives, by tests/benchmarks/search.py."""
WHOLE_TITLE = 1.0
"""What a title counts for in which all of a query's words stand, beside what they count for one by one."""


def full_text(
    words: Words, weights: Mapping[str, float] = WEIGHTS, whole: float = WHOLE_TITLE
) -> FullTextQuery:
    """Any of the words, in the clause or beside it, each column for itself; required phrases have to be there."""
    asked = " ".join(words.words)
    any_of: list[FullTextQuery] = [
        _match(column, asked, weight) for column, weight in weights.items() if asked
    ]
    if whole and len(words.words) > 1:
        any_of.append(_match("title", asked, whole, FullTextOperator.AND))
    any_of += [
        _match(column, other.words, weight * other.weight, FullTextOperator.AND)
        for other in words.alternatives
        for column, weight in weights.items()
    ]
    any_of += [_phrase("text", phrase) for phrase in words.phrases]
    # What must be there costs four times the time of what may be, so only what was demanded must.
    needed = [
        (
            Occur.MUST,
            BooleanQuery(
                [(Occur.SHOULD, _phrase(column, phrase)) for column in ("text", "title", "trail")]
            ),
        )
        for phrase in words.required
    ]
    return BooleanQuery([*needed, *((Occur.SHOULD, query) for query in any_of)])


def _match(
    column: str, words: str, weight: float, operator: FullTextOperator = FullTextOperator.OR
) -> MatchQuery:
    return MatchQuery(words, column, boost=weight, operator=operator)  # type: ignore[call-arg]  # all have defaults


def _phrase(column: str, phrase: str) -> PhraseQuery:
    return PhraseQuery(phrase, column)  # type: ignore[call-arg]  # all have defaults
