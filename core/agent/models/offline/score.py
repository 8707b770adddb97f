"""A draft scored by measures, what is tried next, and what may be asked next. No draft is made here."""

from collections.abc import Sequence

from core.agent.models.base import ScoreRequest
from core.agent.models.offline.relevance import (
    ON_TOPIC_SHARE,
    expected_answer_type,
    find_answer_spans,
    join_headings,
    question_words,
)
from core.agent.models.offline.sought import beside
from core.agent.text.compliance_question import values_in_question
from core.agent.text.stems import coverage, idf
from core.agent.types import Score, Source, Strategy
from core.agent.verification.compliance import overall_verdict
from core.library import find_series
from core.rulebook import canonical_number, find_article_numbers, split_part

UNANSWERED_CAP = 0.4
"""What a check that comes to no verdict counts for at the most."""
_SECOND_CHOICE = {"regulation_search": "general_rag", "penalty_lookup": "regulation_search"}


def score_draft(request: ScoreRequest) -> Score:
    """The four criteria by measures; the reasons name them.

    Right words that miss a word of the question may be about something else, so accuracy and specificity, too, are
    high only where the quoted clauses hold MOST of the question's words.
    """
    words = question_words(request.question)
    wanted = expected_answer_type(request.question, request.intent)
    tells = _told_in_quotes(request)
    if wanted and tells:
        words = beside(wanted, words)
    places = {source.clause_id: join_headings(source) for source in request.evidence}
    each = [f"{places.get(c.clause_id, c.title)} {c.quote}" for c in request.citations]
    quoted = " ".join(each)
    share = _share(words, each, request.evidence)
    if request.requirements:
        told = overall_verdict(request.requirements) != "cannot tell"
        share = max(share, ON_TOPIC_SHARE) if told else min(share, UNANSWERED_CAP)
    if _quotes_what_is_named(request) and not words:
        share = 1.0
    missing = [word for stem, word in words.items() if not coverage({stem: word}, quoted)]
    if wanted and request.citations and not tells:
        share = min(share, UNANSWERED_CAP)
        missing.append(wanted.name)
    called = find_series(request.question)
    if called and not called & find_series(
        " ".join(citation.document for citation in request.citations)
    ):
        share = min(share, UNANSWERED_CAP)
        missing.append(f"a rulebook of {', '.join(sorted(called)).upper()}")
    if request.intent == "COMPARISON" and request.plan.tool != "regulation_comparison":
        share = min(share, UNANSWERED_CAP)
        missing.append("a comparison")
    length = len(request.draft.split())
    clarity = (9 if length <= 150 else 8 if length <= 600 else 6) if request.citations else 5
    accuracy, verified = _accurate(request, share)
    specificity, specific = _specific(request, share, tells)
    return Score(
        completeness=round(1 + 9 * share),
        accuracy=accuracy,
        clarity=clarity,
        specificity=specificity,
        reasons={
            "completeness": f"{share:.0%} of the question's words, rare ones counting more, are in the quoted clauses.",
            "accuracy": verified,
            "clarity": f"{length} words.",
            "specificity": specific,
        },
        missing=", ".join(dict.fromkeys(missing)) if share < 1 else "",
    )


def _share(words: dict[str, str], quotes: Sequence[str], evidence: Sequence[Source]) -> float:
    """The share of the words, rare ones counting more, that the best of the quotes holds.

    Words that stand in quotes of their own, far from one another, may be about something else.
    """
    weights = idf(words, [f"{source.title} {source.text}" for source in evidence])
    return max((coverage(words, quote, weights) for quote in quotes), default=0.0)


def _told_in_quotes(request: ScoreRequest) -> bool:
    """True where a sentence that is quoted tells what was asked for, and is about the question."""
    found = find_answer_spans(request.question, request.intent, request.evidence)
    return any(
        (one := found.get(citation.clause_id)) is not None
        and one.share >= ON_TOPIC_SHARE
        and one.sentence in citation.quote
        for citation in request.citations
    )


def _quotes_what_is_named(request: ScoreRequest) -> bool:
    """True where a citation is of an article that the question names, or of a sub-clause of it."""
    asked = [canonical_number(split_part(n)[0]) for n in find_article_numbers(request.question)]
    quoted = [canonical_number(citation.article) for citation in request.citations]
    return any(
        article == number or article.startswith(f"{number}.")
        for number in asked
        for article in quoted
    )


def _accurate(request: ScoreRequest, share: float) -> tuple[int, str]:
    if not request.citations:
        return 1, "Nothing is quoted."
    if request.failures:
        return 3, "A quote could not be verified."
    if share < ON_TOPIC_SHARE:
        return 5, "The quotes are verified, but may be about something else."
    return 9, "Every quote was found in its clause."


def _specific(request: ScoreRequest, share: float, tells: bool) -> tuple[int, str]:
    if find_article_numbers(request.question):
        hit = _quotes_what_is_named(request)
        return (
            (10, "The article asked for is quoted.")
            if hit
            else (2, "The article asked for was not found.")
        )
    if not request.citations:
        return 1, "Nothing is quoted."
    if share < ON_TOPIC_SHARE:
        return 4, "The quoted clauses lack words of the question."
    return (
        (9, "What was asked for is quoted.")
        if tells
        else (8, "The quoted clauses are about the question.")
    )


def unquoted_sources(request: ScoreRequest) -> list[Source]:
    """Titled clauses that were found and not quoted."""
    quoted = {citation.clause_id for citation in request.citations}
    return [
        source
        for source in request.evidence
        if source.title and source.text and source.clause_id not in quoted
    ]


def plan_refinement(request: ScoreRequest) -> tuple[Strategy, str, str, str]:
    """What to try next: the question in the words of what was found, then another tool."""
    plan = request.plan
    words = question_words(request.question)
    if values_in_question(request.question):
        query = " ".join(
            (*dict.fromkeys(words.values()), "minimum maximum limit size requirements")
        )
        if (plan.tool, query) not in request.tried:
            return (
                "REFINE_QUERY",
                plan.tool,
                query,
                "A limit on what is measured is looked for, not the value itself.",
            )
    titles = [source.title for source in request.evidence[:3] if coverage(words, source.title) > 0]
    query = " ".join(dict.fromkeys(" ".join((*titles, *words.values())).split()))
    if query and (plan.tool, query) not in request.tried:
        return (
            "REFINE_QUERY",
            plan.tool,
            query,
            "The question is put in the words of the headings that were found.",
        )
    tool = _SECOND_CHOICE.get(plan.tool, "regulation_search")
    return (
        "SWITCH_TOOL",
        tool,
        request.question,
        f"{plan.tool} brought too little; {tool} looks more widely.",
    )
