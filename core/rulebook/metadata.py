"""What a document is: family, season, issue, date and language, with where each was read.

Title page first, then running headers and footers, then metadata, then the file's name. What is nowhere stays None.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median
from typing import TypeVar

from core.rulebook.layout.blocks import Line, Page, Table
from core.rulebook.layout.ligatures import load_english_dictionary
from core.rulebook.layout.text import line_text
from core.rulebook.types import Identity, ReadingWarning

_MONTHS = {
    month: number
    for number, names in enumerate(
        (
            "january janvier januar jan",
            "february février februar feb",
            "march mars märz mar",
            "april avril apr",
            "may mai",
            "june juin juni jun",
            "july juillet juli jul",
            "august août aug",
            "september septembre sept sep",
            "october octobre oktober oct",
            "november novembre nov",
            "december décembre dezember dec",
        ),
        start=1,
    )
    for month in names.split()
}
_WORDED = re.compile(
    r"\b(\d{1,2})(?:st|nd|rd|th|er)?\s+([A-Za-zéûä]{3,9})\.?,?\s+((?:19|20)\d\d)\b"
)
_AMERICAN = re.compile(r"\b([A-Z][a-z]{2,8})\.?\s+(\d{1,2}),\s+((?:19|20)\d\d)\b")
_ISO = re.compile(r"\b((?:19|20)\d\d)[-_.](0\d|1[0-2])[-_.]([0-2]\d|3[01])(?!\d)")
_SLASHED = re.compile(r"\b([0-3]?\d)[/.]([01]?\d)[/.]((?:19|20)\d\d)\b")
_ISSUE = re.compile(
    r"\b(?:issue|iss|edition|version)[\s._:-]{0,3}0*(\d{1,3})(?!\d|\.\d*[1-9])", re.IGNORECASE
)
_YEAR = re.compile(r"(?<!\d)(20\d\d)(?!\d)")
_KIND = re.compile(r"\b(?:regulations?|rules|provisions|code|règlements?|règles)\b", re.IGNORECASE)
_STOP_WORDS = {
    "en": "the of and to in is be that for shall with not must may are this by from",
    "fr": "le la les des et du une est que dans pour par sur qui ou au aux ne pas",
    "de": "der die das und den von zu mit ist im des nicht für auf ein eine sich",
    "es": "el los las y del que en una para por con se no su al como",
    "it": "il di che la per del una gli con non della nel dei alla sono",
    "pt": "o os das dos que em para uma com não por da do ao se",
    "el": "και του της το να η των την τον με σε που από για τα",
}


_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class _Name:
    """Words that tell a family: all of `words` in the title, in any order."""

    words: tuple[str, ...]
    slug: str


# What publishers call the same thing over the years. The rule below needs none of it for other families.
_SERIES = (
    _Name(("formula", "one"), "f1"),
    _Name(("formula", "1"), "f1"),
    _Name(("f1",), "f1"),
    _Name(("formula", "2"), "f2"),
    _Name(("formula", "3"), "f3"),
    _Name(("formula", "sae"), "fsae"),
    _Name(("international", "sporting", "code"), "fia-isc"),
)
_WHOLE = {"fsae", "fia-isc"}
_KINDS = ("sporting", "technical", "financial", "operational", "general")
_DROPPED = {
    "fia",
    "the",
    "cup",
    "championship",
    "regulations",
    "regulation",
    "rules",
    "section",
    "of",
    "for",
    "and",
}


@dataclass(frozen=True, slots=True)
class MetadataSources:
    """Where identity may be read: title page lines, running lines, metadata, file name."""

    title_page: Sequence[Line]
    running_lines: Sequence[str]
    pdf_metadata: Mapping[str, str]
    file_name: str


def read_identity(
    clues: MetadataSources, language: str | None
) -> tuple[Identity, list[ReadingWarning]]:
    """The identity of a document and a warning for each part that could not be read."""
    texts = list(_texts(clues))
    title, title_from = _title(clues, language)
    season, season_from = _first(texts, _season)
    if season is None:
        season, season_from = _first(texts[2:], _season_in_name)
    issue, issue_from = _first(texts, _issue)
    published, date_from = _date(texts)
    family, family_from = family_from_title(title), title_from
    if family is None:
        family, family_from = _first(texts, family_from_title)
    sources = {
        "title": title_from,
        "family": family_from,
        "season": season_from,
        "issue": issue_from,
        "date": date_from,
    }
    told = {name: source for name, source in sources.items() if source}
    identity = Identity(title, family, season, issue, published, language, told)
    return identity, list(_unread(identity))


def _first(
    texts: Sequence[tuple[str, str]], read: Callable[[str], _Value | None]
) -> tuple[_Value | None, str]:
    """What `read` finds in the most trusted text, and where that was."""
    for source, text in texts:
        value = read(text)
        if value is not None:
            return value, source
    return None, ""


def _date(texts: Sequence[tuple[str, str]]) -> tuple[str | None, str]:
    """The date that most sources give; among equals the first of the most trusted one."""
    found = [(source, day) for source, text in texts for day in dict.fromkeys(find_dates(text))]
    counts = Counter(day for _, day in found)
    best = max((day for _, day in found), key=lambda day: counts[day], default=None)
    return best, next((source for source, day in found if day == best), "")


def detect_language(text: str) -> str | None:
    """The ISO 639 code of a text's language by its commonest words; None where there are too few of them."""
    words = re.findall(r"[^\W\d_]+", text.lower())[:4_000]
    counts = {code: sum(word in common for word in words) for code, common in _COMMON.items()}
    best = max(counts, key=lambda code: counts[code])
    return best if counts[best] >= max(2, 0.05 * len(words)) else None


