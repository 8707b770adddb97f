"""Exports as rows: CSV, Excel, JSON Lines."""

import io
import json
from dataclasses import asdict

from core.exports.items import Export
from core.exports.spreadsheet import csv_file
from core.exports.xml import clean_xml

COLUMNS = (
    "id", "number", "part", "title", "text", "status", "page_first", "page_last", "clause_id"
)  # fmt: skip
CHANGE_COLUMNS = (
    "id", "change", "number_before", "number", "title", "text_before", "text", "similarity",
    "declared", "clause_id"
)  # fmt: skip
MAX_CELL = 32_767
"""Letters that Excel takes in a cell."""


def write_csv(export: Export) -> bytes:
    """Return CSV in UTF-8 with a mark that Excel knows it by.

    A cell that a spreadsheet would run as a formula begins with an apostrophe.
    """
    names = _columns(export)
    return csv_file(names, ([getattr(item, name) for name in names] for item in export.walk()))


def write_jsonl(export: Export) -> bytes:
    """Return a line of JSON for each item."""
    lines = []
    for item in map(asdict, export.walk()):
        row = {n: v for n, v in item.items() if n != "children" and v not in ("", None)}
        lines.append(f"{json.dumps(row, ensure_ascii=False)}\n")
    return "".join(lines).encode()


def write_xlsx(export: Export) -> bytes:
    """Return an Excel file with one sheet; longer texts go on in further rows of the same id."""
    import openpyxl  # loads slowly, and nothing else here needs it
    from openpyxl.cell import WriteOnlyCell

    names = _columns(export)
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Changes" if export.since else "Rules")
    sheet.freeze_panes = "A2"
    sheet.append(names)
    for item in export.walk():
        for values in _cut_row([getattr(item, name) for name in names]):
            cells = []
            for value in values:
                cell = WriteOnlyCell(sheet)
                cell.value = clean_xml(value) if isinstance(value, str) else value
                if isinstance(value, str):
                    cell.data_type = "s"  # text only: "=1+1" is no formula
                cells.append(cell)
            sheet.append(cells)
    target = io.BytesIO()
    book.save(target)
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
