"""An evaluation: its metrics compared with an earlier one, its results, and its files."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import streamlit as st

from core.evaluation import (
    HIT_DEPTH,
    RESULT_LABELS,
    Evaluation,
    Metrics,
    QuestionResult,
    classify_result,
    common_results,
    compute_metrics,
    evaluation_json,
    grade_result,
    is_right,
    result_json,
)
from core.exports import csv_file
from core.sanitize import strip_control_characters
from pages.components import address
from pages.components.dates import format_time
from pages.components.labels import (
    CHECK_MARKS,
    format_cost,
    format_count,
    format_seconds,
    outcome_badge,
)
from pages.components.tables import sanitize_rows
from pages.components.text import escape_markdown

ResultFilter = Literal["all", "missed", "wrong", "worse", "better"]
SHARES = {
    "hit_1": ("Expected article first", "Of questions with expected articles."),
    "hit_5": (f"Among the first {HIT_DEPTH}", "An expected article is among the first clauses."),
    "cited": ("Cited", "The answer cites an expected article."),
    "standing": (
        "Quotes that stand",
        "Word for word in the cited clause, checked again against the library.",
    ),
    "right_accepted": ("Right, accepted", "Of questions that a rule answers."),
    "right_not_accepted": (
        "Right, not accepted",
        "Of questions that a rule answers: the draft is right, but a person has to decide.",
    ),
    "wrong_accepted": ("Wrong, accepted", "Of the accepted answers. These do the most harm."),
    "refused_rightly": ("Refused rightly", "Of questions that no rule answers: none accepted."),
    "refused_wrongly": ("Refused wrongly", "Of questions that a rule answers."),
}
"""Metrics that are shares: their label and their meaning."""
SAME = "as before"
"""The change that is shown where a metric has not changed."""
ComparedFigures = tuple[Metrics, tuple[Metrics, Metrics] | None]
"""The metrics of all results; and, now and earlier, of the questions in both evaluations."""
LOWER_IS_BETTER = ("wrong_accepted", "refused_wrongly", "failed", "cost", "seconds")
NEITHER_IS_BETTER = ("right_not_accepted",)
"""A lower value can mean that more was accepted, or that more is wrong."""


def evaluation_label(evaluation: Evaluation) -> str:
    """An evaluation on one line: its time, set, method, and how far it got."""
    done = f", stopped at {len(evaluation.results)} of {evaluation.questions}"
    name, method = strip_control_characters(evaluation.name), evaluation.model or "search only"
    parts = (format_time(evaluation.started_at), name, method)
    return " · ".join(parts) + ("" if evaluation.is_complete else done)


def show_metrics(evaluation: Evaluation, earlier: Evaluation | None) -> None:
    """Draw the metrics of an evaluation, each with its change since an earlier one."""
    metrics = compute_metrics(evaluation.results)
    pairs = common_results(evaluation, earlier) if earlier else ()
    now_and_then = zip(*pairs, strict=True)
    before_after = [compute_metrics(results) for results in now_and_then]
    both = (before_after[0], before_after[1]) if pairs else None
    figures = (metrics, both)
    with st.container(horizontal=True):
        for name, (label, meaning) in SHARES.items():
            _show_metric(label, figures, name, "{:.0%}".format, meaning)
        _show_metric("Score", figures, "score", "{:.1f}".format, "Mean of all scores, of 10.")
        if metrics.cost:
            _show_metric("Cost", figures, "cost", "${:.2f}".format, "All questions together.")
        _show_metric("Time a question", figures, "seconds", format_seconds, "Mean.")
        if metrics.failed:
            _show_metric("Failed", figures, "failed", "{:.0f}".format, "Not asked or not answered.")
    if earlier:
        label = escape_markdown(evaluation_label(earlier))
        count = format_count(len(pairs), "question")
        st.caption(f"Below each figure: its change since {label}, on the {count} of both.")


def _show_metric(
    label: str,
    figures: ComparedFigures,
    name: str,
    format_value: Callable[[float], str],
    meaning: str,
) -> None:
    metrics, both = figures
    value = getattr(metrics, name)
    if value is None:
        return
    now, then = (getattr(side, name) for side in both) if both else (None, None)
    change = None
    if now is not None and then is not None:
        size = format_value(abs(now - then))
        change = SAME if size == format_value(0.0) else f"{'-' if now < then else '+'}{size}"
    improves: Literal["normal", "inverse", "off"] = "normal"
    if change == SAME or name in NEITHER_IS_BETTER:
        improves = "off"
    elif name in LOWER_IS_BETTER:
        improves = "inverse"
    st.metric(
        label,
        format_value(value),
        change,
        delta_color=improves,
        delta_arrow="off" if change == SAME else "auto",
        help=meaning,
        width=150,
    )


def filter_results(
    evaluation: Evaluation, earlier: Evaluation | None, which: ResultFilter
) -> list[QuestionResult]:
    """The results that match a filter. "worse" and "better" compare with the earlier evaluation."""
    results = evaluation.results
    pairs = common_results(evaluation, earlier) if earlier else ()
    match which:
        case "all":
            return list(results)
        case "missed":
            return [result for result in results if not is_right(result)]
        case "wrong":
            return [result for result in results if classify_result(result) == "wrong_accepted"]
        case "better":
            return [now for now, then in pairs if grade_result(now) > grade_result(then)]
        case "worse":
            return [now for now, then in pairs if grade_result(now) < grade_result(then)]


def show_result(result: QuestionResult) -> None:
    """Draw a result as its question, which opens its run, with its outcome and figures."""
    label = f"{CHECK_MARKS[is_right(result)]} {escape_markdown(result.question)}"
    key = f"result-{result.line}"
    with st.container(gap=None):
        if result.run_id is None:
            st.markdown(label)
        elif st.button(label, key=key, type="tertiary", wrap=True, help="Open the run"):
            st.switch_page("runs.py", query_params=address.run_address(result.run_id))
        badge = f"{outcome_badge(result.outcome)} " if result.outcome else ""
        facts = escape_markdown(" · ".join(_result_facts(result)))
        st.markdown(f"{badge}:small[:gray[{facts}]]")
        if result.error:
            st.caption(escape_markdown(result.error))


def _result_facts(result: QuestionResult) -> list[str]:
    facts = [f"line {result.line}"]
    if found := classify_result(result):
        facts.append(RESULT_LABELS[found])
    if result.refusal:
        facts.append("no rule answers it")
    if result.articles:
        place = f"at place {result.rank}" if result.rank else f"not among the first {HIT_DEPTH}"
        season = f" of {result.answer_season}" if result.answer_season else ""
        facts += [f"expected {', '.join(result.articles)}{season}: {place}"]
    if result.cited is not None:
        facts.append("cited" if result.cited else "not cited")
    if result.said is not None:
        facts.append(f"“{'”, “'.join(result.says)}” {'quoted' if result.said else 'not quoted'}")
    if result.quotes:
        facts.append(f"{result.standing} of {format_count(result.quotes, 'quote')} stand")
    if result.score is not None:
        facts.append(f"{result.score:.1f}/10")
    if result.cost:
        facts.append(format_cost(result.cost).replace("\\", ""))
    return [*facts, format_seconds(result.seconds)]


def results_csv(evaluation: Evaluation) -> bytes:
    """The results as CSV, one row each. Several values in a cell are separated by semicolons."""
    rows = [result_json(result) for result in evaluation.results]
    names = list(rows[0]) if rows else []

    def cell(value: object) -> object:
        return "; ".join(map(str, value)) if isinstance(value, tuple) else value

    return csv_file(names, ([cell(row[name]) for name in names] for row in rows))


def results_json(evaluation: Evaluation, earlier: Evaluation | None) -> str:
    value: Mapping[str, object] = {
        **evaluation_json(evaluation, earlier),
        "results": [result_json(result) for result in evaluation.results],
    }
    return json.dumps(value, ensure_ascii=False, indent=1)


def show_result_table(results: Sequence[QuestionResult]) -> None:
    """Draw the results as a table that can be sorted."""
    rows = [
        {
            "Line": result.line,
            "Question": result.question,
            "Expected": "none" if result.refusal else ", ".join(result.articles),
            "Found": ", ".join(result.found),
            "Place": result.rank,
            "Cited": result.cited,
            "Quotes": result.quotes,
            "Standing": result.standing,
            "Outcome": result.outcome,
            "Came to": RESULT_LABELS[found] if (found := classify_result(result)) else None,
            "Score": result.score,
            "Seconds": result.seconds,
        }
        for result in results
    ]
    st.dataframe(sanitize_rows(rows), hide_index=True, alt="Results of the evaluation")
