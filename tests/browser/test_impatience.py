"""An impatient person: random clicks, reloads, Back, two tabs, files and stops at any moment.

Each question is answered once, in the chat that the tab showed when it was asked. There are
SCRUTINEER_ACTIONS actions, chosen from SCRUTINEER_SEED; without that number it is not played.
"""

import os
import time
from collections import Counter
from random import Random

import pytest
from playwright.sync_api import Error

from core.chats.conversations import Conversations
from core.library.storage.library import Library
from tests.browser.app_server import WIDE, enter, served
from tests.cup import add_cup_rules, queue_in
from tests.pages.visit import pdf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ACTIONS = int(os.environ.get("SCRUTINEER_ACTIONS", "0"))
SEED = int(os.environ.get("SCRUTINEER_SEED", "16"))
SHOWN = """() => [...document.querySelectorAll("[data-testid=stChatMessage]")]
  .filter((message, number) => number % 2 === 0)
  .map((message) => message.querySelector("[data-testid=stMarkdownContainer]").innerText.trim())"""


class Impatience:
    """Two tabs of one person, what they asked, and which questions each tab showed then."""

    def __init__(self, tabs, address, random):
        self.tabs, self.address, self.random = tabs, address, random
        self.tab = tabs[0]
        self.asked: list[tuple[str, list[str]]] = []
        self.maybe: set[str] = set()
        """Questions whose page was gone before it could be seen whether they were sent."""
        self.number = 0
        self.done: list[str] = []

    def act(self):
        action = self.random.choice(
            [self.ask] * 3
            + [self.double_click, self.reload, self.back, self.forward, self.other_tab]
            + [self.new_chat, self.open_chat, self.stop, self.bring_file, self.ask_about_a_file]
            + [self.try_again, self.open_citation, self.wait]
        )
        told = action.__name__
        try:
            action()
        except Error:  # what was to be clicked has just gone
            told += " came too late"
        self.done.append(f"{told} ({self.number})")
        self.tab.wait_for_timeout(self.random.randint(150, 600))  # as quick as a hand can be

    def numbered(self, words):
        """A question that is asked once: its number makes it its own."""
        self.number += 1
        return f"{words} Case {self.number}."

    def ask(self, question=None):
        """Type a question into the box of the open chat; its words go where that chat goes."""
        question = question or self.numbered("What is the speed limit in the pit lane?")
        box = self.tab.get_by_test_id("stChatInputTextArea").element_handle(timeout=4_000)
        box.fill(question, timeout=4_000)
        shown = self.tab.evaluate(SHOWN)
        self.maybe.add(question)
        box.press("Enter", timeout=2_000)
        if not box.input_value():
            self.maybe.remove(question)
            self.asked.append((question, shown))

    def double_click(self):
        """Click twice on a question that is offered."""
        shown = self.tab.evaluate(SHOWN)
        button = self.tab.locator("[class*=st-key-example-] button, [class*=st-key-next-] button")
        question = button.first.inner_text(timeout=300)
        self.maybe.add(question)
        button.first.dblclick(timeout=300)
        self.asked.append((question, shown))
        self.tab.wait_for_timeout(1_500)  # so that the same one is not offered to a third click

    def reload(self):
        self.tab.reload(wait_until="commit")

    def back(self):
        self.tab.go_back(wait_until="commit", timeout=1_000)
        self.stay()

    def forward(self):
        self.tab.go_forward(wait_until="commit", timeout=1_000)

    def stay(self):
        if not self.tab.url.startswith(self.address):
            enter(self.tab, self.address)

    def other_tab(self):
        self.tab = self.tabs[self.tab is self.tabs[0]]

    def new_chat(self):
        self.tab.get_by_role("button", name="New chat").click(timeout=500)

    def open_chat(self):
        links = self.tab.locator("[data-testid=stSidebar] a[href*='chat=']")
        links.nth(self.random.randrange(max(1, links.count()))).click(timeout=500)

    def stop(self):
        self.tab.get_by_role("button", name="Stop", exact=True).click(timeout=300)

    def bring_file(self):
        name = f"rules-{len(self.done)}-{self.random.random():.6f}.pdf"
        file = {"name": name, "mimeType": "application/pdf", "buffer": self.paper(name)}
        place = self.tab.locator("[data-testid=stSidebar] input[type=file]").first
        place.set_input_files(file, timeout=500)

    def ask_about_a_file(self):
        name = f"kart-{self.number}.pdf"
        file = {"name": name, "mimeType": "application/pdf", "buffer": self.paper(name)}
        self.tab.locator("[data-testid=stChatInput] input[type=file]").set_input_files(file)
        self.tab.get_by_test_id("stChatInput").get_by_text(name).wait_for(timeout=3_000)
        self.tab.wait_for_load_state("networkidle", timeout=3_000)
        self.ask(self.numbered("How wide must the bumper be?"))

    def paper(self, name):
        rule = f"1.1 Every kart of {name} must carry a yellow bumper of at least 40 mm."
        return pdf(f"2025 Karting Club {name} Regulations", "1 KARTS", rule)

    def try_again(self):
        self.tab.get_by_role("button", name="Try again").last.click(timeout=300)

    def open_citation(self):
        self.tab.locator("[class*=st-key-cite-] button").last.click(timeout=300)

    def wait(self):
        self.tab.wait_for_timeout(self.random.choice((10, 100, 400, 1_500)))


