"""An evaluation: its metrics compared with an earlier one, its results, and its files."""

import streamlit as st

from core.answers import CHECK_MARKS
from core.evaluation import (
    Evaluation,
    QuestionResult,
    common_results,
    describe_evaluation,
    is_right,
    list_metrics,
    list_result_facts,
)
from core.markdown_escape import escape_markdown
from core.sanitize import strip_control_characters
from pages.components import address
from pages.components.dates import format_time
from pages.components.labels import outcome_badge
from pages.components.words import language, say


def evaluation_label(evaluation: Evaluation) -> str:
    """An evaluation on one line: its time, set, method, and how far it got."""
    time = format_time(evaluation.started_at)
    return strip_control_characters(describe_evaluation(language(), evaluation, time))


def show_metrics(evaluation: Evaluation, earlier: Evaluation | None) -> None:
    """Draw the metrics of an evaluation, each with its change since an earlier one.

    The change is that of the questions in both.
    """
    with st.container(horizontal=True):
        for line in list_metrics(language(), evaluation, earlier):
            st.metric(
                line.label,
                line.value,
                line.change,
                delta_color={True: "normal", False: "inverse", None: "off"}[line.rise_is_better],
                delta_arrow="off" if line.is_same else "auto",
                help=line.about,
                width=150,
            )
    if earlier:
        label = escape_markdown(evaluation_label(earlier))
        count = len(common_results(evaluation, earlier))
        st.caption(say("evaluation-changes", evaluation=label, count=count))


def show_result(result: QuestionResult) -> None:
    """Draw a result as its question, which opens its run, with its outcome and figures."""
    label = f"{CHECK_MARKS[is_right(result)]} {escape_markdown(result.question)}"
    key = f"result-{result.line}"
    with st.container(gap=None):
        if result.run_id is None:
            st.markdown(label)
        elif st.button(label, key=key, type="tertiary", wrap=True, help=say("result-open")):
            st.switch_page("runs.py", query_params={address.RUN: result.run_id})
        badge = f"{outcome_badge(result.outcome)} " if result.outcome else ""
        facts = escape_markdown(" · ".join(list_result_facts(language(), result)))
        st.markdown(f"{badge}:small[:gray[{facts}]]")
        if result.error:
            st.caption(escape_markdown(result.error))
