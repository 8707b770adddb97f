"""A page that draws foreign text unescaped in every element: only the headers protect it."""

import json
import os
from pathlib import Path

import streamlit as st

one_line, many_lines = json.loads(Path(os.environ["PLANTED_TEXTS"]).read_text(encoding="utf-8"))
together = " ".join(one_line)

st.set_page_config(page_title=one_line[0], layout="wide")
for text in [*one_line, *many_lines]:
    st.markdown(text)
    st.caption(text)
    st.info(text)
    st.chat_message("assistant").markdown(text)
for number, text in enumerate(one_line):
    st.title(text)
    st.button(text, key=f"button-{number}", help=text)
    st.checkbox(text, key=f"checkbox-{number}")
    st.expander(text, expanded=True).write(text)
    st.status(text)
    st.progress(0.5, text=text)
    st.metric(text, text, text)
    st.popover(text)
    st.toast(text)
    st.badge(text)
    st.download_button(text, "x", file_name=text, key=f"download-{number}")
st.error("\n\n".join(many_lines))
st.warning("\n\n".join(many_lines))
st.selectbox(together, one_line)
st.multiselect(together, one_line, default=one_line)
st.radio(together, one_line, captions=one_line)
st.pills(together, one_line)
st.tabs(one_line)
st.table({"text": one_line})
st.dataframe({one_line[0]: one_line})
st.data_editor({"text": one_line})
st.json(one_line)
st.code(together)
st.text(together)
st.latex(together)
st.text_input(one_line[0], value=one_line[0], placeholder=one_line[0])
st.file_uploader(one_line[0])
st.bar_chart({one_line[0]: [1, 2, 3]}, x_label=one_line[1], y_label=one_line[2])
st.line_chart({one_line[0]: [1, 2, 3]})
st.chat_input(one_line[0])
st.dialog(one_line[0])(lambda: st.markdown(together))()
st.markdown("All is drawn.")
