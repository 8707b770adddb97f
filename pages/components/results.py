"""An evaluation as it is shown: its figures beside those of an earlier one, and a line for each result."""

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
from core.sanitize import strip_control_characters
from pages.components import state
from pages.components.dates import format_time
from pages.components.labels import (
    CHECK_MARKS,
    format_cost,
    format_count,
    format_seconds,
    outcome_badge,
)
from pages.components.spreadsheet import csv_file
from pages.components.tables import sanitize_rows
from pages.components.text import escape_markdown

ResultFilter = Literal["all", "missed", "wrong", "worse", "better"]
SHARES = {
    "hit_1": ("Expected article first", "Of questions with expected articles."),
    "hit_5": (
        f"Among the first {HIT_DEPTH}",
        "An expected article is among the first clauses found.",
    ),
    "cited": ("Cited", "The answer cites an expected article."),
    "standing": (
        "Quotes that stand",
        "Word for word in the clause they name, checked anew against the library.",
    ),
    "right_accepted": ("Right, accepted", "Of questions that a rule answers."),
    "right_not_accepted": (
        "Right, not accepted",
        "Of questions that a rule answers: what was drafted is right, and is left to a person.",
    ),
    "wrong_accepted": (
        "Wrong, accepted",
        "Of the answers that were accepted. These cost people most.",
    ),
    "refused_rightly": (
        "Refused rightly",
        "Of questions that no rule answers: no answer was accepted.",
    ),
    "refused_wrongly": ("Refused wrongly", "Of questions that a rule answers."),
}
"""Figures that are shares: their name and what they are of."""
SAME = "as before"
ComparedFigures = tuple[Metrics, tuple[Metrics, Metrics] | None]
"""The figures of all results, and those now and then of the questions that an earlier evaluation put too."""
LOWER_IS_BETTER = ("wrong_accepted", "refused_wrongly", "failed", "cost", "seconds")
NEITHER_IS_BETTER = ("right_not_accepted",)
"""What goes down may have been accepted since, or got wrong."""


def evaluation_label(evaluation: Evaluation) -> str:
    """An evaluation in a line, to choose it by."""
    done = (
        ""
        if evaluation.is_complete
        else f", stopped at {len(evaluation.results)} of {evaluation.questions}"
    )
    by = evaluation.model or "search alone"
    return f"{format_time(evaluation.started_at)} · {strip_control_characters(evaluation.name)} · {by}{done}"


def show_metrics(evaluation: Evaluation, earlier: Evaluation | None) -> None:
    """Draw what the results come to, each figure with its change against an earlier evaluation."""
    told = compute_metrics(evaluation.results)
    pairs = common_results(evaluation, earlier) if earlier else ()
    both = (
        (compute_metrics([now for now, _ in pairs]), compute_metrics([then for _, then in pairs]))
        if pairs
        else None
    )
    with st.container(horizontal=True):
        for name, (label, about) in SHARES.items():
            _metric(label, (told, both), name, "{:.0%}".format, about)
        _metric("Score", (told, both), "score", "{:.1f}".format, "Mean of what was scored, of 10.")
        if told.cost:
            _metric("Cost", (told, both), "cost", "${:.2f}".format, "All questions together.")
        _metric("Time a question", (told, both), "seconds", format_seconds, "In the mean.")
        if told.failed:
            _metric(
                "Failed",
                (told, both),
                "failed",
                "{:.0f}".format,
                "Could not be asked, or not answered.",
            )
    if earlier:
        st.caption(
            f"Below each figure, how it has changed since {escape_markdown(evaluation_label(earlier))}:"
            f" on the {format_count(len(pairs), 'question')} of both."
        )


def _metric(
    label: str, told: ComparedFigures, name: str, said: Callable[[float], str], about: str
) -> None:
    figures, both = told
    value = getattr(figures, name)
    if value is None:
        return
    now, then = (getattr(of, name) for of in both) if both else (None, None)
    change = None if now is None or then is None else _change(now - then, said)
    same = change == SAME
    colour = (
        "off"
        if same or name in NEITHER_IS_BETTER
        else "inverse"
        if name in LOWER_IS_BETTER
        else "normal"
    )
    st.metric(
        label,
        said(value),
        change,
        delta_color=colour,
        delta_arrow="off" if same else "auto",
        help=about,
        width=150,
    )


def _change(by: float, said: Callable[[float], str]) -> str:
    """A change in words, its sign before it; SAME where it would read as nothing."""
    told = said(abs(by))
    return SAME if told == said(0.0) else f"{'-' if by < 0 else '+'}{told}"


def filter_results(
    evaluation: Evaluation, earlier: Evaluation | None, which: ResultFilter
) -> list[QuestionResult]:
    """The results that one wants to see."""
    if which == "all":
        return list(evaluation.results)
    if which == "missed":
        return [result for result in evaluation.results if not is_right(result)]
    if which == "wrong":
        return [
            result for result in evaluation.results if classify_result(result) == "wrong_accepted"
        ]
    pairs = common_results(evaluation, earlier) if earlier else ()
    if which == "better":
        return [now for now, then in pairs if grade_result(now) > grade_result(then)]
    return [now for now, then in pairs if grade_result(now) < grade_result(then)]


def show_result(result: QuestionResult) -> None:
    """Draw a result as its question, which opens its run, and what came of it."""
    with st.container(gap=None):
        if result.run_id is None:
            st.markdown(f"{CHECK_MARKS[is_right(result)]} {escape_markdown(result.question)}")
        elif st.button(
            f"{CHECK_MARKS[is_right(result)]} {escape_markdown(result.question)}",
            key=f"result-{result.line}",
            type="tertiary",
            wrap=True,
            help="Opens the run.",
        ):
            st.switch_page("runs.py", query_params=state.run_address(result.run_id))
        word = f"{outcome_badge(result.outcome)} " if result.outcome else ""
        st.markdown(f"{word}:small[:gray[{escape_markdown(' · '.join(_facts(result)))}]]")
        if result.error:
            st.caption(escape_markdown(result.error))


def _facts(result: QuestionResult) -> list[str]:
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
    """The results as CSV, a row each."""
    rows = [result_json(result) for result in evaluation.results]
    names = list(rows[0]) if rows else []
    return csv_file(names, ([_told(row[name]) for name in names] for row in rows))


def _told(value: object) -> object:
    return "; ".join(map(str, value)) if isinstance(value, tuple) else value


def results_json(evaluation: Evaluation, earlier: Evaluation | None) -> str:
    """The whole evaluation as JSON, its figures first."""
    value: Mapping[str, object] = {
        **evaluation_json(evaluation, earlier),
        "results": [result_json(result) for result in evaluation.results],
    }
    return json.dumps(value, ensure_ascii=False, indent=1)


def show_result_table(results: Sequence[QuestionResult]) -> None:
    """The results as a table that can be sorted."""
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
