"""One document of the library: what it is, what reading it met, and the means to correct or remove it."""

from collections.abc import Mapping, Sequence
from datetime import date

import streamlit as st

from core.errors import SettingsError
from core.library import Document, Library, edition_status
from core.rulebook import FIRST_SEASON, LAST_SEASON, METADATA_FIELDS, MetadataOverride
from pages.components import state
from pages.components.labels import format_count, format_number, format_size
from pages.components.text import escape_markdown

REPORT: Mapping[str, tuple[str, str]] = {
    "deleted_spans": ("passage struck out", "kept out of the rules, shown as deleted"),
    "deleted_clauses": ("whole clause struck out", "kept out of the rules"),
    "inserted_spans": ("passage marked as new", "in force"),
    "future_clauses": ("clause for a later season", "kept out of the rules of this one"),
    "hidden_spans": ("passage that cannot be seen on the page", "kept out of the rules"),
    "notes": ("note", "called not binding by the document"),
    "tables": ("table", "read row by row"),
    "figures": ("figure or equation", "kept as a place on its page"),
    "repairs": ("word with broken letters", "mended"),
    "unresolved_references": ("reference to an article that is not here", "see below"),
    "numbering_gaps": ("gap in the numbering", "see below"),
    "duplicates": ("article number used twice", "told apart by their order"),
    "pages_without_text": ("page without text", "not read"),
    "pages_recognised": ("scanned page", "read by text recognition"),
}
"""What a reading counted, as one says it of a single one, and what that means."""
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
}


def show_document(
    library: Library, document: Document, documents: Sequence[Document], *, asked_by_default: bool
) -> None:
    """Draw a document as a panel; its inside is built only when it is open. `asked`: by default, among all others."""
    missing = [name for name in METADATA_FIELDS if getattr(document, name) is None]
    notes = [
        format_count(document.clauses, "clause"),
        format_count(document.pages, "page"),
        format_size(document.size),
    ]
    if document.warnings:
        notes.append(format_count(len(document.warnings), "warning"))
    if missing:
        notes.append(f"not known: {', '.join(missing)}")
    badge = " :green-badge[Asked by default]" if asked_by_default else ""
    panel = st.expander(
        f"{escape_markdown(document.label)} :gray[{' · '.join(notes)}]{badge}",
        key=f"document-{_key(document)}",
        on_change="rerun",
    )
    if panel.open:
        with panel:
            _facts(document, documents)
            _report(document)
            _description(
                library, document, sorted({held.family for held in documents if held.family})
            )
            _removal(library, document)


def _key(document: Document) -> str:
    return document.document_id[:16]


def _facts(document: Document, documents: Sequence[Document]) -> None:
    facts = {
        "File": escape_markdown(document.file),
        "Size": format_size(document.size),
        "Added": f"{document.added_at[:10]} {document.added_at[11:16]} UTC",
        "Document id": document.document_id[:12],
    }
    for name in METADATA_FIELDS:
        value = getattr(document, name)
        source = document.sources.get(name)
        known = (
            f"{escape_markdown(str(value))} :gray[({escape_markdown(source)})]"
            if source
            else escape_markdown(str(value))
        )
        facts[name.capitalize()] = known if value is not None else ":orange[not known]"
    if later := edition_status(document, documents).later:
        facts["Newer"] = f"{escape_markdown(later.label)} :gray[(asked unless you choose this one)]"
    st.table(facts, border="horizontal", width="content")


def _report(document: Document) -> None:
    st.markdown("**Reading**")
    found = f"{format_count(document.clauses, 'clause')} on {format_count(document.pages, 'page')}"
    st.markdown("\n".join([f"- {found}", *(f"- {line}" for line in report_lines(document.counts))]))
    if not document.warnings:
        st.caption("Nothing was met that you should know of.")
    for warning in document.warnings:
        where = f"Page {warning.page}: " if warning.page else ""
        st.markdown(
            f":small[:orange[:material/warning:] {where}{escape_markdown(warning.message)}]"
        )


def report_lines(counts: Mapping[str, int]) -> list[str]:
    """What a reading counted, in plain words, a line each; what it did not meet is left out."""
    return [
        f"{format_number(number)} {noun if number == 1 else PLURALS.get(noun, f'{noun}s')}: {meaning}"
        for name, (noun, meaning) in REPORT.items()
        if (number := counts.get(name, 0))
    ]


def _description(library: Library, document: Document, families: Sequence[str]) -> None:
    key = _key(document)
    st.markdown(
        "**Description** :small[where the reading could not tell, or is wrong; empty for not known]"
    )
    shown = _fields(document, families)
    for name, value in shown.items():
        state.preset_widget(
            f"{name}-{key}", date.fromisoformat(str(value)) if name == "date" and value else value
        )
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
            said = {
                "family": family or None,
                "season": season,
                "issue": issue,
                "date": day.isoformat() if day else None,
            }
            _describe(
                library,
                document,
                {name: value for name, value in said.items() if value != shown[name]},
            )


def _fields(document: Document, families: Sequence[str]) -> dict[str, str | int | None]:
    """What is known, where a field can show it: clauses imported as JSON Lines may name any season."""
    season, issue = document.season, document.issue
    return {
        "family": document.family if document.family in families else None,
        "season": season if season is not None and FIRST_SEASON <= season <= LAST_SEASON else None,
        "issue": issue if issue is not None and 0 <= issue <= 999 else None,
        "date": document.date,
    }


def _describe(
    library: Library, document: Document, changed: Mapping[str, str | int | None]
) -> None:
    """Keep what was changed alone, so that the rest still tells where it was read."""
    try:
        given = MetadataOverride(
            **{name: value for name, value in changed.items() if value is not None}
        )
    except SettingsError as error:
        st.error(escape_markdown(error.message), icon=":material/error:")
        return
    library.correct_metadata(
        document.document_id, given, [name for name, value in changed.items() if value is None]
    )
    st.rerun()


def _removal(library: Library, document: Document) -> None:
    with st.popover("Remove", icon=":material/delete:"):
        st.markdown(
            f"Remove **{escape_markdown(document.label)}** from the library? Answers given keep their quotes."
        )
        if st.button("Yes, remove it", key=f"remove-{_key(document)}"):
            library.remove_document(document.document_id)
            st.rerun()
