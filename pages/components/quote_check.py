"""A checked text: its passages marked with their findings, and the rows of their table."""

from collections.abc import Iterator, Sequence

import streamlit as st

from core.api import MAX_TEXT
from core.errors import ReadError
from core.library import Library
from core.markdown_escape import escape_markdown
from core.quotes import CheckedPassage, Finding, RulePlace, RuleTexts, read_text_file
from core.rulebook import article_label
from core.sanitize import strip_control_characters
from pages.components import address, state
from pages.components.widgets import icon_button
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
        yield _format_lines(text[at : max(one.start, at)], "{}")
        yield _format_lines(text[max(one.start, at) : one.end], f":{color}-background[{{}}]")
        yield f" :{color}-badge[{number} {words}]"
        at = max(at, one.end)
    yield _format_lines(text[at:], "{}")
    if len(text) == _MAX_DRAWN:
        yield " …"


def _format_lines(words: str, style: str) -> str:
    """Escape foreign words in a style, line by line; white space at their ends stays outside."""
    lines = words.split("\n")
    return "  \n".join(_format_line(line, style) for line in lines)


def _format_line(line: str, style: str) -> str:
    escaped = escape_markdown(line)
    before, after = " " * line[:1].isspace(), " " * line[-1:].isspace()
    return f"{before}{style.format(escaped)}{after}" if escaped else " " * bool(line)


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


def show_rule(rule: RulePlace, page: int) -> None:
    """Draw the words of a rule, and a button that opens its clause on the page."""
    clause_id = rule.clause.clause_id
    with st.container(border=True):
        st.text(strip_control_characters(rule.words))
        article = escape_markdown(article_label(rule.clause.article, say("article")))
        label = say("open-article", article=article, page=page)
        if icon_button(label, "account_tree", key=f"open-{clause_id}"):
            state.open_clause(rule.document.document_id, clause_id, page)
            st.switch_page("browse.py", query_params=address.clause_address(clause_id))
