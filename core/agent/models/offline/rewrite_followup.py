"""A follow-up question as one that stands alone, by the form of its words. It does not look at earlier answers."""

import re
from collections.abc import Sequence

from core.agent.text.quantities import AMOUNT_NOUNS
from core.agent.text.stems import content_words
from core.agent.types import Turn
from core.rulebook import find_article_numbers

_OPENS = re.compile(r"^\W*(and|or|but|also|then|what about|how about|the same)\b", re.I)
_YEARS = re.compile(
    r"\s*\b(in|for|of|under)?\s*(the\s+)?(season\s+)?\b(19|20)\d\d\b( season)?", re.I
)
_ISSUES = re.compile(r"\s*\b(in|of|under)?\s*(the\s+)?issue \d+", re.I)
_TIME = re.compile(
    r"\b(?:years?|seasons?|issues?|before|after|previous|next|last|first|now|today|then)\b", re.I
)
_VAGUE = (
    r"min(?:imum)?|max(?:imum)?|limits?|penalt(?:y|ies)|fines?|deadlines?|number|rules?|definition|procedure|values?|"
    r"requirements?|exceptions?"
)
"""What rules say of things, each of which needs a thing that it is of."""
_MEASURE = "|".join(("points", *(noun for noun in AMOUNT_NOUNS if noun != "wheelbase")))
"""The same of what may be a thing of its own, "speed limit", where something else stands beside it; only cars have a
wheelbase."""
_VAGUE_WORDS, _MEASURE_WORDS = (
    re.compile(rf"\b(?:{words})\b", re.I) for words in (_VAGUE, _MEASURE)
)
_ASKS_ITSELF = re.compile(
    rf"^\W*(?:who|whom|whose|what|which|when|where|why|how|is|are|may|must|can|could|does|do|should)\b|"
    rf"\b(?:{_VAGUE})\b|\b(?:{_MEASURE})\b(?=\W*$|\s+(?:of|in|for|on|at|per|during|after|before)\b)",
    re.I,
)
_AROUND = re.compile(r"\b(?:in|on|at|during|after|before|under|with|without|within)\b.*$", re.I)
"""The circumstances of what is asked: they may be all that is new."""
_POINTS_BACK = re.compile(
    r"\b(?:it|its|that|this|these|those|they|them|their|there|then|he|him|his|she|her|one|ones|so|such|same|else|instead|"
    r"either|otherwise)\b",
    re.I,
)


def make_standalone(question: str, history: Sequence[Turn]) -> str:
    """A follow-up ("and in 2024?") as a question that stands alone: the last one, with what is new in it.

    One that asks for something else by itself ("and what is the minimum weight?") only keeps the season and issue.
    """
    asked = ""
    for past in history:
        asked = _joined(asked, past.question)
    return _joined(asked, question)


def is_elliptical(question: str) -> bool:
    """True of a follow-up ("And in 2024?", "And the year before?") that says by itself of no thing what is asked."""
    news = _OPENS.sub("", question)
    return (
        news != question
        and not content_words(_TIME.sub("", news))
        and not find_article_numbers(news)
    )


def _joined(asked: str, question: str) -> str:
    if not asked or not _OPENS.search(question):
        return question
    news = _OPENS.sub("", question).strip(" ?.,")
    if _stands_alone(asked, news):
        return f"{news[:1].upper()}{news[1:]}{_time_of(asked, news)}?"
    kept = _YEARS.sub("", asked) if _YEARS.search(f" {news}") else asked
    kept = _ISSUES.sub("", kept) if _ISSUES.search(f" {news}") else kept
    return f"{kept.rstrip(' ?.')}{':' if content_words(news) else ''} {news}?"


def _stands_alone(asked: str, news: str) -> bool:
    """True where a follow-up, without its "and", asks for something, says of what, and points back to nothing."""
    if not _ASKS_ITSELF.search(news) or _POINTS_BACK.search(news):
        return False
    own = (
        content_words(_VAGUE_WORDS.sub(" ", _AROUND.sub("", news))).keys()
        - content_words(asked).keys()
    )
    things = own - content_words(" ".join(_MEASURE_WORDS.findall(news))).keys()
    around = _AROUND.search(news)
    return bool(things or (own and around and content_words(around[0])))


def _time_of(asked: str, news: str) -> str:
    """The seasons and issues that the question before named, where the new one names none: they are still meant."""
    if _YEARS.search(news) or _ISSUES.search(news):
        return ""
    return "".join(
        f" {match[0].strip()}" for pattern in (_YEARS, _ISSUES) for match in pattern.finditer(asked)
    )
