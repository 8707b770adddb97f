"""The rows of rules' tables that a question names or may mean, and its values checked there."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from core.limits.compliance_question import (
    ComplianceQuestion,
    find_length_words,
    is_same_measure,
)
from core.limits.limits import TableRow, find_table_rows
from core.limits.quantities import Quantity
from core.limits.sentences import alphanumeric_only
from core.limits.stems import MIN_COVERAGE, coverage, stem_words
from core.limits.verdicts import (
    ClauseText,
    LocatedLimit,
    QuotedClauses,
    QuotedWords,
    ValueCheck,
    build_check,
    select_highest,
)

_OUTER_WORDS = {"diameter", "diameters", "od", "width"}
_WALL_WORDS = {"thickness", "thick", "wall"}
_PI = Decimal("3.14159265358979323846264338")
_SECTIONS = {
    ("round", "area"): (_PI / 4, "π/4", 2, "²", "mm²"),
    ("square", "area"): (Decimal(1), "1", 2, "²", "mm²"),
    ("round", "second moment"): (_PI / 64, "π/64", 4, "⁴", "mm⁴"),
    ("square", "second moment"): (Decimal(1) / 12, "1/12", 4, "⁴", "mm⁴"),
}
"""Factor (as a number and in words), power and unit of what a tube's section measures: the factor
times (Dⁿ − dⁿ), with the inner measure d = D − 2t."""
MAX_TABLE_ROWS = 12
"""Rows of a table up to which each may be meant, where the question names none."""


@dataclass(frozen=True, slots=True)
class _MatchingRow:
    """A table row that a question is about, with the names and quotes of what led to it."""

    source: ClauseText
    row: TableRow
    names: tuple[str, ...] = ()
    leading: tuple[QuotedWords, ...] = ()
    alternative: bool = False
    """The question does not say that this row is meant rather than another."""


ValueLimit = tuple[Quantity, LocatedLimit]


def check_tables(question: ComplianceQuestion, quoted: QuotedClauses) -> Iterator[ValueCheck]:
    """Yield the checks of a question's values against the table rows that it is about."""
    for match in _find_rows(question, quoted):
        names = (" / ".join(match.names), row_name(match.row) if match.leading else "")
        label = ", ".join(filter(None, names))
        limits = [
            LocatedLimit(limit, match.row.line, label, match.source, match.leading)
            for limit in match.row.limits
        ]
        pairs = _pair_values(question, limits)
        directions = {(value, located.limit.relation) for value, located in pairs}
        alternative = match.alternative or len(directions) < len(pairs)
        rows = [build_check(value, located) for value, located in pairs]
        shape = "square" if "squar" in question.words else "round"
        for row in (*rows, *_check_section(shape, pairs, limits)):
            yield replace(row, alternative=alternative)


def _find_rows(question: ComplianceQuestion, quoted: QuotedClauses) -> Iterable[_MatchingRow]:
    """Return the table rows that a question names, and those that these lead to ("Size A")."""
    shown = []
    for source, quote in quoted:
        words = alphanumeric_only(quote)
        rows = [row for row in find_table_rows(source.text) if alphanumeric_only(row.line) in words]
        shown.append((source, rows))
    plain: dict[tuple[str, str], _MatchingRow] = {}
    linked: dict[tuple[str, str], _MatchingRow] = {}
    for source, rows in shown:
        named = _select_rows(question.words, rows, source)
        for row in named or (rows if _is_about_value(question, source, rows) else ()):
            name = row_name(row)
            if row.limits:
                several = not named and len(rows) > 1
                match = _MatchingRow(source, row, (name,), alternative=several)
                plain[source.clause_id, row.line] = match
                continue
            for other, led in ((other, led) for other, rest in shown for led in rest):
                if led.limits and row.shares_cell(led):
                    key = other.clause_id, led.line
                    known = linked.get(key) or _MatchingRow(other, led)
                    leading = (*known.leading, QuotedWords(source.clause_id, row.line))
                    linked[key] = replace(known, names=(*known.names, name), leading=leading)
    return (plain | linked).values()


