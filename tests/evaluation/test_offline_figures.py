"""How well the offline model answers questions on the samples: figures that must not fall."""

from collections import Counter
from threading import Event

import pytest

from core.agent.loop import Agent
from core.agent.models.offline.model import OfflineModel
from core.agent.types import RunBudget
from core.chats.conversations import Conversations
from core.evaluation.questions import read_questions
from core.evaluation.runner import (
    Evaluation,
    EvaluationStore,
    RunnerContext,
    make_agent_runner,
    run_evaluation,
)
from core.library.storage.library import Library
from tests.made_once import SAMPLES

pytestmark = pytest.mark.slow

QUESTIONS = read_questions((SAMPLES / "hard_questions.csv").read_bytes(), "hard_questions.csv")

# Of 36 questions that rules answer and 24 that none does, by words and meaning: 14 right and
# accepted, 29 right, 23 refused rightly and 6 of these outright, 1 wrong and accepted. When answers
# improve, raise the floors and lower the ceiling.
RIGHT_ACCEPTED = 13
RIGHT = 28
REFUSED_RIGHTLY = 23
REFUSED_OUTRIGHT = 5
WRONG_ACCEPTED = 1


@pytest.fixture(scope="module")
def done(samples, tmp_path_factory) -> Evaluation:
    """The set put to the offline model, once."""
    folder, library = tmp_path_factory.mktemp("figures"), Library(samples, "hybrid")
    chats = Conversations(f"sqlite:///{folder / 'chats.db'}")
    means = RunnerContext(
        Agent(library, OfflineModel()), library, chats, RunBudget(), "Hard questions"
    )
    kept = EvaluationStore(folder / "evaluations")
    evaluation = Evaluation.start("hard_questions.csv", "agent", len(QUESTIONS))
    *_, done = run_evaluation(evaluation, QUESTIONS, make_agent_runner(means, Event()), kept)
    assert not [result.error for result in done.results if result.error]
    return done


@pytest.fixture(scope="module")
def came(done) -> Counter:
    return Counter(result.kind for result in done.results)


def told(done: Evaluation, *findings: str) -> str:
    """The questions that came to this, as a failure shows them."""
    of = (result for result in done.results if result.kind in findings)
    return "\n".join(
        f"{result.kind}: {result.question} ({result.outcome}, {result.score})" for result in of
    )


def test_no_more_is_wrong_and_accepted(done, came):
    assert came["wrong_accepted"] <= WRONG_ACCEPTED, told(done, "wrong_accepted")


def test_no_less_is_right_and_accepted(done, came):
    assert came["right_accepted"] >= RIGHT_ACCEPTED, told(
        done, "right_not_accepted", "missed", "wrong_accepted"
    )


def test_no_less_is_right_at_all(done, came):
    right = came["right_accepted"] + came["right_not_accepted"]
    assert right >= RIGHT, told(done, "missed", "wrong_accepted")


def test_no_less_is_refused(done, came):
    assert came["refused_rightly"] >= REFUSED_RIGHTLY, told(done, "wrong_accepted")
    outright = sum(bool(result.refused) for result in done.results if result.refusal)
    assert outright >= REFUSED_OUTRIGHT, told(done, "refused_rightly", "wrong_accepted")


def test_every_quote_stands(done):
    assert [result.question for result in done.results if result.standing != result.quotes] == []
