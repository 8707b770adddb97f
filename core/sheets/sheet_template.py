"""Example rows for the sheet that a person downloads to fill in."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import islice

from core.grammar import UNITS
from core.library import Document, Library
from core.registers import Limit, LimitsRegister, register_of
from core.sheets.limit_indexes import limit_index
from core.sheets.limit_search import LimitIndex
from core.sheets.sheet_check import SheetRow, check_row
from core.sheets.sheet_files import COLUMNS

_TRIALS = 100
"""Limits of a kind that are tried as examples: a check takes milliseconds."""


def template_rows(
    register: LimitsRegister, index: LimitIndex, others: Sequence[LimitIndex] = ()
) -> tuple[SheetRow, ...]:
    """Return rows of a rulebook's own limits, of the five kinds of units that it limits most.

    Each is answered by its own rule, and by none of the `others`, those of the rulebooks that are
    checked with it. A rulebook whose titles name no limit has no examples.
    """
    by_kind = defaultdict(list)
    for limit in register.limits:
        if limit.in_force and limit.unit in UNITS:
            by_kind[UNITS[limit.unit][0]].append(limit)
    kinds = sorted(by_kind.values(), key=len, reverse=True)
    rows = (
        next(
            filter(None, (_row_of_limit(limit, index, others) for limit in limits[:_TRIALS])), None
        )
        for limits in kinds
    )
    return tuple(islice(filter(None, rows), 5))


def template_records(
    library: Library, documents: Sequence[Document], day: str | None = None
) -> list[dict[str, str]]:
    """Return the example rows of a template by column; without one an empty row.

    They are of the first document; all are checked together, as their layers lie on a day.
    """
    chosen = [one.document_id for one in documents], day
    index, *others = (limit_index(library, one, *chosen) for one in documents)
    rows = template_rows(register_of(library, documents[0], *chosen), index, others)
    return [row.cells for row in rows] or [dict.fromkeys(COLUMNS, "")]


def _row_of_limit(limit: Limit, index: LimitIndex, others: Sequence[LimitIndex]) -> SheetRow | None:
    """Return a row at a limit that is named as its rule's title, if it is found by that."""
    title = limit.heading.rpartition(" / ")[2]
    value = f"{limit.value:f}"
    row = SheetRow(f"example-{limit.article}", title, value, limit.unit, limit.condition)
    result = check_row(row, index)
    if result.verdict != "legal" or limit not in result.limits:
        return None
    is_clear = all(check_row(row, other).verdict in ("legal", "no rule") for other in others)
    return row if is_clear else None
