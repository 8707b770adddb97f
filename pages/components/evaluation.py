"""A question set run by the agent or by search alone: start, progress, results, comparison."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import altair
import streamlit as st

from core.agent import budget_of
from core.answers import CHECK_MARKS
from core.choices import Mode
from core.errors import ReadError
from core.evaluation import (
    Evaluation,
    EvaluationText,
    KeyedQuestion,
    Method,
    QuestionResult,
    RunnerContext,
    make_agent_runner,
    make_search_runner,
    read_questions,
    select_held,
)
from core.library import Library
from core.markdown_escape import escape_markdown
from core.sanitize import strip_control_characters
from pages.components import address, services
from pages.components.dates import format_time
from pages.components.sidebar import MODES
from pages.components.uploads import offer_samples
from pages.components.widgets import (
    choose_one,
    confirm_removal,
    count_row,
    icon_button,
    offer_download,
    outcome_badge,
    paginate,
    select_one,
    show_failures,
)
from pages.components.words import language, say, say_each

SHARES = altair.Scale(domain=[0, 100])
"""Percent: of two evaluations the same length is the same share."""
RISE_COLORS: dict[bool | None, Literal["normal", "inverse", "off"]] = {
    True: "normal",
    False: "inverse",
    None: "off",
}
"""How a change is coloured, by whether a rise is better."""
METHODS: tuple[Method, ...] = ("agent", "search")
EXAMPLE = Path(__file__).parents[2] / "data" / "samples" / "questions.csv"


def choose_question_set(library: Library) -> tuple[str, tuple[KeyedQuestion, ...]] | None:
    """The chosen question set and its name; None if there is none or it cannot be read."""
    own = st.file_uploader(say("set-file"), ["csv", "jsonl", "json", "txt"], max_upload_size=5)
    with st.expander(say("set-help"), icon=":material/help:"):
        st.markdown(say("set-format"))
        start = EXAMPLE.read_text(encoding="utf-8").splitlines()[:4]
        st.code("\n".join(start), language=None, wrap_lines=True)
        offer_download(say("set-example"), EXAMPLE.name, EXAMPLE.read_bytes)
    if own:
        name, data = own.name, own.getvalue()
    elif not st.checkbox(say("set-use-example"), key="example-set"):
        return None
    elif not library.has_samples:
        st.info(say("set-lacks-samples"))
        offer_samples(library)
        return None
    else:
        name, data = EXAMPLE.name, EXAMPLE.read_bytes()
    held: tuple[KeyedQuestion, ...] = ()
    with show_failures(ReadError):
        questions = read_questions(data, name)
        held = select_held(questions, library.documents())
        if left := len(questions) - len(held):
            st.caption(say("set-not-held", count=left))
    return (name, held) if held else None


def start_evaluation(
    name: str, questions: tuple[KeyedQuestion, ...], method: Method, mode: Mode
) -> None:
    library, worker = services.get_library(), services.get_evaluation_worker()
    if method == "search":
        runner = make_search_runner(library, worker.stopping)
    else:
        chats = services.get_conversations(batch=True)
        budget = budget_of(services.get_settings(), mode)
        title = say("evaluation-title", name=name)
        context = RunnerContext(services.make_agent(), library, chats, budget, title)
        runner = make_agent_runner(context, worker.stopping)
    worker.start(Evaluation.start(name, method, len(questions)), questions, runner)


def evaluation_label(evaluation: Evaluation) -> str:
    """An evaluation on one line: its time, set, method, and how far it got."""
    time = format_time(evaluation.started_at)
    return strip_control_characters(
        EvaluationText(language()).describe_evaluation(evaluation, time)
    )


def show_metrics(evaluation: Evaluation, earlier: Evaluation | None) -> None:
    """Draw the metrics of an evaluation, each with its change since an earlier one.

    The change is that of the questions in both.
    """
    with st.container(horizontal=True):
        for line in EvaluationText(language()).list_metrics(evaluation, earlier):
            st.metric(
                line.label,
                line.value,
                line.change,
                delta_color=RISE_COLORS[line.rise_is_better],
                delta_arrow="off" if line.is_same else "auto",
                help=line.about,
                width=150,
            )
    if earlier:
        label = escape_markdown(evaluation_label(earlier))
        count = len(evaluation.pair_results(earlier))
        st.caption(say("evaluation-changes", evaluation=label, count=count))


def show_result(result: QuestionResult) -> None:
    """Draw a result as its question, which opens its run, with its outcome and figures."""
    label = f"{CHECK_MARKS[result.is_right]} {escape_markdown(result.question)}"
    key = f"result-{result.line}"
    with st.container(gap=None):
        if result.run_id is None:
            st.markdown(label)
        elif st.button(label, key=key, type="tertiary", wrap=True, help=say("result-open")):
            st.switch_page("runs.py", query_params={address.RUN: result.run_id})
        badge = f"{outcome_badge(result.outcome)} " if result.outcome else ""
        facts = escape_markdown(" · ".join(EvaluationText(language()).list_facts(result)))
        st.markdown(f"{badge}:small[:gray[{facts}]]")
        if result.error:
            st.caption(escape_markdown(result.error))


def show_plot(evaluation: Evaluation, earlier: Evaluation | None) -> None:
    """Draw the shares of an evaluation as bars, beside those of an earlier one if there is one."""
    bars: list[dict[str, str | int]] = [
        {"metric": name, "share": percent, "of": evaluation_label(one)}
        for one in filter(None, (evaluation, earlier))
        for name, percent in EvaluationText(language()).list_shares(one)
    ]
    if not bars:
        return
    about = ", ".join(say("plot-bar", metric=b["metric"], share=b["share"]) for b in bars)
    axis = altair.Axis(values=list(range(0, 101, 20)))
    legend = altair.Legend(orient="top", direction="vertical", labelLimit=0)
    which = altair.Color("of:N", title=None, sort=None, legend=legend)
    chart = altair.Chart({"values": bars}).mark_bar()
    chart = chart.encode(
        x=altair.X("share:Q", title=say("plot-share"), scale=SHARES, axis=axis),
        y=altair.Y("metric:N", title=None, sort=None, axis=altair.Axis(labelLimit=0)),
        yOffset=altair.YOffset("of:N", sort=None),
        color=which,
    )
    st.altair_chart(chart, alt=about)


@st.fragment(run_every=1.0)
def show_progress() -> None:
    """Draw the progress, once a second."""
    worker = services.get_evaluation_worker()
    evaluation = worker.evaluation
    if evaluation is None or not worker.is_running:
        st.rerun()
    done, total = len(evaluation.results), evaluation.questions
    name = escape_markdown(evaluation.name)
    text = say("evaluation-progress", name=name, done=done, count=total)
    st.progress(done / total, text=text)
    stopping = worker.stopping.is_set()
    label = say("evaluation-stopping" if stopping else "evaluation-stop")
    icon_button(label, "stop", worker.stop, disabled=stopping, quiet=False)
    if evaluation.results:
        show_metrics(evaluation, None)


def show_start(library: Library) -> None:
    """Draw a choice of a question set and of what to test with it."""
    chosen = choose_question_set(library)
    methods = say_each("evaluation-method-", METHODS)
    method = choose_one(say("evaluation-test-with"), methods, "method")
    mode: Mode = "standard"
    if method == "agent":
        names, look = say_each("mode-", MODES), {"default": "standard"}
        mode = choose_one(say("thoroughness"), names, "evaluation-mode", **look)
        if not services.get_settings().is_offline:
            st.caption(say("evaluation-costs"))
    label = say("evaluation-run-none")
    if chosen:
        label = say("evaluation-run", count=len(chosen[1]))
    if icon_button(label, "play_arrow", disabled=chosen is None, quiet=False) and chosen:
        start_evaluation(*chosen, method, mode)
        st.rerun()


def choose_evaluations(by_id: Mapping[str, Evaluation]) -> tuple[Evaluation, Evaluation | None]:
    """Draw the choice of an evaluation, and of another to compare it with."""
    names = {key: evaluation_label(one) for key, one in by_id.items()}
    key = f"evaluation-{next(iter(by_id))}"  # a new evaluation becomes the chosen one
    chosen = select_one(say("evaluation"), names, key=key)
    before = by_id[chosen].find_earlier(list(by_id.values()))
    others: dict[str | None, str] = {None: say("evaluation-no-other")}
    others |= {key: name for key, name in names.items() if key != chosen}
    place = list(others).index(before.evaluation_id) if before else 0
    label = say("evaluation-compared")
    earlier = select_one(label, others, index=place, key=f"earlier-{chosen}")
    return by_id[chosen], by_id[earlier] if earlier else None


def show_results(evaluation: Evaluation, earlier: Evaluation | None) -> None:
    """Draw the metrics, their plot, and the results of the questions."""
    show_metrics(evaluation, earlier)
    show_plot(evaluation, earlier)
    filters = say_each("evaluation-show-", Evaluation.list_filters(earlier))
    results = evaluation.filter_results(earlier, choose_one(say("show"), filters, "look"))
    total = language().format_number(len(evaluation.results))
    with count_row(say("evaluation-shown", count=len(results), total=total)):
        offer_download("CSV", "evaluation.csv", lambda: evaluation.format_csv())
        if confirm_removal(say("evaluation-remove"), "remove-evaluation"):
            services.get_evaluations().remove_evaluation(evaluation.evaluation_id)
            st.rerun()
    for result in paginate(results, "results-page"):
        show_result(result)


def evaluate() -> None:
    """Draw the start of an evaluation or its progress, and the results of earlier ones."""
    library, worker = services.get_library(), services.get_evaluation_worker()
    if not library.documents():
        st.info(say("library-empty"))
        offer_samples(library)
        return
    if worker.is_running:
        show_progress()
        st.caption(say("evaluation-leave"))
    else:
        if worker.trouble:
            st.warning(escape_markdown(worker.trouble))
        show_start(library)
    by_id = worker.load_finished_evaluations()
    if not by_id:
        st.info(say("evaluation-none"))
        return
    st.subheader(say("evaluation-results"), anchor=False)
    show_results(*choose_evaluations(by_id))
