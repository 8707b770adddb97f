"""The settings and where each comes from, a key for this session, and a test of the model."""

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from core.errors import SettingsError
from core.impact import Webhook
from core.language import LANGUAGES
from core.markdown_escape import escape_markdown, sanitize_markdown
from core.rulebook import describe_isolation
from core.settings import Setting, Settings, list_settings, load_settings, replace_api_key
from pages.components import services
from pages.components.address import server_address
from pages.components.dates import format_time
from pages.components.people import person_address, person_key
from pages.components.widgets import icon_button, row, select_one, show_failures
from pages.components.words import CHOSEN, language, say
from server import door

NEW_TOKEN = "new-feed-token"
"""In the session, until it is shown: a token that was just made."""
BROWSERS = {"Edg": "Edge", "OPR": "Opera"}
BROWSERS |= {name: name for name in ("Firefox", "Chrome", "Safari")}
"""Their names, by what they call themselves beside the names of others before theirs here."""


def show_key(settings: Settings, server: str) -> None:
    """Draw which key is used, never the key, and how to enter or forget one."""
    if services.session_key():
        st.markdown(say("settings-key-entered", server=server))
        if icon_button(say("settings-key-forget"), "key_off", quiet=False):
            services.keep_session_key("")
            st.rerun()
        return
    if settings.is_offline:
        st.markdown(say("settings-key-none"))
    else:
        st.markdown(say("settings-key-set", server=server))
    with st.form("key", clear_on_submit=True, border=False):
        key = st.text_input(
            say("settings-key"), type="password", autocomplete="off", key="entered-key"
        )
        submitted = st.form_submit_button(say("settings-key-use"), icon=":material/key:")
    if submitted:
        with show_failures(SettingsError):
            replace_api_key(load_settings(), key)
            services.keep_session_key(key)
            st.rerun()
    st.caption(say("settings-key-about", server=server))


def test_models(settings: Settings) -> None:
    """Send a small question to both models, as a run would, and draw the results."""
    from core.agent import check_connection

    with st.spinner(say("settings-testing")):
        for result in check_connection(settings, services.get_model()):
            purpose = say(f"settings-purpose-{result.purpose}")
            name = f"**{purpose}:** {escape_markdown(result.model)}"
            if result.error:
                st.error(f"{name}: {escape_markdown(result.error)}", icon=":material/error:")
                continue
            features = " · ".join(f"{name}: {seen}" for name, seen in result.features.items())
            seconds = language().format_seconds(result.seconds)
            st.success(f"{name}, {seconds}  \n{features}", icon=":material/check:")


def show_settings_list(listed: Sequence[Setting]) -> None:
    """Draw the settings with their origins and meanings."""
    only_set = st.toggle(say("settings-only-set"), key="only-set")
    shown = [setting for setting in listed if not only_set or setting.origin != "default"]
    if not shown:
        st.info(say("settings-none-set"))
    for setting in shown:
        with st.container(key=f"setting-{setting.name}", gap="xxsmall"):
            entered = setting.name == "anthropic_api_key" and services.session_key()
            origin = say("settings-session") if entered else setting.origin
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
    here = door.find_session(st.context.headers)
    st.subheader(say("settings-browsers"), anchor=False)
    for session in own:
        with row():
            since = format_time(datetime.fromtimestamp(session.started, UTC).isoformat())
            known = (name for sign, name in BROWSERS.items() if f"{sign}/" in session.browser)
            place = escape_markdown(next(known, session.browser))
            place = place or say("settings-browser-unknown")
            if session == here:
                place = say("settings-browser-this")
            st.caption(say("settings-browser", browser=place, time=since))
            end, key = (sessions.end, session.session_id), f"end-{session.session_id}"
            icon_button(say("settings-browser-end"), "logout", *end, key=key)


def show_feed_tokens() -> None:
    """Draw a new token for feeds in their address, once, and those of this person to remove."""
    tokens, person = services.get_tokens(), person_key()

    def make_token() -> None:
        st.session_state[NEW_TOKEN] = tokens.make(person_address(), person, "feeds")

    st.subheader(say("settings-feeds"), anchor=False)
    st.caption(say("settings-feeds-about"))
    icon_button(say("settings-feeds-make"), "rss_feed", make_token, quiet=False, key="make-feed")
    if secret := st.session_state.pop(NEW_TOKEN, ""):
        st.markdown(say("settings-feeds-once"))
        st.code(server_address(f"{door.CHANGES_FEED}?token={secret}"), language=None)
    for token in tokens.list_tokens("feeds"):
        if token.person == person:
            with row():
                st.caption(say("settings-feeds-token", time=format_time(token.created_at)))
                key = f"end-{token.token_id}"
                end = tokens.remove_token, token.token_id
                icon_button(say("settings-browser-end"), "delete", *end, key=key)


def show_webhook(settings: Settings) -> None:
    """Draw which new issues the webhook has not taken, and why; nothing without a webhook."""
    if settings.webhook_url is None:
        return
    st.subheader(say("settings-webhook"), anchor=False)
    failures = list(Webhook.describe_failures(settings, services.get_library()))
    for sentence in failures:
        st.error(escape_markdown(sentence), icon=":material/error:")
    if not failures:
        st.caption(say("settings-webhook-works"))


def show_settings() -> None:
    settings = services.get_settings()
    listed = list_settings(settings)
    server = "https://api.anthropic.com"
    if settings.anthropic_base_url:  # as listed, without its password
        server = next(one.value for one in listed if one.name == "anthropic_base_url")
    st.title(say("page-settings"), anchor=False)
    names = {"": say("settings-language-browser")} | LANGUAGES
    look = {"key": CHOSEN, "persist_state": "session", "width": 320}
    select_one(say("settings-language"), names, help=say("settings-language-about"), **look)
    st.subheader(say("settings-model"), anchor=False)
    show_key(settings, escape_markdown(server))
    if settings.is_offline:
        st.caption(say("settings-test-offline"))
    else:
        about = say("settings-test-about")
        if icon_button(say("settings-test"), "network_check", help=about, quiet=False):
            test_models(settings)
    show_sessions()
    show_feed_tokens()
    show_webhook(settings)
    st.subheader(say("settings-strangers"), anchor=False)
    with st.spinner(say("settings-trying")):
        st.caption(escape_markdown(describe_isolation()))
    st.subheader(say("settings-current"), anchor=False)
    st.caption(say("settings-current-about"))
    show_settings_list(listed)


show_settings()
