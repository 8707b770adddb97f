"""A rulebook as a tree of articles: text, tables, marks, the PDF page, references both ways."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.exports import checklist_csv
from core.library import Document, Library, Outline, Scope, mentions
from core.markdown_escape import escape_markdown
from core.rulebook import Clause
from core.sheets import question_about_clause
from pages.components import questions, state
from pages.components.clause import (
    STATUS_COLORS,
    clause_label,
    show_clause,
    show_clause_link,
    show_history,
    show_references,
)
from pages.components.page_image import show_page
from pages.components.registers import show_limits_of
from pages.components.rule_address import show_address
from pages.components.rulings import show_rulings
from pages.components.widgets import choose_many, icon_button, offer_download
from pages.components.words import say, say_each

MAX_ARTICLES = 150
"""In the tree; of a longer one, those around the opened article are shown."""
INDENT, TREE_HEIGHT = 18, 540
"""Pixels a level, and of the tree beside an article, which scrolls by itself."""
CHOSEN_MARKS = ("inserted", "deleted", "future")
"""Marks that a reader may leave out. The others say where the text and the page differ."""


def show_tree(rows: Sequence[tuple[int, Clause]], opened: Clause | None) -> None:
    """Draw articles as links, indented by their depth in the tree."""
    place = next((number for number, (_, clause) in enumerate(rows) if clause is opened), 0)
    first = max(0, min(place - MAX_ARTICLES // 2, len(rows) - MAX_ARTICLES))
    shown = rows[first : first + MAX_ARTICLES]
    if first:
        st.caption(say("browse-above", count=first))
    for number, (depth, clause) in enumerate(shown):
        row = st.container(horizontal=True, wrap=False, gap=None) if depth else st.container()
        with row:
            if depth:
                st.space(INDENT * depth)
            with st.container():
                show_clause_link(clause, f"listed-{number}")
    if below := len(rows) - first - len(shown):
        st.caption(say("browse-below", count=below))
    if not rows:
        st.caption(say("browse-none"))


def show_checklists(
    library: Library, document: Document, term: str, listed: Sequence[Clause]
) -> None:
    """Draw checklists of the listed clauses, and of all clauses on the term."""
    on_term = mentions(library, term, Scope((document,), "browsed"))
    with st.container(horizontal=True):
        for number, (which, clauses) in enumerate((("listed", listed), ("term", on_term))):
            if clauses:
                label = say(f"checklist-{which}", count=len(clauses))
                about = say(f"checklist-{which}-about")
                make = partial(checklist_csv, clauses)
                offer_download(label, f"checklist-{number}.csv", make, "checklist", help=about)


def show_words(
    library: Library,
    document: Document,
    opened: Clause,
    outline: Outline,
    kinds: Sequence[str],
) -> None:
    """Draw an article, beside itself in the other languages, and what can be done with it."""
    own = outline.select_language(opened.language)
    path = own.list_ancestors(opened)
    st.caption(" › ".join([escape_markdown(document.citation_label), *map(clause_label, path)]))
    versions = (opened, *outline.list_translations(opened))
    for version, column in zip(versions, st.columns(len(versions), gap="medium"), strict=True):
        with column:
            show_clause(library, version, kinds)
    with st.container(horizontal=True):
        asked = questions.ask_in_new_chat, question_about_clause(opened), document.document_id
        if icon_button(say("browse-ask"), "forum", *asked, quiet=False):
            st.switch_page("chat.py")
        file = f"checklist-{opened.article.replace('/', '-')}.csv"
        offer_download(
            say("checklist"), file, partial(checklist_csv, own.list_branch(opened)), "checklist"
        )
    show_address(document, opened)


def show_article(
    library: Library,
    document: Document,
    opened: Clause,
    outline: Outline,
    kinds: Sequence[str],
    rows: Sequence[tuple[int, Clause]],
) -> None:
    """Draw an article between the tree and its page; below its page if it has two languages."""
    if outline.list_translations(opened):
        index, words = st.columns([4, 11], gap="medium")
        page = words.container()
        words = page.container()
    else:
        index, words, page = st.columns([4, 5, 6], gap="medium")
    with index, st.container(gap=None):
        back = state.open_document, document.document_id
        icon_button(say("browse-all"), "arrow_upward", *back)
        with st.container(height=TREE_HEIGHT, border=False, gap=None):
            show_tree(rows, opened)
    with words:
        show_words(library, document, opened, outline, kinds)
    with page:
        if pdf := library.stored_pdf(document.document_id):
            show_page(pdf, document, opened.boxes_on)
        elif document.pages:
            st.caption(say("no-picture"))
    with words:
        season = tuple(one for one in library.documents() if one.season == document.season)
        show_rulings(library, opened.clause_id)
        show_references(library, opened, Scope(season, "of the same season"))
        show_limits_of(library, document, opened)
        show_history(library, opened)


def show_rulebook(library: Library, document: Document, wanted: str) -> None:
    """Draw the tree of a document, restricted to the wanted words, and the article that is open."""
    icon_button(say("browse-back"), "arrow_back", state.open_document, None, quiet=False)
    statuses, shown = say_each("status-", CHOSEN_MARKS), ["inserted", "deleted"]
    chosen = choose_many(say("browse-also"), statuses, "marks", default=shown)
    kinds = [kind for kind in STATUS_COLORS if kind in chosen or kind not in CHOSEN_MARKS]
    outline = Outline(library.clauses(document.document_id))
    opened = next(
        (one for one in outline.clauses if one.clause_id == state.opened_clause_id()), None
    )
    if opened:
        st.session_state.setdefault(state.PAGE, opened.page_first or 1)
    elif state.opened_clause_id():
        st.warning(say("browse-no-article"))
    language = opened.language if opened and opened.language else document.language
    visible = outline.select_language(language).select_statuses(kinds)
    rows = visible.list_rows(opened, wanted)
    if wanted:
        show_checklists(library, document, wanted, [clause for _, clause in rows])
    if opened is None:
        st.caption(say("browse-choose"))
        with st.container(gap=None):
            show_tree(rows, opened)
    else:
        show_article(library, document, opened, outline, kinds, rows)
