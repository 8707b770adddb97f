"""The values of a question ("is 25.0 x 2.0 mm legal?"), checked against registers of limits.

A value is a row of a sheet whose parameter is the question: what decides a sheet decides it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from core.grammar import Quantity, amount_keys
from core.registers import Limit, RowLink, find_override
from core.sheets.compliance_question import QuestionValue, read_values
from core.sheets.limit_search import LimitIndex
from core.sheets.sheet_amounts import compute_margin, express_amount
from core.sheets.sheet_check import SheetResult, SheetRow, check_amount
from core.sheets.tube_sections import compute_section
from core.sheets.verdicts import QuotedWords, ValueCheck, format_margin

NO_LIMIT_FOUND = "No rule that was found sets a limit for it."
DECIDED = ("legal", "not legal")


def check_values(question: str, indexes: Sequence[LimitIndex]) -> tuple[ValueCheck, ...]:
    """Return what rulebooks require of a question's values; empty where it brings none.

    `indexes` are the limits of the rulebooks that may be meant. A value without a limit has a row
    that says so. Raises as `LimitIndex.find`.
    """
    values = list(read_values(question))
    by_index = [_check_with(index, values) for index in indexes]
    checks = [
        (value, [(index, found[place]) for index, found in zip(indexes, by_index, strict=True)])
        for place, value in enumerate(values)
    ]
    rows = [row for value, results in checks for row in _list_rows(value, results)]
    rows += _check_sections(question, checks)
    decided = [row for row in rows if row.verdict != "cannot tell"]
    # A value that the rule itself names ("under a load of 1,200 N") is a condition of the limit.
    named = amount_keys(*(quote.words for row in decided for quote in row.quotes))
    known = named - amount_keys(*(row.limit for row in decided))
    known |= amount_keys(*(row.yours for row in decided))
    undecided = (row for row in rows if row.verdict == "cannot tell")
    return (*decided, *(row for row in undecided if not amount_keys(row.yours) & known))


def _check_with(index: LimitIndex, values: Sequence[QuestionValue]) -> list[SheetResult]:
    """Check values as rows of a sheet are, each where it is meant as it is written.

    Two values that lead to one limit are not.
    """
    results = []
    for value in values:
        one = value.quantity
        row = SheetRow("", value.subject, str(one.value), one.unit or value.thing, value.remarks)
        amount = express_amount(one.value, one.unit)
        results.append(check_amount(row, amount, index, column=value.column))
    counts = Counter(limit for result in results for limit in result.limits)
    missing = "one value that is meant as it is written"
    return [
        replace(result, verdict="cannot tell", margin="", missing=missing)
        if result.verdict in DECIDED
        and not (value.is_plain and all(counts[limit] == 1 for limit in result.limits))
        else result
        for value, result in zip(values, results, strict=True)
    ]


def _list_rows(
    value: QuestionValue, results: Iterable[tuple[LimitIndex, SheetResult]]
) -> Iterator[ValueCheck]:
    """Yield a row for each limit that a value may be for; one without a limit where none is.

    Of a rulebook that decides nothing the first four limits count. Rulebooks and limits that
    decide otherwise are alternatives. Nothing is legal that another layer may forbid.
    """
    one, found = value.quantity, [(index, result) for index, result in results if result.limits]
    decided = [result for _, result in found if result.verdict in DECIDED]
    is_open = len({result.verdict for result in decided}) > 1
    if left := _find_left(found, decided):
        decided = []
    if not found:
        kind = f"({one.kind})"
        yield ValueCheck(kind, "none found", str(one), "", "cannot tell", NO_LIMIT_FOUND)
    for result in decided:
        for limit in result.limits:
            yield replace(_build_row(one, limit, result.links), alternative=is_open)
    for _, result in () if decided else found:
        is_one_clause = len({limit.clause_id for limit in result.limits}) == 1
        for limit in result.limits[:4]:
            row = _build_row(one, limit, result.links, f"Missing: {result.missing or left}.")
            alternative = is_one_clause and len(result.limits) > 1
            yield replace(row, verdict="cannot tell", alternative=alternative)


def _find_left(
    found: Iterable[tuple[LimitIndex, SheetResult]], decided: Iterable[SheetResult]
) -> str:
    """Return what is missing to call a value legal that another layer may forbid, else ""."""
    if any(result.verdict == "not legal" for result in decided):
        return ""
    clause_ids = {limit.clause_id for result in decided for limit in result.limits}
    return next(
        (
            result.missing
            for index, result in found
            if result.verdict not in DECIDED
            if any(find_override(index.notes, limit) for limit in result.limits)
            if result.is_left_by(clause_ids)
        ),
        "",
    )


def _build_row(
    value: Quantity, limit: Limit, links: Iterable[RowLink], note: str = ""
) -> ValueCheck:
    """Return the row of a value and a limit, with the table rows that lead to it."""
    amount = express_amount(value.value, value.unit)
    margin = compute_margin(amount, limit)
    leading = [link for link in links if link.label == limit.label]
    return ValueCheck(
        subject=", ".join((*dict.fromkeys(link.name.strip() for link in leading), limit.subject)),
        limit=str(limit),
        yours=str(value),
        margin=format_margin(margin, limit.unit) if amount.converts_to(limit.kind) else "",
        verdict="legal" if limit.allows(margin) else "not legal",
        note=note or limit.condition,
        quotes=(
            QuotedWords(limit.clause_id, limit.quote),
            *(QuotedWords(link.clause_id, link.quote) for link in leading),
        ),
    )


def _check_sections(
    question: str,
    checks: Iterable[tuple[QuestionValue, Sequence[tuple[LimitIndex, SheetResult]]]],
) -> Iterator[ValueCheck]:
    """Yield rows on the area and the second moment of a tube whose size a question brings.

    They decide nothing where its size does not.
    """
    given = {
        limit: (value.quantity, index.row_of(limit), result)
        for value, results in checks
        for index, result in results
        for limit in result.limits
    }
    rows = {id(row): (row, result) for _, row, result in given.values()}
    for row, result in rows.values():
        sizes = {limit: given[limit][0] for limit in row if limit in given}
        is_open = any(given[limit][2].verdict not in DECIDED for limit in sizes)
        for limit, computed, note in compute_section(question, sizes, row):
            check = _build_row(computed, limit, result.links, note)
            verdict = "cannot tell" if is_open else check.verdict
            yield replace(check, verdict=verdict, alternative=len(rows) > 1)
