"""What a question expects of an answer's citations: articles, season, words, a verdict."""

from collections.abc import Iterable, Sequence
from typing import get_args

from core.evaluation.questions import KeyedQuestion
from core.grammar import split_part
from core.library import article_steps
from core.sheets import Verdict, overall_verdict
from core.verification import Citation, ComplianceRow, contains_words, normalize_text


def is_expected_article(article: str, expected: Iterable[str]) -> bool:
    """True if the article is expected, is below one that is, or contains an expected part."""
    steps = article_steps(article)
    return any(
        steps[: len(wanted)] == wanted or steps == article_steps(split_part(number)[0])
        for number in expected
        if (wanted := article_steps(number))
    )


def expected_citations(
    citations: Iterable[Citation], question: KeyedQuestion
) -> tuple[Citation, ...]:
    """Return the citations of an expected article in the season expected."""
    return tuple(
        citation
        for citation in citations
        if is_expected_article(citation.article, question.articles)
        and question.answer_season in (None, citation.season)
    )


def meets_expectation(
    question: KeyedQuestion, citations: Sequence[Citation], rows: Sequence[ComplianceRow]
) -> bool | None:
    """True if the quotes hold all words expected and the check has the verdict expected.

    None if the question expects neither.
    """
    quotes = normalize_text("\n".join(citation.quote for citation in citations))
    verdict = overall_verdict(rows) if rows else None
    if not question.says:
        return None
    return all(
        part == verdict
        if part in get_args(Verdict)
        else contains_words(normalize_text(part), quotes)
        for part in question.says
    )
