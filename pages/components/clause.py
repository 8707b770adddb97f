"""A clause with its text, tables and marks, and the clauses it refers to and is referred to from."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import streamlit as st

from core.library.references import resolve_references
from core.library.store import Library
from core.library.types import Document, Scope
from core.rulebook.types import Clause, MarkKind, Status
from pages.components import state
from pages.components.text import disarmed, plain

SAID: dict[MarkKind | Status, tuple[str, str]] = {
    "inserted": ("New in this issue", "green"),
    "deleted": ("Struck out, not in force", "red"),
    "future": ("For a later season, not in force yet", "blue"),
    "note": ("Note, not binding", "gray"),
    "hidden": ("Cannot be seen on the page", "gray"),
}
"""What is said of a clause or a part of it that is not plainly in force, and its colour."""


def name_of(clause: Clause) -> str:
    """Number and title of a clause, to stand in a label."""
    return plain(" ".join(filter(None, (clause.article, clause.title))))


def show_clause(clause: Clause, kinds: Sequence[str]) -> None:
    """Draw the words of a clause and those of its marks that are asked for."""
    st.subheader(name_of(clause), anchor=False)
    if clause.status != "in_force":
        word, colour = SAID[clause.status]
        st.markdown(f":{colour}-badge[{word}]")
    for is_table, lines in groupby(clause.text.splitlines(), key=lambda line: line.startswith("|")):
        if is_table:
            st.markdown(disarmed("\n".join(lines)))
        else:
            st.text("\n".join(lines))
    if not clause.text:
        st.caption("A heading: its words are in the articles below it.")
    for mark in clause.marks:
        if mark.kind in kinds:
            word, colour = SAID[mark.kind]
            words = f"~~{plain(mark.text)}~~" if mark.kind == "deleted" else plain(mark.text)
            st.markdown(f":small[:{colour}-badge[{word}] {words}]")


def show_references(library: Library, clause: Clause, clauses: Sequence[Clause], scope: Scope) -> None:
    """Draw what a clause refers to within a scope, and which clauses of its own document refer to it."""
    resolved = resolve_references(library, clause, scope)
    if resolved:
        st.markdown("**Refers to**")
    with st.container(gap=None):
        for number, found in enumerate(resolved):
            if found.clause is not None:
                link(found.clause, f"to-{number}")
            else:
                why = "its document does not hold it" if found.state == "missing" else "its document is not held"
                st.caption(f"{plain(found.reference)} ({why})")
    referring = list(_referring(library, clause, clauses, scope.documents))
    if referring:
        st.markdown("**Referred to from**")
    with st.container(gap=None):
        for number, other in enumerate(referring):
            link(other, f"from-{number}")


def link(clause: Clause, key: str) -> None:
    """A line that opens a clause; one that is struck out stands struck."""
    name = name_of(clause)
    st.button(
        f"~~{name}~~" if clause.status == "deleted" else name,
        key=f"open-{key}",
        type="tertiary",
        on_click=state.open_clause,
        args=(clause.document_id, clause.clause_id, clause.page_first),
        wrap=False,
    )


def _referring(
    library: Library, clause: Clause, clauses: Sequence[Clause], documents: Sequence[Document]
) -> Iterator[Clause]:
    own = Scope(tuple(d for d in documents if d.document_id == clause.document_id), "its own document")
    for other in clauses:
        # Looking a reference up is dear: only those with the number in them can mean this clause.
        if other.clause_id != clause.clause_id and any(clause.article in named for named in other.references):
            resolved = resolve_references(library, other, own)
            if any(found.clause and found.clause.clause_id == clause.clause_id for found in resolved):
                yield other
