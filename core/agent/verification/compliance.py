"""A value that a question brings ("is 25.0 x 2.0 mm legal?"), held against the limits of quoted clauses: a row each.

All arithmetic is done here, in exact decimals. Where a text does not say plainly which way its limit goes, or a
question does not say what it measures, the row cannot tell: that is better than a wrong verdict.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from core.agent.evidence import alphanumeric_only, cite, split_sentences
from core.agent.text.compliance_question import (
    ComplianceQuestion,
    find_length_words,
    is_same_measure,
    subject_words,
    values_in_question,
)
from core.agent.text.limits import QuantityLimit, TableRow, find_limits, find_table_rows
from core.agent.text.quantities import Quantity, find_quantities, format_quantity
from core.agent.text.stems import MIN_COVERAGE, coverage, stem_words
from core.agent.types import Citation, ComplianceRow, Source, Verdict

QuotedSource = tuple[Source, str]
"""A clause and the words quoted of it."""

_OUTER, _WALL = (
    frozenset({"diameter", "diameters", "od", "width"}),
    frozenset({"thickness", "thick", "wall"}),
)
_PI = Decimal("3.14159265358979323846264338")
_SHAPES = {
    "round": (_PI / 4, "π/4", _PI / 64, "π/64"),
    "square": (Decimal(1), "1", Decimal(1) / 12, "1/12"),
}
"""Of a tube's section, the factors of area (times D² − d²) and second moment of area (times D⁴ − d⁴); d = D − 2t."""
_CONDITIONS = re.compile(
    r"\b(?:if|where|unless|except|save (?:for|that|where|as)|other than|however|provided that|notwithstanding|"
    r"subject to|with the exception|may be amended)\b",
    re.I,
)
_UNTOLD = "The clause does not say plainly which way this limit goes."
_UNMEASURED = "The question does not say what this value measures."
MAX_TABLE_ROWS = 12
"""Rows of a table up to which each may be meant, where the question names none."""
NO_LIMIT_FOUND = "No clause that is quoted sets a limit for it."


@dataclass(frozen=True, slots=True)
class _Bound:
    """A limit with the place it stands in, and what led to it."""

    limit: QuantityLimit
    words: str
    """The sentence or table row it stands in."""
    label: str
    source: Source
    leading: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class _Meant:
    """A table row that a question is about, what it goes by, and the rows that led to it."""

    source: Source
    row: TableRow
    names: tuple[str, ...] = ()
    leading: tuple[Citation, ...] = ()
    alternative: bool = False
    """The question does not say that this row is meant rather than another."""


def check_compliance(question: str, quoted: Sequence[QuotedSource]) -> tuple[ComplianceRow, ...]:
    """What quoted clauses require of the question's values, a row each; none where the question brings no value.

    Where they hold no limit of the kind, one row a value says that nothing can be told.
    """
    values = values_in_question(question)
    if not values:
        return ()
    asked = ComplianceQuestion(question, values, subject_words(question))
    rows = tuple(dict.fromkeys((*_tabled(asked, quoted), *_stated(asked, quoted))))
    told = tuple(row for row in rows if row.verdict != "cannot tell")
    held = _amounts(row.yours for row in told)
    # A value that the rule names itself ("under a load of 1,200 N") is what the limit goes by; the limit is none.
    named = _amounts(citation.quote for row in told for citation in row.citations)
    known = held | (named - _amounts(row.limit for row in told))
    open_values = {value.key: value for value in values if value.key not in known}.values()
    return (*told, *(row for value in open_values for row in _untold(value, rows)))


def _amounts(texts: Iterable[str]) -> set[tuple[str, Decimal]]:
    return {amount.key for text in texts for amount in find_quantities(text)}


def _untold(value: Quantity, rows: Sequence[ComplianceRow]) -> tuple[ComplianceRow, ...]:
    """The rows of a value of which none came to a verdict; one that says so where there is none at all."""
    own = tuple(row for row in rows if row.yours == str(value))
    return own or (
        ComplianceRow(
            f"({value.kind})", "none found", str(value), "", "cannot tell", NO_LIMIT_FOUND
        ),
    )


