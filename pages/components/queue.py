"""The queue of files that are being added: how far each has come, what came of it, and the means to cancel or retry."""

import time
from collections.abc import Sequence

import streamlit as st

from core.errors import ScrutineerError
from core.library import Document, IngestWorker, UploadJob, edition_status
from pages.components import services
from pages.components.labels import format_count, format_seconds
from pages.components.people import current_person
from pages.components.text import escape_markdown

NEWS_SECONDS = 900.0
"""Seconds for which a place that shows the news alone tells what came of a file."""


def show_queue(only_news: bool = False) -> None:
    """Draw the person's files; while one is worked on, once a second. The page is drawn anew when one has ended."""
    adding = services.get_ingest_worker()
    adding.ensure_running()
    waiting = _unfinished(adding)
    if waiting:
        _watch(only_news, waiting)
    else:
        _draw(adding, only_news)


@st.fragment(run_every=1.0)
def _watch(only_news: bool, seen: int) -> None:
    adding = services.get_ingest_worker()
    adding.ensure_running()
    if _unfinished(adding) != seen:
        st.rerun()
    _draw(adding, only_news)


def _unfinished(adding: IngestWorker) -> int:
    return sum(entry.unfinished for entry in adding.queue.list_jobs(_key()))


def _key() -> str:
    asking = current_person()
    return asking.key if asking else ""


def _draw(adding: IngestWorker, only_news: bool) -> None:
    everything = adding.queue.list_jobs()
    own = [entry for entry in everything if entry.person == _key()]
    shown = [
        e
        for e in own
        if e.unfinished or not only_news or time.time() - e.since - e.seconds < NEWS_SECONDS
    ]
    if not shown:
        return
    if only_news and len(shown) > 1:
        with st.expander(_folded(shown), key="news"):
            _list(adding, shown, everything)
    else:
        _list(adding, shown, everything)


def _folded(entries: Sequence[UploadJob]) -> str:
    """What many files come to, in a line."""
    added = sum(entry.state in ("added", "unchanged") for entry in entries)
    unfinished = sum(entry.unfinished for entry in entries)
    failed = len(entries) - added - unfinished
    told = [f"{format_count(added, 'file')} added"] if added else []
    told += [f"{format_count(failed, 'file')} not added"] if failed else []
    return " · ".join([f"Adding {format_count(unfinished, 'file')}", *told] if unfinished else told)


def _list(
    adding: IngestWorker, shown: Sequence[UploadJob], everything: Sequence[UploadJob]
) -> None:
    documents = services.get_library().documents()
    for entry in shown:
        with st.container(
            horizontal=True,
            vertical_alignment="center",
            gap="xsmall",
            key=f"queued-{entry.entry_id}",
        ):
            if entry.unfinished:
                _work(
                    adding,
                    entry,
                    sum(e.unfinished and e.entry_id < entry.entry_id for e in everything),
                )
            else:
                _end(adding, entry, documents)
    ended = [entry for entry in shown if not entry.unfinished]
    if len(ended) > 1:
        st.button(
            "Clear this list",
            icon=":material/clear_all:",
            on_click=_forget,
            args=(adding, ended),
            type="tertiary",
        )


def _forget(adding: IngestWorker, entries: Sequence[UploadJob]) -> None:
    for entry in entries:
        adding.queue.forget_job(entry.entry_id)


def _work(adding: IngestWorker, entry: UploadJob, before: int) -> None:
    share = entry.done / entry.of if entry.of else 0.0
    text = (
        f"{escape_markdown(entry.name)}: {_stage(entry, before)} · {format_seconds(entry.elapsed)}"
    )
    st.progress(min(share, 1.0), text=text, width="stretch")
    stopping = adding.queue.has_cancel_request(entry.entry_id)
    st.button(
        "Cancelling" if stopping else "Cancel",
        icon=":material/close:",
        type="tertiary",
        key=f"cancel-{entry.entry_id}",
        disabled=stopping,
        on_click=adding.queue.cancel_job,
        args=(entry.entry_id,),
    )


def _stage(entry: UploadJob, before: int) -> str:
    match entry.state:
        case "reading" if entry.of:
            return f"reading page {entry.done} of {entry.of}"
        case "reading":
            return "reading"
        case "keeping":
            return "indexing"
        case "vectors":
            return f"making vectors, {entry.done} of {format_count(entry.of, 'clause')}"
        case _:
            return f"waiting, {format_count(before, 'file')} before it" if before else "waiting"


def _end(adding: IngestWorker, entry: UploadJob, documents: Sequence[Document]) -> None:
    st.markdown(f":small[{_outcome(entry, documents)}]", width="stretch")
    if entry.needs_password and adding.queue.can_retry(entry):
        _ask_password(adding, entry)
    with st.container(horizontal=True, width="content", gap="xsmall"):
        if not entry.needs_password and adding.queue.can_retry(entry):
            st.button(
                "Retry",
                icon=":material/refresh:",
                type="tertiary",
                key=f"retry-{entry.entry_id}",
                on_click=adding.queue.retry_job,
                args=(entry.entry_id,),
            )
        st.button(
            "Dismiss",
            icon=":material/close:",
            type="tertiary",
            key=f"dismiss-{entry.entry_id}",
            on_click=adding.queue.forget_job,
            args=(entry.entry_id,),
        )


def _ask_password(adding: IngestWorker, entry: UploadJob) -> None:
    with st.form(f"locked-{entry.entry_id}", clear_on_submit=True, border=False):
        password = st.text_input(
            "Its password",
            type="password",
            autocomplete="off",
            help="Not kept. The library keeps a copy without it.",
        )
        if not st.form_submit_button("Unlock", icon=":material/lock_open:"):
            return
        try:
            adding.queue.unlock_job(entry.entry_id, password)
        except ScrutineerError as error:
            st.error(escape_markdown(error.message), icon=":material/error:")
        else:
            st.rerun()


def _outcome(entry: UploadJob, documents: Sequence[Document]) -> str:
    document = next((held for held in documents if held.document_id == entry.document_id), None)
    name, trouble = (
        escape_markdown(entry.name),
        f" {escape_markdown(entry.message)}" if entry.message else "",
    )
    match entry.state:
        case "added" if document:
            told = f"{format_count(document.clauses, 'clause')} on {format_count(document.pages, 'page')}, {format_seconds(entry.seconds)}."
            return f":green[:material/check:] Added {escape_markdown(document.label)}: {told}{_issues(document, documents)}{trouble}"
        case "unchanged" if document:
            same = (
                ""
                if document.file == entry.name
                else f" the same bytes as {escape_markdown(document.file)},"
            )
            known = f"in the library already as {escape_markdown(document.label)}"
            return f":material/check: Unchanged: {name} is{same} {known}.{trouble}"
        case "added" | "unchanged":
            return f":material/check: {name} was added and has been removed since."
        case "cancelled":
            return f":gray[:material/block:] {name} was cancelled and not added."
        case _:
            told = trouble if entry.message.startswith(entry.name) else f" {name}.{trouble}"
            return f":red[:material/error:] Not added:{told}"


def _issues(document: Document, documents: Sequence[Document]) -> str:
    """What a person should know of other issues of the same rulebook."""
    found = edition_status(document, documents)
    told = ""
    if found.same:
        told += f" {escape_markdown(found.same.file)} is of the same season and issue: look which of them you want to keep."
    if found.later:
        told += f" It is older than {escape_markdown(found.later.label)}, which is the one that is asked."
    elif found.earlier:
        told += (
            f" It is newer than {escape_markdown(found.earlier.label)}, which stays in the library."
        )
    return told
