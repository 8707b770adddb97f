"""The values of a question ("is 25.0 x 2.0 mm legal?"), checked against registers of limits.

A value is a row of a sheet whose parameter is the question: what decides a sheet decides it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType

from core.limits.compliance_question import (
    QuestionValue,
    kind_words,
    measures_the_same,
    read_values,
)
from core.limits.limit_search import (
    MEASURING,
    Candidate,
    LimitIndex,
    ParameterWord,
    is_of_part,
    limit_words,
)
from core.limits.limits import OPEN_CHOICE
from core.limits.quantities import Quantity, amount_keys
from core.limits.register import Limit, RowLink
from core.limits.row_conditions import find_missing_condition
from core.limits.sheet_amounts import Amount
from core.limits.sheet_check import (
    WEAK_SHARE,
    SheetResult,
    SheetRow,
    SheetVerdict,
    check_amount,
    check_nearest,
    compute_margin,
    in_one_unit,
)
from core.limits.stems import stem_words
from core.limits.tube_sections import compute_section
from core.limits.verdicts import QuotedWords, ValueCheck, format_margin

_NOT_KNOWN: Mapping[str, float] = MappingProxyType({})
NO_LIMIT_FOUND = "No rule that was found sets a limit for it."
AS_GOOD = 0.8
"""Part of the best score from which another rulebook may be meant too."""
MIN_NEARNESS, MIN_FIRST_NEARNESS = 0.45, 0.4
"""The cosine of clause and question from which the clause is taken to be on the value; the second
for the clause that a search put first."""
AS_NEAR = 0.9
"""Part of the highest cosine from which another clause may be on it too."""
SIZE_FACTOR = 4
"""How many times as large or small as a limit a value is that it is on."""
MAX_SHOWN = 4
"""Limits that are shown where it is not plain which one is meant."""


def check_values(
    question: str, indexes: Sequence[LimitIndex], nearness: Mapping[str, float] = _NOT_KNOWN
) -> tuple[ValueCheck, ...]:
    """Return what rulebooks require of a question's values; empty where it brings none.

    `indexes` are the limits of the rulebooks that may be meant, `nearness` the cosines of clauses
    and question, by their ids, the best found first. A value without a limit has a row that says
    so.
    """
    least = max(MIN_NEARNESS, AS_NEAR * max(nearness.values(), default=0.0))
    near = [
        key
        for place, (key, cosine) in enumerate(nearness.items())
        if cosine >= (least if place else MIN_FIRST_NEARNESS)
    ]
    checks = [
        (value, [(index, _ValueOfBook(value, index).check(near)) for index in indexes])
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

    def __init__(self, value: QuestionValue, index: LimitIndex) -> None:
        one = value.quantity
        self._value, self._index = value, index
        self._row = SheetRow("", value.subject, str(one.value), one.unit, value.remarks)
        self._amount = _amount_of(one)
        self._said = index.words_of(value.subject)

    def check(self, near: Sequence[str]) -> SheetResult:
        """Check by the limits that its words mean, then by those of the nearest clause, then by
        what is left where others are on another thing.
        """
        named = check_amount(self._row, self._amount, self._index, column=self._value.column)
        missing = ""
        for result, is_named in chain([(named, True)], self._look_further(near)):
            if result and result.verdict in ("legal", "not legal"):
                doubt = self._find_doubt(result, is_named=is_named)
                if not doubt:
                    return result
                missing = missing or doubt
        return replace(named, verdict="cannot tell", margin="", missing=missing or named.missing)

    def _look_further(self, near: Sequence[str]) -> Iterator[tuple[SheetResult | None, bool]]:
        """Yield results, each looked up only where those before it do not stand."""
        column = self._value.column
        yield check_nearest(self._row, self._amount, near, self._index, column), False
        yield self._check_what_is_left(), True

    def _check_what_is_left(self) -> SheetResult | None:
        """Check by the limits that are not on another thing; None unless all are of one clause and
        decide alike.
        """
        row, index = self._row, self._index
        found = index.find(self._amount, row.subject, row.remarks, self._value.column)
        left = {
            one.candidate.limit: one.candidate.link
            for one in found
            if one.score >= WEAK_SHARE and self._may_mean(one.candidate)
        }
        verdicts = {self._is_kept(limit) for limit in left}
        if len({limit.clause_id for limit in left}) != 1 or len(verdicts) > 1:
            return None
        candidates = [one.candidate for one in found if one.candidate.limit in left]
        said = (*index.words_of(row.subject), *index.words_of(row.remarks))
        if any(is_of_part(one, said) for one in candidates) or find_missing_condition(
            row.text, candidates, said, is_picked=False, is_alike=True
        ):
            return None
        links = tuple(dict.fromkeys(filter(None, left.values())))
        verdict: SheetVerdict = "legal" if verdicts.pop() else "not legal"
        return SheetResult("", verdict, tuple(left), links=links, score=found[0].score)

    def _may_mean(self, one: Candidate) -> bool:
        links = (one.link,) if one.link else ()
        is_binding = one.limit.modality != "should"
        return is_binding and not self._find_other_thing(one.limit, links, is_named=True)

    def _find_doubt(self, result: SheetResult, *, is_named: bool) -> str:
        """Return why a verdict does not stand; empty where it does.

        `is_named` of limits that its words mean, not only their meaning.
        """
        if not self._value.is_plain:
            return "one value that is meant as it is written"
        if any(OPEN_CHOICE.search(limit.quote) for limit in result.limits):
            return "the other amount, of which the rule takes one"
        doubts = (
            self._find_other_thing(limit, result.links, is_named=is_named)
            or self._find_rival(limit, result)
            for limit in result.limits
        )
        return next(filter(None, doubts), "")

    def _find_rival(self, limit: Limit, result: SheetResult) -> str:
        """Name a limit beside one that says as much of the value and decides otherwise."""
        if self._value.column:
            return ""
        held = set(self._select_held(limit, result.links))
        for other in self._index.row_of(limit):
            if (
                (other.kind, other.relation) == (limit.kind, limit.relation)
                and other not in result.limits
                and self._is_kept(other) != self._is_kept(limit)
                and held <= set(self._select_held(other, result.links))
            ):
                return f"which of these is meant: {limit}; {other} ({limit.article})"
        return ""

    def _find_other_thing(self, limit: Limit, links: Iterable[RowLink], *, is_named: bool) -> str:
        """Return why a limit is not on what the question names, or on that length or size.

        What the question names that the book has rules on, the limit has to say. `is_named` of
        limits that its words mean, not only their meaning.
        """
        value, held = self._value, self._select_held(limit, links)
        headings = [limit_words(part) for part in limit.heading.split(" / ") if part.strip()]
        things = {word for words in headings for word in words - MEASURING if word.isalpha()}
        is_bare = value.subject == kind_words(value.quantity.kind)  # "May we run 640 kg?"
        if is_bare and things:
            return "what it is of"
        title = headings[-1] if headings else frozenset()
        if is_named and all(word.stem in MEASURING and not word.is_in(title) for word in held):
            return f"what it is of: Article {limit.article} may be on something else"
        others = [word for word in self._index.name_things(self._said) if word not in held]
        if others:
            return f"a rule on “{others[0].stem}”: Article {limit.article} does not say it"
        if value.quantity.kind == "length" and not measures_the_same(value.subject, limit.wording):
            return f"a rule on this length: Article {limit.article} is on another of the thing"
        size, low, high = in_one_unit(self._amount, limit)
        if not low / SIZE_FACTOR <= size <= (high or low) * SIZE_FACTOR:
            return f"a rule on amounts of this size: Article {limit.article} is on others"
        return ""

    def _select_held(self, limit: Limit, links: Iterable[RowLink]) -> list[ParameterWord]:
        """Return the words that a limit, its headings and the rows that lead to it say."""
        led = limit_words(" ".join(link.name for link in links if link.label == limit.label))
        words = Candidate.from_limit(limit, None).words | led
        return [word for word in self._said if word.is_in(words)]

    def _is_kept(self, limit: Limit) -> bool:
        return limit.allows(compute_margin(self._amount, limit))


def _amount_of(one: Quantity) -> Amount:
    return Amount(one.value, one.unit, {one.kind: one.base}, one.measure)


def _list_rows(
    value: QuestionValue, results: Iterable[tuple[LimitIndex, SheetResult]]
) -> Iterator[ValueCheck]:
    """Yield a row for each limit that a value may be for; one without a limit where none is.

    Rulebooks and limits that decide otherwise are alternatives.
    """
    found = [result for _, result in results if result.limits]
    best = max((result.score for result in found), default=0.0)
    found = [result for result in found if result.score >= AS_GOOD * best]
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
        subject=", ".join((*dict.fromkeys(link.name for link in leading), limit.subject)),
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
