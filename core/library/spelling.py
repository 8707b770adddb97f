"""One spelling for the words of rules and of questions, so that both match in the index."""

import re
import unicodedata
from collections.abc import Iterable

from core.grammar import UNITS, list_words

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""NUL and lone surrogates: broken PDFs contain them; UTF-8 and databases refuse or cut them."""
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,]|\.\d)")
_DOTTED = re.compile(r"(?<=\d)\.(?=\d)|(?<=\b[A-Za-z])\.(?=\d)|(?<=\b[A-Za-z]{2})\.(?=\d)")
_SPEEDS = (unit for unit in UNITS if UNITS[unit] == UNITS["km/h"] and " " not in unit)
_KPH = re.compile(rf"(?<=\d)\s?(?:{'|'.join(_SPEEDS)})\b", re.IGNORECASE)
_UNIT = "|".join((UNITS.sure, *list_words("word_unit")))
_GLUED = re.compile(rf"(?<!\w)(\d+(?:dot\d+)*)(?=(?:{_UNIT})[23]?\b)")
_BRACKETED = re.compile(r"\(\s*(?:or\s+)?[“\"'‘]?([A-Z][A-Z0-9]{1,6})s?[”\"'’]?\s*\)")
_WORD = re.compile(r"[^\W_]+")


def strip_unstorable(text: str) -> str:
    """Replace characters that UTF-8 or databases reject by U+FFFD."""
    return _UNSTORABLE.sub("\ufffd", text)


def squeeze_text(text: str) -> str:
    """Return a text without spaces, in small letters: what is the same however it is set."""
    return "".join(text.split()).casefold()


def find_abbreviations(texts: Iterable[str]) -> dict[str, str]:
    """Map the rarer form of each abbreviation explained in texts to the commoner, in lower case.

    "Virtual Safety Car (VSC)" in texts that otherwise say "VSC" gives "virtual safety car": "vsc".
    The words before the bracket explain it if their first letters spell it (after Schwartz and
    Hearst, 2003, much simplified).
    """
    text = " ".join(texts)
    expansions: dict[str, str] = {}
    for match in _BRACKETED.finditer(text):
        before = _WORD.findall(text[max(0, match.start() - 120) : match.start()])[-len(match[1]) :]
        if "".join(word[0] for word in before).upper() == match[1]:
            expansions.setdefault(match[1], " ".join(before).lower())
    plain = " ".join(_WORD.findall(text.lower()))
    terms = {}
    for short, words in expansions.items():
        prefers_short = len(re.findall(rf"\b{short}s?\b", text)) > plain.count(words)
        rarer, commoner = (words, short.lower()) if prefers_short else (short.lower(), words)
        terms[rarer] = commoner
    return terms


def normalize_numbers(text: str) -> str:
    """Spell quantities and numbers in one way: "80km/h" as "80 km/h", "1,525" as "1525".

    An article number becomes a single word ("3dot10dot1").
    """
    text = unicodedata.normalize("NFKC", text)
    text = _THOUSANDS.sub(lambda match: match[0].replace(",", ""), text)
    text = _KPH.sub(" km/h", text)
    return _GLUED.sub(r"\1 ", _DOTTED.sub("dot", text))
