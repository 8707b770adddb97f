"""The values of a question ("is 25.0 x 2.0 mm legal?"), checked against registers of limits.

A value is a row of a sheet whose parameter is the question: what decides a sheet decides it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from core.grammar import Quantity, amount_keys, stem_words
from core.registers import Limit, RowLink
from core.sheets.compliance_question import QuestionValue, kind_words, read_values
from core.sheets.limit_search import MEASURING, LimitIndex, limit_words
from core.sheets.sheet_amounts import Amount
from core.sheets.sheet_check import SheetResult, SheetRow, check_amount, compute_margin
from core.sheets.tube_sections import compute_section
from core.sheets.verdicts import QuotedWords, ValueCheck, format_margin

NO_LIMIT_FOUND = "No rule that was found sets a limit for it."
AS_GOOD = 0.8
"""Part of the best probability from which another rulebook may be meant too."""
SURE = 0.6
"""The probability from which limits are taken to be meant. Of a question's words fewer are the
rule's: at the 0.9 of sheets 9 of 30 right verdicts on 53 questions were lost, and there was no
wrong one to avoid (tests/benchmarks/questions, November 2026).
"""
MAX_SHOWN = 4
"""Limits that are shown where it is not plain which one is meant."""


def check_values(question: str, indexes: Sequence[LimitIndex]) -> tuple[ValueCheck, ...]:
    """Return what rulebooks require of a question's values; empty where it brings none.

    `indexes` are the limits of the rulebooks that may be meant. A value without a limit has a row
    that says so. Raises as `LimitIndex.find`.
    """
    checks = [
        (value, [(index, _ValueOfBook(value, index, question).check()) for index in indexes])
        for value in read_values(question)
    ]
    rows = [row for value, results in checks for row in _list_rows(value, results)]
    decided = [row for row in rows if row.verdict != "cannot tell"]
    decided += _check_sections("squar" in stem_words(question), checks)
    # A value that the rule itself names ("under a load of 1,200 N") is a condition of the limit.
    named = amount_keys(*(quote.words for row in decided for quote in row.quotes))
    known = named - amount_keys(*(row.limit for row in decided))
    known |= amount_keys(*(row.yours for row in decided))
    undecided = (row for row in rows if row.verdict == "cannot tell")
    return (*decided, *(row for row in undecided if not amount_keys(row.yours) & known))


class _ValueOfBook:
    """A value against the limits of one rulebook."""

    def __init__(self, value: QuestionValue, index: LimitIndex, question: str) -> None:
        one = value.quantity
        self._value, self._index, self._question = value, index, question
        self._row = SheetRow("", value.subject, str(one.value), one.unit, value.remarks)
        self._amount = _amount_of(one)

    def check(self) -> SheetResult:
        """Check as a row of a sheet is, where the value is meant as it is written."""
        result = check_amount(
            self._row,
            self._amount,
            self._index,
            column=self._value.column,
            sure=SURE,
            question=self._question,
        )
        doubt = result.verdict in ("legal", "not legal") and self._find_doubt(result)
        return replace(result, verdict="cannot tell", margin="", missing=doubt) if doubt else result

    def _find_doubt(self, result: SheetResult) -> str:
        """Return why a verdict does not stand; empty where it does."""
        if not self._value.is_plain:
            return "one value that is meant as it is written"
        is_bare = self._value.subject == kind_words(self._value.quantity.kind)
        return "what it is of" if is_bare and any(map(_names_thing, result.limits)) else ""


def _names_thing(limit: Limit) -> bool:
    """True where the headings of a limit say what it is of."""
    return any(word.isalpha() for word in limit_words(limit.heading) - MEASURING)


def _amount_of(one: Quantity) -> Amount:
    return Amount(one.value, one.unit, {one.kind: one.base}, one.measure)


def _list_rows(
    value: QuestionValue, results: Iterable[tuple[LimitIndex, SheetResult]]
) -> Iterator[ValueCheck]:
    """Yield a row for each limit that a value may be for; one without a limit where none is.

    Rulebooks and limits that decide otherwise are alternatives.
    """
    found = [result for _, result in results if result.limits]
    best = max((result.probability for result in found), default=0.0)
    found = [result for result in found if result.probability >= AS_GOOD * best]
    verdicts = {result.verdict for result in found}
    yours = str(value.quantity)
    if not found:
        kind = f"({value.quantity.kind})"
        yield ValueCheck(kind, "none found", yours, "", "cannot tell", NO_LIMIT_FOUND)
    for result in found:
        rows = [_build_row(value.quantity, limit, result.links) for limit in result.limits]
        is_of_one_clause = len({limit.clause_id for limit in result.limits}) == 1
        if result.verdict in ("legal", "not legal"):
            yield from (replace(row, alternative=len(verdicts) > 1) for row in rows)
        elif is_of_one_clause and len({row.verdict for row in rows[:MAX_SHOWN]}) > 1:
            yield from (
                replace(row, alternative=True, note=f"Missing: {result.missing}.")
                for row in rows[:MAX_SHOWN]
            )
        else:
            yield from (
                replace(row, verdict="cannot tell", margin="", note=f"Missing: {result.missing}.")
                for row in rows[:MAX_SHOWN]
            )


def _build_row(
    value: Quantity, limit: Limit, links: Iterable[RowLink], note: str = ""
) -> ValueCheck:
    """Return the row of a value and a limit, with the table rows that lead to it."""
    margin = compute_margin(_amount_of(value), limit)
    leading = [link for link in links if link.label == limit.label]
    return ValueCheck(
        subject=", ".join((*dict.fromkeys(link.name.strip() for link in leading), limit.subject)),
        limit=str(limit),
        yours=str(value),
        margin=format_margin(margin, limit.unit),
        verdict="legal" if limit.allows(margin) else "not legal",
        note=note or limit.condition,
        quotes=(
            QuotedWords(limit.clause_id, limit.quote),
            *(QuotedWords(link.clause_id, link.quote) for link in leading),
        ),
    )


def _check_sections(
    is_square: bool,
    checks: Iterable[tuple[QuestionValue, Sequence[tuple[LimitIndex, SheetResult]]]],
) -> Iterator[ValueCheck]:
    """Yield rows on the area and the second moment of a tube whose size a question brings."""
    given: dict[Limit, tuple[Quantity, LimitIndex, tuple[RowLink, ...]]] = {}
    for value, results in checks:
        for index, result in results:
            if value.column and result.verdict in ("legal", "not legal"):
                given |= dict.fromkeys(result.limits, (value.quantity, index, result.links))
    rows = {id(row): (row, one) for one in given for row in (given[one][1].row_of(one),)}
    for row, one in rows.values():
        links = given[one][2]
        sizes = {limit: given[limit][0] for limit in row if limit in given}
        for limit, computed, note in compute_section(is_square, sizes, row):
            check = _build_row(computed, limit, links, note)
            yield replace(check, alternative=len(rows) > 1)
