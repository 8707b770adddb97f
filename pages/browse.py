"""A rulebook as a tree of articles: text, tables, marks, the PDF page, references both ways."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.library import Document, Library, Scope, mentions
from core.rulebook import Clause
from pages.components import questions, services, state
from pages.components.clause import (
    STATUS_BADGES,
    clause_label,
    show_clause,
    show_clause_link,
    show_references,
)
from pages.components.document_names import distinct_names
from pages.components.examples import question_about_clause
from pages.components.labels import format_count
from pages.components.outline import (
    build_outline,
    checklist_csv,
    clause_ancestors,
    clause_subtree,
    filter_clauses,
)
from pages.components.page_image import find_pdf, show_page
from pages.components.text import escape_markdown
from pages.components.widgets import choose_many, icon_button, offer_download

MAX_ARTICLES = 60  # in the list

library = services.get_library()


def show_checklists(
    library: Library, document: Document, term: str, listed: Sequence[Clause]
) -> None:
    """Draw checklists of the listed clauses, and of all clauses on the term."""
    on_term = mentions(library, term, Scope((document,), "browsed"))
    about = (
        "The articles in force that say these words together, all below them, and all that both"
        " refer to."
    )
    lists = (
        ("in this list", listed, "The articles in force found below."),
        ("with this term", on_term, about),
    )
    with st.container(horizontal=True):
        for number, (which, clauses, help) in enumerate(lists):
            if clauses:
                label = f"Checklist: {format_count(len(clauses), 'clause')} {which}"
                make = partial(checklist_csv, clauses)
                offer_download(label, f"checklist-{number}.csv", make, "checklist", help=help)


st.title("Browse", anchor=False)
documents = {document.document_id: document for document in library.documents()}
if not documents:
    st.info("The library is empty. Add a rulebook (PDF) on the page Library, then read it here.")
    st.stop()
names = distinct_names(documents.values())
if not state.follow_address(documents):
    st.warning("The document of this address is not in the library.")

newest = max(documents.values(), key=lambda d: (d.date or "", d.season or 0, d.issue or 0))
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
kinds = choose_many(
    "Also show",
    STATUS_BADGES,
    state.MARK_KINDS,
    default=["inserted", "deleted"],
    format_func=lambda kind: STATUS_BADGES[kind][0],
)
document = documents[chosen]
clauses = library.clauses(chosen)
opened = next((clause for clause in clauses if clause.clause_id == state.opened_clause_id()), None)
if opened:
    st.session_state.setdefault(state.PAGE, opened.page_first)
elif state.opened_clause_id():
    st.warning("The document has no such article: the link is incomplete.")
path = clause_ancestors(opened, clauses) if opened else []
visible = [clause for clause in clauses if clause.status == "in_force" or clause.status in kinds]
if wanted:
    listed = filter_clauses(visible, wanted)
    show_checklists(library, document, wanted, listed)
else:
    outline = build_outline(visible)
    listed = outline.get(opened.clause_id if opened else None, ())
    if opened and not listed:
        listed = outline.get(path[-1].clause_id if path else None, ())

if opened is None:
    st.caption("Choose an article, or search for a number or words.")
index, words, page = st.columns([4, 5, 6], gap="medium") if opened else (st.container(), None, None)
with index, st.container(gap=None):
    if opened:
        icon_button("All articles", "arrow_upward", state.close_clause)
    for number, clause in enumerate(path):
        show_clause_link(clause, f"above-{number}")
    for number, clause in enumerate(listed[:MAX_ARTICLES]):
        show_clause_link(clause, f"listed-{number}")
    if not listed:
        st.caption("No article has this number or these words.")
    if len(listed) > MAX_ARTICLES:
        st.caption(f"And {len(listed) - MAX_ARTICLES} more: search for more words.")

if opened is None:
    st.stop()

with words:
    st.caption(" › ".join([escape_markdown(document.label), *map(clause_label, path)]))
    show_clause(library, opened, kinds)
    with st.container(horizontal=True):
        asked = questions.ask_in_new_chat, question_about_clause(opened), chosen
        if icon_button("Ask about this", "forum", *asked, quiet=False):
            st.switch_page("chat.py")
        file = f"checklist-{opened.article.replace('/', '-')}.csv"
        subtree = clause_subtree(opened, clauses)
        offer_download("Checklist (CSV)", file, partial(checklist_csv, subtree), "checklist")
with page:
    if pdf := find_pdf(library, chosen):
        show_page(
            pdf,
            document,
            lambda number: tuple(
                box for place in opened.places if place.page == number for box in place.boxes
            ),
        )
    else:
        st.caption("There is no picture of the page: the document is not a PDF.")
with words:
    season = tuple(found for found in documents.values() if found.season == document.season)
    show_references(library, opened, Scope(season, "of the same season"))
