"""Sheets of values, as rows of a file or of a table that a person edits."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from core.errors import SheetError
from core.sheets.sheet_check import COLUMNS, SheetRow
from core.table_files import name_cells, open_table

REQUIRED = ("id", "parameter", "value")


def read_sheet(data: bytes, name: str) -> tuple[SheetRow, ...]:
    """Read the rows of a CSV or XLSX file.

    Raises SheetError with code `too_large`, `damaged`, `encoding`, `columns`, `empty` or `twice`.
    """
    table, decimal_comma = open_table(data, name)
    return _name_rows(table, name, decimal_comma)


def read_records(
    records: Iterable[Mapping[str, object]], name: str, decimal_comma: bool
) -> tuple[SheetRow, ...]:
    """Read the rows of a table as a person edited it; None is an empty cell.

    Raises SheetError with code `too_large`, `empty` or `twice`.
    """
    table = ([str(record.get(column) or "") for column in COLUMNS] for record in records)
    return _name_rows(chain((COLUMNS,), table), name, decimal_comma)


def _name_rows(
    table: Iterable[Sequence[str]], name: str, decimal_comma: bool
) -> tuple[SheetRow, ...]:
    """Return the rows below a table's heading; there is at least one, and each has its own id."""
    cells = name_cells(table, name, COLUMNS, REQUIRED)
    rows = tuple(SheetRow(**values, decimal_comma=decimal_comma) for values in cells)
    if not rows:
        raise SheetError(f"{name} has no rows below its heading.", code="empty")
    [(first, count)] = Counter(row.id for row in rows).most_common(1)
    if count > 1:
        raise SheetError(f"{name} has the id {first[:40]!r} twice.", code="twice")
    return rows
