"""Limits and obligations as rows of tables: plain text by the names of the columns."""

from core.language import Language
from core.registers.checklist import ChecklistEntry
from core.registers.obligations import Obligation
from core.registers.register import Limit, UnreadNumbers

Cells = dict[str, object]


def limit_cells(language: Language, limit: Limit) -> Cells:
    """Return a limit's cells; one whose direction is not proved says so."""
    said = str(limit) if limit.proved else language.say("limit-not-proved", limit=str(limit))
    return {
        "article": limit.article,
        "limit": said,
        "subject": limit.subject,
        "condition": limit.condition,
        "page": limit.page,
        "duty": language.say(f"duty-{limit.modality}"),
        "quote": limit.quote,
    }


def obligation_cells(language: Language, duty: Obligation, noted: ChecklistEntry) -> Cells:
    return {
        "article": duty.article,
        "page": duty.page,
        "duty": language.say(f"duty-{duty.modality}"),
        "who": duty.actor,
        "quote": duty.quote,
        "owner": noted.owner,
        "status": noted.status,
    }


def unread_cells(unread: UnreadNumbers) -> Cells:
    return {
        "article": unread.article,
        "page": unread.page,
        "why": unread.reason,
        "words": unread.words,
    }