def overall_verdict(rows: Sequence[ComplianceRow]) -> Verdict:
    """The verdict on all rows: legal only where every one is. Of alternatives that differ nothing can be told."""
    verdicts = {row.verdict for row in rows if not row.alternative}
    alternatives = {row.verdict for row in rows if row.alternative}
    verdicts |= (
        alternatives if len(alternatives) == 1 else {"cannot tell"} if alternatives else set()
    )
    if "not legal" in verdicts:
        return "not legal"
    return "legal" if verdicts == {"legal"} else "cannot tell"


# Tables


def _tabled(asked: ComplianceQuestion, quoted: Sequence[QuotedSource]) -> Iterator[ComplianceRow]:
    """Rows of a check by tables."""
    for meant in _rows_meant(asked, quoted):
        label = ", ".join(
            filter(None, (" / ".join(meant.names), _label(meant.row) if meant.leading else ""))
        )
        bounds = [
            _Bound(limit, meant.row.line, label, meant.source, meant.leading)
            for limit in meant.row.limits
        ]
        paired = list(_paired(asked, bounds))
        several = meant.alternative or len(
            {(value, bound.limit.relation) for value, bound in paired}
        ) < len(paired)
        yield from (replace(_held(value, bound), alternative=several) for value, bound in paired)
        computed = _computed("square" if "squar" in asked.words else "round", paired, bounds)
        yield from (replace(row, alternative=several) for row in computed)


def _rows_meant(asked: ComplianceQuestion, quoted: Sequence[QuotedSource]) -> Iterator[_Meant]:
    """The table rows that a question is about: those it names, and those that these lead to ("Size A")."""
    shown = [(source, _rows_quoted(source, quote)) for source, quote in quoted]
    plain: dict[tuple[str, str], _Meant] = {}
    linked: dict[tuple[str, str], _Meant] = {}
    for source, rows in shown:
        named = _named(asked.words, rows, source)
        for row in named or (rows if _is_about(asked, source, rows) else ()):
            if row.limits:
                several = not named and len(rows) > 1
                plain[source.clause_id, row.line] = _Meant(
                    source, row, (_label(row),), alternative=several
                )
                continue
            for other, others in shown:
                for led in (led for led in others if led.limits and _shares_cell(row, led)):
                    known = linked.setdefault((other.clause_id, led.line), _Meant(other, led))
                    linked[other.clause_id, led.line] = replace(
                        known,
                        names=(*known.names, _label(row)),
                        leading=(*known.leading, cite(source, row.line)),
                    )
    yield from (plain | linked).values()


def _rows_quoted(source: Source, quote: str) -> list[TableRow]:
    words = alphanumeric_only(quote)
    return [row for row in find_table_rows(source.text) if alphanumeric_only(row.line) in words]


def _is_about(asked: ComplianceQuestion, source: Source, rows: Sequence[TableRow]) -> bool:
    """True where a table as a whole is about the question's value, so that each of its rows may be meant."""
    if len(rows) > MAX_TABLE_ROWS or any(not row.limits for row in rows):
        return False
    heading = " ".join((source.title, *source.breadcrumb[-1:], *source.lead_in))
    return asked.matches_rule(heading, *((row.lead, " ".join(row.header)) for row in rows[:1]))


def _named(words: dict[str, str], rows: Sequence[TableRow], source: Source) -> list[TableRow]:
    """The rows of a table that hold most of the words; a row quoted alone is meant by being quoted."""
    if len(rows) == 1:
        return list(rows)
    around = (cell for row in rows[:1] for cell in (row.lead, *row.header))
    told = stem_words(" ".join((source.title, *source.breadcrumb, *around)))
    telling = {stem: word for stem, word in words.items() if stem not in told}
    texts = [" ".join(row.cells) for row in rows]
    # Words that stand there as they were asked tell more than what is said for them: "gasoline" and "fuel".
    shares = [(coverage(telling, text), len(telling.keys() & stem_words(text))) for text in texts]
    best = max(shares, default=(0.0, 0))
    named = [row for row, share in zip(rows, shares, strict=True) if share == best]
    # Of rows that hold the same words those that say least else are meant: "Main Hoop", not "Main Hoop Bracing".
    extra = [len(stem_words(_label(row))) for row in named]
    meant = [row for row, length in zip(named, extra, strict=True) if length == min(extra)]
    return meant if best[0] >= MIN_COVERAGE and len(meant) < len(rows) else []


def _shares_cell(row: TableRow, other: TableRow) -> bool:
    labels = {alphanumeric_only(cell) for cell in row.cells if 1 < len(cell.split()) <= 4}
    return any(alphanumeric_only(cell) in labels for cell in other.cells)


