"""Who uses the page: the person at this machine, or somebody who logged in (`server/door.py`)."""

import getpass

import streamlit as st

from core.markdown_escape import escape_markdown
from pages.components.widgets import icon_button, row
from pages.components.words import say
from server import door
from server.door import Person, current_person


def person_key() -> str:
    person = current_person()
    return person.key if person else ""


def person_name() -> str:
    """The name by which others know who uses the page."""
    person = current_person() or door.LOCAL_PERSON
    if person == door.LOCAL_PERSON:
        return getpass.getuser()
    return person.name or say("person-unnamed")


def person_address() -> str:
    """The e-mail address by which somebody logged in, else their name."""
    return str(st.user.to_dict().get("email") or person_name())


def show_login() -> None:
    st.title("Scrutineer", anchor=False)
    st.markdown(say("login-about"))
    for provider in door.list_providers():
        name = escape_markdown(provider.capitalize())
        label = say("login-with", provider=name) if provider else say("login")
        st.button(label, key=f"login-{provider}", on_click=st.login, args=(provider or None,))


def show_person(person: Person) -> None:
    """Draw the name and a button to log out, if people log in at all."""
    if person != door.LOCAL_PERSON:
        with row():
            st.caption(escape_markdown(person_name()))
            icon_button(say("login-out"), "logout", st.logout)
