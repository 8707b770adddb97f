"""A checked text for people: its passages marked and numbered, and what was found in a sentence."""

from collections import Counter
from collections.abc import Sequence

from core.language import Language
from core.quotes.types import FINDINGS, CheckedPassage


def mark_text(text: str, checked: Sequence[CheckedPassage]) -> str:
    """Return a text with a mark behind each passage: its number and its finding."""
    ends = sorted(
        ((one.end, number, one.finding) for number, one in enumerate(checked, 1)), reverse=True
    )
    for end, number, finding in ends:
        text = f"{text[:end]} ⟦{number} {finding.replace('_', ' ')}⟧{text[end:]}"
    return text


def passage_cells(language: Language, number: int, one: CheckedPassage) -> dict[str, object]:
    """Return a passage as a row of a table, its cells by the names of the columns."""
    return {
        "number": number,
        "finding": language.say(f"finding-{one.finding}"),
        "words": one.text,
        "article": one.article,
        "page": one.page,
        "document": one.place.document.label if one.place else "",
        "difference": one.difference,
    }


def summarize_findings(checked: Sequence[CheckedPassage]) -> str:
    """Return how many passages have each finding, in a sentence."""
    counts = Counter(one.finding for one in checked)
    found = ", ".join(
        f"{counts[name]} {name.replace('_', ' ')}" for name in FINDINGS if counts[name]
    )
    return f"{len(checked)} quotes and citations: {found or 'none'}."
