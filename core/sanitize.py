"""Characters that a screen obeys instead of showing, or does not show. It escapes no markup."""

import re
import unicodedata
from collections.abc import Callable
from typing import Any

SIGN = "\N{WHITE VERTICAL RECTANGLE}"
"""What stands where characters cannot be seen."""
_OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]+")
"""Control characters (Cc) but for tab and new line, halves of pairs (Cs), and what sets a direction
of writing (the bidirectional classes LRE to PDI)."""
_INVISIBLE = re.compile(
    "[\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]+"
)
"""Default_Ignorable_Code_Point of Unicode's DerivedCoreProperties.txt, but for soft hyphens, which
show where a line is broken, and marks of direction."""
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_VIRAMA = 9  # the combining class of the signs after which Indic scripts need joiners
_PICTURES = ("So", "Sm", "Sk", "Lo")  # symbols and ideographs, which come in several forms
_TAGS = range(0xE0020, 0xE007F)  # copies of ASCII


def strip_control_characters(text: str) -> str:
    """Remove control characters, except new line and tab, and changes of writing direction.

    What cannot be seen is shown as a sign, once for each run of it.
    """
    if text.isascii() and text.isprintable():
        return text
    return replace_invisible(_OBEYED.sub("", text), SIGN)


def replace_invisible(text: str, sign: str = "") -> str:
    """Replace each run of invisible characters; those that a script needs stay."""

    def replace_run(run: re.Match[str]) -> str:
        needed, hidden = _split_run(text, run)
        return needed + (sign if hidden else "")

    return _INVISIBLE.sub(replace_run, text)


def find_invisible(text: str) -> str:
    """Return the invisible characters of a text that no script needs."""
    return "".join(_split_run(text, run)[1] for run in _INVISIBLE.finditer(text))


def reveal(characters: str) -> str:
    """Return invisible characters as what they hide: tags are letters, others a sign."""
    return "".join(chr(ord(c) - 0xE0000) if ord(c) in _TAGS else SIGN for c in characters)


def replace_surrogates(text: str) -> str:
    """Join surrogate pairs and replace lone surrogates, so that UTF-8 can hold the text."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def map_texts(value: Any, change: Callable[[str], str]) -> Any:
    """Return a nested value with each of its texts changed; tuples become lists."""
    match value:
        case str():
            return change(value)
        case dict():
            return {map_texts(key, change): map_texts(each, change) for key, each in value.items()}
        case list() | tuple():
            return [map_texts(each, change) for each in value]
    return value


def _split_run(text: str, run: re.Match[str]) -> tuple[str, str]:
    """The first character of a run if what precedes it needs it, and all that is hidden."""
    before, found = text[run.start() - 1 : run.start()] or " ", run[0]
    is_picture = unicodedata.category(before) in _PICTURES
    joins = unicodedata.bidirectional(before) in ("AL", "R") or is_picture
    joins |= unicodedata.combining(before) == _VIRAMA
    if (found[0] in _JOINERS and joins) or (_SELECTORS.match(found) and is_picture):
        # An emoji may need a selector and a joiner.
        length = 2 if found[1:2] and found[1] in _JOINERS and is_picture else 1
        return found[:length], found[length:]
    return "", found
