"""Read seasons, issues, days and rulebooks out of a question; the scope is resolved elsewhere."""

import calendar
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from core.grammar import SERIES, UNITS, load_months
from core.library.types import Document, ScopeChoice, series_of, series_tokens, version_parts
from core.rulebook import find_versions

_YEAR = re.compile(
    rf"(?<![\w.,€$£/-])(?:19[5-9]|20[0-4])\d(?![\w/-]|[.,]\d)(?!\s?(?:{UNITS.sure})(?!\w))",
    re.IGNORECASE,
)
# Characters before a number that are searched for _AMOUNT_BEFORE. With all before it, a text of a
# thousand numbers would be searched a thousand times.
_AMOUNT_CONTEXT = 40
_AMOUNT_BEFORE = re.compile(
    r"(?:\b(?:than|least|most|exceed(?:s|ed|ing)?|up to|maximum|minimum|max|min|above|below|over|"
    rf"about|approximately|articles?|art|rule|clauses?|sections?|number|no|standard|{UNITS.currency})"
    r"\.?(?: of)?|[<>=≤≥])\s*$",
    re.IGNORECASE,
)
_YEAR_TO_YEAR = re.compile(r"(?<=\b(?:19|20)\d\d)\s?[/–-]\s?(?=(?:19|20)\d\d\b)")
_ISSUES = re.compile(
    r"\b(?:issues?|iss\.?)\s*(?:no\.?\s*|#\s*)?\d{1,3}(?![\d.])"
    r"(?:\s*(?:,|&|and|to|vs\.?|versus|or)\s*(?:issue\s*)?\d{1,3}(?![\d.]|\s?[a-z]{1,3}\b))*",
    re.IGNORECASE,
)
_MONTHS = {name.casefold(): number for name, number in load_months().items()}
_LEAD = (
    r"(?:(?P<lead>on|in|as of|as at|at|of|during|for|am|im|per|stand|(?<!avant )le|en)"
    r"\s+(?:the\s+)?)?"
)
_DAY = re.compile(
    rf"\b{_LEAD}(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s+(?:of\s+)?)?"
    rf"(?P<month>{'|'.join(_MONTHS)})"
    r"(?:\s+(?P<day_after>\d{1,2})(?:st|nd|rd|th)?)?,?\s+(?P<year>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_ISO_DAY = re.compile(
    rf"\b{_LEAD}(?P<year>(?:19|20)\d\d)-(?P<month>[01]\d)-(?P<day>[0-3]\d)\b", re.IGNORECASE
)
_BOOK = (
    r"(?:regulations?|regs?|rules?|rulebooks?|handbooks?|editions?|issues?|versions?|seasons?|codes?"
    r"|reglements?|ausgaben?|regeln|règlements?|éditions?|saisons?)"
)
_BOOK_BEFORE = re.compile(rf"(?i)\b{_BOOK}\s+(?:(?:of|for|from|in|von|de)\s+)?(?:the\s+)?$")
_BOOK_BEHIND = re.compile(rf"(?i)\s+(?:[^\W\d_]+\s+){{0,3}}?{_BOOK}\b")
_FROM = re.compile(r"(?i)(?:^|[.?!,;:]\s+)(?:from|as of|starting in|ab|à partir de|dès)\s+$")
"""Before a year that is the time of what is asked, and of no edition: "From 2029 ..."."""
_KIND = r"(?:sporting|technical|financial|operational|general)"
_KINDS = re.compile(
    rf"\b(?P<kinds>{_KIND}(?:\s*(?:,|and|or|&)\s*{_KIND})*)"
    r"\s+(?:regulations?|regs?|rules|rulebooks?)\b",
    re.IGNORECASE,
)
_SECTION = re.compile(r"\bsection ([a-z])\b(?!\.?\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class QueryFilters:
    """Scope choices a question names (their union is meant), a label, and the question without."""

    choices: tuple[ScopeChoice, ...]
    label: str
    remaining_text: str


@dataclass(frozen=True, slots=True)
class _Mention:
    """One name in a question: a season or day, an issue, or the families of a rulebook.

    `span` is removed from the question; `position` lies within it and orders mentions.
    """

    position: int
    span: tuple[int, int]
    words: str
    season: int | None = None
    on: str | None = None
    issue: int | None = None
    families: frozenset[str] = frozenset()


def parse_query_filters(question: str, documents: Iterable[Document]) -> QueryFilters:
    """Return the seasons, issues, days and rulebooks (of `documents`) that a question names.

    A year is a season unless it is an amount ("2025 mm", "more than 2000"), an article or part
    of a deadline ("by 31 March 2025"). A day ("on 16 March 2025") selects what was in force then.
    A question that names nothing has no choices.
    """
    known = tuple(documents)
    seasons, issues = _find_editions(question, known)
    names, kinds = _find_names(question, known), _find_kinds(question, known)
    families = _combine_families(names, kinds) - _unnamed_samples(names, known)
    if families >= {document.family for document in known}:
        families = frozenset()  # all of them are no restriction
    editions = _pair_editions(seasons, issues) or ([ScopeChoice()] if families else [])
    split = (_split_by_family(edition, sorted(families), known) for edition in editions)
    choices = tuple(dict.fromkeys(chain.from_iterable(split)))
    mentions = sorted([*seasons, *issues, *names, *kinds], key=lambda mention: mention.position)
    words = [mention.words for mention in mentions if families or not mention.families]
    if versions := _find_versions(question, known, choices):
        choices = tuple(ScopeChoice(document=document_id) for document_id in versions)
        words += versions.values()
    return QueryFilters(choices, ", ".join(dict.fromkeys(words)), _cut_out(mentions, question))


def _find_versions(
    question: str, documents: Sequence[Document], choices: Sequence[ScopeChoice]
) -> dict[str, str]:
    """Return the ids of the documents of a printed version ("Rev. C") that a question names.

    They are of the seasons and families that it names too, if any. A number alone is an issue, or
    no version: "release 2 belts".
    """
    versions = [found for found in find_versions(question) if not found[1].isdecimal()]
    named = {version_parts(label): words for words, label in versions}
    return {
        document.document_id: named[parts]
        for document in documents
        if document.version and (parts := version_parts(document.version)) in named
        if not choices
        or any(
            one.season in (None, document.season) and one.family in (None, document.family)
            for one in choices
        )
    }


def _cut_out(mentions: Iterable[_Mention], question: str) -> str:
    """The words of a question around what it names."""
    rest = list(question)
    for mention in mentions:
        start, end = mention.span
        rest[start:end] = " " * (end - start)
    return " ".join("".join(rest).split())


def find_families(name: str, documents: Iterable[Document]) -> frozenset[str]:
    """Return the families of `documents` that a name ("the Technical Regulations") means."""
    known = tuple(documents)
    names = _find_names(name, known)
    return _combine_families(names, _find_kinds(name, known)) - _unnamed_samples(names, known)


def _unnamed_samples(names: Sequence[_Mention], documents: Sequence[Document]) -> frozenset[str]:
    """The families of invented series that nothing names, where others are held.

    A kind of document ("technical regulations") names no series.
    """
    samples = frozenset(document.family or "" for document in documents if document.is_sample)
    if all(document.is_sample for document in documents):
        return frozenset()
    return samples.difference(*(mention.families for mention in names))


def find_missing_series(text: str, documents: Iterable[Document]) -> tuple[str, ...]:
    """Return the names of series in a text, where no document is of one of those series."""
    titles = (f"{document.title} {document.family or ''}" for document in documents)
    held = " ".join(titles).replace("-", " ")
    named = SERIES.find(text)
    return () if any(SERIES.is_named(slug, held) for slug in named) else tuple(named.values())


def find_missing_editions(text: str, documents: Iterable[Document]) -> tuple[str, ...]:
    """Return the series and seasons that a text names and no document is of.

    A year that only says from when on something is asked names none.
    """
    known = tuple(documents)
    held = {document.season for document in known} - {None}
    seasons = (
        one.words
        for one in (_find_seasons(text) if held else ())
        if one.season not in held and not _FROM.search(text[: one.span[0]])
    )
    return (*find_missing_series(text, known), *dict.fromkeys(seasons))


def _find_editions(
    question: str, documents: Sequence[Document]
) -> tuple[list[_Mention], list[_Mention]]:
    """Find seasons and issues, of which the documents must have some.

    If no document has a season, a year is part of a name ("Companies Regulations 2020"). A season
    that none has counts beside a word for a document, or beside one that counts.
    """
    held = {document.season for document in documents} - {None}
    have_issues = any(document.issue is not None for document in documents)
    seasons = _find_seasons(question) if held else []
    if not any(_is_of_document(one, question, held) for one in seasons):
        seasons = []
    return seasons, _find_issues(question) if have_issues else []


def _is_of_document(season: _Mention, question: str, held: Collection[int | None]) -> bool:
    """True of a day, and of a year of a held document or beside a word for one."""
    before, behind = question[: season.span[0]], question[season.span[1] :]
    is_of_book = _BOOK_BEFORE.search(before) or _BOOK_BEHIND.match(behind)
    is_edition = season.season in held and not _FROM.search(before)
    return bool(season.on or is_of_book or is_edition)


def _find_seasons(question: str) -> list[_Mention]:
    days = [match for pattern in (_DAY, _ISO_DAY) for match in pattern.finditer(question)]
    mentions = [
        _Mention(at.start(), at.span(), f"the day {day}", season=int(at["year"]), on=day)
        for at in days
        if at["lead"] and (day := _parse_day(at))
    ]
    # Both years of "2023-2024" are seasons, but _YEAR finds no year beside a dash.
    text = _YEAR_TO_YEAR.sub(lambda match: " " * len(match[0]), question)
    mentions += [
        _Mention(match.start(), match.span(), f"season {match[0]}", season=int(match[0]))
        for match in _YEAR.finditer(text)
        if not _AMOUNT_BEFORE.search(text[max(0, match.start() - _AMOUNT_CONTEXT) : match.start()])
        and not any(day.start() <= match.start() < day.end() for day in days)
    ]
    return sorted(mentions, key=lambda mention: mention.position)


def _parse_day(match: re.Match[str]) -> str | None:
    """Return the ISO date of a match (default: last of the month), None if there is none."""
    groups = match.groupdict()
    year, month = int(groups["year"]), _MONTHS.get(groups["month"].lower()) or int(groups["month"])
    try:
        last = calendar.monthrange(year, month)[1]
        return date(year, month, int(groups["day"] or groups.get("day_after") or last)).isoformat()
    except ValueError:
        return None


def _find_issues(question: str) -> list[_Mention]:
    return [
        _Mention(match.start() + digits.start(), match.span(), f"issue {number}", issue=number)
        for match in _ISSUES.finditer(question)
        for digits in re.finditer(r"\d+", match[0])
        for number in [int(digits[0])]
    ]


def _pair_editions(seasons: Sequence[_Mention], issues: Sequence[_Mention]) -> list[ScopeChoice]:
    """Pair issues with seasons: one to one if equally many, otherwise with the nearest."""
    if not seasons:
        return [ScopeChoice(issue=mention.issue) for mention in issues]
    grouped: list[list[int | None]] = [[] for _ in seasons]
    for number, mention in enumerate(issues):
        distances = [abs(season.position - mention.position) for season in seasons]
        one_to_one = len(issues) == len(seasons)
        grouped[number if one_to_one else distances.index(min(distances))].append(mention.issue)
    return [
        ScopeChoice(season=season.season, on=season.on, issue=issue)
        for season, numbers in zip(seasons, grouped, strict=True)
        for issue in numbers or [None]
    ]


def _find_names(question: str, documents: Sequence[Document]) -> list[_Mention]:
    """Find series, sections and titles of the documents; the longest of names within each other."""
    mentions = [
        _Mention(match.start(), match.span(), " ".join(match[0].split()), families=families)
        for pattern, families in _name_patterns(
            tuple((one.title, one.family or "") for one in documents)
        )
        for match in pattern.finditer(question)
    ]
    spans = {mention.span for mention in mentions}
    return [
        mention
        for mention in mentions
        if not any(
            start <= mention.span[0] and mention.span[1] <= end
            for start, end in spans - {mention.span}
        )
    ]


@lru_cache(maxsize=256)
def _name_patterns(
    documents: tuple[tuple[str, str], ...],
) -> tuple[tuple[re.Pattern[str], frozenset[str]], ...]:
    """Return patterns for series, sections and titles, each with the families that it names.

    `documents` are titles with their families.
    """
    slugs = {family for _, family in documents if family}
    tokens = frozenset[str]().union(*map(series_of, slugs))
    codes = SERIES.codes & slugs  # which every series is under
    patterns = [
        (rf"\b{re.escape(name)}\b", codes | frozenset(s for s in slugs if token in s.split("-")))
        for name, slug in SERIES.names.items()
        if (token := slug.rpartition("-")[2]) in tokens
    ]
    for title, family in documents:
        if family:
            families = frozenset({family})
            # The title without its year, and its section's letter.
            words = re.sub(r"\W*\b(?:19|20)\d\d\b\W*", " ", title).split()
            if len(words) > 1:
                whole = r"\s+".join(map(re.escape, words))
                patterns.append((rf"\b{whole}\b", families))
            for section in _SECTION.finditer(title):
                patterns.append((rf"\bsection {section[1]}\b(?!\.?\d)", families))
            patterns += _series_patterns(title, family, slugs)
    return tuple((re.compile(one, re.IGNORECASE), families) for one, families in patterns)


def _series_patterns(
    title: str, family: str, slugs: Collection[str]
) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield patterns for the beginnings of a series' name that name it, with their families.

    One word names it alone if it is all of the name, or an abbreviation: "main" and "student" are
    words of any question.
    """
    tokens = series_tokens(family)
    initials = {word.casefold() for word in re.findall(r"\b[A-Z]{2,}\b", title)}
    alone = tokens[:1] == tokens or bool(tokens and tokens[0] in initials)
    for size in range(1 if alone else 2, len(tokens) + 1):
        pattern = r"\W+".join(map(re.escape, tokens[:size]))
        families = (slug for slug in slugs if tokens[:size] == series_tokens(slug)[:size])
        yield rf"\b{pattern}\b", frozenset(families)


def _find_kinds(question: str, documents: Sequence[Document]) -> list[_Mention]:
    """Find kinds of rulebook that the documents have: "technical regulations"."""
    slugs = {document.family for document in documents if document.family}
    mentions = []
    for match in _KINDS.finditer(question):
        kinds = set(re.findall(_KIND, match["kinds"].lower()))
        if families := frozenset(slug for slug in slugs if kinds & set(slug.split("-"))):
            words = " ".join(match[0].split())
            mentions.append(_Mention(match.start(), match.span(), words, families=families))
    return mentions


def _combine_families(names: Sequence[_Mention], kinds: Sequence[_Mention]) -> frozenset[str]:
    """Intersect the families of names and kinds ("F1", "technical regulations") if both occur."""
    by_name, by_kind = (
        frozenset[str]().union(*(mention.families for mention in mentions))
        for mentions in (names, kinds)
    )
    return (by_name & by_kind) or by_name or by_kind


def _split_by_family(
    edition: ScopeChoice, families: Sequence[str], documents: Sequence[Document]
) -> list[ScopeChoice]:
    """Return an edition once for each family that has it, or for every family if none has."""
    having = {
        document.family
        for document in documents
        if edition.season in (None, document.season) and edition.issue in (None, document.issue)
    }
    selected = [family for family in families if family in having] or families
    return [replace(edition, family=family) for family in selected] or [edition]


@cache
def load_vocabulary() -> dict[str, Any]:
    """Return the tables of words.toml: `synonyms`."""
    return tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
