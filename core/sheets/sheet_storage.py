"""The sheets that a person saves with the library, and the rules picked for their parameters."""

import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from core.atomic_files import write_atomically
from core.errors import SheetError
from core.library import Document, Library, Lineage, read_lineage
from core.registers import PersonalFolder
from core.sheets.sheet_check import SheetRow

_CHOICES_FILE = "picked.rules"


@dataclass(frozen=True, slots=True)
class PickedRule:
    """The article that a person picked, and its clause, by which later issues are followed."""

    article: str
    clause_id: str


Choices = dict[str, dict[str, PickedRule | str]]
"""For each family of rulebooks the rule that a person picked for a parameter's key. What was
picked before clauses were followed is an article alone."""


@dataclass(frozen=True, slots=True)
class SavedSheet:
    """A sheet of values, and the rulebooks it was last checked against."""

    sheet_id: str
    name: str
    rows: tuple[SheetRow, ...]
    documents: tuple[str, ...] = ()
    cleared: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Who looked at what an issue changed of it, and when, by the id of the issue."""

    @classmethod
    def from_rows(cls, name: str, rows: tuple[SheetRow, ...]) -> "SavedSheet":
        """Return a sheet that is saved beside all others."""
        return cls(secrets.token_hex(8), name, rows)


_SHEET, _CHOICES = TypeAdapter(SavedSheet), TypeAdapter(Choices)


class SheetStore:
    """The sheets of one person below the data folder, a JSON file each, and their picked rules."""

    def __init__(self, data_folder: Path, person: str = "") -> None:
        self._folder = PersonalFolder(data_folder, person)

    def save_sheet(self, sheet: SavedSheet) -> None:
        """Write a sheet over its earlier state; while its rows are the same it stays cleared.

        Raises SheetError `unwritable`.
        """
        with self._folder.lock():
            before = self._find_sheet(sheet.sheet_id)
            cleared = before.cleared if before and before.rows == sheet.rows else {}
            self._write_sheet(replace(sheet, cleared=cleared))

    def load_sheets(self) -> tuple[SavedSheet, ...]:
        """Load all sheets that this version can read, by name."""
        sheets = []
        for path in self._folder.path.glob("*.json"):
            with suppress(ValidationError, OSError):  # of another version, or just removed
                sheets.append(_SHEET.validate_json(path.read_bytes()))
        return tuple(sorted(sheets, key=lambda sheet: (sheet.name.casefold(), sheet.sheet_id)))

    def remove_sheet(self, sheet_id: str) -> None:
        self._path(sheet_id).unlink(missing_ok=True)

    def clear_sheet(self, sheet_id: str, document_id: str, person: str) -> None:
        """Save that a person looked at what an issue changed of a sheet.

        Raises SheetError `unknown_sheet` or `unwritable`.
        """
        at = datetime.now(UTC).isoformat(timespec="seconds")
        with self._folder.lock():
            sheet = self._find_sheet(sheet_id)
            if sheet is None:
                raise SheetError(f"There is no sheet {sheet_id}.", code="unknown_sheet")
            self._write_sheet(replace(sheet, cleared={**sheet.cleared, document_id: (person, at)}))

    def choices_for(self, library: Library, document: Document) -> Mapping[str, str]:
        """Return the articles of the rules picked for parameters, as this document numbers them.

        They may have been picked in another issue. A rule that this one dropped is left out.
        Raises SheetError `damaged`.
        """
        choices = self._folder.load(_CHOICES_FILE, _CHOICES)
        picked: dict[str, PickedRule | str] = {}
        for edition in library.list_editions(document):  # each was of another family before
            for name in (edition.document_id, edition.title_family, edition.family):
                picked |= choices.get(name or "", {})
        if not picked:
            return {}
        lineage = read_lineage(library, document)
        articles = {key: _follow_rule(lineage, document, rule) for key, rule in picked.items()}
        return {key: article for key, article in articles.items() if article}

    def choose_rule(self, library: Library, document: Document, key: str, article: str) -> None:
        """Keep which article is meant by a parameter; "" forgets it. Raises SheetError."""
        clauses = (one for one in library.clauses(document.document_id) if one.article == article)
        clause = next(clauses, None)
        with self._folder.change(_CHOICES_FILE, _CHOICES) as choices:
            picked = choices.setdefault(document.family or document.document_id, {})
            picked[key] = PickedRule(article, clause.clause_id) if clause else article

    def _find_sheet(self, sheet_id: str) -> SavedSheet | None:
        return next((one for one in self.load_sheets() if one.sheet_id == sheet_id), None)

    def _write_sheet(self, sheet: SavedSheet) -> None:
        write_atomically(self._path(sheet.sheet_id), _SHEET.dump_json(sheet))

    def _path(self, sheet_id: str) -> Path:
        return self._folder.path / f"{sheet_id}.json"


def _follow_rule(lineage: Lineage, document: Document, picked: PickedRule | str) -> str:
    """Return the article of a picked rule in a document, "" where it was dropped there."""
    if isinstance(picked, str):
        return picked
    numbers = {step.document_id: step.article for step in lineage.history(picked.clause_id)}
    then = numbers.get(picked.clause_id.partition(":")[0])
    now = numbers.get(document.document_id, "")
    is_untraced = then is None  # its document left the library
    return picked.article if is_untraced or then == now else now
