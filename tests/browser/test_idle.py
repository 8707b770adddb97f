"""A page at rest sends nothing over its WebSocket, and shows what others do all the same."""

import pytest
from playwright.sync_api import expect

from core.library.ingestion.ingest import add_bytes
from tests.browser.app_server import enter
from tests.browser.person import ask, finished, settled
from tests.pages.visit import KART_RULES

pytestmark = pytest.mark.browser

IDLE_SECONDS = 12


@pytest.mark.usefixtures("brought")
def test_an_idle_page_sends_nothing_until_something_is_new(offline, tab, brought):
    frames: list[str | bytes] = []

    def listen(socket):
        socket.on("framesent", lambda frame: frames.append(frame))
        socket.on("framereceived", lambda frame: frames.append(frame))

    tab.on("websocket", listen)
    enter(tab, offline)
    tab.get_by_text("Try one of these").wait_for()
    settled(tab)
    expect(tab.get_by_test_id("stChatInputTextArea")).to_be_focused()
    frames.clear()
    tab.wait_for_timeout(IDLE_SECONDS * 1000)
    print(f"{len(frames)} frames in {IDLE_SECONDS} s")
    assert len(frames) < 10 * IDLE_SECONDS / 60

    list(add_bytes(brought, KART_RULES, "kart.pdf"))  # as a worker beside the server does
    tab.get_by_test_id("stBottom").get_by_text("2025 Karting Club").wait_for(timeout=20_000)

    ask(tab, "What may a kart weigh?")
    finished(tab)
    settled(tab)
    other = tab.context.new_page()
    enter(other, tab.url)
    finished(other)
    frames.clear()
    other.get_by_test_id("stChatInputTextArea").fill("Who ignores a blue flag?")
    other.keyboard.press("Enter")
    tab.get_by_test_id("stChatMessage").nth(3).get_by_text("Scope:").wait_for(timeout=30_000)
    other.close()
