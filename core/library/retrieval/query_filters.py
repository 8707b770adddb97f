"""What a question names of the library: seasons, issues, days and rulebooks. It decides nothing about the scope."""

import calendar
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path

from core.library.spelling import UNITS
from core.library.types import Document, ScopeChoice

Span = tuple[int, int]

_YEAR = re.compile(
    rf"(?<![\w.,€$£/-])(?:19[5-9]|20[0-4])\d(?![\w/-]|[.,]\d)(?!\s?(?:{UNITS}|[%€$£°])(?!\w))",
    re.IGNORECASE,
)
_BEFORE = 40  # letters that are looked at before a number
_AMOUNT_BEFORE = re.compile(
    r"(?:\b(?:than|least|most|exceed(?:s|ed|ing)?|up to|maximum|minimum|max|min|above|below|over|about|"
    r"approximately|articles?|art|rule|clauses?|sections?|number|no|standard|usd|eur|gbp)\.?(?: of)?|[<>=≤≥])\s*$",
    re.IGNORECASE,
)
_YEAR_TO_YEAR = re.compile(r"(?<=\b(?:19|20)\d\d)\s?[/–-]\s?(?=(?:19|20)\d\d\b)")
_ISSUES = re.compile(
    r"\b(?:issues?|iss\.?)\s*(?:no\.?\s*|#\s*)?\d{1,3}(?![\d.])"
    r"(?:\s*(?:,|&|and|to|vs\.?|versus|or)\s*(?:issue\s*)?\d{1,3}(?![\d.]|\s?[a-z]{1,3}\b))*",
    re.IGNORECASE,
)
_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if number}
_LEAD = r"(?:(?P<lead>on|in|as of|as at|at|of|during|for)\s+(?:the\s+)?)?"
_DAY = re.compile(
    rf"\b{_LEAD}(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?P<month>{'|'.join(_MONTHS)})"
    r"(?:\s+(?P<day_after>\d{1,2})(?:st|nd|rd|th)?)?,?\s+(?P<year>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_ISO_DAY = re.compile(
    rf"\b{_LEAD}(?P<year>(?:19|20)\d\d)-(?P<month>[01]\d)-(?P<day>[0-3]\d)\b", re.IGNORECASE
)
_KIND = r"(?:sporting|technical|financial|operational|general)"
_KINDS = re.compile(
    rf"\b(?P<kinds>{_KIND}(?:\s*(?:,|and|or|&)\s*{_KIND})*)\s+(?:regulations?|regs?|rules|rulebooks?)\b",
    re.IGNORECASE,
)
_SECTION = re.compile(r"\bsection ([a-z])\b(?!\.?\d)", re.IGNORECASE)
_ORGANISATIONS = {"fia", "sae", "fim"}


@dataclass(frozen=True, slots=True)
class QueryFilters:
    """What a question names: choices whose documents together are meant, in words, and the question without them."""

    choices: tuple[ScopeChoice, ...]
    label: str
    remaining_text: str


@dataclass(frozen=True, slots=True)
class _Mention:
    """One thing named, where it stands, and the span that goes with it: a season (with the day, if one was said), an
    issue, or the families that a rulebook's name means."""

    position: int
    span: Span
    words: str
    season: int | None = None
    on: str | None = None
    issue: int | None = None
    families: frozenset[str] = frozenset()


def parse_query_filters(question: str, documents: Iterable[Document]) -> QueryFilters:
    """Read seasons, issues, days and rulebooks out of a question.

    A year is a season unless it is an amount ("2025 mm", "more than 2000"), an article or part of a deadline ("by 31
    March 2025"); a day ("on 16 March 2025") asks for what was in force then. Rulebooks are those of `documents`.
    Nothing named: no choices.
    """
    held = tuple(documents)
    # Where no document has a season, a year is part of a name ("Companies Regulations 2020").
    seasons = _seasons(question) if any(document.season for document in held) else []
    issues = _issues(question) if any(document.issue is not None for document in held) else []
    names, kinds = _names(question, held), _kinds(question, held)
    families = _meant(names, kinds, held)
    editions = _editions(seasons, issues) or ([ScopeChoice()] if families else [])
    choices = [wish for edition in editions for wish in _of_families(edition, families, held)]
    mentions = sorted([*seasons, *issues, *names, *kinds], key=lambda mention: mention.position)
    return QueryFilters(
        tuple(dict.fromkeys(choices)),
        ", ".join(
            dict.fromkeys(mention.words for mention in mentions if families or not mention.families)
        ),
        _without(question, [mention.span for mention in mentions]),
    )


