"""Files given by a person: taken from the uploader and put into the queue, from which they are added."""

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Literal

import streamlit as st
from streamlit.typing import UploadedFile

from core.errors import ScrutineerError
from core.library import Document, Library, UploadJob, add_file
from pages.components import services, state
from pages.components.people import current_person
from pages.components.text import escape_markdown

SAMPLES_FOLDER = Path(__file__).parents[2] / "data" / "samples"
ACCEPT_MULTIPLE: dict[bool, Literal[True, "directory"]] = {False: True, True: "directory"}


def show_uploader(place: str, max_megabytes: int, folder: bool = False) -> None:
    """An uploader for PDFs up to `largest` MB each, or for a folder of them; what is given is put into the queue."""
    place = f"{place}-folder" if folder else place
    st.file_uploader(
        "Add a folder of rulebooks (PDF)" if folder else "Add rulebooks (PDF)",
        type="pdf",
        accept_multiple_files=ACCEPT_MULTIPLE[folder],
        max_upload_size=max_megabytes,
        key=state.uploader_key(place),
        on_change=_take,
        args=(place,),
    )
    if trouble := state.upload_trouble():
        st.error(escape_markdown(trouble), icon=":material/error:")


def add_samples(library: Library) -> None:
    """Put the rulebooks that ship with the project into a library, with a line of progress.

    Goes on to the end when the visitor leaves in the middle: a library with some of them would no longer be
    one never used, to which they are added at the start.
    """
    files = sorted(SAMPLES_FOLDER.glob("*.pdf"))
    added = (list(add_file(library, file)) for file in files)
    line = st.empty()
    try:
        for number, file in enumerate(files, 1):
            text = f"Reading the sample rulebooks, {number} of {len(files)} ({escape_markdown(file.name)})"
            line.progress((number - 1) / len(files), text=text)
            next(added)
        line.empty()
    finally:
        for _ in added:
            pass


def show_samples(library: Library, documents: Sequence[Document]) -> None:
    """Draw a line on the sample rulebooks among other documents, with a button that removes them for good."""
    samples = [held.document_id for held in documents if held.document_id in _sample_ids()]
    if not samples or len(samples) == len(documents):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("The library holds sample rulebooks of an invented series.", width="content")
        if st.button("Remove the samples", icon=":material/delete:", type="tertiary"):
            for document_id in samples:
                library.remove_document(document_id)
            st.rerun()


def lacks_samples(documents: Sequence[Document]) -> bool:
    """True where some of the sample rulebooks are not among the documents."""
    return not _sample_ids() <= {held.document_id for held in documents}


def offer_samples(library: Library) -> None:
    """Draw a button that adds the sample rulebooks."""
    if st.button("Add the sample rulebooks", icon=":material/library_add:"):
        add_samples(library)
        st.rerun()


@cache
def _sample_ids() -> frozenset[str]:
    """What the sample rulebooks are known by in a library."""
    return frozenset(sha256(file.read_bytes()).hexdigest() for file in SAMPLES_FOLDER.glob("*.pdf"))


def queue_files(files: Sequence[UploadedFile]) -> list[UploadJob]:
    """Put files into the queue, from which they are added. Raises LibraryError where they are too many."""
    adding, asking = services.get_ingest_worker(), current_person()
    try:
        services.get_conversations().count_uploads(len(files))
        return [
            adding.queue.enqueue(file.name, file.getvalue(), asking.key if asking else "")
            for file in files
        ]
    finally:
        adding.ensure_running()


def _take(place: str) -> None:
    """Put what was given to an uploader into the queue and empty it, or keep why that cannot be."""
    files = st.session_state[state.uploader_key(place)]
    if not files:  # an uploader that has been emptied is told of again by a slow browser
        return
    try:
        queue_files(files)
    except ScrutineerError as error:
        state.keep_upload_trouble(error.message)
    else:
        state.keep_upload_trouble("")
    state.empty_uploader(place)
