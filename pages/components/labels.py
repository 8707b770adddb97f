"""The badges of the screen, and the sizes of documents."""

from core.agent import Outcome
from core.library import Document, describe_size
from pages.components.words import language, say

OUTCOMES: dict[Outcome, str] = {
    "answered": "green",
    "found": "blue",
    "not_found": "orange",
    "limit_reached": "orange",
    "declined": "gray",
    "clarification_needed": "blue",
    "cancelled": "gray",
    "failed": "red",
}
"""The colour of each outcome."""


def outcome_badge(outcome: Outcome) -> str:
    return f":{OUTCOMES[outcome]}-badge[{say(f'outcome-{outcome}')}]"


def document_size(document: Document) -> str:
    return describe_size(language(), document)
