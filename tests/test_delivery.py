"""A script takes all that a page sends: each click before the next one, the last before it is left.

The server is a real one. Its page has callbacks that take their time, as on a loaded machine.
"""

from time import monotonic, sleep

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect

from tests.browser.app_server import served
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow

APP = """
import streamlit as st
from starlette.middleware import Middleware
from server.delivery import MessageDelivery
from server.security import report_script_error
middleware = [Middleware(MessageDelivery)]
app = st.App("page.py", middleware=middleware, on_script_error=report_script_error)
"""
PAGE = """
import time
from pathlib import Path
import streamlit as st
from server import delivery

def note(name):
    time.sleep(0.3)
    st.session_state["noted"] = name  # here Streamlit would look for a newer message
    with Path(__file__).with_name("notes").open("a") as file:
        file.write(f"{name} ")

def ask():
    note(st.session_state["question"])

def move():
    note(f"level-{st.session_state['level']}")

class Tidied:  # by Streamlit, after a run and in its thread: it takes its time
    def __init__(self):
        self.itself = self
    def __del__(self):
        time.sleep(1.0)

def leave_much_to_tidy():
    if st.button("in the sidebar"):
        Tidied()

def fail():
    raise ValueError("a callback that fails")

call = delivery.take_call()
try:
    st.button("failing", on_click=fail)
    st.button("first", on_click=note, args=("first",))
    st.button("second", on_click=note, args=("second",))
    st.slider("level", 0, 9, key="level", on_change=move)
    st.chat_input("question", key="question", on_submit=ask)
    if st.button("in the body"):
        st.text("it was clicked")
        time.sleep(0.3)
        st.text("it is done")
        note("body")
    st.fragment(time.time, run_every=0.05)()
    st.fragment(st.button)("in a fragment", on_click=note, args=("fragment",))
    with st.sidebar:
        st.fragment(leave_much_to_tidy)()
finally:
    if call:
        call.end()
"""


class Tab:
    """A page in a browser: what it may click is in `widgets`, the fragment that repeats too."""

    def __init__(self, connection):
        self.connection, self.widgets, self.fragment = connection, {}, ""
        self.session, self.homes, self.areas = "", {}, {}
        self.send()
        self.read_until_the_end()

    def send(self, **state):
        self.connection.send(BackMsg(rerun_script=state).SerializeToString())

    def read_until_the_end(self):
        """Read all that a script draws."""
        while (message := self.read()).WhichOneof("type") != "script_finished":
            if message.WhichOneof("type") == "new_session":
                self.session = message.new_session.initialize.session_id
            if message.WhichOneof("type") == "auto_rerun":
                self.fragment = message.auto_rerun.fragment_id
            drawn = message.delta.new_element
            if kind := drawn.WhichOneof("type"):
                element = getattr(drawn, kind)
                name = getattr(element, "label", "") or getattr(element, "placeholder", "")
                self.widgets[name] = getattr(element, "id", "")
                self.homes[name] = message.delta.fragment_id
                self.areas[name] = message.metadata.delta_path[0]

    def read(self):
        return ForwardMsg.FromString(self.connection.recv(PATIENCE))

    def click(self, name):
        self.change(name, trigger_value=True)

    def ask(self, question):
        self.change("question", chat_input_value={"data": question})

    def move(self, level):
        self.change("level", double_array_value={"data": [level]})

    def change(self, name, **value):
        state = {"widgets": [{"id": self.widgets[name], **value}]}
        self.send(widget_states=state, fragment_id=self.homes[name])

    def tick(self):
        """Send what a fragment sends that repeats."""
        self.send(fragment_id=self.fragment, is_auto_rerun=True)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("delivery")
    (folder / "app.py").write_text(APP)
    (folder / "page.py").write_text(PAGE)
    with served(folder, folder / "app.py", STREAMLIT_RUNNER_POST_SCRIPT_GC="true") as address:
        yield address, folder / "notes"


@pytest.fixture
def tab(address):
    """A tab, on a page that has noted nothing yet."""
    url, notes = address
    notes.write_text("")
    with connected(url) as connection:
        yield Tab(connection)


def connected(url, *session):
    """A connection; to a session that there is, as from a page whose connection broke."""
    place = f"{url.replace('http', 'ws')}/_stcore/stream"
    protocols = ["streamlit", *(["none", *session] if session else [])]
    return connect(place, origin=url, subprotocols=protocols, max_size=None, max_queue=None)


