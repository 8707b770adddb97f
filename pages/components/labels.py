"""The badges of the screen."""

from core.agent import Outcome
from pages.components.words import say

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
