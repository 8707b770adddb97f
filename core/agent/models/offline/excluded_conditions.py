"""The condition that a question excludes ("without a sprint session"), and which side texts are on.

Rules often state both cases side by side, in the same words but for the negation.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Literal, TypeVar

from core.grammar import find_cues, is_cue, list_cues, stem_words
from core.library import content_words

_EXCLUDES = re.compile(
    rf"(?i)\b(?:{list_cues('without').any}|"
    rf"(?:with|{list_cues('case').any})\b[^,.;:?]*?"
    rf"\b(?:{list_cues('absent').any}|[a-z]+n['’]t an?y?))\b"
    r"(?P<what>[^,.;:?]*)"
)
"""Only of things: "does not" turns a verb, and texts of the other case have it as well."""
_WITHOUT = frozenset(list_cues("without"))
_WORDS_BETWEEN = 3
"""Words between a thing and its negation: "a sprint session is not", "without any such session"."""

Side = Literal["excludes", "includes", ""]
_Item = TypeVar("_Item")


@lru_cache(maxsize=256)
def find_excluded_stem(question: str) -> str:
    """Return the stem of what a condition of a question excludes; empty where none does."""
    found = _EXCLUDES.search(question)
    return next(iter(content_words(found["what"])), "") if found else ""


def find_side(question: str, text: str) -> Side:
    """Return whether a text is for the excluded condition, for its opposite, or names neither."""
    stem = find_excluded_stem(question)
    sides = {_side_of_words(stem, part) for part in re.split(r"[.;:,\n]", text)} if stem else set()
    return "excludes" if "excludes" in sides else "includes" if "includes" in sides else ""


def _side_of_words(stem: str, text: str) -> Side:
    words = re.findall(r"[\w'’-]+", text)
    named = [place for place, word in enumerate(words) if stem in stem_words(word)]
    negated = [n for n, word in enumerate(words) if is_cue(word, "negation", "weak_negation")]
    if not named:
        return ""
    is_near = any(abs(place - n) <= _WORDS_BETWEEN for place in named for n in negated)
    # "no licence may be transferred" is no case
    is_near &= bool(_WITHOUT & set(words) or find_cues(text, "condition", "circumstance"))
    return "excludes" if is_near else "includes"


def opposes_condition(
    question: str, items: Iterable[_Item], read: Callable[[_Item], str]
) -> list[bool]:
    """Return which texts are for the opposite of the excluded condition, where another is for it.

    Alone, a rule for the opposite may be what forbids the case: then none opposes.
    """
    sides = [find_side(question, read(item)) for item in items]
    return [side == "includes" and "excludes" in sides for side in sides]
