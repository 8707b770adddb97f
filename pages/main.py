"""The script of every page: settings, the first start, the navigation, and the last place for errors."""

from pathlib import Path
from typing import Literal

import streamlit as st
from streamlit.runtime.scriptrunner import StopException

from core.errors import ScrutineerError
from core.logs import start_log
from pages.components import people, services, state
from pages.components.client_session import stopped_by_person
from pages.components.library_error import show_error
from pages.components.uploads import add_samples

ICON = Path(__file__).with_name(
    "icon.png"
)  # an emoji or Material icon would be fetched from elsewhere
WIDE_PAGES = ("browse", "compare", "runs", "library")

st.set_page_config(page_title="Scrutineer", page_icon=ICON)

asking = people.current_person()
chat = st.Page(
    "chat.py",
    title="Chat",
    icon=":material/forum:",
    default=True,
    help="Ask about the rulebooks in the library and watch how the answer is found.",
)
page = st.navigation(
    [
        chat,
        st.Page(
            "browse.py",
            title="Browse",
            icon=":material/account_tree:",
            help="A rulebook article by article, with its marks, its pages and its references.",
        ),
        st.Page(
            "compare.py",
            title="Compare",
            icon=":material/compare_arrows:",
            help="What changed between two documents, word by word.",
        ),
        st.Page(
            "runs.py",
            title="Runs",
            icon=":material/history:",
            help="Every run: what was asked, what came of it, and how; to be replayed.",
        ),
        st.Page(
            "evaluate.py",
            title="Evaluate",
            icon=":material/fact_check:",
            help="A set of questions put to the agent or to search, and how well they were answered.",
        ),
        st.Page(
            "library.py",
            title="Library",
            icon=":material/menu_book:",
            help="The documents, what reading them met, adding and removing them.",
        ),
        st.Page(
            "settings.py",
            title="Settings",
            icon=":material/settings:",
            help="What is in force and where it came from, a key for this session, and a test of the model.",
        ),
    ],
    position="sidebar" if asking else "hidden",
)
# Said here for all pages: one that changed it again would jump with each click from one layout to the other.
layout: Literal["wide", "centered"] = "wide" if page.url_path in WIDE_PAGES else "centered"
st.set_page_config(layout=layout)
try:
    start_log(services.get_settings())
    if asking is None:
        people.show_login()
        st.stop()
    with st.sidebar:
        people.show_person(asking)
    if not people.can_enter(asking, services.get_settings()):
        st.error("You have logged in, but are not among the people whom Scrutineer lets in here.")
        st.stop()
    if services.get_library().untouched:
        add_samples(services.get_library())
    held = state.chat_session()
    try:
        page.run()
    except StopException:
        if page == chat:  # others end so where they have nothing to show
            held.break_off(stopped_by_person)
        raise
except ScrutineerError as error:
    show_error(error)
finally:
    services.freeze_loaded_objects()
