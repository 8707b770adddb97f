"""A rulebook as a tree of its articles: text, tables, marks, the page beside it, references both ways."""

import streamlit as st

from core.library.types import Scope
from pages.components import resources, state
from pages.components.clause import SAID, link, name_of, show_clause, show_references
from pages.components.examples import question_on
from pages.components.outline import checklist, matching, outline, way_to
from pages.components.page_image import pdf_of, show_page
from pages.components.text import plain

SHOWN = 60
"""Articles in the list at once."""

library = resources.library()

st.set_page_config(layout="wide")
st.title("Browse", anchor=False)
documents = {document.document_id: document for document in library.documents()}
if not documents:
    st.info("The library is empty. Add a rulebook (PDF) on the page Library, then read it here.")
    st.stop()

left, right = st.columns(2)
chosen = left.selectbox(
    "Document",
    list(documents),
    format_func=lambda key: documents[key].label,
    key=state.BROWSED,
    on_change=state.close_clause,
    persist_state="session",
)
wanted = right.text_input("Number or words", key=state.WANTED, placeholder="21.3, or: speed limit").strip()
kinds = st.pills(
    "Beside what is in force, show",
    list(SAID),
    selection_mode="multi",
    default=["inserted", "deleted"],
    format_func=lambda kind: SAID[kind][0],
    key=state.MARKS,
    wrap=True,
)
document = documents[chosen]
clauses = library.clauses(chosen)
opened = next((clause for clause in clauses if clause.clause_id == state.clause()), None)
way = way_to(opened, clauses) if opened else []
shown = [clause for clause in clauses if clause.status == "in_force" or clause.status in kinds]
tree = outline(shown)
listed = matching(shown, wanted) if wanted else tree.get(opened.clause_id if opened else None, ())
if opened and not listed and not wanted:
    listed = tree.get(way[-1].clause_id if way else None, ())

index, words, page = st.columns([2, 3, 4], gap="medium")
with index, st.container(gap=None):
    if opened:
        st.button("All articles", icon=":material/arrow_upward:", type="tertiary", on_click=state.close_clause)
    for number, above in enumerate(way):
        link(above, f"above-{number}")
    for number, clause in enumerate(listed[:SHOWN]):
        link(clause, f"listed-{number}")
    if not listed:
        st.caption("No article has this number or these words.")
    if len(listed) > SHOWN:
        st.caption(f"And {len(listed) - SHOWN} more: look for more words.")

if opened is None:
    words.info("Choose an article on the left, or look for a number or for words.")
    st.stop()

with words:
    st.caption(" › ".join([plain(document.label), *map(name_of, way)]))
    show_clause(opened, kinds)
    with st.container(horizontal=True):
        if st.button("Ask about this", icon=":material/forum:"):
            state.ask(question_on(opened), chosen)
            st.switch_page("chat.py")
        st.download_button(
            "Checklist (CSV)",
            lambda: checklist(opened, clauses),
            file_name=f"checklist-{opened.article.replace('/', '-')}.csv",
            mime="text/csv",
            icon=":material/checklist:",
            on_click="ignore",
        )
    same_season = tuple(held for held in documents.values() if held.season == document.season)
    show_references(library, opened, clauses, Scope(same_season, "of the same season"))
with page:
    if file := pdf_of(library, chosen):
        show_page(
            file,
            document,
            lambda number: tuple(b for place in opened.places if place.page == number for b in place.boxes),
        )
    else:
        st.caption("There is no picture of the page: the document is not a PDF.")
