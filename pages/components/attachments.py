"""A question that is typed, and the files that come with it: they are added first, so that it can be put to them."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from core.chats import Conversations
from core.errors import ScrutineerError
from core.library import Document, UploadJob
from pages.components import services, state
from pages.components.labels import format_count
from pages.components.text import escape_markdown
from pages.components.uploads import queue_files

POLL_SECONDS = 0.2
"""Seconds between two looks at the queue."""


def queue_typed_question() -> None:
    """Keep what was typed, and put its files into the queue. To be called when the input is sent."""
    held, typed = state.chat_session(), st.session_state[state.QUESTION]
    if typed is None:
        return
    question = typed.text.strip()
    try:
        held.ask(state.Asking(question, tuple(queue_files(typed.files)) if typed.files else ()))
    except ScrutineerError as error:
        held.ask(state.Asking(question, trouble=error.message))


def apply_quota(chats: Conversations, asking: state.Asking) -> state.Asking:
    """The same, or with its trouble where the person may not put another question now."""
    if not asking.question or asking.trouble:
        return asking
    try:
        chats.check_question()
    except ScrutineerError as error:
        return replace(asking, trouble=error.message)
    return asking


def show_refusal(asking: state.Asking) -> None:
    """Draw why a question was not put, and the question, so that its words are not lost."""
    st.error(escape_markdown(asking.trouble), icon=":material/error:")
    if asking.question:
        st.markdown(f"Your question was not put: {escape_markdown(asking.question)}")


def wait_for_uploads(entries: Sequence[UploadJob]) -> tuple[str, ...]:
    """Tell how far each file in the queue has come until all have ended; the ids of the documents they became.

    Where the script is broken off they stay in the queue, which goes on.
    """
    with st.status(
        f":shimmer[Reading {format_count(len(entries), 'file')}]", type="compact", expanded=True
    ) as panel:
        place = st.empty()
        now = _now(entries)
        while any(entry.unfinished for entry in now):
            place.markdown("  \n".join(map(_progress, now)))
            time.sleep(POLL_SECONDS)
            now = _now(entries)
        held = {document.document_id: document for document in services.get_library().documents()}
        read = tuple(
            entry.document_id for entry in now if entry.document_id and entry.document_id in held
        )
        place.markdown("  \n".join(_told(entry, held) for entry in now))
        panel.update(label=f"{format_count(len(read), 'document')} read", state="complete")
    return read


def _now(entries: Sequence[UploadJob]) -> list[UploadJob]:
    known = {entry.entry_id: entry for entry in services.get_ingest_worker().queue.list_jobs()}
    return [known[entry.entry_id] for entry in entries if entry.entry_id in known]


def _progress(entry: UploadJob) -> str:
    return (
        f"{escape_markdown(entry.name)}: page {entry.done} of {entry.of}"
        if entry.of
        else escape_markdown(entry.name)
    )


def _told(entry: UploadJob, held: Mapping[str, Document]) -> str:
    document = held.get(entry.document_id or "")
    if document is None:
        return f":red[:material/error:] {escape_markdown(entry.name)} was not added. {escape_markdown(entry.message)}"
    read = f"{format_count(document.clauses, 'clause')} on {format_count(document.pages, 'page')}"
    known = "in the library already" if entry.state == "unchanged" else "read"
    return f":green[:material/check:] {escape_markdown(document.label)}: {read}, {known}"
