"""What speaks for a rule: a word of duty, a sanction, or the number of an article.

A text with one is put away only where something proves that it is no rule.
"""

import re
from functools import lru_cache

from core.grammar import UNITS, find_sanctions, list_cues

_NUMBER = re.compile(
    r"(?:[A-Z]{1,3}[ .]?)?\d{1,3}"
    r"(?:(?:\.\d{1,3})+[.:)]?\s+(?=.*[^\W\d_]{3})|[.:)]?\s+(?=[^\W\d_a-z]\w\w))"
    rf"(?!(?:{UNITS.sure})(?![\w’']))"
)
"""A deep number before words, or a plain one before a title."""
_MONTH = "May"


@lru_cache(maxsize=10_000)
def binds(text: str) -> bool:
    """True for a text with a word of duty or a sanction."""
    duties = list_cues("modal", "forbidding").pattern.finditer(text)
    return any(duty[0] != _MONTH for duty in duties) or bool(find_sanctions(text))


def is_rule_like(text: str) -> bool:
    """True for a text that binds, or begins with the number of an article."""
    return _NUMBER.match(text) is not None or binds(text)
