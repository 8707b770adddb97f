"""A click is handed on once the one before it was taken, and a departure once the last one was."""

import asyncio

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.delivery import SETTLING_SECONDS, MessageDelivery


def sent(**state):
    """A message of a page that calls its script."""
    return {
        "type": "websocket.receive",
        "bytes": BackMsg(rerun_script=state).SerializeToString(),
    }


def click(**state):
    return sent(widget_states={"widgets": [{"id": "ask", "trigger_value": True}]}, **state)


CLICK = click()
MOVED = sent(widget_states={"widgets": [{"id": "slider", "int_value": 3}]})
TIMER = sent(is_auto_rerun=True, fragment_id="follow")
LEFT = {"type": "websocket.disconnect", "code": 1001}
BROKEN = {"type": "websocket.disconnect", "code": 1006}


def script(*messages):
    """What a script sends."""
    return [
        {"type": "websocket.send", "bytes": one.SerializeToString()}
        for one in (ForwardMsg(new_session={}), *messages, ForwardMsg(script_finished=0))
    ]


def visit(*events, has_gone=False):
    """What the app learned of a page, and what the page got, in the order of events."""
    heard, told = [], []

    async def app(_scope, receive, send):
        async def listen():
            while not heard or heard[-1]["type"] != "websocket.disconnect":
                heard.append(await receive())
                told.append("heard")

        listening = asyncio.ensure_future(listen())
        for event in events:
            if isinstance(event, float):
                await asyncio.sleep(event + 0.1)
            elif event["type"] == "websocket.send":
                await send(event)
            else:
                browser.put_nowait(event)
            for _ in range(5):  # what is put is heard
                await asyncio.sleep(0)
            told.append(len(heard))
        listening.cancel()

    async def to_page(message):
        if message["type"] == "websocket.send" and has_gone:
            raise ConnectionResetError
        told.append("page")

    async def run():
        await MessageDelivery(app)({"type": "websocket"}, browser.get, to_page)

    browser: asyncio.Queue = asyncio.Queue()
    asyncio.run(run())
    return [one for one in told if one != "heard"]


def test_who_leaves_after_a_click_is_gone_when_the_script_has_ended():
    begun, ended = script()
    assert visit(CLICK, begun, LEFT, ended) == [1, "page", 1, 1, 2]


def test_a_script_that_began_before_the_click_does_not_count():
    begun, ended = script()
    assert visit(begun, CLICK, LEFT, ended, begun, ended) == ["page", 0, 1, 1, 1, 1, 2]


def test_who_leaves_a_page_at_rest_is_gone_at_once():
    begun, ended = script()
    assert visit(CLICK, begun, ended, LEFT) == [1, "page", 1, "page", 1, 2]


def test_a_connection_that_breaks_is_told_at_once():
    begun, _ = script()
    assert visit(CLICK, begun, BROKEN) == [1, "page", 1, 2]


def test_a_second_click_waits_until_a_script_has_taken_the_first():
    begun, ended = script()
    assert visit(CLICK, CLICK, begun, ended) == [1, 1, "page", 2, "page", 2]


def test_a_script_that_was_at_work_at_the_first_click_does_not_release_the_second():
    begun, ended = script()
    events = begun, CLICK, CLICK, ended, begun
    assert visit(*events) == ["page", 0, 1, 1, "page", 1, "page", 2]


def test_a_script_that_was_on_its_way_at_the_first_click_does_not_release_the_second():
    begun, ended = script()
    events = MOVED, CLICK, CLICK, begun, ended, begun
    assert visit(*events) == [1, 2, 2, "page", 2, "page", 2, "page", 3]


@pytest.mark.slow
def test_a_click_that_such_a_script_has_taken_is_known_when_no_other_begins():
    begun, ended = script()
    events = MOVED, CLICK, CLICK, begun, ended, SETTLING_SECONDS
    assert visit(*events) == [1, 2, 2, "page", 2, "page", 2, 3]


def test_what_only_sets_a_value_does_not_wait_and_is_not_waited_for():
    assert visit(CLICK, MOVED) == [1, 2]
    assert visit(MOVED, CLICK) == [1, 2]


def test_the_calls_of_a_timer_wait_for_no_click_and_are_left_out_until_one_is_taken():
    begun, ended = script()
    events = TIMER, CLICK, TIMER, begun, ended, begun, TIMER
    assert visit(*events) == [1, 2, 2, "page", 2, "page", 2, "page", 2, 3]


def test_a_click_in_a_fragment_that_may_be_gone_is_not_waited_for():
    assert visit(click(fragment_id="gone"), CLICK) == [1, 2]


def test_who_leaves_before_anything_was_sent_is_gone_at_once():
    assert visit(LEFT) == [1]


def test_a_page_that_has_gone_does_not_take_with_it_what_it_sent_before():
    begun, ended = script()
    assert visit(CLICK, begun, CLICK, ended, LEFT, has_gone=True) == [1, 1, 2, 2, 2]
