"""What speaks for a rule: a word of duty, a sanction, or the number of an article.

A text with one is put away only where something proves that it is no rule.
"""

import re
from functools import lru_cache

from core.grammar import SURE_UNIT, cue_pattern, find_sanctions

_NUMBER = re.compile(
    r"(?:[A-Z]{1,3}[ .]?)?\d{1,3}(?:(?:\.\d{1,3})+[.:)]?\s+(?=.*[^\W\d_]{3})|[.:)]?\s+(?=[^\W\d_a-z]\w\w))"
    rf"(?!(?:{SURE_UNIT})(?![\w’']))"
)
"""A deep number before words, or a plain one before a title."""


@lru_cache(maxsize=10_000)
def is_rule_like(text: str) -> bool:
    """True for a text with a word of duty or a sanction, or that begins with the number of an article."""
    has_duty = cue_pattern("modal", "forbidding").search(text) is not None
    return has_duty or bool(find_sanctions(text)) or _NUMBER.match(text) is not None
