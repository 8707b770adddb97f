"""Rewrites a follow-up as a question that stands alone, by the form of its words.

Earlier answers are not read.
"""

import re
from collections.abc import Mapping, Sequence, Set

from core.agent.question import Question
from core.agent.types import Turn
from core.grammar import (
    AMOUNTS,
    find_article_numbers,
    is_cue,
    list_cues,
    list_words,
    remove_quantities,
    stem_content_words,
    stem_words,
)
from core.library import content_words
from core.sheets import values_in_question

_OPENS = re.compile(r"^(?:\W*\b(?:and|or|but|also|then|what about|how about|the same)\b)+", re.I)
_YEARS = re.compile(r"(?i)\s*\b(in|for|of|under)?\s*(the\s+)?(season\s+)?\b(19|20)\d\d\b( season)?")
_ISSUES = re.compile(r"\s*\b(in|of|under)?\s*(the\s+)?issue \d+", re.I)
_TIME = re.compile(
    r"(?i)\b(?:years?|seasons?|issues?|before|after|previous|next|last|first|now|today|then)\b"
)
_VAGUE = stem_words(" ".join(list_words("said_of_things")))
_VAGUE_CUES = ("minimum", "maximum", "sanction", "definitions")
"""What rules say of things: each needs a thing that it is of."""
_OF = r"of|in|for|on|at|per|during|after|before"
_MEASURE = re.compile(rf"\b(?:points|{'|'.join(AMOUNTS.nouns)})\b", re.I)
"""The same, but it may be a thing of its own beside another word: "speed limit"."""
_ASKS_ITSELF = re.compile(
    rf"(?i)^\W*(?:{list_cues('question', 'verb', 'verb_of_advice').any})\b|"
    rf"{_MEASURE.pattern}(?=\W*$|\s+(?:{_OF})\b)"
)
_ASKS = re.compile(
    rf"(?i)^\W*(?:{list_cues('question').any})\b(?:\s+(?:{list_cues('verb').any})\b)?"
)
_COUNTS_NOTHING = re.compile(
    rf"(?i)^\W*how (?:many|much)(?:\W*$|\s+(?:{_OF}|with|{list_cues('case').any})\b)"
)
"""What is counted was named by the question before: "How many for the presentation?"."""
_CIRCUMSTANCES = re.compile(
    r"(?i)\b(?:in|on|at|during|after|before|under|with|without|within)\b.*$"
)
_PERSONAL, _DEMONSTRATIVE = "it|its|they|them|their|he|him|his|she|her", "this|that|these|those"
_POINTS_BACK = re.compile(
    rf"(?i)\b(?:{_PERSONAL}|{_DEMONSTRATIVE}|there|then|one|ones|so|such|same|else|instead|either|"
    r"otherwise)\b"
)
_PRONOUN = re.compile(
    rf"(?i)\b(?:{_PERSONAL}|(?:{_DEMONSTRATIVE})(?!\s+(?:years?|seasons?|issues?)\b))\b"
)
_EXPLETIVE = re.compile(r"(?i)\bit\s+(?:be\s+)?[a-z]+\s+(?:to|that|if)\b")
"""It is for nothing in "Is it allowed to carry a passenger?"."""
_ASKS_OF_NOTHING = re.compile(
    rf"(?i)^\W*(?!what\b|which\b)(?:{list_cues('question').any})\b"
    r"(?!\W+(?:is|are|was|were)\b)(?!.*\b(?:an?|the|any|all)\b)"
)
"""Asked with a verb alone: "Who decides?"."""


def make_standalone(question: str, history: Sequence[Turn]) -> str:
    """Return a follow-up ("and in 2024?") as the last question with what is new in it.

    One that asks for something else ("and what is the minimum weight?") only keeps the season and
    issue.
    """
    standalone = ""
    for follow_up in (*(turn.question for turn in history), question):
        standalone = _join_questions(standalone, follow_up)
    return standalone


