"""Every run: found by outcome, words and day, its figures over time, opened to replay."""

import streamlit as st

from pages.components import services, state
from pages.components.labels import OUTCOMES, format_count, format_number, outcome_word
from pages.components.pagination import paginate
from pages.components.runs import (
    ORDERS,
    RunFilter,
    runs_csv,
    show_run,
    show_run_charts,
    show_run_line,
    sort_runs,
)

library = services.get_library()
chats = services.get_conversations()

st.title("Runs", anchor=False)

if (opened := state.replayed_run_id()) is not None:
    with st.container(horizontal=True):
        st.button("All runs", icon=":material/arrow_back:", on_click=state.leave_run)
        if (run := chats.find_run(opened)) and st.button(
            "Open in its chat", icon=":material/forum:"
        ):
            state.open_chat(run.conversation_id)
            st.switch_page("chat.py", query_params=state.chat_address(run.conversation_id))
    if run is None:
        st.warning(
            "There is no run at this address: its chat was deleted, or the address is not whole."
        )
    else:
        show_run(library, run)
    st.stop()

lines = chats.list_run_summaries()
if not lines:
    st.info(
        "Nothing has been asked yet. Ask on the page Chat: each run is kept, and can be replayed here."
    )
    st.stop()

with st.container(horizontal=True, vertical_alignment="bottom"):
    words = st.text_input(
        "Words", key=state.RUN_WORDS, placeholder="pit lane", bind="query-params", width=280
    )
    days = st.date_input("Days, from and to", (), key=state.RUN_DAYS, width=260)
    order = st.selectbox("Order", list(ORDERS), key=state.RUN_ORDER, bind="query-params", width=160)
outcomes = st.pills(
    "Outcome",
    [outcome for outcome in OUTCOMES if any(line.outcome == outcome for line in lines)],
    selection_mode="multi",
    format_func=outcome_word,
    key=state.RUN_OUTCOMES,
    bind="query-params",
    wrap=True,
)
wanted = RunFilter(outcomes, words, days)
shown = sort_runs([line for line in lines if wanted.matches_run(line)], order)
if not shown:
    st.info("No run fits. Choose fewer outcomes, fewer words or other days.")
    st.stop()

with st.expander("Score, cost and time", icon=":material/monitoring:", expanded=True):
    show_run_charts(shown)
with st.container(horizontal=True, vertical_alignment="center"):
    st.markdown(
        f"**{format_count(len(shown), 'run')} of {format_number(len(lines))}**", width="content"
    )
    st.download_button(
        "CSV",
        lambda: runs_csv(shown),
        "runs.csv",
        "text/csv",
        icon=":material/download:",
        on_click="ignore",
    )
for line in paginate(shown, state.RUN_PAGE):
    show_run_line(line)
