"""How many rules nobody owns, and how many limits no row of a sheet answers, day by day."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import TypeAdapter

from core.library import Document
from core.registers.personal_files import PersonalFolder

_FILE = "open.counts"
_COUNTS = TypeAdapter(dict[str, dict[str, dict[str, int]]])
"""Counts by ISO day, by the sheet that they are of ("" for obligations), by document id."""


@dataclass(frozen=True, slots=True)
class OpenCount:
    """A count, and the first day on which it was that, as ISO date."""

    day: str
    count: int


class OpenCounts:
    """What is open of one person's documents: a file beside their checklist and saved sheets."""

    def __init__(self, data_folder: Path, person: str = "") -> None:
        self._folder = PersonalFolder(data_folder, person)

    def record(self, document: Document, count: int, sheet: str = "") -> tuple[OpenCount, ...]:
        """Keep a count as that of today (UTC) unless it is the last one; return all, oldest first.

        It is of the obligations that nobody owns; with the name of a `sheet`, of the limits that no
        row of it answers. Raises SheetError `damaged` or `unwritable`.
        """
        of_document = self._folder.load(_FILE, _COUNTS).get(document.document_id, {})
        if count not in [*of_document.get(sheet, {}).values()][-1:]:
            with self._folder.change(_FILE, _COUNTS) as kept:
                of_document = kept.setdefault(document.document_id, {})
                of_document.setdefault(sheet, {})[datetime.now(UTC).date().isoformat()] = count
        return tuple(OpenCount(day, one) for day, one in of_document[sheet].items())
