"""A sheet of values checked against registers of limits: a verdict for each row and rulebook.

A verdict is said only where one rule is very likely meant, by its words and the size of the value,
and no doubt is left; else the row says what is missing. The values of questions are rows too.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from decimal import Decimal
from math import log
from typing import Literal

from core.grammar import UNITS, find_quantities, stem_words
from core.registers import LayerNote, LayerNotes, Limit, RowLink, find_override
from core.sheets.limit_confidence import MAX_FACTOR, sum_odds
from core.sheets.limit_search import Candidate, LimitIndex, Match
from core.sheets.row_conditions import is_in_band
from core.sheets.sheet_amounts import (
    SheetAmount,
    compute_margin,
    express_amount,
    is_ambiguous,
    keeps,
    parse_amount,
    parse_value,
)
from core.sheets.value_doubts import (
    MAX_NAMED,
    SURE,
    Reading,
    ValueCase,
    doubt_variant,
    find_doubt,
    find_match_doubt,
    name_articles,
)

SheetVerdict = Literal["legal", "not legal", "cannot tell", "no rule"]
COLUMNS = ("id", "parameter", "value", "unit", "note")
"""The columns of a sheet."""


_ENDS = {"at least": "low", "more than": "low", "at most": "high", "less than": "high"}
"""Which end of what is allowed a relation sets."""


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
    is_guess: bool = False
    """True where no rule has its words: the limits are those of what it measures."""
    settled_by: tuple[frozenset[str], ...] = ()
    """For each limit the clauses of other layers of which one decides in its place."""

    def is_left_by(self, decided: Set[str]) -> bool:
        """True where no clause that decides does so in place of each of its limits."""
        return not self.settled_by or any(map(decided.isdisjoint, self.settled_by))

    @property
    def limit(self) -> str:
        """The limits, as people write them: the two ends of one rule hold together."""
        is_one_rule = len({one.clause_id for one in self.limits}) == 1
        ends = {_ENDS.get(one.relation) for one in self.limits}
        word = " and " if is_one_rule and len(self.limits) == len(ends) == 2 else " or "
        return word.join(dict.fromkeys(map(str, self.limits)))


def check_row(
    row: SheetRow, index: LimitIndex, chosen: Mapping[str, str] | None = None
) -> SheetResult:
    """Check a row against a register.

    `chosen` are the articles that a person picked for parameters, by `SheetRow.key`.
    """
    if row.value.startswith("="):
        return _cannot_tell(row, (), "its value: a formula is not computed, write the number")
    if is_ambiguous(row.value, row.decimal_comma):
        sign = "point" if row.decimal_comma else "comma"
        missing = f"whether {row.value} is a thousand or a decimal: write no {sign}"
        return _cannot_tell(row, (), missing)
    value = parse_value(row.value, row.decimal_comma)
    if value is None:
        return SheetResult(row.id, "no rule", missing="a number: limits are checked, words are not")
    amount = parse_amount(value, row.unit)
    if amount is None and index.counts(row.unit):
        amount = express_amount(value, "")
    if amount is None:
        return _cannot_tell(row, (), f"a known unit: {row.unit!r} is none")
    return check_amount(row, amount, index, (chosen or {}).get(row.key, ""))


def check_amount(
    row: SheetRow,
    amount: SheetAmount,
    index: LimitIndex,
    picked: str = "",
    column: tuple[int, int] | None = None,
) -> SheetResult:
    """Check the value of a row, which is read, against a register.

    `picked` is the article that a person picked. `column` is the place of the value, and their
    number, where several are written as one size.
    """
    if picked:
        matches = index.of_article(amount, picked)
        if not matches:
            return _cannot_tell(row, (), f"a value that Article {picked} limits, in its unit")
    else:
        matches = index.find(amount, row.subject, row.remarks, column)
        if sum_odds(one.log_odds for one in matches) < 1 / SURE - 1:
            return _miss_rule(row, index.find_of_measure(amount, row.subject))
    holding = [one for one in matches if is_in_band(row.text, one.candidate.limit) is not False]
    if not holding:
        return _cannot_tell(
            row, [one.candidate for one in matches[:3]], "a rule for this condition"
        )
    applying = list(_pair_ends(amount, holding))
    meant = _select_meant(amount, applying)
    said = (*index.words.words_of(row.subject), *index.words.words_of(row.remarks))
    articles = name_articles(match.candidate for one in meant for match in one.matches)
    beside = [one.candidate.limit for name in articles for one in index.of_article(amount, name)]
    sure = _estimate(meant, applying)
    counted = stem_words(row.unit) if amount.is_count else frozenset[str]()
    case = ValueCase(row.text, amount, said, meant, applying, beside, sure, counted)
    notes = {one: note for one in case.limits if (note := find_override(index.notes, one))}
    doubt = find_doubt(case, is_picked=bool(picked)) or ""
    return _decide(row, case, notes, doubt, _list_settling(case, notes, index.notes))


def _miss_rule(row: SheetRow, of_measure: Sequence[Candidate]) -> SheetResult:
    """Return the result where no limit is likely meant, with the few of such a measure.

    A rulebook's one limit of a power is that of "tractive system power", or none is.
    """
    named = name_articles(of_measure)
    if 0 < len(named) <= MAX_NAMED:
        missing = f"whether one of these is on it: {', '.join(named)}"
        return replace(_cannot_tell(row, of_measure, missing), is_guess=True)
    return SheetResult(row.id, "no rule", missing="a rule on it: none has these words and unit")


def _decide(
    row: SheetRow,
    case: ValueCase,
    notes: Mapping[Limit, LayerNote],
    doubt: str,
    settled_by: tuple[frozenset[str], ...],
) -> SheetResult:
    """Return the verdict on a value by those of its limits that no note is on, or its doubt."""
    if doubt:
        settled_by = settled_by if len(notes) == len(case.limits) else ()
        return replace(_cannot_tell(row, case.candidates, doubt), settled_by=settled_by)
    limits = [one for one in case.limits if one not in notes]
    if notes:  # an overridden maximum leaves the minimum beside it, which may be broken
        limits = [one for one in limits if not keeps(case.amount, one)]
        if not all(any(m.candidate.limit in limits for m in one.matches) for one in case.meant):
            return replace(_leave_open(row, case, notes), settled_by=settled_by)
    nearest = min(limits, key=lambda limit: abs(compute_margin(case.amount, limit)))
    rounded = compute_margin(case.amount, nearest).quantize(Decimal("0.0001")).normalize()
    return SheetResult(
        row.id,
        "legal" if case.verdicts == {True} and not notes else "not legal",
        tuple(limits),
        name_articles(case.candidates),
        UNITS.format(rounded, nearest.unit),
        links=_list_links(case.candidates),
    )


def _leave_open(row: SheetRow, case: ValueCase, notes: Mapping[Limit, LayerNote]) -> SheetResult:
    """Return the result for limits of which those that may decide do not hold, or not for sure."""
    first = min(notes.values(), key=lambda one: one.kind == "overridden")
    what = "a limit that holds" if first.kind == "overridden" else "which rule prevails"
    result = _cannot_tell(row, case.candidates, f"{what}: {first.caution}")
    if first.kind == "overridden" and len(notes) == len(case.limits):
        return SheetResult(row.id, "no rule", case.limits, missing=result.missing)
    return result


def _list_settling(
    case: ValueCase, notes: Mapping[Limit, LayerNote], every: LayerNotes
) -> tuple[frozenset[str], ...]:
    """Return for each limit with a note the clauses of `every` note that may decide in its place.

    None decide where it is open which rule prevails, or where a limit that may hold is broken.
    """
    if any(
        note.kind == "unsettled" or (note.kind != "overridden" and not keeps(case.amount, limit))
        for limit, note in notes.items()
    ):
        return ()
    return tuple(
        frozenset(
            one.clause_id
            for one in every[limit.clause_id]
            if one.kind in ("overridden", note.kind) and one.is_about(limit.quote)
        )
        for limit, note in notes.items()
    )


def uncovered_limits(limits: Iterable[Limit], results: Iterable[SheetResult]) -> list[Limit]:
    """Return the proved limits in force that no row answers and no other layer overrides."""
    answered = {limit for result in results for limit in result.limits}
    held = (one for one in limits if one.in_force and one.proved and not one.overridden)
    return [limit for limit in held if limit not in answered]


def _cannot_tell(row: SheetRow, candidates: Sequence[Candidate], missing: str) -> SheetResult:
    limits, links = dict.fromkeys(one.limit for one in candidates), _list_links(candidates)
    articles = name_articles(candidates)
    return SheetResult(row.id, "cannot tell", tuple(limits), articles, "", missing, links)


def _list_links(candidates: Iterable[Candidate]) -> tuple[RowLink, ...]:
    return tuple(dict.fromkeys(one.link for one in candidates if one.link))


def _pair_ends(amount: SheetAmount, matches: Iterable[Match]) -> Iterator[Reading]:
    """Yield limits that hold together, the likeliest first: the minimum and the maximum of a row or
    of a sentence.
    """
    pairs: dict[object, list[Match]] = defaultdict(list)
    for match in matches:
        limit, link = match.candidate.limit, match.candidate.link
        ends = frozenset((limit.value, limit.other_end))
        own: object = limit if limit.other_end is None else ends
        pairs[limit.clause_id, limit.quote, link, limit.label or own].append(match)
    for pair in pairs.values():
        yield Reading(tuple(pair), all(keeps(amount, one.candidate.limit) for one in pair))


def _select_meant(amount: SheetAmount, readings: Sequence[Reading]) -> list[Reading]:
    """Return the limits that are about as likely as the best, those that only a near size tells
    from it, and those of its sentence, which words seldom tell apart; where nothing speaks against
    the best, those without such a doubt.
    """
    best, close = readings[0].best, []
    for reading in readings:
        one = reading.best
        is_alike = one.said and one.said == best.said and one.measures["other_size"] < MAX_FACTOR
        is_of_sentence = _sentence_of(reading) == _sentence_of(readings[0])
        if one.log_odds >= best.log_odds + log(1 - SURE) or is_alike or is_of_sentence:
            close.append(reading)
    meant = [one for one in close if not any(_says_less(one.best, other.best) for other in close)]
    plain = [
        one for one in meant if not (doubt_variant(one.best) or find_match_doubt(one.best, amount))
    ]
    is_near = any(one is meant[0] or _sentence_of(one) == _sentence_of(meant[0]) for one in plain)
    return plain if is_near else meant


def _sentence_of(reading: Reading) -> tuple[str, str]:
    limit = reading.best.candidate.limit
    return limit.clause_id, limit.quote


def _says_less(one: Match, other: Match) -> bool:
    """True where a limit says fewer words of the row than another limit.

    With as many words it says less if the row names the use of the other limit in full, and its
    own use in part: a row on a hoop names a limit for hoops in full, one for their bracing not.
    """
    is_for_less = bool(one.unsaid) and not other.unsaid
    return one.said < other.said or (one.said == other.said and is_for_less)


def _estimate(meant: Sequence[Reading], applying: Sequence[Reading]) -> float:
    """Return the probability that the clause is meant that decides as the best does, beside those
    that decide otherwise and no rule.

    A limit that says less than one of another clause is no rival, nor is one of the same sentence
    that is not meant.
    """
    alike: dict[str, float] = defaultdict(float)
    otherwise = 1.0
    for reading in applying:
        if reading not in meant and _sentence_of(reading) == _sentence_of(meant[0]):
            continue
        others = (one.best for one in meant if one.clause_id != reading.clause_id)
        if any(_says_less(reading.best, other) for other in others):
            continue
        odds = sum_odds([reading.best.log_odds])
        if reading.is_kept == meant[0].is_kept:
            alike[reading.clause_id] += odds
        else:
            otherwise += odds
    best = max(alike.values(), default=0.0)
    return best / (best + otherwise)
