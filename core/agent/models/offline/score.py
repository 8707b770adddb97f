"""Scores a draft by what proves it, else by an estimate, and proposes what to try and ask next."""

from collections.abc import Callable, Iterable

from core.agent.models.base import ScoreRequest
from core.agent.models.offline.confidence import (
    Confidence,
    has_asked_amount,
    has_asked_count,
    knows_language,
)
from core.agent.models.offline.excluded_conditions import opposes_condition
from core.agent.types import Score, Strategy
from core.grammar import MODAL_CUES, canonical_number, find_cues, split_part, stem_words
from core.library import MIN_COVERAGE, coverage
from core.registers import threatens_sanction
from core.sheets import overall_verdict
from core.verification import Source

PROVED, NOTHING = 9, 1
"""Scores of what is proved, and of a draft without a quote."""
PASSING = 7
"""The score at `Confidence.accepted_from`, which is the threshold that people start with."""
_MOST_UNMET = 0.23
"""Share of what a question says, by the rarity of its words in English, that a quote may leave.
tests/benchmarks/learn_confidence.py counts the answers that are accepted, and the wrong ones."""
_SAYS_OF_LEAVE = (
    *MODAL_CUES,
    *("should", "forbidding", "prohibiting", "granted", "free", "lifted", "ordering", "only"),
    *("denial", "denying", "negation"),
)
"""Cues of which a rule has one that allows, demands or forbids."""
_SECOND_CHOICE = {"regulation_search": "general_rag", "penalty_lookup": "regulation_search"}


def score_draft(request: ScoreRequest, confidence: Confidence) -> Score:
    """Return the four criteria; the reasons name the proof, or how the estimate was made."""
    length = len(request.draft.split())
    if not request.citations:
        points, reason = NOTHING, "Nothing is quoted."
    elif request.failures:
        points, reason = 3, f"A check failed: {request.failures[0]}"
    elif proof := _find_reason(_PROOFS, request):
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


def _estimate_points(request: ScoreRequest, confidence: Confidence) -> tuple[int, str]:
    if not request.measures:
        return PASSING - 1, "No search by words or meaning found what is quoted."
    likely = confidence.estimate_right(request.asked, request.measures)
    enough = confidence.accepted_from
    compared = "words and meaning" if request.asked.by_meaning else "words alone"
    how = f"estimated {likely:.0%} likely, from {compared} ({enough:.0%} passes)"
    if doubt := _find_reason(_DOUBTS, request):
        return min(PASSING - 1, round(1 + (PASSING - 1) * likely)), f"{doubt} Else {how}."
    if likely >= enough:
        share = (likely - enough) / (1 - enough)
        return round(PASSING + (PROVED - PASSING) * share), f"The quotes answer: {how}."
    points = 1 + (PASSING - 1) * likely / enough
    return min(PASSING - 1, round(points)), f"The quotes may not answer: {how}."


# What proves that a draft answers the question


def _quotes_named_articles(request: ScoreRequest) -> bool:
    """True where all named articles are quoted, with the other words of the question.

    Several documents have an article of a number, and a question may be on another of them.
    """
    asked = request.asked
    named = {canonical_number(split_part(number)[0]) for number in asked.articles}
    quoted = {canonical_number(citation.article) for citation in request.citations}
    words = " ".join(f"{one.title} {one.quote}" for one in request.citations)
    names = stem_words(" ".join(one.document for one in request.citations))
    others = {stem: word for stem, word in asked.words.items() if stem not in names}
    return (
        bool(named)
        and not asked.values
        and all(any(f"{a}.".startswith(f"{n}.") for a in quoted) for n in named)
        and (len(others) < 2 or coverage(others, words, asked.weights) >= MIN_COVERAGE)
    )


def _first_of_words_alone(request: ScoreRequest) -> list[Source]:
    """Return the first clause cited for a question that its words alone ask; else nothing."""
    asks_more = request.asked.values or request.asked.articles or request.intent == "COMPARISON"
    asks_more = asks_more or not knows_language(request.asked, request.evidence)
    return [request.first_cited] if request.first_cited and not asks_more else []


