"""A sheet of values checked against registers of limits: a verdict for each row and rulebook.

A verdict is said only where one rule is very likely meant, by its words and the size of the value,
and its condition is told; else the row says what is missing. Meaning counts for values of questions
alone: a sheet has the same verdicts at once and everywhere, whether or not vectors have been made.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import log
from typing import Literal

from core.grammar import OPEN_CHOICE, find_quantities, format_quantity
from core.registers import Limit, RowLink
from core.sheets.limit_confidence import MAX_FACTOR, sum_odds
from core.sheets.limit_search import Candidate, LimitIndex, Match, ParameterWord
from core.sheets.row_conditions import find_missing_condition, is_in_band
from core.sheets.sheet_amounts import (
    Amount,
    compute_margin,
    is_ambiguous,
    parse_amount,
    parse_value,
)

SheetVerdict = Literal["legal", "not legal", "cannot tell", "no rule"]
SURE = 0.9
"""The probability from which the limits that decide so are taken to be meant."""
MIN_ODDS = 0.25
"""How many times as likely as none some limit has to be, that a rule is said to be on it at all."""
CLOSE = 0.2
"""Part of the best limit's probability from which another may be meant too."""
MAX_NAMED = 3
"""Articles that are named where none is plainly meant."""
BESIDE = 0.05
"""Part of it from which another of the best limit's own clause may be meant too."""

COLUMNS = ("id", "parameter", "value", "unit", "note")
"""The columns of a sheet."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A value of a team's sheet, in its own words."""

    id: str
    parameter: str
    value: str
    unit: str = ""
    note: str = ""
    decimal_comma: bool = False

    @property
    def cells(self) -> dict[str, str]:
        """Its cells by the columns of a sheet."""
        return {name: getattr(self, name) for name in COLUMNS}

    @property
    def key(self) -> str:
        """What is the same in the next issue of the sheet: the parameter's words, folded."""
        return " ".join(self.parameter.casefold().split())

    @property
    def text(self) -> str:
        """All that it says beside its value."""
        return f"{self.parameter}; {self.note}"

    @property
    def subject(self) -> str:
        """The parameter without conditions that are amounts: "bleed resistor, 48 V pack"."""
        first, *more = self.parameter.split(",")
        return ",".join((first, *(part for part in more if not find_quantities(part))))

    @property
    def remarks(self) -> str:
        """The note, and the conditions of the parameter."""
        conditions = filter(find_quantities, self.parameter.split(",")[1:])
        return ", ".join((*conditions, self.note))


@dataclass(frozen=True, slots=True)
class SheetResult:
    """The verdict on a row by one rulebook. `missing` says what would decide it."""

    id: str
    verdict: SheetVerdict
    limits: tuple[Limit, ...] = ()
    articles: tuple[str, ...] = ()
    margin: str = ""
    missing: str = ""
    links: tuple[RowLink, ...] = ()
    """The rows of tables that lead to the limits."""
    probability: float = 0.0
    """The probability that the limits are meant, 0 to 1."""

    @property
    def limit(self) -> str:
        """The limits, as people write them."""
        return " or ".join(dict.fromkeys(map(str, self.limits)))


def check_row(
    row: SheetRow, index: LimitIndex, chosen: Mapping[str, str] | None = None
) -> SheetResult:
    """Check a row against a register.

    `chosen` are the articles that a person picked for parameters, by `SheetRow.key`.
    """
    if row.value.startswith("="):
        return _undecided(row, (), "its value: a formula is not computed, write the number")
    if is_ambiguous(row.value, row.decimal_comma):
        sign = "point" if row.decimal_comma else "comma"
        return _undecided(
            row, (), f"whether {row.value} is a thousand or a decimal: write no {sign}"
        )
    value = parse_value(row.value, row.decimal_comma)
    if value is None:
        return SheetResult(row.id, "no rule", missing="a number: limits are checked, words are not")
    amount = parse_amount(value, row.unit)
    if amount is None:
        return _undecided(row, (), f"a known unit: {row.unit!r} is none")
    return check_amount(row, amount, index, (chosen or {}).get(row.key, ""))


