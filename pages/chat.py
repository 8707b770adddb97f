"""The chat: a question, its reasoning above its answer; scope, limits, files and earlier chats at the side."""

from dataclasses import replace

import streamlit as st

from core.agent.loop import Request
from core.conversations import title_of
from core.library.scope import resolve
from pages.components import resources, sidebar, state
from pages.components.run import show_live, show_saved
from pages.components.text import plain
from pages.components.uploads import upload
from pages.components.welcome import show_offline, show_welcome

FURTHER = 2  # iterations that going on with a run allows

settings = resources.settings()
library = resources.library()
chats = resources.conversations()


@st.fragment(run_every=1.0)
def watch(conversation_id: str, seen: str) -> None:
    """Draw the page anew when the chat has changed behind it: its run was stopped, or goes on in another window."""
    chat = chats.conversation(conversation_id)
    if chat is None or chat.updated_at != seen:
        st.rerun()


def follow(conversation_id: str) -> None:
    """Keep an eye on a chat. A script that is working is not disturbed by it."""
    if chat := chats.conversation(conversation_id):
        watch(conversation_id, chat.updated_at)


opened = state.chat()
documents = library.documents()
with st.sidebar:
    st.button("New chat", icon=":material/add_comment:", on_click=state.leave_chat, width="stretch")
    sidebar.scope_widgets(documents)
    sidebar.limit_widgets(settings)
    upload(library, "chat", settings.max_upload_mb)
    sidebar.chat_list(chats.conversations(), opened)

scope = resolve(documents, state.choice())
limits = state.limits(settings)
with st.bottom:
    st.caption(f"**Scope:** {plain(scope.label)} ({plain(scope.why)})")
    typed = st.chat_input("Ask about a rule", key=state.QUESTION, max_chars=10_000, submit_mode="stop")

if settings.offline:
    show_offline()
if opened and chats.conversation(opened) is None:
    st.warning("There is no chat at this address: it was deleted, or the address is not whole. Ask to begin anew.")
    opened = None
runs = chats.runs(opened) if opened else ()
question = typed or state.take_picked()
start = st.empty()
if not runs and not question:
    with start.container():
        show_welcome(library, scope)
else:
    start.empty()

decided, decision = state.take_decision()
for run in runs:
    if run.run_id != decided:
        show_saved(library, run, latest=run is runs[-1] and not question)
        continue
    follow(run.conversation_id)
    said = chats.exchanges(run.conversation_id, before=run.run_id)
    further = Request(run.question, limits=replace(limits, max_iterations=FURTHER), history=said)
    events = resources.agent().resume(run.events, further, decision)
    show_live(run.question, chats.keep(run.conversation_id, events), run.events)
    st.rerun()

if question:
    history = chats.exchanges(opened) if opened else ()
    events = resources.agent().ask(Request(question, state.choice(), limits, history))
    opened = opened or chats.start(title_of(question))
    state.open_chat(opened)
    follow(opened)
    show_live(question, chats.keep(opened, events))
    st.rerun()

if opened and any(run.outcome is None for run in runs):
    follow(opened)
