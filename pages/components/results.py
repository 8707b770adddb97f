"""An evaluation: its metrics compared with an earlier one, its results, and its files."""

from collections.abc import Callable, Sequence

import streamlit as st

from core.evaluation import (
    HIT_DEPTH,
    Evaluation,
    QuestionResult,
    classify_result,
    common_results,
    compute_metrics,
    is_right,
)
from core.markdown_escape import escape_markdown
from core.sanitize import strip_control_characters
from pages.components import address
from pages.components.dates import format_time
from pages.components.labels import CHECK_MARKS, outcome_badge
from pages.components.tables import show_rows
from pages.components.words import language, say

SHARES = (
    "hit_1",
    "hit_5",
    "cited",
    "standing",
    "right_accepted",
    "right_not_accepted",
    "wrong_accepted",
    "refused_rightly",
    "refused_wrongly",
)
"""Metrics that are shares."""
LOWER_IS_BETTER = ("wrong_accepted", "refused_wrongly", "failed", "cost", "seconds")
NEITHER_IS_BETTER = ("right_not_accepted",)
"""A lower value can mean that more was accepted, or that more is wrong."""


def metric_label(name: str) -> str:
    if name == "hit_5":
        return say("metric-hit_5", depth=HIT_DEPTH)
    return say(f"metric-{name}")


def evaluation_label(evaluation: Evaluation) -> str:
    """An evaluation on one line: its time, set, method, and how far it got."""
    name = strip_control_characters(evaluation.name)
    method = evaluation.model or say("evaluation-search-only")
    label = " · ".join((format_time(evaluation.started_at), name, method))
    if evaluation.is_complete:
        return label
    done = {"done": len(evaluation.results), "count": evaluation.questions}
    return say("evaluation-stopped", evaluation=label, **done)


FORMATS: dict[str, Callable[[float], str]] = {
    **dict.fromkeys(SHARES, language().format_share),
    "score": lambda score: language().format_number(score, "0.0"),
    "cost": lambda cost: f"${language().format_number(cost, '0.00')}",
    "seconds": language().format_seconds,
    "failed": language().format_number,
}
"""The metrics that are shown, and how."""


def show_metrics(evaluation: Evaluation, earlier: Evaluation | None) -> None:
    """Draw the metrics of an evaluation, each with its change since an earlier one.

    The change is that of the questions in both.
    """
    metrics = compute_metrics(evaluation.results)
    pairs = common_results(evaluation, earlier) if earlier else ()
    both = [compute_metrics(results) for results in zip(*pairs, strict=True)]
    with st.container(horizontal=True):
        for name in FORMATS:
            value = getattr(metrics, name)
            if value or (value is not None and name not in ("cost", "failed")):
                _show_metric(name, value, [getattr(side, name) for side in both])
    if earlier:
        label = escape_markdown(evaluation_label(earlier))
        st.caption(say("evaluation-changes", evaluation=label, count=len(pairs)))


def _show_metric(name: str, value: float, now_and_then: Sequence[float | None]) -> None:
    format_value, change, improves = FORMATS[name], None, "normal"
    known = [one for one in now_and_then if one is not None]
    if len(known) == 2:
        now, then = known
        size = format_value(abs(now - then))
        is_same = size == format_value(0.0)
        change = say("metric-same") if is_same else f"{'-' if now < then else '+'}{size}"
        improves = "inverse" if name in LOWER_IS_BETTER else "normal"
        improves = "off" if is_same or name in NEITHER_IS_BETTER else improves
    st.metric(
        metric_label(name),
        format_value(value),
        change,
        delta_color=improves,
        delta_arrow="off" if change == say("metric-same") else "auto",
        help=say(f"metric-{name}-about"),
        width=150,
    )


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
        facts = escape_markdown(" · ".join(_result_facts(result)))
        st.markdown(f"{badge}:small[:gray[{facts}]]")
        if result.error:
            st.caption(escape_markdown(result.error))


def _result_facts(result: QuestionResult) -> list[str]:
    facts = [say("fact-line", line=result.line)]
    if found := classify_result(result):
        facts.append(say(f"result-{found}"))
    if result.refusal:
        facts.append(say("fact-no-rule"))
    if result.articles:
        facts.append(_expectation(result))
    if result.cited is not None:
        facts.append(say("fact-cited" if result.cited else "fact-not-cited"))
    if result.said is not None:
        words = ", ".join(say("quoted", words=said) for said in result.says)
        facts.append(say("fact-quoted" if result.said else "fact-not-quoted", words=words))
    if result.quotes:
        facts.append(say("fact-stand", standing=result.standing, count=result.quotes))
    if result.score is not None:
        facts.append(language().format_score(result.score))
    if result.cost:
        facts.append(language().format_cost(result.cost))
    return [*facts, language().format_seconds(result.seconds)]


def _expectation(result: QuestionResult) -> str:
    """The expected articles, and where the first of them was found."""
    articles = ", ".join(result.articles)
    place = say("fact-not-among", depth=HIT_DEPTH)
    if result.rank:
        place = say("fact-at-place", rank=result.rank)
    if not result.answer_season:
        return say("fact-expected", articles=articles, place=place)
    season = str(result.answer_season)
    return say("fact-expected-season", articles=articles, season=season, place=place)


def show_result_table(results: Sequence[QuestionResult]) -> None:
    """Draw the results as a table that can be sorted."""
    rows = (
        {
            "line": result.line,
            "question": result.question,
            "expected": say("fact-none") if result.refusal else ", ".join(result.articles),
            "found": ", ".join(result.found),
            "place": result.rank,
            "cited": result.cited,
            "quotes": result.quotes,
            "standing": result.standing,
            "outcome": say(f"outcome-{result.outcome}") if result.outcome else None,
            "result": say(f"result-{found}") if (found := classify_result(result)) else None,
            "score": result.score,
            "seconds": result.seconds,
        }
        for result in results
    )
    show_rows(rows, say("evaluation-results-table"))
