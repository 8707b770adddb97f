"""A chat that somebody shared: as it was then, to read and to check, without writing."""

import streamlit as st

from pages.components import address, services
from pages.components.dates import format_time
from pages.components.run import show_shared_run
from pages.components.text import escape_markdown

shared = services.get_conversations().read_shared(st.query_params.get(address.SHARE, ""))
if shared is None:
    st.warning("This link has ended or is incomplete. Ask who sent it for a new one.")
    st.stop()

st.title(escape_markdown(shared.title), anchor=False)
st.caption(f"A shared chat, as it was on {format_time(shared.at)}. It cannot be changed here.")
for run in shared.runs:
    show_shared_run(services.get_library(), run)
