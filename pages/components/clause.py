"""A clause with its text, tables and marks, and its references in both directions."""

from collections.abc import Container, Iterable, Sequence

import streamlit as st

from core.grammar import article_label, list_parts
from core.library import (
    ClauseHistory,
    ComparisonText,
    HistoryEntry,
    Library,
    Scope,
    find_referring_clauses,
    resolve_references,
    resolve_scope,
)
from core.markdown_escape import escape_markdown, sanitize_markdown, split_blocks
from core.registers import list_layer_notes
from core.rulebook import Clause, ClauseMark, ClauseStatus, MarkKind
from core.sanitize import strip_control_characters
from pages.components import state
from pages.components.document_names import comparison_link
from pages.components.page_image import show_figures
from pages.components.services import of_library
from pages.components.widgets import clause_link, row
from pages.components.words import language, say

_find_referring = st.cache_data(max_entries=500, **of_library)(find_referring_clauses)
STATUS_COLORS: dict[MarkKind | ClauseStatus, str] = {
    "inserted": "green",
    "deleted": "red",
    "future": "blue",
    "note": "gray",
    "hidden": "gray",
    "differs": "orange",
}
"""The colour of a clause or passage that is not plainly in force."""


def status_badge(status: MarkKind | ClauseStatus) -> str:
    return f":{STATUS_COLORS[status]}-badge[{say(f'status-{status}')}]"


def clause_label(clause: Clause) -> str:
    """The number and title of a clause, escaped for a label."""
    return escape_markdown(" ".join(filter(None, (clause.article, clause.title))))


def show_clause(library: Library, clause: Clause, kinds: Sequence[str]) -> None:
    """Draw the text of a clause, its figures, and its marks of the given kinds."""
    st.subheader(clause_label(clause), anchor=False)
    if clause.status != "in_force":
        st.markdown(status_badge(clause.status))
    if clause.ocr:
        st.markdown(say("clause-ocr"))
    scope = resolve_scope(library.documents(), state.chosen_scope())
    for note in list_layer_notes(library, scope.ids, scope.day).get(clause.clause_id, ()):
        place = f"{article_label(note.article, say('article'))}, {note.document}"
        said = say(f"caution-{note.kind}", place=escape_markdown(place))
        st.markdown(f":orange[:material/layers: {said}]")
    unplaced = list(clause.marks)
    lines = zip(list_parts(clause.text), clause.text.split("\n"), strict=True)
    indented = "\n".join("\u2003" * part.count(")") + line for part, line in lines)
    for is_table, text in split_blocks(indented, "|"):
        if is_table:
            st.markdown(sanitize_markdown(text))
            continue
        marked = ""
        if "inserted" in kinds:
            marked, unplaced = ComparisonText(language()).format_insertions(text, unplaced)
        if marked:
            st.markdown(marked)
        else:
            st.text(strip_control_characters(text))
    if not clause.text:
        st.caption(say("clause-heading"))
    show_figures(library, clause)
    show_marks(unplaced, kinds)


def show_marks(marks: Iterable[ClauseMark], kinds: Container[str]) -> None:
    """Draw the passages of a clause that are marked as one of the kinds."""
    for mark in marks:
        if mark.kind in kinds:
            words = escape_markdown(mark.text)
            words = f"~~{words}~~" if mark.kind == "deleted" else words
            st.markdown(f":small[{status_badge(mark.kind)} {words}]")


def show_references(library: Library, clause: Clause, scope: Scope) -> None:
    """Draw what a clause refers to within a scope, and which clauses of the scope refer to it."""

    def show_link(other: Clause, key: str) -> None:
        """Draw a link to a clause, with its document where that is a different one."""
        label = escape_markdown(scope.labels.get(other.document_id, ""))
        own = other.document_id == clause.document_id
        show_clause_link(other, key, "" if own else f" :gray[{label}]")

    resolved = resolve_references(library, clause, scope)
    if resolved:
        st.markdown(say("clause-refers"))
    with st.container(gap=None):
        for number, found in enumerate(resolved):
            if found.clause is not None:
                show_link(found.clause, f"to-{number}")
                continue
            how = "missing" if found.state == "missing" else "not_held"
            st.caption(say(f"reference-{how}", reference=escape_markdown(found.reference)))
    with st.spinner(say("clause-finding")):
        referring = _find_referring(library, clause, scope)
    if referring:
        st.markdown(say("clause-referred"))
    with st.container(gap=None):
        for number, other in enumerate(referring):
            show_link(other, f"from-{number}")


@st.cache_data(max_entries=500, **of_library)
def _list_history(library: Library, clause_id: str) -> tuple[HistoryEntry, ...]:
    clause = library.clause(clause_id)
    return ClauseHistory(library, clause).entries if clause else ()


def show_history(library: Library, clause: Clause) -> None:
    """Draw where a clause stood in each edition that has it, with links to what changed."""
    with st.spinner(say("clause-history-finding")):
        entries = _list_history(library, clause.clause_id)
    if len(entries) < 2:
        return
    st.markdown(say("clause-history"))
    with st.container(gap=None):
        for before, entry in zip((None, *entries), entries, strict=False):
            how = () if before is None else (f"place-{entry.place}", f"wording-{entry.wording}")
            said = ", ".join(say(one) for one in how if not one.endswith("-same"))
            label = " · ".join(filter(None, (entry.article, entry.label)))
            with row(gap="small"):
                clause_link(escape_markdown(label), entry.clause_id)
                if said:
                    st.caption(said, width="content")
                if before and entry.wording == "changed":
                    issues = before.document_id, entry.document_id
                    comparison_link(say("superseded-difference"), *issues, entry.article)


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
