"""A value that a question brings ("is 25.0 x 2.0 mm legal?"), checked against the limits of quoted
clauses: one row for each limit.

All arithmetic is done here, in exact decimals. Where a text does not plainly say the direction of
its limit, or a question what it measures, the row cannot tell: better than a wrong verdict.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from operator import ge, gt, le, lt
from typing import Any, TypeVar

from core.agent.evidence import alphanumeric_only, cite, split_sentences
from core.agent.text.compliance_question import (
    BARE_SIZE_FACTOR,
    ComplianceQuestion,
    find_length_words,
    is_same_measure,
    subject_words,
    values_in_question,
)
from core.agent.text.limits import (
    QuantityLimit,
    TableRow,
    complete_limits,
    find_limits,
    find_table_rows,
)
from core.agent.text.quantities import UNITS, Quantity, amount_keys, format_quantity
from core.agent.text.stems import MIN_COVERAGE, coverage, stem_words
from core.agent.text.vocabulary import any_word
from core.agent.types import Citation, ComplianceRow, Source, Verdict
from core.rulebook import PREAMBLE

QuotedSources = Sequence[tuple[Source, str]]
"""Clauses with the words quoted of each."""
T = TypeVar("T")

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
_CONDITIONS = re.compile(
    rf"(?i)\b(?:{any_word('exception', 'saving', 'proviso')}|provided that|notwithstanding|"
    r"subject to|may be amended)\b"
)
_COMPARE = {"at least": ge, "at most": le, "more than": gt, "less than": lt}
_NO_DIRECTION = "The clause does not say plainly which way this limit goes."
_NO_MEASURE = "The question does not say what this value measures."
MIN_NEARNESS = 0.45
"""The cosine of clause and question from which the clause is taken to be on the value."""
MAX_NEAR_CLAUSES = 3
"""Clauses in which a limit is looked for so, the nearest first."""
MAX_TABLE_ROWS = 12
"""Rows of a table up to which each may be meant, where the question names none."""
NO_LIMIT_FOUND = "No clause that is quoted sets a limit for it."


@dataclass(frozen=True, slots=True)
class _LocatedLimit:
    """A limit with the sentence or table row that sets it, and what led to that."""

    limit: QuantityLimit
    words: str
    label: str
    source: Source
    leading: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class _MatchingRow:
    """A table row that a question is about, with the names and citations of what led to it."""

    source: Source
    row: TableRow
    names: tuple[str, ...] = ()
    leading: tuple[Citation, ...] = ()
    alternative: bool = False
    """The question does not say that this row is meant rather than another."""


ValueLimit = tuple[Quantity, _LocatedLimit]


def check_compliance(question: str, quoted: QuotedSources) -> tuple[ComplianceRow, ...]:
    """Return what quoted clauses require of the question's values; empty where it brings none.

    A limit counts where the question's words say that it is meant. Where none does, those of the
    first clauses count that are near in meaning. A value without a limit has a row that says so.
    """
    values = values_in_question(question)
    if not values:
        return ()
    quoted = [(source, words) for source, words in quoted if source.article != PREAMBLE]
    parsed = ComplianceQuestion(question, values, subject_words(question))
    rows = tuple(dict.fromkeys((*_check_tables(parsed, quoted), *_check_text(parsed, quoted))))
    if overall_verdict(rows) == "cannot tell":
        near = [pair for pair in quoted if pair[0].nearness >= MIN_NEARNESS][:MAX_NEAR_CLAUSES]
        checked = (tuple(_check_nearest(parsed, source, words)) for source, words in near)
        rows = next(filter(None, checked), rows)
    decided = tuple(row for row in rows if row.verdict != "cannot tell")
    return (*decided, *_list_undecided(values, rows, decided))


def _list_undecided(
    values: Iterable[Quantity], rows: Sequence[ComplianceRow], decided: Sequence[ComplianceRow]
) -> Iterator[ComplianceRow]:
    """Yield the rows of each value that no row decides, or one that says that there is no limit."""
    # A value that the rule itself names ("under a load of 1,200 N") is a condition of the limit.
    named = amount_keys(*(citation.quote for row in decided for citation in row.citations))
    named -= amount_keys(*(row.limit for row in decided))
    known = named | amount_keys(*(row.yours for row in decided))
    for value in {value.key: value for value in values if value.key not in known}.values():
        none = ComplianceRow(
            f"({value.kind})", "none found", str(value), "", "cannot tell", NO_LIMIT_FOUND
        )
        yield from [row for row in rows if row.yours == str(value)] or [none]


def overall_verdict(rows: Sequence[ComplianceRow]) -> Verdict:
    """Return the verdict on all rows: legal only where every one is.

    Alternatives that differ decide nothing.
    """
    verdicts = {row.verdict for row in rows if not row.alternative}
    alternatives = {row.verdict for row in rows if row.alternative}
    verdicts |= {"cannot tell"} if len(alternatives) > 1 else alternatives
    if "not legal" in verdicts:
        return "not legal"
    return "legal" if verdicts == {"legal"} else "cannot tell"


def collect_citations(rows: Iterable[ComplianceRow]) -> tuple[Citation, ...]:
    """Return the citations that rows rest on, each once."""
    return tuple(dict.fromkeys(citation for row in rows for citation in row.citations))


def _highest(items: Sequence[T], score: Callable[[T], Any]) -> list[T]:
    """Return the items with the highest score, in order."""
    scores = list(map(score, items))
    return [item for item, one in zip(items, scores, strict=True) if one == max(scores)]


# Tables


def _check_tables(question: ComplianceQuestion, quoted: QuotedSources) -> Iterator[ComplianceRow]:
    for match in _find_rows(question, quoted):
        names = (" / ".join(match.names), _row_name(match.row) if match.leading else "")
        label = ", ".join(filter(None, names))
        limits = [
            _LocatedLimit(limit, match.row.line, label, match.source, match.leading)
            for limit in match.row.limits
        ]
        pairs = _pair_values(question, limits)
        directions = {(value, located.limit.relation) for value, located in pairs}
        alternative = match.alternative or len(directions) < len(pairs)
        rows = [_build_row(value, located) for value, located in pairs]
        shape = "square" if "squar" in question.words else "round"
        for row in (*rows, *_check_section(shape, pairs, limits)):
            yield replace(row, alternative=alternative)


def _find_rows(question: ComplianceQuestion, quoted: QuotedSources) -> Iterable[_MatchingRow]:
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
            name = _row_name(row)
            if row.limits:
                several = not named and len(rows) > 1
                match = _MatchingRow(source, row, (name,), alternative=several)
                plain[source.clause_id, row.line] = match
                continue
            for other, led in ((other, led) for other, rest in shown for led in rest):
                if led.limits and _shares_cell(row, led):
                    key = other.clause_id, led.line
                    known = linked.get(key) or _MatchingRow(other, led)
                    leading = (*known.leading, cite(source, row.line))
                    linked[key] = replace(known, names=(*known.names, name), leading=leading)
    return (plain | linked).values()


def _is_about_value(question: ComplianceQuestion, source: Source, rows: Sequence[TableRow]) -> bool:
    """True where a whole table is about the question's value, so that it may mean any row."""
    if len(rows) > MAX_TABLE_ROWS or any(not row.limits for row in rows):
        return False
    heading = " ".join((source.title, *source.breadcrumb[-1:], *source.lead_in))
    return question.matches_rule(heading, *((row.lead, " ".join(row.header)) for row in rows[:1]))


