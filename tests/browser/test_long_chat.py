"""A chat longer than the window: what is asked and what is opened comes into view."""

import pytest
from playwright.sync_api import expect

from tests.browser.app_server import enter
from tests.browser.person import ask, last_answer, settled, whole_answer

pytestmark = pytest.mark.browser

LOW = {"width": 1280, "height": 600}


def scroll_up(tab):
    """Turn the wheel until the end is out of view; growing content holds the page there."""
    tab.mouse.move(LOW["width"] / 2, LOW["height"] / 2)
    for _ in range(10):
        tab.mouse.wheel(0, -10_000)
        tab.wait_for_timeout(100)
    expect(last_answer(tab).get_by_text("Copy answer")).not_to_be_in_viewport()


def test_a_new_question_comes_into_view_and_its_marker_opens_the_quote(offline, tab):
    tab.set_viewport_size(LOW)
    enter(tab, offline)
    tab.get_by_text("Try one of these").wait_for(timeout=40_000)
    ask(tab, "What is the penalty for an unsafe release?")
    whole_answer(tab)
    tab.reload()
    whole_answer(tab)
    expect(last_answer(tab).get_by_text("Copy answer")).to_be_in_viewport()
    scroll_up(tab)
    ask(tab, "What is the pit lane speed limit?")
    expect(tab.get_by_test_id("stChatMessage")).to_have_count(4)
    expect(last_answer(tab)).to_be_in_viewport()
    whole_answer(tab)
    with tab.context.expect_page() as opening:
        last_answer(tab).get_by_role("link", name="[1]").first.click()
    page = opening.value
    expect(page.get_by_role("dialog").get_by_role("img", name="Page 9 of")).to_be_in_viewport(
        timeout=30_000
    )
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    settled(page)
    assert "cite=" not in page.url
    page.close()
