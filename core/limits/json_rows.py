"""The JSON rows of limits, obligations and checked sheets."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from core.grammar import unit_symbol
from core.library import Document
from core.limits.checklist import ChecklistEntry
from core.limits.obligations import Obligation, OmittedDuty
from core.limits.register import Limit, UnreadNumbers
from core.limits.sheet_check import SheetResult, SheetRow

JsonRow = dict[str, Any]


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


def limit_row(document: Document, limit: Limit) -> JsonRow:
    """Return a row of the limits register; `document` is the name of its file."""
    return {
        "document": document.file,
        "article": limit.article,
        "page": limit.page,
        "subject": limit.subject,
        "relation": limit.relation,
        "value": number_json(limit.value),
        "upper": number_json(limit.upper),
        "unit": unit_symbol(limit.unit) or None,
        "condition": limit.condition or None,
        "modality": limit.modality,
        "source": limit.source,
        "quote": limit.quote,
        "in_force": limit.in_force,
    }


def unread_row(document: Document, unread: UnreadNumbers) -> JsonRow:
    """Return a row on a clause whose numbers set no limit."""
    return {
        "document": document.file,
        "article": unread.article,
        "page": unread.page,
        "reason": unread.reason,
        "words": unread.words,
        "in_force": unread.in_force,
    }


def obligation_row(document: Document, obligation: Obligation) -> JsonRow:
    """Return a row of the list of obligations."""
    return {
        "document": document.file,
        "article": obligation.article,
        "page": obligation.page,
        "modality": obligation.modality,
        "actor": obligation.actor or None,
        "quote": obligation.quote,
        "in_force": obligation.in_force,
    }


def checklist_row(
    document: Document, obligation: Obligation, noted: Mapping[Obligation, ChecklistEntry]
) -> JsonRow:
    """Return a row of the list of obligations with what is noted of it."""
    entry = noted.get(obligation, ChecklistEntry())
    return obligation_row(document, obligation) | entry.columns_for(obligation)


def omitted_row(document: Document, omitted: OmittedDuty) -> JsonRow:
    """Return a row on a sentence that is no obligation."""
    return {
        "document": document.file,
        "article": omitted.article,
        "page": omitted.page,
        "reason": omitted.reason,
        "quote": omitted.quote,
    }


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


def number_json(value: Decimal | None) -> int | float | None:
    """Return a decimal as a JSON number with the same digits."""
    if value is None:
        return None
    return int(value) if value == value.to_integral() else float(value)