def _has_asked_title(request: ScoreRequest) -> bool:
    in_scope = {stem for stem, weight in request.asked.weights.items() if weight}
    titles = [stem_words(source.title) for source in _first_of_words_alone(request)]
    return len(in_scope) > 1 and in_scope in titles and not request.asked.kinds


_Test = Callable[[ScoreRequest], object]
_PROOFS: tuple[tuple[_Test, str], ...] = (
    (
        lambda r: r.asked.values and overall_verdict(r.requirements) != "cannot tell",
        "the value is checked against a limit of the same measure.",
    ),
    (_quotes_named_articles, "the articles named are quoted."),
    (
        lambda r: (
            {one.clause.clause_id for one in r.asked.definitions}
            & {source.clause_id for source in _first_of_words_alone(r)}
        ),
        "the quoted entry defines {term}.",
    ),
    (_has_asked_title, "the title of the quoted rule is what was asked."),
)
"""Each with the sentence on it; the first that holds is told."""


def _find_reason(tests: Iterable[tuple[_Test, str]], request: ScoreRequest) -> str:
    """Return the sentence of the first test that a draft meets; empty where it meets none."""
    found = next((sentence for holds, sentence in tests if holds(request)), "")
    term = request.asked.asked_term
    return found.format(term=f"“{term.term}”" if term else "")


# Why no estimate accepts a draft


_DOUBTS: tuple[tuple[_Test, str], ...] = (
    (
        lambda r: not knows_language(r.asked, r.evidence),
        "How often answers in this language are right was not measured.",
    ),
    (
        lambda r: r.asked.by_meaning and not (r.first_cited and r.first_cited.nearness),
        "Its meaning was not compared: it was found by words alone.",
    ),
    (lambda r: r.asked.values, "No limit of the same measure decides on the value."),
    (
        lambda r: r.asked.is_follow_up,
        "It is a follow-up, which was put in the words of the question before.",
    ),
    (
        lambda r: (
            r.asked.compares_editions
            and not all(
                any(choice.admits(c.season, c.issue) for c in r.citations)
                for choice in r.asked.choices
            )
        ),
        "It compares editions that are not all quoted.",
    ),
    (
        lambda r: r.measures["unmet"] > _MOST_UNMET,
        "Too much of the question is met by no word of the quote.",
    ),
    (
        lambda r: r.intent == "PENALTY" and not threatens_sanction(r.citations[0].quote),
        "It asks for a penalty, and the first quote sets none.",
    ),
    (
        lambda r: (  # "May he reverse?", to which a rule says that one may, must, or must not
            r.asked.asks_whether
            and find_cues(r.asked.text, *MODAL_CUES)
            and not find_cues(r.citations[0].quote, *_SAYS_OF_LEAVE)
        ),
        "It asks what may or must be done, and the first quote neither allows nor demands.",
    ),
    (
        lambda r: opposes_condition(
            r.asked.text, [r.citations[0].quote, *(source.text for source in r.evidence)], str
        )[0],
        "It quotes the case that the question excludes.",
    ),
    (
        lambda r: not any(has_asked_count(r.asked, citation.quote) for citation in r.citations),
        "It asks how many, and no number that is quoted counts them.",
    ),
    (
        lambda r: not has_asked_amount(r.asked, r.citations[0].quote),
        "It asks for an amount that the first quote does not have.",
    ),
    (
        lambda r: r.measures["strange_unmet"],
        "It names a thing that no rule searched has, and no quoted word is near it.",
    ),
)


def plan_refinement(request: ScoreRequest) -> tuple[Strategy, str, str, str]:
    """Return strategy, tool, query and reason of the next try: other words, then another tool.

    Where neither can find other clauses, the run ends: the same words search the same, and so do
    the tools for one document and for several, in one.
    """
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
    if (tool, query) not in request.tried and stem_words(query) - stem_words(request.plan.query):
        reason = "The question is put in the words of the headings that were found."
        return "REFINE_QUERY", tool, query, reason
    second = _SECOND_CHOICE.get(tool, "regulation_search")
    is_same = second == "general_rag" and len(request.plan.documents) == 1
    if is_same or (second, request.question) in request.tried:
        return "CONCLUDE", tool, "", "Another search would find the same clauses."
    reason = f"{tool} found too little; {second} searches more widely."
    return "SWITCH_TOOL", second, request.question, reason
