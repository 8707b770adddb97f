"""The script of every page: the first start, the login, the navigation, and the errors of pages."""

from base64 import b64encode
from collections.abc import Mapping
from functools import partial
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
    "rulebooks": "menu_book",
    "compare": "compare_arrows",
    "limits": "straighten",
    "check_quotes": "format_quote",
    "runs": "history",
    "settings": "settings",
}  # with their icons. (Streamlit would draw a string that is a statement.)
WIDE_PAGES = ("rulebooks", "compare", "limits", "check_quotes", "runs")
MOVED: dict[str, tuple[str, dict[str, str]]] = {
    "library": ("rulebooks", {}),
    "search": ("rulebooks", {}),
    "browse": ("rulebooks", {}),
    "changes": ("compare", {"compare-view": "touched"}),
    "check_a_sheet": ("limits", {"limits-view": "sheet"}),
    "evaluate": ("runs", {"runs-view": "evaluation"}),
}  # Addresses of version 0.2: where their contents are now, and what names them there.
STYLE = Path(__file__).with_name("page.css")
_ICON = b64encode(Path(__file__).with_name("icon.png").read_bytes()).decode()
ICON = f"data:image/png;base64,{_ICON}"  # no file: the door shows none before a login

call = delivery.take_call()


def lead_on(place: str, view: Mapping[str, str]) -> None:
    """Lead an address of before on to its new place, with what it names."""
    named = {name: st.query_params.get_all(name) for name in st.query_params}
    if "issue" in named:  # the page Changes named its issue so
        named["after"] = named.pop("issue")
    st.switch_page(f"{place}.py", query_params={**named, **view})


def draw_page() -> None:
    """Draw what is around a page, and the page for those who may see it."""
    # An emoji or a Material icon would be fetched from another server.
    st.set_page_config(page_title="Scrutineer", page_icon=ICON)
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
    for old in MOVED:
        moved = partial(lead_on, *MOVED[old])
        pages.append(st.Page(moved, title="Scrutineer", url_path=old, visibility="hidden"))
    pages.append(st.Page("shared.py", title=say("page-shared"), visibility="hidden"))
    st.logo(Path(__file__).with_name("logo.svg"), icon_image=ICON)
    page = st.navigation(pages, position="top" if person else "hidden")
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
        shared.start_webhook(services.get_settings())
        library = services.get_library()
        if library.untouched:
            add_samples(library)
        with library.pin_state():
            page.run()
        shared.start_model_import(settings)
    except ScrutineerError as error:
        show_error(error)


try:
    with reads_kept():
        draw_page()
finally:
    shared.freeze_loaded_objects()
    if call:
        call.end()