def _select_rows(
    words: dict[str, str], rows: Sequence[TableRow], source: Source
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

    best = _highest(rows, score)
    # Of rows with the same words the shorter are meant: "Main Hoop", not "Main Hoop Bracing".
    shortest = _highest(best, lambda row: -len(stem_words(_row_name(row))))
    is_named = score(best[0])[0] >= MIN_COVERAGE and len(shortest) < len(rows)
    return shortest if is_named else []


def _shares_cell(row: TableRow, other: TableRow) -> bool:
    labels = {alphanumeric_only(cell) for cell in row.cells if 1 < len(cell.split()) <= 4}
    return any(alphanumeric_only(cell) in labels for cell in other.cells)


def _row_name(row: TableRow) -> str:
    """Return what a row is called: its first cell of words, without an item's mark."""
    name = next((cell for cell in row.cells if len(alphanumeric_only(cell)) > 2), "")
    return re.sub(r"^\w{1,2}\.\s+", "", name)


def _pair_values(question: ComplianceQuestion, limits: Sequence[_LocatedLimit]) -> list[ValueLimit]:
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
    question: ComplianceQuestion, limits: Sequence[_LocatedLimit]
) -> list[_LocatedLimit]:
    """Return the limits whose columns say most of the question; none if their measures differ."""
    if len({frozenset(find_length_words(one.limit.subject)) for one in limits}) != 1:
        return []
    return _highest(limits, lambda one: question.count_words(one.limit.subject))