def check_amount(
    row: SheetRow,
    amount: Amount,
    index: LimitIndex,
    picked: str = "",
    column: tuple[int, int] | None = None,
    sure: float = SURE,
    question: str = "",
) -> SheetResult:
    """Check the value of a row, which is read, against a register.

    `picked` is the article that a person picked. `column` is the place of the value, and their
    number, where several are written as one size. `sure` is the probability from which limits are
    taken to be meant. `question` is the sentence that asks, where the row is a value of one.
    """
    if picked:
        matches = index.of_article(amount, picked)
        if not matches:
            return _undecided(row, (), f"a value that Article {picked} limits, in its unit")
    else:
        matches = index.find(amount, row.subject, row.remarks, column, question)
    if not picked and sum_odds(one.log_odds for one in matches) < MIN_ODDS:
        return _check_measure(row, index.find_of_measure(amount, row.subject))
    said = (*index.words_of(row.subject), *index.words_of(row.remarks))
    least = 0.0 if picked else sure
    return _decide(row, amount, matches, said, index, least)


def check_sheet(
    rows: Iterable[SheetRow],
    indexes: Mapping[str, LimitIndex],
    chosen: Mapping[str, Mapping[str, str]] | None = None,
) -> Iterator[tuple[str, SheetResult]]:
    """Yield the results of all rows, each with the id of its document.

    `chosen` are for each document the articles that a person picked, as in `check_row`.
    """
    for row in rows:
        for document_id, index in indexes.items():
            yield document_id, check_row(row, index, (chosen or {}).get(document_id))


def uncovered_limits(limits: Iterable[Limit], results: Iterable[SheetResult]) -> list[Limit]:
    """Return the limits in force that no row answers."""
    answered = {limit for result in results for limit in result.limits}
    return [limit for limit in limits if limit.in_force and limit not in answered]


def _check_measure(row: SheetRow, candidates: Sequence[Candidate]) -> SheetResult:
    """Return that no rule has the words of a row; where few are on what it measures, which ones:
    a rulebook with one limit of a power limits "tractive system power" by it, or not at all.
    """
    articles = _articles(candidates)
    if not 0 < len(articles) <= MAX_NAMED:
        return SheetResult(row.id, "no rule", missing="a rule on it: none has these words and unit")
    return _undecided(row, candidates, f"whether one of these is on it: {', '.join(articles)}")


def _undecided(row: SheetRow, candidates: Sequence[Candidate], missing: str) -> SheetResult:
    limits = tuple(dict.fromkeys(one.limit for one in candidates))
    return SheetResult(
        row.id, "cannot tell", limits, _articles(candidates), "", missing, _links(candidates)
    )


def _articles(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(article for one in candidates for article in one.articles))


def _links(candidates: Sequence[Candidate]) -> tuple[RowLink, ...]:
    return tuple(dict.fromkeys(one.link for one in candidates if one.link))


def _decide(
    row: SheetRow,
    amount: Amount,
    matches: Sequence[Match],
    said: Sequence[ParameterWord],
    index: LimitIndex,
    least: float,
) -> SheetResult:
    """Decide a row by the limits that are meant with a probability of at least `least`; 0 for those
    of an article that a person picked.
    """
    applying = [one for one in matches if is_in_band(row.text, one.candidate.limit) is not False]
    if not applying:
        return _undecided(row, [one.candidate for one in matches[:3]], "a rule for this condition")
    close = _select_close(applying)
    candidates = _add_other_ends([one.candidate for one in close], applying)
    verdicts, is_alike = _weigh(amount, candidates, index)
    missing = find_missing_condition(row.text, candidates, said, not least, is_alike)
    if any(OPEN_CHOICE.search(f"{one.limit.lead} {one.limit.quote}") for one in candidates):
        missing = missing or "the other amount, of which the rule takes one"
    if least and len(verdicts) == 1:
        missing = missing or _find_doubt(close) or (_ask_clause(close) if True in verdicts else "")
    rivals = [one for one in applying if not _is_of_other_rule(one, close)]
    sure = max(_estimate(amount, rivals, one) for one in verdicts)
    if len(verdicts) == 1 and sure < least:
        found = _articles([one.candidate for one in applying])[:MAX_NAMED]
        missing = missing or f"which rule is meant: perhaps {', '.join(found)}"
    if missing or len(verdicts) > 1:
        return _undecided(row, candidates, missing or _ask_which(candidates))
    return replace(_conclude(row, amount, candidates, verdicts.pop()), probability=sure)


