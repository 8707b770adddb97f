"""Scores a draft by measures, and proposes what to try and ask next. It writes no draft."""

from collections.abc import Sequence

from core.agent.models.base import ScoreRequest
from core.agent.models.offline.extract import (
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
"""The most that a check without a verdict counts for."""
_SECOND_CHOICE = {"regulation_search": "general_rag", "penalty_lookup": "regulation_search"}


def score_draft(request: ScoreRequest) -> Score:
    """Return the four criteria by measures; the reasons name them.

    Right words that miss a word of the question may be about something else. So accuracy and
    specificity, too, are high only where the quotes hold ON_TOPIC_SHARE of the question's words.
    """
    words = question_words(request.question)
    wanted = expected_answer_type(request.question, request.intent)
    answers = _quotes_answer(request)
    if wanted and answers:
        words = beside(wanted, words)
    places = {source.clause_id: join_headings(source) for source in request.evidence}
    quotes = [f"{places.get(c.clause_id, c.title)} {c.quote}" for c in request.citations]
    gaps = _find_gaps(request, wanted.name if wanted and not answers else "")
    share = _share_of_words(request, words, quotes)
    share = min(share, UNANSWERED_CAP) if gaps else share
    quoted = " ".join(quotes)
    missing = [word for stem, word in words.items() if not coverage({stem: word}, quoted)]
    length = len(request.draft.split())
    clarity = (9 if length <= 150 else 8 if length <= 600 else 6) if request.citations else 5
    accuracy, verified = _score_accuracy(request, share)
    specificity, specific = _score_specificity(request, share, answers)
    return Score(
        completeness=round(1 + 9 * share),
        accuracy=accuracy,
        clarity=clarity,
        specificity=specificity,
        reasons={
            "completeness": f"{share:.0%} of the question's words, rare ones counting more,"
            " are in the quoted clauses.",
            "accuracy": verified,
            "clarity": f"{length} words.",
            "specificity": specific,
        },
        missing=", ".join(dict.fromkeys((*missing, *gaps))) if share < 1 else "",
    )


def _share_of_words(request: ScoreRequest, words: dict[str, str], quotes: Sequence[str]) -> float:
    """Return the share of the words, rare ones counting more, that the best quote holds.

    Words in several quotes, far from one another, may be about something else.
    """
    if _quotes_named_article(request) and not words:
        return 1.0
    weights = idf(words, [f"{source.title} {source.text}" for source in request.evidence])
    share = max((coverage(words, quote, weights) for quote in quotes), default=0.0)
    if not request.requirements:
        return share
    is_decided = overall_verdict(request.requirements) != "cannot tell"
    return max(share, ON_TOPIC_SHARE) if is_decided else min(share, UNANSWERED_CAP)


def _find_gaps(request: ScoreRequest, unanswered: str) -> list[str]:
    """Return what a question asks for that no quote can make up for."""
    named = find_series(request.question)
    quoted = find_series(" ".join(citation.document for citation in request.citations))
    is_comparison = request.plan.tool == "regulation_comparison"
    gaps = {
        unanswered: bool(unanswered and request.citations),
        f"a rulebook of {', '.join(sorted(named)).upper()}": bool(named) and not named & quoted,
        "a comparison": request.intent == "COMPARISON" and not is_comparison,
    }
    return [gap for gap, is_open in gaps.items() if is_open]


def _quotes_answer(request: ScoreRequest) -> bool:
    """True where a quoted sentence says what was asked for, and is about the question."""
    spans = find_answer_spans(request.question, request.intent, request.evidence)
    return any(
        (span := spans.get(citation.clause_id)) is not None
        and span.share >= ON_TOPIC_SHARE
        and span.sentence in citation.quote
        for citation in request.citations
    )


def _quotes_named_article(request: ScoreRequest) -> bool:
    """True where a citation is of an article that the question names, or of a sub-clause of it."""
    named = [canonical_number(split_part(n)[0]) for n in find_article_numbers(request.question)]
    quoted = [canonical_number(citation.article) for citation in request.citations]
    return any(f"{article}.".startswith(f"{number}.") for number in named for article in quoted)


def _score_accuracy(request: ScoreRequest, share: float) -> tuple[int, str]:
    if not request.citations:
        return 1, "Nothing is quoted."
    if request.failures:
        return 3, "A quote could not be verified."
    if share < ON_TOPIC_SHARE:
        return 5, "The quotes are verified, but may be about something else."
    return 9, "Every quote was found in its clause."


def _score_specificity(request: ScoreRequest, share: float, answers: bool) -> tuple[int, str]:
    if find_article_numbers(request.question):
        if _quotes_named_article(request):
            return 10, "The article asked for is quoted."
        return 2, "The article asked for was not found."
    if not request.citations:
        return 1, "Nothing is quoted."
    if share < ON_TOPIC_SHARE:
        return 4, "The quoted clauses lack words of the question."
    if answers:
        return 9, "What was asked for is quoted."
    return 8, "The quoted clauses are about the question."


def unquoted_sources(request: ScoreRequest) -> list[Source]:
    """Return the clauses with a title that were found and not quoted."""
    quoted = {citation.clause_id for citation in request.citations}
    return [s for s in request.evidence if s.title and s.text and s.clause_id not in quoted]


def plan_refinement(request: ScoreRequest) -> tuple[Strategy, str, str, str]:
    """Return strategy, tool, query and reason of the next try: other words, then another tool."""
    tool = request.plan.tool
    words = question_words(request.question)
    if values_in_question(request.question):
        query = " ".join(
            (*dict.fromkeys(words.values()), "minimum maximum limit size requirements")
        )
        if (tool, query) not in request.tried:
            reason = "A limit on what is measured is searched for, not the value itself."
            return "REFINE_QUERY", tool, query, reason
    titles = [source.title for source in request.evidence[:3] if coverage(words, source.title) > 0]
    query = " ".join(dict.fromkeys(" ".join((*titles, *words.values())).split()))
    if query and (tool, query) not in request.tried:
        reason = "The question is put in the words of the headings that were found."
        return "REFINE_QUERY", tool, query, reason
    second = _SECOND_CHOICE.get(tool, "regulation_search")
    reason = f"{tool} found too little; {second} searches more widely."
    return "SWITCH_TOOL", second, request.question, reason
