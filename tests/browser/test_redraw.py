"""A page that is drawn anew while a run is at work, in a real browser."""

import pytest

from core.chats.conversations import Conversations
from core.library.storage.library import Library
from tests.browser.app_server import enter, served
from tests.browser.person import ask
from tests.cup import add_cup_rules
from tests.messages_server import MessagesServer, assessed, citing, classified

pytestmark = pytest.mark.browser

QUESTION = "What is the pit lane speed limit?"


def test_a_page_drawn_anew_goes_on_showing_its_run(tab, tmp_path):
    """A slider is moved while the words of the draft come slowly."""
    slow = citing("50 km/h", "TASK_COMPLETE: " + "Slowly. " * 40 + "It is fifty: ", pause=0.05)
    add_cup_rules(Library(tmp_path / "library"))
    with (
        MessagesServer([classified(query=QUESTION), slow, assessed(9)]) as model,
        served(tmp_path, ANTHROPIC_BASE_URL=model.url, ANTHROPIC_API_KEY="none") as app,
    ):
        enter(tab, app)
        tab.get_by_text("Try one of these").wait_for()
        ask(tab, QUESTION)
        tab.get_by_text("Slowly. Slowly.").wait_for()
        tab.get_by_role("slider", name="Quality threshold").focus()
        tab.keyboard.press("ArrowRight")
        tab.get_by_test_id("stChatMessage").last.get_by_text("Copy answer").wait_for()
    (chat,) = (
        chats := Conversations(f"sqlite:///{tmp_path / 'library' / 'conversations.db'}")
    ).list_conversations()
    (run,) = chats.list_runs(chat.conversation_id)
    assert run.outcome == "answered"
    assert len(model.requests) == 3, "the run was not begun a second time"
