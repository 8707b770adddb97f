"""The identity of a document: family, season, version, date and language, each with its source.

The title page counts most, then running headers and footers, PDF metadata and the file name.
What is found nowhere is None.
"""

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import chain, groupby
from pathlib import Path
from statistics import median
from typing import TypeVar

from core.grammar import SERIES, STOP_WORDS, list_words, load_months
from core.rulebook.layout.blocks import Line, Page, blocks_of, iter_lines
from core.rulebook.layout.ligatures import english_share
from core.rulebook.layout.text import line_text
from core.rulebook.types import Identity, MetadataOverride, ReadingWarning

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_MONTHS = {name.casefold(): number for name, number in load_months().items()}
_KINDS = _WORDS["kinds"].split()
_WHOLE = {"fsae", "fia-isc"}  # series with one rulebook for all kinds of rules
_MAX_TITLE = 120  # letters
# Dates with the month's name come first: they cannot be misread.
_DAY_MONTH = (
    r"\b(?P<day>\d{1,2})(?:st|nd|rd|th|er)?\.?\s+(?:(?:of|de)\s+)?(?P<month>[^\W\d_]{3,10})\b\.?"
)
_DATES = (
    rf"{_DAY_MONTH},?\s+(?:del?\s+)?(?P<year>(?:19|20)\d\d)\b",
    r"\b(?P<month>[A-Z][a-z]{2,8})\.?\s+(?P<day>\d{1,2}),\s+(?P<year>(?:19|20)\d\d)\b",
    r"\b(?P<year>(?:19|20)\d\d)[-_.](?P<month>0\d|1[0-2])[-_.](?P<day>[0-2]\d|3[01])(?!\d)",
    r"\b(?P<day>[0-3]?\d)[/.](?P<month>[01]?\d)[/.](?P<year>(?:19|20)\d\d)\b",
)
_DAY = (
    r"(?P<day>\d{1,2}[^\n;()]{1,18}?(?:19|20)\d\d|[\d-]{10}|[a-z]{3,9}\.?\s\d\d?,\s(?:19|20)\d\d)"
)
_NOT_ITS_OWN = rf"(?:(?!\b(?:{'|'.join(_WORDS['own_days'])})\b)[^.;,]){{0,160}}?"
_DAY_OF_OTHER = re.compile(
    rf"(?i)\b(?:(?:{'|'.join(list_words('amending_title', 'adding_title'))})\b[^.;]{{0,60}}?"
    r"\b(?:to|of|zu[rm]?|der|des|aux?|du)\b(?!\s*\d)"
    rf"|(?:{'|'.join(list_words('amending_document', 'replacing_document'))})\b){_NOT_ITS_OWN}"
    rf"\b(?-i:of|dated|vom|du)\s+(?={_DAY})"
)
"""A day of the document that this one changes: "Avenant au règlement du 3 mai 2021"."""
_DAY_OF_RULE = re.compile(
    rf"(?im)(?:^|[.:;]|\d)\s*(?:{'|'.join(list_words('beginning_change'))})\s+(?:the\s+)?(?={_DAY})(?P=day)"
    rf",?[^\S\n]+(?!(?:{'|'.join(list_words('this_document'))})\b)(?-i:[a-zà-ÿ])"
)
"""A day from which a rule holds: "From 1 August 2026, the mass in Rule 2 is 9 kg"."""
_DAY_OF_SEASON = re.compile(
    rf"(?i)\b(?:{'|'.join(_WORDS['dated'])})\s+(?:the\s+)?{_DAY_MONTH}(?!,?[^\S\n]+(?:del?\s+)?\d)"
)
"""A day whose year is that of the season: "as of 12 March"."""
_VERSION_WORD = rf"(?i:{'|'.join(_WORDS['versions'].split())})"
_VERSION = re.compile(
    rf"(?<![^\W_])(?:{_VERSION_WORD}\b\.?(?i:\s?n[or°º]\.?)?[\s:#_–-]{{0,3}}|[vV]|(?i:rev|iss|ver)[._-]?)"
    r"(?P<label>\d{1,4}(?:[.-]\d{1,3}(?!\d)){0,3}[a-z]?(?![^\W_]|[.-]\d)"
    r"|(?<![vV])[A-Z](?![\w.’'&/-])(?!\.\d))"
    rf"|(?<![\w.])(?P<count>\d{{1,3}})(?:st|nd|rd|th|er|e|ème|[.ªº])?\s(?i:{'|'.join(_WORDS['editions'].split())})\b"
)
"""A version as it is printed: "Issue 5", "v1.2", "Rev. C", "Version 2025.3", "3rd edition"."""
_YEAR_OF_VERSION = re.compile(
    rf"(?<![^\W_]){_VERSION_WORD}\s(20\d\d)(?!\d|[-./]\d\d[-./]\d)"
    rf"|(?<![-./\d])(20\d\d)\s{_VERSION_WORD}\b"
)
_YEAR_BEFORE = re.compile(r"20\d\d[.-]")
_YEAR = re.compile(r"(?<!\d)(20\d\d)(?!\d)")
_BOOK = re.compile(rf"\b(?:{'|'.join(_WORDS['books'].split())})\b", re.IGNORECASE)


