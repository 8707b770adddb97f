"""A finished run as the browser draws it: opened by keyboard, cited from, light and dark."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.app_server import enter
from tests.browser.person import ask, settled, whole_answer
from tests.browser.test_accessibility import barriers, tab  # noqa: F401

pytestmark = pytest.mark.browser


@pytest.fixture
def long_chat(offline, tab):  # noqa: F811
    """A chat with two runs, of which the first is drawn whole by the browser."""
    enter(tab, offline)
    ask(tab, "What is the pit lane speed limit?")
    whole_answer(tab)
    ask(tab, "How many reprimands bring a grid drop?")
    tab.get_by_test_id("stChatMessage").nth(3).wait_for()  # no longer the answer before
    whole_answer(tab)
    settled(tab)
    return tab


def test_a_panel_opens_by_keyboard_and_stays_open(long_chat):
    line = long_chat.locator("summary", has_text=re.compile("^Iteration 1 · Search")).first
    line.focus()
    long_chat.keyboard.press("Enter")
    inside = line.locator("xpath=..")
    for words in ("Plan", "Query", "Draft", "Completeness", "Decision"):
        expect(inside.get_by_text(words).first).to_be_visible()
    table = inside.get_by_role("region", name="Clauses found")
    expect(table.get_by_role("cell", name="21.3", exact=True)).to_be_visible()
    assert barriers(long_chat, "open_panel") == []
    long_chat.get_by_role("button", name="Copy answer").last.click()  # the page is drawn again
    settled(long_chat)
    expect(inside).to_have_attribute("open", "")
    line.focus()
    long_chat.keyboard.press("Enter")
    expect(inside).not_to_have_attribute("open", "")


def test_a_citation_of_an_earlier_answer_opens_and_has_an_address(long_chat):
    earlier = long_chat.get_by_test_id("stChatMessage").nth(1)
    citation = earlier.get_by_role("button", name=re.compile(r"^\[1\] Article 21\.3, page 9"))
    citation.focus()
    long_chat.keyboard.press("Enter")
    page = long_chat.get_by_role("img", name=re.compile("^Page 9 of ")).first
    page.wait_for()
    assert barriers(long_chat, "earlier_citation") == []
    long_chat.get_by_role("button", name="Close").click()
    expect(page).to_have_count(0)
    expect(citation).to_be_in_viewport()  # where it was left
    citation.click()
    page.wait_for()
    long_chat.reload()
    page.wait_for()
