"""Numbers and units in the words of a language; English number words are in `quantities`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from core.grammar.cues import fold, list_languages, load_lists, load_table
from core.grammar.numbering import find_citations
from core.grammar.quantities import UNITS, find_quantities
from core.grammar.vocabulary import any_word, split_entries

_WORD = re.compile(r"[^\W\d_]+(?:['’:][^\W\d_]+)*|\d+(?:[.,]\d+)?|[^\w\s]")
_FIGURES = re.compile(
    r"(?<![\w.,'’])([1-9]\d{0,2}(?:[.'’]\d{3})+|[1-9]\d{0,2}(?:\s\d{3})+|\d+)(,\d+)?(?!\w|[.,'’]\d)"
)
"""A number of a language with decimal commas: its thousands, and what is behind its comma."""
_JOINT, _TENS = "+", 20
"""What a language says between the parts of a sum: "five and twenty"."""
_DAYS = re.compile(rf"(?i)(?:{any_word('day_kind')})\s")
_MIN_LETTERS = 3
"""Letters of a unit of another language: "an" is a year in French, and no unit in others."""
_DEGREES = re.compile(r"^[o0°º˚◦]\s?C$")
_PROCLITICS = {"ar": ("و", "ف", "ب", "ل"), "fr": ("d'", "l'", "qu'")}


class SpelledNumber(NamedTuple):
    """A number in words, or a fraction ("2/3"), from `start` to `end` of a text."""

    value: Decimal
    start: int
    end: int
    fraction: str = ""


@cache
def _table(language: str, name: str) -> Mapping[str, str]:
    return {fold(word): str(value) for word, value in load_table(language, name).items()}


@cache
def find_unit(language: str, word: str) -> str:
    """Return the unit of the vocabulary that a word of a language is; empty for none."""
    return _table(language, "units").get(fold(word), "")


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


def use_decimal_points(text: str, language: str) -> str:
    """Return a text of the same length whose numbers are written as in English: "1,500.5".

    What a citation names stays as it is: "Artikel 3.150".
    """
    if load_table(language, "signs").get("decimal") != ",":
        return text
    named = [(one.start, one.end) for one in find_citations(text)]

    def rewrite(match: re.Match[str]) -> str:
        is_named = any(start < match.end() and match.start() < end for start, end in named)
        if is_named and match[1].count(".") < 2:  # no article is called "1.234.567"
            return match[0]
        return re.sub(r"[.'’]", ",", match[1]) + (match[2] or "").replace(",", ".")

    return _FIGURES.sub(rewrite, text)


def find_spelled_numbers(text: str, language: str) -> tuple[SpelledNumber, ...]:
    """Return the numbers in words and the fractions of a text, in order."""
    numbers = _table(language, "numbers")
    fractions = _table(language, "fractions")
    words = [(fold(m[0]), m.start(), m.end()) for m in _WORD.finditer(text)]
    found: list[SpelledNumber] = []
    place = 0
    while place < len(words):
        length, written = _match_fraction(fractions, words, place)
        parts: list[str] = []
        if written:
            top, bottom = map(Decimal, written.split("/"))
            value = top / bottom * 100
        else:
            parts, length = _read_run(numbers, words, place, language)
            value = Decimal(_add_up(parts))
        if written or parts:
            span = words[place][1], words[place + length - 1][2]
            found.append(SpelledNumber(value, *span, written))
        place += length or 1
    return tuple(found)


def _match_fraction(
    fractions: Mapping[str, str], words: Sequence[tuple[str, int, int]], place: int
) -> tuple[int, str]:
    """Return how many words from a place on are a fraction, and which: "2/3"; 0 for none."""
    for length in (3, 2, 1):
        phrase = " ".join(word for word, _, _ in words[place : place + length]).replace(" - ", "-")
        for key in (phrase, phrase.lstrip("وب")):
            if key in fractions and len(words) >= place + length:
                return length, fractions[key]
    return 0, ""


def _read_run(
    numbers: Mapping[str, str], words: Sequence[tuple[str, int, int]], place: int, language: str
) -> tuple[list[str], int]:
    """Return the parts of the number that words from a place on are, and how many words."""
    parts: list[str] = []
    joint: list[str] = []
    length = 0
    for at in range(place, len(words)):
        word, start, _ = words[at]
        own = _split_compound(numbers, word, language)
        is_near = at == place or start - words[at - 1][2] <= 1 or word == "-"
        if parts and is_near and (word == "-" or own == [_JOINT]):
            joint += own
            continue
        if not own or not is_near or own == [_JOINT]:
            break
        own = [*joint, *own]
        if parts and own[0] == _JOINT and not _are_joined(int(parts[-1]), int(own[1]), language):
            break
        parts += own
        joint = []
        length = at + 1 - place
    if parts == ["1"]:
        return [], 0  # an article
    return parts, length


def _are_joined(one: int, other: int, language: str) -> bool:
    """True where "and" joins two numbers to one: "vingt et un", not "six et dix"."""
    if language == "fr":
        return one >= _TENS and other in (1, 11)
    return one >= 100 > other or (language == "ar" and (one < 10 < other or one >= 1000 > other))


@cache
def _compound_parts(language: str) -> tuple[str, ...]:
    return tuple(sorted(_table(language, "numbers"), key=len, reverse=True))


def _split_compound(numbers: Mapping[str, str], word: str, language: str) -> list[str]:
    """Return the values of the parts of a number in one word: 5, +, 20; empty for another word."""
    if word in numbers:
        return [numbers[word]]
    for proclitic in _PROCLITICS.get(language, ()):
        if word.startswith(proclitic) and word.removeprefix(proclitic) in numbers:
            joint = [_JOINT] if proclitic == "و" else []
            return [*joint, numbers[word.removeprefix(proclitic)]]
    if language != "de":
        return []
    parts: list[str] = []
    rest = word
    while rest:
        part = next((one for one in _compound_parts(language) if rest.startswith(one)), None)
        if part is None:
            return []
        parts.append(numbers[part])
        rest = rest[len(part) :]
    return parts if len(parts) > 1 else []


def _add_up(parts: Sequence[str]) -> int:
    """Return the value of parts: a larger one multiplies what is before it, unless joined to it."""
    whole = last = 0
    joined = False
    for part in parts:
        if part == _JOINT:
            joined = True
            continue
        value = int(part)
        if last and value > last and value != 10 and not joined:
            last *= value
        else:
            whole, last = whole + last, value
        joined = False
    return whole + last


def find_ones(text: str, language: str) -> Iterator[tuple[int, int]]:
    """Yield where a text has the article that is "one" too."""
    words = {fold(word) for word in split_entries(load_lists(language).get("one", ""))}
    for match in _WORD.finditer(text):
        if fold(match[0]) in words:
            yield match.span()
