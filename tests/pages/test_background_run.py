"""A run in a thread of its own: followed twice, stopped, failed."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from core.agent.events import Ended
from core.agent.loop import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.errors import ScrutineerError
from pages.components.background_run import BackgroundRun, find_background_run

ROOT = Path(__file__).parents[2]
SPEED = "What is the speed limit in the pit lane?"


def kept(library, chats):
    """A run that is saved as it goes."""
    return chats.save_events(
        chats.start_conversation(SPEED), Agent(library, OfflineModel()).ask(Request(SPEED))
    )


def held_up(events, going_on):
    """The same, with a wait after each until they may go on."""
    for event in events:
        yield event
        going_on.wait(5)


def told(work):
    return [event for event in work.stream_events() if event is not None]


def test_who_comes_later_sees_it_from_the_beginning(library, chats):
    work = BackgroundRun(SPEED, kept(library, chats))
    for event in work.stream_events():
        if event is not None:
            break  # the page is drawn anew
    assert isinstance(told(work)[-1], Ended)
    assert told(work)[-1].outcome == "answered"
    assert work.run_id == told(work)[0].run_id


def test_a_run_that_is_stopped_is_saved_as_such(library, chats):
    going_on = threading.Event()
    work = BackgroundRun(SPEED, held_up(kept(library, chats), going_on))
    work.stop()
    going_on.set()
    told(work)
    (chat,) = chats.list_conversations()
    assert chats.list_runs(chat.conversation_id)[0].outcome == "cancelled"


def test_a_run_is_found_by_its_id_until_it_ends(library, chats):
    """As by a tab that was loaded anew: it knows the run from the database, and nothing else."""
    going_on = threading.Event()
    work = BackgroundRun(SPEED, held_up(kept(library, chats), going_on))
    follower = work.stream_events()
    first = next(event for event in follower if event is not None)
    assert find_background_run(first.run_id) is work
    assert find_background_run("another") is None
    follower.close()
    going_on.set()
    told(work)
    assert find_background_run(first.run_id) is None


@pytest.mark.parametrize(("wanted", "outcome"), [(True, "answered"), (False, "cancelled")])
def test_a_run_that_nobody_follows_goes_on_as_long_as_its_tab_is_there(
    library, chats, wanted, outcome
):
    begin = threading.Event()

    def events():
        begin.wait(5)
        yield from kept(library, chats)

    work = BackgroundRun(SPEED, events(), patience=0.0)
    work.wanted |= {"tab": lambda: wanted}
    begin.set()
    work.thread.join(10)
    (chat,) = chats.list_conversations()
    assert chats.list_runs(chat.conversation_id)[0].outcome == outcome


SILENT = """
import threading
from pages.components.background_run import BackgroundRun

def silent():
    begun.set()
    threading.Event().wait()
    yield

begun = threading.Event()
BackgroundRun("q", silent())
begun.wait()
"""


def test_the_program_ends_without_waiting_for_a_run_whose_model_is_silent():
    """As when somebody presses Ctrl+C; a silent model would have kept it waiting."""
    subprocess.run([sys.executable, "-c", SILENT], cwd=ROOT, check=True, timeout=40)


def test_what_a_run_raises_is_raised_where_it_is_followed():
    def failing():
        raise ScrutineerError("The disk is full. Make room.", code="disk")
        yield

    with pytest.raises(ScrutineerError, match="disk is full"):
        told(BackgroundRun(SPEED, failing()))