def _is_about_value(
    question: ComplianceQuestion, source: ClauseText, rows: Sequence[TableRow]
) -> bool:
    """True where a whole table is about the question's value, so that it may mean any row."""
    if len(rows) > MAX_TABLE_ROWS or any(not row.limits for row in rows):
        return False
    heading = " ".join((source.title, *source.breadcrumb[-1:], *source.lead_in))
    return question.matches_rule(heading, *((row.lead, " ".join(row.header)) for row in rows[:1]))


def _select_rows(
    words: dict[str, str], rows: Sequence[TableRow], source: ClauseText
) -> Sequence[TableRow]:
    """Return the rows of a table that hold most of the words; a row quoted alone is meant."""
    if len(rows) <= 1:
        return rows
    headings = " ".join((source.title, *source.breadcrumb, rows[0].lead, *rows[0].header))
    known = stem_words(headings)
    own = {stem: word for stem, word in words.items() if stem not in known}

    def score(row: TableRow) -> tuple[float, int]:
        # A word of the question itself says more than a synonym: "gasoline" more than "fuel".
        text = " ".join(row.cells)
        return coverage(own, text), len(own.keys() & stem_words(text))

    best = select_highest(rows, score)
    # Of rows with the same words the shorter are meant: "Main Hoop", not "Main Hoop Bracing".
    shortest = select_highest(best, lambda row: -len(stem_words(row_name(row))))
    is_named = score(best[0])[0] >= MIN_COVERAGE and len(shortest) < len(rows)
    return shortest if is_named else []


def row_name(row: TableRow) -> str:
    """Return what a row is called: its first cell of words, without an item's mark."""
    name = next((cell for cell in row.cells if len(alphanumeric_only(cell)) > 2), "")
    return re.sub(r"^\w{1,2}\.\s+", "", name)


def _pair_values(question: ComplianceQuestion, limits: Sequence[LocatedLimit]) -> list[ValueLimit]:
    """Pair values with the limits of a table row.

    Values written as one ("25 x 2 mm") go by the order of the columns, a single value by the
    columns that the question speaks of.
    """
    pairs: list[ValueLimit] = []
    for kind in dict.fromkeys(value.kind for value in question.values):
        values = [value for value in question.values if value.kind == kind]
        fitting = [one for one in limits if one.limit.kind == kind]
        fitting = [one for one in fitting if question.matches_limit(one.limit)]
        measured = find_length_words(question.text) if kind == "length" else set()
        if measured and not len(values) == len(fitting) > 1:
            fitting = [
                one
                for one in fitting
                if is_same_measure(measured, find_length_words(f"{one.limit.subject} {one.label}"))
            ]
        if len(values) == len(fitting):
            pairs += zip(values, fitting, strict=True)
        elif len(values) == 1:
            pairs += [(values[0], one) for one in _limits_on_subject(question, fitting)]
    return pairs


def _limits_on_subject(
    question: ComplianceQuestion, limits: Sequence[LocatedLimit]
) -> list[LocatedLimit]:
    """Return the limits whose columns say most of the question; none if their measures differ."""
    if len({frozenset(find_length_words(one.limit.subject)) for one in limits}) != 1:
        return []
    return select_highest(limits, lambda one: question.count_words(one.limit.subject))


def _check_section(
    shape: str, pairs: Sequence[ValueLimit], limits: Sequence[LocatedLimit]
) -> Iterator[ValueCheck]:
    """Yield rows on a tube's area and second moment, computed from its width and its wall."""

    def measure(words: set[str]) -> Decimal:
        bases = (v.base for v, one in pairs if find_length_words(one.limit.subject) & words)
        return next(bases, Decimal(0))

    outer, wall = measure(_OUTER_WORDS), measure(_WALL_WORDS)
    if not 0 < 2 * wall < outer:
        return
    inner = outer - 2 * wall
    for one in limits:
        if (shape, one.limit.kind) not in _SECTIONS:
            continue
        factor, written, power, sign, unit = _SECTIONS[shape, one.limit.kind]
        # A table rounds its limits, so the computed value is rounded to the same digits.
        digits = Decimal(1).scaleb(min(0, int(one.limit.amount.value.as_tuple().exponent)))
        value = (factor * (outer**power - inner**power)).quantize(digits)
        formula = f"{written} × ({outer:f}{sign} − {inner:f}{sign}) {unit}"
        note = f"Computed for a {shape} tube, rounded as the limit is: {formula}."
        yield build_check(Quantity(value, unit, 0, 0), one, note)
