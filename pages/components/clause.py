"""A clause with its text, tables and marks, and its references in both directions."""

import re
from collections.abc import Sequence

import streamlit as st

from core.agent import split_blocks
from core.library import DiffSegment, Library, Scope, resolve_references
from core.rulebook import Clause, ClauseMark, ClauseStatus, MarkKind, indent_items
from core.sanitize import strip_control_characters
from pages.components import state
from pages.components.differences import format_side
from pages.components.figures import show_figures
from pages.components.text import escape_markdown, sanitize_markdown

STATUS_BADGES: dict[MarkKind | ClauseStatus, tuple[str, str]] = {
    "inserted": ("New in this issue", "green"),
    "deleted": ("Struck out, not in force", "red"),
    "future": ("For a later season, not in force yet", "blue"),
    "note": ("Note, not binding", "gray"),
    "hidden": ("Hidden text", "gray"),
    "differs": ("Page and text differ", "orange"),
}
"""The badge of a clause or passage that is not plainly in force: its text and colour."""


def clause_label(clause: Clause) -> str:
    """The number and title of a clause, escaped for a label."""
    return escape_markdown(" ".join(filter(None, (clause.article, clause.title))))


def show_clause(library: Library, clause: Clause, kinds: Sequence[str]) -> None:
    """Draw the text of a clause, its figures, and its marks of the given kinds."""
    st.subheader(clause_label(clause), anchor=False)
    if clause.status != "in_force":
        word, colour = STATUS_BADGES[clause.status]
        st.markdown(f":{colour}-badge[{word}]")
    if clause.ocr:
        st.markdown(":orange-badge[Read by text recognition: compare it with the page]")
    unplaced = list(clause.marks)
    for is_table, text in split_blocks(indent_items(clause.text, "\u2003"), "|"):
        if is_table:
            st.markdown(sanitize_markdown(text))
            continue
        pieces, unplaced = (
            split_insertions(text, unplaced) if "inserted" in kinds else ((), unplaced)
        )
        if len(pieces) > 1:
            st.markdown(format_side(pieces, "inserted", whole=True))
        else:
            st.text(strip_control_characters(text))
    if not clause.text:
        st.caption("A heading: its words are in the articles below it.")
    show_figures(library, clause)
    for mark in unplaced:
        if mark.kind in kinds:
            word, colour = STATUS_BADGES[mark.kind]
            words = escape_markdown(mark.text)
            words = f"~~{words}~~" if mark.kind == "deleted" else words
            st.markdown(f":small[:{colour}-badge[{word}] {words}]")


def split_insertions(
    text: str, marks: Sequence[ClauseMark]
) -> tuple[tuple[DiffSegment, ...], list[ClauseMark]]:
    """Split a text at the inserted words that occur in it exactly once.

    Returns the segments, and the marks that they do not show.
    """
    spans: list[tuple[int, int]] = []
    unplaced: list[ClauseMark] = []
    for mark in marks:
        pattern = r"\s+".join(map(re.escape, mark.text.split()))
        searched = mark.kind == "inserted" and pattern
        found = list(re.finditer(rf"(?<!\w){pattern}(?!\w)", text)) if searched else []
        if len(found) == 1:
            spans.append(found[0].span())
        else:
            unplaced.append(mark)
    pieces: list[DiffSegment] = []
    end = 0
    for start, stop in sorted(spans):
        if start >= end:
            pieces.append(DiffSegment("same", text[end:start]))
            pieces.append(DiffSegment("inserted", text[start:stop]))
            end = stop
    return (*pieces, DiffSegment("same", text[end:])), unplaced


def show_references(library: Library, clause: Clause, scope: Scope) -> None:
    """Draw what a clause refers to within a scope, and which clauses of the scope refer to it."""
    resolved = resolve_references(library, clause, scope)
    if resolved:
        st.markdown("**Refers to**")
    with st.container(gap=None):
        for number, found in enumerate(resolved):
            if found.clause is not None:
                _show_reference(clause, found.clause, f"to-{number}", scope)
                continue
            missing = found.state == "missing"
            why = "not in its document" if missing else "its document is not in your library"
            st.caption(f"{escape_markdown(found.reference)} ({why})")
    with st.spinner("Finding the clauses that refer to this one"):
        referring = referring_clauses(library, clause, scope, library.version)
    if referring:
        st.markdown("**Referred to from**")
    with st.container(gap=None):
        for number, other in enumerate(referring):
            _show_reference(clause, other, f"from-{number}", scope)


def _show_reference(clause: Clause, other: Clause, key: str, scope: Scope) -> None:
    """Draw a link to another clause, with its document where that is a different one."""
    suffix = ""
    if other.document_id != clause.document_id:
        suffix = f" :gray[{escape_markdown(scope.labels.get(other.document_id, ''))}]"
    show_clause_link(other, key, suffix)


def show_clause_link(clause: Clause, key: str, suffix: str = "") -> None:
    """Draw a line that opens a clause. The suffix is Markdown; deleted clauses are struck out."""
    name = clause_label(clause)
    if clause.status == "deleted":
        name = f"~~{name}~~"
    elif clause.clause_id == state.opened_clause_id():
        name = f"**{name}**"
    if not clause.title and clause.text:
        name += f" :gray[{escape_markdown(clause.text[:200])}]"  # the screen cuts what is too long
    st.button(
        name + suffix,
        key=f"open-{key}",
        type="tertiary",
        on_click=state.open_clause,
        args=(clause.document_id, clause.clause_id, clause.page_first),
        wrap=False,
    )


@st.cache_data(show_spinner=False, max_entries=500)
def referring_clauses(
    _library: Library,
    clause: Clause,
    scope: Scope,
    version: int,  # noqa: ARG001
) -> list[Clause]:
    """The clauses in a scope that refer to a clause, those of its own document first.

    `version` is the version of the library: it makes a cached list expire.
    """
    # Resolving references is slow: only a clause with this number in a reference can match.
    number = re.compile(rf"(?<![\w.]){re.escape(clause.article)}(?!\.?\d)")

    def refers_here(other: Clause) -> bool:
        return any(map(number.search, other.references)) and any(
            found.clause and found.clause.clause_id == clause.clause_id
            for found in resolve_references(_library, other, scope)
        )

    documents = sorted(scope.documents, key=lambda d: d.document_id != clause.document_id)
    return [
        other
        for document in documents
        for other in _library.clauses(document.document_id)
        if other.clause_id != clause.clause_id and refers_here(other)
    ]
