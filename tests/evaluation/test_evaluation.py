"""Evaluations over a real library: run, stopped, saved, compared, and on the command line."""

import json
import os
from dataclasses import replace
from threading import Event

import pytest
from typer.testing import CliRunner

from core.agent.loop import Agent
from core.agent.models.offline.model import OfflineModel
from core.agent.types import RunBudget
from core.chats.conversations import Conversations
from core.cli.app import app
from core.errors import ScrutineerError
from core.evaluation import Evaluation
from core.evaluation.background import BackgroundEvaluation
from core.evaluation.questions import KeyedQuestion, read_questions
from core.evaluation.results import compute_metrics
from core.evaluation.runner import (
    EvaluationStore,
    RunnerContext,
    make_agent_runner,
    make_search_runner,
    run_evaluation,
)
from core.library.storage.library import Library
from tests.cup import add_cup_rules
from tests.patience import PATIENCE

SET = b"""question,articles,season,document
What is the speed limit in the pit lane?,21.3,2024,
What was the speed limit in the pit lane?,21.3,2023,cup
What may the Stewards impose by Article 38.3?,38.3 c),2024,
What does Article 40.1 say?,99.1,2024,
How many double-decker buses may a team park?,none,2024,
How many sets of Prime tyres may a driver use?,40.1,2024,elsewhere
"""
QUESTIONS = read_questions(SET, "set.csv")


@pytest.fixture(scope="module")
def library(cup_rules) -> Library:
    return Library(cup_rules)


@pytest.fixture
def store(tmp_path) -> EvaluationStore:
    return EvaluationStore(tmp_path / "evaluations")


@pytest.fixture
def context(library, tmp_path) -> RunnerContext:
    chats = Conversations(f"sqlite:///{tmp_path / 'chats.db'}")
    return RunnerContext(
        Agent(library, OfflineModel()), library, chats, RunBudget(), "Evaluation of set.csv"
    )


def evaluate(method, run_question, store, questions=QUESTIONS):
    *_, last = run_evaluation(
        Evaluation.start("set.csv", method, len(questions)), questions, run_question, store
    )
    return last


def test_search_alone_finds_the_expected_articles(library, store):
    done = evaluate("search", make_search_runner(library, Event()), store)
    assert done.is_complete
    assert [result.rank for result in done.results] == [1, 1, 1, None, None, None]
    assert done.results[0].found[0] == "21.3"
    assert "Line 7 asks for the document “elsewhere”" in done.results[5].error
    metrics = compute_metrics(done.results)
    assert (metrics.questions, metrics.hit_1, metrics.failed) == (6, 3 / 5, 1)
    assert metrics.cited is None
    assert metrics.refused_rightly is None


@pytest.mark.slow
def test_the_agent_is_measured_by_what_it_cites(context, store):
    done = evaluate("agent", make_agent_runner(context, Event()), store, QUESTIONS[:5])
    speed, earlier_speed, penalties, tyres, buses = done.results
    assert (speed.outcome, speed.cited, speed.refused) == ("answered", True, False)
    assert speed.quotes == speed.standing > 0
    assert earlier_speed.cited
    assert penalties.cited
    assert tyres.cited is False
    assert (buses.outcome, buses.cited, buses.refused) == ("not_found", None, True)
    metrics = compute_metrics(done.results)
    assert (metrics.cited, metrics.standing, metrics.refused_rightly, metrics.refused_wrongly) == (
        3 / 4,
        1.0,
        1.0,
        0.0,
    )
    assert (metrics.right_accepted, metrics.right_not_accepted, metrics.wrong_accepted) == (
        3 / 4,
        0.0,
        1 / 4,
    )
    assert done.model == OfflineModel().answer_model
    [chat] = context.chats.list_conversations()
    assert (chat.title, chat.runs) == ("Evaluation of set.csv", 5)
    assert context.chats.find_run(speed.run_id).question == QUESTIONS[0].text


def test_an_answer_of_another_season_is_wrong_however_it_is_accepted(context, store):
    asked = b"""question,articles,season,says,answer_season
What was the speed limit in the pit lane in 2023?,21.3,,60 km/h,2023
What is the speed limit in the pit lane?,21.3,2024,60 km/h,
What is the speed limit in the pit lane?,21.3,2024,50 km/h,2023
What is the speed limit in the pit lane?,none,2024,,
"""
    done = evaluate(
        "agent", make_agent_runner(context, Event()), store, read_questions(asked, "set.csv")
    )
    assert [result.outcome for result in done.results] == ["answered"] * 4
    assert [(result.cited, result.said) for result in done.results] == [
        (True, True),
        (True, False),
        (False, False),
        (None, None),
    ]
    assert compute_metrics(done.results).wrong_accepted == 3 / 4


def test_a_quote_of_a_removed_clause_does_not_count(library, context, store, tmp_path):
    empty = replace(context, library=Library(tmp_path / "empty"))
    done = evaluate("agent", make_agent_runner(empty, Event()), store, QUESTIONS[:1])
    assert (done.results[0].quotes > 0, done.results[0].standing) == (True, 0)


