"""Exports as rows (CSV without formulas, Excel, JSON Lines), and CSV for other rooms."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from core.exports.items import Export
from core.exports.xml import clean_xml
from core.library import ClausePair
from core.rulebook import Clause

PAIR_COLUMNS = tuple(
    "kind place wording article_a article_b title marked declaration similarity before"
    " after".split()
)
COLUMNS = (
    "id", "number", "part", "title", "text", "status", "page_first", "page_last", "clause_id",
    "address"
)  # fmt: skip
CHANGE_COLUMNS = (
    "id", "change", "number_before", "number", "title", "text_before", "text", "similarity",
    "declared", "clause_id", "address"
)  # fmt: skip
MAX_CELL = 32_767
"""Letters that Excel takes in a cell."""


def csv_file(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A header and rows as CSV in UTF-8 with a byte order mark. None is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(header)
    writer.writerows(map(_disarm_formula, row) for row in rows)
    return out.getvalue().encode("utf-8-sig", "replace")


def _disarm_formula(value: object) -> object:
    """Put an apostrophe before a text that a spreadsheet would run. Numbers stay numbers."""
    is_formula = isinstance(value, str) and value.lstrip().startswith(("=", "+", "-", "@"))
    return f"'{value}" if is_formula else value


def checklist_csv(clauses: Iterable[Clause]) -> bytes:
    """The clauses in force as CSV, one row each, with empty columns for an owner and a status."""
    rows = (
        (c.article, "\n".join(filter(None, (c.title, c.text))), c.page_first, None, None)
        for c in clauses
        if c.status == "in_force"
    )
    return csv_file(("number", "text", "page", "owner", "status"), rows)


def pairs_csv(pairs: Sequence[ClausePair]) -> bytes:
    """The pairs of a comparison as CSV, one row each."""
    rows = ([getattr(pair, name) for name in PAIR_COLUMNS] for pair in pairs)
    return csv_file(PAIR_COLUMNS, rows)


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
