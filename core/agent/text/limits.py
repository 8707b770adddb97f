"""The limits that rule texts set on amounts, in sentences and in tables, with the way each goes.

A text that does not say the way plainly gives an `unclear` limit, and a condition ("if it exceeds 60 km/h") none.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import Literal

from core.agent.text.quantities import UNITS, Quantity, find_quantities
from core.rulebook import has_marker, strip_marker

Relation = Literal["at least", "at most", "more than", "less than", "between", "unclear"]

_LESS = r"(?:less|lower|smaller|fewer|shorter|narrower|lighter|thinner|slower|nearer|closer)\s+than"
_MORE = r"(?:more|greater|higher|larger|longer|wider|taller|heavier|thicker|deeper|faster|further|farther)\s+than"
_FILL = r"(?:\s*(?:\b(?:a|an|the|of|to|be|is|are|total|exactly|equal)\b|[:=]))*\s*$"
_NAMED = r"(?:\s+[\w-]+){0,5}?"
_NOT = r"\b(?:not|never|cannot|nor|no)\b(?:\s+[\w-]+){0,3}?\s+"
_BEFORE: tuple[tuple[Relation, re.Pattern[str]], ...] = (
    ("at least", re.compile(rf"{_NOT}(?:{_LESS}|below|under){_FILL}", re.I)),
    ("at most", re.compile(rf"{_NOT}(?:{_MORE}|above|over|beyond|exceed(?:s|ing)?){_FILL}", re.I)),
    ("at most", re.compile(rf"\bno\s+(?:[\w-]+\s+){{1,8}}exceeds?{_FILL}", re.I)),
    ("at least", re.compile(rf"(?:\bat least|≥|>=){_FILL}", re.I)),
    (
        "at most",
        re.compile(rf"(?:\bat most|\bup to|\b(?:limited|restricted) to|≤|<=){_FILL}", re.I),
    ),
)
_CALLED: tuple[tuple[Relation, re.Pattern[str]], ...] = (
    ("at least", re.compile(rf"(?<!\bno )\bmin(?:imum\b|\b\.?){_NAMED}{_FILL}", re.I)),
    ("at most", re.compile(rf"(?<!\bno )\b(?:max(?:imum\b|\b\.?)|limit\b){_NAMED}{_FILL}", re.I)),
)
"""What an amount is called; "a maximum voltage of less than 120 V" goes by the words that stand nearer."""
_BEHIND: tuple[tuple[Relation, re.Pattern[str]], ...] = (
    (
        "at least",
        re.compile(
            r"\s*(?:\([^)]*\)\s*)?(?:(?:or|and)\s+(?:more|greater|above|over|higher|larger|longer|wider|thicker|heavier)\b|"
            r"min(?:imum)?\b)",
            re.I,
        ),
    ),
    (
        "at most",
        re.compile(
            r"\s*(?:\([^)]*\)\s*)?(?:(?:or|and)\s+(?:less|fewer|below|under|lower|smaller|shorter|narrower|thinner)\b|"
            r"max(?:imum)?\b)",
            re.I,
        ),
    ),
)
_STRICT: tuple[tuple[Relation, re.Pattern[str]], ...] = (
    ("less than", re.compile(rf"(?:\b(?:{_LESS}|below|under)|<){_FILL}", re.I)),
    ("more than", re.compile(rf"(?:\b(?:{_MORE}|above|over|exceed)|>){_FILL}", re.I)),
)
_DUTY = re.compile(
    r"\b(?:must|shall|has to|have to|is to|are to|should|required|will be|may)\b", re.I
)
_MUST = re.compile(r"\b(?:must|shall|has to|have to|is to|are to|should|required)\b", re.I)
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|where|once|until|after|before|within|unless|for every|for each)\b", re.I
)
_WHICH = re.compile(r"\b(?:which|that|who|whose)\b", re.I)
_BETWEEN = re.compile(
    r"\bbetween\s+(?P<low>\d+(?:[.,]\d+)*)\s*[^\d\s]{0,6}\s*(?:[a-z/]+)?\s*and\s*$", re.I
)
_TOLERANCE = re.compile(r"(?:±|\+/-|\+/−)\s*$")
_DIGITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million and"
).replace(" ", "|")
_IN_WORDS = re.compile(rf"(?:\b(?:{_DIGITS})\b[\s-]*)+(?:degrees?\s*)?\(\s*$", re.I)
"""The number in words before the same in figures, "five (5)"."""
_CASE = re.compile("[<>≤≥]")
_RELATING = re.compile(r"\s+between\s*$", re.I)
_PARTED = re.compile(r"[,;]|\b(?:and|or|but)\b", re.I)
_ALTERNATIVE = re.compile(r"^[^.;]{0,60}\b(?:or|and)\s*$")


@dataclass(frozen=True, slots=True)
class QuantityLimit:
    """A limit on an amount; `upper` is the other end where it goes `between` two.

    `subject` is what it is on: a table's column, or the words around it. `own` is the part of a sentence that speaks
    of this limit alone, `behind` what of it comes after the amount ("when fitted to the rear").
    """

    relation: Relation
    amount: Quantity
    subject: str
    upper: Quantity | None = None
    own: str = ""
    behind: str = ""

    @property
    def kind(self) -> str:
        return self.amount.kind

    def __str__(self) -> str:
        match self.relation:
            case "between":
                return f"{self.amount} to {self.upper}"
            case "unclear":
                return str(self.amount)
            case relation:
                return f"{relation} {self.amount}"


MAX_SENTENCE_LENGTH = 2_000
"""Letters of a sentence in which limits are looked for; the longest of the published rulebooks has fewer."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table, or of a list that is one: its line as it stands, its cells and the limits in them; the sentence
    that leads to the table ("The minimum pressures are:") and the header."""

    line: str
    lead: str
    header: tuple[str, ...]
    cells: tuple[str, ...]
    limits: tuple[QuantityLimit, ...]


def find_limits(sentence: str) -> tuple[QuantityLimit, ...]:
    """The limits of a sentence or lettered item, in order; of what stands behind LONGEST letters none."""
    found: list[QuantityLimit] = []
    if len(sentence) > MAX_SENTENCE_LENGTH:
        sentence = sentence[:MAX_SENTENCE_LENGTH].rpartition(" ")[
            0
        ]  # "10 mm" is not to become "10 m"
    every = find_quantities(sentence)
    again = {
        second.start
        for first, second in pairwise(every)
        if sentence[first.end : second.start].strip() == "("
    }
    amounts = [
        amount for amount in every if amount.start not in again
    ]  # once of "203.2 mm (8.0 inches)"
    for place, amount in enumerate(amounts):
        since = amounts[place - 1].end if place else 0
        until = amounts[place + 1].start if place + 1 < len(amounts) else len(sentence)
        if _TOLERANCE.search(sentence[: amount.start]) or _lower_end(sentence, amount):
            continue
        if limit := _between(sentence, amount):
            found.append(limit)
            continue
        inherited = (
            found[-1].relation
            if found and _ALTERNATIVE.match(sentence[since : amount.start])
            else None
        )
        relation = _relation(sentence, amount, until)
        if relation in (None, "unclear"):
            relation = inherited or relation
        if relation:
            found.append(QuantityLimit(relation, amount, ""))
    return tuple(_placed(sentence, found)) if found else ()


def _placed(sentence: str, limits: Sequence[QuantityLimit]) -> Iterator[QuantityLimit]:
    """Limits with the words they stand in: one after another goes by the last "and", "or" or comma between them."""
    starts = [0]
    for before, limit in pairwise(limits):
        end = (before.upper or before.amount).end
        parted = list(_PARTED.finditer(sentence, end, max(end, limit.amount.start)))
        starts.append(parted[-1].start() if parted else end)
    for limit, start, stop in zip(limits, starts, [*starts[1:], len(sentence)], strict=True):
        own = _trimmed(sentence[start:stop])
        head = (
            f"{_trimmed(_RELATING.sub('', sentence[: limits[0].amount.start]))} … " if start else ""
        )
        yield replace(
            limit,
            subject=head + own,
            own=own,
            behind=sentence[(limit.upper or limit.amount).end : stop],
        )


def _trimmed(words: str) -> str:
    return re.sub(r"^(?:and|or|but)\s+", "", " ".join(words.split()).strip(" ,;.("))


def find_table_rows(text: str) -> tuple[TableRow, ...]:
    """The rows of the tables in a text of Markdown tables, their headers left out, and of lists that say as much."""
    return (*_tabled(text), *_listed(text))


def _tabled(text: str) -> tuple[TableRow, ...]:
    found: list[TableRow] = []
    header: tuple[str, ...] = ()
    lead = before = ""
    for line in text.splitlines():
        if not line.startswith("|"):
            lead = line if line.rstrip().endswith(":") else ""
        elif not before.startswith("|"):
            header = _cells(line)
        elif not set(line) <= set("|- :"):
            cells = _cells(line)
            found.append(TableRow(line, lead, header, cells, tuple(_of_cells(lead, header, cells))))
        before = line
    return tuple(found)


def _listed(text: str) -> Iterator[TableRow]:
    """The items of each list below a sentence that says the way of the limits ("The maximum diameters are:")."""
    lead: str = ""
    items: list[str] = []
    for line in (*text.splitlines(), ""):
        if lead and has_marker(line):
            items.append(line)
            continue
        yield from _items(lead, items)
        lead, items = line if line.rstrip().endswith(":") else "", []


def _items(lead: str, items: Sequence[str]) -> Iterator[TableRow]:
    """The items of a list as rows, where each holds one amount, all of a kind, and no limit of its own."""
    way, column = _way(lead), lead.rstrip(" :")
    if way is None:
        return
    amounts = [find_quantities(item) for item in items]
    kinds = {amount.kind for found in amounts for amount in found}
    if any(len(found) != 1 for found in amounts) or len(kinds) != 1 or any(map(find_limits, items)):
        return
    for item, [amount] in zip(items, amounts, strict=True):
        name = f"{strip_marker(item[: amount.start])} {item[amount.end :]}".strip()
        cells = (name, item[amount.start : amount.end])
        yield TableRow(item, lead, ("", column), cells, (QuantityLimit(way, amount, column),))


def _relation(sentence: str, amount: Quantity, until: int) -> Relation | None:
    """The way a limit goes; None where the amount is no limit."""
    left, right = _IN_WORDS.sub("", sentence[: amount.start]), sentence[amount.end : until]
    clause = re.split(r"[,;:]\s", left)[-1]
    condition = _CONDITION.search(clause)
    if condition and not _DUTY.search(clause, condition.end()):
        return None
    if said := _first(_BEFORE, left):
        return said
    if called := _first(_CALLED, left):
        return _first(_STRICT, left) or called
    described = _WHICH.search(clause)
    if described and not _DUTY.search(clause, described.end()):
        return None
    for relation, pattern in _BEHIND:
        if pattern.match(right):
            return relation
    if not _MUST.search(left):
        return None
    return _first(_STRICT, left) or "unclear"


def _first(ways: Sequence[tuple[Relation, re.Pattern[str]]], words: str) -> Relation | None:
    return next((relation for relation, pattern in ways if pattern.search(words)), None)


def _between(sentence: str, amount: Quantity) -> QuantityLimit | None:
    match = _BETWEEN.search(sentence[: amount.start])
    if match is None:
        return None
    low = find_quantities(f"{match['low']} {amount.unit}")
    lower = next(
        (q for q in find_quantities(sentence) if q.start == match.start("low")),
        low[0] if low else None,
    )
    if lower is None or lower.kind != amount.kind or lower.base > amount.base:
        return None
    return QuantityLimit("between", replace(lower, start=match.start("low")), "", amount)


def _lower_end(sentence: str, amount: Quantity) -> bool:
    return bool(
        re.search(r"\bbetween\s*$", sentence[: amount.start], re.I)
        and re.match(r"\s*and\s+\d", sentence[amount.end :], re.I)
    )


def _of_cells(
    lead: str, header: tuple[str, ...], cells: tuple[str, ...]
) -> Iterator[QuantityLimit]:
    """The limits of a row: the cell says which way, or the column's heading (that says the unit of bare numbers, too),
    or the sentence before the table."""
    key = next((place for place, cell in enumerate(cells) if len(cell) > 2), 0)
    for place, (column, cell) in enumerate(zip(header, cells, strict=False)):
        if place <= key and (_CASE.search(cell) or not _way(column)):
            continue  # what a row is called is no limit, be it "< 20 kg"
        own = find_limits(cell)
        if own:
            yield from (replace(limit, subject=column or limit.subject) for limit in own)
            continue
        way = _way(column) or _way(lead)
        amounts = find_quantities(cell) or _bare(column, cell)
        if way and len(amounts) == 1:
            yield QuantityLimit(way, amounts[0], column)


def _way(words: str) -> Relation | None:
    least = re.search(rf"\bmin(?:imum)?\b|\bat least\b|{_NOT}{_LESS}", words, re.I)
    most = re.search(
        rf"\b(?:max(?:imum)?|limit)\b|\bat most\b|{_NOT}(?:{_MORE}|exceed)", words, re.I
    )
    if bool(least) == bool(most):
        return None
    return "at least" if least else "at most"


def _bare(column: str, cell: str) -> tuple[Quantity, ...]:
    """A number whose unit stands in its column's heading, "Wall thickness (mm)"."""
    unit = next((u for u in re.findall(r"[(\[]\s*([^)\]]+?)\s*[)\]]", column) if u in UNITS), None)
    number = re.fullmatch(r"\d+(?:\.\d+)?", cell)
    return (Quantity(Decimal(cell), unit, 0, len(cell)),) if unit and number else ()


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|")))