_YEARS_OF_BOOK = [
    re.compile(
        rf"(?<![/.\d]){_YEAR.pattern}[^\S\n]+[\w ®™&-]{{0,60}}?{_BOOK.pattern}", re.IGNORECASE
    ),
    re.compile(rf"{_BOOK.pattern}[\w ®™()–-]{{0,12}}?{_YEAR.pattern}", re.IGNORECASE),
]
"""A year before or after the name of the rules: years also occur in dates and references."""
CHANGE_WORDS = re.compile(
    rf"\b(?:{'|'.join(_WORDS['changes'].split())})".replace("!", r"\b"), re.IGNORECASE
)
"""Words that say what became of a rule, and names of records of that, by their beginnings."""
_APPENDICES = _WORDS["appendices"].split()
_PART = re.compile(
    rf"\b(?P<word>(?i:{'|'.join([*_WORDS['parts'].split(), *_APPENDICES])}))"
    r"\s+(?P<number>[A-Z]|\d{1,3}|[IVXLC]{1,6})\b(?!\.\d)"
)
_FAMILY_WORD = re.compile(
    r"(?!(?:v|ver|version|rev|revision|iss|issue|ed|edition|no|nr)\d)[^\W\d_]+\d{1,2}(?![\w.])"
    r"|[^\W\d_]{2,}"
)
"""A word of a family's name, "gt3" and "rally2" among them, but no version."""
_LISTS = frozenset(_WORDS["lists"])
NAMELESS_WORDS = frozenset(_WORDS["nameless"].split())
_SAYS_NOTHING = frozenset(_WORDS["generic"].split()).union(
    _MONTHS, *STOP_WORDS.by_language.values()
)
_OPEN_ENDS = STOP_WORDS.union(*STOP_WORDS.by_language.values())
_SERIES_WORDS = {
    series: {
        word for name, slug in SERIES.titles.items() if slug == series for word in name.split()
    }
    for series in SERIES.titles.values()
}
_LISTED = re.compile(r"(?:\.\s?){4,}|…{2,}|(?:\s|\.\.|…)\d{1,3}$")
_MIN_LISTED = 3  # of the rows from the beginning of a list on
_LIST_ROWS = 6
_NEAR_SIZE = 0.75  # of the largest print of a cover, that all lines of its title have
_LARGE = 1.3  # times the smaller print of a page, that is a title's

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class MetadataSources:
    """The texts from which identity is read."""

    title_page: Sequence[Line]
    running_lines: Sequence[str]
    pdf_metadata: Mapping[str, str]
    file_name: str

    @property
    def bare_name(self) -> str:
        return self.file_name.rsplit(".", 1)[0]

    @property
    def texts(self) -> list[tuple[str, str]]:
        """(source, text) pairs, the most trusted first."""
        running = (text.replace("\t", " \n") for text in self.running_lines[:6])
        return [
            ("title page", " \n".join(map(line_text, self.title_page))),
            ("running header", " \n".join(running)),
            ("metadata", self.pdf_metadata.get("Title", "")),
            ("file name", re.sub(r"_+", " ", self.bare_name)),
        ]

    def find_date(self) -> tuple[str | None, str]:
        """The date in most texts, the most trusted one first, and its source."""
        found = ((source, dict.fromkeys(_find_own_dates(text))) for source, text in self.texts)
        dates = [(day, source) for source, days in found for day in days]
        counts = Counter(day for day, _ in dates)
        return max(dates, key=lambda item: counts[item[0]], default=(None, ""))