def _find_doubt(close: Sequence[Match]) -> str:
    """Return the question that is open where each limit is of another kind of the same thing, is
    for uses in a table of which the row names none, or names no word of the thing.
    """
    kinds = [one.contrary for one in close]
    if all(kinds):
        return f"whether it is of this: the rule is on “{kinds[0]}”"
    led = [one for one in close if one.candidate.link]
    if led and all(one.unsaid >= one.candidate.use for one in led):
        return f"whether it is one of those that the rule is for: {_name_uses(led)}"
    unnamed = [one.unnamed for one in close]
    named = f"whether it is of this: the rule names no word of “{unnamed[0]}”"
    return named if all(unnamed) else ""


def _name_uses(led: Sequence[Match]) -> str:
    """Return the uses that a table has for limits, up to three."""
    names = dict.fromkeys(link.name.strip() for link in _links([one.candidate for one in led]))
    return ", ".join(list(names)[:MAX_NAMED])


def _ask_clause(close: Sequence[Match]) -> str:
    """Return which clause is meant, where a value keeps those of several that are not plainly all
    on what is named.
    """
    is_one = len({one.candidate.limit.clause_id for one in close}) == 1
    is_one = is_one or all(one.is_named for one in close)
    articles = _articles([one.candidate for one in close])
    return "" if is_one else f"which rule is meant: {', '.join(articles)}"


def _estimate(amount: Amount, matches: Sequence[Match], is_kept: bool) -> float:
    """Return the probability that the best limits that decide so are meant, 0 to 1, beside those
    that decide otherwise and no rule; only one clause speaks for a verdict.
    """
    log_odds = {one.candidate: one.log_odds for one in matches}
    alike: dict[str, float] = defaultdict(float)
    otherwise = 0.0
    for both in _pair_ends(log_odds):
        odds = sum_odds([max(log_odds[one] for one in both)])
        if _keeps(amount, both) == is_kept:
            alike[both[0].limit.clause_id] += odds
        else:
            otherwise += odds
    best = max(alike.values(), default=0.0)
    return best / (best + otherwise + 1)


def _weigh(
    amount: Amount, candidates: Sequence[Candidate], index: LimitIndex
) -> tuple[set[bool], bool]:
    """Return the candidates' verdicts, and whether all limits of their articles decide alike.

    Of those that the value can be compared with: which of them apply, conditions decide. All that
    break it have to be for several conditions: one alone may not apply.
    """
    verdicts = {_keeps(amount, both) for both in _pair_ends(candidates)}
    others = [
        match.candidate.limit
        for article in _articles(candidates)
        for match in index.of_article(amount, article)
    ]
    all_verdicts = {one.allows(compute_margin(amount, one)) for one in others} | verdicts
    is_for_several = len({(one.condition, one.relation) for one in others}) > 1
    is_one_way = len({_direction(one) for one in others} | {0}) == 2
    is_broken = verdicts == {False} and is_for_several and is_one_way
    return verdicts, len(all_verdicts) == 1 and (verdicts == {True} or is_broken)


def _ask_which(candidates: Sequence[Candidate]) -> str:
    """Return what is missing where the candidates decide otherwise: up to four are named."""
    described = dict.fromkeys(
        f"{one.limit} ({one.limit.subject}, {one.limit.article})" for one in candidates
    )
    named = "; ".join(list(described)[:4])
    return f"which of these is meant: {named}"


def _select_close(matches: Sequence[Match]) -> list[Match]:
    """Return the matches that are about as likely as the best, and those of its clause that may be
    meant too: words of one clause seldom tell them apart.
    """
    best = matches[0]
    clause_id = best.candidate.limit.clause_id
    close = [
        one
        for one in matches
        if one.log_odds
        >= best.log_odds + log(BESIDE if one.candidate.limit.clause_id == clause_id else CLOSE)
        or _says_the_same(one, best)
    ]
    return [one for one in close if not any(_says_less(one, other) for other in close)]