def wait_for_notes(address, count):
    """What the callbacks noted, once they noted so much; all of it when no more comes."""
    end = monotonic() + PATIENCE
    while monotonic() < end and len(address[1].read_text().split()) < count:
        sleep(0.05)
    sleep(0.5)
    return address[1].read_text().split()


def test_a_question_is_taken_before_a_click_that_comes_while_its_callback_works(address, tab):
    tab.ask("lost?")
    sleep(0.15)
    tab.click("first")
    assert wait_for_notes(address, 2) == ["lost?", "first"]


def test_two_questions_at_once_are_both_taken(address, tab):
    tab.ask("one")
    tab.ask("two")
    assert wait_for_notes(address, 2) == ["one", "two"]


def test_what_sets_a_value_stops_no_click_and_is_stopped_by_none(address, tab):
    tab.click("first")
    sleep(0.15)
    tab.move(3)
    sleep(0.15)
    tab.click("second")
    assert wait_for_notes(address, 3) == ["first", "level-3", "second"]


def test_a_fragment_that_repeats_neither_stops_a_question_nor_is_waited_for(address, tab):
    for number in range(3):
        tab.tick()
        tab.ask(f"{number}")
        sleep(0.1)
        tab.tick()
    assert wait_for_notes(address, 3) == ["0", "1", "2"]


@pytest.mark.parametrize("seconds", [0.0, 0.15])
@pytest.mark.parametrize("code", [1001, 1002])
def test_who_leaves_after_a_question_has_asked_it(address, tab, seconds, code):
    """A page that is left (1001), and a connection that breaks."""
    tab.ask("left")
    sleep(seconds)
    tab.connection.close(code)
    assert wait_for_notes(address, 1) == ["left"]


@pytest.mark.parametrize("seconds", [0.0, 0.15])
def test_a_page_that_comes_back_before_its_connection_is_known_to_be_broken(address, tab, seconds):
    tab.ask("one")
    tab.ask("two")
    sleep(seconds)
    with connected(address[0], tab.session) as again:
        again.send(BackMsg(rerun_script={}).SerializeToString())
        assert wait_for_notes(address, 2) == ["one", "two"]


def test_who_leaves_while_the_page_carries_a_click_out_has_it_done(address, tab):
    tab.click("in the body")
    sleep(0.15)
    tab.connection.close(1001)
    assert wait_for_notes(address, 1) == ["body"]


@pytest.mark.parametrize("seconds", [0.0, 0.15])
@pytest.mark.parametrize("code", [1001, 1002])
def test_who_leaves_after_a_click_in_a_fragment_has_it_done(address, tab, seconds, code):
    tab.click("in a fragment")
    sleep(seconds)
    tab.connection.close(code)
    assert wait_for_notes(address, 1) == ["fragment"]


def test_a_click_in_a_fragment_is_taken_between_others(address, tab):
    for name in ("first", "in a fragment", "second", "in a fragment"):
        tab.click(name)
        tab.tick()
    assert wait_for_notes(address, 4) == ["first", "fragment", "second", "fragment"]


def test_a_page_at_rest_is_gone_at_once(address, tab):
    begun = monotonic()
    tab.connection.close(1001)
    assert monotonic() - begun < 5


def test_a_click_that_fails_holds_up_nothing_after_it(address, tab):
    tab.click("failing")
    tab.click("first")
    tab.connection.close(1001)
    assert wait_for_notes(address, 1) == ["first"]


def test_what_is_no_message_of_streamlit_is_left_to_streamlit(address, tab):
    tab.connection.send(b"\xff\xff")
    with pytest.raises(ConnectionClosedError, match="1002"):
        tab.read_until_the_end()


def test_a_page_that_follows_a_fragment_of_the_sidebar_is_not_drawn_in_the_sidebar(tab):
    """A click that comes after a fragment, while Streamlit tidies up, is answered in its thread."""
    main, sidebar = tab.areas["level"], tab.areas["in the sidebar"]
    assert main != sidebar
    tab.click("in the sidebar")
    tab.read_until_the_end()
    tab.areas.clear()
    tab.click("first")
    tab.read_until_the_end()
    assert (tab.areas["level"], tab.areas["in the sidebar"]) == (main, sidebar)
