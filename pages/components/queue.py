"""The queue of files that are being added: how far each has come, what came of it, and the means to cancel or retry."""

import time
from collections.abc import Sequence

import streamlit as st

from core.errors import ScrutineerError
from core.library.ingestion.edition_order import standing
from core.library.ingestion.upload_queue import Adding, Entry
from core.library.types import Document
from pages.components import services as resources
from pages.components.labels import amount, seconds
from pages.components.people import person
from pages.components.text import plain

NEWS = 900.0
"""Seconds for which a place that shows the news alone tells what came of a file."""


def show_queue(only_news: bool = False) -> None:
    """Draw the person's files; while one is worked on, once a second. The page is drawn anew when one has ended."""
    adding = resources.adding()
    adding.go_on()
    waiting = _unfinished(adding)
    if waiting:
        _watch(only_news, waiting)
    else:
        _draw(adding, only_news)


@st.fragment(run_every=1.0)
def _watch(only_news: bool, seen: int) -> None:
    adding = resources.adding()
    adding.go_on()
    if _unfinished(adding) != seen:
        st.rerun()
    _draw(adding, only_news)


def _unfinished(adding: Adding) -> int:
    return sum(entry.unfinished for entry in adding.queue.entries(_key()))


def _key() -> str:
    asking = person()
    return asking.key if asking else ""


def _draw(adding: Adding, only_news: bool) -> None:
    everything = adding.queue.entries()
    own = [entry for entry in everything if entry.person == _key()]
    shown = [
        e for e in own if e.unfinished or not only_news or time.time() - e.since - e.seconds < NEWS
    ]
    if not shown:
        return
    if only_news and len(shown) > 1:
        with st.expander(_folded(shown), key="news"):
            _list(adding, shown, everything)
    else:
        _list(adding, shown, everything)


def _folded(entries: Sequence[Entry]) -> str:
    """What many files come to, in a line."""
    added = sum(entry.state in ("added", "unchanged") for entry in entries)
    unfinished = sum(entry.unfinished for entry in entries)
    failed = len(entries) - added - unfinished
    told = [f"{amount(added, 'file')} added"] if added else []
    told += [f"{amount(failed, 'file')} not added"] if failed else []
    return " · ".join([f"Adding {amount(unfinished, 'file')}", *told] if unfinished else told)


def _list(adding: Adding, shown: Sequence[Entry], everything: Sequence[Entry]) -> None:
    documents = resources.library().documents()
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


def _forget(adding: Adding, entries: Sequence[Entry]) -> None:
    for entry in entries:
        adding.queue.forget(entry.entry_id)


def _work(adding: Adding, entry: Entry, before: int) -> None:
    share = entry.done / entry.of if entry.of else 0.0
    text = f"{plain(entry.name)}: {_stage(entry, before)} · {seconds(entry.elapsed)}"
    st.progress(min(share, 1.0), text=text, width="stretch")
    stopping = adding.queue.cancelled(entry.entry_id)
    st.button(
        "Cancelling" if stopping else "Cancel",
        icon=":material/close:",
        type="tertiary",
        key=f"cancel-{entry.entry_id}",
        disabled=stopping,
        on_click=adding.queue.cancel,
        args=(entry.entry_id,),
    )


def _stage(entry: Entry, before: int) -> str:
    match entry.state:
        case "reading" if entry.of:
            return f"reading page {entry.done} of {entry.of}"
        case "reading":
            return "reading"
        case "keeping":
            return "indexing"
        case "vectors":
            return f"making vectors, {entry.done} of {amount(entry.of, 'clause')}"
        case _:
            return f"waiting, {amount(before, 'file')} before it" if before else "waiting"


def _end(adding: Adding, entry: Entry, documents: Sequence[Document]) -> None:
    st.markdown(f":small[{_outcome(entry, documents)}]", width="stretch")
    if entry.locked and adding.queue.retryable(entry):
        _ask_password(adding, entry)
    with st.container(horizontal=True, width="content", gap="xsmall"):
        if not entry.locked and adding.queue.retryable(entry):
            st.button(
                "Retry",
                icon=":material/refresh:",
                type="tertiary",
                key=f"retry-{entry.entry_id}",
                on_click=adding.queue.retry,
                args=(entry.entry_id,),
            )
        st.button(
            "Dismiss",
            icon=":material/close:",
            type="tertiary",
            key=f"dismiss-{entry.entry_id}",
            on_click=adding.queue.forget,
            args=(entry.entry_id,),
        )


def _ask_password(adding: Adding, entry: Entry) -> None:
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
            adding.queue.unlock(entry.entry_id, password)
        except ScrutineerError as error:
            st.error(plain(error.message), icon=":material/error:")
        else:
            st.rerun()


def _outcome(entry: Entry, documents: Sequence[Document]) -> str:
    document = next((held for held in documents if held.document_id == entry.document_id), None)
    name, trouble = plain(entry.name), f" {plain(entry.message)}" if entry.message else ""
    match entry.state:
        case "added" if document:
            told = f"{amount(document.clauses, 'clause')} on {amount(document.pages, 'page')}, {seconds(entry.seconds)}."
            return f":green[:material/check:] Added {plain(document.label)}: {told}{_issues(document, documents)}{trouble}"
        case "unchanged" if document:
            same = (
                "" if document.file == entry.name else f" the same bytes as {plain(document.file)},"
            )
            known = f"in the library already as {plain(document.label)}"
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
    found = standing(document, documents)
    told = ""
    if found.same:
        told += f" {plain(found.same.file)} is of the same season and issue: look which of them you want to keep."
    if found.later:
        told += f" It is older than {plain(found.later.label)}, which is the one that is asked."
    elif found.earlier:
        told += f" It is newer than {plain(found.earlier.label)}, which stays in the library."
    return told
