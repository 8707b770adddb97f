"""Whether a draft keeps the strength of the rules it cites: must, may, only, unless, no less than. No model here.

What is compared is what the draft says in its own words; a quote is the rule's own strength.
"""

import re
from collections.abc import Iterable, Sequence

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
from core.agent.types import DraftCheck, Source
from core.rulebook import article_label

MIN_SENTENCE_OVERLAP = 0.6
"""Share of a sentence's words from which a rule's sentence is the one it speaks of."""

_MUST_NOT = re.compile(
    r"\b(?:must|shall|may|can) (?:not|never|only)\b|\b(?:is|are) not (?:permitted|allowed)\b|\bcannot\b|"
    r"\b(?:prohibited|forbidden|illegal)\b|"
    r"\bno \w+(?: \w+){0,3} (?:may|shall|is permitted|are permitted)\b",
    re.IGNORECASE,
)
_MUST = re.compile(
    r"\b(?:must|shall|required to|has to|have to|obliged|mandatory|at least|no (?:less|more) than)\b",
    re.I,
)
_MAY = re.compile(r"\b(?:may|permitted|allowed|free to|optional)\b", re.IGNORECASE)
_EXCEPTION = re.compile(
    r"\b(?:unless|save (?:for|that|where|as|in|with)|except(?:ing)?|other than|with the exception)\b",
    re.I,
)
_KEPT = re.compile(
    r"\b(?:unless|save|except\w*|other than|only|if|where|provided|otherwise|however|but|apart from|without)\b",
    re.I,
)
"""Words with which a draft may keep an exception in mind, and so is not held to have dropped it."""
_LOWER, _UPPER = ("at least", "more than"), ("at most", "less than")


def check_duties(draft: str, evidence: Evidence) -> list[DraftCheck]:
    """What is wrong with the sentences of a draft that cite a clause: a duty turned round or weakened, an exception
    dropped, a bound turned round or dropped. Nothing for what is right."""
    quoted = " ".join(
        alphanumeric_only(match[1] or match[2]) for match in QUOTED_PASSAGE.finditer(draft)
    )
    checks: list[DraftCheck] = []
    for sentence in split_sentences(QUOTED_PASSAGE.sub(" ", draft)):
        cited = [
            source
            for n in CITATION_MARKER.findall(sentence)
            if (source := evidence.find_by_marker(int(n)))
        ]
        if not cited:
            continue
        rule = _spoken_of(sentence, cited)
        numbers = ", ".join(dict.fromkeys(article_label(source.article) for source in cited))
        bound = _bound(sentence, cited)
        turned = "" if bound is not None else _turned(sentence, cited, rule)
        wrong = bound or turned or _dropped(sentence, rule, quoted)
        if wrong:
            message = f"“{shorten_text(sentence)}” {wrong}, {numbers}."
            checks.append(DraftCheck("duty", False, shorten_text(sentence), message))
    return checks


def _spoken_of(sentence: str, cited: Sequence[Source]) -> str | None:
    """The sentence of the cited clauses that a draft's sentence speaks of; None where none plainly is."""
    words = content_words(CITATION_MARKER.sub(" ", sentence))
    rules = [rule for source in cited for rule in split_sentences(source.text)]
    best = max(rules, key=lambda rule: coverage(words, rule), default="")
    return best if len(words) > 1 and coverage(words, best) >= MIN_SENTENCE_OVERLAP else None


def _turned(sentence: str, cited: Iterable[Source], rule: str | None) -> str:
    """A must, may or must not that the clauses (the sentence spoken of, where it has any) do not say."""
    said = _duties(sentence)
    whole = {duty for source in cited for duty in _duties(" ".join((*source.lead_in, source.text)))}
    told = _duties(rule or "") or whole
    return (
        f"says “{', '.join(sorted(said - told))}”, which it does not"
        if said and told and not said <= told
        else ""
    )


def _dropped(sentence: str, rule: str | None, quoted: str) -> str:
    """An exception of the sentence spoken of that the draft neither tells nor quotes."""
    exception = _EXCEPTION.search(rule or "")
    if rule is None or exception is None or _KEPT.search(sentence):
        return ""
    told = alphanumeric_only(rule[exception.start() :])[:40] in quoted
    return "" if told else f"leaves out “{shorten_text(rule[exception.start() :])}”"


def _bound(sentence: str, cited: Iterable[Source]) -> str | None:
    """A limit on the same amount that goes the other way, or that has lost its way; empty where it is kept, which says
    the duty as well, and None where the sentence tells no limit of the clauses."""
    rules = {
        rule.amount.key: rule
        for source in cited
        for piece in split_sentences(source.text)
        for rule in find_limits(piece)
    }
    limits = [
        (limit, rules[limit.amount.key])
        for limit in find_limits(sentence)
        if limit.amount.key in rules
    ]
    wrong = (
        f"says “{limit}” where it is “{rule}”" for limit, rule in limits if _differ(limit, rule)
    )
    return (
        next(wrong, "")
        if any(limit.relation != "unclear" for limit, _ in limits)
        else next(wrong, None)
    )


def _differ(said: QuantityLimit, rule: QuantityLimit) -> bool:
    if said.relation in _LOWER:
        return rule.relation in _UPPER
    if said.relation in _UPPER:
        return rule.relation in _LOWER
    return said.relation == "unclear" and rule.relation in (*_LOWER, *_UPPER)


def _duties(text: str) -> set[str]:
    """What a text obliges to, permits and forbids: "must", "may", "must not"."""
    forbidden = bool(_MUST_NOT.search(text))
    rest = _MUST_NOT.sub(" ", text)
    duties = {"must"} if _MUST.search(rest) else set()
    duties |= {"may"} if _MAY.search(rest) else set()
    return duties | ({"must not"} if forbidden else set())
