"""Search by words or number in all rulebooks: the clauses found, their words marked. No model."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

import streamlit as st

from core.errors import LibraryError
from core.grammar import stem_words
from core.library import (
    ComparisonText,
    Document,
    Editions,
    Hit,
    Library,
    Scope,
    query_stems,
    search,
)
from core.markdown_escape import escape_markdown
from core.rulebook import ClauseStatus
from pages.components.clause import clause_label, status_badge
from pages.components.widgets import choose_many, clause_link, paginate
from pages.components.words import language, say, say_each, say_error

MAX_HITS = 100


def choose_scope(documents: tuple[Document, ...]) -> Scope:
    """Draw the filters, and return the documents that they leave."""
    books = sorted({document.rulebook for document in documents})
    left, middle, right = st.columns([3, 2, 2], vertical_alignment="bottom")
    every = say("all")
    chosen = left.multiselect(
        say("search-rulebooks"), books, key="books", placeholder=every, bind="query-params"
    )
    seasons = Editions(documents).seasons
    years = middle.multiselect(
        say("search-seasons"), seasons, key="seasons", placeholder=every, bind="query-params"
    )
    about = say("search-issues-about")
    all_issues = right.toggle(say("search-issues"), key="all-issues", help=about)
    return Editions(documents).select(chosen, years, all_issues)


def split_at_stems(text: str, stems: frozenset[str]) -> Iterator[tuple[bool, str]]:
    """Yield the text in runs, each with True for words with one of these stems."""
    for is_found, runs in groupby(
        re.split(r"([^\W_][\w'’-]*)", text), lambda run: not stems.isdisjoint(stem_words(run))
    ):
        yield is_found, "".join(runs)


def show_hit(hit: Hit, document: Document, stems: frozenset[str]) -> None:
    """Draw a clause as a link to its page, and its text with the searched words marked."""
    clause = hit.clause
    with st.container(border=True, gap="xsmall"):
        clause_link(f"**{clause_label(clause)}**", clause.clause_id)
        label = escape_markdown(document.citation_label)
        place = say("search-place", document=label, page=clause.page_first)
        format_found = ComparisonText(language()).format_found
        trail = format_found(split_at_stems(" › ".join(clause.breadcrumb), stems))
        st.caption(" · ".join(filter(None, (place, trail))))
        if clause.status != "in_force":
            st.markdown(status_badge(clause.status))
        text = clause.text or " ".join(clause.deleted)
        st.markdown(format_found(split_at_stems(text, stems)))


def show_found(library: Library, documents: tuple[Document, ...], query: str) -> None:
    """Draw the filters and the clauses that have the words or the number of a query."""
    scope = choose_scope(documents)
    idle: tuple[ClauseStatus, ...] = ("deleted", "future")
    statuses = say_each("status-", idle)
    also = choose_many(say("search-also"), statuses, "search-also")
    searched = say("documents", count=len(scope.documents))
    try:
        hits: Sequence[Hit] = search(
            library, query, scope, MAX_HITS, "lexical", ("in_force", *also)
        )
    except LibraryError as error:
        st.info(escape_markdown(say_error(error)))
        return
    stems = query_stems(query, scope.documents)
    hits = [hit for hit in hits if hit.has_own_words(stems)]
    if not hits:
        st.info(say("search-none"))
        return
    found = "search-found-or-more" if len(hits) >= MAX_HITS else "search-found"
    st.markdown(say(found, clauses=say("clauses", count=len(hits)), documents=searched))
    for hit in paginate(hits, "search-page"):
        show_hit(hit, scope.by_id[hit.clause.document_id], stems)
