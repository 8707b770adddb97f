"""What is in force and where it came from, a key for this session alone, and a try of the model."""

import streamlit as st

from core.errors import SettingsError
from core.settings import list_settings, load_settings, replace_api_key
from pages.components import services, state
from pages.components.labels import format_seconds
from pages.components.text import escape_markdown, sanitize_markdown

PURPOSES = {"decides": "Classifies and scores", "answers": "Answers"}

settings = services.get_settings()
told = list_settings(settings)
address = next(
    setting.value for setting in told if setting.name == "anthropic_base_url"
)  # with no password in it
server = escape_markdown(address if settings.anthropic_base_url else "https://api.anthropic.com")


def show_key() -> None:
    """Which key is in use, never the key itself, and the means to enter or forget one."""
    if state.session_key():
        st.markdown(
            f":green[:material/key:] A key entered here is in use, in this session alone, with {server}."
        )
        if st.button("Forget this key", icon=":material/key_off:"):
            state.keep_session_key("")
            st.rerun()
        return
    if settings.is_offline:
        st.markdown(
            "No key is set: Scrutineer works offline and quotes whole sentences. To have answers written by Claude,"
            " enter a key here, or set `ANTHROPIC_API_KEY` in `.env` and start again."
        )
    else:
        st.markdown(f":material/cloud: Answers are written by a model at {server}.")
    enter_key()
    st.caption(
        "A key entered here stays in memory for as long as this tab is open. It is written nowhere, never shown again,"
        f" and sent to {server} alone."
    )


def enter_key() -> None:
    """A field for a key, which is emptied at once."""
    with st.form("key", clear_on_submit=True, border=False):
        key = st.text_input(
            "Key for this session", type="password", autocomplete="off", key=state.ENTERED_KEY
        )
        taken = st.form_submit_button("Use this key", icon=":material/key:")
    if not taken:
        return
    try:
        replace_api_key(load_settings(), key)
    except SettingsError as error:
        st.error(escape_markdown(error.message), icon=":material/error:")
        return
    state.keep_session_key(key)
    st.rerun()


def try_model() -> None:
    """Put a small question to both models, as a run would, and tell what came of each."""
    from core.agent import check_connection

    with st.spinner("Asking both models a small question"):
        for tried in check_connection(settings, services.get_model()):
            name = f"**{PURPOSES[tried.purpose]}:** {escape_markdown(tried.model)}"
            if tried.error:
                st.error(f"{name}: {escape_markdown(tried.error)}", icon=":material/error:")
                continue
            features = " · ".join(f"{feature}: {what}" for feature, what in tried.features.items())
            st.success(
                f"{name}, {format_seconds(tried.seconds)}  \n{features}", icon=":material/check:"
            )


st.title("Settings", anchor=False)
st.subheader("Model", anchor=False)
show_key()
if settings.is_offline:
    st.caption("There is no connection to test: the offline model needs none.")
elif st.button(
    "Test the connection",
    icon=":material/network_check:",
    help="Two small calls, a cent at the most.",
):
    try_model()

st.subheader("In force", anchor=False)
st.caption(
    "Set them in the file .env or in the environment and start again; the environment goes first."
)
only_set = st.toggle("Only what is set", key=state.ONLY_SET)
known = [setting for setting in told if not only_set or setting.origin != "default"]
if not known:
    st.info(
        "Nothing is set: all is as it comes. Put a line such as SCRUTINEER_MAX_ITERATIONS=5 into .env."
    )
    st.stop()
for setting in known:
    with st.container(key=f"setting-{setting.name}", gap="xxsmall"):
        session = setting.name == "anthropic_api_key" and state.session_key()
        origin = "this session" if session else setting.origin
        colour = "gray" if origin == "default" else "blue"
        st.markdown(
            f"**{escape_markdown(setting.variable)}** {escape_markdown(setting.value)} :{colour}-badge[{escape_markdown(origin)}]"
        )
        st.caption(sanitize_markdown(setting.meaning))
