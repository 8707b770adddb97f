"""The checklist of obligations: owner, status and evidence of each, and of a filled file."""

from collections.abc import Sequence

import streamlit as st

from core.errors import SheetError
from core.library import Document, Library
from core.limits import MAX_BYTES, ChecklistEntry, Obligation, read_checklist
from core.markdown_escape import escape_markdown
from pages.components import services
from pages.components.registers import load_obligations
from pages.components.widgets import show_failure
from pages.components.words import say, say_error

FILE = "checklist-file"


def take_checklist(library: Library, document: Document, duties: Sequence[Obligation]) -> None:
    """Draw an uploader of a filled checklist, whose columns are kept."""

    def keep_file() -> None:
        file = st.session_state[FILE]
        if not file:
            return
        store = services.get_checklist()
        try:
            before = store.entries_for(library, document, duties)
            entries, unknown = read_checklist(file.getvalue(), file.name, duties, before)
            noted = store.save_entries(library, document, entries)
        except SheetError as error:
            st.session_state["checklist-trouble"] = say_error(error)
        else:
            st.session_state["checklist-trouble"] = ""
            told = say("noted-count", count=noted)
            st.toast(f"{told} {say('noted-unknown', count=unknown) if unknown else ''}")

    with st.popover(say("noted-file"), icon=":material/upload:"):
        st.caption(say("noted-about"))
        st.file_uploader(
            say("noted-upload"),
            ["csv", "xlsx"],
            max_upload_size=MAX_BYTES >> 20,
            key=FILE,
            on_change=keep_file,
        )
    if trouble := st.session_state.get("checklist-trouble"):
        show_failure(trouble)


def note_obligation(library: Library, document: Document, duty: Obligation) -> None:
    """Draw what is noted of an obligation, to be changed."""
    store = services.get_checklist()
    # One of all: what is noted of other words goes to the obligation that it fits best.
    duties = load_obligations(library, document).obligations
    noted = store.entries_for(library, document, duties).get(duty, ChecklistEntry())
    before = noted.columns_for(duty)["noted_of"]
    if before:
        st.warning(say("noted-before", words=escape_markdown(before)))
    with st.form(f"note-{duty.clause_id}-{hash(duty.quote)}"):
        left, middle, right = st.columns(3)
        owner = left.text_input(say("column-owner"), noted.owner)
        status = middle.text_input(say("column-status"), noted.status)
        evidence = right.text_input(say("noted-evidence"), noted.evidence)
        if st.form_submit_button(say("document-save")):
            entry = ChecklistEntry(owner.strip(), status.strip(), evidence.strip())
            store.save_entries(library, document, {duty: entry})
            st.rerun()
