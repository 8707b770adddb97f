"""The numbers that Word puts before paragraphs (ECMA-376, Part 1, 17.9 and 17.18.59).

A list (`abstractNum`) has up to nine levels, which count together in all its instances (`num`). An
instance may format a level otherwise, and may begin to count anew at its first paragraph.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from core.errors import ReadError
from core.grammar import VOCABULARY
from core.rulebook.word.package import (
    Element,
    attribute,
    child,
    children,
    is_on,
    name_of,
    whole_number,
)
from core.rulebook.word.symbols import UNKNOWN_SIGN, write_symbols

LEVELS = 9
_HIGHEST = 32_767  # of a counter: Word's own limit
_LONGEST_LABEL = 255  # characters of the text of a level: Word's own limit
_PLACE = re.compile(r"%([1-9])")
_ROMAN = tuple(
    zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        "M CM D CD C XC L XL X IX V IV I".split(),
        strict=True,
    )
)
_ORDINALS = {
    1: "first",
    2: "second",
    3: "third",
    5: "fifth",
    8: "eighth",
    9: "ninth",
    12: "twelfth",
}
"""Those that do not end on "th" alone."""
_NUMBER_WORDS: dict[int, str] = {value: word for word, value in VOCABULARY["numbers"].items()}
_RUSSIAN = "абвгдежзиклмнопрстуфхцчшщыэюя"
_IN_ENGLISH = ("ordinal", "cardinalText", "ordinalText")
_CHICAGO = "*†‡§"
_IDEOGRAPHS = "〇一二三四五六七八九"
_Count = Literal["digits", "roman", "letter", "none"]


class ListLevel(NamedTuple):
    """One level of a list, as it is written: its numbers, the text around them, what follows."""

    start: int
    format: str
    text: str
    suffix: str
    """Between the number and the text: a tab, a space or nothing."""
    restart: int
    """Counts anew after a level above this one (from 1); 0 never, a level of its own always."""
    is_legal: bool
    """All numbers are shown in digits."""
    style: str
    """The paragraph style that is linked to it."""
    is_hidden: bool
    font: str
    digits: str
    """The form of a custom format ("001, 002, 003, ...")."""


class ShownNumber(NamedTuple):
    """What Word shows before a paragraph, and what it is made of."""

    label: str
    suffix: str
    list_id: str
    """The list that it counts in."""
    level: int
    key: tuple[str | int, ...]
    """The counters that it shows: numbers, and letters where they are written so."""
    counter: _Count
    """How the first of them is written."""
    last: _Count
    """How the last of them is written: "none" for a bullet."""
    is_small: bool
    """The last is a small letter or a small Roman numeral."""


@dataclass(slots=True)
class Numbering:
    """The lists of a document by the ids of their instances."""

    levels: dict[str, dict[int, ListLevel]] = field(default_factory=dict)
    lists: dict[str, str] = field(default_factory=dict)
    """The list that each instance belongs to."""
    starts: dict[str, dict[int, int]] = field(default_factory=dict)
    """The levels that an instance begins to count anew, each with its first number."""

    @classmethod
    def read(
        cls, root: Element | None, numbers_of_styles: Mapping[str, str], language: str = "en"
    ) -> "Numbering":
        """Read `numbering.xml`; `numbers_of_styles` are instances by the list styles that name one.

        In a `language` that is not English, numbers in words and ordinals are digits: Word writes
        the language's own. Raises ReadError where lists refer to each other in a circle.
        """
        numbering = cls()
        if root is None:
            return numbering
        kinds = {
            attribute(one, "abstractNumId") or "": one for one in root.iterfind("{*}abstractNum")
        }
        instances = {attribute(one, "numId") or "": one for one in root.iterfind("{*}num")}
        for number_id, instance in instances.items():
            own = attribute(child(instance, "abstractNumId")) or ""
            own = _follow_styles(own, kinds, instances, numbers_of_styles)
            if own not in kinds:
                continue
            levels = _read_levels(kinds[own])
            starts: dict[int, int] = {}
            for override in instance.iterfind("{*}lvlOverride"):
                at = whole_number(override, "ilvl") or 0
                if (other := child(override, "lvl")) is not None:
                    levels[at] = _read_level(other)
                if (start := whole_number(child(override, "startOverride"))) is not None:
                    starts[at] = start
            if not language.startswith("en"):
                for at, level in levels.items():
                    if level.format in _IN_ENGLISH:
                        levels[at] = level._replace(format="decimal")
            numbering.levels[number_id], numbering.lists[number_id] = levels, own
            numbering.starts[number_id] = starts
        return numbering

    def level_of_style(self, number_id: str, style: str) -> int | None:
        """The level that is linked to a paragraph style, None if there is none."""
        levels = self.levels.get(number_id, {})
        return next(
            (at for at, level in levels.items() if level.style and level.style == style), None
        )


@dataclass(slots=True)
class NumberCounter:
    """Counts the paragraphs of a document in order, as Word does."""

    numbering: Numbering
    counters: dict[str, dict[int, int]] = field(default_factory=dict)
    """By list, the last number of each level that has counted since it began anew."""
    begun: set[tuple[str, int]] = field(default_factory=set)
    """The levels of instances that have begun to count anew."""

    def copy(self) -> "NumberCounter":
        counters = {own: dict(levels) for own, levels in self.counters.items()}
        return NumberCounter(self.numbering, counters, set(self.begun))

    def count(self, number_id: str, level: int) -> ShownNumber | None:
        """Count one paragraph; return what is shown before it, None for no number."""
        levels = self.numbering.levels.get(number_id)
        if levels is None or not 0 <= level < LEVELS:
            return None
        own = self.numbering.lists[number_id]
        counters, starts = self.counters.setdefault(own, {}), self.numbering.starts[number_id]
        layout = levels.get(level, _PLAIN)
        if level in starts and (number_id, level) not in self.begun:
            self.begun.add((number_id, level))
            counters.pop(level, None)
        first = starts.get(level, layout.start)
        counters[level] = min(counters.get(level, first - 1) + 1, _HIGHEST)
        for below in range(level + 1, LEVELS):
            if _counts_anew(below, levels.get(below, _PLAIN), level):
                counters.pop(below, None)
        return self._show(levels, counters, own, level, starts)

    def _show(
        self,
        levels: Mapping[int, ListLevel],
        counters: Mapping[int, int],
        own: str,
        level: int,
        starts: Mapping[int, int],
    ) -> ShownNumber:
        layout = levels.get(level, _PLAIN)
        shown: list[ListLevel] = []
        key: list[str | int] = []

        def place(found: re.Match[str]) -> str:
            at = int(found[1]) - 1
            part = levels.get(at, _PLAIN)
            if at > level or part.format == "none":
                return ""
            value = counters.get(at, starts.get(at, part.start))
            is_legal = layout.is_legal and part.format != "decimalZero"  # "Section 1.01"
            written = format_number(value, "decimal" if is_legal else part.format, part.digits)
            shown.append(part)
            is_letter = _style_of(part.format, is_legal=layout.is_legal) == "letter"
            key.append(written if is_letter else value)
            return written

        if layout.format == "bullet":
            label = write_symbols(layout.text, layout.font).replace(UNKNOWN_SIGN, "•")
        else:
            label = _PLACE.sub(place, layout.text)
        counts = [_style_of(part.format, is_legal=layout.is_legal) for part in shown]
        is_small = bool(shown) and not layout.is_legal and shown[-1].format.startswith("lower")
        label = "" if layout.is_hidden else label
        suffix = layout.suffix if label else ""
        first, last = (counts[0], counts[-1]) if counts else ("none", "none")
        return ShownNumber(label, suffix, own, level, tuple(key), first, last, is_small)


_PLAIN = ListLevel(1, "decimal", "", "", LEVELS, False, "", False, "", "")
"""A level that a list does not describe: it shows nothing."""


def _follow_styles(
    own: str,
    kinds: Mapping[str, Element],
    instances: Mapping[str, Element],
    numbers_of_styles: Mapping[str, str],
) -> str:
    """The list that another one takes its levels from, by the list style that it names."""
    seen: set[str] = set()
    while own in kinds and (style := attribute(child(kinds[own], "numStyleLink"))):
        if own in seen:
            message = "its lists refer to each other in a circle: please save it again"
            raise ReadError(message, code="damaged")
        seen.add(own)
        instance = instances.get(numbers_of_styles.get(style, ""))
        linked = attribute(child(instance, "abstractNumId")) or ""
        if not linked or linked == own:
            named = (
                key for key, kind in kinds.items() if attribute(child(kind, "styleLink")) == style
            )
            linked = next(named, "")
        own = linked
    return own


def _read_levels(kind: Element) -> dict[int, ListLevel]:
    return {whole_number(one, "ilvl") or 0: _read_level(one) for one in kind.iterfind("{*}lvl")}


def _read_level(level: Element) -> ListLevel:
    at = whole_number(level, "ilvl") or 0
    start, restart = whole_number(child(level, "start")), whole_number(child(level, "lvlRestart"))
    # An extended format is written beside a plain one that older programs know.
    formats = [one for one in children(level) if name_of(one) == "numFmt"]
    format_ = formats[-1] if formats else None
    suffix = attribute(child(level, "suff")) or "tab"
    return ListLevel(
        start or 0,
        attribute(format_) or "decimal",
        (attribute(child(level, "lvlText")) or "")[:_LONGEST_LABEL],
        {"tab": "\t", "space": " "}.get(suffix, ""),
        at if restart is None or not 0 <= restart <= at else restart,
        bool(is_on(child(level, "isLgl"))),
        attribute(child(level, "pStyle")) or "",
        bool(is_on(child(child(level, "rPr"), "vanish"))),
        attribute(child(child(level, "rPr"), "rFonts"), "ascii") or "",
        attribute(format_, "format") or "",
    )


def _counts_anew(at: int, layout: ListLevel, used: int) -> bool:
    """True if a level counts anew after a paragraph of the level `used`, which is above it."""
    return used < min(at, layout.restart)


def _style_of(format_: str, *, is_legal: bool) -> _Count:
    if is_legal or format_ not in _STYLES:
        return "digits"
    return _STYLES[format_]


_STYLES: dict[str, _Count] = {
    "upperRoman": "roman",
    "lowerRoman": "roman",
    "upperLetter": "letter",
    "lowerLetter": "letter",
    "russianUpper": "letter",
    "russianLower": "letter",
    "bullet": "none",
    "none": "none",
}


def format_number(value: int, format_: str, digits: str = "") -> str:
    """Write a number as a format of Word does ("upperRoman"); in digits if it is not known.

    `digits` is the form of a custom format: "001, 002, 003, ...".
    """
    if format_ == "custom":
        return str(value).zfill(len(digits.partition(",")[0].strip()))
    write = _WRITERS.get(format_)
    return write(value) if write and value > 0 else str(value)


def _write_roman(value: int) -> str:
    written = ""
    for number, letters in _ROMAN:
        written += letters * (value // number)
        value %= number
    return written


def _write_letters(alphabet: str) -> Callable[[int], str]:
    """Letters that are repeated after the last one: "Z", "AA", "BB"."""
    size = len(alphabet)
    return lambda value: alphabet[(value - 1) % size] * ((value - 1) // size + 1)


def _write_ordinal(value: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value}{'th' if value % 100 in (11, 12, 13) else ending}"


def _write_words(value: int) -> str:
    """An English number word as Word writes it, in sentence case: "Twenty-one"."""
    return _spell(value).capitalize()


def _spell(value: int) -> str:
    if value >= 100:
        step = 1000 if value >= 1000 else 100
        rest = f" {_spell(value % step)}" if value % step else ""
        return f"{_spell(value // step)} {_NUMBER_WORDS[step]}{rest}"
    one = value % 10
    if value < 20 or not one:
        return _NUMBER_WORDS[value]
    return f"{_NUMBER_WORDS[value - one]}-{_NUMBER_WORDS[one]}"


def _write_ordinal_words(value: int) -> str:
    words = _spell(value)
    last = re.split("[ -]", words)[-1]
    ordinal = _ORDINALS.get(VOCABULARY["numbers"][last]) or re.sub("y$", "ie", last) + "th"
    return f"{words.removesuffix(last)}{ordinal}".capitalize()


def _write_ideographs(value: int) -> str:
    """A number in Chinese or Japanese counting, to 9,999: "十二", "二十"; in digits above."""
    if value > 9_999:
        return str(value)
    written = ""
    for unit, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, value = divmod(value, unit)
        if digit:
            written += (
                "" if digit == 1 and unit == 10 and not written else _IDEOGRAPHS[digit]
            ) + sign
        elif written and value and not written.endswith("〇"):
            written += "〇"
    return written


def _shift(first: int, most: int) -> Callable[[int], str]:
    """Signs that follow each other in Unicode, digits after the last one."""
    return lambda value: chr(first + value - 1) if value <= most else str(value)


_LATIN = "abcdefghijklmnopqrstuvwxyz"
_WRITERS: dict[str, Callable[[int], str]] = {
    "upperRoman": _write_roman,
    "lowerRoman": lambda value: _write_roman(value).lower(),
    "upperLetter": _write_letters(_LATIN.upper()),
    "lowerLetter": _write_letters(_LATIN),
    "russianUpper": _write_letters(_RUSSIAN.upper()),
    "russianLower": _write_letters(_RUSSIAN),
    "ordinal": _write_ordinal,
    "cardinalText": _write_words,
    "ordinalText": _write_ordinal_words,
    "decimalZero": lambda value: f"{value:02}",
    "hex": lambda value: f"{value:X}",
    "chicago": _write_letters(_CHICAGO),
    "numberInDash": lambda value: f"- {value} -",
    "decimalEnclosedCircle": _shift(0x2460, 20),
    "decimalEnclosedCircleChinese": _shift(0x2460, 20),
    "decimalEnclosedParen": _shift(0x2474, 20),
    "decimalEnclosedFullstop": _shift(0x2488, 20),
    "decimalFullWidth": lambda value: str(value).translate(
        {48 + at: 0xFF10 + at for at in range(10)}
    ),
    "japaneseCounting": _write_ideographs,
    "chineseCounting": _write_ideographs,
    "chineseCountingThousand": _write_ideographs,
    "ideographDigital": lambda value: "".join(_IDEOGRAPHS[int(digit)] for digit in str(value)),
    "none": lambda _: "",
}
