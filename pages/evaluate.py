"""A question set run by the agent or by search alone: start, progress, results, comparison."""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from core.agent import Mode, limits_of
from core.errors import ReadError
from core.evaluation import (
    Evaluation,
    KeyedQuestion,
    RunnerContext,
    compute_metrics,
    find_earlier_evaluation,
    make_agent_runner,
    make_search_runner,
    new_evaluation,
    read_questions,
)
from core.library import Library
from pages.components import services, state
from pages.components.labels import format_count, format_number
from pages.components.pagination import paginate
from pages.components.results import (
    SHARES,
    evaluation_label,
    filter_results,
    results_csv,
    results_json,
    show_metrics,
    show_result,
    show_result_table,
)
from pages.components.sidebar import MODES
from pages.components.text import escape_markdown
from pages.components.uploads import lacks_samples, offer_samples
from pages.components.widgets import choose_one, icon_button, offer_download

EXAMPLE = Path(__file__).parents[1] / "data" / "samples" / "questions.csv"
FORMAT_HELP = """
A header and one question per line. `articles` are those that answer it, separated by `;`: any of
them will do. `none` says that no rule answers the question: it should be refused or left to a
person, and no answer may be accepted. All other columns are optional. `season` and `document` (a
label, a file, an id or a family) set the scope. `says` are words that the quotes of these articles
must contain, separated by `;`: all of them; `legal`, `not legal` and `cannot tell` are verdicts of
a check. `answer_season` is the season of the right articles, if the question itself has to lead to
it. In JSON Lines each line is an object with these names.
"""
METHODS = {"agent": "The agent", "search": "Search alone"}
RESULT_FILTERS = {"all": "All", "missed": "Not right", "wrong": "Wrong, accepted"}
COMPARISON_FILTERS = {"worse": "Worse than before", "better": "Better than before"}


def choose_question_set(library: Library) -> tuple[str, tuple[KeyedQuestion, ...]] | None:
    """The chosen question set and its name; None if there is none or it cannot be read."""
    own = st.file_uploader(
        "Question set (CSV or JSON Lines)", ["csv", "jsonl", "json", "txt"], max_upload_size=5
    )
    with st.expander("What a question set looks like", icon=":material/help:"):
        st.markdown(FORMAT_HELP)
        start = EXAMPLE.read_text(encoding="utf-8").splitlines()[:4]
        st.code("\n".join(start), language=None, wrap_lines=True)
        offer_download("Example", EXAMPLE.name, EXAMPLE.read_bytes)
    if own:
        name, data = own.name, own.getvalue()
    elif not st.checkbox("Use the example, on the sample rulebooks", key=state.EXAMPLE_SET):
        return None
    elif lacks_samples(library.documents()):
        st.info("The example asks about the sample rulebooks, and the library lacks some of them.")
        offer_samples(library)
        return None
    else:
        name, data = EXAMPLE.name, EXAMPLE.read_bytes()
    try:
        return name, read_questions(data, name)
    except ReadError as error:
        st.error(escape_markdown(error.message), icon=":material/error:")
        return None


def start_evaluation(
    name: str, questions: tuple[KeyedQuestion, ...], method: str, mode: Mode
) -> None:
    library, worker = services.get_library(), services.get_evaluation_worker()
    if method == "search":
        runner = make_search_runner(library, worker.stopping)
    else:
        chats, limits = (
            services.get_conversations(batch=True),
            limits_of(services.get_settings(), mode),
        )
        agent, title = services.make_agent(), f"Evaluation of {name}"
        context = RunnerContext(agent, library, chats, limits, title)
        runner = make_agent_runner(context, worker.stopping)
    worker.start(new_evaluation(name, method, questions), questions, runner)


def show_plot(evaluation: Evaluation, earlier: Evaluation | None) -> None:
    """Draw the shares of an evaluation as bars, beside those of an earlier one if there is one."""
    bars = [
        {"Metric": label, "Share in %": round(100 * value), "Evaluation": evaluation_label(one)}
        for one in filter(None, (evaluation, earlier))
        for name, (label, _) in SHARES.items()
        if (value := getattr(compute_metrics(one.results), name)) is not None
    ]
    if bars:
        about = ", ".join(f"{bar['Metric']} {bar['Share in %']} %" for bar in bars)
        st.bar_chart(
            bars,
            x="Metric",
            y="Share in %",
            y_label="",
            color="Evaluation",
            horizontal=True,
            sort=False,
            stack=False,
            alt=about,
        )


