"""Uploaded files and the sample rulebooks: how they get into the queue or the library."""

from collections.abc import Sequence
from contextlib import closing
from typing import Any

import streamlit as st
from streamlit.typing import UploadedFile

from core.errors import ScrutineerError
from core.library import Document, Library, UploadJob, add_sample_rulebooks
from core.markdown_escape import escape_markdown
from pages.components import services
from pages.components.people import person_key
from pages.components.widgets import icon_button, row, show_failure
from pages.components.words import say, say_error

RULINGS_ON = "upload-rulings"
"""The key of the rulebook that uploaded rulings are on."""


def show_uploader(place: str, max_megabytes: int, folder: bool = False, **options: Any) -> None:
    """Draw an uploader for files of this size, or for a folder of them. They are queued."""
    tables = ["csv", "xlsx"] if st.session_state.get(RULINGS_ON) else []
    place = f"{place}-folder" if folder else place
    generation = f"uploads-{place}"
    key = f"{generation}-{st.session_state.get(generation, 0)}"
    st.file_uploader(
        say("upload-folder" if folder else "upload"),
        type=["pdf", "docx", *tables],
        accept_multiple_files="directory" if folder else True,
        max_upload_size=max_megabytes,
        key=key,
        on_change=_take_files,
        args=(key, generation),
        **options,
    )


def show_upload_trouble() -> None:
    """Draw why the last files were not queued."""
    if trouble := st.session_state.get("upload-trouble"):
        show_failure(trouble)


def _take_files(key: str, generation: str) -> None:
    """Queue the files of an uploader, or keep why not. A new key then empties the uploader.

    A slow browser reports an emptied uploader again, with its files or without: each is taken once.
    """
    taken: set[str] = st.session_state.setdefault("taken-files", set())
    files = [file for file in st.session_state[key] if file.file_id not in taken]
    if not files:
        return
    taken.update(file.file_id for file in files)
    st.session_state["upload-trouble"] = ""
    try:
        queue_files(files)
    except ScrutineerError as error:
        st.session_state["upload-trouble"] = say_error(error)
    st.session_state[generation] = st.session_state.get(generation, 0) + 1


def queue_files(files: Sequence[UploadedFile]) -> list[UploadJob]:
    """Add files to the queue. Raises LibraryError if the person has added too many."""
    worker, person = services.get_ingest_worker(), person_key()
    try:
        services.get_conversations().count_uploads(len(files))
        rulings_on = st.session_state.get(RULINGS_ON) or ""
        return [
            worker.queue.enqueue(file.name, file.getvalue(), person, rulings_on) for file in files
        ]
    finally:
        worker.ensure_running()


def add_samples(library: Library) -> None:
    """Add the rulebooks that ship with the project, all even if the visitor leaves; draw how far.

    They are searched by words until the worker has made vectors.
    """
    line = st.empty()
    try:
        with closing(add_sample_rulebooks(library)) as files:
            for number, count, name in files:
                file = escape_markdown(name)
                said = say("samples-reading", number=number, count=count, file=file)
                line.progress((number - 1) / count, said)
        line.empty()
    finally:
        services.get_ingest_worker().ensure_running()


def show_samples(library: Library, documents: Sequence[Document]) -> None:
    """Draw a button that removes the sample rulebooks, if there are other documents too."""
    samples = [document.document_id for document in documents if document.is_sample]
    if not samples or len(samples) == len(documents):
        return
    with row():
        st.caption(say("samples-held"), width="content")
        if icon_button(say("samples-remove"), "delete"):
            for document_id in samples:
                library.remove_document(document_id)
            st.rerun()


def offer_samples(library: Library) -> None:
    if icon_button(say("samples-add"), "library_add", quiet=False):
        add_samples(library)
        st.rerun()