def _check_section(
    shape: str, pairs: Sequence[ValueLimit], limits: Sequence[_LocatedLimit]
) -> Iterator[ComplianceRow]:
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
        yield _build_row(Quantity(value, unit, 0, 0), one, note)


# The nearest clause


def _check_nearest(
    question: ComplianceQuestion, source: Source, quote: str
) -> Iterator[ComplianceRow]:
    """Yield rows for the limits of a clause whose sentence or row says most of the question.

    Limits in opposite directions bound the value together; several in one are alternatives.
    """
    limits = [
        one
        for one in _all_limits(source, quote)
        if question.matches_limit(one.limit, BARE_SIZE_FACTOR)
    ]
    best = _highest(limits, lambda one: question.count_words(f"{one.words} {one.limit.subject}"))
    for one in best:
        values = [v for v in question.values if v.is_comparable(one.limit.amount)]
        same = {other.limit.amount.base for other in best if _goes_along(one, other)}
        yield replace(_build_row(values[0], one), alternative=len(same) > 1 or len(values) > 1)


def _goes_along(one: _LocatedLimit, other: _LocatedLimit) -> bool:
    return one.limit.relation == other.limit.relation and one.limit.kind == other.limit.kind


def _all_limits(source: Source, quote: str) -> Iterator[_LocatedLimit]:
    """Yield the limits of a clause's sentences and tables; headings may give their direction."""
    heading = " ".join((*source.breadcrumb[-1:], source.title, *source.lead_in))
    words = alphanumeric_only(quote)
    for row in find_table_rows(source.text):
        if alphanumeric_only(row.line) in words:
            yield from (_LocatedLimit(x, row.line, _row_name(row), source) for x in row.limits)
    for sentence in split_sentences(quote):
        if not sentence.startswith("|"):
            for limit in complete_limits(heading, sentence):
                yield _LocatedLimit(limit, sentence, limit.subject, source)


# Sentences


def _check_text(question: ComplianceQuestion, quoted: QuotedSources) -> Iterator[ComplianceRow]:
    """Yield rows for the limits of sentences and lettered items.

    Several limits of one kind and direction in a clause are alternatives: each is for another part,
    or under another condition.
    """
    found = [
        (row, (source.clause_id, row.yours, limit.relation), limit.amount.base)
        for source, quote in quoted
        for row, limit in _check_clause(question, source, quote)
    ]
    amounts = defaultdict(set)
    for _, key, base in found:
        amounts[key].add(base)
    for row, key, _ in found:
        yield replace(row, alternative=len(amounts[key]) > 1)