def when_all_have_ended(chats, queue, seconds=90):
    """The questions of each chat in their order, once no run is at work.

    On a loaded machine files take their time: it gives up when no run and no file has got further.
    """
    end, before = 0.0, None
    while True:
        found = {
            chat.conversation_id: chats.list_run_states(chat.conversation_id)
            for chat in chats.list_conversations(limit=10_000)
        }
        if all(state.outcome for states in found.values() for state in states):
            return {chat: [state.question for state in states] for chat, states in found.items()}
        now = found, [(job.entry_id, job.state, job.done) for job in queue.list_jobs()]
        if now != before:
            end, before = time.monotonic() + seconds, now
        assert time.monotonic() < end, "a run did not end"
        time.sleep(0.5)


@pytest.mark.skipif(not ACTIONS, reason="set SCRUTINEER_ACTIONS, for example to 500")
def test_every_question_of_an_impatient_person_is_answered_once_in_its_chat(browser, tmp_path):
    add_cup_rules(Library(tmp_path / "library"))
    quota = {"SCRUTINEER_RUNS_AT_A_TIME": "500", "SCRUTINEER_QUESTIONS_A_MINUTE": "500"}
    with served(tmp_path, **quota) as address:  # whoever asks too much is refused, and told so
        context = browser.new_context(viewport=WIDE)
        tabs = [context.new_page(), context.new_page()]
        for tab in tabs:
            enter(tab, address)
            tab.get_by_test_id("stChatInputTextArea").wait_for(timeout=60_000)
            tab.set_default_timeout(5_000)
        person = Impatience(tabs, address, Random(SEED))
        for _ in range(ACTIONS):
            person.act()
        chats = Conversations(f"sqlite:///{tmp_path / 'library' / 'conversations.db'}")
        found = when_all_have_ended(chats, queue_in(tmp_path / "library"))
        for tab in tabs:
            assert tab.get_by_text("Something failed").count() == 0
        context.close()
    print(" · ".join(person.done))
    assert_each_is_there_once(person, found)


def assert_each_is_there_once(person, found):
    """Each question is in one chat as often as it was asked, with those that were shown above."""
    there = Counter(question for questions in found.values() for question in questions)
    asked = Counter(question for question, _ in person.asked)
    lost, doubled = asked - there, there - asked
    assert not lost, f"of {asked.total()} lost: {lost}"
    assert set(doubled) <= person.maybe, doubled
    assert all(number == 1 for question, number in there.items() if "Case" in question)
    for question, shown in person.asked:
        homes = [questions for questions in found.values() if question in questions]
        assert any(set(shown) <= set(questions) for questions in homes), question
