"""The script of every page: settings, the first start, the navigation, and the last place for errors."""

from pathlib import Path

import streamlit as st

from core.errors import ScrutineerError
from pages.components import resources
from pages.components.text import plain
from pages.components.uploads import add_samples

ICON = Path(__file__).with_name("icon.png")  # an emoji or Material icon would be fetched from elsewhere

st.set_page_config(page_title="Scrutineer", page_icon=ICON, layout="centered")

page = st.navigation(
    [
        st.Page(
            "chat.py",
            title="Chat",
            icon=":material/forum:",
            default=True,
            help="Ask about the rulebooks in the library and watch how the answer is found.",
        ),
        st.Page(
            "browse.py",
            title="Browse",
            icon=":material/account_tree:",
            help="A rulebook article by article, with its marks, its pages and its references.",
        ),
        st.Page(
            "library.py",
            title="Library",
            icon=":material/menu_book:",
            help="The documents, what reading them met, adding and removing them.",
        ),
    ]
)
try:
    resources.start_log(resources.settings().log_level)
    if resources.library().untouched:
        add_samples(resources.library())
    page.run()
except ScrutineerError as error:
    st.error(plain(error.message), icon=":material/error:")
