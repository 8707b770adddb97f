"""The queue of files that are being added: progress, results, cancel, retry, dismiss."""

import time
from collections.abc import Sequence

import streamlit as st

from core.library import Document, UploadJob, UploadQueue
from pages.components import services
from pages.components.document import show_details_form
from pages.components.document_layers import show_proposals
from pages.components.people import person_key
from pages.components.widgets import icon_button, row, show_failures
from pages.components.words import library_text, say

NEWS_SECONDS = 900.0
"""How long a result is shown beside the chat."""


def show_queue(only_news: bool = False) -> int:
    """Draw the person's files, once a second while one is unfinished; rerun when one has ended.

    Returns how many are unfinished.
    """
    worker = services.get_ingest_worker()
    all_jobs = worker.queue.list_jobs(person_key())
    if not _select_jobs(all_jobs, only_news):
        worker.ensure_running()
        st.container()  # the place of the fragment, which takes long: what follows stays in its own
        return 0
    unfinished = _count_open(all_jobs)
    st.fragment(_show_jobs, run_every=1.0 if unfinished else None)(only_news, unfinished)
    return unfinished


def _count_open(jobs: Sequence[UploadJob]) -> int:
    return sum(job.unfinished for job in jobs)


def _select_jobs(jobs: Sequence[UploadJob], only_news: bool) -> list[UploadJob]:
    """Return unfinished jobs and those that ended lately, newest first."""
    since = time.time() - NEWS_SECONDS if only_news else 0.0
    return [job for job in reversed(jobs) if job.unfinished or job.since + job.seconds > since]


def _show_jobs(only_news: bool, unfinished: int) -> None:
    worker = services.get_ingest_worker()
    worker.ensure_running()
    queue = worker.queue
    all_jobs = queue.list_jobs(person_key())
    if _count_open(all_jobs) != unfinished:
        st.rerun()
    jobs = _select_jobs(all_jobs, only_news)
    if not jobs:
        return
    waiting = [job.entry_id for job in queue.list_jobs() if job.unfinished]
    library = services.get_library()
    library.forget_pins()  # a job may have ended since the page was begun
    documents = library.documents()
    few = len(jobs) == 1
    with (
        st.expander(library_text().summarize_jobs(jobs), few, key="news")
        if only_news
        else st.container()
    ):
        for job in jobs:
            key, document = f"queued-{job.entry_id}", _find_added(job, documents)
            with row(gap="xsmall", key=key):
                if job.unfinished:
                    _show_progress(queue, job, sum(other < job.entry_id for other in waiting))
                else:
                    _show_result(queue, job, document, documents)
            if document:
                show_proposals(library, document, documents, f"{key}-")
        ended = [job.entry_id for job in jobs if not job.unfinished]
        if len(ended) > 1:
            icon_button(say("queue-clear"), "clear_all", lambda: [*map(queue.forget_job, ended)])


def _show_progress(queue: UploadQueue, job: UploadJob, ahead: int) -> None:
    text = library_text().describe_progress(job, ahead)
    # A file that is read again after an interruption begins anew; its bar waits for it.
    shown = f"progress-{job.entry_id}"
    st.session_state[shown] = max(job.progress, st.session_state.get(shown, 0.0))
    st.progress(st.session_state[shown], text=text, width="stretch")
    cancelling = queue.has_cancel_request(job.entry_id)
    label = say("queue-cancelling" if cancelling else "queue-cancel")
    key = f"cancel-{job.entry_id}"
    icon_button(label, "close", queue.cancel_job, job.entry_id, key=key, disabled=cancelling)


def _show_result(
    queue: UploadQueue, job: UploadJob, document: Document | None, documents: Sequence[Document]
) -> None:
    st.markdown(f":small[{library_text().describe_result(job, documents)}]", width="stretch")
    can_retry, entry_id = queue.can_retry(job), job.entry_id
    if can_retry and job.needs_password:
        _ask_password(queue, job)
    with st.container(horizontal=True, width="content", gap="xsmall"):
        _ask_details(job, document, documents)
        if can_retry and not job.needs_password:
            retry = _retry, queue, entry_id
            icon_button(say("queue-retry"), "refresh", *retry, key=f"retry-{entry_id}")
        dismiss = queue.forget_job, entry_id
        icon_button(say("queue-dismiss"), "close", *dismiss, key=f"dismiss-{entry_id}")


def _retry(queue: UploadQueue, entry_id: str) -> None:
    st.session_state.pop(f"progress-{entry_id}", None)
    queue.retry_job(entry_id)


def _find_added(job: UploadJob, documents: Sequence[Document]) -> Document | None:
    added = (one for one in documents if one.document_id == job.document_id)
    return next(added, None) if job.state == "added" else None


def _ask_details(job: UploadJob, document: Document | None, documents: Sequence[Document]) -> None:
    """Draw fields for what could not be read of an added document, and decides its editions."""
    if document and (unknown := document.open_details):
        with st.popover(
            say(f"queue-say-{'-'.join(unknown)}"), icon=":material/edit:", type="tertiary"
        ):
            st.caption(say("queue-say-about"))
            place = f"asked-{job.entry_id}-"
            show_details_form(services.get_library(), document, documents, place)


def _ask_password(queue: UploadQueue, job: UploadJob) -> None:
    with st.form(f"locked-{job.entry_id}", clear_on_submit=True, border=False):
        password = st.text_input(
            say("queue-password"),
            type="password",
            autocomplete="off",
            help=say("queue-password-about"),
        )
        if not st.form_submit_button(say("queue-unlock"), icon=":material/lock_open:"):
            return
        with show_failures():
            queue.unlock_job(job.entry_id, password)
            st.rerun()
