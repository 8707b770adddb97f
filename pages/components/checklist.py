"""The checklist of obligations: owner, status and evidence of each, and of a filled file."""

from collections.abc import Sequence

import streamlit as st

from core.errors import SheetError
from core.library import Document, Library
from core.limits import MAX_BYTES, ChecklistEntry, Obligation, read_checklist
from pages.components import services
from pages.components.labels import format_count
from pages.components.text import escape_markdown

FILE = "checklist-file"


def take_checklist(library: Library, document: Document, duties: Sequence[Obligation]) -> None:
    """Draw an uploader of a filled checklist, whose columns are kept."""

    def keep_file() -> None:
        file = st.session_state[FILE]
        if not file:
            return
        try:
            entries, unknown = read_checklist(file.getvalue(), file.name, duties)
            services.get_checklist().save_entries(library, document, entries)
        except SheetError as error:
            st.session_state["checklist-trouble"] = error.message
        else:
            left = f"; {format_count(unknown, 'row')} fit none" if unknown else ""
            st.session_state["checklist-trouble"] = ""
            st.toast(f"Noted of {format_count(len(entries), 'obligation')}{left}.")

    with st.popover("Filled checklist", icon=":material/upload:"):
        st.caption("Owner, status and evidence are kept, for the next issue of the rules too.")
        st.file_uploader(
            "Checklist (CSV or XLSX)",
            ["csv", "xlsx"],
            max_upload_size=MAX_BYTES >> 20,
            key=FILE,
            on_change=keep_file,
        )
    if trouble := st.session_state.get("checklist-trouble"):
        st.error(escape_markdown(trouble), icon=":material/error:")


def note_obligation(library: Library, document: Document, duty: Obligation) -> None:
    """Draw what is noted of an obligation, to be changed."""
    store = services.get_checklist()
    noted = store.entries_for(library, document, [duty]).get(duty, ChecklistEntry())
    before = noted.columns_for(duty)["noted_of"]
    if before:
        st.warning(f"Noted of an earlier wording: {escape_markdown(before)}")
    with st.form(f"note-{duty.clause_id}-{hash(duty.quote)}"):
        left, middle, right = st.columns(3)
        owner = left.text_input("Owner", noted.owner)
        status = middle.text_input("Status", noted.status)
        evidence = right.text_input("Evidence", noted.evidence)
        if st.form_submit_button("Save"):
            entry = ChecklistEntry(owner.strip(), status.strip(), evidence.strip())
            store.save_entries(library, document, {duty: entry})
            st.rerun()
