"""Files that come with a question: added to the library while one watches, so that the question can be put to them."""

import time
from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.typing import UploadedFile

from core.library.queue import Entry
from core.library.types import Document
from pages.components import resources
from pages.components.text import plain
from pages.components.uploads import queued
from pages.components.words import amount

PAUSE = 0.2
"""Seconds between two looks at the queue."""


def add_attached(files: Sequence[UploadedFile]) -> tuple[str, ...]:
    """Add files and tell how far each has come; the ids of their documents, as far as they could be read.

    Stopping leaves them in the queue, which goes on. Raises LibraryError where they are too many.
    """
    entries = queued(files)
    with st.status(f":shimmer[Reading {amount(len(entries), 'file')}]", type="compact", expanded=True) as panel:
        place = st.empty()
        now = _now(entries)
        while any(entry.unfinished for entry in now):
            place.markdown("  \n".join(map(_progress, now)))
            time.sleep(PAUSE)
            now = _now(entries)
        held = {document.document_id: document for document in resources.library().documents()}
        read = tuple(entry.document_id for entry in now if entry.document_id and entry.document_id in held)
        place.markdown("  \n".join(_told(entry, held) for entry in now))
        panel.update(label=f"{amount(len(read), 'document')} read", state="complete")
    return read


def _now(entries: Sequence[Entry]) -> list[Entry]:
    known = {entry.entry_id: entry for entry in resources.adding().queue.entries()}
    return [known[entry.entry_id] for entry in entries if entry.entry_id in known]


def _progress(entry: Entry) -> str:
    return f"{plain(entry.name)}: page {entry.done} of {entry.of}" if entry.of else plain(entry.name)


def _told(entry: Entry, held: Mapping[str, Document]) -> str:
    document = held.get(entry.document_id or "")
    if document is None:
        return f":red[:material/error:] {plain(entry.name)} was not added. {plain(entry.message)}"
    read = f"{amount(document.clauses, 'clause')} on {amount(document.pages, 'page')}"
    known = "in the library already" if entry.state == "unchanged" else "read"
    return f":green[:material/check:] {plain(document.label)}: {read}, {known}"