_COMMON = {code: frozenset(words.split()) for code, words in _STOP_WORDS.items()}


def find_dates(text: str) -> list[str]:
    """The days in a text as YYYY-MM-DD, those written with the month's name first."""
    found = []
    for day, month, year in _WORDED.findall(text):
        found.append((year, _MONTHS.get(month.lower()), day))
    for month, day, year in _AMERICAN.findall(text):
        found.append((year, _MONTHS.get(month.lower()), day))
    found += [(year, int(month), day) for year, month, day in _ISO.findall(text)]
    found += [(year, int(month), day) for day, month, year in _SLASHED.findall(text)]
    return [
        iso for year, month, day in found if month and (iso := _iso(int(year), month, int(day)))
    ]


def _iso(year: int, month: int, day: int) -> str | None:
    """A day as YYYY-MM-DD; None where the calendar has none."""
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def family_from_title(title: str) -> str | None:
    """A slug that stays the same over the years, from the words of a title; None where it tells no kind of rules."""
    if not _KIND.search(title):
        return None
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z]+|\d+", plain)
    kind = next((kind for kind in _KINDS if kind in words), "")
    if series := _series_of(title):
        return series if series in _WHOLE or not kind else f"{series}-{kind}"
    own = [
        w
        for w in words
        if not w.isdigit()
        and w not in _DROPPED
        and w not in _KINDS
        and w != "provisions"
        and len(w) > 1
    ]
    slug = "-".join([*own[:3], kind] if kind else own[:4])
    return slug or None


def _series_of(title: str) -> str | None:
    words = re.findall(r"[a-z]+\d?|\d+", title.lower())
    return next((name.slug for name in _SERIES if all(word in words for word in name.words)), None)


def _texts(clues: MetadataSources) -> Iterable[tuple[str, str]]:
    yield "title page", " \n".join(line_text(line) for line in clues.title_page)
    yield (
        "running header",
        " \n".join(text.replace("\t", " \n") for text in clues.running_lines[:6]),
    )
    yield "metadata", clues.pdf_metadata.get("Title", "")
    yield "file name", re.sub(r"[_]+", " ", clues.file_name.rsplit(".", 1)[0])


