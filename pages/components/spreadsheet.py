"""Tables as files for a spreadsheet (CSV), in which foreign text stays text. Draws nothing."""

import csv
import io
from collections.abc import Iterable, Sequence

_FORMULA = ("=", "+", "-", "@")
"""What a spreadsheet takes for a formula when a cell begins with it."""


def csv_file(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A header and rows as CSV in UTF-8 with the mark that spreadsheets look for; None is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(header)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue().encode("utf-8-sig", "replace")


def _cell(value: object) -> object:
    """A text that would be a formula gets an apostrophe before it; numbers stay numbers."""
    if isinstance(value, str) and value.lstrip().startswith(_FORMULA):
        return f"'{value}"
    return value
