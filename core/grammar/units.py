"""Units as people write them, outside a sentence: in a column of a table or of a sheet."""

import re

from core.grammar.cues import list_languages
from core.grammar.numerals import find_unit
from core.grammar.quantities import UNITS, find_quantities
from core.grammar.vocabulary import any_word

_DAYS = re.compile(rf"(?i)(?:{any_word('day_kind')})\s")
_MIN_LETTERS = 3
"""Letters of a unit of another language: "an" is a year in French, and no unit in others."""
_DEGREES = re.compile(r"^[o0°º˚◦]\s?C$")


def parse_unit(text: str) -> str | None:
    """Return a unit of the rules' vocabulary as it is written there; None where it is none.

    Those of all languages are known: "Kalendertage".
    """
    text = _DAYS.sub("", " ".join(text.split()).strip(" ."))
    if _DEGREES.match(text):
        return "°C"
    if found := find_quantities(f"1 {text}"):
        return found[0].unit if found[0].end == len(text) + 2 else None
    folded = {unit.casefold(): unit for unit in UNITS}
    own = (find_unit(language, text) for language in list_languages() if len(text) >= _MIN_LETTERS)
    return folded.get(text.replace(" ", "").casefold()) or next(filter(None, own), None)