def _label(row: TableRow) -> str:
    """What a row is called: its first cell in words."""
    return next(
        (
            re.sub(r"^\w{1,2}\.\s+", "", cell)
            for cell in row.cells
            if len(alphanumeric_only(cell)) > 2
        ),
        "",
    )


def _paired(
    asked: ComplianceQuestion, bounds: Sequence[_Bound]
) -> Iterator[tuple[Quantity, _Bound]]:
    """Which value is held against which limits of a table row: values written as one go by the order of the columns,
    a single one against the columns that the question speaks of."""
    for kind in dict.fromkeys(value.kind for value in asked.values):
        own = [value for value in asked.values if value.kind == kind]
        limits = [
            bound
            for bound in bounds
            if bound.limit.kind == kind and asked.matches_limit(bound.limit)
        ]
        measured = find_length_words(asked.question) if kind == "length" else set()
        if measured and not (len(own) == len(limits) > 1):
            limits = [
                bound
                for bound in limits
                if is_same_measure(
                    measured, find_length_words(f"{bound.limit.subject} {bound.label}")
                )
            ]
        if len(own) == len(limits):
            yield from zip(own, limits, strict=True)
        elif (
            len(own) == 1
            and len({frozenset(find_length_words(bound.limit.subject)) for bound in limits}) == 1
        ):
            shares = [len(asked.words.keys() & stem_words(bound.limit.subject)) for bound in limits]
            yield from (
                (own[0], bound)
                for bound, share in zip(limits, shares, strict=True)
                if share == max(shares)
            )


def _computed(
    shape: str, paired: Sequence[tuple[Quantity, _Bound]], bounds: Sequence[_Bound]
) -> Iterator[ComplianceRow]:
    """Area and second moment of a tube by its outside measure and its wall, where the row limits them too."""
    outer = next(
        (value for value, bound in paired if find_length_words(bound.limit.subject) & _OUTER), None
    )
    wall = next(
        (value for value, bound in paired if find_length_words(bound.limit.subject) & _WALL), None
    )
    if outer is None or wall is None or not 0 < 2 * wall.base < outer.base:
        return
    large, small = outer.base, outer.base - 2 * wall.base
    area, area_written, moment, moment_written = _SHAPES[shape]
    for bound in bounds:
        match bound.limit.kind:
            case "area":
                value, formula = (
                    area * (large**2 - small**2),
                    f"{area_written} × ({large:f}² − {small:f}²) mm²",
                )
            case "second moment":
                value, formula = (
                    moment * (large**4 - small**4),
                    f"{moment_written} × ({large:f}⁴ − {small:f}⁴) mm⁴",
                )
            case _:
                continue
        # A table gives its limits rounded, so what is held against them is rounded alike.
        digits = Decimal(1).scaleb(min(0, int(bound.limit.amount.value.as_tuple().exponent)))
        computed = Quantity(
            value.quantize(digits), "mm²" if bound.limit.kind == "area" else "mm⁴", 0, 0
        )
        yield _held(
            computed, bound, f"Computed for a {shape} tube, rounded as the limit is: {formula}."
        )


# Sentences


def _stated(asked: ComplianceQuestion, quoted: Sequence[QuotedSource]) -> Iterator[ComplianceRow]:
    """Rows of a check by sentences and lettered items."""
    limited = [
        (source.clause_id, *found)
        for source, quote in quoted
        for found in _limited(asked, source, quote)
    ]
    amounts: dict[tuple[str, str, str], set[Decimal]] = {}
    for clause, row, limit in limited:
        amounts.setdefault((clause, row.yours, limit.relation), set()).add(limit.amount.base)
    for clause, row, limit in limited:
        yield replace(row, alternative=len(amounts[clause, row.yours, limit.relation]) > 1)


def _limited(
    asked: ComplianceQuestion, source: Source, quote: str
) -> Iterator[tuple[ComplianceRow, QuantityLimit]]:
    """The limits that the sentences of one clause set, each with its row. Of several of one kind in a clause, each
    holds in a case of its own: for another part, or under another condition."""
    heading = " ".join((source.title, *source.breadcrumb[-1:], *source.lead_in))
    pieces = [piece for piece in split_sentences(quote) if not piece.startswith("|")]
    for place, piece in enumerate(pieces):
        if not asked.matches_rule(heading, (pieces[0], piece)):
            continue
        behind = pieces[place + 1] if place + 1 < len(pieces) else ""
        for limit in _alternatives(
            asked.words, [limit for limit in find_limits(piece) if asked.matches_limit(limit)]
        ):
            own = [value for value in asked.values if value.kind == limit.kind]
            value, note = _meant(asked.question, own, limit)
            bound = _Bound(limit, piece, limit.subject, source)
            yield _held(value, bound, note or _condition(piece, behind), told=not note), limit


