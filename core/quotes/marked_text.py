"""A checked text for people: its passages marked and numbered, and what was found in a sentence."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from core.language import Language
from core.markdown_escape import style_text
from core.quotes.types import FINDINGS, CheckedPassage, Finding

MAX_DRAWN = 60_000
"""Characters that a page draws with marks; a browser that gets more of them stalls."""


def mark_text(text: str, checked: Sequence[CheckedPassage]) -> str:
    """Return a text with a mark behind each passage: its number and its finding."""
    ends = sorted(
        ((one.end, number, one.finding) for number, one in enumerate(checked, 1)), reverse=True
    )
    for end, number, finding in ends:
        text = f"{text[:end]} ⟦{number} {finding.replace('_', ' ')}⟧{text[end:]}"
    return text


def format_marked_text(
    language: Language, text: str, checked: Sequence[CheckedPassage], colors: Mapping[Finding, str]
) -> str:
    """Return a text as Markdown for a page: passages coloured, with their number and finding.

    Of a text of more than MAX_DRAWN characters that is the beginning.
    """
    return "".join(_format_pieces(language, text[:MAX_DRAWN], checked, colors))


def _format_pieces(
    language: Language, text: str, checked: Sequence[CheckedPassage], colors: Mapping[Finding, str]
) -> Iterator[str]:
    at = 0
    for number, one in enumerate(checked, 1):
        if one.start >= len(text):
            break
        color, words = colors[one.finding], language.say(f"finding-{one.finding}")
        yield style_text(text[at : max(one.start, at)], "{}")
        yield style_text(text[max(one.start, at) : one.end], f":{color}-background[{{}}]")
        yield f" :{color}-badge[{number} {words}]"
        at = max(at, one.end)
    yield style_text(text[at:], "{}")
    if len(text) == MAX_DRAWN:
        yield " …"


def passage_cells(language: Language, number: int, one: CheckedPassage) -> dict[str, object]:
    """Return a passage as a row of a table, its cells by the names of the columns."""
    return {
        "number": number,
        "finding": language.say(f"finding-{one.finding}"),
        "words": one.text,
        "article": one.article,
        "page": one.page,
        "document": one.place.document.label if one.place else "",
        "difference": language.translate(one.difference),
    }


def summarize_findings(checked: Sequence[CheckedPassage]) -> str:
    """Return how many passages have each finding, in a sentence."""
    counts = Counter(one.finding for one in checked)
    found = ", ".join(
        f"{counts[name]} {name.replace('_', ' ')}" for name in FINDINGS if counts[name]
    )
    return f"{len(checked)} quotes and citations: {found or 'none'}."
