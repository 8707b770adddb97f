"""Search by words or number in all rulebooks: the clauses found, their words marked. No model."""

from collections.abc import Sequence

import streamlit as st

from core.errors import LibraryError
from core.library import Document, Hit, Scope, expand_query, resolve_scope, search
from core.limits import split_at_stems, stem_words
from core.rulebook import Clause
from pages.components import address, services, state
from pages.components.clause import STATUS_BADGES, clause_label
from pages.components.differences import format_found
from pages.components.document_names import require_documents
from pages.components.labels import format_count
from pages.components.pagination import paginate
from pages.components.text import escape_markdown
from pages.components.widgets import choose_many

MAX_HITS = 100


def choose_scope(documents: tuple[Document, ...]) -> Scope:
    """Draw the filters, and return the documents that they leave."""
    books = {document.rulebook: document.rulebook for document in documents}
    seasons = sorted({document.season for document in documents if document.season}, reverse=True)
    left, middle, right = st.columns([3, 2, 2], vertical_alignment="bottom")
    chosen = left.multiselect(
        "Rulebooks", sorted(books), key=state.SEARCHED_BOOKS, placeholder="All", bind="query-params"
    )
    years = middle.multiselect(
        "Seasons", seasons, key=state.SEARCHED_SEASONS, placeholder="All", bind="query-params"
    )
    about = "Otherwise the newest issue of each rulebook and chosen season."
    all_issues = right.toggle("Earlier issues too", key=state.SEARCH_ISSUES, help=about)
    held = [
        document
        for document in documents
        if (not chosen or document.rulebook in chosen) and (not years or document.season in years)
    ]
    if all_issues:
        return Scope(tuple(held), "all issues")
    groups = [[one for one in held if one.season == year] for year in years] or [held]
    return Scope(tuple(one for group in groups for one in resolve_scope(group).documents), "newest")


def show_hit(hit: Hit, document: Document, stems: frozenset[str]) -> None:
    """Draw a clause as a link to its page, and its text with the searched words marked."""
    clause = hit.clause
    with st.container(border=True, gap="xsmall"):
        st.page_link(
            "browse.py",
            label=f"**{clause_label(clause)}**",
            icon=":material/account_tree:",
            query_params=address.clause_address(clause.clause_id),
        )
        place = escape_markdown(f"{document.citation_label}, page {clause.page_first}")
        trail = format_found(split_at_stems(" › ".join(clause.breadcrumb), stems))
        st.caption(" · ".join(filter(None, (place, trail))))
        if clause.status != "in_force":
            word, colour = STATUS_BADGES[clause.status]
            st.markdown(f":{colour}-badge[{word}]")
        st.markdown(format_found(split_at_stems(_words_of(clause), stems)))


def _words_of(clause: Clause) -> str:
    return clause.text or " ".join(clause.deleted)


def has_own_words(hit: Hit, stems: frozenset[str]) -> bool:
    """True unless only its neighbours, which count a little, have words that were searched."""
    clause = hit.clause
    own = " ".join((*clause.breadcrumb, clause.title, _words_of(clause)))
    return hit.why == "exact" or not stems.isdisjoint(stem_words(own))


def show_page() -> None:
    st.title("Search", anchor=False)
    library = services.get_library()
    documents = tuple(require_documents(library).values())
    query = st.text_input(
        "Words or article number",
        key=state.SEARCHED,
        placeholder="21.3, or: speed limit pit lane",
        max_chars=500,
        bind="query-params",
    ).strip()
    scope = choose_scope(documents)
    also = choose_many(
        "Also find",
        ("deleted", "future"),
        state.SEARCH_ALSO,
        format_func=lambda status: STATUS_BADGES[status][0],
    )
    if not query:
        st.caption(f"Searches {format_count(len(scope.documents), 'document')}.")
        return
    try:
        hits: Sequence[Hit] = search(
            library, query, scope, MAX_HITS, "lexical", "deleted" in also, "future" in also
        )
    except LibraryError as error:
        st.info(escape_markdown(error.message))
        return
    expanded = expand_query(query, scope.documents)
    words = (*expanded.words, *(other.words for other in expanded.alternatives))
    stems = stem_words(" ".join(words))
    hits = [hit for hit in hits if has_own_words(hit, stems)]
    if not hits:
        st.info("No rule has this number or these words. Use fewer words, or relax the filters.")
        return
    most = " or more" if len(hits) >= MAX_HITS else ""
    count, held = format_count(len(hits), "clause"), format_count(len(scope.documents), "document")
    st.markdown(f"**{count}{most}** in {held}, the best first")
    for hit in paginate(hits, state.SEARCH_PAGE):
        show_hit(hit, scope.by_id[hit.clause.document_id], stems)


show_page()
