"""An evaluation as it is shown: its figures beside those of an earlier one, and a line for each result."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import streamlit as st

from core.evaluation.findings import FINDINGS, finding, grade, result_json, right
from core.evaluation.metrics import Figures, evaluation_json, figures, in_common
from core.evaluation.runner import FIRST, Evaluation, Result
from core.sanitize import visible
from pages.components import state
from pages.components.dates import moment
from pages.components.labels import MARKS, amount, badge, money, seconds
from pages.components.spreadsheet import csv_file
from pages.components.tables import literal
from pages.components.text import plain

Look = Literal["all", "missed", "wrong", "worse", "better"]
SHARES = {
    "hit_1": ("Expected article first", "Of questions with expected articles."),
    "hit_5": (f"Among the first {FIRST}", "An expected article is among the first clauses found."),
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
Told = tuple[Figures, tuple[Figures, Figures] | None]
"""The figures of all results, and those now and then of the questions that an earlier evaluation put too."""
LOWER_IS_BETTER = ("wrong_accepted", "refused_wrongly", "failed", "cost", "seconds")
NEITHER_IS_BETTER = ("right_not_accepted",)
"""What goes down may have been accepted since, or got wrong."""


def name_of(evaluation: Evaluation) -> str:
    """An evaluation in a line, to choose it by."""
    done = (
        ""
        if evaluation.complete
        else f", stopped at {len(evaluation.results)} of {evaluation.questions}"
    )
    by = evaluation.model or "search alone"
    return f"{moment(evaluation.started_at)} · {visible(evaluation.name)} · {by}{done}"


def show_figures(evaluation: Evaluation, earlier: Evaluation | None) -> None:
    """Draw what the results come to, each figure with its change against an earlier evaluation."""
    told = figures(evaluation.results)
    pairs = in_common(evaluation, earlier) if earlier else ()
    both = (
        (figures([now for now, _ in pairs]), figures([then for _, then in pairs]))
        if pairs
        else None
    )
    with st.container(horizontal=True):
        for name, (label, about) in SHARES.items():
            _metric(label, (told, both), name, "{:.0%}".format, about)
        _metric("Score", (told, both), "score", "{:.1f}".format, "Mean of what was scored, of 10.")
        if told.cost:
            _metric("Cost", (told, both), "cost", "${:.2f}".format, "All questions together.")
        _metric("Time a question", (told, both), "seconds", seconds, "In the mean.")
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
            f"Below each figure, how it has changed since {plain(name_of(earlier))}:"
            f" on the {amount(len(pairs), 'question')} of both."
        )


def _metric(label: str, told: Told, name: str, said: Callable[[float], str], about: str) -> None:
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


def looked_at(evaluation: Evaluation, earlier: Evaluation | None, look: Look) -> list[Result]:
    """The results that one wants to see."""
    if look == "all":
        return list(evaluation.results)
    if look == "missed":
        return [result for result in evaluation.results if not right(result)]
    if look == "wrong":
        return [result for result in evaluation.results if finding(result) == "wrong_accepted"]
    pairs = in_common(evaluation, earlier) if earlier else ()
    if look == "better":
        return [now for now, then in pairs if grade(now) > grade(then)]
    return [now for now, then in pairs if grade(now) < grade(then)]


def show_result(result: Result) -> None:
    """Draw a result as its question, which opens its run, and what came of it."""
    with st.container(gap=None):
        if result.run_id is None:
            st.markdown(f"{MARKS[right(result)]} {plain(result.question)}")
        elif st.button(
            f"{MARKS[right(result)]} {plain(result.question)}",
            key=f"result-{result.line}",
            type="tertiary",
            wrap=True,
            help="Opens the run.",
        ):
            st.switch_page("runs.py", query_params=state.run_address(result.run_id))
        word = f"{badge(result.outcome)} " if result.outcome else ""
        st.markdown(f"{word}:small[:gray[{plain(' · '.join(_facts(result)))}]]")
        if result.error:
            st.caption(plain(result.error))


def _facts(result: Result) -> list[str]:
    facts = [f"line {result.line}"]
    if found := finding(result):
        facts.append(FINDINGS[found])
    if result.refusal:
        facts.append("no rule answers it")
    if result.articles:
        place = f"at place {result.rank}" if result.rank else f"not among the first {FIRST}"
        season = f" of {result.answer_season}" if result.answer_season else ""
        facts += [f"expected {', '.join(result.articles)}{season}: {place}"]
    if result.cited is not None:
        facts.append("cited" if result.cited else "not cited")
    if result.said is not None:
        facts.append(f"“{'”, “'.join(result.says)}” {'quoted' if result.said else 'not quoted'}")
    if result.quotes:
        facts.append(f"{result.standing} of {amount(result.quotes, 'quote')} stand")
    if result.score is not None:
        facts.append(f"{result.score:.1f}/10")
    if result.cost:
        facts.append(money(result.cost).replace("\\", ""))
    return [*facts, seconds(result.seconds)]


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


def table(results: Sequence[Result]) -> None:
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
            "Came to": FINDINGS[found] if (found := finding(result)) else None,
            "Score": result.score,
            "Seconds": result.seconds,
        }
        for result in results
    ]
    st.dataframe(literal(rows), hide_index=True, alt="Results of the evaluation")
