"""A page that is left right after a click: the script of the click ends before it is stopped."""

import asyncio

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.departure import DepartureGrace

CLICK = {"type": "websocket.receive", "bytes": BackMsg(rerun_script={}).SerializeToString()}
LEFT = {"type": "websocket.disconnect", "code": 1001}
BROKEN = {"type": "websocket.disconnect", "code": 1006}


def script(*messages):
    """What a script sends."""
    return [
        {"type": "websocket.send", "bytes": one.SerializeToString()}
        for one in (ForwardMsg(new_session={}), *messages, ForwardMsg(script_finished=0))
    ]


def visit(*events):
    """What the app learned of a page, and what the page got, in the order of events."""
    heard, told = [], []

    async def app(_scope, receive, send):
        async def listen():
            while not heard or heard[-1]["type"] != "websocket.disconnect":
                heard.append(await receive())
                told.append("heard")

        listening = asyncio.ensure_future(listen())
        for event in events:
            if event["type"] == "websocket.send":
                await send(event)
            else:
                browser.put_nowait(event)
            for _ in range(5):  # what is put is heard
                await asyncio.sleep(0)
            told.append(len(heard))
        listening.cancel()

    async def to_page(message):
        told.append("page")

    async def run():
        await DepartureGrace(app)({"type": "websocket"}, browser.get, to_page)

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
