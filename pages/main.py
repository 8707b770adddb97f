"""The script of every page: the first start, the login, the navigation, and the errors of pages."""

from pathlib import Path

import streamlit as st

from core.errors import ScrutineerError
from core.logs import start_log
from pages.components import people, services
from pages.components.library_error import show_error
from pages.components.uploads import add_samples
from pages.components.words import say
from server import delivery, door, shared
from server.read_once import reads_kept

PAGES = {
    "chat": "forum",
    "search": "search",
    "browse": "account_tree",
    "compare": "compare_arrows",
    "changes": "published_with_changes",
    "limits": "straighten",
    "check_a_sheet": "rule",
    "check_quotes": "format_quote",
    "runs": "history",
    "evaluate": "fact_check",
    "library": "menu_book",
    "settings": "settings",
}  # with their icons. (Streamlit would draw a string that is a statement.)
WIDE_PAGES = ("browse", "compare", "limits", "check_a_sheet", "check_quotes", "runs", "library")
STYLE = Path(__file__).with_name("page.css")

call = delivery.take_call()


def draw_page() -> None:
    """Draw what is around a page, and the page for those who may see it."""
    # An emoji or a Material icon would be fetched from another server.
    st.set_page_config(page_title="Scrutineer", page_icon=Path(__file__).with_name("icon.png"))
    st.html(STYLE)
    person = door.current_person()
    pages = [
        st.Page(
            f"{name}.py",
            title=say(f"page-{name}"),
            icon=f":material/{icon}:",
            help=say(f"page-{name}-about"),
            default=name == "chat",
        )
        for name, icon in PAGES.items()
    ]
    pages.append(st.Page("shared.py", title=say("page-shared"), visibility="hidden"))
    icon = Path(__file__).with_name("icon.png")
    st.logo(Path(__file__).with_name("logo.svg"), icon_image=icon)
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
        if not door.can_enter(person, settings.people):
            st.error(say("login-refused"))
            st.stop()
        shared.start_folder_watch(services.get_settings())
        library = services.get_library()
        if library.untouched:
            add_samples(library)
        with library.pin_state():
            page.run()
    except ScrutineerError as error:
        show_error(error)


try:
    with reads_kept():
        draw_page()
finally:
    shared.freeze_loaded_objects()
    if call:
        call.end()