def _check_clause(
    question: ComplianceQuestion, source: Source, quote: str
) -> Iterator[tuple[ComplianceRow, QuantityLimit]]:
    heading = " ".join((source.title, *source.breadcrumb[-1:], *source.lead_in))
    sentences = [piece for piece in split_sentences(quote) if not piece.startswith("|")]
    first = sentences[0] if sentences else ""
    meant = [one for one in sentences if question.matches_rule(heading, (first, one))]
    if not any(question.matches_rule(heading, (one,)) for one in meant):
        meant = [first, *meant] if meant else []  # only its words make them match
    for sentence, following in zip(sentences, [*sentences[1:], ""], strict=False):
        if sentence not in meant:
            continue
        limits = [limit for limit in find_limits(sentence) if question.matches_limit(limit)]
        # Of several limits those that say more of the question ("at the front") are meant.
        for limit in _highest(limits, lambda one: question.count_words(one.behind)):
            value, note = _find_value(question, limit)
            located = _LocatedLimit(limit, sentence, limit.subject, source)
            condition = note or _describe_condition(sentence, following)
            yield _build_row(value, located, condition, decided=not note), limit


def _find_value(question: ComplianceQuestion, limit: QuantityLimit) -> tuple[Quantity, str]:
    """Return the value that a limit is for, and why that is not plain; empty where it is."""
    values = [value for value in question.values if value.is_comparable(limit.amount)]
    if limit.kind != "length":
        return values[0], "" if len(values) == 1 else _NO_MEASURE
    limited = find_length_words(limit.own) or find_length_words(limit.subject)
    if not is_same_measure(find_length_words(question.text), limited):
        return values[0], _NO_MEASURE

    def words_around(value: Quantity) -> str:
        before, after = question.text[: value.start].split(), question.text[value.end :].split()
        return " ".join((*before[-3:], *after[:3]))

    near = [v for v in values if is_same_measure(find_length_words(words_around(v)), limited)]
    near = values if len(values) == 1 else near
    return (near[0], "") if len(near) == 1 else (values[0], _NO_MEASURE)


def _describe_condition(sentence: str, following: str) -> str:
    """Return a note on a rule's condition: the next sentence where that is the condition."""
    if _CONDITIONS.search(sentence):
        return "The rule has a condition; read it whole."
    is_exception = re.match(r"(?:However|Except|Unless|Notwithstanding)\b", following)
    return f"“{following}”" if is_exception else ""


# Rows


def _build_row(
    value: Quantity, located: _LocatedLimit, note: str = "", decided: bool = True
) -> ComplianceRow:
    limit, label = located.limit, located.label
    verdict = _judge(value, limit) if decided else "cannot tell"
    return ComplianceRow(
        subject=f"{label}: {limit.subject}" if label != limit.subject else label,
        limit=str(limit),
        yours=str(value),
        margin="" if verdict == "cannot tell" else _format_margin(value, limit),
        verdict=verdict,
        note=note or (_NO_DIRECTION if limit.relation == "unclear" else ""),
        citations=(cite(located.source, located.words), *located.leading),
    )


def _judge(value: Quantity, limit: QuantityLimit) -> Verdict:
    if compare := _COMPARE.get(limit.relation):
        return "legal" if compare(value.base, limit.amount.base) else "not legal"
    if limit.upper is None:
        return "cannot tell"
    within = limit.amount.base <= value.base <= limit.upper.base
    return "legal" if within else "not legal"


def _format_margin(value: Quantity, limit: QuantityLimit) -> str:
    """Return what is left to the limit, in its unit; negative where it is passed."""
    low, high = limit.amount, limit.upper or limit.amount
    above = ((value.base - low.base) / UNITS[low.unit][1], low.unit)
    below = ((high.base - value.base) / UNITS[high.unit][1], high.unit)
    sides = {"at least": above, "more than": above, "at most": below, "less than": below}
    margin, unit = sides.get(limit.relation) or min(above, below)
    sign = "−" if margin < 0 else "+" if margin > 0 else "±"
    is_whole = margin == margin.to_integral()
    rounded = margin.to_integral() if is_whole else margin.quantize(Decimal("0.0001")).normalize()
    return sign + format_quantity(abs(rounded), unit)
