"""Who uses the page: the person at this machine, or somebody who logged in (see the secrets)."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from core.markdown_escape import escape_markdown
from core.settings import Settings
from pages.components.widgets import icon_button, row
from pages.components.words import say
from server import door


@dataclass(frozen=True, slots=True)
class Person:
    """`key` identifies a person without naming them; "" is the person at this machine."""

    key: str
    name: str


LOCAL_PERSON = Person("", "")


def current_person() -> Person | None:
    """Who uses the page; None before they have logged in."""
    if not door.requires_login():
        return LOCAL_PERSON
    claims = st.user.to_dict()
    if claims.get("is_logged_in") is not True or not claims.get("sub"):
        return None
    name = claims.get("name") or claims.get("email") or say("person-unnamed")
    return Person(door.person_id(claims), str(name))


def person_key() -> str:
    person = current_person()
    return person.key if person else ""


def can_enter(person: Person, settings: Settings) -> bool:
    """True for the person at this machine, and for those whom the settings let in."""
    return person == LOCAL_PERSON or door.has_access(st.user.to_dict(), settings.people)


def show_login() -> None:
    st.title("Scrutineer", anchor=False)
    st.markdown(say("login-about"))
    auth = st.secrets["auth"]
    providers = [
        name for name, entry in auth.items() if isinstance(entry, Mapping) and "client_id" in entry
    ]
    for provider in ["", *providers] if "client_id" in auth else providers:  # "" has no name
        name = escape_markdown(provider.capitalize())
        label = say("login-with", provider=name) if provider else say("login")
        st.button(label, key=f"login-{provider}", on_click=st.login, args=(provider or None,))


def show_person(person: Person) -> None:
    """Draw the name and a button to log out, if people log in at all."""
    if person != LOCAL_PERSON:
        with row():
            st.caption(escape_markdown(person.name))
            icon_button(say("login-out"), "logout", st.logout)
