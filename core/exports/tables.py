"""Exports as rows: CSV, Excel, JSON Lines."""

import csv
import io
import json
from dataclasses import asdict

from core.exports.items import Export, ExportItem

COLUMNS = (
    "id", "number", "part", "title", "text", "status", "page_first", "page_last", "clause_id"
)  # fmt: skip
CHANGE_COLUMNS = (
    "id", "change", "number_before", "number", "title", "text_before", "text", "similarity",
    "declared", "clause_id"
)  # fmt: skip
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
MAX_CELL = 32_767
"""Letters that Excel takes in a cell."""


def write_csv(export: Export) -> bytes:
    """Return CSV in UTF-8 with a mark that Excel knows it by.

    A cell that a spreadsheet would run as a formula begins with an apostrophe.
    """
    text = io.StringIO(newline="")
    rows = csv.writer(text)
    rows.writerow(_columns(export))
    for item in export.walk():
        cells = (getattr(item, name) for name in _columns(export))
        rows.writerow([_disarm(cell) if isinstance(cell, str) else cell for cell in cells])
    return text.getvalue().encode("utf-8-sig")


def write_jsonl(export: Export) -> bytes:
    """Return a line of JSON for each item."""
    lines = (json.dumps(_row(item), ensure_ascii=False) for item in export.walk())
    return "".join(f"{line}\n" for line in lines).encode()


def write_xlsx(export: Export) -> bytes:
    """Return an Excel file with one sheet; longer texts go on in further rows of the same id."""
    import xlsxwriter  # loads slowly, and nothing else needs it

    target = io.BytesIO()
    with xlsxwriter.Workbook(target, {"in_memory": True}) as book:
        sheet = book.add_worksheet("Changes" if export.since else "Rules")
        wrapped = book.add_format({"text_wrap": True, "valign": "top"})
        names = _columns(export)
        sheet.set_column(0, len(names) - 1, 24, wrapped)
        sheet.freeze_panes(1, 0)
        sheet.write_row(0, 0, names)
        row = 1
        for item in export.walk():
            for values in _cut_row([getattr(item, name) for name in names]):
                for column, value in enumerate(values):
                    if isinstance(value, str):  # text only: "=1+1" is no formula
                        sheet.write_string(row, column, value)
                    elif value is not None:
                        sheet.write_number(row, column, value)
                row += 1
    return target.getvalue()


def _cut_row(values: list[str | float | None]) -> list[list[str | float | None]]:
    """Cut a row whose texts are longer than a cell into several, each with the id."""
    longest = max(len(value) for value in values if isinstance(value, str))
    starts = range(0, max(longest, 1), MAX_CELL)
    first, *others = (
        [v[start : start + MAX_CELL] if isinstance(v, str) else v for v in values]
        for start in starts
    )
    return [first, *([values[0], *other[1:]] for other in others)]


def _columns(export: Export) -> tuple[str, ...]:
    return CHANGE_COLUMNS if export.since else COLUMNS


def _row(item: ExportItem) -> dict[str, object]:
    fields = asdict(item)
    del fields["children"]
    return {name: value for name, value in fields.items() if value not in ("", None)}


def _disarm(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA_SIGNS) else cell
