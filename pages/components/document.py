"""One document of the library: its facts, its reading report, its details and its removal."""

from collections.abc import Sequence
from datetime import date

import streamlit as st

from core.errors import SettingsError
from core.library import Document, Library
from core.markdown_escape import escape_markdown
from core.rulebook import MetadataOverride
from pages.components.document_layers import show_layers
from pages.components.document_lines import LINES_OF, show_leftovers
from pages.components.widgets import confirm_removal, show_failures
from pages.components.words import library_text, say, say_each


def show_document(
    library: Library, document: Document, documents: Sequence[Document], *, asked_by_default: bool
) -> None:
    """Draw a document of the library as a panel. Its contents are built only while it is open."""
    notes = " · ".join(library_text().list_notes(document))
    badge = f" {say('document-default')}" if asked_by_default else ""
    key = f"document-{document.document_id[:16]}"
    if st.session_state.get(LINES_OF) == document.document_id:
        st.session_state[key] = True  # reading it again changed its label, which closes a panel
    panel = st.expander(
        f"{escape_markdown(document.label)} :gray[{notes}]{badge}", key=key, on_change="rerun"
    )
    if panel.open:
        with panel:
            facts = library_text().list_facts(document, documents)
            named = {say(f"column-{name}"): fact for name, fact in facts.items()}
            st.table(named, border="horizontal")
            _show_report(document)
            show_leftovers(library, document)
            st.markdown(say("document-details"))
            show_details_form(library, document, documents)
            show_layers(library, document, documents)
            question = say("document-remove", label=escape_markdown(document.label))
            if confirm_removal(question, f"remove-{document.document_id[:16]}"):
                library.remove_document(document.document_id)
                st.rerun()


def _show_report(document: Document) -> None:
    lines = (
        library_text().describe_size(document),
        *library_text().list_reading_counts(document.counts),
    )
    st.markdown(say("document-reading"))
    st.markdown("\n".join(f"- {line}" for line in lines))
    if not document.warnings:
        st.caption(say("document-fine"))
    for warning in document.warnings:
        message = escape_markdown(warning.message)
        if warning.page:
            message = say("document-warning-page", page=warning.page, message=message)
        st.markdown(f":small[:orange[:material/warning:] {message}]")


def show_details_form(
    library: Library, document: Document, documents: Sequence[Document], place: str = ""
) -> None:
    """Draw the fields of a document's identity. `place` tells one of its forms from others."""
    key = f"{place}{document.document_id[:16]}"
    families = sorted({other.family for other in documents if other.family})
    shown = document.list_details(families)
    for name, value in shown.items():
        is_day = name in ("date", *MetadataOverride.VALIDITY) and value
        # Unlike the default of a widget, this does not return when the field is emptied.
        start = date.fromisoformat(str(value)) if is_day else value
        st.session_state.setdefault(f"{name}-{key}", start)
    label, keys = say_each("column-", shown), {name: f"{name}-{key}" for name in shown}
    with st.form(f"description-{key}", border=False):
        (left, middle, right), days = st.columns(3), st.columns(3)
        family = left.selectbox(
            label["family"], families, None, key=keys["family"], accept_new_options=True
        )
        years = MetadataOverride.SEASONS
        season = middle.number_input(
            label["season"], years[0], years[-1], None, 1, key=keys["season"]
        )
        issue = right.number_input(
            label["issue"], 0, Document.LAST_ISSUE, None, 1, key=keys["issue"]
        )
        first, end = date(years[0], 1, 1), date(years[-1], 12, 31)
        entered = {"family": family or None, "season": season, "issue": issue}
        names = ("date", *MetadataOverride.VALIDITY)
        for column, name in zip(days, names, strict=True):
            day = column.date_input(
                label[name], None, first, end, key=keys[name], format="YYYY-MM-DD"
            )
            entered[name] = day.isoformat() if day else None
        if st.form_submit_button(say("document-save")):
            with show_failures(SettingsError):
                library.correct_details(document.document_id, shown, entered)
                st.rerun()