def read_identity(
    sources: MetadataSources, language: str | None
) -> tuple[Identity, list[ReadingWarning]]:
    """Return the identity of a document and a warning for each part that could not be read."""
    texts = sources.texts
    cover = _lines_before_lists(sources.title_page)
    title, title_from = _find_title(sources, cover, language)
    covered = [(texts[0][0], " \n".join(map(line_text, cover))), *texts[1:], texts[0]]
    readers = (
        (texts, partial(_find_year, patterns=_YEARS_OF_BOOK)),
        (texts[2:], _read_only_year),
        (covered, partial(_find_year, patterns=[_YEAR_OF_VERSION])),
    )
    seasons = (_read_first(known, read) for known, read in readers)
    season, season_from = next((found for found in seasons if found[1]), (None, ""))
    printed, issue_from = _read_first(covered, _read_version)
    issue, version = printed or (None, None)
    published, date_from = sources.find_date()
    if published is None and season is not None:
        published, date_from = _read_first(covered, partial(_read_day, year=season))
    family, family_from = _find_family(title, cover, language), title_from
    if family is None:
        lines = [(source, line) for source, text in texts[1:] for line in text.splitlines()]
        family, family_from = _read_first(lines, family_from_title)
    names = ("title", "family", "season", "issue", "date")
    read_from = (title_from, family_from, season_from, issue_from, date_from)
    known = {name: source for name, source in zip(names, read_from, strict=True) if source}
    advice = "could not be read from the document: give it on the library page."
    warnings = [
        ReadingWarning(f"{name}_unread", None, f"The {name} {advice}")
        for name, value in (("family", family), ("season", season), ("issue", printed))
        if value is None
    ]
    identity = Identity(title, family, season, issue, published, language, known, version=version)
    return identity, warnings


def find_dates(text: str) -> list[str]:
    """The dates in a text as YYYY-MM-DD, those with a month's name first."""
    found = []
    for match in (match for pattern in _DATES for match in re.finditer(pattern, text)):
        month = match["month"].lower()
        number = int(month) if month.isdigit() else _MONTHS.get(month, 0)
        with suppress(ValueError):  # no day of the calendar
            found.append(date(int(match["year"]), number, int(match["day"])).isoformat())
    return found


def _find_own_dates(text: str) -> list[str]:
    """The dates in a text but those that it says of another document, or of one of its rules."""
    for pattern in (_DAY_OF_OTHER, _DAY_OF_RULE):
        for other in reversed(list(pattern.finditer(text))):
            text = text[: other.start("day")] + text[other.end("day") :]
    return find_dates(text)


def family_from_title(title: str, subtitle: str = "", any_title: bool = False) -> str | None:
    """A slug that stays the same over the years; None if the title names no book of rules.

    It has all that parts one book from another: series, kind of rules, subtitle and appendix, but
    no season, issue, date or version. It is None too if other publishers may use the same words.
    With `any_title` it is a slug of whatever words it has, "" for none.
    """
    if not any_title and (len(title) > _MAX_TITLE or not _BOOK.search(title)):
        return None
    whole = f"{title} {subtitle}"
    words = _FAMILY_WORD.findall(_PART.sub(" ", whole).casefold())
    series = _find_series(title)
    kind = next((kind for kind in _KINDS if kind in words and series not in _WHOLE), "")
    common = _SAYS_NOTHING.union(_KINDS)
    if series:
        common = common.union(_SERIES_WORDS[series], NAMELESS_WORDS, [series])
    own = [word for word in words if word not in common]
    if not any_title and not series and NAMELESS_WORDS.issuperset(own):
        return None
    named = _name_parts(whole, with_sections=not kind)
    slug = dict.fromkeys([series, kind, *own, *named] if series else [*own, *named, kind])
    plain = unicodedata.normalize("NFKD", "-".join(filter(None, slug)))
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return plain[: MetadataOverride.LONGEST_FAMILY]


def _name_parts(title: str, with_sections: bool) -> list[str]:
    """The appendices that a title names, "appendix-l" in whatever language, and the sections."""
    parts = []
    for word, number in _PART.findall(title):
        is_appendix = word.casefold() in _APPENDICES
        if is_appendix or with_sections:
            parts.append(f"{'appendix' if is_appendix else word}-{number}".casefold())
    return parts


def title_page_lines(pages: Sequence[Page]) -> list[Line]:
    """The lines of the first page, table cells included; with the second if it has few lines."""
    first = list(iter_lines(blocks_of(pages[:1])))
    lines = first if len(first) >= 6 else iter_lines(blocks_of(pages[:2]))
    return [line for line in lines if line_text(line)]


def _read_first(
    texts: Iterable[tuple[str, str]], read: Callable[[str], _Value | None]
) -> tuple[_Value | None, str]:
    """The value that `read` finds in the most trusted text, and the source of that text."""
    for source, text in texts:
        if (value := read(text)) is not None:
            return value, source
    return None, ""


