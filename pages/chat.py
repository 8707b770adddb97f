"""The chat: questions, reasoning, answers; around them scope, budget, files and earlier chats."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.agent import events as ev
from core.answers import summarize_budget
from core.chats import ActiveRun, Conversations, RunState, SavedRun
from core.library import Library, resolve_scope
from pages.components import address, questions, services, sidebar, state
from pages.components.chat_menu import show_chat_menu, show_deleted_chat
from pages.components.library_error import show_error
from pages.components.run import show_active_run, show_saved_run
from pages.components.scroll import look_for_news, scroll_to_newest
from pages.components.welcome import show_welcome
from pages.components.widgets import icon_button
from pages.components.words import language, library_text, say
from server.news import describe_state

# How long a page waits for a run before it draws it at work: most offline answers end within it.
QUICK_SECONDS = 0.4
# Seconds between two looks at a chat with a run at work. A look waits for the end of the run first,
# QUICK_SECONDS or longer: that is seen at once, and the trace is not drawn so often.
LIVE_SECONDS = 1.0
# A page that is drawn anew draws all runs that it shows. So a long chat begins with this many, its
# latest, and each click shows as many more.
RUNS_AT_ONCE = 10


def follow_chat(
    chat_id: str, chats: Conversations, drawn: tuple[RunState, ...], is_live: bool
) -> None:
    """Draw the active runs of a chat; draw the page anew when another has begun, or one ended.

    A page at rest is not drawn by itself: `look_for_news` sees to it.
    """
    runs = services.get_active_runs()
    if address.confirm_address():  # the page has waited itself
        runs.wait_for_end(chat_id, QUICK_SECONDS)
    active = runs.follow(chat_id)
    is_at_rest = not active and not address.is_address_open()
    if chats.list_run_states(chat_id) != drawn or (is_live and is_at_rest):
        st.rerun()
    for run in active:
        show_active_run(run)


def show_bottom(
    library: Library, chat_id: str, after: str, active: Sequence[ActiveRun], adding: int
) -> None:
    """Draw the scope of the next question, Stop, and the input, which is this chat's own."""
    settings = services.get_settings()
    with st.container(horizontal=True, wrap=False, vertical_alignment="center"):
        place = st.empty()
        if active:
            icon_button(say("chat-stop"), "stop_circle", questions.stop, active, key="stop")
        documents = library.documents()
        scope = resolve_scope(documents, state.chosen_scope())
        line, details = library_text().describe_scope(scope, len(documents), adding)
        chosen, mode = state.chosen_budget(settings), state.chosen_mode()
        budget = summarize_budget(language(), chosen, mode)
        place.caption(say("chat-scope", scope=line, budget=budget), help=details)
    key = f"question-{chat_id}"
    st.chat_input(
        say("chat-input"),
        key=key,
        on_submit=questions.ask_typed_question,
        args=(chat_id, after, key),
        max_chars=10_000,
        accept_file="multiple",
        file_type=["pdf", "docx"],
        max_upload_size=settings.max_upload_mb,
    )


def find_first_shown(chat_id: str, run_ids: Sequence[str]) -> int:
    """Return which run of a chat is the first to be drawn: what a tab has drawn stays there."""
    if not run_ids:
        return 0
    opened, _ = address.opened_citation() or ("", 0)
    wanted = (run_ids[-RUNS_AT_ONCE:][0], st.session_state.get(f"first-run-{chat_id}"), opened)
    first = min(run_ids.index(one) for one in wanted if one in run_ids)
    state.draw_from(chat_id, run_ids[first])
    return first


def show_top(
    library: Library, chats: Conversations, chat_id: str, begun: bool, ended: bool
) -> None:
    """Draw what is above the runs: notices, the menu of the chat, the welcome of a blank one."""
    chat = chats.find_conversation(chat_id)
    with st.container(horizontal=True, wrap=False, vertical_alignment="center"):
        if services.get_settings().is_offline:
            st.caption(say("offline" if begun else "offline-whole"))
        if chat and ended:
            show_chat_menu(library, chats, chat)
    if address.names_missing_chat(chat is not None):
        st.warning(say("chat-missing"))
    if not begun:
        show_deleted_chat(chats)
        show_welcome(library, resolve_scope(library.documents(), state.chosen_scope()), chat_id)


def _place(root: DeltaGenerator, chat_id: str) -> DeltaGenerator:
    """The place of a chat, beside that of the chat before, which is emptied at once.

    Otherwise its messages and its input would stay until others are drawn over them.
    """
    if address.is_in_second_place(chat_id):
        root.empty()
        return root.container()
    place = root.container()
    root.empty()
    return place


def scroll_to_last(runs: Sequence[SavedRun], is_live: bool, last: RunState) -> None:
    """Bring the last run into view once, and the citation that is open."""
    opened, number = address.opened_citation() or ("", 0)
    is_drawn = any(run.run_id == opened for run in runs)  # an address can name anything
    newest = f"{last.run_id} {'live' if is_live else last.ended_at}"
    scroll_to_newest(newest, f"{opened}-{number}" if is_drawn else "")


def recall_budget(runs: Sequence[SavedRun]) -> None:
    """Set the thoroughness as for the latest run."""
    if runs:
        state.recall_budget(next(e.limits for e in runs[-1].events if isinstance(e, ev.Asked)))


def show_page() -> None:
    library, chats = services.get_library(), services.get_conversations()
    active_runs, chat_id = services.get_active_runs(), address.current_chat()
    for begun in active_runs.follow(chat_id):
        begun.wait(QUICK_SECONDS)
    drawn = chats.list_run_states(chat_id)  # read first, so that a change in between is seen
    active = active_runs.follow(chat_id)
    at_work = {run.run_id for run in active}
    run_ids = [run.run_id for run in drawn]
    first = find_first_shown(chat_id, run_ids)
    runs = chats.list_runs(chat_id, set(run_ids[first:]) - at_work)
    recall_budget(runs)
    # The input goes first and comes last: where it is, its chat is there to be seen.
    bottom, body = (_place(root, chat_id) for root in (st.bottom, st.container()))
    with st.sidebar:
        documents = library.documents()
        adding = sidebar.show_chat_sidebar(services.get_settings(), chats, documents, chat_id)
    with body:
        show_top(library, chats, chat_id, begun=bool(drawn), ended=bool(set(run_ids) - at_work))
        if first:
            more = state.draw_from, chat_id, run_ids[max(first - RUNS_AT_ONCE, 0)]
            icon_button(say("chat-earlier", count=first), "expand_less", *more)
        for run in runs:
            show_saved_run(library, chats, run, latest=run is runs[-1] and not active)
        is_live = bool(active) or address.is_address_open()
        every = LIVE_SECONDS if is_live else None
        st.fragment(follow_chat, run_every=every)(chat_id, chats, drawn, is_live)
        if not is_live:
            look_for_news(chat_id, describe_state(library, drawn))
    with bottom:
        show_bottom(library, chat_id, drawn[-1].run_id if drawn else "", active, adding)
    if drawn:
        scroll_to_last(runs, bool(active), drawn[-1])
    questions.show_refusal(chat_id)
    if error := active_runs.find_error(chat_id):
        show_error(error)


show_page()
