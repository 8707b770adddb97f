"""A question set put to the agent or to search alone: started, watched, stopped, and compared with an earlier one."""

from pathlib import Path

import streamlit as st

from core.agent.budget import limits_of
from core.errors import ReadError
from core.evaluation.metrics import earlier_of
from core.evaluation.questions import Question, read_questions
from core.evaluation.runner import Means, by_agent, by_search, new_evaluation
from pages.components import services as resources
from pages.components import state
from pages.components.labels import amount, grouped
from pages.components.pagination import turned_to
from pages.components.results import (
    looked_at,
    name_of,
    results_csv,
    results_json,
    show_figures,
    show_result,
    table,
)
from pages.components.sidebar import MODES
from pages.components.text import plain
from pages.components.uploads import lacks_samples, offer_samples

EXAMPLE = Path(__file__).parents[1] / "data" / "samples" / "questions.csv"
METHODS = {"agent": "The agent", "search": "Search alone"}
LOOKS = {
    "all": "All",
    "missed": "Not right",
    "wrong": "Wrong, accepted",
    "worse": "Worse than before",
    "better": "Better than before",
}

settings = resources.settings()
library = resources.library()
kept = resources.evaluations()
work = resources.evaluating()


def question_set() -> tuple[str, tuple[Question, ...]] | None:
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
        st.error(plain(error.message), icon=":material/error:")
        return None


def begin(name: str, questions: tuple[Question, ...], method: str, mode: str) -> None:
    """Start the work; it goes on when the page is left."""
    if method == "search":
        work.start(
            new_evaluation(name, "search", questions), questions, by_search(library, work.stopping)
        )
        return
    limits = limits_of(settings, mode)
    chats = resources.conversations(in_a_row=True)
    means = Means(resources.agent(), library, chats, limits, f"Evaluation of {name}")
    work.start(new_evaluation(name, "agent", questions), questions, by_agent(means, work.stopping))


@st.fragment(run_every=1.0)
def watch() -> None:
    """How far the work has come, once a second."""
    evaluation = work.evaluation
    if evaluation is None or not work.running:
        st.rerun()
    done, of = len(evaluation.results), evaluation.questions
    st.progress(done / of, text=f"{plain(evaluation.name)}: {done} of {amount(of, 'question')}")
    stopping = work.stopping.is_set()
    st.button(
        "Stopping" if stopping else "Stop the evaluation",
        icon=":material/stop:",
        on_click=work.stop,
        disabled=stopping,
    )
    if evaluation.results:
        show_figures(evaluation, None)


st.title("Evaluate", anchor=False)
if not library.documents():
    st.info(
        "The library is empty. Add a rulebook (PDF) on the page Library, then put questions to it here."
    )
    offer_samples(library)
    st.stop()

if work.running:
    watch()
    st.caption(
        "It goes on when you leave this page. What it has come to is kept, question by question."
    )
else:
    if work.trouble:
        st.warning(plain(work.trouble))
    chosen = question_set()
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
        if not settings.offline:
            st.caption("Each question is a run, and costs what it would cost in the chat.")
    label = f"Put {amount(len(chosen[1]), 'question')}" if chosen else "Put the questions"
    if st.button(label, icon=":material/play_arrow:", disabled=chosen is None) and chosen:
        begin(*chosen, method, mode)
        st.rerun()

evaluations = [evaluation for evaluation in kept.all() if evaluation.results]
if work.running and work.evaluation:
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
        format_func=lambda key: name_of(by_id[key]),
        key=state.evaluation_key(evaluations[0].evaluation_id),
    )
]
before = earlier_of(evaluation, evaluations)
others = [None, *(key for key in by_id if key != evaluation.evaluation_id)]
compared = st.selectbox(
    "Compared with",
    others,
    others.index(before.evaluation_id) if before else 0,
    format_func=lambda key: name_of(by_id[key]) if key else "No other",
    key=state.earlier_key(evaluation.evaluation_id),
)
earlier = by_id[compared] if compared else None
show_figures(evaluation, earlier)
looks = [look for look in LOOKS if earlier or look in ("all", "missed", "wrong")]
look = st.segmented_control(
    "Show", looks, default="all", required=True, format_func=LOOKS.get, key=state.LOOK
)
results = looked_at(evaluation, earlier, look)
with st.container(horizontal=True, vertical_alignment="center"):
    st.markdown(
        f"**{amount(len(results), 'result')} of {grouped(len(evaluation.results))}**",
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
            kept.remove(evaluation.evaluation_id)
            st.rerun()
for result in turned_to(results, state.RESULT_PAGE):
    show_result(result)
with st.expander("As a table", icon=":material/table:"):
    table(results)
