"""Read the numbers that a line may begin with: words before, counters, what follows them.

Whether a reading is right is not decided here: "I. Scope" has one as a Roman numeral and one as a
letter. `headings` chooses by the order and the print of all numbers of a document.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal, TypeAlias

HeadingKind = Literal["article", "appendix", "part", "plain", "sub", "named"]
"""Named headings have no number: a person said that they are headings."""
NumberKey: TypeAlias = tuple[str | int, ...]
CounterStyle = Literal["digits", "roman", "letter"]

_APPENDIX = r"(?i:appendix|annex|annexe|appendice|schedule|παραρτημα|παράρτημα)\b"
_PART = r"(?i:chapter|chapitre|part|partie|title|book|division|κεφαλαιο|κεφάλαιο|μερος|μέρος)\b"
_NUMBER = r"(?:[A-Z]{1,3}\.?(?=\d))?\d{1,3}[A-Z]?(?:\.\d{1,3}[A-Z]?)*"
_ROMAN = r"[IVXLC]{1,6}"
_AFTER = r"(?=[\s:.)\]–—-]|$)"
_ENDING = r"\s*[:.)–—-]*\s*"
_GROUPS: dict[HeadingKind, re.Pattern[str]] = {
    "appendix": re.compile(
        rf"(?P<word>{_APPENDIX})"
        rf"(?:\s+(?P<number>{_NUMBER}|{_ROMAN}|[A-Z](?:-\d{{1,2}})?){_AFTER})?{_ENDING}"
    ),
    "part": re.compile(
        rf"(?P<word>{_PART})\s+(?P<number>{_NUMBER}|{_ROMAN}|[A-Z]){_AFTER}{_ENDING}"
    ),
}
"""Words that group articles, and the numbers after them: their articles may count anew."""
_LATIN_ORDINALS = "bis ter quater quinquies sexies septies octies novies decies".split()
_INSERTED = dict(zip(_LATIN_ORDINALS, "abcdefghi", strict=True))
"""What laws put behind a number that they insert, in Latin: "2 bis" is the first behind 2."""
_LATIN = rf"(?i:{'|'.join(_INSERTED)})(?![^\W_])"
_ORDINAL = re.compile(r"(?<=\d)(?:er|ère|\.?[ºª°])")
_COUNTERS = re.compile(
    rf"\d{{1,4}}(?:{_ORDINAL.pattern}|[A-Za-z])?(?![^\W\d_])(?:\s{_LATIN})?"
    r"(?:[.\-]\d{1,4}[A-Z]?(?![^\W\d_])|\.[a-z]{1,2}(?![A-Za-z])|\.[ivx]+(?![A-Za-z]))*"
)
_LETTERS = re.compile(
    r"(?P<counter>[IVXLC]{1,7}|[A-Z])"
    rf"(?:\s(?P<inserted>{_LATIN})|(?P<below>(?:\.\d{{1,3}})*))(?![^\W_])"
)
_MIXED = re.compile(
    r"(?P<code>[A-Z]{1,4})\.(?P<outer>[IVXLC]{1,7}|[A-Z])"
    r"(?P<below>(?:\.(?:\d{1,3}|[A-Z]|[a-z]|[ivx]{2,5}))*)(?![^\W_]|\.?\s\d)"
)
"""Counters of several kinds behind letters: "Q.II.b.4"."""
_FIRST = re.compile(r"(?i:premier|première)(?![^\W_])")
_WORD = re.compile(r"(?:§{1,2}|[^\W\d_]+(?:\.[^\W\d_]+)*\.?)[ \t\u00a0]*")
_CODE = re.compile(r"[A-Z]{1,4}(?:\.[A-Z]{1,4})*\.?")
_SHORTENED = re.compile(r"[A-Z]{3,4}\.\s+")
"""A word in capitals that is cut short, as in "ART. 1": the letters of a code have no such stop."""
_HYPHENED = re.compile(r"[A-Z]{1,4}-(?=\d)")
_STOP = re.compile(r"\s?(?P<ending>\.?\)|\.|:|\]|-|–|—)?(?=\s|$|[–—-])\s*")
_NUMERALS = "〇零一二三四五六七八九十百千"
_IDEOGRAPH = rf"(?![{_NUMERALS}])[\u3400-\u9fff\uac00-\ud7a3]"
_ENCLOSED = re.compile(
    rf"(?P<before>{_IDEOGRAPH})\s?(?P<number>\d{{1,4}}|[{_NUMERALS}]{{1,9}})(?:\s(?=.(?!\w)))?"
    rf"(?P<after>{_IDEOGRAPH})[\s:]*"
)
"""A number between the two halves of its word: "第五条", "제5조"."""
_BRACKETED = re.compile(rf"\((?P<number>\d{{1,3}}(?:[a-z]|\s?{_LATIN})?)\)\s*")
_LONGEST_WORD = 14  # letters of a word before a number
_ROMAN_DIGITS = (
    ("", "C", "CC", "CCC"),
    ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"),
    ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"),
)
_ROMAN_VALUES = {"".join(digits): value for value, digits in enumerate(product(*_ROMAN_DIGITS))}


@dataclass(slots=True, eq=False)
class LineNumber:
    """One reading of the beginning of a line."""

    kind: HeadingKind
    lead_word: str
    """A word such as "Article" or "§" before the number, as printed."""
    number: str
    """As it is cited: "T 1.2.2", "54.3"."""
    key: NumberKey
    style: CounterStyle
    ending: str
    label: str
    """All that is printed before the text."""
    following_text: str


def read_line_numbers(text: str) -> Iterator[LineNumber]:
    """Yield the readings of the number that a line begins with, if it begins with one."""
    text = text.replace("\u00a0", " ")
    for kind, pattern in _GROUPS.items():
        if group := pattern.match(text):
            word, number, rest = group["word"], group["number"] or "", text[group.end() :]
            is_heading = number or (word.isupper() and rest.upper() == rest)
            if is_heading and not rest[:1].islower():  # else it is named in a sentence
                key = parse_number_key(number)
                yield LineNumber(kind, word, number, key, "digits", "", group[0], rest)
            return
    if found := _BRACKETED.match(text):
        key, rest = parse_number_key(found["number"]), text[found.end() :]
        yield LineNumber("plain", "", found["number"], key, "digits", "()", found[0], rest)
        return
    if found := _ENCLOSED.match(text):
        before, counter, after = found.groups()
        key, rest = (_ideograph_value(counter),), text[found.end() :]
        number = before + counter + after
        yield LineNumber("article", before + after, number, key, "digits", "", found[0], rest)
        return
    if mixed := _MIXED.match(text):
        yield from _read_mixed_counters(text, mixed)
        if not mixed["below"].replace(".", "").isdigit():
            return
    yield from _read_counters(text, "", 0, 0)
    if hyphened := _HYPHENED.match(text):
        yield from _read_counters(text, hyphened[0], 0, hyphened.end())
    if first := _WORD.match(text):
        yield from _read_after_words(text, first)


def read_given_number(text: str, label: str, counter: str, key: NumberKey) -> LineNumber:
    """The reading of a line whose number is known: its label, how it counts, its counters."""
    label = " ".join(label.split())
    number = re.sub(r"^\W+|\W+$", "", label) or label
    rest = text.removeprefix(label).lstrip()
    known = LineNumber("plain", "", number, key, "digits", "", label, rest)
    for found in read_line_numbers(text):
        # A dash after the number is read with it: "Article 1 – Organisation".
        if not re.search(r"\w", " ".join(found.label.split()).removeprefix(label)):
            known = found
            break
    else:  # the text may follow without a gap: "Article 1Organisation"
        for found in read_line_numbers(label):
            known = replace(found, label=label, following_text=rest)
    known.key = key or parse_number_key(number) or (number,)
    known.style = "roman" if counter == "roman" else "letter" if counter == "letter" else "digits"
    return known


def parse_number_key(number: str) -> NumberKey:
    """The number as a sort key: "B1.4.2" gives ("B", 1, 4, 2), "2 bis" the same as "2a"."""
    parts = re.findall(rf"\d+[A-Z]?|{_LATIN}|[A-Za-z]+", number)
    return tuple(
        int(part) if part.isdigit() else _INSERTED.get(part.lower(), part) for part in parts
    )


def _ideograph_value(numeral: str) -> int:
    """The value of a numeral: 12 for "十二", 20 for "二十" and for "二〇", 5 for "5"."""
    total = digits = 0
    for value in (int(unicodedata.numeric(sign)) for sign in numeral):
        if value < 10:
            digits = 10 * digits + value
        else:
            total, digits = total + (digits or 1) * value, 0
    return total + digits


def _read_mixed_counters(text: str, found: re.Match[str]) -> Iterator[LineNumber]:
    """Yield the readings of counters of several kinds: the first is a Roman numeral or a letter."""
    if stop := _STOP.match(text, found.end()):
        code, outer, below = found.groups()
        label, rest = text[: stop.end()], text[stop.end() :]
        readings: dict[CounterStyle, str | int] = {"roman": _ROMAN_VALUES.get(outer, 0)}
        if len(outer) == 1:
            readings["letter"] = outer
        for style, first in readings.items():
            if first:
                key = (code, first, *parse_number_key(below))
                ending = stop["ending"] or ""
                yield LineNumber("plain", "", found[0], key, style, ending, label, rest)


def _read_after_words(text: str, first: re.Match[str]) -> Iterator[LineNumber]:
    """Yield the readings of a number behind the first word of a line, or behind two."""
    word, end = first[0].strip(), first.end()
    is_code = _CODE.fullmatch(word) and not _SHORTENED.fullmatch(first[0])
    is_word = len(word) <= _LONGEST_WORD
    if is_code or is_word:
        yield from _read_counters(text, word if is_code else "", 0 if is_code else end, end)
    second = _WORD.match(text, end)
    if second and is_word and _CODE.fullmatch(second[0].strip()):
        start = 0 if is_code else end
        yield from _read_counters(text, text[start : second.end()].strip(), start, second.end())


def _read_counters(text: str, code: str, word_end: int, start: int) -> Iterator[LineNumber]:
    """Yield readings with counters at `start`, behind a word and then a code, either may be ""."""
    word, behind = text[:word_end].strip(), text[start:]
    if (found := _find_counter(behind, word, code)) is None:
        return
    number, readings, end = found
    if (stop := _STOP.match(behind, end)) is None:
        return
    ending = stop["ending"] or ""
    label, rest = text[: start + stop.end()], behind[stop.end() :]
    codes = tuple(re.findall("[A-Z]+", code))
    if code:
        number = " ".join(text[word_end : start + end].split())
    kind: HeadingKind = "article" if word else "plain"
    for style, key in readings:
        # "A car must" begins with a letter too, and "T - TECHNICAL" is the name of a code.
        if style == "digits" or word or (ending and ending not in "-–—"):
            yield LineNumber(kind, word, number, (*codes, *key), style, ending, label, rest)


def _find_counter(
    text: str, word: str, code: str
) -> tuple[str, list[tuple[CounterStyle, NumberKey]], int] | None:
    """The counter that a text begins with: as cited, its readings and its end."""
    if found := _COUNTERS.match(text):
        number = _ORDINAL.sub("", found[0])
        return number, [("digits", parse_number_key(number))], found.end()
    if code:
        return None
    if word and (found := _FIRST.match(text)):
        return found[0], [("digits", (1,))], found.end()
    if found := _LETTERS.match(text):
        return found[0], list(_read_letters(found)), found.end()
    return None


def _read_letters(found: re.Match[str]) -> Iterator[tuple[CounterStyle, NumberKey]]:
    """A Roman numeral, perhaps with numbers below it or "bis" behind it, a letter, or both."""
    counter, inserted = found["counter"], found["inserted"]
    below = map(int, re.findall(r"\d+", found["below"] or ""))
    behind = (_INSERTED.get(inserted.lower(), inserted),) if inserted else tuple(below)
    if value := _ROMAN_VALUES.get(counter):
        yield "roman", (value, *behind)
    if len(counter) == 1 and not behind:
        yield "letter", (counter,)
