"""A text whose quotes and cited articles are checked: marks, a table, files."""

from collections import Counter

import streamlit as st

from core.errors import ReadError
from core.quotes import (
    FINDINGS,
    MAX_TEXT,
    RuleTexts,
    check_text,
    format_marked_text,
    mark_text,
    passage_cells,
    read_text_file,
    summarize_findings,
)
from core.shapes import PassageRow
from pages.components import services
from pages.components.document_names import require_documents
from pages.components.registers import offer_rows, show_words
from pages.components.tables import choose_row
from pages.components.widgets import choose_with_counts, offer_download, row, take_file
from pages.components.words import language, say

COLORS = dict.fromkeys(FINDINGS, "red") | {
    "stands": "green",
    "unsettled": "orange",
    "not_held": "orange",
    "ruling": "orange",
}
"""The colour of a finding."""
TEXT, CHECKED = "quotes-text", "quotes-checked"


load_rule_texts = st.cache_resource(max_entries=1, **services.of_library)(RuleTexts)
"""The rules as texts are compared with them."""


def take_text(data: bytes, name: str) -> None:
    """Put the text of a file into the field. Raises ReadError."""
    text = read_text_file(data, name, services.get_library().read_limits)
    if len(text) > MAX_TEXT:
        raise ReadError(say("quotes-too-long", file=name, count=MAX_TEXT), code="too_large")
    st.session_state[TEXT] = text


library = services.get_library()

st.title(say("page-check_quotes"), anchor=False)
require_documents(library)
st.markdown(say("quotes-about"))
text = st.text_area(
    say("quotes-text"), key=TEXT, height=240, max_chars=MAX_TEXT, persist_state="session"
)
take_file(say("quotes-file"), ["md", "txt", "docx", "pdf"], "quotes-file", take_text)
asked = st.button(say("quotes-check"), type="primary", icon=":material/fact_check:")

if asked and text.strip():
    with st.spinner(say("quotes-reading")):
        rules = load_rule_texts(library)
    with st.spinner(say("quotes-checking")):
        checked = check_text(rules, text)
    st.session_state[CHECKED] = text, checked
text, checked = st.session_state.get(CHECKED, ("", ()))
if not text:
    st.stop()

st.subheader(say("quotes-findings"), anchor=False)
st.markdown(f"**{summarize_findings(checked)}**")
counts = Counter(one.finding for one in checked)
found = {one: counts[one] for one in FINDINGS if counts[one]}
wanted = choose_with_counts(say("show"), "finding-", found, "quotes-findings")
shown = [
    (number, one) for number, one in enumerate(checked, 1) if not wanted or one.finding in wanted
]
with row():
    offer_download(say("quotes-with-marks"), "checked.md", lambda: mark_text(text, checked))
    offer_rows("quotes", (PassageRow.of(one).model_dump() for one in checked))
if shown:
    cells = [passage_cells(language(), number, one) for number, one in shown]
    place = choose_row(cells, say("quotes-findings"))
    if place is None:
        st.caption(say("quotes-choose-row"))
    elif rule := shown[place][1].place:
        clause, page = rule.clause, shown[place][1].page or rule.clause.page_first
        show_words(rule.words, clause.article, clause.clause_id, page)
st.subheader(say("quotes-marked"), anchor=False)
with st.container(border=True):
    st.markdown(format_marked_text(language(), text, checked, COLORS))
