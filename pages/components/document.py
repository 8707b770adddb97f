"""One document of the library: its facts, its reading report, its details and its removal."""

from collections.abc import Mapping, Sequence
from datetime import date

import streamlit as st

from core.errors import SettingsError
from core.library import Document, Library, edition_status
from core.rulebook import FIRST_SEASON, LAST_SEASON, METADATA_FIELDS, MetadataOverride
from pages.components import state
from pages.components.document_lines import show_leftovers
from pages.components.labels import format_count, format_number, format_size
from pages.components.text import escape_markdown

REPORT: Mapping[str, tuple[str, str]] = {
    "deleted_spans": ("passage struck out", "kept out of the rules, shown as deleted"),
    "deleted_clauses": ("whole clause struck out", "kept out of the rules"),
    "inserted_spans": ("passage marked as new", "in force"),
    "future_clauses": ("clause for a later season", "kept out of this season's rules"),
    "hidden_spans": ("passage that cannot be seen on the page", "kept out of the rules"),
    "notes": ("note", "not binding, according to the document"),
    "tables": ("table", "read row by row"),
    "figures": ("figure or equation", "shown as a picture, not read"),
    "repairs": ("word with broken letters", "repaired"),
    "unresolved_references": ("reference to an article that is not here", "see below"),
    "numbering_gaps": ("gap in the numbering", "see below"),
    "duplicates": ("article number used twice", "told apart by their order"),
    "pages_without_text": ("page without text", "not read"),
    "pages_recognised": ("scanned page", "read by text recognition"),
    "signatures": ("signature", "who signed is not checked"),
    "scripts": ("script or program that the file would start", "never run"),
    "layers": ("layer that can be shown or not", "read as the file shows them"),
    "attachments": ("attached file", "not read"),
    "form_fields": ("field to fill in", "read as it is filled in"),
}
"""For each count of a reading: its noun in the singular, and what was done with what it counts."""
PLURALS = {
    "passage struck out": "passages struck out",
    "whole clause struck out": "whole clauses struck out",
    "passage marked as new": "passages marked as new",
    "clause for a later season": "clauses for a later season",
    "passage that cannot be seen on the page": "passages that cannot be seen on the page",
    "figure or equation": "figures and equations",
    "word with broken letters": "words with broken letters",
    "reference to an article that is not here": "references to articles that are not here",
    "gap in the numbering": "gaps in the numbering",
    "article number used twice": "article numbers used twice",
    "page without text": "pages without text",
    "script or program that the file would start": "scripts or programs that the file would start",
    "layer that can be shown or not": "layers that can be shown or not",
    "field to fill in": "fields to fill in",
}


def show_document(
    library: Library, document: Document, documents: Sequence[Document], *, asked_by_default: bool
) -> None:
    """Draw a document of the library as a panel. Its contents are built only while it is open."""
    missing = [name for name in METADATA_FIELDS if getattr(document, name) is None]
    notes = [
        format_count(document.clauses, "clause"),
        format_count(document.pages, "page"),
        format_size(document.size),
    ]
    if document.reading == "partly":
        notes.append("read in part")
    if document.warnings:
        notes.append(format_count(len(document.warnings), "warning"))
    if missing:
        notes.append(f"not known: {', '.join(missing)}")
    badge = " :green-badge[In default scope]" if asked_by_default else ""
    key = f"document-{document.document_id[:16]}"
    if st.session_state.get(state.LINES_OF) == document.document_id:
        st.session_state[key] = True  # reading it again changed its label, which closes a panel
    panel = st.expander(
        f"{escape_markdown(document.label)} :gray[{' · '.join(notes)}]{badge}",
        key=key,
        on_change="rerun",
    )
    if panel.open:
        with panel:
            _show_facts(document, documents)
            _show_report(document)
            show_leftovers(library, document)
            st.markdown("**Details** :small[correct them here; leave empty if unknown]")
            show_details_form(library, document, documents)
            _show_removal(library, document)


