"""A typed question and the files that come with it. The files are added first."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from core.chats import Conversations
from core.errors import ScrutineerError
from core.library import Document, UploadJob
from pages.components import services, state
from pages.components.labels import document_size, format_count
from pages.components.text import escape_markdown
from pages.components.uploads import queue_files

POLL_SECONDS = 0.2


def queue_typed_question() -> None:
    """Keep what was typed and queue its files; the callback of the chat input."""
    session, typed = state.chat_session(), st.session_state[state.QUESTION]
    if typed is None:
        return
    question = typed.text.strip()
    try:
        session.ask(state.Asking(question, tuple(queue_files(typed.files)) if typed.files else ()))
    except ScrutineerError as error:
        session.ask(state.Asking(question, trouble=error.message))


def apply_quota(chats: Conversations, asking: state.Asking) -> state.Asking:
    """The question, with its `trouble` set if the person may not ask another one now."""
    if not asking.question or asking.trouble:
        return asking
    try:
        chats.check_question()
    except ScrutineerError as error:
        return replace(asking, trouble=error.message)
    return asking


def show_refusal(asking: state.Asking) -> None:
    """Draw why a question was not asked, and the question, so that its words are not lost."""
    st.error(escape_markdown(asking.trouble), icon=":material/error:")
    if asking.question:
        st.markdown(f"Your question was not asked: {escape_markdown(asking.question)}")


def wait_for_uploads(jobs: Sequence[UploadJob]) -> tuple[str, ...]:
    """Draw the progress of queued files until all have ended; return their document ids.

    If the script is broken off, the queue continues without it.
    """
    label = f":shimmer[Reading {format_count(len(jobs), 'file')}]"
    with st.status(label, type="compact", expanded=True) as panel:
        lines = st.empty()
        now = _refresh_jobs(jobs)
        while any(job.unfinished for job in now):
            names = [escape_markdown(job.name) for job in now]
            pages = [f": page {job.done} of {job.of}" if job.of else "" for job in now]
            lines.markdown("  \n".join(map("".join, zip(names, pages, strict=True))))
            time.sleep(POLL_SECONDS)
            now = _refresh_jobs(jobs)
        documents = {found.document_id: found for found in services.get_library().documents()}
        read = tuple(job.document_id or "" for job in now if job.document_id in documents)
        lines.markdown("  \n".join(_describe_upload(job, documents) for job in now))
        panel.update(label=f"{format_count(len(read), 'document')} read", state="complete")
    return read


def _refresh_jobs(jobs: Sequence[UploadJob]) -> list[UploadJob]:
    known = {job.entry_id: job for job in services.get_ingest_worker().queue.list_jobs()}
    return [known[job.entry_id] for job in jobs if job.entry_id in known]


def _describe_upload(job: UploadJob, documents: Mapping[str, Document]) -> str:
    document = documents.get(job.document_id or "")
    if document is None:
        name, reason = escape_markdown(job.name), escape_markdown(job.message)
        return f":red[:material/error:] {name} was not added. {reason}"
    known = "in the library already" if job.state == "unchanged" else "read"
    label, size = escape_markdown(document.label), document_size(document)
    return f":green[:material/check:] {label}: {size}, {known}"
