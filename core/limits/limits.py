"""The limits that rule texts set on amounts, in sentences and in tables, with their direction.

A text that does not plainly say the direction gives an `unclear` limit. A condition ("if it exceeds
60 km/h") sets no limit.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from core.limits.directions import Relation, find_direction, find_relation
from core.limits.quantities import UNITS, Quantity, find_quantities
from core.limits.sentences import alphanumeric_only
from core.limits.vocabulary import any_word
from core.rulebook import has_marker, strip_marker

_BETWEEN = re.compile(
    r"(?i)\bbetween\s+(?P<low>\d+(?:[.,]\d+)*)\s*[^\d\s]{0,6}\s*(?:[a-z/]+)?\s*and\s*$"
)
_NO_LIMIT = re.compile(r"(?:±|\+/-|\+/−)\s*$")
_RANGE_OPENS, _RANGE_GOES_ON = re.compile(r"\bbetween\s*$", re.I), re.compile(r"\s*and\s+\d", re.I)
_OPEN_CHOICE = re.compile(rf"\b(?:{any_word('open_choice')})\b", re.I)
_ALTERNATIVE = re.compile(r"^[^.;]{0,60}\b(?:or|and)\s*$")
_SEPARATOR = re.compile(r"[,;]|\b(?:and|or|but)\b", re.I)


@dataclass(frozen=True, slots=True)
class QuantityLimit:
    """A limit on an amount; `upper` is the other end where it goes `between` two.

    `subject` is what it is on: a table's column, or the words around it. `own` is the part of a
    sentence that speaks of this limit alone, `behind` what of that part follows the amount ("when
    fitted to the rear").
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
"""Characters of a sentence that are read; the longest of the published rulebooks has fewer."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table, or of a list that is one, with the limits in its cells.

    `line` is its text, `lead` the sentence that leads to the table ("The minimum pressures are:").
    """

    line: str
    lead: str
    header: tuple[str, ...]
    cells: tuple[str, ...]
    limits: tuple[QuantityLimit, ...]

    def shares_cell(self, other: "TableRow") -> bool:
        """True where a cell of two to four words is in the other row too: "Size A tube"."""
        labels = {alphanumeric_only(cell) for cell in self.cells if 1 < len(cell.split()) <= 4}
        return any(alphanumeric_only(cell) in labels for cell in other.cells)


def find_limits(sentence: str) -> tuple[QuantityLimit, ...]:
    """Return the limits of a sentence or lettered item, in order.

    Only its first MAX_SENTENCE_LENGTH characters are read.
    """
    if len(sentence) > MAX_SENTENCE_LENGTH:  # cut between words: "10 mm" must not become "10 m"
        sentence = sentence[:MAX_SENTENCE_LENGTH].rpartition(" ")[0]
    amounts = _amounts_once(sentence)
    found: list[QuantityLimit] = []
    for before, amount, after in zip([None, *amounts], amounts, [*amounts[1:], None], strict=False):
        left = sentence[: amount.start]
        right = sentence[amount.end : after.start if after else None]
        opens_range = _RANGE_OPENS.search(left) and _RANGE_GOES_ON.match(sentence, amount.end)
        if opens_range or _NO_LIMIT.search(left):
            continue
        if limit := _find_range(sentence, amount):
            found.append(limit)
            continue
        relation = find_relation(left, right)
        if relation in (None, "unclear") and before and found:
            inherits = _ALTERNATIVE.match(sentence[before.end : amount.start])
            relation = found[-1].relation if inherits else relation
        if relation:
            found.append(QuantityLimit(relation, amount, ""))
    return tuple(_add_context(sentence, found)) if found else ()


def complete_limits(heading: str, sentence: str) -> tuple[QuantityLimit, ...]:
    """Return the limits of a sentence that is known to be on a value, with all its amounts if none.

    Where the words at an amount give no direction, those of the sentence do, else of its heading.
    """
    relation = find_direction(sentence) or find_direction(heading)
    amounts = _amounts_once(sentence) if relation else ()
    found = find_limits(sentence) or tuple(
        QuantityLimit(relation, amount, sentence) for amount in amounts if relation
    )
    return tuple(
        replace(limit, relation=relation) if relation and limit.relation == "unclear" else limit
        for limit in found
    )


def _amounts_once(sentence: str) -> list[Quantity]:
    """Return the amounts of a sentence; of "203.2 mm (8.0 inches)" the first.

    None where something else decides which holds: "the voltage or 750 V, whichever is higher".
    """
    choice = _OPEN_CHOICE.search(sentence)
    amounts = [one for one in find_quantities(sentence) if not choice or one.start > choice.start()]
    again = {b.start for a, b in pairwise(amounts) if sentence[a.end : b.start].strip() == "("}
    return [amount for amount in amounts if amount.start not in again]


def _add_context(sentence: str, limits: Sequence[QuantityLimit]) -> Iterator[QuantityLimit]:
    """Yield limits with the words around them: between two, the last "and", "or" or comma parts."""
    starts = [0]
    for before, limit in pairwise(limits):
        end = (before.upper or before.amount).end
        separators = list(_SEPARATOR.finditer(sentence, end, max(end, limit.amount.start)))
        starts.append(separators[-1].start() if separators else end)
    opening = re.sub(r"\s+between\s*$", "", sentence[: limits[0].amount.start], flags=re.I)
    for limit, start, stop in zip(limits, starts, [*starts[1:], len(sentence)], strict=True):
        own = _trim(sentence[start:stop])
        subject = f"{_trim(opening)} … {own}" if start else own
        behind = sentence[(limit.upper or limit.amount).end : stop]
        yield replace(limit, subject=subject, own=own, behind=behind)


def _trim(words: str) -> str:
    return re.sub(r"^(?:and|or|but)\s+", "", " ".join(words.split()).strip(" ,;.("))


def _find_range(sentence: str, upper: Quantity) -> QuantityLimit | None:
    """Return the limit "between 10 and 15 mm" that ends with an amount."""
    match = _BETWEEN.search(sentence[: upper.start])
    if match is None:
        return None
    written = (q for q in find_quantities(sentence) if q.start == match.start("low"))
    with_unit_of_upper = iter(find_quantities(f"{match['low']} {upper.unit}"))
    lower = next(written, None) or next(with_unit_of_upper, None)
    if lower is None or lower.kind != upper.kind or lower.base > upper.base:
        return None
    return QuantityLimit("between", replace(lower, start=match.start("low")), "", upper)


def find_table_rows(text: str) -> tuple[TableRow, ...]:
    """Return the rows of the Markdown tables in a text, and of lists that say as much."""
    return (*_read_tables(text), *_read_lists(text))


def _read_tables(text: str) -> Iterator[TableRow]:
    header: tuple[str, ...] = ()
    lead = before = ""
    for line in text.splitlines():
        cells = tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|")))
        if not line.startswith("|"):
            lead = line if line.rstrip().endswith(":") else ""
        elif not before.startswith("|"):
            header = cells
        elif not set(line) <= set("|- :"):
            limits = tuple(_find_cell_limits(lead, header, cells))
            yield TableRow(line, lead, header, cells, limits)
        before = line


def _read_lists(text: str) -> Iterator[TableRow]:
    """Yield the items of lists whose lead gives the direction ("The maximum diameters are:")."""
    lead = ""
    items: list[str] = []
    for line in (*text.splitlines(), ""):
        if lead and has_marker(line):
            items.append(line)
            continue
        yield from _read_items(lead, items)
        lead, items = line if line.rstrip().endswith(":") else "", []


def _read_items(lead: str, items: Sequence[str]) -> Iterator[TableRow]:
    """Yield list items as rows if each holds one amount, all of a kind, and no limit of its own."""
    relation, column = find_direction(lead), lead.rstrip(" :")
    amounts = [find_quantities(item) for item in items]
    kinds = {amount.kind for found in amounts for amount in found}
    if relation is None or len(kinds) != 1 or any(len(found) != 1 for found in amounts):
        return
    if any(map(find_limits, items)):
        return
    for item, [amount] in zip(items, amounts, strict=True):
        name = f"{strip_marker(item[: amount.start])} {item[amount.end :]}".strip()
        limit = QuantityLimit(relation, amount, column)
        yield TableRow(item, lead, ("", column), (name, item[amount.start : amount.end]), (limit,))


def _find_cell_limits(
    lead: str, header: tuple[str, ...], cells: tuple[str, ...]
) -> Iterator[QuantityLimit]:
    """Yield the limits of a row.

    The direction is in the cell, in its column's heading or in the sentence before the table.
    """
    key = next((place for place, cell in enumerate(cells) if len(cell) > 2), 0)
    for place, (column, cell) in enumerate(zip(header, cells, strict=False)):
        direction = find_direction(column)
        if place <= key and (re.search("[<>≤≥]", cell) or not direction):
            continue  # what a row is called is no limit, be it "< 20 kg"
        if limits := find_limits(cell):
            yield from (replace(limit, subject=column or limit.subject) for limit in limits)
            continue
        relation = direction or find_direction(lead)
        amounts = find_quantities(cell)
        if not amounts and re.fullmatch(r"\d+(?:\.\d+)?", cell):  # "Wall thickness (mm)" says it
            heads = re.findall(r"[(\[]\s*([^)\]]+?)\s*[)\]]", column)
            units = list(filter(UNITS.__contains__, heads))[:1]
            amounts = tuple(Quantity(Decimal(cell), unit, 0, len(cell)) for unit in units)
        if relation and len(amounts) == 1:
            yield QuantityLimit(relation, amounts[0], column)