def _title(clues: MetadataSources, language: str | None) -> tuple[str, str]:
    """The largest print of the title page that names a kind of rules, else a running line, metadata, file name.

    A running line that also names the year is taken before a title that leaves out what the rules are of.
    """
    lines = [
        line
        for line in clues.title_page
        if _KIND.search(line_text(line)) and _stands_out(line, clues.title_page)
    ]
    parts = [
        part
        for text in clues.running_lines
        for part in text.split("\t")
        if _KIND.search(part) and len(part) < 120
    ]
    running = max(
        parts,
        key=lambda part: (bool(_YEAR.search(part)), _series_of(part) is not None),
        default=None,
    )
    if lines:
        largest = max(line.size for line in lines)
        largest_lines = [line for line in lines if line.size > largest - 0.6]
        choose = language == "en" and len(largest_lines) > 1
        best = max(
            largest_lines,
            key=lambda line: (_share_of_english(line_text(line)) if choose else 0, -line.top),
        )
        title = (
            line_text(best) if len(largest_lines) > 1 else _with_neighbours(best, clues.title_page)
        )
        if (
            running
            and not (_YEAR.search(title) and family_from_title(title))
            and _YEAR.search(running)
            and family_from_title(running)
        ):
            return _readable(running), "running header"
        return _readable(title), "title page"
    if running:
        return _readable(running), "running header"
    if title := clues.pdf_metadata.get("Title", "").strip():
        return _readable(re.sub(r"^Microsoft Word - ", "", title)), "metadata"
    large = max(clues.title_page, key=lambda line: line.size, default=None)
    if large is not None and 4 < len(line_text(large)) < 120:
        return _readable(line_text(large)), "title page"
    return re.sub(r"[_-]+", " ", clues.file_name.rsplit(".", 1)[0]).strip(), "file name"


def _stands_out(line: Line, page: Sequence[Line]) -> bool:
    """Larger, bolder or in capitals: a heading, not a line of a sentence."""
    text = line_text(line)
    usual = median(other.size for other in page)
    bold = all(span.style.bold for span in line.spans if span.text.strip())
    return (
        len(text) < 120
        and (line.size > 1.04 * usual or bold or text.isupper())
        and not text.endswith((",", ";"))
    )


def _share_of_english(text: str) -> float:
    words = re.findall(r"[^\W\d_]{3,}", text)
    return sum(load_english_dictionary()(word) for word in words) / max(len(words), 1)


def _with_neighbours(best: Line, lines: Sequence[Line]) -> str:
    """Lines of the same large print around the best one: a title may be set in several."""
    same = [
        line
        for line in lines
        if abs(line.size - best.size) < 0.6 and abs(line.top - best.top) < 6 * best.size
    ]
    text = (
        " ".join(line_text(line) for line in same)
        if len(same) <= 3 and best.size > 12.5
        else line_text(best)
    )
    return text if len(text) < 120 else line_text(best)


def _readable(title: str) -> str:
    """A title in capitals in readable case; years, codes and small words keep theirs."""
    title = " ".join(title.split()).strip(" -–—:")
    if not title.isupper():
        return title
    words = [
        word if re.search(r"\d", word) or word in ("FIA", "SAE", "ISC") else word.capitalize()
        for word in title.split()
    ]
    return " ".join(
        w.lower() if w in ("Of", "The", "And", "For", "On") and i else w
        for i, w in enumerate(words)
    )


def _season(text: str) -> int | None:
    """The year before or after the name of the rules, else none: years stand in dates and references too."""
    before = re.search(
        rf"(?<![/.\d]){_YEAR.pattern}[^\S\n]+[\w ®™&-]{{0,60}}?{_KIND.pattern}", text, re.IGNORECASE
    )
    after = re.search(rf"{_KIND.pattern}[\w ®™()–-]{{0,12}}?{_YEAR.pattern}", text, re.IGNORECASE)
    found = before or after
    return int(found[1]) if found else None


def _season_in_name(text: str) -> int | None:
    """A year that stands alone in a short name, not in a date."""
    years = set(re.findall(r"(?<![\d.-])(20\d\d)(?![\d]|[-.]\d\d)", text))
    return int(years.pop()) if len(years) == 1 else None


def _issue(text: str) -> int | None:
    found = _ISSUE.search(text)
    return int(found[1]) if found else None


def _unread(identity: Identity) -> Iterable[ReadingWarning]:
    for name, value in (
        ("family", identity.family),
        ("season", identity.season),
        ("issue", identity.issue),
    ):
        if value is None:
            yield ReadingWarning(
                f"{name}_unread",
                None,
                f"The {name} could not be read from the document: give it on the library page.",
            )


def title_page_lines(pages: Sequence[Page]) -> list[Line]:
    """The lines of the first page with text, table cells included, and of the second where the first is bare."""
    lines: list[Line] = []
    for page in pages[:2]:
        for block in page.blocks:
            if isinstance(block, Line):
                lines.append(block)
            elif isinstance(block, Table):
                lines.extend(block.lines)
        if len(lines) >= 6:
            break
    return [line for line in lines if line_text(line)]
