"""Sheets of values, as rows of a file or of a table that a person edits."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from core.errors import SheetError
from core.registers import name_cells, open_table
from core.sheets.sheet_check import COLUMNS, SheetRow

REQUIRED = ("id", "parameter", "value")


def read_sheet(data: bytes, name: str) -> tuple[SheetRow, ...]:
    """Read the rows of a CSV or XLSX file.

    Raises SheetError with code `too_large`, `damaged`, `encoding`, `columns`, `empty` or `twice`.
    """
    table, decimal_comma = open_table(data, name)
    return _with_own_ids(tuple(_read_rows(table, name, decimal_comma)), name)


def read_records(
    records: Iterable[Mapping[str, object]], name: str, decimal_comma: bool
) -> tuple[SheetRow, ...]:
    """Read the rows of a table as a person edited it; None is an empty cell.

    Raises SheetError with code `too_large`, `empty` or `twice`.
    """
    table = ([str(record.get(column) or "") for column in COLUMNS] for record in records)
    rows = tuple(_read_rows(chain((COLUMNS,), table), name, decimal_comma))
    return _with_own_ids(rows, name)


def _with_own_ids(rows: tuple[SheetRow, ...], name: str) -> tuple[SheetRow, ...]:
    if not rows:
        raise SheetError(f"{name} has no rows below its heading.", code="empty")
    [(first, count)] = Counter(row.id for row in rows).most_common(1)
    if count > 1:
        raise SheetError(f"{name} has the id {first[:40]!r} twice.", code="twice")
    return rows


def _read_rows(
    table: Iterable[Sequence[str]], name: str, decimal_comma: bool
) -> Iterator[SheetRow]:
    for values in name_cells(table, name, COLUMNS, REQUIRED):
        yield SheetRow(**values, decimal_comma=decimal_comma)
