"""Who is asking: the person at this machine, or one who has logged in through the provider that the secrets name."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

import streamlit as st

from core.settings import Settings
from pages import server
from pages.components.text import escape_markdown


@dataclass(frozen=True, slots=True)
class Person:
    """`key` tells people apart and names nobody; it is empty for the person at this machine."""

    key: str
    name: str


LOCAL_PERSON = Person("", "")


def current_person() -> Person | None:
    """Who is asking; None for somebody who has still to log in."""
    if not server.requires_login():
        return LOCAL_PERSON
    told = st.user.to_dict()
    if told.get("is_logged_in") is not True or not told.get("sub"):
        return None
    # A subject is unique with its provider alone (OpenID Connect Core 1.0, section 2).
    identity = json.dumps([told.get("iss"), told["sub"]])
    name = told.get("name") or told.get("email") or "Somebody"
    return Person(sha256(identity.encode()).hexdigest(), str(name))


def can_enter(visitor: Person, settings: Settings) -> bool:
    """True where the settings let a person use Scrutineer: all who have logged in, or those whom they name."""
    return visitor == LOCAL_PERSON or server.has_access(st.user.to_dict(), settings.people)


def show_login() -> None:
    """Draw the page of somebody who has still to log in."""
    st.title("Scrutineer", anchor=False)
    st.markdown("Your questions and answers are kept under your name. Log in to begin.")
    for provider in _providers():
        label = f"Log in with {escape_markdown(provider.capitalize())}" if provider else "Log in"
        st.button(label, key=f"login-{provider}", on_click=st.login, args=(provider or None,))


def show_person(visitor: Person) -> None:
    """Draw who is logged in, with the means to log out; nothing where nobody logs in."""
    if visitor != LOCAL_PERSON:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(escape_markdown(visitor.name))
            st.button("Log out", type="tertiary", icon=":material/logout:", on_click=st.logout)


def _providers() -> list[str]:
    """The names of the providers in the secrets; an empty one for the provider that has none."""
    auth = st.secrets["auth"]
    named = [
        name for name, entry in auth.items() if isinstance(entry, Mapping) and "client_id" in entry
    ]
    return ["", *named] if "client_id" in auth else named
