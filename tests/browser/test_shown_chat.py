"""A question is asked in the chat that the tab shows, whatever the server has drawn meanwhile."""

import pytest
from playwright.sync_api import expect

from tests.browser.app_server import enter
from tests.browser.person import ask, settled, whole_answer

pytestmark = pytest.mark.browser

FIRST, SECOND = "What is the pit lane speed limit?", "How many reprimands bring a grid drop?"
LATE = "What is the penalty for an unsafe release?"


class SlowNetwork:
    """Holds back what the server sends to a tab, when told to."""

    def __init__(self, tab):
        self.holds, self._held, self._page = False, [], None
        tab.route_web_socket(lambda address: address.endswith("/_stcore/stream"), self._connect)

    def _connect(self, page):
        self._page = page
        page.connect_to_server().on_message(self._pass_on)

    def _pass_on(self, message):
        if self.holds:
            self._held.append(message)
        else:
            self._page.send(message)

    def recover(self):
        self.holds = False
        while self._held:
            self._page.send(self._held.pop(0))


def test_a_question_right_after_back_goes_to_the_chat_that_is_still_shown(offline, tab):
    network = SlowNetwork(tab)
    enter(tab, offline)
    ask(tab, FIRST)
    whole_answer(tab)
    tab.get_by_role("button", name="New chat").click()
    tab.get_by_text("Try one of these").wait_for()
    settled(tab)
    ask(tab, SECOND)
    whole_answer(tab)
    network.holds = True
    tab.go_back(wait_until="commit")
    tab.wait_for_timeout(3_000)  # the server draws the first chat, of which the tab learns nothing
    ask(tab, LATE)
    network.recover()
    expect(tab.get_by_test_id("stChatMessage")).to_have_count(4)
    whole_answer(tab)
    asked = [tab.get_by_test_id("stChatMessage").nth(place).inner_text() for place in (0, 2)]
    assert [SECOND in asked[0], LATE in asked[1]] == [True, True]


INPUT = """() => document.querySelector("[class*=st-key-question-]")?.className
  .match(/st-key-question-\\S+/)[0] ?? "" """
"""The name of the input that is there, which is that of its chat; "" where there is none."""


def test_another_chat_is_shown_whole_or_not_at_all(offline, tab):
    enter(tab, offline)
    ask(tab, FIRST)
    whole_answer(tab)
    tab.get_by_role("button", name="New chat").click()
    tab.get_by_text("Try one of these").wait_for()
    ask(tab, SECOND)
    whole_answer(tab)
    second = tab.evaluate(INPUT)
    tab.evaluate(
        f"""() => {{ const input = {INPUT}; const note = () => {{
          const shown = document.querySelector("[data-testid=stChatMessage]")?.innerText ?? "";
          (window.seen ??= new Set()).add(`${{input()}} ${{shown.trim().split("\\n").pop()}}`);
          }};
          note();
          new MutationObserver(note).observe(document.body, {{
            childList: true, characterData: true, subtree: true }}); }}"""
    )
    tab.get_by_test_id("stSidebar").get_by_role("link", name=FIRST).first.click()
    tab.get_by_test_id("stChatMessage").first.get_by_text(FIRST).wait_for()
    tab.get_by_test_id("stChatInput").wait_for()
    first, seen = tab.evaluate(INPUT), tab.evaluate("[...window.seen]")
    assert first != second
    with_input = {one for one in seen if not one.startswith(" ")}
    assert with_input == {f"{first} {FIRST}", f"{second} {SECOND}"}
