"""The words of rules as the index holds them and of questions as it is asked for them. Knows no table.

Both sides are spelled by the same function, so that what a rule and a question write differently meets.
"""

import re
import unicodedata
from collections.abc import Iterable

UNITS = (
    r"mm|cm|km|m|kg|mg|g|t|kW|MW|MJ|kJ|J|rpm|bar|mbar|kPa|ms|s|sec|secs|seconds?|min|minutes?|h|hrs?|hours?|V|A|Ah|Wh|kWh|"
    r"Nm|N|kN|l|ml|litres?|cc|Hz|kHz|MHz|USD|EUR|GBP|euros?|dollars?|pounds?|points?|laps?|metres?|meters?|kilograms?|"
    r"per ?cent|degrees?"
)
"""Units of amounts, as a regular expression."""

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""NUL and lone surrogates: broken PDFs hold them, UTF-8 and databases refuse or cut them."""
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,]|\.\d)")
_DOTTED = re.compile(r"(?<=\d)\.(?=\d)|(?<=\b[A-Za-z])\.(?=\d)|(?<=\b[A-Za-z]{2})\.(?=\d)")
_KPH = re.compile(r"(?<=\d)\s?(?:kph|kmh|km/hr|kmph)\b", re.IGNORECASE)
_GLUED = re.compile(rf"(?<!\w)(\d+(?:dot\d+)*)(?=(?:{UNITS})[23]?\b)")


_BRACKETED = re.compile(r"\(\s*(?:or\s+)?[“\"'‘]?([A-Z][A-Z0-9]{1,6})s?[”\"'’]?\s*\)")
_WORD = re.compile(r"[^\W_]+")


def strip_unstorable(text: str) -> str:
    """Text that UTF-8 and databases take."""
    return _UNSTORABLE.sub("\ufffd", text)


def find_abbreviations(texts: Iterable[str]) -> dict[str, str]:
    """Of each abbreviation that texts explain, the form they use less and the form they use more, in lower case.

    "Virtual Safety Car (VSC)" in texts that else say "VSC" gives "virtual safety car": "vsc". The words before the
    bracket explain it where their first letters spell it (after Schwartz and Hearst, 2003, much simplified).
    """
    text = " ".join(texts)
    explained: dict[str, str] = {}
    for match in _BRACKETED.finditer(text):
        before = _WORD.findall(text[max(0, match.start() - 120) : match.start()])[-len(match[1]) :]
        if "".join(word[0] for word in before).upper() == match[1]:
            explained.setdefault(match[1], " ".join(before).lower())
    plain = " ".join(_WORD.findall(text.lower()))
    return dict(_by_use(short, words, text, plain) for short, words in explained.items())


def _by_use(short: str, words: str, text: str, plain: str) -> tuple[str, str]:
    often = len(re.findall(rf"\b{short}s?\b", text)) > plain.count(words)
    return (words, short.lower()) if often else (short.lower(), words)


def normalize_numbers(text: str) -> str:
    """Text with one spelling for amounts and numbers: "80km/h" as "80 km/h", "1,525" as "1525", "3.10.1" a word."""
    text = unicodedata.normalize("NFKC", text)
    text = _THOUSANDS.sub(lambda match: match[0].replace(",", ""), text)
    text = _KPH.sub(" km/h", text)
    return _GLUED.sub(r"\1 ", _DOTTED.sub("dot", text))
