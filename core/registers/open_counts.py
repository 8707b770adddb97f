"""How many rules nobody owns, and how many limits no row of a sheet answers, day by day."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, TypeAdapter

from core.library import Document, Library
from core.registers.checklist import ChecklistStore
from core.registers.personal_files import PersonalFolder
from core.registers.storage import obligations_of

_FILE = "open.counts"
_COUNTS = TypeAdapter(dict[str, dict[str, dict[str, int]]])
"""Counts by ISO day, by the sheet that they are of ("" for obligations), by the family and season
of documents, whose issues go on with one another's; by the document's id where these are unknown,
and in files of earlier versions."""


class OpenCount(BaseModel):
    """A count of a document, and the first day on which it was that, as ISO date."""

    document: str
    counted: Literal["rules without an owner", "limits without a row"]
    sheet: str | None
    day: str
    count: int


class OpenCounts:
    """What is open of one person's documents: a file beside their checklist and saved sheets."""

    def __init__(self, data_folder: Path, person: str = "") -> None:
        self._folder = PersonalFolder(data_folder, person)
        self._checklist = ChecklistStore(data_folder, person)

    def record(self, document: Document, count: int, sheet: str = "") -> list[OpenCount]:
        """Keep a count as that of today (UTC) unless it is the last one; return all, oldest first.

        It is of the obligations that nobody owns; with a `sheet`, a saved one's name or the whole
        path of a file, of the limits that no row of it answers. Raises SheetError `damaged` or
        `unwritable`.
        """
        key = _name_series(document)
        saved = self._folder.load(_FILE, _COUNTS)
        of_document = saved.get(key) or saved.get(document.document_id, {})
        if count not in [*of_document.get(sheet, {}).values()][-1:]:
            with self._folder.change(_FILE, _COUNTS) as kept:
                of_document = kept.setdefault(key, kept.pop(document.document_id, {}))
                of_document.setdefault(sheet, {})[datetime.now(UTC).date().isoformat()] = count
        return [
            OpenCount(
                document=document.file,
                counted="limits without a row" if sheet else "rules without an owner",
                sheet=sheet or None,
                day=day,
                count=one,
            )
            for day, one in of_document[sheet].items()
        ]

    def record_unowned(self, library: Library, document: Document) -> list[OpenCount]:
        """Count the obligations of a document that nobody owns, and `record` that."""
        duties = obligations_of(library, document).obligations
        return self.record(document, len(self._checklist.list_unowned(library, document, duties)))

    def record_sheet(
        self, library: Library, uncovered: Mapping[Document, int], sheet: str
    ) -> list[OpenCount]:
        """Record what nobody owns of documents, and how many of their limits no row answers."""
        return [
            one
            for document, count in uncovered.items()
            for counts in (
                self.record_unowned(library, document),
                self.record(document, count, sheet),
            )
            for one in counts
        ]


def _name_series(document: Document) -> str:
    """Return what the issues of a document share, its own id where its family is unknown."""
    is_known = document.family and document.season
    return f"{document.family} {document.season}" if is_known else document.document_id
