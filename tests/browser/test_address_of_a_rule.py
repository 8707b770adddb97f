"""The address of a rule in a real browser: written by hand, copied, and behind the door."""

import re

import pytest

from tests.browser.app_server import enter, new_window, tokens
from tests.browser.person import settled

pytestmark = pytest.mark.browser

RULE = "/rule/meridian-technical/2023/2/4.1.1"


def test_a_person_writes_the_address_of_a_rule_and_copies_it(offline, browser):
    window = new_window(browser, permissions=["clipboard-read", "clipboard-write"])
    tab = window.new_page()
    enter(tab, f"{offline}{RULE}")
    tab.get_by_role("heading", name=re.compile(r"^4\.1\.1")).wait_for(timeout=120_000)
    tab.get_by_role("img", name=re.compile("Page .* of 2023 Meridian Cup Technical")).wait_for()
    tab.get_by_text("Through the editions").wait_for()
    settled(tab)
    code = tab.get_by_test_id("stCode").filter(has_text=RULE)
    code.hover()
    code.get_by_role("button").click()
    assert tab.evaluate("navigator.clipboard.readText()") == f"{offline}{RULE}"
    tab.goto(f"{offline}/rule/meridian-technical/2023/4.1.1")
    tab.get_by_role("heading", name=re.compile(r"^4\.1\.1")).wait_for()
    settled(tab)
    assert code.count() == 1  # the newest issue
    tab.goto(f"{offline}/rule/meridian-technical/2023/9/4.1.1")
    tab.get_by_text("the library does not hold issue 9").wait_for()
    tab.get_by_role("link", name=re.compile("4.1.1.*Issue 1")).click()
    tab.get_by_role("heading", name=re.compile(r"^4\.1\.1")).wait_for()
    settled(tab)
    tab.go_back()
    tab.get_by_text("the library does not hold issue 9").wait_for()
    window.close()


def test_a_stranger_lands_on_the_rule_once_they_are_let_in(offline, browser):
    window = new_window(browser)
    tab = window.new_page()
    tab.goto(f"{offline}{RULE}")
    tab.get_by_text("Scrutineer opens by the address, with a token").wait_for()
    tab.goto(f"{offline}/?token={tokens[offline]}")
    tab.get_by_role("heading", name=re.compile(r"^4\.1\.1")).wait_for(timeout=120_000)
    window.close()
