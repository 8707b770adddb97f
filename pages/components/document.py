"""One document of the library: what it is, what reading it met, and the means to correct or remove it."""

from collections.abc import Sequence
from datetime import date

import streamlit as st

from core.library.store import Library
from core.library.types import Document
from core.rulebook.types import Given
from pages.components.text import plain
from pages.components.words import amount, megabytes

FIELDS = ("family", "season", "issue", "date")


def show_document(library: Library, document: Document, families: Sequence[str]) -> None:
    """Draw a document as a panel; its inside is built only when it is open."""
    missing = [name for name in FIELDS if getattr(document, name) is None]
    notes = [amount(document.clauses, "clause"), amount(document.pages, "page")]
    if document.warnings:
        notes.append(amount(len(document.warnings), "warning"))
    if missing:
        notes.append(f"not known: {', '.join(missing)}")
    key = document.document_id[:16]
    panel = st.expander(f"{plain(document.label)} :gray[{' · '.join(notes)}]", key=f"document-{key}", on_change="rerun")
    if panel.open:
        with panel:
            _facts(document)
            _report(document)
            _description(library, document, families, missing)
            _removal(library, document)


def _facts(document: Document) -> None:
    facts = {
        "File": plain(document.file),
        "Size": megabytes(document.size),
        "Added": f"{document.added_at[:10]} {document.added_at[11:16]} UTC",
        "Document id": document.document_id[:12],
    }
    for name in FIELDS:
        value = getattr(document, name)
        source = document.sources.get(name)
        known = f"{plain(str(value))} :gray[({plain(source)})]" if source else plain(str(value))
        facts[name.capitalize()] = known if value is not None else ":orange[could not be read]"
    st.table(facts, border="horizontal", width="content")


def _report(document: Document) -> None:
    counts = " · ".join(
        f"{plain(name.replace('_', ' '))} {number:,}" for name, number in document.counts.items() if number
    )
    st.markdown(f"**Reading** :small[{counts}]")
    if not document.warnings:
        st.caption("Nothing was met that you should know of.")
    for warning in document.warnings:
        where = f"Page {warning.page}: " if warning.page else ""
        st.markdown(f":small[:orange[:material/warning:] {where}{plain(warning.message)}]")


def _description(library: Library, document: Document, families: Sequence[str], missing: Sequence[str]) -> None:
    key = document.document_id[:16]
    st.markdown("**Description** :small[where the reading could not tell, or is wrong]")
    with st.form(f"description-{key}", border=False):
        left, middle, right, last = st.columns(4)
        family = left.selectbox(
            "Family",
            families,
            index=families.index(document.family) if document.family in families else None,
            accept_new_options=True,
            key=f"family-{key}",
        )
        season = middle.number_input("Season", 1900, 2200, document.season, 1, key=f"season-{key}")
        issue = right.number_input("Issue", 0, 999, document.issue, 1, key=f"issue-{key}")
        day = last.date_input("Date", date.fromisoformat(document.date) if document.date else None, key=f"date-{key}")
        if st.form_submit_button("Save", type="primary" if missing else "secondary"):
            library.describe(
                document.document_id,
                Given(family or None, season, issue, day.isoformat() if day else None),
            )
            st.rerun()


def _removal(library: Library, document: Document) -> None:
    key = document.document_id[:16]
    with st.popover("Remove", icon=":material/delete:"):
        st.markdown(f"Remove **{plain(document.label)}** from the library? Answers given keep their quotes.")
        if st.button("Yes, remove it", type="primary", key=f"remove-{key}"):
            library.remove(document.document_id)
            st.rerun()