def _find_series(title: str) -> str | None:
    words = " ".join(["", *re.findall(r"[a-z]+\d?|\d+", title.lower()), ""])
    return next((slug for name, slug in SERIES.titles.items() if f" {name} " in words), None)


def _lines_before_lists(page: Sequence[Line]) -> list[Line]:
    """The lines of a title page above its first list: of contents, changes or abbreviations."""
    by_row = groupby(page, key=lambda line: (line.page, round(line.baseline / 3)))
    rows = [list(row) for _, row in by_row]
    texts = ["\t".join(map(line_text, row)).strip() for row in rows]
    listed = [_LISTED.search(text) is not None for text in texts]
    for at, text in enumerate(texts):
        begins = listed[at] and sum(listed[at : at + _LIST_ROWS]) >= _MIN_LISTED
        if begins or text.casefold().rstrip(" :") in _LISTS:
            return list(chain.from_iterable(rows[:at]))
    return list(page)


def _find_family(title: str, cover: Sequence[Line], language: str | None) -> str | None:
    """The family by the title, and by what the cover names beside it: a subtitle, an appendix."""
    subtitle = [_find_printed_title(cover, language)]
    size = max((line.size for line in cover), default=0.0)
    for line in cover:
        if part := _PART.match(line_text(line)):
            is_appendix = part["word"].casefold() in _APPENDICES
            if line.size >= _NEAR_SIZE * size or (is_appendix and _is_heading(line, cover)):
                subtitle.append(part[0])
    return family_from_title(title, " ".join(subtitle))


def _find_title(
    sources: MetadataSources, cover: Sequence[Line], language: str | None
) -> tuple[str, str]:
    """The title and its source; a running line counts first if it alone names rules and a year."""
    running = _find_running_title(sources.running_lines)
    title, source = _find_printed_title(cover, language), "title page"
    if running and (not title or (_is_full_title(running) and not _is_full_title(title))):
        title, source = running, "running header"
    elif not title:
        title, source = _find_title_without_kind(sources, cover)
    return _normalize_case(title), source


def _find_title_without_kind(sources: MetadataSources, cover: Sequence[Line]) -> tuple[str, str]:
    large = max(cover, key=lambda line: line.size, default=None)
    printed = line_text(large) if large else ""
    if large and len(printed) > 4:
        sizes = [line.size for line in sources.title_page if line.size < 0.95 * large.size]
        if sizes and large.size > _LARGE * median(sizes):
            return _with_neighbours(large, cover), "title page"
    title = sources.pdf_metadata.get("Title", "").removeprefix("Microsoft Word - ").strip()
    if len(title) > 4 and title.casefold() not in _WORDS["no_titles"]:
        return title, "metadata"
    if 4 < len(printed) < _MAX_TITLE:
        return printed, "title page"
    return re.sub(r"[_-]+", " ", sources.bare_name).strip(), "file name"


def _is_full_title(title: str) -> bool:
    return bool(_YEAR.search(title) and family_from_title(title))


def _find_running_title(running_lines: Iterable[str]) -> str:
    """The part of a header or footer that names a kind of rules, best with year and series."""
    parts = [part for text in running_lines for part in text.split("\t")]
    return max(
        (part for part in parts if _BOOK.search(part) and len(part) < _MAX_TITLE),
        key=lambda part: (bool(_YEAR.search(part)), _find_series(part) is not None),
        default="",
    )


def _find_printed_title(page: Sequence[Line], language: str | None) -> str:
    lines = [
        line
        for line in page
        if _BOOK.search(line_text(line)) and _is_heading(line, page)
        if not _begins_text(line, page)
    ]
    size = max((line.size for line in lines), default=0.0)
    largest = [line for line in lines if line.size > size - 0.6]
    largest.sort(key=lambda line: line.top)
    whole = _with_neighbours(largest[0], page) if len(largest) == 1 else ""
    if largest and whole in ("", line_text(largest[0])):
        name = _lines_of_name(largest[0], page)
        whole = " ".join(map(line_text, name)) if len(name) > 1 else whole
    if whole:
        return whole
    texts = list(map(line_text, largest))
    if language == "en":
        texts.sort(key=english_share, reverse=True)
    return next(iter(texts), "")


