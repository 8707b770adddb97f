"""A clause with its text, tables and marks, and the clauses it refers to and is referred to from."""

import re
from collections.abc import Sequence
from itertools import groupby

import streamlit as st

from core.library import DiffSegment, Library, Scope, resolve_references
from core.rulebook import Clause, ClauseMark, ClauseStatus, MarkKind
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
    "hidden": ("Cannot be seen on the page", "gray"),
}
"""What is said of a clause or a part of it that is not plainly in force, and its colour."""


_BEGINNING = 200
"""Letters of its text by which a clause without a title is known in a list, as far as they fit."""


def clause_label(clause: Clause) -> str:
    """Number and title of a clause, to stand in a label."""
    return escape_markdown(" ".join(filter(None, (clause.article, clause.title))))


def show_clause(library: Library, clause: Clause, kinds: Sequence[str]) -> None:
    """Draw the words of a clause, its figures, and those of its marks that are asked for."""
    st.subheader(clause_label(clause), anchor=False)
    if clause.status != "in_force":
        word, colour = STATUS_BADGES[clause.status]
        st.markdown(f":{colour}-badge[{word}]")
    if clause.ocr:
        st.markdown(":orange-badge[Read by text recognition: compare it with the page]")
    apart = list(clause.marks)
    for is_table, lines in groupby(clause.text.splitlines(), key=lambda line: line.startswith("|")):
        text = "\n".join(lines)
        if is_table:
            st.markdown(sanitize_markdown(text))
            continue
        pieces, apart = split_insertions(text, apart) if "inserted" in kinds else ((), apart)
        if len(pieces) > 1:
            st.markdown(format_side(pieces, "inserted", whole=True))
        else:
            st.text(strip_control_characters(text))
    if not clause.text:
        st.caption("A heading: its words are in the articles below it.")
    show_figures(library, clause)
    for mark in apart:
        if mark.kind in kinds:
            word, colour = STATUS_BADGES[mark.kind]
            words = (
                f"~~{escape_markdown(mark.text)}~~"
                if mark.kind == "deleted"
                else escape_markdown(mark.text)
            )
            st.markdown(f":small[:{colour}-badge[{word}] {words}]")


def split_insertions(
    text: str, marks: Sequence[ClauseMark]
) -> tuple[tuple[DiffSegment, ...], list[ClauseMark]]:
    """A text with the inserted words that stand in it just once told apart, and the marks that it does not show so."""
    spans: list[tuple[int, int]] = []
    apart: list[ClauseMark] = []
    for mark in marks:
        pattern = r"\s+".join(map(re.escape, mark.text.split()))
        found = (
            list(re.finditer(rf"(?<!\w){pattern}(?!\w)", text))
            if mark.kind == "inserted" and pattern
            else []
        )
        if len(found) == 1:
            spans.append(found[0].span())
        else:
            apart.append(mark)
    pieces: list[DiffSegment] = []
    end = 0
    for start, stop in sorted(spans):
        if start >= end:
            pieces += [
                DiffSegment("same", text[end:start]),
                DiffSegment("inserted", text[start:stop]),
            ]
            end = stop
    return (*pieces, DiffSegment("same", text[end:])), apart


def show_references(library: Library, clause: Clause, scope: Scope) -> None:
    """Draw what a clause refers to within a scope, and which clauses in it refer to this one."""
    resolved = resolve_references(library, clause, scope)
    if resolved:
        st.markdown("**Refers to**")
    with st.container(gap=None):
        for number, found in enumerate(resolved):
            if found.clause is not None:
                _link_from(clause, found.clause, f"to-{number}", scope)
            else:
                why = (
                    "its document does not hold it"
                    if found.state == "missing"
                    else "its document is not held"
                )
                st.caption(f"{escape_markdown(found.reference)} ({why})")
    with st.spinner("Looking for what refers to it"):
        naming = referring_clauses(library, clause, scope, library.version)
    if naming:
        st.markdown("**Referred to from**")
    with st.container(gap=None):
        for number, other in enumerate(naming):
            _link_from(clause, other, f"from-{number}", scope)


def _link_from(clause: Clause, other: Clause, key: str, scope: Scope) -> None:
    """A link that names the document where it is another one."""
    labels = {document.document_id: document.label for document in scope.documents}
    elsewhere = other.document_id != clause.document_id
    show_clause_link(
        other,
        key,
        f" :gray[{escape_markdown(labels.get(other.document_id, ''))}]" if elsewhere else "",
    )


def show_clause_link(clause: Clause, key: str, suffix: str = "") -> None:
    """A line that opens a clause; one that is struck out stands struck. `more` is Markdown to follow its name."""
    name = clause_label(clause)
    if clause.status == "deleted":
        name = f"~~{name}~~"
    elif clause.clause_id == state.opened_clause_id():
        name = f"**{name}**"
    if not clause.title and clause.text:
        name += f" :gray[{escape_markdown(clause.text[:_BEGINNING])}]"
    st.button(
        name + suffix,
        key=f"open-{key}",
        type="tertiary",
        on_click=state.open_clause,
        args=(clause.document_id, clause.clause_id, clause.page_first),
        wrap=bool(clause.title),
    )


@st.cache_data(show_spinner=False, max_entries=500)
def referring_clauses(
    _library: Library, clause: Clause, scope: Scope, version: int
) -> list[Clause]:  # noqa: ARG001
    """The clauses in a scope that refer to a clause, those of its own document first."""
    # Looking a reference up is dear: only those with the number in them can mean this clause.
    number = re.compile(rf"(?<![\w.]){re.escape(clause.article)}(?!\.?\d)")
    found = []
    for document in sorted(
        scope.documents, key=lambda held: held.document_id != clause.document_id
    ):
        for other in _library.clauses(document.document_id):
            if other.clause_id != clause.clause_id and any(map(number.search, other.references)):
                resolved = resolve_references(_library, other, scope)
                if any(
                    known.clause and known.clause.clause_id == clause.clause_id
                    for known in resolved
                ):
                    found.append(other)
    return found
