"""A rulebook as a tree of its articles: text, tables, marks, the page beside it, references both ways."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.library import Document, Library, Scope, mentions
from core.rulebook import Clause
from pages.components import services, state
from pages.components.clause import (
    STATUS_BADGES,
    clause_label,
    show_clause,
    show_clause_link,
    show_references,
)
from pages.components.document_names import distinct_names
from pages.components.examples import question_about_clause
from pages.components.labels import format_number
from pages.components.outline import (
    build_outline,
    checklist_csv,
    clause_ancestors,
    clause_subtree,
    filter_clauses,
)
from pages.components.page_image import find_pdf, show_page
from pages.components.text import escape_markdown

ARTICLES_SHOWN = 60
"""Articles in the list at once."""

library = services.get_library()


def show_checklists(
    library: Library, document: Document, term: str, listed: Sequence[Clause]
) -> None:
    """Checklists of what was found: of those clauses alone, or of everything on the term."""
    on_term = mentions(library, term, Scope((document,), "browsed"))
    lists = (
        (
            f"Checklist of these {format_number(len(listed))}",
            listed,
            "The articles in force found below.",
        ),
        (
            f"Checklist of all {format_number(len(on_term))} on the term",
            on_term,
            "The articles in force that say these words together, all below them, and all that both refer to.",
        ),
    )
    with st.container(horizontal=True):
        for number, (label, clauses, about) in enumerate(lists):
            if clauses:
                st.download_button(
                    label,
                    partial(checklist_csv, clauses),
                    f"checklist-{number}.csv",
                    "text/csv",
                    icon=":material/checklist:",
                    on_click="ignore",
                    help=about,
                )


st.title("Browse", anchor=False)
documents = {document.document_id: document for document in library.documents()}
if not documents:
    st.info("The library is empty. Add a rulebook (PDF) on the page Library, then read it here.")
    st.stop()
names = distinct_names(documents.values())
if not state.follow_address(documents):
    st.warning("The document of this address is not in the library.")

newest = max(
    documents.values(), key=lambda held: (held.date or "", held.season or 0, held.issue or 0)
)
left, right = st.columns(2)
chosen = left.selectbox(
    "Document",
    list(documents),
    list(documents).index(newest.document_id),
    format_func=names.__getitem__,
    key=state.BROWSED_DOCUMENT,
    on_change=state.close_clause,
    persist_state="session",
)
wanted = right.text_input(
    "Number or words", key=state.BROWSE_QUERY, placeholder="21.3, or: speed limit"
).strip()
kinds = st.pills(
    "Beside what is in force, show",
    list(STATUS_BADGES),
    selection_mode="multi",
    default=["inserted", "deleted"],
    format_func=lambda kind: STATUS_BADGES[kind][0],
    key=state.MARK_KINDS,
    wrap=True,
)
document = documents[chosen]
clauses = library.clauses(chosen)
opened = next((clause for clause in clauses if clause.clause_id == state.opened_clause_id()), None)
if opened:
    state.set_default_page(opened.page_first)
elif state.opened_clause_id():
    st.warning("The document has no such article: the address is not whole.")
way = clause_ancestors(opened, clauses) if opened else []
shown = [clause for clause in clauses if clause.status == "in_force" or clause.status in kinds]
tree = build_outline(shown)
listed = (
    filter_clauses(shown, wanted) if wanted else tree.get(opened.clause_id if opened else None, ())
)
if opened and not listed and not wanted:
    listed = tree.get(way[-1].clause_id if way else None, ())

if wanted:
    show_checklists(library, document, wanted, listed)
if opened is None:
    st.caption("Choose an article, or look for a number or for words.")
index, words, page = st.columns([4, 5, 6], gap="medium") if opened else (st.container(), None, None)
with index, st.container(gap=None):
    if opened:
        st.button(
            "All articles",
            icon=":material/arrow_upward:",
            type="tertiary",
            on_click=state.close_clause,
        )
    for number, above in enumerate(way):
        show_clause_link(above, f"above-{number}")
    for number, clause in enumerate(listed[:ARTICLES_SHOWN]):
        show_clause_link(clause, f"listed-{number}")
    if not listed:
        st.caption("No article has this number or these words.")
    if len(listed) > ARTICLES_SHOWN:
        st.caption(f"And {len(listed) - ARTICLES_SHOWN} more: look for more words.")

if opened is None:
    st.stop()

with words:
    st.caption(" › ".join([escape_markdown(document.label), *map(clause_label, way)]))
    show_clause(library, opened, kinds)
    with st.container(horizontal=True):
        if st.button("Ask about this", icon=":material/forum:"):
            state.ask_in_new_chat(question_about_clause(opened), chosen)
            st.switch_page("chat.py")
        st.download_button(
            "Checklist (CSV)",
            lambda: checklist_csv(clause_subtree(opened, clauses)),
            file_name=f"checklist-{opened.article.replace('/', '-')}.csv",
            mime="text/csv",
            icon=":material/checklist:",
            on_click="ignore",
        )
with page:
    if file := find_pdf(library, chosen):
        show_page(
            file,
            document,
            lambda number: tuple(
                b for place in opened.places if place.page == number for b in place.boxes
            ),
        )
    else:
        st.caption("There is no picture of the page: the document is not a PDF.")
with words:
    same_season = tuple(held for held in documents.values() if held.season == document.season)
    show_references(library, opened, Scope(same_season, "of the same season"))