def _says_the_same(one: Match, best: Match) -> bool:
    """True where only the size of the value tells two limits apart, and not by much."""
    is_alike = bool(one.said) and one.said == best.said
    return is_alike and one.measures["other_size"] < MAX_FACTOR


def _is_of_other_rule(one: Match, close: Iterable[Match]) -> bool:
    """True of a limit that says less than one of another clause."""
    clause_id = one.candidate.limit.clause_id
    return any(
        _says_less(one, other) for other in close if other.candidate.limit.clause_id != clause_id
    )


def _says_less(one: Match, other: Match) -> bool:
    """True where a limit says fewer of the words than another, or is for a use of which the row
    does not say all, as it does of the other's: for a hoop's bracing, where it says "hoop".
    """
    is_for_less = bool(one.unsaid) and not other.unsaid
    return one.said < other.said or (one.said == other.said and is_for_less)


def _add_other_ends(named: Sequence[Candidate], matches: Sequence[Match]) -> list[Candidate]:
    """Return candidates with the maximum that stands beside a minimum in its sentence."""
    ends = {
        (one.limit.article, one.limit.quote, one.limit.other_end, one.limit.value) for one in named
    }
    beside = (
        one.candidate
        for one in matches
        for limit in (one.candidate.limit,)
        if (limit.article, limit.quote, limit.value, limit.other_end) in ends
    )
    return list(dict.fromkeys((*named, *beside)))


def _direction(limit: Limit) -> int:
    """Return 1 for a limit from below, -1 for one from above, 0 for another."""
    return {"at least": 1, "more than": 1, "at most": -1, "less than": -1}.get(limit.relation, 0)


def _pair_ends(candidates: Iterable[Candidate]) -> Iterable[Sequence[Candidate]]:
    """Return limits that hold together: the minimum and the maximum of a row or a sentence."""
    pairs: dict[object, list[Candidate]] = {}
    for one in candidates:
        limit = one.limit
        if limit.label:
            key: object = (limit.article, limit.quote, one.link)
        elif limit.other_end is not None:
            key = (limit.article, limit.quote, frozenset((limit.value, limit.other_end)))
        else:
            key = (limit, one.link)
        pairs.setdefault(key, []).append(one)
    return pairs.values()


def _keeps(amount: Amount, candidates: Iterable[Candidate]) -> bool:
    """True where a value keeps all of some limits."""
    return all(one.limit.allows(compute_margin(amount, one.limit)) for one in candidates)


def _conclude(
    row: SheetRow, amount: Amount, candidates: Sequence[Candidate], is_kept: bool
) -> SheetResult:
    """Return the verdict of limits that agree, with the margin to the nearest."""
    limits = tuple(dict.fromkeys(one.limit for one in candidates))
    nearest = min(limits, key=lambda limit: abs(compute_margin(amount, limit)))
    rounded = compute_margin(amount, nearest).quantize(Decimal("0.0001")).normalize()
    margin = format_quantity(rounded, nearest.unit).strip()
    result = SheetResult(
        row.id, "cannot tell", limits, _articles(candidates), margin, "", _links(candidates)
    )
    if not is_kept and all(limit.modality == "should" for limit in limits):
        return replace(result, missing="a binding rule: this one only recommends (should)")
    if not is_kept and all(limit.relation == "equal" for limit in limits):
        missing = f"whether more or less is allowed: Article {nearest.article} gives one amount"
        return replace(result, missing=missing)
    if all(limit.source == "figure" for limit in limits):
        missing = f"a look at the figure on page {nearest.page}, which was read by text recognition"
        return replace(result, missing=missing)
    if any(limit.modality == "must not" and limit.relation == "between" for limit in limits):
        return replace(
            result, missing="what is done in this range, in which something is forbidden"
        )
    return replace(result, verdict="legal" if is_kept else "not legal")
