"""A checked text: its passages marked with their findings, and the rows of their table."""

from collections.abc import Iterator, Sequence

import streamlit as st

from core.api import MAX_TEXT
from core.errors import ReadError
from core.quotes import CheckedPassage, Finding, RuleTexts, read_text_file
from pages.components import services
from pages.components.differences import style_text
from pages.components.words import say

FINDINGS: dict[Finding, str] = {
    "stands": "green",
    "altered": "red",
    "other_article": "red",
    "other_edition": "red",
    "deleted": "red",
    "not_held": "orange",
    "no_source": "red",
}
"""The colour of a finding."""
TEXT = "quotes-text"
_MAX_DRAWN = 60_000
"""Characters that are drawn with marks; a browser that gets more of them stalls."""


load_rule_texts = st.cache_resource(RuleTexts, max_entries=1, **services.of_library)
"""The rules as texts are compared with them."""


def take_text(data: bytes, name: str) -> None:
    """Put the text of a file into the field. Raises ReadError."""
    text = read_text_file(data, name, services.get_library().read_limits)
    if len(text) > MAX_TEXT:
        raise ReadError(say("quotes-too-long", file=name, count=MAX_TEXT), code="too_large")
    st.session_state[TEXT] = text


def format_marked(text: str, checked: Sequence[CheckedPassage]) -> str:
    """Return the text as Markdown, its passages coloured, each with its number and finding."""
    return "".join(_format_pieces(text[:_MAX_DRAWN], checked))


def _format_pieces(text: str, checked: Sequence[CheckedPassage]) -> Iterator[str]:
    at = 0
    for number, one in enumerate(checked, 1):
        if one.start >= len(text):
            break
        color, words = FINDINGS[one.finding], say(f"finding-{one.finding}")
        yield style_text(text[at : max(one.start, at)], "{}")
        yield style_text(text[max(one.start, at) : one.end], f":{color}-background[{{}}]")
        yield f" :{color}-badge[{number} {words}]"
        at = max(at, one.end)
    yield style_text(text[at:], "{}")
    if len(text) == _MAX_DRAWN:
        yield " …"
