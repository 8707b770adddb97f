"""Which series a text names; `series.toml` has the names.

A name of words that mean other things too ("24 hours", "formula 2", "F3", "karting") is one only
where the words around it say so.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.grammar.cues import is_cue
from core.grammar.quantities import NUMBER_WORDS, find_quantities
from core.grammar.stems import stem_content_words
from core.grammar.vocabulary import fold_accents, split_entries

_DATA: Mapping[str, Any] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
_BESIDE, _QUALIFYING, _COMPUTING = (
    frozenset(split_entries(_DATA[name])) for name in ("beside", "qualifying", "computing")
)
_MAX_WORDS = 2
"""Words behind a name that may say that it is one: "F1 technical regulations"."""
_BESIDE_NAME = 100
"""Characters on each side of a name that are looked at."""
_WORD = re.compile(r"[^\W_][\w'’-]*|[^\w\s]")


class SeriesTable:
    """The series and their names.

    `names` and `titles` have the slug of each name in lower case, and of words in the titles of
    rulebooks; `codes` are the slugs of books that are for every series.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        names_by_slug = {**data["series"], **data["codes"]}
        self.names: Mapping[str, str] = {
            name: slug for slug, names in names_by_slug.items() for name in split_entries(names)
        }
        self.codes: frozenset[str] = frozenset(data["codes"])
        self.titles = {name: self.names[name] for name in split_entries(data["titles"])}
        self._series, self._activities = _compile(data["series"]), _compile(data["activities"])
        numbered = (re.escape(name) for name in self.names if name[-1].isdigit())
        self._numbered = re.compile(rf"(?i)\b(?:{'|'.join(numbered)})\b")
        self._competition = re.compile(
            rf"(?i)\b([^\W\d_][\w’']*)[\s-]+(?:{'|'.join(split_entries(data['competitions']))})\b"
            r"|\bformula\s+([^\W\d_]\w{2,})"
        )

    def find(self, text: str) -> dict[str, str]:
        """Return the series that a text names, by slug, each with its name as it stands there."""
        found: dict[str, str] = {}
        kinds = ((self._series, _is_no_label), (self._activities, _is_scope))
        for names, names_series in kinds:
            for slug, pattern in names.items():
                matches = (one for one in pattern.finditer(text) if names_series(text, one))
                if match := next(matches, None):
                    found.setdefault(slug, match[0])
        return found

    def find_competitions(self, text: str) -> dict[str, str]:
        """Return what may be the name of a series of any kind, by its word that names it.

        "zephyr" is that word of "the Zephyr Cup". Whether there is one of that name is not known.
        """
        matches = self._competition.finditer(text)
        return {fold_accents(match[1] or match[2]): match[0] for match in matches}

    def find_numbered(self, text: str) -> list[tuple[int, int]]:
        """Return where a text has the name of a series with a number in it: "Formula 1"."""
        matches = self._numbered.finditer(text)
        return [match.span() for match in matches if _is_no_label(text, match)]

    def is_named(self, slug: str, title: str) -> bool:
        """True where a title has one of the names of a series, or its slug."""
        names = [table[slug] for table in (self._series, self._activities) if slug in table]
        return any(name.search(title) for name in names) or slug in title.casefold().split()


def _compile(table: Mapping[str, str]) -> Mapping[str, re.Pattern[str]]:
    return {
        slug: re.compile(rf"(?i)\b(?:{'|'.join(map(re.escape, split_entries(names)))})\b(?!\.\d)")
        for slug, names in table.items()
    }


SERIES = SeriesTable(_DATA)


def _is_no_label(text: str, match: re.Match[str]) -> bool:
    """False of what may be the name of a thing and is none of a series here: "bolt F2"."""
    last = match[0].split()[-1].casefold()
    if not (len(last) == 1 or last in NUMBER_WORDS or any(map(str.isdigit, last))):
        return True
    before, behind = _words_around(text, match)
    if not _BESIDE.isdisjoint(map(str.casefold, behind[:_MAX_WORDS])):
        return True
    of, *named = [word for word in behind[:3] if word.casefold() != "the"] or [""]
    is_part = of in ("in", "of") and is_cue(" ".join(named[:1]), "reference")
    if is_part or behind[:1] == ["="]:  # a formula, or a figure, "of Appendix B"
        return False
    word = "".join(before[-1:])
    if is_cue(word, "named", "reference"):
        return False
    if word.casefold() in _COMPUTING:
        return not (match[0].islower() and match[0].startswith("formula"))
    is_plain = word.islower() and word not in _QUALIFYING and not is_cue(word, "ordinal")
    return not (is_plain and stem_content_words(word))


def _is_scope(text: str, match: re.Match[str]) -> bool:
    """True where the word for a sport or a time names a series: "karting rules", "In karting, "."""
    before, behind = _words_around(text, match)
    if find_quantities(match[0]):  # "the 24 Hours series", but "24 hours race control"
        return match[0].istitle() and " ".join(behind[:1]).casefold() in _BESIDE
    is_led = [word.casefold() for word in before] == ["in"] and behind[:1] == [","]
    return is_led or not _BESIDE.isdisjoint(map(str.casefold, behind[:_MAX_WORDS]))


def _words_around(text: str, match: re.Match[str]) -> tuple[list[str], list[str]]:
    """Return the words and signs just before and behind a match."""
    before, behind = text[: match.start()][-_BESIDE_NAME:], text[match.end() :][:_BESIDE_NAME]
    return _WORD.findall(before), _WORD.findall(behind)