def find_families(name: str, documents: Iterable[Document]) -> frozenset[str]:
    """The families of `documents` that a rulebook's name means: "the Technical Regulations"."""
    held = tuple(documents)
    return _families_of(_names(name, held), _kinds(name, held))


def series_of(family: str) -> frozenset[str]:
    """What tells a family's series from others, which its rulebooks of all kinds share: "f1" of "f1-sporting"."""
    return (
        frozenset(token for token in family.split("-") if not re.fullmatch(_KIND, token))
        - _ORGANISATIONS
    )


def find_series(text: str) -> frozenset[str]:
    """The series that a text calls by a name that is known, whether the library has them or not: "f1"."""
    names = {**_spoken(), **{token: token for token in _spoken().values()}}
    return frozenset(
        token
        for said, token in names.items()
        if re.search(rf"\b{re.escape(said)}\b", text, re.IGNORECASE)
    )


def _seasons(question: str) -> list[_Mention]:
    days = [
        (match, _iso(match)) for pattern in (_DAY, _ISO_DAY) for match in pattern.finditer(question)
    ]
    named = [
        _Mention(match.start(), match.span(), f"the day {day}", season=int(match["year"]), on=day)
        for match, day in days
        if match["lead"] and day
    ]
    dates = [range(*match.span()) for match, _ in days]
    # Of "2023-2024" both are seasons; the dash between them is what hides the second.
    text = _YEAR_TO_YEAR.sub(lambda match: " " * len(match[0]), question)
    years = [
        _Mention(match.start(), match.span(), f"season {match[0]}", season=int(match[0]))
        for match in _YEAR.finditer(text)
        if not _AMOUNT_BEFORE.search(text[max(0, match.start() - _BEFORE) : match.start()])
        and not any(match.start() in day for day in dates)
    ]
    return sorted(named + years, key=lambda mention: mention.position)


def _iso(match: re.Match[str]) -> str | None:
    """The day of a match, the last of the month where none is said; None where there is no such day."""
    groups = match.groupdict()
    year, month = int(groups["year"]), _MONTHS.get(groups["month"].lower()) or int(groups["month"])
    if not 1 <= month <= 12:
        return None
    last = calendar.monthrange(year, month)[1]
    day = int(groups["day"] or groups.get("day_after") or last)
    return date(year, month, day).isoformat() if 1 <= day <= last else None


def _issues(question: str) -> list[_Mention]:
    return [
        _Mention(
            match.start() + number.start(), match.span(), f"issue {number[0]}", issue=int(number[0])
        )
        for match in _ISSUES.finditer(question)
        for number in re.finditer(r"\d+", match[0])
    ]


def _editions(seasons: Sequence[_Mention], issues: Sequence[_Mention]) -> list[ScopeChoice]:
    """Seasons and issues as they belong together: one to one where they are as many, else to the nearest season."""
    if not seasons:
        return [ScopeChoice(issue=mention.issue) for mention in issues]
    of_season: dict[int, list[_Mention]] = {number: [] for number in range(len(seasons))}
    for number, mention in enumerate(issues):
        nearest = min(of_season, key=lambda n: abs(seasons[n].position - mention.position))
        of_season[number if len(issues) == len(seasons) else nearest].append(mention)
    return [
        ScopeChoice(season=seasons[number].season, on=seasons[number].on, issue=issue)
        for number, members in of_season.items()
        for issue in [mention.issue for mention in members] or [None]
    ]


