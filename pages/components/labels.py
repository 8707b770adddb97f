"""The words and figures of the screen: outcomes, decisions, seconds, money, counts."""

import streamlit as st

from core.agent import Outcome
from core.library import Document

OUTCOMES: dict[Outcome, tuple[str, str]] = {
    "answered": ("Answered", "green"),
    "found": ("Found", "blue"),
    "not_found": ("Not found", "orange"),
    "limit_reached": ("Limit reached", "orange"),
    "declined": ("Declined", "gray"),
    "clarification_needed": ("Needs clarification", "blue"),
    "cancelled": ("Stopped", "gray"),
    "failed": ("Failed", "red"),
}
DECISIONS = {
    "accept": "accepted",
    "REFINE_QUERY": "query refined",
    "SWITCH_TOOL": "tool switched",
    "found": "closest rules shown",
    "limit": "limit reached",
    "next_step": "next step",
    "CONCLUDE": "concluded",
    "CLARIFY": "clarification needed",
}
SOURCE_REASONS = {
    "exact": "article number",
    "words": "words",
    "vector": "meaning",
    "reference": "referred to",
    "definition": "defines a term",
    "topic": "same topic",
}
CHECK_MARKS = {True: ":green[:material/check:]", False: ":red[:material/close:]"}


def outcome_word(outcome: Outcome) -> str:
    return OUTCOMES[outcome][0]


def outcome_badge(outcome: Outcome) -> str:
    word, colour = OUTCOMES[outcome]
    return f":{colour}-badge[{word}]"


def format_number(number: int) -> str:
    """A whole number, with commas for readers of English and thin spaces for all others.

    To some of them a point or a comma is a decimal sign.
    """
    english = (st.context.locale or "en").lower().startswith("en")
    return f"{number:,}" if english else f"{number:,}".replace(",", "\u202f")


def format_count(number: int, noun: str) -> str:
    """A count and its noun: "1 clause", "2 clauses", "2 penalties"."""
    plural = f"{noun[:-1]}ies" if noun.endswith("ty") else f"{noun}s"
    return f"{format_number(number)} {noun if number == 1 else plural}"


def document_size(document: Document) -> str:
    """The size of a document: "412 clauses on 87 pages"."""
    pages = format_count(document.pages, "page")
    return f"{format_count(document.clauses, 'clause')} on {pages}"


def format_seconds(value: float) -> str:
    if value < 0.95:
        return f"{value * 1000:.0f} ms"
    return f"{value:.1f} s" if value < 60 else f"{value / 60:.3g} min"


def format_cost(dollars: float | None) -> str:
    """A cost, its sign escaped for Markdown."""
    return "" if dollars is None else f"\\${dollars:.4f}" if dollars < 0.1 else f"\\${dollars:.2f}"


def format_size(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB" if size >= 100_000 else f"{size / 1000:.0f} kB"
