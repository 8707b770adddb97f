"""The chat: a question, its reasoning above its answer; scope, limits, files and earlier chats at the side."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

import streamlit as st

from core.agent import Agent, Asked, Request, RunLimits
from core.chats import SavedRun, conversation_title
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
from pages.components.queue import show_queue
from pages.components.run import show_live_run, show_saved_run
from pages.components.uploads import show_uploader
from pages.components.welcome import show_offline_notice, show_welcome

RESUME_ITERATIONS = 2  # iterations that going on with a run allows
# Seconds after which a browser shows a page without its earlier runs (a third of it was now and then too short). It is
# at its end then, wherever one has read, and Streamlit follows what comes at the end: the new question is in view. A
# run that is gone on with would else stand above its own old answer until it ends.
CLEAR_SECONDS = 0.3

settings = services.get_settings()
library = services.get_library()
chats = services.get_conversations()


@st.fragment(run_every=1.0)
def rerun_on_change(conversation_id: str, drawn_at: str, ticks: Iterator[int]) -> None:
    """Draw the page anew when the chat has changed behind it: its run was stopped, or goes on in another window.

    `drawn` is when what the page shows of it was changed last. The first of the `looks` is the page's own drawing,
    which goes on: it draws a run that has just begun, and one elsewhere changes the chat all the time.
    """
    now = chats.find_conversation(conversation_id)
    if next(ticks) and (held.broken_off or (now.updated_at if now else "") != drawn_at):
        st.rerun()


def watch_chat(conversation_id: str) -> None:
    """Keep an eye on a chat, from a place where it moves nothing. A script that is working is not disturbed by it."""
    with start.container():
        rerun_on_change(conversation_id, chat.updated_at if chat else "", count())


def last_limits(runs: Sequence[SavedRun]) -> RunLimits:
    """The limits that the last question was put with."""
    return next(event.limits for event in runs[-1].events if isinstance(event, Asked))


def follow_run(conversation_id: str, work: BackgroundRun) -> None:
    """Draw a run at work to its end, then the page anew. The input itself offers a stop only for what is typed."""
    stop.button(
        "Stop", icon=":material/stop_circle:", type="tertiary", on_click=work.stop, key="stop"
    )
    watch_chat(conversation_id)
    work.wanted |= current_tab()
    if held.work is None or held.work[0] == conversation_id:
        held.work = (conversation_id, work)
    try:
        show_live_run(work)
    finally:
        if work.ended and held.work and held.work[1] is work:
            held.work = None
    st.rerun()


def find_active_run(runs: Sequence[SavedRun]) -> BackgroundRun | None:
    """The run of these that goes on in this process: begun in another tab, or in this one before it was loaded anew."""
    return next(
        (work for run in runs if run.outcome is None and (work := find_background_run(run.run_id))),
        None,
    )


def require_agent() -> Agent:
    """What is put to work. Where none can be had, nothing goes on waiting for it."""
    try:
        return services.make_agent()
    except ScrutineerError:
        held.let_go()
        raise


def start_run(asking: state.Asking, choice: ScopeChoice) -> str:
    """Set a run to work on a question in the chat it was asked in, be that open or not; the id of that chat."""
    history = chats.list_turns(asking.chat) if asking.chat else ()
    agent, here = require_agent(), current_tab()
    held.asking = state.NO_QUESTION
    events = agent.ask(Request(asking.question, choice, limits, history))
    conversation_id = asking.chat or chats.start_conversation(conversation_title(asking.question))
    work = BackgroundRun(asking.question, chats.save_events(conversation_id, events))
    work.wanted |= here
    if asking.chat == opened:
        held.begin(conversation_id, work)
    return conversation_id


opened, held = state.current_chat_id(), state.chat_session()
held.broken_off = False
documents = library.documents()
chat = (
    chats.find_conversation(opened) if opened else None
)  # before its runs: what changes in between is seen by `watch`
runs = chats.list_runs(opened) if opened else ()
if runs:
    state.recall_limits(last_limits(runs))
with st.sidebar:
    st.button(
        "New chat",
        icon=":material/add_comment:",
        on_click=state.leave_chat,
        width="stretch",
        shortcut="Alt+N",
    )
    sidebar.show_limit_widgets(settings)
    show_queue(only_news=True)
    sidebar.show_chat_list(chats, opened)
    show_uploader("chat", settings.max_upload_mb)
    st.caption(
        "Keys: Alt+N begins a new chat, Alt+P and Alt+X leaf to the previous and the next page of a document."
    )

limits = state.chosen_limits(settings)
with st.bottom:
    with st.container(horizontal=True, wrap=False, vertical_alignment="center"):
        told = st.empty()
        stop = st.empty()
        with st.popover("Change scope", icon=":material/filter_alt:", type="tertiary"):
            sidebar.show_scope_widgets(documents)
    scope = resolve_scope(documents, state.chosen_scope())
    line, whole = sidebar.scope_line(scope)
    told.caption(f"**Scope:** {line}", help=whole)
# Streamlit puts it at the bottom by itself, and only then follows what grows at the end of the page.
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
    st.warning(
        "There is no chat at this address: it was deleted, or the address is not whole. Ask to begin anew."
    )
    opened = None
asking = apply_quota(chats, held.asking)
if asking.chat not in (None, opened) and not chats.find_conversation(asking.chat):
    asking = replace(asking, chat=None)
if asking.chat != opened:  # another chat was opened before the question was put
    if asking.trouble:
        show_refusal(asking)
        held.asking = state.NO_QUESTION
    elif asking.files:
        st.caption("What you asked with a file waits in its own chat: open that again.")
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

decided, decision = (None, None) if question else held.decided or (None, None)
resumed = next((run for run in runs if run.run_id == decided), None)
earlier = st.empty()
if question or resumed or asking.files:
    watch_chat(opened or "")
if runs and (question or resumed):
    earlier.empty()
    time.sleep(CLEAR_SECONDS)
if resumed:
    said = chats.list_turns(resumed.conversation_id, before=resumed.run_id)
    further = Request(
        resumed.question, limits=replace(limits, max_iterations=RESUME_ITERATIONS), history=said
    )
    agent = require_agent()
    held.decided = None
    events = chats.save_events(
        resumed.conversation_id, agent.resume(resumed.events, further, decision)
    )
    held.begin(resumed.conversation_id, BackgroundRun(resumed.question, events, resumed.events))
held.decided = None
work = None if question else state.active_run(opened) or find_active_run(runs)
with earlier.container():
    live = None
    for run in runs:
        place = st.container()
        if work and run.run_id == work.run_id:
            live = place
            continue
        with place:
            show_saved_run(
                library,
                chats,
                run,
                latest=run is runs[-1] and not question,
                stopping=held.stopping(run.run_id),
            )
    newest = (
        live or st.container()
    )  # where the run that begins now stands when the page is drawn anew

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
    held.asking = state.NO_QUESTION
if opened and work:
    with newest:
        follow_run(opened, work)

if chat and any(run.outcome is None for run in runs):
    watch_chat(chat.conversation_id)
