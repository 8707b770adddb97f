"""How much a clause is about a question, and whether it tells what the question wants to be told."""

from collections.abc import Sequence

from core.agent.models.offline.sought import Sought, Told, sought, told
from core.agent.text.compliance_question import subject_words, values_in_question
from core.agent.text.stems import content_words, coverage, idf
from core.agent.types import Intent, Source
from core.rulebook import find_article_numbers

QUOTABLE_SHARE = 0.5
"""Share of the question's words from which a clause is quoted as an answer."""
ON_TOPIC_SHARE = 0.75
"""Share of the question's words from which the quoted clauses are taken to be about it."""
ANSWER_BONUS = 0.25
"""What it counts for, beside the share of the question's words, that a clause tells what is asked for."""


def question_words(question: str) -> dict[str, str]:
    """The words of a question that a clause should hold; a value that it brings for a check is none of them."""
    return subject_words(question) if values_in_question(question) else content_words(question)


def expected_answer_type(question: str, intent: Intent) -> Sought | None:
    """What a question wants to be told, where it is neither of a topic or an article as a whole nor of a value.

    The fine that is asked for may be another penalty.
    """
    if intent == "SUMMARY" or find_article_numbers(question) or values_in_question(question):
        return None
    wanted = sought(question)
    return None if wanted and intent == "PENALTY" and "money" in wanted.kinds else wanted


def find_answer_spans(question: str, intent: Intent, evidence: Sequence[Source]) -> dict[str, Told]:
    """By clause id, where clauses tell what a question wants to be told, and are about the question."""
    wanted = expected_answer_type(question, intent)
    if wanted is None:
        return {}
    words = question_words(question)
    weights = idf(words, [f"{source.title} {source.text}" for source in evidence])
    found = ((source.clause_id, told(wanted, words, source, weights)) for source in evidence)
    return {
        clause_id: one
        for clause_id, one in found
        if one is not None and one.share >= QUOTABLE_SHARE
    }


def clause_relevance(
    words: dict[str, str], source: Source, answer_span: Told | None = None
) -> float:
    """Share of the question's words a clause covers, more where it tells what is asked for.

    A word found in its headings only counts half, unless its own title says all of them.
    """
    own = coverage(words, source.text)
    if len(words) > 1 and coverage(words, source.title) == 1:
        own = 1.0
    share = own + (coverage(words, f"{source.text} {join_headings(source)}") - own) / 2
    return share + ANSWER_BONUS if answer_span else share


def join_headings(source: Source) -> str:
    """What a clause stands under: its titles, and its document's name."""
    return " ".join((source.title, *source.breadcrumb, source.document))
