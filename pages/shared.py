"""A chat that somebody shared: as it was then, to read and to check, without writing."""

import streamlit as st

from core.markdown_escape import escape_markdown
from pages.components import address, services
from pages.components.dates import format_time
from pages.components.run import ASSISTANT_ICON, show_question, show_run_to_read
from pages.components.words import say

shared = services.get_conversations().read_shared_chat(st.query_params.get(address.SHARE, ""))
if shared is None:
    st.warning(say("shared-ended"))
    st.stop()

st.title(escape_markdown(shared.title), anchor=False)
st.caption(say("shared-as-it-was", time=format_time(shared.at)))
for run in shared.runs:
    show_question(run.question)
    with st.chat_message("assistant", avatar=ASSISTANT_ICON):
        show_run_to_read(services.get_library(), run)
