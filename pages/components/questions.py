"""A person's questions and decisions: the callbacks that start and resume runs.

They note nothing for a later script. When one returns, the run is in the database and at work, or
the page says why not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import streamlit as st

from core.agent import Decision, DecisionKind, Event, Request, events as ev
from core.chats import ActiveRun, SavedRun, begin_question, resume_run
from core.errors import ScrutineerError
from core.library import ScopeChoice
from core.markdown_escape import escape_markdown
from pages.components import address, services, state
from pages.components.uploads import queue_files
from pages.components.widgets import show_failure
from pages.components.words import language, say, say_error

_REFUSAL = "refused-question"
RESUME_ITERATIONS = 2


def ask_typed_question(chat_id: str, after: str, key: str) -> None:
    """Ask what was typed, with its files; the callback of a chat's input.

    It asks in that chat, even if another was opened before the browser could show it.
    """
    if typed := st.session_state[key]:
        ask(chat_id, after, typed.text.strip(), typed.files or ())


def ask_edited_question(chat_id: str, after: str, key: str) -> None:
    """Ask what is in a field."""
    ask(chat_id, after, str(st.session_state[key]).strip())


def ask(
    chat_id: str, after: str, question: str, files: Sequence[st.typing.UploadedFile] = ()
) -> None:
    """Start a run in a chat and open that; `after` is the run that was last when it was drawn."""
    chats = services.get_conversations()
    st.session_state.pop(_REFUSAL, None)
    try:
        jobs = queue_files(files) if files else []
        if not question and jobs:
            return  # its files alone are added
        chosen, budget = state.chosen_scope(), state.chosen_budget(services.get_settings())
        request = Request(question, chosen, budget)
        agent, worker = services.make_agent(), services.get_ingest_worker()
        begin = begin_question(agent, chats, chat_id, request, worker, jobs, language())
        services.get_active_runs().start(chats, chat_id, question, after, begin)
    except ScrutineerError as error:
        st.session_state[_REFUSAL] = (chat_id, question, say_error(error))
    else:
        address.open_chat(chat_id)


def ask_in_new_chat(question: str, document_id: str) -> None:
    """Ask about one document in a chat of its own."""
    address.open_chat(None)
    ask_choice(address.current_chat(), "", ev.Choice(question=question, document_id=document_id))


def ask_choice(chat_id: str, after: str, choice: ev.Choice) -> None:
    """Ask what may be meant; the document that it is asked of, if any, is ticked from here on."""
    if choice.document_id:
        st.session_state[state.SCOPE] = ScopeChoice(documents=(choice.document_id,))
    ask(chat_id, after, choice.question)


def decide(run_id: str, seq: int, kind: DecisionKind) -> None:
    """Carry out what a person decided on a run whose last event was `seq`."""
    guidance = str(st.session_state.get(f"guidance-{run_id}", "")).strip()
    tool, scope = (st.session_state.get(f"{name}-{run_id}") for name in ("tool", "scope"))
    chats = services.get_conversations()
    chosen = state.chosen_budget(services.get_settings())
    budget = replace(chosen, max_iterations=RESUME_ITERATIONS)
    decision = Decision(kind, guidance, tool, scope)

    def begin(run: SavedRun) -> Iterator[Event]:
        return resume_run(services.make_agent(), chats, run, decision, budget)

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
