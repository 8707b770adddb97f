"""The script of every page: the first start, the login, the navigation, and the errors of pages."""

from pathlib import Path

import streamlit as st

from core.errors import ScrutineerError
from core.logs import start_log
from pages.components import people, services
from pages.components.library_error import show_error
from pages.components.uploads import add_samples

# Name, icon and tooltip of each page. (Streamlit would draw a string that is a statement.)
PAGES = (
    ("chat", "forum", "Ask about the rulebooks in the library and watch how the answer is found."),
    ("search", "search", "Find rules by words or number in all rulebooks, without a model."),
    ("browse", "account_tree", "Read a rulebook by article, with marks, pages and references."),
    ("compare", "compare_arrows", "What changed between two documents, word by word."),
    ("changes", "published_with_changes", "What a new issue changed for us: answers to look at."),
    ("limits", "straighten", "Every limit and every duty of a rulebook, as tables to download."),
    ("check_a_sheet", "rule", "Check a table of your values against all limits of rulebooks."),
    ("check_quotes", "format_quote", "Check every quote and cited article of a text you paste."),
    ("runs", "history", "Every run: what was asked and how it was answered. Replay it."),
    ("evaluate", "fact_check", "Test the agent or the search with a set of questions."),
    ("library", "menu_book", "The documents and their reading reports. Add and remove them."),
    ("settings", "settings", "Current settings, a key for this session, a test of the model."),
)
WIDE_PAGES = ("browse", "compare", "limits", "check_a_sheet", "check_quotes", "runs", "library")

# An emoji or a Material icon would be fetched from another server.
st.set_page_config(page_title="Scrutineer", page_icon=Path(__file__).with_name("icon.png"))
person = people.current_person()
pages = [
    st.Page(
        f"{name}.py",
        title=name.replace("_", " ").capitalize(),
        icon=f":material/{icon}:",
        help=about,
        default=name == "chat",
    )
    for name, icon, about in PAGES
]
pages.append(st.Page("shared.py", title="Shared chat", visibility="hidden"))
st.logo(Path(__file__).with_name("logo.svg"), icon_image=Path(__file__).with_name("icon.png"))
page = st.navigation(pages, position="sidebar" if person else "hidden")
# Set here for all pages: a page that set its own layout would visibly jump on each click.
st.set_page_config(layout="wide" if page.url_path in WIDE_PAGES else "centered")
try:
    settings = services.get_settings()
    start_log(settings)
    if person is None:
        people.show_login()
        st.stop()
    with st.sidebar:
        people.show_person(person)
    if not people.can_enter(person, settings):
        st.error("You have logged in, but are not among the people whom Scrutineer lets in here.")
        st.stop()
    services.start_folder_watch()
    if services.get_library().untouched:
        add_samples(services.get_library())
    page.run()
except ScrutineerError as error:
    show_error(error)
finally:
    services.freeze_loaded_objects()
