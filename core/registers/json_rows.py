"""The JSON rows of limits and obligations."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from core.grammar import Amount, Duty, Sentence, unit_symbol
from core.library import Document
from core.registers.checklist import ChecklistEntry
from core.registers.obligations import Obligation, OmittedDuty
from core.registers.register import Limit, UnreadNumbers

JsonRow = dict[str, Any]


def limit_row(document: Document, limit: Limit) -> JsonRow:
    """Return a row of the limits register; `document` is the name of its file."""
    names = ("article", "page", "subject", "relation", "value", "upper", "unit", "proved")
    more = ("condition", "modality", "source", "quote", "in_force")
    return _name_row(document, limit, *names, *more) | {
        "value": number_json(limit.value),
        "upper": number_json(limit.upper),
        "unit": unit_symbol(limit.unit) or None,
        "condition": limit.condition or None,
    }


def unread_row(document: Document, unread: UnreadNumbers) -> JsonRow:
    """Return a row on a clause whose numbers set no limit."""
    return _name_row(document, unread, "article", "page", "reason", "words", "in_force")


def obligation_row(document: Document, obligation: Obligation) -> JsonRow:
    """Return a row of the list of obligations."""
    names = ("article", "page", "modality", "actor", "quote", "in_force")
    return _name_row(document, obligation, *names) | {"actor": obligation.actor or None}


def checklist_row(
    document: Document, obligation: Obligation, noted: Mapping[Obligation, ChecklistEntry]
) -> JsonRow:
    """Return a row of the list of obligations with what is noted of it."""
    entry = noted.get(obligation, ChecklistEntry())
    return obligation_row(document, obligation) | entry.columns_for(obligation)


def omitted_row(document: Document, omitted: OmittedDuty) -> JsonRow:
    """Return a row on a sentence that is no obligation."""
    return _name_row(document, omitted, "article", "page", "reason", "quote")


def _name_row(document: Document, item: object, *names: str) -> JsonRow:
    return {"document": document.file, **{name: getattr(item, name) for name in names}}


def number_json(value: Decimal | None) -> int | float | None:
    """Return a decimal as a JSON number with the same digits."""
    if value is None:
        return None
    return int(value) if value == value.to_integral() else float(value)


def sentence_row(sentence: Sentence) -> JsonRow:
    """Return a sentence's amounts and duties as JSON."""
    return {
        "amounts": [_amount_row(one) for one in sentence.amounts],
        "duties": [_duty_row(one) for one in sentence.main_duties]
        or [{"modality": "none", "actor": "", "what": "", "condition": "", "exception": ""}],
    }


def _amount_row(amount: Amount) -> JsonRow:
    row: JsonRow = {
        "text": amount.text,
        "value": amount.fraction or amount.name or number_json(amount.value),
        "unit": f"{amount.unit} {amount.side}".strip(),
        "role": amount.role,
        "of": amount.thing,
        "proved": amount.proved and amount.role != "sanction",
    }
    if amount.upper is not None:
        row["upper"] = number_json(amount.upper)
    if amount.relation is not None and amount.role in ("limit", "threshold"):
        row["relation"] = amount.relation
    return row


def _duty_row(duty: Duty) -> JsonRow:
    fields = ("modality", "actor", "what", "condition", "exception")
    return {name: getattr(duty, name) for name in fields}
