"""Every run: found by outcome, words and day, its figures over time, opened to replay."""

import streamlit as st

from pages.components import services as resources
from pages.components import state
from pages.components.labels import OUTCOMES, amount, grouped, outcome_word
from pages.components.pagination import turned_to
from pages.components.runs import (
    ORDERS,
    Wanted,
    ordered,
    runs_csv,
    show_charts,
    show_line,
    show_run,
)

library = resources.library()
chats = resources.conversations()

st.title("Runs", anchor=False)

if (opened := state.run()) is not None:
    with st.container(horizontal=True):
        st.button("All runs", icon=":material/arrow_back:", on_click=state.leave_run)
        if (run := chats.run(opened)) and st.button("Open in its chat", icon=":material/forum:"):
            state.open_chat(run.conversation_id)
            st.switch_page("chat.py", query_params=state.chat_address(run.conversation_id))
    if run is None:
        st.warning(
            "There is no run at this address: its chat was deleted, or the address is not whole."
        )
    else:
        show_run(library, run)
    st.stop()

lines = chats.run_lines()
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
wanted = Wanted(outcomes, words, days)
shown = ordered([line for line in lines if wanted.fits(line)], order)
if not shown:
    st.info("No run fits. Choose fewer outcomes, fewer words or other days.")
    st.stop()

with st.expander("Score, cost and time", icon=":material/monitoring:", expanded=True):
    show_charts(shown)
with st.container(horizontal=True, vertical_alignment="center"):
    st.markdown(f"**{amount(len(shown), 'run')} of {grouped(len(lines))}**", width="content")
    st.download_button(
        "CSV",
        lambda: runs_csv(shown),
        "runs.csv",
        "text/csv",
        icon=":material/download:",
        on_click="ignore",
    )
for line in turned_to(shown, state.RUN_PAGE):
    show_line(line)
