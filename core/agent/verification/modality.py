"""Whether a draft keeps the strength of the rules it cites: must, may, only, unless, no less than.

What a draft says in its own words is compared; a quote has the rule's own strength.
"""

import re
from collections.abc import Sequence

from core.agent.evidence import (
    CITATION_MARKER,
    QUOTED_PASSAGE,
    Evidence,
    alphanumeric_only,
    shorten_text,
    split_sentences,
)
from core.agent.text.limits import QuantityLimit, find_limits
from core.agent.text.stems import content_words, coverage
from core.agent.text.vocabulary import any_word
from core.agent.types import DraftCheck, Source
from core.rulebook import article_label

MIN_SENTENCE_OVERLAP = 0.6
"""Share of its words that a draft's sentence must share with a rule's sentence to restate it."""

_MUST_NOT = re.compile(
    r"(?i)\b(?:must|shall|may|can) (?:not|never|only)\b|\bcannot\b|"
    rf"\b(?:is|are) not (?:{any_word('permitted')})\b|\b(?:{any_word('forbidden')})\b|"
    r"\bno \w+(?: \w+){0,3} (?:may|shall|is permitted|are permitted)\b"
)
_DUTIES = {
    "must": re.compile(
        rf"(?i)\b(?:{any_word('must', 'obligatory')}|at least|no (?:less|more) than)\b"
    ),
    "may": re.compile(rf"\b(?:{any_word('may', 'permitted', 'optional')})\b", re.I),
}
_EXCEPTION = re.compile(
    rf"(?i)\b(?:{any_word('exception', 'saving')}|excepting|save (?:in|with))\b"
)
_KEEPS_EXCEPTION = re.compile(
    rf"(?i)\b(?:{any_word('exception', 'proviso')}|except\w*|save|only|provided|otherwise|but|"
    r"apart from|without)\b"
)
_LOWER, _UPPER = ("at least", "more than"), ("at most", "less than")


def check_duties(draft: str, evidence: Evidence) -> list[DraftCheck]:
    """Return a failed check for each sentence that cites a clause and changes its strength.

    Found are a duty or limit that is reversed or weakened, and an exception that is left out.
    """
    quoted = " ".join(
        alphanumeric_only(match[1] or match[2]) for match in QUOTED_PASSAGE.finditer(draft)
    )
    checks: list[DraftCheck] = []
    for sentence in split_sentences(QUOTED_PASSAGE.sub(" ", draft)):
        markers = map(int, CITATION_MARKER.findall(sentence))
        cited = [source for marker in markers if (source := evidence.find_by_marker(marker))]
        if wrong := _find_change(sentence, cited, quoted) if cited else "":
            articles = ", ".join(dict.fromkeys(article_label(source.article) for source in cited))
            subject = shorten_text(sentence)
            checks.append(DraftCheck("duty", False, subject, f"“{subject}” {wrong}, {articles}."))
    return checks


def _find_change(sentence: str, cited: Sequence[Source], quoted: str) -> str:
    """Return how a sentence changes the strength of its clauses; empty where it keeps it."""
    rules = [rule for source in cited for rule in split_sentences(source.text)]
    words = content_words(CITATION_MARKER.sub(" ", sentence))
    restated = max(rules, key=lambda rule: coverage(words, rule), default="")
    if len(words) < 2 or coverage(words, restated) < MIN_SENTENCE_OVERLAP:
        restated = ""
    by_amount = {limit.amount.key: limit for rule in rules for limit in find_limits(rule)}
    limits = [limit for limit in find_limits(sentence) if limit.amount.key in by_amount]
    for limit in limits:
        rule = by_amount[limit.amount.key]
        if _reverses_limit(limit, rule):
            return f"says “{limit}” where it is “{rule}”"
    keeps_limit = any(limit.relation != "unclear" for limit in limits)  # and so the duty
    added = "" if keeps_limit else _find_added_duty(sentence, cited, restated)
    return added or _find_lost_exception(sentence, restated, quoted)


def _find_added_duty(sentence: str, cited: Sequence[Source], restated: str) -> str:
    texts = (" ".join((*source.lead_in, source.text)) for source in cited)
    said, known = _find_duties(sentence), _find_duties(restated)
    known = known or set().union(*map(_find_duties, texts))
    if not known or said <= known:
        return ""
    return f"says “{', '.join(sorted(said - known))}”, which it does not"


def _find_lost_exception(sentence: str, restated: str, quoted: str) -> str:
    exception = _EXCEPTION.search(restated)
    if exception is None or _KEEPS_EXCEPTION.search(sentence):
        return ""
    lost = restated[exception.start() :]
    is_quoted = alphanumeric_only(lost)[:40] in quoted
    return "" if is_quoted else f"leaves out “{shorten_text(lost)}”"


def _reverses_limit(said: QuantityLimit, rule: QuantityLimit) -> bool:
    """True where a limit goes the other way than the rule's, or no longer says its direction."""
    if said.relation in _LOWER:
        return rule.relation in _UPPER
    if said.relation in _UPPER:
        return rule.relation in _LOWER
    return said.relation == "unclear" and rule.relation in (*_LOWER, *_UPPER)


def _find_duties(text: str) -> set[str]:
    """Return what a text obliges to, permits and forbids: "must", "may", "must not"."""
    rest = _MUST_NOT.sub(" ", text)
    duties = {duty for duty, pattern in _DUTIES.items() if pattern.search(rest)}
    return duties | {"must not"} if _MUST_NOT.search(text) else duties
