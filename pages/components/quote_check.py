"""A checked text: its passages marked with their findings, and the rows of their table."""

from collections.abc import Iterator, Sequence

import streamlit as st

from core.api import MAX_TEXT
from core.errors import ReadError
from core.library import Library
from core.quotes import CheckedPassage, Finding, RuleTexts, read_text_file
from pages.components.differences import style_text
from pages.components.words import say, say_error

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
TEXT, TEXT_FILE, TROUBLE = "quotes-text", "quotes-file", "quotes-trouble"
_MAX_DRAWN = 60_000
"""Characters that are drawn with marks; a browser that gets more of them stalls."""


@st.cache_resource(show_spinner=False, max_entries=1)
def load_rule_texts(_library: Library, version: int) -> RuleTexts:  # noqa: ARG001
    """The rules as texts are compared with them. The library's `version` expires them."""
    return RuleTexts(_library)


def take_text_file(library: Library) -> None:
    """Put the text of the uploaded file into the field, or keep why it cannot be read."""
    st.session_state[TROUBLE] = None
    if (file := st.session_state[TEXT_FILE]) is None:
        return
    try:
        text = read_text_file(file.getvalue(), file.name, library.read_limits)
        if len(text) > MAX_TEXT:
            message = say("quotes-too-long", file=file.name, count=MAX_TEXT)
            raise ReadError(message, code="too_large")
        st.session_state[TEXT] = text
    except ReadError as error:
        st.session_state[TROUBLE] = say_error(error)


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


def passage_cells(number: int, one: CheckedPassage) -> dict[str, object]:
    """A passage as a row of the table."""
    return {
        "number": number,
        "finding": say(f"finding-{one.finding}"),
        "words": one.text,
        "article": one.article,
        "page": one.page,
        "document": one.place.document.label if one.place else "",
        "difference": one.difference,
    }
