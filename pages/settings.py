"""The settings and where each comes from, a key for this session, and a test of the model."""

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from core.errors import SettingsError
from core.rulebook import describe_isolation
from core.settings import Setting, Settings, list_settings, load_settings, replace_api_key
from pages import door
from pages.components import services, state
from pages.components.dates import format_time
from pages.components.labels import format_seconds
from pages.components.people import person_key
from pages.components.text import escape_markdown, sanitize_markdown
from pages.components.widgets import icon_button

PURPOSES = {"decides": "Classifies and scores", "answers": "Answers"}


def show_key(settings: Settings, server: str) -> None:
    """Draw which key is used, never the key, and how to enter or forget one."""
    if state.session_key():
        st.markdown(
            ":green[:material/key:] A key that you entered is used, in this session only,"
            f" with {server}."
        )
        if icon_button("Forget this key", "key_off", quiet=False):
            state.keep_session_key("")
            st.rerun()
        return
    if settings.is_offline:
        st.markdown(
            "No key is set: Scrutineer works offline and quotes whole sentences. For answers"
            " written by Claude, enter a key here or set `ANTHROPIC_API_KEY` in `.env` and restart."
        )
    else:
        st.markdown(f":material/cloud: Answers are written by a model at {server}.")
    with st.form("key", clear_on_submit=True, border=False):
        key = st.text_input(
            "Key for this session", type="password", autocomplete="off", key=state.ENTERED_KEY
        )
        submitted = st.form_submit_button("Use this key", icon=":material/key:")
    if submitted:
        try:
            replace_api_key(load_settings(), key)
        except SettingsError as error:
            st.error(escape_markdown(error.message), icon=":material/error:")
        else:
            state.keep_session_key(key)
            st.rerun()
    st.caption(
        "A key entered here stays in memory while this tab is open. It is never written to disk,"
        f" never shown again, and sent only to {server}."
    )


def test_models(settings: Settings) -> None:
    """Send a small question to both models, as a run would, and draw the results."""
    from core.agent import check_connection

    with st.spinner("Asking both models a small question"):
        for result in check_connection(settings, services.get_model()):
            name = f"**{PURPOSES[result.purpose]}:** {escape_markdown(result.model)}"
            if result.error:
                st.error(f"{name}: {escape_markdown(result.error)}", icon=":material/error:")
                continue
            features = " · ".join(f"{name}: {seen}" for name, seen in result.features.items())
            seconds = format_seconds(result.seconds)
            st.success(f"{name}, {seconds}  \n{features}", icon=":material/check:")


def show_listed(listed: Sequence[Setting]) -> None:
    """Draw the settings with their origins and meanings."""
    only_set = st.toggle("Only what is set", key=state.ONLY_SET)
    shown = [setting for setting in listed if not only_set or setting.origin != "default"]
    if not shown:
        st.info(
            "Nothing is set: all settings have their defaults. For example, put the line"
            " SCRUTINEER_MAX_ITERATIONS=5 into .env."
        )
    for setting in shown:
        with st.container(key=f"setting-{setting.name}", gap="xxsmall"):
            entered = setting.name == "anthropic_api_key" and state.session_key()
            origin = "this session" if entered else setting.origin
            badge = f":{'gray' if origin == 'default' else 'blue'}-badge[{escape_markdown(origin)}]"
            variable, value = escape_markdown(setting.variable), escape_markdown(setting.value)
            st.markdown(f"**{variable}** {value} {badge}")
            st.caption(sanitize_markdown(setting.meaning))


def show_sessions() -> None:
    """Draw the browsers in which this person is let in, each with a button that ends it there."""
    sessions = door.open_sessions()
    own = sessions.list_sessions(person_key())
    if not own:
        return
    here = door.find_session(st.context.cookies)
    st.subheader("Where you are let in", anchor=False)
    for session in own:
        with st.container(horizontal=True, vertical_alignment="center"):
            since = format_time(datetime.fromtimestamp(session.started, UTC).isoformat())
            place = "This browser" if session == here else session.browser or "Unknown browser"
            st.caption(escape_markdown(f"{place}, since {since}"))
            key = f"end-{session.session_id}"
            icon_button("End", "logout", sessions.end, session.session_id, key=key)


def show_settings() -> None:
    settings = services.get_settings()
    listed = list_settings(settings)
    server = "https://api.anthropic.com"
    if settings.anthropic_base_url:  # as listed, without its password
        server = next(one.value for one in listed if one.name == "anthropic_base_url")
    st.title("Settings", anchor=False)
    st.subheader("Model", anchor=False)
    show_key(settings, escape_markdown(server))
    if settings.is_offline:
        st.caption("There is no connection to test: the offline model needs none.")
    else:
        about = "Two small calls, for at most one cent."
        if icon_button("Test the connection", "network_check", help=about, quiet=False):
            test_models(settings)
    show_sessions()
    st.subheader("Files from strangers", anchor=False)
    with st.spinner("Trying what a process that reads files can do"):
        st.caption(escape_markdown(describe_isolation()))
    st.subheader("Current settings", anchor=False)
    st.caption(
        "Change them in the file .env or in the environment, and restart."
        " Environment variables override .env."
    )
    show_listed(listed)


show_settings()
