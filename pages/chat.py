"""The chat: a question, its reasoning above its answer; scope, limits, files and earlier chats at the side."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

import streamlit as st

from core.agent.events import Asked
from core.agent.loop import Agent, Request
from core.agent.types import Limits
from core.chats.conversations import SavedRun, title_of
from core.errors import ScrutineerError
from core.library.scope import resolve
from core.library.types import ScopeChoice
from pages.components import services as resources
from pages.components import sidebar, state
from pages.components.attachments import add_attached, permitted, show_refused, take_typed
from pages.components.background_run import Work, found
from pages.components.chat_menu import show_discarded, show_this_chat
from pages.components.client_session import tab
from pages.components.queue import show_queue
from pages.components.run import show_live, show_saved
from pages.components.uploads import upload
from pages.components.welcome import show_offline, show_welcome

FURTHER = 2  # iterations that going on with a run allows
# Seconds after which a browser shows a page without its earlier runs (a third of it was now and then too short). It is
# at its end then, wherever one has read, and Streamlit follows what comes at the end: the new question is in view. A
# run that is gone on with would else stand above its own old answer until it ends.
EMPTIED = 0.3

settings = resources.settings()
library = resources.library()
chats = resources.conversations()


@st.fragment(run_every=1.0)
def watch(conversation_id: str, drawn: str, looks: Iterator[int]) -> None:
    """Draw the page anew when the chat has changed behind it: its run was stopped, or goes on in another window.

    `drawn` is when what the page shows of it was changed last. The first of the `looks` is the page's own drawing,
    which goes on: it draws a run that has just begun, and one elsewhere changes the chat all the time.
    """
    now = chats.conversation(conversation_id)
    if next(looks) and (held.broken_off or (now.updated_at if now else "") != drawn):
        st.rerun()


def follow(conversation_id: str) -> None:
    """Keep an eye on a chat, from a place where it moves nothing. A script that is working is not disturbed by it."""
    with start.container():
        watch(conversation_id, chat.updated_at if chat else "", count())


def limits_last_set(runs: Sequence[SavedRun]) -> Limits:
    """The limits that the last question was put with."""
    return next(event.limits for event in runs[-1].events if isinstance(event, Asked))


def see_through(conversation_id: str, work: Work) -> None:
    """Draw a run at work to its end, then the page anew. The input itself offers a stop only for what is typed."""
    stop.button(
        "Stop", icon=":material/stop_circle:", type="tertiary", on_click=work.stop, key="stop"
    )
    follow(conversation_id)
    work.wanted |= tab()
    if held.work is None or held.work[0] == conversation_id:
        held.work = (conversation_id, work)
    try:
        show_live(work)
    finally:
        if work.ended and held.work and held.work[1] is work:
            held.work = None
    st.rerun()


def at_work(runs: Sequence[SavedRun]) -> Work | None:
    """The run of these that goes on in this process: begun in another tab, or in this one before it was loaded anew."""
    return next((work for run in runs if run.outcome is None and (work := found(run.run_id))), None)


def agent_at_hand() -> Agent:
    """What is put to work. Where none can be had, nothing goes on waiting for it."""
    try:
        return resources.agent()
    except ScrutineerError:
        held.let_go()
        raise


def begin_asked(asking: state.Asking, choice: ScopeChoice) -> str:
    """Set a run to work on a question in the chat it was asked in, be that open or not; the id of that chat."""
    history = chats.exchanges(asking.chat) if asking.chat else ()
    agent, here = agent_at_hand(), tab()
    held.asking = state.NOTHING
    events = agent.ask(Request(asking.question, choice, limits, history))
    conversation_id = asking.chat or chats.start(title_of(asking.question))
    work = Work(asking.question, chats.keep(conversation_id, events))
    work.wanted |= here
    if asking.chat == opened:
        held.begin(conversation_id, work)
    return conversation_id


opened, held = state.chat(), state.held()
held.broken_off = False
documents = library.documents()
chat = (
    chats.conversation(opened) if opened else None
)  # before its runs: what changes in between is seen by `watch`
runs = chats.runs(opened) if opened else ()
if runs:
    state.recall(limits_last_set(runs))
with st.sidebar:
    st.button(
        "New chat",
        icon=":material/add_comment:",
        on_click=state.leave_chat,
        width="stretch",
        shortcut="Alt+N",
    )
    sidebar.limit_widgets(settings)
    show_queue(only_news=True)
    sidebar.chat_list(chats, opened)
    upload("chat", settings.max_upload_mb)
    st.caption(
        "Keys: Alt+N begins a new chat, Alt+P and Alt+X leaf to the previous and the next page of a document."
    )

limits = state.limits(settings)
with st.bottom:
    with st.container(horizontal=True, wrap=False, vertical_alignment="center"):
        told = st.empty()
        stop = st.empty()
        with st.popover("Change scope", icon=":material/filter_alt:", type="tertiary"):
            sidebar.scope_widgets(documents)
    scope = resolve(documents, state.choice())
    line, whole = sidebar.scope_line(scope)
    told.caption(f"**Scope:** {line}", help=whole)
# Streamlit puts it at the bottom by itself, and only then follows what grows at the end of the page.
st.chat_input(
    "Ask about a rule, or add a PDF to ask about",
    key=state.QUESTION,
    on_submit=take_typed,
    max_chars=10_000,
    submit_mode="stop",
    accept_file="multiple",
    file_type="pdf",
    max_upload_size=settings.max_upload_mb,
)

with st.container(horizontal=True, wrap=False, vertical_alignment="center"):
    if settings.offline:
        show_offline(whole=not runs)
    if chat and runs:
        show_this_chat(library, chats, chat, runs)
if opened and chat is None:
    st.warning(
        "There is no chat at this address: it was deleted, or the address is not whole. Ask to begin anew."
    )
    opened = None
asking = permitted(chats, held.asking)
if asking.chat not in (None, opened) and not chats.conversation(asking.chat):
    asking = replace(asking, chat=None)
if asking.chat != opened:  # another chat was opened before the question was put
    if asking.trouble:
        show_refused(asking)
        held.asking = state.NOTHING
    elif asking.files:
        st.caption("What you asked with a file waits in its own chat: open that again.")
    elif asking.question:
        begin_asked(asking, state.choice())
    asking = state.NOTHING
question = "" if asking.trouble else asking.question
start = st.empty()
if not runs and not question and not asking.files and not state.work(opened):
    with start.container():
        show_discarded(chats)
        show_welcome(library, scope)
else:
    start.empty()

decided, decision = (None, None) if question else held.decided or (None, None)
resumed = next((run for run in runs if run.run_id == decided), None)
earlier = st.empty()
if question or resumed or asking.files:
    follow(opened or "")
if runs and (question or resumed):
    earlier.empty()
    time.sleep(EMPTIED)
if resumed:
    said = chats.exchanges(resumed.conversation_id, before=resumed.run_id)
    further = Request(
        resumed.question, limits=replace(limits, max_iterations=FURTHER), history=said
    )
    agent = agent_at_hand()
    held.decided = None
    events = chats.keep(resumed.conversation_id, agent.resume(resumed.events, further, decision))
    held.begin(resumed.conversation_id, Work(resumed.question, events, resumed.events))
held.decided = None
work = None if question else state.work(opened) or at_work(runs)
with earlier.container():
    live = None
    for run in runs:
        place = st.container()
        if work and run.run_id == work.run_id:
            live = place
            continue
        with place:
            show_saved(
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
    choice = state.choice()
    if asking.files:
        read = add_attached(asking.files)
        if len(read) == 1:
            choice = ScopeChoice(document=read[0])
    if asking.trouble:
        show_refused(asking)
    if question:
        opened = begin_asked(asking, choice)
        work = state.work(opened)
        state.open_chat(opened)
    held.asking = state.NOTHING
if opened and work:
    with newest:
        see_through(opened, work)

if chat and any(run.outcome is None for run in runs):
    follow(chat.conversation_id)