def _names(question: str, documents: Sequence[Document]) -> list[_Mention]:
    """The words of the question that name a series, a section or a title of the documents."""
    slugs = {document.family for document in documents if document.family}
    patterns = [
        (pattern, {s for s in slugs if token in s.split("-")}) for token, pattern in _series(slugs)
    ]
    for document in documents:
        if document.family:
            patterns += [(pattern, {document.family}) for pattern in _titles(document.title)]
    found = [
        _Mention(
            match.start(), match.span(), " ".join(match[0].split()), families=frozenset(families)
        )
        for pattern, families in patterns
        for match in re.finditer(pattern, question, re.IGNORECASE)
    ]
    return [
        mention
        for mention in found
        if not any(_within(mention.span, other.span) for other in found)
    ]


def _within(span: Span, other: Span) -> bool:
    return span != other and other[0] <= span[0] and span[1] <= other[1]


def _kinds(question: str, documents: Sequence[Document]) -> list[_Mention]:
    """The words of the question that name a kind of rulebook which the documents have, "technical regulations"."""
    slugs = {document.family for document in documents if document.family}
    found = [
        _Mention(
            match.start(),
            match.span(),
            " ".join(match[0].split()),
            families=_of_kinds(match["kinds"], slugs),
        )
        for match in _KINDS.finditer(question)
    ]
    return [mention for mention in found if mention.families]


def _series(slugs: Iterable[str]) -> list[tuple[str, str]]:
    """Words that tell one series of rulebooks from another, with the pattern that finds each: "f1" in "f1-sporting"."""
    tokens = frozenset[str]().union(*map(series_of, slugs))
    plain = [(token, rf"\b{re.escape(token)}\b") for token in tokens if len(token) > 1]
    return plain + [
        (token, rf"\b{re.escape(name)}\b") for name, token in _spoken().items() if token in tokens
    ]


def _titles(title: str) -> list[str]:
    """Patterns that find a document by its title without the year, or by its section's letter."""
    bare = re.sub(r"\W*\b(?:19|20)\d\d\b\W*", " ", title).split()
    whole = [r"\b" + r"\s+".join(map(re.escape, bare)) + r"\b"] if len(bare) > 1 else []
    return whole + [rf"\bsection {match[1]}\b(?!\.?\d)" for match in _SECTION.finditer(title)]


def _of_kinds(words: str, slugs: Iterable[str]) -> frozenset[str]:
    kinds = set(re.findall(_KIND, words.lower()))
    return frozenset(slug for slug in slugs if kinds & set(slug.split("-")))


def _meant(
    names: Sequence[_Mention], kinds: Sequence[_Mention], documents: Sequence[Document]
) -> tuple[str, ...]:
    """The families that names and kinds together mean ("F1", "technical regulations": those of both), () for any."""
    meant = _families_of(names, kinds)
    return () if meant >= {document.family for document in documents} else tuple(sorted(meant))


def _families_of(names: Sequence[_Mention], kinds: Sequence[_Mention]) -> frozenset[str]:
    named, of_kind = (
        frozenset[str]().union(*(m.families for m in mentions)) for mentions in (names, kinds)
    )
    return (named & of_kind) or named or of_kind


def _of_families(
    edition: ScopeChoice, families: Sequence[str], documents: Sequence[Document]
) -> list[ScopeChoice]:
    """An edition of each of some families: of those that have it, or of all where none has."""
    having = {
        document.family
        for document in documents
        if edition.season in (None, document.season) and edition.issue in (None, document.issue)
    }
    asked = [family for family in families if family in having] or families
    return [replace(edition, family=family) for family in asked] or [edition]


def _without(question: str, spans: Iterable[Span]) -> str:
    kept = list(question)
    for start, end in spans:
        kept[start:end] = " " * (end - start)
    return " ".join("".join(kept).split())


@cache
def _spoken() -> dict[str, str]:
    """What people call rulebooks, and the part of a family's slug that each means."""
    data = (Path(__file__).parent / "words.toml").read_text(encoding="utf-8")
    return dict(tomllib.loads(data)["names"])
