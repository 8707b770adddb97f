"""Tables as CSV files in which a spreadsheet reads foreign text as text, never as a formula."""

import csv
import io
from collections.abc import Iterable, Sequence


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
