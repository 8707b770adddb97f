"""Runs in threads of their own: started once, followed, stopped, resumed, waiting for another."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from core.agent.events import Asked, Ended
from core.agent.loop import Request
from core.agent.types import Decision
from core.chats.active_runs import ActiveRuns
from core.chats.conversations import Conversations
from core.errors import ScrutineerError
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
SPEED = "What is the speed limit in the pit lane?"
TYRES = "How many sets of Prime tyres?"
CHAT = "a-chat"


@pytest.fixture
def runs():
    return ActiveRuns()


def begin(agent, question=SPEED, until=None, waits=()):
    """What starts a run; it goes on after its first event when `until` is set."""

    def held_up():
        for number, event in enumerate(agent.ask(Request(question))):
            if number and until:
                until.wait(PATIENCE)
            yield event

    return lambda previous: (held_up(), waits)


def outcomes(chats, chat=CHAT):
    return [state.outcome for state in chats.list_run_states(chat)]


def ended(runs, chats, chat=CHAT):
    for run in runs.follow(chat):
        assert run.wait(PATIENCE)
    return outcomes(chats, chat)


def test_the_row_of_a_run_is_there_when_start_returns_and_the_run_ends_by_itself(
    agent, chats, runs
):
    go_on = threading.Event()
    runs.start(chats, CHAT, SPEED, "", begin(agent, until=go_on))
    assert outcomes(chats) == [None]
    [run] = runs.follow(CHAT)
    assert isinstance(run.events[0], Asked)
    go_on.set()
    assert ended(runs, chats) == ["answered"]
    assert isinstance(run.events[-1], Ended)
    assert not runs.follow(CHAT)


def test_a_second_click_asks_nothing_whether_the_first_is_at_work_or_answered(agent, chats, runs):
    go_on = threading.Event()
    for _ in range(2):
        runs.start(chats, CHAT, SPEED, "", begin(agent, until=go_on))
    go_on.set()
    assert ended(runs, chats) == ["answered"]
    runs.start(chats, CHAT, SPEED, "", begin(agent))
    assert ended(runs, chats) == ["answered"]


def test_the_same_question_after_its_answer_is_asked_again(agent, chats, runs):
    runs.start(chats, CHAT, SPEED, "", begin(agent))
    ended(runs, chats)
    [first] = chats.list_run_states(CHAT)
    runs.start(chats, CHAT, SPEED, first.run_id, begin(agent))
    assert ended(runs, chats) == ["answered", "answered"]


def test_two_tabs_that_ask_at_once_are_both_answered_in_the_order_of_asking(agent, chats, runs):
    threads = [
        threading.Thread(
            target=runs.start, args=(chats, CHAT, question, "", begin(agent, question))
        )
        for question in (SPEED, TYRES)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ended(runs, chats) == ["answered", "answered"]
    assert {state.question for state in chats.list_run_states(CHAT)} == {SPEED, TYRES}


def test_a_run_that_is_stopped_is_saved_as_such(agent, chats, runs):
    go_on = threading.Event()
    runs.start(chats, CHAT, SPEED, "", begin(agent, until=go_on))
    runs.follow(CHAT)[0].stop()
    go_on.set()
    assert ended(runs, chats) == ["cancelled"]


def test_what_a_run_waits_for_can_be_seen_and_does_not_hold_up_a_stop(agent, chats, runs):
    seen = threading.Event()

    def forever():
        while True:
            yield "Reading kart.pdf"
            seen.set()

    runs.start(chats, CHAT, SPEED, "", begin(agent, waits=forever()))
    [run] = runs.follow(CHAT)
    assert seen.wait(PATIENCE)
    assert run.waiting == "Reading kart.pdf"
    run.stop()
    assert ended(runs, chats) == ["cancelled"]


def test_a_decision_that_comes_twice_is_carried_out_once(agent, chats, runs):
    runs.start(chats, CHAT, "What colour is the moon buggy parade?", "", begin(agent, "moon buggy"))
    ended(runs, chats)
    [run] = chats.list_runs(CHAT)
    seq = run.events[-1].seq

    def stop(saved):
        return agent.resume(saved.events, Request(saved.question), Decision("stop"))

    for _ in range(2):
        runs.resume(chats, run.run_id, seq, stop)
        assert ended(runs, chats) == ["cancelled"]
    [run] = chats.list_runs(CHAT)
    assert sum(isinstance(event, Asked) for event in run.events) == 2


def test_a_question_that_may_not_be_asked_leaves_no_chat(agent, chats, runs):
    with pytest.raises(ScrutineerError, match="empty"):
        runs.start(chats, CHAT, "?", "", lambda previous: (agent.ask(Request("?")), ()))
    assert not chats.list_conversations()


SILENT = """
import sys, threading
from core.agent.events import Asked, ScopeView
from core.agent.types import RunBudget
from core.chats import ActiveRuns, Conversations

def silent():
    scope = ScopeView(documents={}, why="")
    yield Asked(run_id="r", seq=1, at="2026-01-01T00:00:00+00:00", question="q", scope=scope,
                limits=RunBudget(), answer_model="m", decision_model="m", offline=True)
    threading.Event().wait()

chats = Conversations(f"sqlite:///{sys.argv[1]}")
ActiveRuns().start(chats, "c", "q", "", lambda previous: (silent(), ()))
"""


@pytest.mark.slow
def test_the_program_ends_without_waiting_for_a_run_whose_model_is_silent(tmp_path):
    """As when somebody presses Ctrl+C; the next start marks the run as cut off."""
    file = tmp_path / "conversations.db"
    subprocess.run([sys.executable, "-c", SILENT, file], cwd=ROOT, check=True, timeout=PATIENCE)
    assert outcomes(Conversations(f"sqlite:///{file}"), "c") == ["cancelled"]