def _show_facts(document: Document, documents: Sequence[Document]) -> None:
    facts = {
        "File": escape_markdown(document.file),
        "Size": format_size(document.size),
        "Added": f"{document.added_at[:10]} {document.added_at[11:16]} UTC",
        "Document id": document.document_id[:12],
    }
    for name in METADATA_FIELDS:
        value, source = getattr(document, name), document.sources.get(name)
        origin = f" :gray[({escape_markdown(source)})]" if source else ""
        known = value is not None
        facts[name.capitalize()] = (
            f"{escape_markdown(str(value))}{origin}" if known else ":orange[not known]"
        )
    if later := edition_status(document, documents).later:
        facts["Newer"] = f"{escape_markdown(later.label)} :gray[(the default)]"
    st.table(facts, border="horizontal", width="content")


def _show_report(document: Document) -> None:
    clauses, pages = format_count(document.clauses, "clause"), format_count(document.pages, "page")
    lines = (f"{clauses} on {pages}", *report_lines(document.counts))
    st.markdown("**Reading**")
    st.markdown("\n".join(f"- {line}" for line in lines))
    if not document.warnings:
        st.caption("No problems found.")
    for warning in document.warnings:
        page = f"Page {warning.page}: " if warning.page else ""
        message = escape_markdown(warning.message)
        st.markdown(f":small[:orange[:material/warning:] {page}{message}]")


def report_lines(counts: Mapping[str, int]) -> list[str]:
    """Describe the non-zero counts of a reading, one line each."""
    lines = []
    for name, (noun, meaning) in REPORT.items():
        if number := counts.get(name, 0):
            nouns = noun if number == 1 else PLURALS.get(noun, f"{noun}s")
            lines.append(f"{format_number(number)} {nouns}: {meaning}")
    return lines


def show_details_form(
    library: Library, document: Document, documents: Sequence[Document], place: str = ""
) -> None:
    """Draw the fields of a document's identity. `place` tells one of its forms from others."""
    key = f"{place}{document.document_id[:16]}"
    families = sorted({other.family for other in documents if other.family})
    shown = _form_values(document, families)
    for name, value in shown.items():
        is_day = name == "date" and value
        state.preset_widget(f"{name}-{key}", date.fromisoformat(str(value)) if is_day else value)
    with st.form(f"description-{key}", border=False):
        left, middle, right, last = st.columns(4)
        family = left.selectbox(
            "Family", families, index=None, accept_new_options=True, key=f"family-{key}"
        )
        season = middle.number_input(
            "Season", FIRST_SEASON, LAST_SEASON, None, 1, key=f"season-{key}"
        )
        issue = right.number_input("Issue", 0, 999, None, 1, key=f"issue-{key}")
        first, latest = date(FIRST_SEASON, 1, 1), date(LAST_SEASON, 12, 31)
        day = last.date_input("Date", None, first, latest, key=f"date-{key}", format="YYYY-MM-DD")
        if st.form_submit_button("Save"):
            values = {
                "family": family or None,
                "season": season,
                "issue": issue,
                "date": day.isoformat() if day else None,
            }
            changed = {name: value for name, value in values.items() if value != shown[name]}
            _save_changes(library, document, changed)


def _form_values(document: Document, families: Sequence[str]) -> dict[str, str | int | None]:
    """The metadata that the fields can show. Clauses imported as JSON Lines may name any season."""
    season, issue = document.season, document.issue
    return {
        "family": document.family if document.family in families else None,
        "season": season if season is not None and FIRST_SEASON <= season <= LAST_SEASON else None,
        "issue": issue if issue is not None and 0 <= issue <= 999 else None,
        "date": document.date,
    }


def _save_changes(
    library: Library, document: Document, changed: Mapping[str, str | int | None]
) -> None:
    """Save only what was changed, so that the other fields keep their source."""
    values = {name: value for name, value in changed.items() if value is not None}
    try:
        override = MetadataOverride(**values)
    except SettingsError as error:
        st.error(escape_markdown(error.message), icon=":material/error:")
        return
    cleared = [name for name in changed if name not in values]
    library.correct_metadata(document.document_id, override, cleared)
    st.rerun()


def _show_removal(library: Library, document: Document) -> None:
    with st.popover("Remove", icon=":material/delete:"):
        label = escape_markdown(document.label)
        st.markdown(f"Remove **{label}** from the library? Earlier answers keep their quotes.")
        if st.button("Yes, remove it", key=f"remove-{document.document_id[:16]}"):
            library.remove_document(document.document_id)
            st.rerun()