def _lines_of_name(title: Line, page: Sequence[Line]) -> list[Line]:
    """The lines of a name that goes on, as one ends in "of the": those below it, evenly spaced."""
    alike = [one for one in page if one.page == title.page and abs(one.size - title.size) < 0.6]
    alike.sort(key=lambda line: line.top)
    first = alike.index(title)
    while first and _ends_open(alike[first - 1], alike[first]):
        first -= 1
    lines = alike[first : first + 1]
    for line in alike[first + 1 :]:
        gap, usual = line.top - lines[-1].top, alike[first + 1].top - lines[0].top
        if gap > 1.1 * usual or not (len(lines) > 1 or _ends_open(lines[0], line)):
            break
        lines.append(line)
    return lines


def _ends_open(line: Line, below: Line) -> bool:
    """True for a line that ends in "of the", just above one in the same print."""
    is_near = 0 < below.top - line.top < 2 * line.size
    return is_near and line_text(line).split()[-1].casefold() in _OPEN_ENDS


def _begins_text(line: Line, page: Sequence[Line]) -> bool:
    """True for the heading of a first article: "1 RULES" above "1.1"; and for a sentence's end."""
    text = line_text(line)
    number = re.match(r"(\d{1,2})\.?\s", text)
    parts = f"{number[1]}.1" if number else ""
    has_parts = bool(parts) and any(line_text(one).startswith(parts) for one in page)
    return has_parts or (text[0].islower() and text.endswith("."))


def _is_heading(line: Line, page: Sequence[Line]) -> bool:
    """True for a line in larger, bolder or capital print that does not end within a sentence."""
    text = line_text(line)
    large = line.size > 1.04 * median(other.size for other in page)
    bold = all(span.style.bold for span in line.spans if span.text.strip())
    stands_out = large or bold or text.isupper()
    return stands_out and len(text) < _MAX_TITLE and not text.endswith((",", ";"))


def _with_neighbours(title: Line, page: Sequence[Line]) -> str:
    """The text of a title with the lines around it that are as large, but no date and no issue."""
    same = [
        text
        for line in page
        if line.page == title.page
        and title.size - 0.6 < line.size < title.size / _NEAR_SIZE
        and abs(line.top - title.top) < 6 * title.size
        and (text := line_text(line))
        and (line is title or not (find_dates(text) or _read_version(text)))
    ]
    text = " ".join(same) if len(same) <= 3 and title.size > 12.5 else line_text(title)
    return text if len(text) < _MAX_TITLE else line_text(title)


def _normalize_case(title: str) -> str:
    """A title in capitals in title case; years, codes and abbreviations stay."""
    title = " ".join(title.split()).strip(" -–—:")
    if not title.isupper():
        return title
    words: list[str] = []
    for word in title.split():
        is_kept = any(map(str.isdecimal, word)) or word in _WORDS["abbreviations"].split()
        is_small = words and word.lower() in _WORDS["small_words"].split()
        words.append(word.lower() if is_small else word if is_kept else word.capitalize())
    return " ".join(words)


def _find_year(text: str, patterns: Iterable[re.Pattern[str]]) -> int | None:
    """The year in the first of some patterns that a text has."""
    found = next(filter(None, (pattern.search(text) for pattern in patterns)), None)
    return int(next(filter(None, found.groups()))) if found else None


def _read_only_year(text: str) -> int | None:
    """The year in a short name, if there is just one outside of dates."""
    years = set(re.findall(r"(?<![\d.-])(20\d\d)(?![\d]|[-.]\d\d)", text))
    return int(years.pop()) if len(years) == 1 else None


def find_versions(text: str) -> Iterator[tuple[str, str]]:
    """Yield the versions in a text: their words and their label, "Rev. C" and "C"."""
    for match in _VERSION.finditer(text):
        label = match["label"] or match["count"]
        day = re.match(_DAY_MONTH, text[match.start() + match[0].rindex(label) :])
        is_day = day and day["month"].lower() in _MONTHS
        if not (is_day or find_dates(label) or _YEAR.fullmatch(label)):
            yield match[0], label


def _read_version(text: str) -> tuple[int | None, str | None] | None:
    """The number of the first version in a text, and its words where they are more than that."""
    for words, label in find_versions(text):
        numbers = re.sub(r"(?:[.-]0+)+$", "", _YEAR_BEFORE.sub("", label))
        issue = int(numbers) if numbers.isdecimal() else None
        is_told = issue is not None and not _YEAR_BEFORE.match(label)
        return issue, None if is_told else " ".join(re.sub(r"[:#_]", " ", words).split())
    return None


def _read_day(text: str, year: int) -> str | None:
    """The day after words such as "as of", which is printed without its year."""
    days = (f"{at['day']} {at['month']} {year}" for at in _DAY_OF_SEASON.finditer(text))
    return next((found for day in days for found in find_dates(day)), None)
