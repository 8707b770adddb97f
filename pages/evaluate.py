"""A question set put to the agent or to search alone: started, watched, stopped, and compared with an earlier one."""

from pathlib import Path

import streamlit as st

from core.agent import limits_of
from core.errors import ReadError
from core.evaluation import (
    Question,
    RunnerContext,
    find_earlier_evaluation,
    make_agent_runner,
    make_search_runner,
    new_evaluation,
    read_questions,
)
from pages.components import services, state
from pages.components.labels import format_count, format_number
from pages.components.pagination import paginate
from pages.components.results import (
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

EXAMPLE = Path(__file__).parents[1] / "data" / "samples" / "questions.csv"
METHODS = {"agent": "The agent", "search": "Search alone"}
RESULT_FILTERS = {
    "all": "All",
    "missed": "Not right",
    "wrong": "Wrong, accepted",
    "worse": "Worse than before",
    "better": "Better than before",
}

settings = services.get_settings()
library = services.get_library()
kept = services.get_evaluations()
work = services.get_evaluation_worker()


def choose_question_set() -> tuple[str, tuple[Question, ...]] | None:
    """The set that the person has chosen, with its name; None where there is none yet, or it is no good."""
    own = st.file_uploader(
        "Question set (CSV or JSON Lines)", ["csv", "jsonl", "json", "txt"], max_upload_size=5
    )
    with st.expander("What a question set looks like", icon=":material/help:"):
        st.markdown(
            "A header and a question a line. `articles` are those that answer it, parted by `;`: any one will do."
            " `none` says that no rule answers the question: it should be refused or left to a person, and no answer"
            " may be accepted. The rest may be left out. `season` and `document` (a label, a file, an id or a family)"
            " set the scope. `says` are words that the quotes of these articles must hold, parted by `;`: all of them;"
            " `legal`, `not legal` and `cannot tell` stand for the verdict of a check. `answer_season` is the"
            " season that they must be of, where the question itself has to lead there. In JSON Lines each line is an"
            " object with these names."
        )
        st.code(
            "\n".join(EXAMPLE.read_text(encoding="utf-8").splitlines()[:4]),
            language=None,
            wrap_lines=True,
        )
        st.download_button(
            "Example", EXAMPLE.read_bytes, EXAMPLE.name, "text/csv", on_click="ignore"
        )
    example = not own and st.checkbox(
        "Use the example, on the sample rulebooks", key=state.EXAMPLE_SET
    )
    if not own and not example:
        return None
    if example and lacks_samples(library.documents()):
        st.info("The example asks about the sample rulebooks, and the library lacks some of them.")
        offer_samples(library)
        return None
    name, data = (own.name, own.getvalue()) if own else (EXAMPLE.name, EXAMPLE.read_bytes())
    try:
        return name, read_questions(data, name)
    except ReadError as error:
        st.error(escape_markdown(error.message), icon=":material/error:")
        return None


def start_evaluation(name: str, questions: tuple[Question, ...], method: str, mode: str) -> None:
    """Start the work; it goes on when the page is left."""
    if method == "search":
        work.start(
            new_evaluation(name, "search", questions),
            questions,
            make_search_runner(library, work.stopping),
        )
        return
    limits = limits_of(settings, mode)
    chats = services.get_conversations(in_a_row=True)
    means = RunnerContext(services.make_agent(), library, chats, limits, f"Evaluation of {name}")
    work.start(
        new_evaluation(name, "agent", questions), questions, make_agent_runner(means, work.stopping)
    )


@st.fragment(run_every=1.0)
def show_progress() -> None:
    """How far the work has come, once a second."""
    evaluation = work.evaluation
    if evaluation is None or not work.is_running:
        st.rerun()
    done, of = len(evaluation.results), evaluation.questions
    st.progress(
        done / of,
        text=f"{escape_markdown(evaluation.name)}: {done} of {format_count(of, 'question')}",
    )
    stopping = work.stopping.is_set()
    st.button(
        "Stopping" if stopping else "Stop the evaluation",
        icon=":material/stop:",
        on_click=work.stop,
        disabled=stopping,
    )
    if evaluation.results:
        show_metrics(evaluation, None)


st.title("Evaluate", anchor=False)
if not library.documents():
    st.info(
        "The library is empty. Add a rulebook (PDF) on the page Library, then put questions to it here."
    )
    offer_samples(library)
    st.stop()

if work.is_running:
    show_progress()
    st.caption(
        "It goes on when you leave this page. What it has come to is kept, question by question."
    )
else:
    if work.trouble:
        st.warning(escape_markdown(work.trouble))
    chosen = choose_question_set()
    method = st.segmented_control(
        "Put the questions to",
        list(METHODS),
        default="agent",
        required=True,
        format_func=METHODS.get,
        key=state.METHOD,
    )
    mode = "standard"
    if method == "agent":
        mode = st.segmented_control(
            "How far to go",
            list(MODES),
            default="standard",
            required=True,
            format_func=str.capitalize,
            key=state.EVALUATION_MODE,
        )
        if not settings.is_offline:
            st.caption("Each question is a run, and costs what it would cost in the chat.")
    label = f"Put {format_count(len(chosen[1]), 'question')}" if chosen else "Put the questions"
    if st.button(label, icon=":material/play_arrow:", disabled=chosen is None) and chosen:
        start_evaluation(*chosen, method, mode)
        st.rerun()

evaluations = [evaluation for evaluation in kept.load_all() if evaluation.results]
if work.is_running and work.evaluation:
    evaluations = [
        other for other in evaluations if other.evaluation_id != work.evaluation.evaluation_id
    ]
if not evaluations:
    st.info(
        "No evaluation yet. Choose a question set above, and see how many of its articles are found and cited."
    )
    st.stop()

st.subheader("Results", anchor=False)
by_id = {evaluation.evaluation_id: evaluation for evaluation in evaluations}
evaluation = by_id[
    st.selectbox(
        "Evaluation",
        list(by_id),
        format_func=lambda key: evaluation_label(by_id[key]),
        key=state.evaluation_key(evaluations[0].evaluation_id),
    )
]
before = find_earlier_evaluation(evaluation, evaluations)
others = [None, *(key for key in by_id if key != evaluation.evaluation_id)]
compared = st.selectbox(
    "Compared with",
    others,
    others.index(before.evaluation_id) if before else 0,
    format_func=lambda key: evaluation_label(by_id[key]) if key else "No other",
    key=state.earlier_key(evaluation.evaluation_id),
)
earlier = by_id[compared] if compared else None
show_metrics(evaluation, earlier)
looks = [look for look in RESULT_FILTERS if earlier or look in ("all", "missed", "wrong")]
look = st.segmented_control(
    "Show",
    looks,
    default="all",
    required=True,
    format_func=RESULT_FILTERS.get,
    key=state.RESULT_FILTER,
)
results = filter_results(evaluation, earlier, look)
with st.container(horizontal=True, vertical_alignment="center"):
    st.markdown(
        f"**{format_count(len(results), 'result')} of {format_number(len(evaluation.results))}**",
        width="content",
    )
    for name, kind, data in (
        ("CSV", "text/csv", lambda: results_csv(evaluation)),
        ("JSON", "application/json", lambda: results_json(evaluation, earlier)),
    ):
        st.download_button(
            name,
            data,
            f"evaluation.{name.lower()}",
            kind,
            icon=":material/download:",
            on_click="ignore",
        )
    with st.popover("Remove", icon=":material/delete:"):
        st.markdown("Forget this evaluation? Its runs stay in their chat.")
        if st.button("Yes, forget it"):
            kept.remove_evaluation(evaluation.evaluation_id)
            st.rerun()
for result in paginate(results, state.RESULT_PAGE):
    show_result(result)
with st.expander("As a table", icon=":material/table:"):
    show_result_table(results)