def test_stopped_in_the_middle_it_keeps_what_it_had(context, store):
    stopping = Event()
    run_question = make_agent_runner(context, stopping)
    evaluation = Evaluation.start("set.csv", "agent", len(QUESTIONS))
    for so_far in run_evaluation(evaluation, QUESTIONS, run_question, store):
        assert store.load_all() == (so_far,)
        if len(so_far.results) == 2:
            stopping.set()
    [left] = store.load_all()
    assert (len(left.results), left.is_complete) == (2, False)


def test_a_thread_works_on_one_evaluation_at_a_time(context, store):
    work = BackgroundEvaluation(store)
    entered, leave = Event(), Event()
    run_question = make_agent_runner(context, work.stopping)

    def slow(question: KeyedQuestion):
        entered.set()
        assert leave.wait(PATIENCE)
        return run_question(question)

    work.start(Evaluation.start("set.csv", "agent", len(QUESTIONS)), QUESTIONS, slow)
    assert entered.wait(PATIENCE)
    assert work.is_running
    with pytest.raises(ScrutineerError, match="going on already"):
        work.start(Evaluation.start("set.csv", "agent", len(QUESTIONS)), QUESTIONS, run_question)
    work.stop()
    leave.set()
    work.wait(PATIENCE)
    assert not work.is_running
    assert store.load_all() == ()


def test_a_thread_that_cannot_continue_says_why(store):
    work = BackgroundEvaluation(store)

    def refuse(question: KeyedQuestion):
        raise ScrutineerError("You have asked enough for today.", code="limit")

    work.start(Evaluation.start("set.csv", "agent", len(QUESTIONS)), QUESTIONS, refuse)
    work.wait(PATIENCE)
    assert (work.is_running, work.trouble) == (False, "You have asked enough for today.")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_breaks_off_says_so_and_keeps_what_it_had(library, store):
    work = BackgroundEvaluation(store)
    run_question = make_search_runner(library, work.stopping)

    def failing(question: KeyedQuestion):
        return run_question(question) if question == QUESTIONS[0] else 1 / 0

    work.start(Evaluation.start("set.csv", "search", len(QUESTIONS)), QUESTIONS, failing)
    work.wait(PATIENCE)
    assert not work.is_running
    assert "broke off" in work.trouble
    assert [len(left.results) for left in store.load_all()] == [1]


def test_remains_of_a_kill_are_removed_by_the_next_evaluation(library, store):
    store.folder.mkdir()
    old, new = store.folder / ".left.json.0123abcd.part", store.folder / ".other.json.0123abcd.part"
    for part in (old, new):
        part.write_bytes(b"half")
    os.utime(old, (0, 0))
    done = evaluate("search", make_search_runner(library, Event()), store, QUESTIONS[:1])
    assert store.load_all() == (done,)
    assert (old.exists(), new.exists()) == (False, True), "another may just be writing the new one"


def test_two_evaluations_are_compared_on_what_both_asked(library, store):
    first = evaluate("search", make_search_runner(library, Event()), store, QUESTIONS[:3])
    second = evaluate("search", make_search_runner(library, Event()), store, QUESTIONS[1:])
    assert second.find_earlier(store.load_all()) == first
    assert [now.line for now, _ in second.pair_results(first)] == [3, 4]
    store.remove_evaluation(first.evaluation_id)
    assert second.find_earlier(store.load_all()) is None


def test_a_file_that_is_no_evaluation_is_left_out(library, store):
    done = evaluate("search", make_search_runner(library, Event()), store)
    (store.folder / "torn.json").write_text('{"evaluation_id": "x"')
    assert store.load_all() == (done,)


@pytest.mark.slow
def test_on_the_command_line(library, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)
    monkeypatch.setenv("SCRUTINEER_DATA_DIR", str(tmp_path / "data"))
    add_cup_rules(Library(tmp_path / "data"))
    (tmp_path / "set.csv").write_bytes(SET)
    run = CliRunner().invoke(app, ["evaluate", "set.csv", "--json"])
    assert run.exit_code == 0
    *results, end = map(json.loads, run.stdout.splitlines())
    assert [result["line"] for result in results] == [2, 3, 4, 5, 6, 7]
    assert [result["finding"] for result in results] == [
        *["right_accepted"] * 3,
        "wrong_accepted",
        "refused_rightly",
        None,
    ]
    assert (end["figures"]["questions"], end["figures"]["wrong_accepted"]) == (6, 1 / 4)
    assert "earlier" not in end
    again = CliRunner().invoke(app, ["evaluate", "set.csv", "--json"])
    assert json.loads(again.stdout.splitlines()[-1])["earlier"]["in_common"] == 6
    people = CliRunner().invoke(app, ["evaluate", "set.csv", "--search"])
    assert "hit 5" in people.stdout
    people = CliRunner().invoke(app, ["evaluate", "set.csv"])
    assert "wrong accepted" in people.stdout
    assert "wrong, accepted" in people.stderr
    bad = CliRunner().invoke(app, ["evaluate", "none.csv", "--json"])
    assert (bad.exit_code, json.loads(bad.stdout)["error"]["code"]) == (1, "not_found")
