"""What a question of a set expects, held against what an answer cites: articles, their season, words, a verdict."""

from collections.abc import Iterable, Sequence
from typing import get_args

from core.agent.types import Citation, Requirement, Verdict
from core.agent.verification.compliance import overall
from core.agent.verification.draft_checks import holds, normalised
from core.evaluation.questions import Question
from core.library.article_path import steps
from core.rulebook.structure.numbering import split_part


def is_one_of(article: str, expected: Iterable[str]) -> bool:
    """True where an article is one of those expected, stands below one, or holds the part that is expected."""
    own = steps(article)
    return any(
        own[: len(path)] == path or own == steps(split_part(number)[0])
        for number in expected
        if (path := steps(number))
    )


def expected_of(citations: Iterable[Citation], question: Question) -> tuple[Citation, ...]:
    """The citations of an expected article, in the season expected."""
    return tuple(
        citation
        for citation in citations
        if is_one_of(citation.article, question.articles)
        and question.answer_season in (None, citation.season)
    )


def says(
    question: Question, citations: Sequence[Citation], rows: Sequence[Requirement]
) -> bool | None:
    """True where quotes hold all words expected, and a check comes to the verdict expected; None: none are."""
    quoted = normalised("\n".join(citation.quote for citation in citations))
    verdict = overall(rows) if rows else None
    told = [
        verdict == part if part in get_args(Verdict) else holds(normalised(part), quoted)
        for part in question.says
    ]
    return all(told) if told else None
