"""The rows of a checked sheet, for files and as JSON."""

from dataclasses import dataclass

from core.library import Document
from core.registers import JsonRow
from core.sheets.sheet_check import SheetResult, SheetRow


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """A row of a sheet, and what one rulebook says of it."""

    document: Document
    row: SheetRow
    result: SheetResult

    @property
    def values(self) -> JsonRow:
        """What files say of it."""
        return self.row.cells | sheet_row(self.document, self.result)


def sheet_row(document: Document, result: SheetResult) -> JsonRow:
    """Return the verdict of one rulebook on one row of a sheet."""
    return {
        "id": result.id,
        "document": document.file,
        "verdict": result.verdict,
        "articles": list(result.articles),
        "limit": result.limit or None,
        "margin": result.margin or None,
        "missing": result.missing or None,
    }
