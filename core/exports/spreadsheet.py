"""Tables for spreadsheets, which read foreign text in them as text, never as a formula."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from core.library import ClausePair, Document
from core.rulebook import Clause

PAIR_COLUMNS = tuple(
    "kind place wording article_a article_b title marked declaration similarity before"
    " after".split()
)


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


def pairs_json(pairs: Sequence[ClausePair], sides: Sequence[Document]) -> str:
    """The pairs of a comparison and what was compared, as JSON."""
    before, after = ({"document_id": side.document_id, "label": side.label} for side in sides)
    value = {"before": before, "after": after, "pairs": [asdict(pair) for pair in pairs]}
    return json.dumps(value, ensure_ascii=False, indent=1)
