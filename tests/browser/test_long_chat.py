"""A chat longer than the window: what is asked and what is opened comes into view."""

import pytest
from playwright.sync_api import expect

from tests.browser.app_server import enter
from tests.browser.person import ask, last_answer, settled, whole_answer

pytestmark = pytest.mark.browser

LOW = {"width": 1280, "height": 600}


def test_a_new_question_comes_to_the_top_and_its_answer_ends_there(offline, tab):
    tab.set_viewport_size(LOW)
    enter(tab, offline)
    tab.get_by_text("Try one of these").wait_for(timeout=90_000)
    ask(tab, "What does Article 15 say?")
    whole_answer(tab)
    first_line = last_answer(tab).get_by_text("Control Tyres are supplied").first
    expect(first_line).to_be_in_viewport()
    tab.mouse.move(LOW["width"] / 2, LOW["height"] / 2)
    tab.mouse.wheel(0, 300)
    ask(tab, "What is the pit lane speed limit?")
    expect(tab.get_by_test_id("stChatMessage")).to_have_count(4)
    expect(last_answer(tab).get_by_text("50 km/h · Article 21.3")).to_be_in_viewport()
    whole_answer(tab)
    settled(tab)
    expect(last_answer(tab).get_by_text("50 km/h · Article 21.3")).to_be_in_viewport()
    tab.reload()
    whole_answer(tab)
    expect(last_answer(tab).get_by_text("50 km/h · Article 21.3")).to_be_in_viewport()
