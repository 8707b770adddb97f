"""The badges and figures of the screen: outcomes, seconds, money, sizes."""

from babel.numbers import format_decimal, format_percent

from core.agent import Outcome
from core.library import Document
from pages.components.words import locale, say

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
_DIRECTIONS = ("at least", "at most", "more than", "less than")
"""How limits begin in a run."""
CHECK_MARKS = {True: ":green[:material/check:]", False: ":red[:material/close:]"}


def outcome_badge(outcome: Outcome) -> str:
    return f":{OUTCOMES[outcome]}-badge[{say(f'outcome-{outcome}')}]"


def format_number(number: float, pattern: str | None = None) -> str:
    """A number as the reader's language writes it; the `pattern` ("0.0") is of Unicode CLDR."""
    return format_decimal(number, pattern, locale=locale())


def format_limit(limit: str) -> str:
    """A limit ("at most 5 mm") with its direction in the reader's language."""
    direction = next((one for one in _DIRECTIONS if limit.startswith(f"{one} ")), "")
    if not direction:
        return limit
    return f"{say(f'relation-{direction}')}{limit.removeprefix(direction)}"


def format_share(share: float) -> str:
    return format_percent(share, locale=locale())


def format_score(score: float) -> str:
    return f"{format_number(score, '0.0')}/10"


def document_size(document: Document) -> str:
    """The size of a document: "412 clauses on 87 pages"."""
    pages = say("pages", count=document.pages)
    return say("clauses-on-pages", count=document.clauses, pages=pages)


def format_seconds(value: float) -> str:
    if value < 0.95:
        return f"{value * 1000:.0f} ms"
    return (
        f"{format_number(value, '0.0')} s"
        if value < 60
        else f"{format_number(value / 60, '0.#')} min"
    )


def format_cost(dollars: float | None) -> str:
    """A cost, its sign escaped for Markdown."""
    if dollars is None:
        return ""
    return f"\\${format_number(dollars, '0.0000' if dollars < 0.1 else '0.00')}"


def format_size(size: int) -> str:
    if size >= 100_000:
        return f"{format_number(size / 1_000_000, '0.0')} MB"
    return f"{size / 1000:.0f} kB"