@st.fragment(run_every=1.0)
def show_progress() -> None:
    """Draw the progress, once a second."""
    worker = services.get_evaluation_worker()
    evaluation = worker.evaluation
    if evaluation is None or not worker.is_running:
        st.rerun()
    done, total = len(evaluation.results), evaluation.questions
    name = escape_markdown(evaluation.name)
    st.progress(done / total, text=f"{name}: {done} of {format_count(total, 'question')}")
    stopping = worker.stopping.is_set()
    label = "Stopping" if stopping else "Stop the evaluation"
    icon_button(label, "stop", worker.stop, disabled=stopping, quiet=False)
    if evaluation.results:
        show_metrics(evaluation, None)


def show_start(library: Library) -> None:
    """Draw a choice of a question set and of what to test with it."""
    chosen = choose_question_set(library)
    method = choose_one("Test with", METHODS, state.METHOD)
    mode: Mode = "standard"
    if method == "agent":
        names = {mode: mode.capitalize() for mode in MODES}
        mode = choose_one("Thoroughness", names, state.EVALUATION_MODE, default="standard")
        if not services.get_settings().is_offline:
            st.caption("Each question is a run, and costs what it would cost in the chat.")
    label = f"Run {format_count(len(chosen[1]), 'question')}" if chosen else "Run the questions"
    if icon_button(label, "play_arrow", disabled=chosen is None, quiet=False) and chosen:
        start_evaluation(*chosen, method, mode)
        st.rerun()


def choose_evaluations(by_id: Mapping[str, Evaluation]) -> tuple[Evaluation, Evaluation | None]:
    """Draw the choice of an evaluation, and of another to compare it with."""
    chosen = st.selectbox(
        "Evaluation",
        list(by_id),
        format_func=lambda key: evaluation_label(by_id[key]),
        key=f"evaluation-{next(iter(by_id))}",  # a new evaluation becomes the chosen one
    )
    before = find_earlier_evaluation(by_id[chosen], list(by_id.values()))
    others = [None, *(key for key in by_id if key != chosen)]
    earlier = st.selectbox(
        "Compared with",
        others,
        others.index(before.evaluation_id) if before else 0,
        format_func=lambda key: evaluation_label(by_id[key]) if key else "No other",
        key=f"earlier-{chosen}",
    )
    return by_id[chosen], by_id[earlier] if earlier else None


def show_results(evaluation: Evaluation, earlier: Evaluation | None) -> None:
    """Draw the metrics, their plot, and the results of the questions."""
    show_metrics(evaluation, earlier)
    show_plot(evaluation, earlier)
    filters = RESULT_FILTERS | (COMPARISON_FILTERS if earlier else {})
    results = filter_results(evaluation, earlier, choose_one("Show", filters, state.RESULT_FILTER))
    with st.container(horizontal=True, vertical_alignment="center"):
        total = format_number(len(evaluation.results))
        st.markdown(f"**{format_count(len(results), 'result')} of {total}**", width="content")
        offer_download("CSV", "evaluation.csv", lambda: results_csv(evaluation))
        offer_download("JSON", "evaluation.json", lambda: results_json(evaluation, earlier))
        with st.popover("Remove", icon=":material/delete:"):
            st.markdown("Remove this evaluation? Its runs stay in their chat.")
            if st.button("Yes, remove it"):
                services.get_evaluations().remove_evaluation(evaluation.evaluation_id)
                st.rerun()
    for result in paginate(results, state.RESULT_PAGE):
        show_result(result)
    with st.expander("As a table", icon=":material/table:"):
        show_result_table(results)


def evaluate() -> None:
    st.title("Evaluate", anchor=False)
    library, worker = services.get_library(), services.get_evaluation_worker()
    if not library.documents():
        st.info(
            "The library is empty. Add a rulebook (PDF) on the page Library, then test it here."
        )
        offer_samples(library)
        return
    if worker.is_running:
        show_progress()
        st.caption("You can leave this page. Each result is kept as soon as it is there.")
    else:
        if worker.trouble:
            st.warning(escape_markdown(worker.trouble))
        show_start(library)
    current = worker.evaluation.evaluation_id if worker.is_running and worker.evaluation else None
    by_id = {
        one.evaluation_id: one
        for one in services.get_evaluations().load_all()
        if one.results and one.evaluation_id != current
    }
    if not by_id:
        st.info(
            "No evaluation yet. Choose a question set above to see how many of its articles are"
            " found and cited."
        )
        return
    st.subheader("Results", anchor=False)
    show_results(*choose_evaluations(by_id))


evaluate()