def is_elliptical(question: str) -> bool:
    """True of a follow-up ("And in 2024?", "And before?") that names nothing it asks about."""
    news = _OPENS.sub("", question)
    is_follow_up = news != question
    return is_follow_up and not (content_words(_TIME.sub("", news)) or find_article_numbers(news))


def find_news(question: Question) -> Mapping[str, str]:
    """Return the words that a follow-up adds to the question before, by stem."""
    _, joined, news = question.text.rpartition(": ")
    is_joined = question.is_follow_up and joined
    return content_words(news) if is_joined else {}


def _join_questions(before: str, question: str) -> str:
    value = _OPENS.sub("", question).strip(" ?.,")
    value = value[len("what if") :].lstrip() if value.casefold().startswith("what if ") else value
    if value != question.strip(" ?.,") and _brings_value(before, value):
        return f"{_ASKS.sub('', remove_quantities(before)).strip(' ?.,:')}: {value}?"
    goes_on = _OPENS.search(question) or _COUNTS_NOTHING.search(question)
    if not before or not (goes_on or _names_nothing(question)):
        return question
    news = _OPENS.sub("", question).strip(" ?.,")
    names_year, names_issue = _YEARS.search(news), _ISSUES.search(news)
    if _stands_alone(before, news):
        if not (names_year or names_issue):  # those of the question before hold
            times = [*_YEARS.finditer(before), *_ISSUES.finditer(before)]
            news += "".join(f" {match[0].strip()}" for match in times)
        return f"{news[:1].upper()}{news[1:]}?"
    kept = _YEARS.sub("", before) if names_year else before
    kept = _ISSUES.sub("", kept) if names_issue else kept
    has_more = re.search(r"\w", _ISSUES.sub("", _YEARS.sub("", news)))
    return f"{kept.rstrip(' ?.')}{':' if has_more else ''} {news}?"


def _names_nothing(question: str) -> bool:
    """True where a question is of something that it does not name: "Who decides?", "May it be so?".

    A pronoun is for what was named before it; a word of its own, beside that of asking, is a verb.
    """
    pronoun = _PRONOUN.search(_EXPLETIVE.sub("", question))
    if pronoun and not content_words(question[: pronoun.start()]):
        return True
    things = _find_things(question)
    if find_article_numbers(question) or len(things) > 1:
        return False
    is_vague = not things and bool(content_words(question))
    return pronoun is not None or is_vague or _ASKS_OF_NOTHING.search(question) is not None


def _brings_value(before: str, news: str) -> bool:
    """True of a value that a follow-up has for what the question before was on: "And 1500 mm?"."""
    own = content_words(remove_quantities(news))
    if own.keys() - content_words(before).keys():  # of another thing
        return False
    kinds = {value.kind for value in values_in_question(before)} or Question(before).asked_kinds
    return any(value.kind in kinds for value in values_in_question(news))


def _stands_alone(before: str, news: str) -> bool:
    """True where a follow-up, without its "and", asks for a thing and refers to nothing before."""
    is_vague = _VAGUE & stem_words(news) or _find_things(news) < content_words(news).keys()
    if not (is_vague or _ASKS_ITSELF.search(news)) or _POINTS_BACK.search(news):
        return False
    if _COUNTS_NOTHING.search(news) or _names_nothing(news):
        return False
    own = _find_things(_CIRCUMSTANCES.sub("", news)) - content_words(before).keys()
    measures = " ".join(_MEASURE.findall(news))
    circumstances = _CIRCUMSTANCES.search(news)
    return bool(own - content_words(measures).keys()) or bool(
        own and circumstances and content_words(circumstances[0])
    )


def _find_things(text: str) -> Set[str]:
    """Return the stems of a text's words, without those that are said of a thing."""
    words = stem_content_words(text).items()
    return {stem for stem, word in words if not is_cue(word, *_VAGUE_CUES)} - _VAGUE
