"""What a question of a set expects, held against what an answer cites: articles, their season, words, a verdict."""

from collections.abc import Iterable, Sequence
from typing import get_args

from core.agent import (
    Citation,
    ComplianceRow,
    Verdict,
    contains_words,
    normalize_text,
    overall_verdict,
)
from core.evaluation.questions import Question
from core.library import article_steps
from core.rulebook import split_part


def is_expected_article(article: str, expected: Iterable[str]) -> bool:
    """True where an article is one of those expected, stands below one, or holds the part that is expected."""
    own = article_steps(article)
    return any(
        own[: len(path)] == path or own == article_steps(split_part(number)[0])
        for number in expected
        if (path := article_steps(number))
    )


def expected_citations(citations: Iterable[Citation], question: Question) -> tuple[Citation, ...]:
    """The citations of an expected article, in the season expected."""
    return tuple(
        citation
        for citation in citations
        if is_expected_article(citation.article, question.articles)
        and question.answer_season in (None, citation.season)
    )


def meets_expectation(
    question: Question, citations: Sequence[Citation], rows: Sequence[ComplianceRow]
) -> bool | None:
    """True where quotes hold all words expected, and a check comes to the verdict expected; None: none are."""
    quoted = normalize_text("\n".join(citation.quote for citation in citations))
    verdict = overall_verdict(rows) if rows else None
    told = [
        verdict == part
        if part in get_args(Verdict)
        else contains_words(normalize_text(part), quoted)
        for part in question.says
    ]
    return all(told) if told else None
