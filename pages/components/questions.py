"""A person's questions and decisions: the callbacks that start and resume runs.

They note nothing for a later script. When one returns, the run is in the database and at work, or
the page says why not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import streamlit as st

from core.agent import Decision, DecisionKind, Event, Request
from core.chats import ActiveRun, SavedRun
from core.errors import ScrutineerError
from core.language import Language
from core.library import IngestWorker, ScopeChoice, UploadJob
from core.markdown_escape import escape_markdown
from pages.components import address, services, state
from pages.components.uploads import queue_files
from pages.components.widgets import show_failure
from pages.components.words import language, say, say_error

_REFUSAL = "refused-question"
RESUME_ITERATIONS = 2


def ask_typed(chat_id: str, after: str, key: str) -> None:
    """Ask what was typed, with its files; the callback of a chat's input.

    It asks in that chat, even if another was opened before the browser could show it.
    """
    if typed := st.session_state[key]:
        ask(chat_id, after, typed.text.strip(), typed.files or ())


def ask_edited(chat_id: str, after: str, key: str) -> None:
    """Ask what is in a field."""
    ask(chat_id, after, str(st.session_state[key]).strip())


def ask(
    chat_id: str,
    after: str,
    question: str,
    files: Sequence[st.typing.UploadedFile] = (),
    choice: ScopeChoice | None = None,
) -> None:
    """Start a run in a chat and open that; `after` is the run that was last when it was drawn."""
    chats, request = services.get_conversations(), Request(question)
    st.session_state.pop(_REFUSAL, None)
    try:
        jobs = queue_files(files) if files else []
        if not question and jobs:
            return  # its files alone are added
        choice = choice or state.chosen_scope()
        request = Request(question, choice, state.chosen_limits(services.get_settings()))
        agent, worker = services.make_agent(), services.get_ingest_worker()
        reader = language()

        def settle() -> Request:
            history = chats.list_turns(chat_id)
            found = _scope_of(worker, jobs, reader)
            return replace(request, history=history, choice=found or choice)

        def begin(previous: ActiveRun | None) -> tuple[Iterator[Event], Iterator[str]]:
            ready = replace(request, history=chats.list_turns(chat_id))
            waits = replace(ready, settle=settle) if jobs or previous else ready
            return agent.ask(waits), _wait_for(worker, jobs, previous, reader)

        services.get_active_runs().start(chats, chat_id, question, after, begin)
    except ScrutineerError as error:
        st.session_state[_REFUSAL] = (chat_id, question, say_error(error))
    else:
        address.open_chat(chat_id)


def ask_in_new_chat(question: str, document_id: str) -> None:
    """Ask about one document in a chat of its own."""
    address.open_chat(None)
    st.session_state[state.SCOPE] = ScopeChoice(documents=(document_id,))
    ask(address.current_chat(), "", question)


def decide(run_id: str, seq: int, kind: DecisionKind) -> None:
    """Carry out what a person decided on a run whose last event was `seq`."""
    guidance = str(st.session_state.get(f"guidance-{run_id}", "")).strip()
    tool, scope = (st.session_state.get(f"{name}-{run_id}") for name in ("tool", "scope"))
    chats = services.get_conversations()
    chosen = state.chosen_limits(services.get_settings())

    def begin(run: SavedRun) -> Iterator[Event]:
        request = Request(
            run.question,
            limits=replace(chosen, max_iterations=RESUME_ITERATIONS),
            history=chats.list_turns(run.conversation_id, before=run_id),
        )
        decision = Decision(kind, guidance, tool, scope)
        return services.make_agent().resume(run.events, request, decision)

    st.session_state.pop(_REFUSAL, None)
    try:
        services.get_active_runs().resume(chats, run_id, seq, begin)
    except ScrutineerError as error:
        st.session_state[_REFUSAL] = (address.current_chat(), "", say_error(error))


def show_refusal(chat_id: str) -> None:
    """Draw why the last question was not asked, and its words, so that they are not lost."""
    refused_in, question, reason = st.session_state.get(_REFUSAL) or ("", "", "")
    if refused_in != chat_id:
        return
    show_failure(reason)
    if question:
        st.markdown(say("question-refused", question=escape_markdown(question)))


def stop(runs: Sequence[ActiveRun]) -> None:
    for run in runs:
        run.stop()


def _wait_for(
    worker: IngestWorker, jobs: Sequence[UploadJob], previous: ActiveRun | None, reader: Language
) -> Iterator[str]:
    """Yield what a run waits for, as long as it does: an earlier answer, and its files."""
    while previous and not previous.has_ended:
        yield reader.say("question-waits")
    while unfinished := [job for job in worker.queue.refresh_jobs(jobs) if job.unfinished]:
        worker.ensure_running()
        job = unfinished[0]
        if job.of:
            values = {"file": job.name, "page": job.done, "pages": job.of}
            yield reader.say("question-reads-page", **values)
        else:
            yield reader.say("question-reads", file=job.name)


def _scope_of(
    worker: IngestWorker, jobs: Sequence[UploadJob], reader: Language
) -> ScopeChoice | None:
    """The documents of the files that came with a question. Raises ScrutineerError without one."""
    now = worker.queue.refresh_jobs(jobs)
    added = [job.document_id for job in now if job.document_id and job.state != "failed"]
    if jobs and not added:
        reasons = " ".join(dict.fromkeys(job.message for job in now if job.message))
        sentence = reader.say("question-file-missing")
        raise ScrutineerError(f"{sentence} {reasons}".strip(), code="not_added")
    return ScopeChoice(documents=tuple(added)) if added else None
