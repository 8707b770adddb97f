"""The words of rules as the index holds them and of questions as it is asked for them. Knows no table.

Both sides are spelled by the same function, so that what a rule and a question write differently meets.
"""

import re
import unicodedata

UNITS = (
    r"mm|cm|km|m|kg|mg|g|t|kW|MW|MJ|kJ|J|rpm|bar|mbar|kPa|ms|s|sec|secs|seconds?|min|minutes?|h|hrs?|hours?|V|A|Ah|Wh|kWh|"
    r"Nm|N|kN|l|ml|litres?|cc|Hz|kHz|MHz|USD|EUR|GBP|euros?|dollars?|pounds?|points?|laps?|metres?|meters?|kilograms?|"
    r"per ?cent|degrees?"
)
"""Units of amounts, as a regular expression."""

_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,]|\.\d)")
_DOTTED = re.compile(r"(?<=\d)\.(?=\d)|(?<=\b[A-Za-z])\.(?=\d)|(?<=\b[A-Za-z]{2})\.(?=\d)")
_GLUED = re.compile(rf"(?<!\w)(\d+(?:dot\d+)*)(?=(?:{UNITS})[23]?\b)")


def spell(text: str) -> str:
    """Text with one spelling for amounts and numbers: "80km/h" as "80 km/h", "1,525" as "1525", "3.10.1" a word."""
    text = unicodedata.normalize("NFKC", text)
    text = _THOUSANDS.sub(lambda match: match[0].replace(",", ""), text)
    return _GLUED.sub(r"\1 ", _DOTTED.sub("dot", text))
