"""The chat: questions, reasoning, answers; around them scope, limits, files and earlier chats."""

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import streamlit as st

from core.agent import Agent, Asked, Request
from core.chats import conversation_title
from core.errors import ScrutineerError
from core.library import ScopeChoice, resolve_scope
from pages.components import services, sidebar, state
from pages.components.attachments import (
    apply_quota,
    queue_typed_question,
    show_refusal,
    wait_for_uploads,
)
from pages.components.background_run import BackgroundRun, find_background_run
from pages.components.chat_menu import show_chat_menu, show_deleted_chat
from pages.components.client_session import current_tab
from pages.components.run import show_live_run, show_saved_run
from pages.components.sources import scope_line
from pages.components.welcome import show_offline_notice, show_welcome
from pages.components.widgets import icon_button

RESUME_ITERATIONS = 2
# How long the earlier runs are cleared before a new one is drawn (a third of it was sometimes too
# short). The browser is then at the end of the page, and Streamlit follows what comes there.
# Without this a resumed run would stay above its own old answer until it ends.
CLEAR_SECONDS = 0.3

settings = services.get_settings()
library = services.get_library()
chats = services.get_conversations()


@st.fragment(run_every=1.0)
def rerun_on_change(conversation_id: str, drawn: str, ticks: Iterator[int]) -> None:
    """Rerun if the chat has changed since it was `drawn`: stopped, or continued elsewhere.

    The first tick is the page's own drawing: it draws a run that has just begun, and a run in
    another window changes the chat all the time.
    """
    now = chats.find_conversation(conversation_id)
    if next(ticks) and (session.broken_off or (now.updated_at if now else "") != drawn):
        st.rerun()


def watch_chat(conversation_id: str) -> None:
    """Watch a chat from a place where nothing moves. A script at work is not disturbed."""
    with start.container():
        rerun_on_change(conversation_id, chat.updated_at if chat else "", count())


def follow_run(conversation_id: str, work: BackgroundRun) -> None:
    """Draw a run until it ends, then rerun. The input offers a stop only for typed questions."""
    with stop:
        icon_button("Stop", "stop_circle", work.stop, key="stop")
    watch_chat(conversation_id)
    work.wanted |= current_tab()
    if session.work is None or session.work[0] == conversation_id:
        session.work = (conversation_id, work)
    try:
        show_live_run(work)
    finally:
        if work.ended and session.work and session.work[1] is work:
            session.work = None
    st.rerun()


def require_agent() -> Agent:
    """An agent. If there can be none, nothing keeps waiting for it."""
    try:
        return services.make_agent()
    except ScrutineerError:
        session.clear_pending()
        raise


def start_run(asking: state.Asking, choice: ScopeChoice) -> str:
    """Start a run on a question in its own chat, open or not; return the id of that chat."""
    history = chats.list_turns(asking.chat) if asking.chat else ()
    agent, tab = require_agent(), current_tab()
    session.asking = state.NO_QUESTION
    events = agent.ask(Request(asking.question, choice, limits, history))
    conversation_id = asking.chat or chats.start_conversation(conversation_title(asking.question))
    work = BackgroundRun(asking.question, chats.save_events(conversation_id, events))
    work.wanted |= tab
    if asking.chat == opened:
        session.begin(conversation_id, work)
    return conversation_id


opened, session = state.current_chat_id(), state.chat_session()
session.broken_off = False
documents = library.documents()
# Read before its runs, so that `watch_chat` sees a change in between.
chat = chats.find_conversation(opened) if opened else None
runs = chats.list_runs(opened) if opened else ()
if runs:
    state.recall_limits(next(e.limits for e in runs[-1].events if isinstance(e, Asked)))
with st.sidebar:
    sidebar.show_chat_sidebar(settings, chats, documents, opened)

limits = state.chosen_limits(settings)
with st.bottom:
    with st.container(horizontal=True, wrap=False, vertical_alignment="center"):
        scope_place, stop = st.empty(), st.empty()
    scope = resolve_scope(documents, state.chosen_scope())
    line, details = scope_line(scope, len(documents))
    mode = sidebar.limits_line(limits, state.chosen_mode())
    scope_place.caption(f"**Scope:** {line} · {mode}", help=details)
# Outside `st.bottom`: Streamlit puts it there itself, and then follows what grows on the page.
st.chat_input(
    "Ask about a rule, or add a PDF to ask about",
    key=state.QUESTION,
    on_submit=queue_typed_question,
    max_chars=10_000,
    submit_mode="stop",
    accept_file="multiple",
    file_type="pdf",
    max_upload_size=settings.max_upload_mb,
)

with st.container(horizontal=True, wrap=False, vertical_alignment="center"):
    if settings.is_offline:
        show_offline_notice(whole=not runs)
    if chat and runs:
        show_chat_menu(library, chats, chat, runs)
if opened and chat is None:
    st.warning("This chat was deleted or the link is incomplete. Ask to start a new one.")
    opened = None
asking = apply_quota(chats, session.asking)
if asking.chat not in (None, opened) and not chats.find_conversation(asking.chat):
    asking = replace(asking, chat=None)
if asking.chat != opened:  # another chat was opened before the question was asked
    if asking.trouble:
        show_refusal(asking)
        session.asking = state.NO_QUESTION
    elif asking.files:
        st.caption("Your question with a file waits in its own chat: open that again.")
    elif asking.question:
        start_run(asking, state.chosen_scope())
    asking = state.NO_QUESTION
question = "" if asking.trouble else asking.question
start = st.empty()
if not runs and not question and not asking.files and not state.active_run(opened):
    with start.container():
        show_deleted_chat(chats)
        show_welcome(library, scope)
else:
    start.empty()

decided, decision = (None, None) if question else session.decided or (None, None)
resumed = next((run for run in runs if run.run_id == decided), None)
earlier = st.empty()
if question or resumed or asking.files:
    watch_chat(opened or "")
if runs and (question or resumed):
    earlier.empty()
    time.sleep(CLEAR_SECONDS)
if resumed:
    history = chats.list_turns(resumed.conversation_id, before=resumed.run_id)
    more = replace(limits, max_iterations=RESUME_ITERATIONS)
    request = Request(resumed.question, limits=more, history=history)
    agent = require_agent()
    session.decided = None
    events = agent.resume(resumed.events, request, decision)
    saved = chats.save_events(resumed.conversation_id, events)
    session.begin(resumed.conversation_id, BackgroundRun(resumed.question, saved, resumed.events))
session.decided = None
# A run at work here, begun in this tab, or in another one or before a reload.
work = None if question else state.active_run(opened)
if not question and not work:
    found = (find_background_run(run.run_id) for run in runs if run.outcome is None)
    work = next(filter(None, found), None)
with earlier.container():
    live = None
    for run in runs:
        place = st.container()
        if work and run.run_id == work.run_id:
            live = place
            continue
        latest, stopping = run is runs[-1] and not question, session.is_stopping(run.run_id)
        with place:
            show_saved_run(library, chats, run, latest, stopping)
    newest = live or st.container()  # where a run that begins now will be after a rerun

if question or asking.files or asking.trouble:
    choice = state.chosen_scope()
    if asking.files:
        read = wait_for_uploads(asking.files)
        if len(read) == 1:
            choice = ScopeChoice(document=read[0])
    if asking.trouble:
        show_refusal(asking)
    if question:
        opened = start_run(asking, choice)
        work = state.active_run(opened)
        state.open_chat(opened)
    session.asking = state.NO_QUESTION
if opened and work:
    with newest:
        follow_run(opened, work)

if chat and any(run.outcome is None for run in runs):
    watch_chat(chat.conversation_id)
