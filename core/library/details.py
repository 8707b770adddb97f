"""What a person may enter of a document's identity: what a form shows, and what it changes."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from core.library.storage.library import Library
from core.library.types import Document
from core.rulebook import FIRST_SEASON, LAST_SEASON, MetadataOverride

LAST_ISSUE: Final = 999
Details = Mapping[str, str | int | None]
"""Family, season, issue and date (ISO) by the names of the fields."""


def enterable_details(document: Document, families: Collection[str]) -> Details:
    """Return the details of a document; None for what the fields of a form cannot hold.

    Clauses imported as JSON Lines may name any season.
    """
    season, issue = document.season or 0, document.issue or 0
    return {
        "family": document.family if document.family in families else None,
        "season": document.season if FIRST_SEASON <= season <= LAST_SEASON else None,
        "issue": document.issue if 0 <= issue <= LAST_ISSUE else None,
        "date": document.date,
    }


def list_open_details(document: Document) -> list[str]:
    """Return "family" and "season" as far as they are not known, or only proposed."""
    doubted = {warning.code for warning in document.warnings}
    return [
        name
        for name in ("family", "season")
        if getattr(document, name) is None or f"{name}_proposed" in doubted
    ]


def save_details(library: Library, document_id: str, shown: Details, entered: Details) -> Document:
    """Save only what was changed, so that the other details keep their source.

    Raises SettingsError for what no rulebook can have.
    """
    changed = dict(entered.items() - shown.items())
    values: dict[str, Any] = {name: value for name, value in changed.items() if value is not None}
    cleared = [name for name in changed if name not in values]
    return library.correct_metadata(document_id, MetadataOverride(**values), cleared)