def _alternatives(words: dict[str, str], limits: Sequence[QuantityLimit]) -> list[QuantityLimit]:
    """Of the limits of one sentence those that speak of more of the question ("at the front") than the others."""
    shares = [len(words.keys() & stem_words(limit.behind)) for limit in limits]
    return [limit for limit, share in zip(limits, shares, strict=True) if share == max(shares)]


def _meant(question: str, own: Sequence[Quantity], limit: QuantityLimit) -> tuple[Quantity, str]:
    """The value that a limit is for, with why nothing can be told where that is not plain."""
    asked, limited = (
        find_length_words(question),
        find_length_words(limit.own) or find_length_words(limit.subject),
    )
    if limit.kind != "length":
        return own[0], "" if len(own) == 1 else _UNMEASURED
    if not is_same_measure(asked, limited):
        return own[0], _UNMEASURED
    near = [
        value
        for value in own
        if not limited
        or len(own) == 1
        or is_same_measure(find_length_words(_around(question, value)), limited)
    ]
    return (near[0], "") if len(near) == 1 else (own[0], _UNMEASURED)


def _around(question: str, value: Quantity) -> str:
    """The words next to a value."""
    return " ".join((*question[: value.start].split()[-3:], *question[value.end :].split()[:3]))


def _condition(piece: str, behind: str) -> str:
    """The condition under which a limit holds or not, in the rule's words."""
    if _CONDITIONS.search(piece):
        return "The rule has a condition; read it whole."
    return f"“{behind}”" if re.match(r"(?:However|Except|Unless|Notwithstanding)\b", behind) else ""


# Rows


def _held(value: Quantity, bound: _Bound, note: str = "", told: bool = True) -> ComplianceRow:
    limit = bound.limit
    verdict: Verdict = _verdict(value, limit) if told else "cannot tell"
    if limit.relation == "unclear":
        note = note or _UNTOLD
    name = f"{bound.label}: {limit.subject}" if bound.label != limit.subject else limit.subject
    margin = "" if verdict == "cannot tell" else _margin(value, limit)
    return ComplianceRow(
        subject=name,
        limit=str(limit),
        yours=str(value),
        margin=margin,
        verdict=verdict,
        note=note,
        citations=(cite(bound.source, bound.words), *bound.leading),
    )


def _verdict(value: Quantity, limit: QuantityLimit) -> Verdict:
    yours, bound = value.base, limit.amount.base
    match limit.relation:
        case "at least":
            holds = yours >= bound
        case "at most":
            holds = yours <= bound
        case "more than":
            holds = yours > bound
        case "less than":
            holds = yours < bound
        case "between" if limit.upper is not None:
            holds = bound <= yours <= limit.upper.base
        case _:
            return "cannot tell"
    return "legal" if holds else "not legal"


def _margin(value: Quantity, limit: QuantityLimit) -> str:
    """What is left to the limit, in the limit's unit; negative where it is passed."""
    low, high = limit.amount, limit.upper or limit.amount
    above, below = _left(value.base - low.base, low), _left(high.base - value.base, high)
    match limit.relation:
        case "at least" | "more than":
            return _signed(*above)
        case "at most" | "less than":
            return _signed(*below)
        case _:
            return _signed(*min(above, below))


def _left(base: Decimal, unit_of: Quantity) -> tuple[Decimal, str]:
    return base / (unit_of.base / unit_of.value), unit_of.unit


def _signed(value: Decimal, unit: str) -> str:
    sign = "−" if value < 0 else "+" if value > 0 else "±"
    rounded = (
        value.quantize(Decimal("0.0001")).normalize()
        if value != value.to_integral()
        else value.to_integral()
    )
    return sign + format_quantity(abs(rounded), unit)


def collect_citations(rows: Iterable[ComplianceRow]) -> tuple[Citation, ...]:
    """The citations that rows rest on, each once."""
    return tuple(dict.fromkeys(citation for row in rows for citation in row.citations))
