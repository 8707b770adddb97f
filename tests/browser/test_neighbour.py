"""A server on another port of this host, visited by the browser in which Scrutineer is open."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.browser.app_server import enter, new_window, picture
from tests.browser.person import ask, whole_answer
from tests.test_server import asked

pytestmark = pytest.mark.browser

SPIES = """async address => {
    const seen = {cookies: document.cookie, kept: JSON.stringify({...localStorage})};
    const ask = (path, given) => fetch(address + path, given).then(
        async reply => `${reply.type} ${await reply.text()}`, () => "refused");
    seen.page = await ask("/", {credentials: "include"});
    seen.blind = await ask("/door", {credentials: "include", mode: "no-cors"});
    seen.socket = await new Promise(told => {
        const socket = new WebSocket(address.replace("http", "ws") + "/_stcore/stream");
        socket.onopen = () => told("open");
        socket.onerror = () => told("refused");
    });
    return seen;
}"""


@contextmanager
def neighbour():
    """A server that keeps what browsers send it: its address, and the headers of each request."""
    requests = []

    class Connection(BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append(dict(self.headers))
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Neighbour</title>")

        def log_message(self, *_):
            """Say nothing on standard error."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Connection) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}", requests
        server.shutdown()


def test_a_server_on_another_port_gets_nothing_that_opens_a_session(offline, browser):
    context = new_window(browser)
    tab = context.new_page()
    enter(tab, offline)
    ask(tab, "What is the pit lane speed limit?")
    whole_answer(tab)
    key = tab.evaluate("localStorage.getItem('scrutineer-key')")
    assert len(key) > 40
    with neighbour() as (elsewhere, requests):
        other = context.new_page()
        other.goto(elsewhere)
        seen = other.evaluate(SPIES, offline)
        other.goto(f"{offline}/chat")  # a link leads back in
        other.get_by_test_id("stChatInputTextArea").wait_for()
    assert (seen["page"], seen["blind"], seen["socket"]) == ("refused", "refused", "refused")
    assert key not in str(seen) + str(requests)
    cookies = "; ".join(held["Cookie"] for held in requests if "Cookie" in held)
    assert "scrutineer_" in cookies  # it goes there, and is no session:
    for protocols in (["streamlit"], ["streamlit", "none", "new", cookies.rpartition("=")[2]]):
        with (
            pytest.raises(InvalidStatus, match="403"),
            connect(
                f"{offline.replace('http', 'ws')}/_stcore/stream",
                origin=offline,
                subprotocols=protocols,
                additional_headers={"Cookie": cookies},
            ) as replayed,
        ):
            replayed.send(BackMsg(rerun_script={}).SerializeToString())
    assert asked(offline, "/door", Cookie=cookies)[0] == 403
    shown = asked(offline, tab.url.removeprefix(offline), Cookie=cookies)[2].decode()
    assert "pit lane" not in shown
    context.close()


def test_who_comes_without_the_token_is_told_where_it_is(offline, browser):
    context = new_window(browser)
    tab = context.new_page()
    tab.goto(offline)
    expect(tab.locator("body")).to_contain_text("opens by the address, with a token")
    picture(tab, "without_token")
    context.close()


def test_a_browser_that_was_closed_is_let_in_again_with_its_images(offline, browser):
    """Its cookie is gone with it, its key is not."""
    context = new_window(browser)
    tab = context.new_page()
    enter(tab, offline)
    tab.get_by_test_id("stChatInputTextArea").wait_for()
    context.clear_cookies()
    tab.reload()
    tab.get_by_test_id("stChatInputTextArea").wait_for()
    assert [one for one in context.cookies(offline) if one["name"].startswith("scrutineer_")]
    context.close()
