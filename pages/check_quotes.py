"""A text whose quotes and cited articles are checked: marks, a table, files."""

import json
from collections import Counter

import streamlit as st

from core.api import MAX_TEXT, passage_row
from core.quotes import check_text, mark_text, summarize_findings
from pages.components import services
from pages.components.labels import format_number
from pages.components.quote_check import (
    FINDINGS,
    TEXT,
    TEXT_FILE,
    TROUBLE,
    format_marked,
    load_rule_texts,
    passage_cells,
    show_rule,
    take_text_file,
)
from pages.components.registers import choose_row, offer_rows
from pages.components.text import escape_markdown
from pages.components.widgets import choose_many, offer_download

CHECKED = "quotes-checked"
ABOUT = """
A protest, a design report, the answer of another assistant: every quote and every article that it
cites is found in the rulebooks and judged. The edition that a sentence names is the one it is held
against, else the newest.
"""

library = services.get_library()

st.title("Check quotes", anchor=False)
if not library.documents():
    st.info("The library is empty. Add a rulebook (PDF) on the page Library, then check here.")
    st.stop()
st.markdown(ABOUT)
text = st.text_area("Text", key=TEXT, height=240, max_chars=MAX_TEXT, persist_state="session")
with st.container(horizontal=True, vertical_alignment="bottom"):
    st.file_uploader(
        "Or a file (Markdown, text, Word, PDF)",
        ["md", "txt", "docx", "pdf"],
        key=TEXT_FILE,
        on_change=take_text_file,
        args=(library,),
    )
    asked = st.button("Check", type="primary", icon=":material/fact_check:")
if trouble := st.session_state.get(TROUBLE):
    st.error(escape_markdown(trouble), icon=":material/error:")

if asked and text.strip():
    with st.spinner("Checking every quote"):
        checked = check_text(load_rule_texts(library, library.version), text)
    st.session_state[CHECKED] = text, checked
text, checked = st.session_state.get(CHECKED, ("", ()))
if not text:
    st.stop()

st.subheader("Findings", anchor=False)
st.markdown(f"**{summarize_findings(checked)}**")
counts = Counter(one.finding for one in checked)
wanted = choose_many(
    "Show",
    [finding for finding in FINDINGS if counts[finding]],
    "quotes-findings",
    format_func=lambda finding: f"{FINDINGS[finding][0]} {format_number(counts[finding])}",
)
shown = [
    (number, one) for number, one in enumerate(checked, 1) if not wanted or one.finding in wanted
]
rows = [passage_row(one) for one in checked]
with st.container(horizontal=True, vertical_alignment="center"):
    offer_download("Text with marks", "checked.md", lambda: mark_text(text, checked))
    offer_download("JSON", "quotes.json", lambda: json.dumps(rows, indent=1))
    offer_rows("quotes", rows)
if shown:
    place = choose_row([passage_cells(number, one) for number, one in shown], "Findings")
    if place is None:
        st.caption("Choose a row to see its rule and open it on its page.")
    elif rule := shown[place][1].place:
        show_rule(rule, shown[place][1].page or rule.clause.page_first)
st.subheader("The text with marks", anchor=False)
with st.container(border=True):
    st.markdown(format_marked(text, checked))
