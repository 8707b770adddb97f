"""A checked text for people: its passages marked and numbered, and what was found in a sentence."""

from collections import Counter
from collections.abc import Sequence

from core.quotes.types import FINDINGS, CheckedPassage


def mark_text(text: str, checked: Sequence[CheckedPassage]) -> str:
    """Return a text with a mark behind each passage: its number and its finding."""
    ends = sorted(
        ((one.end, number, one.finding) for number, one in enumerate(checked, 1)), reverse=True
    )
    for end, number, finding in ends:
        text = f"{text[:end]} ⟦{number} {finding.replace('_', ' ')}⟧{text[end:]}"
    return text


def summarize_findings(checked: Sequence[CheckedPassage]) -> str:
    """Return how many passages have each finding, in a sentence."""
    counts = Counter(one.finding for one in checked)
    found = ", ".join(
        f"{counts[name]} {name.replace('_', ' ')}" for name in FINDINGS if counts[name]
    )
    return f"{len(checked)} quotes and citations: {found or 'none'}."
