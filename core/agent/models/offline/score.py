"""Scores a draft by what proves it, else by an estimate, and proposes what to try and ask next."""

from math import log

from core.agent.models.base import ScoreRequest
from core.agent.models.offline.confidence import (
    Confidence,
    find_least_met,
    has_asked_amount,
    measure_match,
)
from core.agent.models.offline.definition import find_definition
from core.agent.models.offline.extract import rank_sources
from core.agent.types import Score, Source, Strategy
from core.limits import (
    coverage,
    overall_verdict,
    split_sentences,
    stem_words,
)
from core.rulebook import canonical_number, split_part

PROVED, NOTHING = 9, 1
"""Scores of what is proved, and of a draft without a quote."""
PASSING = 7
"""The score at `Confidence.accepted_from`, which is the threshold that people start with."""
_RARE_WEIGHT = log(10)
"""Of a word that one clause in ten has (its inverse document frequency)."""
_LEAST_MET = 0.3
"""How near a quote must come to each word of a question. Nine in ten questions that no rule answers
have a word below it, and half of the others."""
_SECOND_CHOICE = {"regulation_search": "general_rag", "penalty_lookup": "regulation_search"}


def score_draft(request: ScoreRequest, confidence: Confidence) -> Score:
    """Return the four criteria; the reasons name the proof, or how the estimate was made."""
    length = len(request.draft.split())
    if not request.citations:
        points, reason = NOTHING, "Nothing is quoted."
    elif request.failures:
        points, reason = 3, f"A check failed: {request.failures[0]}"
    elif proof := _find_proof(request):
        points, reason = PROVED, f"Proved: {proof}"
    else:
        points, reason = _estimate_points(request, confidence)
    unquoted = ", ".join(request.asked.unknown)
    return Score(
        completeness=points,
        accuracy=points,
        clarity=min(points, 9 if length <= 150 else 8 if length <= 600 else PASSING),
        specificity=points,
        reasons={
            "completeness": reason,
            "accuracy": "Every quote was found in its clause." if request.citations else reason,
            "clarity": f"{length} words.",
            "specificity": reason,
        },
        missing=f"a clause with {unquoted}" if unquoted and points < PASSING else "",
    )


def _find_proof(request: ScoreRequest) -> str:
    """Return what proves that the draft answers the question; empty where nothing does."""
    question, quoted = request.asked, request.citations
    if question.values:
        decided = overall_verdict(request.requirements) != "cannot tell"
        return "the value is checked against a limit of the same measure." if decided else ""
    if question.articles:
        named = {canonical_number(split_part(number)[0]) for number in question.articles}
        articles = {canonical_number(citation.article) for citation in quoted}
        below = all(any(f"{a}.".startswith(f"{n}.") for a in articles) for n in named)
        return "the articles named are quoted." if below else ""
    sources = [s for s in request.evidence if s.clause_id == quoted[0].clause_id]
    if request.intent == "COMPARISON" or not sources:
        return ""
    if find_definition(question, sources):
        return f"the quoted entry defines {question.term}."
    asked = {stem for stem, weight in question.weights.items() if weight}  # of words in scope
    if len(asked) > 1 and asked == stem_words(sources[0].title) and not question.kinds:
        return "the title of the quoted rule is what was asked."
    if _has_sentence_of_question(request, sources[0]):
        return "one sentence has all words of the question, and no other clause found has one."
    return ""


def _has_sentence_of_question(request: ScoreRequest, source: Source) -> bool:
    """True where only this clause has a sentence with all words, and the amount, that is asked."""
    question = request.asked
    weights = question.weights.values()
    rare = min(_RARE_WEIGHT, max(weights, default=0) / 2)
    if question.unknown or question.is_follow_up or sum(weight > rare for weight in weights) < 2:
        return False
    quoted = request.citations[0].quote
    with_all = {
        found.clause_id
        for found in request.evidence
        for sentence in split_sentences(found.text if found is not source else quoted)
        if coverage(question.words, sentence) == 1 and has_asked_amount(question, sentence)
    }
    return with_all == {source.clause_id}


def _estimate_points(request: ScoreRequest, confidence: Confidence) -> tuple[int, str]:
    ranked = rank_sources(request.evidence, request.intent)
    ranked.sort(key=lambda source: source.clause_id != request.citations[0].clause_id)
    ids = {source.clause_id for source in ranked}
    quotes = [citation.quote for citation in request.citations if citation.clause_id in ids]
    if not quotes:
        return NOTHING, "No search found what is quoted."
    measures = measure_match(request.asked, ranked, quotes)
    likely = confidence.estimate_right(request.asked, measures)
    enough = confidence.accepted_from
    how = f"estimated {likely:.0%} likely, from words and meaning ({enough:.0%} passes)"
    if doubt := _find_doubt(request):
        return min(PASSING - 1, round(1 + (PASSING - 1) * likely)), f"{doubt} Else {how}."
    if likely >= enough:
        share = (likely - enough) / (1 - enough)
        return round(PASSING + (PROVED - PASSING) * share), f"The quotes answer: {how}."
    points = 1 + (PASSING - 1) * likely / enough
    return min(PASSING - 1, round(points)), f"The quotes may not answer: {how}."


def _find_doubt(request: ScoreRequest) -> str:
    """Return why no estimate accepts the draft; empty where one may."""
    question = request.asked
    first = next(s for s in request.evidence if s.clause_id == request.citations[0].clause_id)
    if question.by_meaning and not first.nearness:
        return "Its meaning was not compared: it was found by words alone."
    if question.values:
        return "No limit of the same measure decides on the value."
    if request.plan.strategy == "REFINE_QUERY":
        return "Its search had other words than the question."
    if question.is_follow_up:
        return "It is a follow-up, which was put in the words of the question before."
    if question.compares_editions and not _quotes_all_editions(request):
        return "It compares editions that are not all quoted."
    if 2 * len(question.unknown) >= len(question.words):
        return "No clause has half of its words."
    if find_least_met(question, first, request.citations[0].quote) < _LEAST_MET:
        return "It has a word that no word of the quote is near to."
    if not any(has_asked_amount(question, citation.quote) for citation in request.citations):
        return f"It asks for an amount ({', '.join(sorted(question.kinds))}) that is not quoted."
    return ""


def _quotes_all_editions(request: ScoreRequest) -> bool:
    """True where each season or issue that the question names has a quote."""
    return all(
        any(
            choice.season in (None, citation.season) and choice.issue in (None, citation.issue)
            for citation in request.citations
        )
        for choice in request.asked.choices
    )


def plan_refinement(request: ScoreRequest) -> tuple[Strategy, str, str, str]:
    """Return strategy, tool, query and reason of the next try: other words, then another tool."""
    tool, words = request.plan.tool, request.asked.words
    if request.asked.values:
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
