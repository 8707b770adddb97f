"""The text to check, the rules that it is held against, and the colours of what is found."""

import streamlit as st

from core.errors import ReadError
from core.quotes import MAX_TEXT, Finding, RuleTexts, read_text_file
from pages.components import services
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


load_rule_texts = st.cache_resource(RuleTexts, max_entries=1, **services.of_library)
"""The rules as texts are compared with them."""


def take_text(data: bytes, name: str) -> None:
    """Put the text of a file into the field. Raises ReadError."""
    text = read_text_file(data, name, services.get_library().read_limits)
    if len(text) > MAX_TEXT:
        raise ReadError(say("quotes-too-long", file=name, count=MAX_TEXT), code="too_large")
    st.session_state[TEXT] = text
